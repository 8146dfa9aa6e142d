"""What of talk says nothing new, and which unsure change is worth a question."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from graph_memory.judging.panel import Judgement
from graph_memory.judging.verdict import Action, Statement, Verdict
from graph_memory.service import Service
from graph_memory.tenancy import Scope
from graph_memory.understanding.caution import cautious, says_nothing_new
from graph_memory.understanding.extraction import heading

THEN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def stated(text: str, author: str = "Ann", days: int = 0) -> Statement:
    at = THEN + timedelta(days=days)
    return Statement(f"{author}-{days}", text, at, author, "fact", heading(author, at))


def held_back(new: Statement, old: Statement, wanted: Action) -> Verdict:
    """What is left of the embedded judge's unsure proposal."""

    def unsure(_: Service, __: Scope, ___: Statement, known: Sequence[Statement], ____: float) -> Judgement:
        verdict = Verdict(known[0].id or "", Action.COEXIST, 0.6, "r", abstained=True, proposal=wanted)
        return Judgement((verdict,), "embedded")

    judged = cautious(unsure)(cast(Service, None), cast(Scope, None), new, [old], 1.0)
    return judged.verdicts[0]


def test_a_short_verb_of_its_own_is_news() -> None:
    old = stated("Ann shared the healthy snacks that Ann tried in spring.")
    assert not says_nothing_new(stated("Ann tries to eat healthy in spring.", days=3), old)
    assert says_nothing_new(stated("Ann tried healthy snacks.", days=3), old)


@pytest.mark.parametrize(
    ("mine", "yours"),
    [
        ("The training goes well.", "The training goes well for now."),
        ("The painting looks lovely.", "That painting looks really lovely."),
        ("Your support means much to Ann.", "Ann, your support means much."),
    ],
)
def test_what_two_people_say_of_what_is_before_each_is_not_the_same(mine: str, yours: str) -> None:
    assert not says_nothing_new(stated(mine, days=1), stated(yours, "Ben"))
    assert says_nothing_new(stated(mine, days=1), stated(f"{yours} {mine}"))


def test_what_two_people_say_of_somebody_by_name_may_be_the_same() -> None:
    assert says_nothing_new(stated("Zoe lives in Lyon.", days=1), stated("Zoe still lives in Lyon.", "Ben"))


@pytest.mark.parametrize(
    ("new", "old", "asks"),
    [
        ("Ann used to love rowing, not any more.", "Ann loves rowing.", True),
        (
            "Ann has now painted the whole kitchen green.",
            "Ann cooks lentil soup in the kitchen daily.",
            False,
        ),
        ("Ann feels calmer now.", "Ann sold two boats.", False),
    ],
)
def test_an_unsure_change_is_asked_about_where_both_speak_of_one_matter(
    new: str, old: str, asks: bool
) -> None:
    verdict = held_back(stated(new, days=9), stated(old), Action.SUPERSEDE)
    assert (verdict.action, verdict.proposal) == (Action.COEXIST, Action.SUPERSEDE if asks else None)


def test_an_unsure_repetition_in_talk_is_no_question() -> None:
    verdict = held_back(stated("Ann likes tea."), stated("Ann likes green tea."), Action.DUPLICATE)
    assert (verdict.action, verdict.abstained, verdict.proposal) == (Action.COEXIST, False, None)
