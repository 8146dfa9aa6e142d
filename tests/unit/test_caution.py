"""What of talk says nothing new, and which unsure change is worth a question."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from graph_memory.base.scope import Scope
from graph_memory.ingest.rules import heading
from graph_memory.judge.caution import cautious, says_nothing_new
from graph_memory.judge.panel import Judgement
from graph_memory.language import grammatical_subjects
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

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
    assert says_nothing_new(stated("Ann shared healthy snacks.", days=3), old)


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


def carried_out(new: str, old: str) -> Verdict:
    """What is left of a change, months later, that the embedded judge is sure of."""

    def sure(_: Service, __: Scope, ___: Statement, known: Sequence[Statement], ____: float) -> Judgement:
        return Judgement((Verdict(known[0].id or "", Action.SUPERSEDE, 0.99, "r"),), "embedded")

    judged = cautious(sure)(cast(Service, None), cast(Scope, None), stated(new, days=60), [stated(old)], 1.0)
    return judged.verdicts[0]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Ann lives in Marseille now.", "Ann lives in Lyon."),
        ("Ann no longer eats red meat.", "Ann eats red meat."),
        ("Now Ann teaches yoga in Porto instead.", "Ann teaches yoga in Ghent."),
        ("Ann's sister no longer works at Larkfield.", "Ann's sister works at Larkfield."),
        ("Bea no longer works at Larkfield.", "Ann's colleague Bea works at Larkfield."),
        ("The backup job no longer writes to the tape.", "The backup job writes to the tape."),
        ("Tom and Ann are no longer vegetarian.", "Tom and Ann are vegetarian."),
    ],
)
def test_a_change_of_the_same_subject_is_carried_out(new: str, old: str) -> None:
    assert carried_out(new, old).action is Action.SUPERSEDE


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Ann lives in Marseille now.", "Ann's manager lives in Nice."),
        ("Ann's colleague Bea no longer lives in Lyon.", "Ann lives in Lyon."),
        ("Ann no longer eats red meat.", "Ann's dog eats red meat."),
        ("Ann's cat no longer sleeps on the sofa.", "Ann sleeps on the sofa."),
        ("The laptop no longer charges at home.", "Ann's phone charges at home."),
        ("Ann's son no longer plays the cello.", "Ann's daughter plays the cello."),
        ("Tom no longer drives to Ghent daily.", "Ann drives to Ghent daily."),
    ],
)
def test_what_becomes_of_one_says_nothing_of_another(new: str, old: str) -> None:
    assert (carried_out(new, old).action, carried_out(new, old).proposal) == (Action.COEXIST, None)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Ann lives in Marseille now.", "Ann's manager is Tom and he lives in Nice."),
        ("Ann no longer works at Larkfield.", "Ann works at Larkfield and plays the cello."),
        ("Ann lives in Marseille now.", "Ann lives in Lyon and Tom lives in Nice."),
        ("Ann's new manager no longer works at Larkfield.", "Ann's manager works at Larkfield."),
    ],
)
def test_what_says_several_things_or_of_whom_is_not_sure_is_not_retired(new: str, old: str) -> None:
    assert carried_out(new, old).action is Action.COEXIST


def test_a_change_of_what_one_has_one_of_is_asked_about_whatever_the_words() -> None:
    asked = held_back(
        stated("Ann moved again, Ann lives in Marseille now.", days=60),
        stated("Ann moved to Lyon last month."),
        Action.COEXIST,
    )
    assert (asked.action, asked.abstained, asked.proposal) == (Action.COEXIST, True, Action.SUPERSEDE)
    of_another = held_back(
        stated("Ann's sister lives in Marseille now.", days=60), stated("Ann moved to Lyon."), Action.COEXIST
    )
    assert of_another.proposal is not Action.SUPERSEDE


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
