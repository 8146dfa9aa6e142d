"""What the embedded judge may do to statements of talk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from graph_memory.base.scope import Scope
from graph_memory.judge.caution import cautious
from graph_memory.judge.panel import Judgement
from graph_memory.language import grammatical_subjects
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

THEN = datetime(2026, 1, 5, 9, tzinfo=UTC)
VECTOR = (0.6, 0.8)
OLD = Statement("m", "Ann lives in Lyon.", THEN, "Ann", vector=VECTOR)
NEW = Statement(None, "Ann lives in Marseille now.", THEN + timedelta(days=60), "Ann")


def held_back(
    verdict: Verdict,
    kind: str = "fact",
    provider: str = "embedded",
    vector: tuple[float, ...] | None = VECTOR,
) -> Verdict:
    """What is left of a judge's verdict."""

    def says(_: Service, __: Scope, ___: Statement, ____: Sequence[Statement], _____: float) -> Judgement:
        return Judgement((verdict,), provider)

    new = Statement(None, NEW.text, NEW.at, NEW.author, kind, vector=vector)
    return cautious(says)(cast(Service, None), cast(Scope, None), new, [OLD], 1.0).verdicts[0]


def test_a_change_is_left_to_a_person() -> None:
    left = held_back(Verdict("m", Action.SUPERSEDE, 0.99, "r", LinkKind.SUPERSEDES))
    assert (left.action, left.proposal, left.abstained, left.link) == (
        Action.COEXIST,
        Action.SUPERSEDE,
        True,
        None,
    )


def test_what_says_the_same_joins_the_known_one_unless_it_may_happen_again() -> None:
    same = Verdict("m", Action.DUPLICATE, 0.95, "r")
    assert held_back(same) == same
    assert held_back(same, kind="event").action is Action.COEXIST


@pytest.mark.parametrize("vector", [(0.4, -0.9), None])
def test_what_is_hardly_alike_says_nothing_again(vector: tuple[float, ...] | None) -> None:
    assert held_back(Verdict("m", Action.DUPLICATE, 0.95, "r"), vector=vector).action is Action.COEXIST


def test_nothing_is_merged_and_no_guess_is_a_question() -> None:
    for verdict in (
        Verdict("m", Action.MERGE, 0.99, "r"),
        Verdict("m", Action.COEXIST, 0.6, "r", abstained=True, proposal=Action.SUPERSEDE),
        Verdict("m", Action.COEXIST, 0.6, "r", abstained=True, proposal=Action.DUPLICATE),
    ):
        left = held_back(verdict)
        assert (left.action, left.abstained, left.proposal) == (Action.COEXIST, False, None)


def test_links_and_the_verdicts_of_others_stay() -> None:
    linked = Verdict("m", Action.COEXIST, 0.9, "r", LinkKind.CAUSES)
    assert held_back(linked) == linked
    of_a_model = Verdict("m", Action.MERGE, 0.99, "r")
    assert held_back(of_a_model, provider="anthropic") == of_a_model


@pytest.mark.parametrize(
    ("text", "subjects_of"),
    [
        ("Ann's manager is Tom and he lives in Nice.", [("ann's", "manager"), ("he",)]),
        ("Ann lives in Oslo and works at Acme.", [("ann",), ()]),
        ("Ann has a cat, a dog and a parrot.", [("ann",)]),
        ("Yesterday Tom and Ann moved to Rome.", [("tom", "ann")]),
        ("These days the old office no longer opens. It's empty.", [("old", "office"), ("it",)]),
        ("Rain, again.", [None]),
    ],
)
def test_clauses_know_whom_they_are_about(text: str, subjects_of: list[tuple[str, ...] | None]) -> None:
    assert [each.subject for each in grammatical_subjects.clauses(text)] == subjects_of
