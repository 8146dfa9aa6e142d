"""`bench statements`: what is decided, asked and lost, by each way in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.bench.statements import bench_statements, read_cases
from graph_memory.store.service import Service

STANDUP = ["The standup of the team is at 9:30.", "Ann plays the cello."]


def line(said: str, want: str, keeps: list[str], gone: list[str]) -> str:
    return json.dumps({"known": STANDUP, "said": said, "want": want, "keeps": keeps, "gone": gone})


@pytest.mark.stack
def test_what_should_stand_afterwards_is_compared_with_what_does(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "statements.jsonl"
    later = "The standup of the team is now at 10:00."
    lines = [
        line(later, "SUPERSEDE", ["10:00", "cello"], ["9:30"]),
        line("Ann has a boat.", "ADD", ["9:30", "boat"], []),
        line("Ann has a kite.", "SUPERSEDE", ["kite"], ["9:30"]),
        line(later, "ADD", ["9:30", "10:00"], []),
    ]
    file.write_text("\n".join(lines))
    figures = bench_statements(service, file, lambda _: None)["remember"]
    assert (figures["n"], figures["decided"], figures["asked"], figures["lost"]) == (4, 2, 0, 1)
    assert [each.split(":")[0] for each in figures["failures"]] == ["SUPERSEDE", "ADD"]


def test_a_line_that_is_no_case_is_told(tmp_path: Path) -> None:
    file = tmp_path / "statements.jsonl"
    file.write_text('{"known": []}')
    with pytest.raises(Invalid, match=r"statements\.jsonl does not hold statements"):
        read_cases(file)


def test_the_statements_in_the_repository_can_be_read() -> None:
    cases = read_cases(Path(__file__).parents[1] / "data/statements/statements.jsonl")
    assert len(cases) == 60
    assert all(case.keeps for case in cases if "FORGET" not in case.want)
