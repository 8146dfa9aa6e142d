"""OpenAI's agents, their own package, over a running service and with a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from graph_memory import Client
from graph_memory.adapters.openai_agents import MemorySession
from tests.extras.adapters_world import run_page
from tests.integration.served import Served, key_folder, served

__all__ = ["key_folder", "served"]

pytestmark = pytest.mark.stack


class Scripted(Model):
    """Answers what it is told to, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.asked: list[Any] = []

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        self.asked.append(named.get("input", given[1] if len(given) > 1 else None))
        return ModelResponse(output=[self._answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def says(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(id="m", role="assistant", type="message", status="completed", content=[part])


@pytest.fixture(autouse=True)
def untraced() -> None:
    """Nothing is sent to anybody."""
    set_tracing_disabled(True)


def test_the_page_runs(key_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_page("openai-agents.md", MODEL=Scripted(says("Noted.")))
    assert "Noted." in capsys.readouterr().out


def test_a_run_goes_on_in_another_process_where_the_last_one_ended(served: Served) -> None:
    @function_tool
    def clock() -> str:
        """The time."""
        return "nine"

    call = ResponseFunctionToolCall(name="clock", call_id="c1", arguments="{}", type="function_call")
    model = Scripted(call, says("It is nine."), says("You asked for the time."))

    async def talk(client: Client) -> None:
        session = MemorySession("monday", client, user="Ann")
        agent = Agent("Helper", model=model, tools=[clock])
        await Runner.run(agent, "What time is it?", session=session)
        assert [each.get("type", each.get("role")) for each in await session.get_items()] == [
            "user", "function_call", "function_call_output", "message",
        ]  # fmt: skip
        anew = MemorySession("monday", client, user="Ann")
        assert await anew.get_items() == [
            {"role": "user", "content": "What time is it?"},
            {"role": "assistant", "content": "It is nine."},
        ]
        await Runner.run(agent, "What did I ask?", session=anew)
        assert [each["content"] for each in model.asked[-1]] == [
            "What time is it?",
            "It is nine.",
            "What did I ask?",
        ]
        assert len(await anew.get_items(limit=1)) == 1
        popped = await anew.pop_item()
        assert popped is not None
        assert popped["content"][0]["text"] == "You asked for the time."  # type: ignore[index,typeddict-item]
        await anew.clear_session()
        assert await anew.get_items() == []
        assert await MemorySession("monday", client, user="Ann").get_items() == []

    with Client(served.url, served.key()) as client:
        asyncio.run(talk(client))
