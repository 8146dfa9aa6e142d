"""What a judge says is held back where the times of both statements speak against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graph_memory.base.scope import Scope
from graph_memory.judge.judges import Judges
from graph_memory.judge.panel import Judgement
from graph_memory.judge.settings import JudgeSettings
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

APRIL = datetime(2026, 4, 20, 9, tzinfo=UTC)
MAY = datetime(2026, 5, 20, 9, tzinfo=UTC)
JUNE = datetime(2026, 6, 20, 9, tzinfo=UTC)
KNOWN = Statement("m", "Ann takes 120 mg.", MAY, "Ann", said_at=MAY)
NEW = Statement(None, "Ann takes 88 mg.", MAY, "Ann", said_at=JUNE)
SEIZURE = "Ann just had a seizure."


def said(new: Statement, known: Statement, action: Action, judges: Judges | None = None) -> Verdict:
    """What is left of a judge's verdict."""
    [(verdict, _)] = (judges or judges_that_say(action)).outside(new, [known])
    return verdict


def judges_that_say(action: Action) -> Judges:
    def classify(_: Service, __: Scope, ___: Statement, known: Sequence[Statement], ____: float) -> Judgement:
        return Judgement(tuple(Verdict(each.id or "", action, 0.96, "so") for each in known), "test")

    settings: Any = {PipelineSettings: PipelineSettings(), JudgeSettings: JudgeSettings()}
    return Judges(cast(Service, SimpleNamespace(settings=settings)), cast(Scope, None), classify)


@pytest.mark.parametrize(
    ("said_at", "of_known", "action"),
    [
        (JUNE, MAY, Action.SUPERSEDE),
        (MAY, MAY, Action.SUPERSEDE),
        # A correction holds since what it corrects did, whenever that was said.
        (APRIL, MAY, Action.COEXIST),
        # Where nobody knows when one was said, since when they hold decides.
        (None, MAY, Action.SUPERSEDE),
        (APRIL, None, Action.SUPERSEDE),
    ],
)
def test_what_was_said_before_takes_no_place_though_it_is_to_hold_as_long(
    said_at: datetime | None, of_known: datetime | None, action: Action
) -> None:
    left = said(replace(NEW, said_at=said_at), replace(KNOWN, said_at=of_known), Action.SUPERSEDE)
    assert left.action is action
    assert (left.proposal is Action.SUPERSEDE) is (action is Action.COEXIST)


def test_what_was_said_again_meanwhile_is_younger_than_it_was() -> None:
    judges = judges_that_say(Action.SUPERSEDE)
    before, after = replace(KNOWN, said_at=APRIL), replace(KNOWN, said_at=JUNE)
    new = replace(NEW, said_at=MAY)
    found = [said(new, known, Action.SUPERSEDE, judges).action for known in (before, after)]
    assert found == [Action.SUPERSEDE, Action.COEXIST]


@pytest.mark.parametrize(
    ("new", "known", "action"),
    [
        (MAY, APRIL, Action.COEXIST),
        (MAY, None, Action.COEXIST),
        (MAY, MAY, Action.DUPLICATE),
        # A day is its midnight in UTC, and this is a moment of it.
        (MAY.replace(hour=0), MAY, Action.DUPLICATE),
        (None, APRIL, Action.DUPLICATE),
    ],
)
def test_what_happens_on_another_day_is_no_repetition(
    new: datetime | None, known: datetime | None, action: Action
) -> None:
    one, other = (replace(each, text=SEIZURE) for each in (NEW, KNOWN))
    left = said(replace(one, happens_at=new), replace(other, happens_at=known), Action.DUPLICATE)
    assert (left.action, left.proposal) == (action, None)


@pytest.mark.parametrize(("known", "action"), [(APRIL, Action.COEXIST), (None, Action.DUPLICATE)])
def test_a_repetition_in_other_words_about_another_day_is_left_to_a_person(
    known: datetime | None, action: Action
) -> None:
    new = replace(NEW, text="Ann has had a seizure just now.", happens_at=MAY)
    left = said(new, replace(KNOWN, text=SEIZURE, happens_at=known), Action.DUPLICATE)
    assert left.action is action
    assert (left.proposal, left.held_back) == (
        (Action.DUPLICATE, "they tell of different days") if known else (None, "")
    )
