"""Questions that are given to be remembered."""

from __future__ import annotations

import pytest

from graph_memory.ingest.held_questions import HELD, marked
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.model.memory import Fact


@pytest.mark.parametrize(
    ("text", "is_held"),
    [
        ("Do I have any appointments this week?", True),
        ("What time does Hamza's train get in again?", True),
        ("Hamza's train gets in at 17:42.", False),
        ("I moved to Lyon in May, did I tell you?", False),
        ("Wohnt Ingrid noch in Bremen?", False),
    ],
)
def test_what_only_asks_is_held(text: str, is_held: bool) -> None:
    [fact] = marked([Fact(text)], LinkerSettings())
    assert fact.held == (HELD if is_held else "")


def test_what_is_held_already_keeps_its_reason() -> None:
    [fact] = marked([Fact("Do I have any appointments?", held="screening: threat HIGH")], LinkerSettings())
    assert fact.held == "screening: threat HIGH"
