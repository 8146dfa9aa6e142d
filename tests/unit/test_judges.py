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
