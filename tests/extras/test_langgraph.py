"""LangGraph's own package over a running service."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from graph_memory import Client
from graph_memory.adapters.langgraph import GraphMemoryStore
from tests.extras.adapters_world import run_page
from tests.integration.served import Served, key_folder, served

__all__ = ["key_folder", "served"]

pytestmark = pytest.mark.stack

ANN = ("memories", "ann")


@pytest.fixture
def store(served: Served) -> GraphMemoryStore:
    return GraphMemoryStore(Client(served.url, served.key()))


def test_the_page_runs(key_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_page("langgraph.md")
    assert "Ann eats no meat." in capsys.readouterr().out


def test_an_item_comes_back_as_it_was_put_and_its_former_state_stays_in_history(
    store: GraphMemoryStore,
) -> None:
    value = {
        "text": "Ann lives in Ghent.",
        "since": 2020,
        "more": {"list": [1, None, True], "long": "x" * 3000},
    }
    store.put(ANN, "home", value)
    first = store.get(ANN, "home")
    assert first is not None
    assert (first.namespace, first.key, first.value) == (ANN, "home", value)
    store.put(ANN, "home", {"text": "Ann lives in Porto.", "since": 2026})
    store.put(ANN, "home", {"text": "Ann lives in Porto.", "since": 2025})
    held = store.get(ANN, "home")
    assert held is not None
    assert held.value == {"text": "Ann lives in Porto.", "since": 2025}
    memory = store._memory(ANN, "home")
    assert memory is not None
    texts = [state.memory.text for state in store._client.history(memory.id)]
    assert texts[0] == "Ann lives in Ghent."
    store.delete(ANN, "home")
    assert store.get(ANN, "home") is None


def test_two_keys_may_say_the_same_and_a_value_may_hold_no_text(store: GraphMemoryStore) -> None:
    for key in ("a", "b"):
        store.put(ANN, key, {"text": "Tea."})
    store.put(ANN, "c", {"count": 3})
    found = {key: store.get(ANN, key).value for key in ("a", "b", "c")}  # type: ignore[union-attr]
    assert found == {"a": {"text": "Tea."}, "b": {"text": "Tea."}, "c": {"count": 3}}


def test_it_is_searched_by_meaning_by_prefix_and_by_filter(store: GraphMemoryStore) -> None:
    store.put(ANN, "1", {"text": "Ann is allergic to cashews.", "rank": 1})
    store.put(ANN, "2", {"text": "Ann plays the cello.", "rank": 2})
    store.put(("memories", "bea"), "1", {"text": "Bea has a dog.", "rank": 3})
    [first, *_] = store.search(ANN, query="What must Ann not eat?")
    assert first.key == "1"
    assert first.score is not None
    assert {item.namespace for item in store.search(("memories",), query="Who has a dog?")} >= {
        ("memories", "bea")
    }
    assert [item.key for item in store.search(ANN, filter={"rank": {"$gt": 1}})] == ["2"]
    assert len(store.search(("memories",), limit=2)) == 2
    assert store.list_namespaces(prefix=("memories",)) == [ANN, ("memories", "bea")]
    assert store.list_namespaces(max_depth=1) == [("memories",)]


def test_it_awaits_too(store: GraphMemoryStore) -> None:
    async def use() -> str:
        await store.aput(ANN, "k", {"text": "Awaited."})
        found = await store.aget(ANN, "k")
        assert found is not None
        return str(found.value["text"])

    assert asyncio.run(use()) == "Awaited."
