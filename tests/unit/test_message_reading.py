from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graph_memory.ingest.message_reading import judged, stated
from graph_memory.ingest.rules import Statement as Stated
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import Told
from graph_memory.judge.linker import LINKER
from graph_memory.judge.panel import Judgement
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Statement, Verdict

AT = datetime(2026, 3, 1, tzinfo=UTC)
NEW = Statement(None, "Mara is bored, she only fixes old scripts.", AT)
KNOWN = [Statement("m", "Mara is still at Larkfield.", AT), Statement("n", "Mara has a boat.", AT)]


@pytest.mark.parametrize(
    ("other", "action", "by"),
    [
        (Verdict("m", Action.COEXIST, 0.9, ""), Action.COEXIST, "embedded"),
        (
            Verdict("m", Action.COEXIST, 0.5, "", abstained=True, proposal=Action.SUPERSEDE),
            Action.COEXIST,
            "embedded",
        ),
        (
            Verdict("m", Action.COEXIST, 0.5, "", abstained=True, proposal=Action.DUPLICATE),
            Action.DUPLICATE,
            LINKER,
        ),
        (Verdict("m", Action.DUPLICATE, 0.9, ""), Action.DUPLICATE, LINKER),
    ],
)
def test_what_is_said_again_takes_two_judges(other: Verdict, action: Action, by: str) -> None:
    """What is left out as said again can be found nowhere else."""

    def otherwise(*_: Any) -> Judgement:
        return Judgement((other, Verdict("n", Action.COEXIST, 1.0, "")), "embedded")

    again = Verdict("m", Action.DUPLICATE, 0.8, "It says the same again.")
    told = Told(Stated(NEW.text, "Mara", AT, None, "fact", None), verdict=again)
    service: Any = None
    found = judged([told], otherwise)(service, service, NEW, KNOWN, 1.0)
    assert (found.verdicts[0].action, found.provider) == (action, by)


@pytest.mark.parametrize(("tells_more", "action"), [(True, Action.COEXIST), (False, Action.DUPLICATE)])
def test_what_tells_more_of_something_known_is_never_said_again(tells_more: bool, action: Action) -> None:
    def otherwise(*_: Any) -> Judgement:
        return Judgement(
            (Verdict("m", Action.DUPLICATE, 0.99, ""), Verdict("n", Action.COEXIST, 1.0, "")), "embedded"
        )

    told = Told(Stated(NEW.text, "Mara", AT, None, "fact", None), tells_more=tells_more)
    service: Any = None
    found = judged([told], otherwise)(service, service, NEW, KNOWN, 1.0)
    assert found.verdicts[0].action is action


CHANGE = Verdict("m", Action.SUPERSEDE, 0.96, "It tells what holds now.")


def undecided(_: Any, __: Any, ___: Any, known: Sequence[Statement], ____: float) -> Judgement:
    """A judge that leaves each to a person."""
    left = Verdict("", Action.COEXIST, 0.9, "", abstained=True, proposal=Action.SUPERSEDE)
    return Judgement(tuple(replace(left, candidate=each.id or "") for each in known), "embedded")


@pytest.mark.parametrize(
    "text", ["\u200e{}", "{}\u200b", "{}\r", "Mara is bo\u200bred, she only fixes old scripts."]
)
def test_a_verdict_is_found_whatever_nobody_sees_in_the_text(text: str) -> None:
    """Exports of chats are full of it, and what is stored and judged is without."""
    told = Told(Stated(text.format(NEW.text), "Mara", AT, None, "fact", None), verdict=CHANGE)
    service: Any = None
    found = judged([told], undecided)(service, service, NEW, KNOWN, 1.0)
    assert (found.verdicts[0], found.provider) == (CHANGE, LINKER)


def test_where_another_has_come_in_the_place_of_what_it_changes_the_other_judge_is_asked() -> None:
    told = Told(Stated(NEW.text, "Mara", AT, None, "fact", None), verdict=CHANGE, tells_more=True)
    service: Any = None
    newer = [replace(KNOWN[0], id="newer"), KNOWN[1]]
    found = judged([told], undecided)(service, service, NEW, newer, 1.0)
    assert [each.proposal for each in found.verdicts] == [Action.SUPERSEDE, Action.SUPERSEDE]
    assert found.provider == "embedded"


def test_an_order_is_of_the_day_in_the_zone_and_its_picture_is_kept() -> None:
    at = datetime(2026, 5, 29, 3, 30, tzinfo=UTC)
    message = Message("Ann", at, "Please forget my salary.", caption="a payslip on a desk", role="user")
    told = stated(message, [], [], LinkerSettings(), ZoneInfo("America/New_York"))
    [order] = [each for each in told if each.is_order]
    assert order.statement.said_at.day == 28
    assert any("payslip" in each.statement.text for each in told if not each.is_order)
