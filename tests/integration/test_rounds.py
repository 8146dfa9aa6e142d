"""The one way in, where others write between reading and writing, and where what comes in is older than what is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from graph_memory.base.errors import Conflict
from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.ingest import application
from graph_memory.ingest.outcome import Mode, Outcome, as_data, from_data
from graph_memory.ingest.pipeline import remember, remember_together
from graph_memory.ingest.rounds import Asked
from graph_memory.judge.caution import cautious
from graph_memory.judge.judges import Classify, at_once
from graph_memory.judge.panel import Judgement
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading as read
from graph_memory.memory.addition import add
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action, Statement
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.integration.remembering_world import Judge, keep, live, says

pytestmark = pytest.mark.stack

Door = Callable[..., Outcome]


def _alone(service: Service, scope: Scope, fact: Fact, judge: Classify, **_: Any) -> Outcome:
    outcome, _answer = remember(service, Call(scope, "test"), fact, classify=judge)
    return outcome


def _together(
    service: Service, scope: Scope, fact: Fact, judge: Classify, hurried: Classify = at_once
) -> Outcome:
    def end(_: Any, outcomes: Sequence[Outcome]) -> Any:
        return [as_data(each) for each in outcomes]

    asked = Asked(Call(scope, "test"), "body", end, "test")
    [data] = remember_together(service, asked, [fact], judge, hurried).value
    return from_data(data)


both_doors = pytest.mark.parametrize("door", [_alone, _together], ids=["alone", "together"])


class Interrupting(Judge):
    """While it thinks, something else is written."""

    def __init__(self, writes: Callable[[int], None], *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._writes = writes

    def __call__(
        self, service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        judgement = super().__call__(service, scope, new, candidates, within)
        self._writes(len(self.calls))
        return judgement


# --- the order of time --------------------------------------------------------------------------------------------------


@both_doors
def test_an_older_version_goes_into_the_history_of_the_younger(
    service: Service, scope: Scope, clock: Clock, door: Door
) -> None:
    younger = keep(service, scope, "The server now runs PostgreSQL 18.")
    older = Fact("The server runs PostgreSQL 16.", valid_from=clock.now - timedelta(days=300))
    outcome = door(service, scope, older, Judge(Action.SUPERSEDE))
    assert outcome.operation is Operation.SUPERSEDE
    assert [memory.id for memory in live(service, scope)] == [younger.id]
    before = read.get(service, scope, str(outcome.id))
    assert before is not None
    assert (before.valid_from, before.valid_to) == (older.valid_from, clock.now)


@both_doors
def test_an_older_statement_that_the_younger_does_not_end_is_left_to_a_person(
    service: Service, scope: Scope, clock: Clock, door: Door
) -> None:
    """The judge says SUPERSEDE, but of a change that lies before the younger statement."""
    younger = keep(service, scope, "Ann likes chess.")
    older = Fact("Ann took up pottery instead of chess.", valid_from=clock.now - timedelta(days=300))
    outcome = door(service, scope, older, Judge(Action.SUPERSEDE, 1.0))
    assert (outcome.operation, outcome.proposed) == (Operation.ADD, Action.SUPERSEDE)
    assert {memory.id for memory in live(service, scope)} == {younger.id, outcome.id}
    review = review_records.get(service, scope, str(outcome.review_id))
    assert (review.action, review.target_id) == (Action.SUPERSEDE, younger.id)


@pytest.mark.parametrize("is_late", [False, True])
def test_two_versions_leave_the_same_whichever_comes_first(
    service: Service, scope: Scope, clock: Clock, is_late: bool
) -> None:
    """Facts from files do not come in the order of time."""
    then = clock.now - timedelta(days=300)
    facts = [("The server runs PostgreSQL 16.", then), ("The server now runs PostgreSQL 18.", clock.now)]
    for text, at in reversed(facts) if is_late else facts:
        keep(service, scope, text, Judge(Action.SUPERSEDE), valid_from=at)
    [current] = live(service, scope)
    spans = [
        (state.memory.text, state.memory.valid_from, state.memory.valid_to)
        for state in read.history(service, scope, current.id)
    ]
    assert current.text == "The server now runs PostgreSQL 18."
    assert ("The server runs PostgreSQL 16.", then, clock.now) in spans


def test_what_comes_after_an_older_one_in_a_call_is_compared_with_the_version_that_holds(
    service: Service, scope: Scope, clock: Clock
) -> None:
    younger = keep(service, scope, "The server now runs PostgreSQL 18.")
    facts = [
        Fact("The server runs PostgreSQL 16.", valid_from=clock.now - timedelta(days=300)),
        Fact("The server now runs PostgreSQL 19.", valid_from=clock.now + timedelta(seconds=1)),
    ]
    asked = Asked(Call(scope, "test"), "body", lambda _, found: [as_data(each) for each in found], "test")
    clock.forward(days=1)
    answer = remember_together(service, asked, facts, Judge(Action.SUPERSEDE))
    outcomes = [from_data(each) for each in answer.value]
    assert [each.target_id for each in outcomes] == [younger.id, younger.id]
    assert [memory.text for memory in live(service, scope)] == ["The server now runs PostgreSQL 19."]


# --- others write meanwhile ---------------------------------------------------------------------------------------------


@both_doors
def test_what_others_write_about_other_things_asks_no_judge_again(
    service: Service, scope: Scope, door: Door
) -> None:
    keep(service, scope, "Ann works at Google.")

    def writes(_: int) -> None:
        add(service, Call(scope, "other"), [Fact("The printer is out of paper.")])

    judge = Interrupting(writes, Action.COEXIST)
    outcome = door(service, scope, Fact("Ann now works at Anthropic."), judge)
    assert (outcome.classification, judge.calls) == (Action.COEXIST, [1])


@both_doors
def test_only_what_came_meanwhile_is_judged_in_the_next_round(
    service: Service, scope: Scope, clock: Clock, door: Door
) -> None:
    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)

    def writes(call: int) -> None:
        if call == 1:
            add(service, Call(scope, "other"), [Fact("Ann works at Google in Zurich.")])

    judge = Interrupting(writes, Action.COEXIST)
    outcome = door(service, scope, Fact("Ann works at Google on maps."), judge)
    assert judge.calls == [1, 1]
    assert len(outcome.candidates) == 2


@both_doors
def test_a_busy_subject_makes_nobody_wait_and_what_was_judged_outside_holds(
    service: Service, scope: Scope, clock: Clock, door: Door
) -> None:
    """From the third round on what comes is judged under the lock; the verdict on what was there is not lost."""
    first = keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)

    def rule(_: Statement, old: Statement) -> Any:
        return says(old, Action.SUPERSEDE if old.id == first.id else Action.COEXIST)

    def writes(call: int) -> None:
        add(service, Call(scope, "other"), [Fact(f"Ann works at Google on project {call}.")])

    judge = Interrupting(writes, rule)
    outcome = door(service, scope, Fact("Ann now works at Anthropic."), judge)
    assert judge.calls == [1, 1, 1]
    assert (outcome.operation, outcome.target_id, outcome.provider) == (
        Operation.SUPERSEDE,
        first.id,
        "scripted",
    )
    assert len(outcome.candidates) == 4


@both_doors
def test_a_merge_that_was_made_outside_holds_under_the_lock(
    service: Service, scope: Scope, door: Door
) -> None:
    first = keep(service, scope, "User has a dog.")

    def rule(_: Statement, old: Statement) -> Any:
        text = "User has a dog named Max."
        return says(old, Action.MERGE, text=text) if old.id == first.id else says(old, Action.COEXIST)

    def writes(call: int) -> None:
        add(service, Call(scope, "other"), [Fact(f"The dog of user {call} is old.")])

    outcome = door(service, scope, Fact("The dog is named Max."), Interrupting(writes, rule))
    assert (outcome.operation, outcome.text) == (Operation.MERGE, "User has a dog named Max.")


def test_under_the_lock_nothing_is_embedded_and_no_slow_judge_is_asked(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph_memory.ingest import rounds

    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)
    locked: list[bool] = [False]
    embedded_inside: list[int] = []
    carry_out = rounds.carry_out

    def watched(service: Service, call: Call, operation: str, body: Any, work: Any) -> Any:
        def inside(writing: Any) -> Any:
            locked[0] = True
            try:
                return work(writing)
            finally:
                locked[0] = False

        return carry_out(service, call, operation, body, inside)

    monkeypatch.setattr(rounds, "carry_out", watched)

    class Watching:
        model, dimension = service.embedder.model, service.embedder.dimension

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            embedded_inside.append(len(texts)) if locked[0] else None
            return service.embedder.embed(texts)

    def writes(call: int) -> None:
        assert not locked[0]
        add(service, Call(scope, "other"), [Fact(f"Ann now works at Google on project {call}.")])

    judge = Interrupting(writes, Action.COEXIST)
    outcome = _together(
        replace(service, embedder=Watching()), scope, Fact("Ann now works at Anthropic."), judge
    )
    assert len(outcome.candidates) == 4
    assert embedded_inside == []


def test_talk_is_taken_with_care_under_the_lock_too(service: Service, scope: Scope, clock: Clock) -> None:
    """Both were said in one sitting: the rules alone would let the later one retire the earlier."""
    heading, earlier = "Ann (5 January 2026)", clock.now - timedelta(minutes=5)
    places = iter(("canal", "park", "station"))

    def writes(_: int) -> None:
        said = Fact(f"Ann lives in Ghent, near the {next(places)}.", heading=heading, valid_from=earlier)
        add(service, Call(scope, "other"), [said])

    keep(service, scope, "Ann lives in Ghent.", heading=heading, valid_from=earlier)
    fact = Fact("Ann lives in Porto now.", heading=heading)
    outcome = _together(service, scope, fact, Interrupting(writes, Action.COEXIST), cautious(at_once))
    assert (outcome.operation, len(outcome.candidates)) == (Operation.ADD, 4)
    assert len(live(service, scope)) == 5


def test_who_judges_alone_is_only_shown_what_came_meanwhile(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OBSERVE: however busy the subject is, nobody judges."""
    first = keep(service, scope, "Ann works at Google.")
    from graph_memory.ingest import candidates

    search, asked = candidates.search, []

    def late(*given: Any) -> Any:
        found = search(*given)
        asked.append(add(service, Call(scope, "other"), [Fact("Ann works at Google in Zurich.")])[0][0].id)
        return found

    monkeypatch.setattr(candidates, "search", late)
    fact = Fact("Ann now works at Anthropic.")
    judge = Judge(Action.SUPERSEDE)
    outcome, _ = remember(service, Call(scope, "test"), fact, Mode.OBSERVE, judge)
    assert judge.calls == []
    assert outcome.operation is Operation.ADD
    assert {each.id for each in outcome.candidates} == {first.id, *asked}
    assert {each.action for each in outcome.candidates} == {None}


# --- what cannot be done ------------------------------------------------------------------------------------------------


@both_doors
def test_what_turns_out_to_be_impossible_becomes_a_question(
    service: Service, scope: Scope, clock: Clock, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)

    def refuses(*_: Any) -> Any:
        raise Conflict("It stands in a chain of its own.")

    monkeypatch.setattr(application, "join_chain", refuses)
    outcome = door(service, scope, Fact("Ann now works at Anthropic."), Judge(Action.SUPERSEDE))
    assert (outcome.operation, outcome.proposed) == (Operation.ADD, Action.SUPERSEDE)
    review = review_records.get(service, scope, str(outcome.review_id))
    assert (review.target_id, review.hindrance) == (first.id, "It stands in a chain of its own.")
    assert len(live(service, scope)) == 2


def test_a_key_whose_first_request_still_runs_is_told_so_and_decides_nothing(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That conflict is the request's, not the statement's: it does not turn the decision into another."""
    from graph_memory.ingest import rounds

    keep(service, scope, "Ann works at Google.")
    tries: list[datetime] = []

    def runs_still(*_: Any) -> Any:
        tries.append(clock.now)
        raise Conflict("The first request with this key is still being carried out; ask again in a moment.")

    monkeypatch.setattr(rounds, "carry_out", runs_still)
    with pytest.raises(Conflict, match="still being carried out"):
        keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE))
    assert len(tries) == 1
