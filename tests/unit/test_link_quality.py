"""`bench links`: the figures of made-up answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.bench.link_bench import Measured, bench_links, read_streams, report
from graph_memory.bench.link_quality import (
    Answered,
    Guess,
    Share,
    answered,
    figures,
    quality_at,
    recall_at,
)
from graph_memory.bench.measuring import answers
from graph_memory.judge.training.streams import Place, Said, Stream

A, B, C = (1, 1), (2, 1), (3, 1)
NONE = Guess(None, None, 0.9)
STREAM = """== s-01 | Europe/Lisbon | a flat
2025-03-02 19:05 Ana: rent is 780
  + new asserted | rent | 780 | | The rent of Ana's flat is 780.
2025-03-02 19:09 Ana: *790
  + corrects asserted >1 | rent | 790 | | The rent of Ana's flat is 790.
2025-03-03 19:09 Ana: hi
  - chatter
"""


@dataclass(frozen=True)
class Open:
    place: Place


@dataclass(frozen=True)
class Told:
    """A message of a stream, beside all that was said before it."""

    open: tuple[Open, ...]
    links: dict[Place, Said] = field(default_factory=dict)


def situations(stream: Stream) -> list[Told]:
    return [
        Told(
            tuple(Open((before, 1)) for before in range(1, number)),
            {said.link: said for said in line.said if said.link},
        )
        for number, line in enumerate(stream.lines, 1)
    ]


class Latest:
    """Holds every message to correct the latest statement."""

    def link(self, situation: Told) -> list[Guess]:
        if not situation.open:
            return [NONE]
        return [Guess(situation.open[-1].place, "corrects", 0.7), NONE]


def test_a_link_is_found_when_fewer_wrong_places_stand_before_it() -> None:
    answers = [
        Answered({A: "adds"}, (Guess(A, "adds", 0.8), NONE)),
        Answered({A: "adds"}, (Guess(B, "adds", 0.8), Guess(A, "adds", 0.7), NONE)),
        Answered({A: "adds"}, (Guess(B, "adds", 0.8),)),
    ]
    assert [recall_at(answers, cut)["linked"].count for cut in (1, 2, 5)] == [1, 2, 2]


def test_what_a_message_is_about_as_well_does_not_count_as_wrong() -> None:
    both = Answered({A: "changes", B: "ends"}, (Guess(B, "ends", 0.9), Guess(A, "changes", 0.8), NONE))
    assert recall_at([both], 1)["linked"] == Share(2, 2)


def test_nothing_is_a_place_like_any_other() -> None:
    answers = [
        Answered({}, (NONE, Guess(A, "adds", 0.1))),
        Answered({}, (Guess(A, "adds", 0.8), NONE)),
        Answered({A: "adds"}, (NONE, Guess(A, "adds", 0.1))),
    ]
    found = recall_at(answers, 1)
    assert (found["none"], found["linked"], found["all"]) == (Share(1, 2), Share(0, 1), Share(1, 3))
    assert recall_at(answers, 5)["all"] == Share(3, 3)


def test_precision_and_recall_are_told_for_each_outcome_and_for_the_place_alone() -> None:
    answers = [
        Answered({A: "changes"}, (Guess(A, "changes", 0.9), NONE)),
        Answered({A: "changes"}, (Guess(A, "corrects", 0.9), NONE)),
        Answered({A: "changes"}, (Guess(B, "changes", 0.9), NONE)),
        Answered({A: "adds"}, (NONE,)),
    ]
    found = quality_at(answers, 0.5)
    assert found.link == (Share(2, 3), Share(2, 4))
    assert found.outcomes["changes"] == (Share(1, 2), Share(1, 3))
    assert found.outcomes["corrects"] == (Share(0, 1), Share(0, 0))
    assert found.outcomes["adds"] == (Share(0, 0), Share(0, 1))


def test_a_retirement_is_wrong_where_the_message_leaves_the_statement_in_force() -> None:
    ends = (Guess(A, "ends", 0.9), NONE)
    answers = [Answered(gold, ends) for gold in ({}, {A: "adds"}, {B: "ends"}, {A: "changes"}, {A: "ends"})]
    assert quality_at(answers, 0.5).wrong_retirements == Share(3, 5)


def test_only_what_stands_before_nothing_and_reaches_the_threshold_is_done() -> None:
    guesses = (Guess(A, "ends", 0.9), Guess(B, "adds", 0.6), Guess(None, None, 0.3), Guess(C, "ends", 0.95))
    each = Answered({A: "ends"}, guesses)
    assert each.acts(0.5) == {A: "ends", B: "adds"}
    assert each.acts(0.8) == {A: "ends"}
    assert each.acts(0.95) == {}


def test_coverage_counts_messages_that_are_decided_also_for_nothing() -> None:
    answers = [
        Answered({}, (NONE,)),
        Answered({A: "adds"}, (Guess(A, "adds", 0.6), NONE)),
        Answered({}, ()),
    ]
    assert [quality_at(answers, each).coverage.count for each in (0.5, 0.8, 0.95)] == [2, 1, 0]


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(0, 10, 0.0, 0.2130), (5, 10, 0.2693, 0.7307), (10, 10, 0.7870, 1.0), (0, 0, 0.0, 1.0)],
)
def test_the_interval_is_wilsons_at_ninety_percent(count: int, of: int, low: float, high: float) -> None:
    assert Share(count, of).interval == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("guesses", [[Guess(B, "adds", 0.5)], [NONE, NONE]])
def test_a_guess_names_another_statement_in_force(guesses: list[Guess]) -> None:
    class Wrong:
        def link(self, situation: Told) -> list[Guess]:
            return guesses

    with pytest.raises(ValueError, match="in force"):
        answered([Told((Open(A),))], Wrong())


def test_no_answers_give_figures_that_say_nothing() -> None:
    found = figures([], [0.5])
    assert found["recall"]["at_1"]["all"] == {"rate": 0.0, "low": 0.0, "high": 1.0, "count": 0, "of": 0}
    assert "-" in report({"streams": 0, **found})


def test_streams_of_files_and_folders_are_read_in_order_and_answered(tmp_path: Path) -> None:
    file = tmp_path / "s.txt"
    file.write_text(STREAM)
    found = bench_links([file, tmp_path], Measured(situations, Latest()))
    assert (found["streams"], found["messages"], found["links"]) == (2, 6, 2)
    assert found["recall"]["at_1"]["all"]["count"] == 4
    [low, *_, high] = found["thresholds"]
    assert low["wrong_retirements"]["count"] == 2
    assert high["wrong_retirements"]["count"] == 0
    assert "wrong retirements" in report(found)


def test_what_is_no_stream_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.txt"
    file.write_text("hello")
    with pytest.raises(Invalid, match=r"s\.txt:1"):
        read_streams([file])
    with pytest.raises(Invalid, match="cannot be read"):
        read_streams([tmp_path / "missing.txt"])


def test_what_is_not_answered_is_neither_right_nor_wrong() -> None:
    told = answers([True, None, False, None, True])
    assert (told["asked"], told["answered"]) == (5, 3)
    assert (told["rightly"]["count"], told["rightly"]["of"]) == (2, 3)
