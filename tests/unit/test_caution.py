"""What the embedded judge may do in talk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from graph_memory.base.scope import Scope
from graph_memory.ingest.rules import heading
from graph_memory.judge.caution import SURE, cautious
from graph_memory.judge.panel import Judgement
from graph_memory.language import grammatical_subjects
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

THEN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def stated(days: int) -> Statement:
    at = THEN + timedelta(days=days)
    return Statement(f"m{days}", "Ann lives in Lyon.", at, "Ann", "fact", heading("Ann", at))


def held_back(verdict: Verdict, days: int = 9, judge: str = "embedded") -> Verdict:
    """What is left of a verdict on what was said so many days later."""

    def said(_: Service, __: Scope, ___: Statement, ____: Sequence[Statement], _____: float) -> Judgement:
        return Judgement((verdict,), judge)

    judged = cautious(said)(cast(Service, None), cast(Scope, None), stated(days), [stated(0)], 1.0)
    return judged.verdicts[0]


def says(action: Action, confidence: float, proposal: Action | None = None) -> Verdict:
    return Verdict("m0", action, confidence, "r", abstained=proposal is not None, proposal=proposal)


@pytest.mark.parametrize("action", [Action.SUPERSEDE, Action.DUPLICATE])
def test_what_the_judge_is_very_sure_of_is_done(action: Action) -> None:
    assert held_back(says(action, SURE)).action is action


def test_a_change_it_is_less_sure_of_is_asked_about() -> None:
    held = held_back(says(Action.SUPERSEDE, SURE - 0.01))
    assert (held.action, held.proposal, held.abstained) == (Action.COEXIST, Action.SUPERSEDE, True)


def test_what_one_says_at_one_sitting_is_no_change_without_a_question() -> None:
    held = held_back(says(Action.SUPERSEDE, 1.0), days=0)
    assert (held.action, held.proposal) == (Action.COEXIST, Action.SUPERSEDE)


@pytest.mark.parametrize(
    "verdict",
    [
        says(Action.DUPLICATE, SURE - 0.01),
        says(Action.MERGE, 1.0),
        says(Action.COEXIST, 0.6, Action.SUPERSEDE),
        says(Action.COEXIST, 0.6, Action.DUPLICATE),
    ],
)
def test_what_else_it_guesses_is_no_question(verdict: Verdict) -> None:
    held = held_back(verdict)
    assert (held.action, held.abstained, held.proposal) == (Action.COEXIST, False, None)


def test_links_of_what_stands_beside_are_kept() -> None:
    linked = Verdict("m0", Action.COEXIST, 0.9, "r", link=LinkKind.CAUSES)
    assert held_back(linked) is linked


def test_a_language_model_is_not_held_back() -> None:
    said = says(Action.MERGE, 0.9)
    assert held_back(said, judge="claude") is said


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
