"""`bench stories --gold` on the real store: what was understood by hand stands in the place of what is read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.clock import system_clock
from graph_memory.bench.stories import bench_stories
from graph_memory.bench.story_files import read
from graph_memory.bench.story_gold import readers
from graph_memory.store.service import Service

pytestmark = [pytest.mark.stack, pytest.mark.long]

SAID = [
    "my rent is 780",
    "bo says the hose of his washing machine burst",
    "water on MY floor now!",
    "*840, from june",
]
CHECKS: list[dict[str, Any]] = [
    {"type": "current", "question": "What is Ana's rent?", "want": ["840"], "not": ["780"]},
    {"type": "as_of", "on": "2026-05-20", "question": "What is Ana's rent?", "want": ["780"], "not": ["840"]},
    {"type": "cause", "question": "Why is there water on the floor?", "cause": "hose", "effect": "floor"},
]
UNDERSTOOD: list[dict[str, Any]] = [
    {"text": "Ana's rent is 780."},
    {"text": "The hose of Bo's washing machine burst."},
    {"text": "There is water on Ana's floor.", "because": ["1"]},
    {
        "text": "Ana's rent is 840 from 1 June 2026 on.",
        "does": "changes",
        "to": "0",
        "valid_from": "2026-06-01",
    },
]


def test_all_that_was_understood_is_in_the_store(service: Service, tmp_path: Path) -> None:
    messages = [
        {"at": f"2026-05-1{place}T10:00:00", "speaker": "Ana", "text": text}
        for place, text in enumerate(SAID)
    ]
    story = {
        "id": "s1",
        "title": "A rent",
        "timezone": "Europe/Madrid",
        "messages": messages,
        "checks": CHECKS,
    }
    hand = [
        {"message": place, "mood": "asserted", "keep": True, "statements": [each]}
        for place, each in enumerate(UNDERSTOOD)
    ]
    told, gold = tmp_path / "stories.json", tmp_path / "gold.json"
    told.write_text(json.dumps({"stories": [story]}))
    gold.write_text(json.dumps({"stories": [{"id": "s1", "messages": hand}]}))
    at_now = replace(service, clock=system_clock)
    [result] = bench_stories(at_now, read(told), readers=readers(gold, "moods"))
    assert [check["ok"] for check in result["checks"]] == [True, True, True]
    assert result["memories"] == {"live": 3, "all": 4}
    assert [said["memories"] for said in result["said"]] == [(each["text"],) for each in UNDERSTOOD][::-1]
