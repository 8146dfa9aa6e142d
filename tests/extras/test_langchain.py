"""LangChain's own package over a running service."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from graph_memory import Client
from graph_memory.adapters.langchain import ChatHistory
from tests.extras.adapters_world import run_page
from tests.integration.served import Served, key_folder, served

__all__ = ["key_folder", "served"]

pytestmark = pytest.mark.stack


def test_the_page_runs(key_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_page("langchain.md")
    told = capsys.readouterr().out
    assert "['I moved to Porto in May.', 'Noted.', 'Where do I live?', 'You told me.']" in told
    assert "Ann is allergic to cashews." in told


def test_what_was_said_twice_comes_twice_and_a_cleared_history_is_empty(served: Served) -> None:
    with Client(served.url, served.key()) as client:
        history = ChatHistory(client, "monday", user="Ann")
        history.clear()
        history.add_messages(
            [SystemMessage("Be kind."), HumanMessage("Yes."), AIMessage("Good."), HumanMessage("Yes.")]
        )
        again = ChatHistory(client, "monday", user="Ann")
        assert again.messages == [HumanMessage("Yes."), AIMessage("Good."), HumanMessage("Yes.")]
        again.clear()
        assert history.messages == []
        history.add_user_message("Anew.")
        assert [each.content for each in again.messages] == ["Anew."]


def test_what_a_tool_answered_is_not_shown_without_its_call(served: Served) -> None:
    asked = {"name": "weather", "args": {"city": "Porto"}, "id": "call-1"}
    with Client(served.url, served.key()) as client:
        history = ChatHistory(client, "tools", user="Ann")
        history.add_messages(
            [
                HumanMessage("How is the weather?"),
                AIMessage("", tool_calls=[asked]),
                ToolMessage("Sunny.", tool_call_id="call-1"),
                AIMessage("It is sunny in Porto."),
            ]
        )
        again = ChatHistory(client, "tools", user="Ann")
        assert again.messages == [HumanMessage("How is the weather?"), AIMessage("It is sunny in Porto.")]
