"""`bench stories` on the real store: what a short story comes to."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.clock import system_clock
from graph_memory.bench.measuring import leftovers
from graph_memory.bench.stories import bench_stories, gate
from graph_memory.bench.story_files import read
from graph_memory.store.service import Service

pytestmark = [pytest.mark.stack, pytest.mark.long]

MESSAGES = [
    ("2026-03-02T19:05:00", "Ana", "I adopted a kitten called Miso."),
    ("2026-03-02T19:06:00", "Assistant", "Congratulations!"),
    ("2026-03-02T19:07:00", "Ana", "My colleague Bo sells boats in Porto."),
    ("2026-05-04T08:00:00", "Ana", "Miso sleeps in the laundry basket."),
]
CHECKS: list[dict[str, Any]] = [
    {"type": "current", "question": "What is Ana's kitten called?", "want": ["miso"], "not": ["fluffy"]},
    {
        "type": "as_of",
        "on": "2026-03-20",
        "question": "Where does Miso sleep?",
        "want": ["basket"],
        "not": [],
    },
    {"type": "absent", "question": "Does Ana have a dog?", "which": r"\bdog\b"},
    {
        "type": "forget",
        "topic": "Bo",
        "question": "Who sells boats?",
        "probe": "Bo's job",
        "which": r"\bBo\b",
    },
]


def test_a_story_is_taken_in_session_by_session_judged_and_removed(service: Service, tmp_path: Path) -> None:
    messages = [{"at": at, "speaker": speaker, "text": text} for at, speaker, text in MESSAGES]
    told = {
        "id": "s1",
        "title": "Miso",
        "timezone": "Pacific/Auckland",
        "messages": messages,
        "checks": CHECKS,
    }
    file = tmp_path / "stories.json"
    file.write_text(json.dumps({"stories": [told]}))
    [result] = bench_stories(replace(service, clock=system_clock), read(file))
    assert [check["ok"] for check in result["checks"]] == [True, False, True, True], result["checks"][3]
    assert result["checks"][1]["class"] == "date-unresolved"
    assert result["checks"][3]["erased"] != []
    assert (result["taken"]["sessions"], result["taken"]["messages"]) == (2, 4)
    assert [said["ref"] for said in result["said"]] == ["m3", "m0", "m1", "m2"]
    assert [bool(said["memories"]) for said in result["said"]] == [True, True, False, True]
    figures = gate([result])
    assert (figures["passed"], figures["checks"], figures["wrongly_retired"]) == (3, 4, 0)
    json.dumps(result)
    assert not [name for name in leftovers(service) if name.startswith("bench-stories")]
