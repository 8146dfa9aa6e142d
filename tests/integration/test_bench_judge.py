from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.bench.judge import bench_judge, read_labelled
from graph_memory.store.service import Service

KEYS = {
    "n", "candidate_recall", "action_accuracy", "link_accuracy", "link_direction_accuracy", "supersede_precision", "supersede_recall",
    "wrong_destructive", "abstained", "provider", "mistakes",
}  # fmt: skip

STANDUP, LATER = "The standup of the team is at 9:30.", "The standup of the team is now at 10:00."


def pair(name: str, old: str, new: str, action: str, link: str | None = None) -> dict[str, object]:
    sides = {"old": {"text": old, "date": "2026-03-01"}, "new": {"text": new, "date": "2026-04-01"}}
    return {"id": name, **sides, "action": action, "link": link, "link_from": None}


@pytest.mark.stack
@pytest.mark.long
def test_pairs_go_through_the_pipelines_own_rule(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "pairs.json"
    pairs = [
        pair("same", "User prefers dark mode.", "User likes dark theme.", "DUPLICATE"),
        pair("moved", STANDUP, LATER, "SUPERSEDE", "supersedes"),
        pair("far", "The user is allergic to nuts.", "The train to Ulm was late.", "COEXIST"),
        pair("wrong label", STANDUP, LATER, "COEXIST"),
    ]
    file.write_text(json.dumps({"pairs": pairs}))
    figures = bench_judge(service, file, lambda _: None)
    assert figures.keys() == KEYS
    assert figures["n"] == 4
    assert figures["candidate_recall"] == 0.75
    assert figures["mistakes"] == ["wrong label"]
    assert figures["wrong_destructive"] == 1
    assert (figures["supersede_precision"], figures["supersede_recall"]) == (0.5, 1)
    assert figures["provider"] == "embedded"


@pytest.mark.parametrize("text", ["{}", "[]", "no json", '{"pairs": [{"id": "a"}]}'])
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pairs.json"
    file.write_text(text)
    with pytest.raises(Invalid, match=r"pairs\.json does not hold labelled pairs"):
        read_labelled(file)
