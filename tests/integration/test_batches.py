"""Batches: durable records of many questions, against the real SDK and a scripted provider (F16), and across deaths."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import Conflict, IllegalMove, Invalid, NoAnswer, NotFound, Overloaded
from graph_memory.base.scope import Scope
from graph_memory.batches import collection, decisions, handlers, records, steps
from graph_memory.batches import worker as batch_worker
from graph_memory.batches.handlers import Item
from graph_memory.batches.offers import offer
from graph_memory.cli import batches as cli_batches
from graph_memory.ledger.changes import Call
from graph_memory.memory.erasure import forget
from graph_memory.model.batch import MOVES, Batch, Kind, Status, into
from graph_memory.models.spending import spent
from graph_memory.store.service import Service
from graph_memory.upkeep import batch_jobs
from tests.conftest import Clock
from tests.integration import batches_world
from tests.integration.batches_world import HANDLER, POINTS, World, a_world, answers
from tests.wires import Ended, Wires, fails, says, sends

pytestmark = pytest.mark.stack

Make = Callable[..., World]


@pytest.fixture
def make(service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes worlds on one scripted server; the kinds of this test have a handler of the test's."""
    monkeypatch.setattr(handlers, "HANDLERS", {Kind.EXTRACTION: HANDLER, Kind.RELATIONSHIP: HANDLER})
    monkeypatch.setattr(HANDLER, "fails", lambda item: None)
    with Wires() as wires, ExitStack() as opened:
        yield lambda *order, within=scope: opened.enter_context(a_world(service, within, wires, *order))


@pytest.fixture
def world(make: Make) -> World:
    """A world with a provider that takes batches."""
    return make("anthropic")


# --- submission ---------------------------------------------------------------------------------------------------------


def test_a_batch_is_sent_answered_applied_and_completed(world: World) -> None:
    batch = world.offer(3)
    assert (batch.status, batch.items) == (Status.SUBMITTED, 3)
    assert batch.provider_id == world.wires.batches[0].id
    world.wires.batches[0].end(answers(world.ids()), in_order=False)
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied, found.waiting) == (Status.COMPLETED, 3, 0)
    assert world.said == sorted(f"Answer to {id}." for id in world.ids())


def test_a_completed_batch_leaves_the_pending_list(world: World) -> None:
    """Case 141."""
    batch = world.offer()
    everything = Scope(world.scope.tenant_name)
    assert records.pending(world.service, everything, list(Kind)) == [(batch.id, world.scope)]
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    assert records.pending(world.service, everything, list(Kind)) == []


def test_a_batch_in_a_status_outside_the_six_is_an_error(world: World) -> None:
    """Case 141."""
    assert len(Status) == 6
    batch = world.offer()
    world.rows("MATCH (b:Batch {tenant: $tenant}) SET b.status = 'done' RETURN b.id AS id")
    with pytest.raises(ValueError, match="'done' is not a valid Status"):
        world.batch(batch.id)


def test_a_kind_that_nothing_answers_is_an_error(world: World) -> None:
    """Case 141."""
    with pytest.raises(Invalid, match="EXTRACTION, RELATIONSHIP"):
        offer(
            world.service, Call(world.scope, "test"), cast(Kind, "GOSSIP"), [{"memory": world.memories(1)[0]}]
        )
    assert world.wires.batches == []


def test_a_name_that_is_no_kind_is_an_error() -> None:
    """Case 141."""
    with pytest.raises(Invalid, match="no kind of batch 'GOSSIP'"):
        handlers.kind_of("GOSSIP")


def test_only_an_end_can_go_back_in_line_and_a_completed_batch_cannot() -> None:
    assert set(MOVES) == set(Status)
    assert MOVES[Status.COMPLETED] == frozenset()
    assert set(into(Status.SUBMITTED)) == {"processing", "failed", "expired", "cancelled"}


def test_a_batch_stores_references_and_no_text(world: World) -> None:
    batch = world.offer(1)
    rows = world.rows("MATCH (n:Batch|BatchItem {tenant: $tenant}) RETURN properties(n) AS stored")
    assert len(rows) == 2
    assert "Statement number" not in json.dumps(rows, default=str)
    assert batch.status is Status.SUBMITTED


def test_the_same_questions_are_asked_once(world: World) -> None:
    references = [{"memory": id} for id in world.memories(2)]
    call = Call(world.scope, "test")
    first = offer(world.service, call, Kind.EXTRACTION, references)
    again = offer(world.service, call, Kind.EXTRACTION, references)
    more = offer(world.service, call, Kind.EXTRACTION, [*references, {"memory": world.memories(1)[0]}])
    assert again.id == first.id
    assert (more.id != first.id, more.items) == (True, 1)
    assert [len(each.requests) for each in world.wires.batches] == [2, 1]


def test_a_batch_without_questions_or_with_too_many_is_refused(world: World) -> None:
    call = Call(world.scope, "test")
    small = world.with_settings(batches={"size": 2})
    for references in ([], [{"memory": id} for id in world.memories(3)]):
        with pytest.raises(Invalid, match="1 to 2 questions"):
            offer(small.service, call, Kind.EXTRACTION, references)


def test_nothing_can_be_asked_without_a_model(make: Make) -> None:
    world = make()
    with pytest.raises(NoAnswer, match="No provider is configured"):
        world.offer()


def test_what_one_submission_cannot_hold_follows_in_the_next(world: World) -> None:
    """At most so many megabytes in one submission."""
    call, ids = Call(world.scope, "test"), world.memories(3)
    small = world.with_settings(batches={"megabytes": 0})
    batch = offer(small.service, call, Kind.EXTRACTION, [{"memory": id} for id in ids])
    for submission in range(3):
        world.wires.batches[submission].end(answers(world.ids(submission)))
        small.poll()
        small.poll()
    assert (world.batch(batch.id).status, len(world.wires.batches)) == (Status.COMPLETED, 3)
    assert len(world.said) == 3


def test_a_question_whose_source_is_gone_ends_and_the_others_go_on(world: World) -> None:
    call, [id] = Call(world.scope, "test"), world.memories(1)
    batch = offer(world.service, call, Kind.EXTRACTION, [{"memory": str(uuid.uuid4())}, {"memory": id}])
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied, found.failed) == (Status.FAILED, 1, 1)
    assert found.reason == "1 of 2 questions were answered and applied"


def test_a_subject_that_is_not_stored_has_nothing_to_ask_about(world: World) -> None:
    stranger = Call(Scope(world.scope.tenant_name, "nobody"), "test")
    with pytest.raises(NotFound, match="Nothing is stored"):
        offer(world.service, stranger, Kind.EXTRACTION, [{"memory": "m"}])


def test_the_daily_cap_holds_a_batch_back_without_failing_it(world: World, clock: Clock) -> None:
    capped = world.with_settings(providers={"daily_cap": 0.0})
    batch = capped.offer()
    assert (batch.status, batch.faults, world.wires.batches) == (Status.SUBMITTED, 0, [])
    world.poll()
    assert world.batch(batch.id).provider_id == world.wires.batches[0].id


def test_what_batches_cost_is_counted_at_half_the_price(world: World) -> None:
    world.offer(2)
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    now = world.service.clock()
    [spend] = spent(world.service, world.scope, now, now + timedelta(days=1))
    assert (spend.calls, spend.tokens_in, spend.tokens_out) == (2, 200, 40)
    assert spend.cost == pytest.approx((200 * 1.0 + 40 * 5.0) / 1e6 / 2)


# --- F16 ----------------------------------------------------------------------------------------------------------------


def test_a_batch_that_still_runs_stays_submitted(world: World) -> None:
    batch = world.offer()
    assert world.poll().result["submitted"] == 1
    assert world.batch(batch.id).status is Status.SUBMITTED


def test_a_batch_that_still_runs_at_its_providers_end_expires(world: World, clock: Clock) -> None:
    """F16: still running at 24 h."""
    batch = world.offer()
    clock.forward(hours=23.9)
    world.poll()
    assert world.batch(batch.id).status is Status.SUBMITTED
    clock.forward(hours=0.2)
    world.poll()
    assert world.batch(batch.id).status is Status.EXPIRED


def test_a_batch_of_49_hours_expires_whatever_its_provider_says(world: World, clock: Clock) -> None:
    """Case 142."""
    batch = world.offer()
    world.wires.batches[0].expires_at = "2026-02-01T09:00:00Z"
    world.poll()
    clock.forward(hours=47)
    world.poll()
    assert world.batch(batch.id).status is Status.SUBMITTED
    clock.forward(hours=2)
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.reason) == (Status.EXPIRED, "no end within 48 hours")


@pytest.mark.parametrize(("end", "status"), [("expired", Status.EXPIRED), ("canceled", Status.CANCELLED)])
def test_what_the_provider_ended_without_an_answer_ends_so(world: World, end: str, status: Status) -> None:
    """F16: what was answered before is applied all the same."""
    batch = world.offer(3)
    first, second, third = world.ids()
    world.wires.batches[0].end({**answers([second]), first: Ended(end), third: Ended(end)})
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied, found.waiting) == (status, 1, 2)
    assert world.said == [f"Answer to {second}."]


def test_only_what_has_no_answer_is_sent_again(world: World) -> None:
    """F16: an errored part; matched by custom id."""
    batch = world.offer(3)
    first, second, third = world.ids()
    world.wires.batches[0].end({**answers([first, third]), second: Ended("errored")})
    world.poll()
    assert world.batch(batch.id).status is Status.FAILED
    assert world.job("retry").result["retried"] == 1
    world.poll()
    assert world.ids(1) == [second]
    world.wires.batches[1].end(answers([second]))
    world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED
    assert len(world.said) == 3


def test_a_question_that_can_only_fail_again_is_not_sent_again(world: World) -> None:
    batch = world.offer(2)
    first, second = world.ids()
    world.wires.batches[0].end({**answers([first]), second: Ended("errored", "invalid_request_error")})
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.failed, found.waiting) == (Status.FAILED, 1, 0)
    assert world.job("retry").result["retried"] == 0


def test_results_in_any_order_reach_their_own_questions(world: World) -> None:
    """F16: order is not promised."""
    world.offer(5)
    shuffled = {id: {"text": f"Answer to {id}.", "reason": ""} for id in reversed(world.ids())}
    world.wires.batches[0].end(shuffled)
    world.poll()
    rows = world.rows(
        "MATCH (q:Request {tenant: $tenant})<-[:PART_OF|CHANGED*0..0]-(q) WHERE q.key IN $ids "
        "MATCH (m:Memory {tenant: $tenant}) WHERE q.answer CONTAINS m.id RETURN q.key AS id, m.text AS text",
        ids=world.ids(),
    )
    assert {row["id"]: row["text"] for row in rows} == {id: f"Answer to {id}." for id in world.ids()}


def test_a_missing_custom_id_is_asked_again(world: World) -> None:
    """F16."""
    batch = world.offer(2)
    first, second = world.ids()
    world.wires.batches[0].end(answers([first]))
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied) == (Status.FAILED, 1)
    assert found.reason == "1 of 2 questions were answered and applied; the others: missing"
    world.job("retry")
    world.poll()
    assert world.ids(1) == [second]


def test_foreign_and_repeated_custom_ids_do_nothing(world: World) -> None:
    """F16: an id that was not sent, one of another batch, and one that comes twice with another answer."""
    other = world.offer(1)
    [theirs] = world.ids()
    batch = world.offer(1)
    [ours] = world.ids(1)
    false = {"text": "Answer that is false.", "reason": ""}
    world.wires.batches[1].end({**answers([ours]), theirs: false, str(uuid.uuid4()): false})
    world.wires.batches[1].lines.append(world.wires.batches[1].lines[0].replace("Answer to", "Answer not to"))
    world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED
    assert world.batch(other.id).status is Status.SUBMITTED
    assert world.said == [f"Answer to {ours}."]


def test_a_list_of_results_that_breaks_off_is_fetched_again(world: World) -> None:
    """F16: what came before holds."""
    batch = world.offer(3)
    world.wires.batches[0].end(answers(world.ids()), is_cut=True)
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.faults) == (Status.PROCESSING, 1)
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED
    assert len(world.said) == 3


def test_a_list_that_always_breaks_off_fails_and_the_rest_is_sent_again(world: World) -> None:
    """F16: the part that came is not paid for twice."""
    batch = world.offer(3)
    world.wires.batches[0].end(answers(world.ids()), is_cut=True)
    for _ in range(3):
        world.poll()
    assert world.batch(batch.id).status is Status.FAILED
    world.job("retry")
    world.poll()
    assert world.ids(1) == world.ids()[2:]
    world.wires.batches[1].end(answers(world.ids(1)))
    world.poll()
    assert (world.batch(batch.id).status, len(world.said)) == (Status.COMPLETED, 3)


def test_archived_results_fail_the_batch_and_all_is_sent_again(world: World) -> None:
    """F16."""
    batch = world.offer(2)
    world.wires.batches[0].end(answers(world.ids()))
    world.wires.batches[0].is_archived = True
    world.poll()
    found = world.batch(batch.id)
    assert found.status is Status.FAILED
    assert found.reason == "gone: anthropic: the results of this batch are no longer kept."
    world.job("retry")
    world.poll()
    assert sorted(world.ids(1)) == sorted(world.ids())
    world.wires.batches[1].end(answers(world.ids(1)))
    world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED


def test_a_batch_that_is_polled_twice_is_applied_once(world: World) -> None:
    """F16."""
    world.offer(2)
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    world.poll()
    assert len(world.said) == 2
    results = [each for each in world.wires.received if each.path.endswith("/results")]
    assert len(results) == 1


def test_a_batch_that_another_worker_has_is_left_to_it(world: World) -> None:
    """F16: polled twice at once."""
    from graph_memory.jobs import leases

    batch = world.offer()
    world.wires.batches[0].end(answers(world.ids()))
    with leases.hold(world.service, world.scope, f"batch/{batch.id}", "other") as lease:
        assert lease is not None
        world.poll()
        assert world.batch(batch.id).status is Status.SUBMITTED
    world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED


def test_three_passing_faults_fail_a_batch_and_one_good_answer_starts_the_count_anew(world: World) -> None:
    """Case 142."""
    batch = world.offer()
    counts = []
    for behaviour in (fails(500), fails(529), None, fails(500), fails(500), fails(500)):
        world.wires.interruptions = [behaviour]
        world.poll()
        counts.append(world.batch(batch.id).faults)
    assert counts == [1, 2, 0, 1, 2, 3]
    found = world.batch(batch.id)
    assert found.status is Status.FAILED
    assert found.reason == "broken: anthropic: it failed (HTTP 500)."


def test_a_provider_that_refuses_the_batch_fails_it_at_once(world: World) -> None:
    world.wires.interruptions = [fails(400)]
    batch = world.offer()
    assert batch.status is Status.FAILED
    assert batch.reason == "refused: anthropic: it refused the request (HTTP 400)."


def test_a_provider_that_is_busy_is_asked_again(world: World) -> None:
    world.wires.interruptions = [fails(429)]
    batch = world.offer()
    assert (batch.status, batch.faults, batch.sending_at) == (Status.SUBMITTED, 1, None)
    world.poll()
    assert world.batch(batch.id).provider_id == world.wires.batches[0].id


def test_what_expired_here_and_was_answered_there_is_not_paid_for_twice(world: World, clock: Clock) -> None:
    batch = world.offer(2)
    first, second = world.ids()
    clock.forward(hours=25)
    world.poll()
    assert world.batch(batch.id).status is Status.EXPIRED
    world.wires.batches[0].end({**answers([first]), second: Ended("expired")})
    world.job("retry")
    world.poll()
    assert world.ids(1) == [second]
    world.wires.batches[1].expires_at = "2026-01-04T09:00:00Z"
    world.wires.batches[1].end(answers([second]))
    world.poll()
    assert (world.batch(batch.id).status, len(world.said)) == (Status.COMPLETED, 2)


def test_an_answer_that_cannot_be_read_is_asked_for_again_but_not_for_ever(world: World) -> None:
    batch = world.offer(1)
    [id] = world.ids()
    for submission in range(3):
        world.wires.batches[submission].end({id: "I would rather not."})
        world.poll()
        assert world.batch(batch.id).status is Status.FAILED
        world.job("retry")
        world.poll()
    found = world.batch(batch.id)
    assert (found.failed, found.waiting, len(world.wires.batches)) == (1, 0, 3)
    assert world.said == []


def test_a_batch_is_retried_so_often_and_no_more(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (batch_worker, collection):
        monkeypatch.setattr(module, "MOST_TRIES", 100)
    monkeypatch.setattr(batch_jobs, "MOST_RETRIES", 2)
    batch = world.offer(1)
    [id] = world.ids()
    for submission in range(3):
        world.wires.batches[submission].end({id: Ended("errored")})
        world.poll()
        world.job("retry")
        world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.retries, len(world.wires.batches)) == (Status.FAILED, 2, 3)


# --- applying -----------------------------------------------------------------------------------------------------------


def test_an_answer_that_cannot_be_applied_now_waits_and_keeps_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = world.offer(3)
    first = world.ids()[0]
    world.wires.batches[0].end(answers(world.ids()))
    monkeypatch.setattr(HANDLER, "fails", lambda item: Overloaded() if item.custom_id == first else None)
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied, found.faults) == (Status.PROCESSING, 2, 1)
    monkeypatch.setattr(HANDLER, "fails", lambda item: None)
    world.poll()
    assert (world.batch(batch.id).status, len(world.said)) == (Status.COMPLETED, 3)


def test_answers_that_make_no_progress_for_300_seconds_fail_the_batch(
    world: World, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 142: timeout."""
    batch = world.offer(1)
    world.wires.batches[0].end(answers(world.ids()))
    monkeypatch.setattr(HANDLER, "fails", lambda item: Overloaded())
    world.poll()
    assert world.batch(batch.id).status is Status.PROCESSING
    clock.forward(seconds=301)
    world.poll()
    found = world.batch(batch.id)
    assert found.status is Status.FAILED
    assert (found.reason or "").startswith("timeout: OVERLOADED")


def test_an_answer_that_was_kept_is_applied_after_a_retry_without_asking_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = world.offer(1)
    world.wires.batches[0].end(answers(world.ids()))
    monkeypatch.setattr(HANDLER, "fails", lambda item: Overloaded())
    for _ in range(3):
        world.poll()
    assert world.batch(batch.id).status is Status.FAILED
    monkeypatch.setattr(HANDLER, "fails", lambda item: None)
    world.job("retry")
    world.poll()
    assert (world.batch(batch.id).status, len(world.wires.batches)) == (Status.COMPLETED, 1)
    assert len(world.said) == 1


def test_what_a_handler_refuses_ends_the_question_only(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = world.offer(2)
    first, _ = world.ids()
    world.wires.batches[0].end(answers(world.ids()))
    monkeypatch.setattr(HANDLER, "fails", lambda item: Conflict() if item.custom_id == first else None)
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied, found.failed) == (Status.FAILED, 1, 1)


def test_a_mistake_in_a_program_shows_in_the_run_and_keeps_no_other_batch(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 142: programming errors propagate."""
    broken, sound = world.offer(1), world.offer(1)
    [bad], [good] = world.ids(0), world.ids(1)
    for place, id in enumerate((bad, good)):
        world.wires.batches[place].end(answers([id]))
    monkeypatch.setattr(HANDLER, "fails", lambda item: TypeError("a text") if item.custom_id == bad else None)
    run = world.poll()
    assert (run.error, run.is_finished) == ("TypeError", False)
    assert (world.batch(broken.id).status, world.batch(broken.id).reason) == (Status.PROCESSING, "TypeError")
    assert world.batch(sound.id).status is Status.COMPLETED


def test_an_answer_is_not_kept_once_it_is_applied(world: World) -> None:
    world.offer(2)
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    rows = world.rows("MATCH (i:BatchItem {tenant: $tenant}) RETURN i.state AS state, i.answer AS answer")
    assert rows == [{"state": "applied", "answer": None}] * 2


def test_each_kind_is_polled_by_its_own_job(world: World) -> None:
    batch = world.offer(1, Kind.RELATIONSHIP)
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    assert world.batch(batch.id).status is Status.SUBMITTED
    world.job("poll_relationships")
    assert world.batch(batch.id).status is Status.COMPLETED


def test_a_tenants_batch_never_touches_anothers(make: Make) -> None:
    """Case 142: one expires, fails and is emptied; the other's goes on."""
    ours = make("anthropic")
    theirs = make("anthropic", within=Scope(f"test-{uuid.uuid4().hex}", "ann"))
    first, second = ours.offer(1), theirs.offer(1)
    ours.wires.batches[0].end({**answers(ours.ids(0)), **answers(ours.ids(1))})
    ours.poll()
    assert ours.batch(first.id).status is Status.COMPLETED
    assert theirs.batch(second.id).status is Status.SUBMITTED
    assert theirs.said == []
    with pytest.raises(NotFound):
        records.get(ours.service, ours.scope, second.id)
    with pytest.raises(NotFound):
        decisions.cancel(ours.service, Call(ours.scope, "test"), second.id)
    theirs.wires.batches[1].end(answers(theirs.ids(1)))
    theirs.poll()
    assert (theirs.batch(second.id).status, len(theirs.said), len(ours.said)) == (Status.COMPLETED, 1, 1)


# --- deaths -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("point", POINTS)
def test_a_worker_that_dies_at_any_point_loses_nothing_and_doubles_nothing(world: World, point: str) -> None:
    """F16: a real process that ends without a word, while sending or while applying."""
    is_sending = point.endswith("submit")
    held = world.with_settings(providers={"daily_cap": 0.0}) if is_sending else world
    batch = held.offer(2)
    if not is_sending:
        world.wires.batches[0].end(answers(world.ids()))
    assert world.dying_poll(point) == 137
    if point == "after_submit":
        world.poll()
        assert world.batch(batch.id).status is Status.SUBMITTED
        world.wires.batches[0].end(answers(world.ids()))
    elif is_sending:
        world.poll()
        world.wires.batches[0].end(answers(world.ids()))
    for _ in range(2):
        world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED
    assert len(world.wires.batches) == 1
    assert world.said == sorted(f"Answer to {id}." for id in world.ids())


def test_a_batch_whose_submission_was_not_answered_is_found_again(world: World) -> None:
    """The provider took it, its answer was lost: it is waited for, and recognised by its custom ids."""
    world.wires.interruptions = [sends(b"", 500)]
    batch = world.offer(2)
    assert (batch.provider_id, batch.sending_at is not None) == (None, True)
    world.poll()
    assert len(world.wires.batches) == 1
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    assert world.batch(batch.id).provider_id == world.wires.batches[0].id
    world.poll()
    assert (world.batch(batch.id).status, len(world.wires.batches)) == (Status.COMPLETED, 1)


def test_a_batch_that_is_not_in_the_list_is_sent_anew(world: World) -> None:
    """The list holds batches of others: one of another size, one of the same size with foreign ids."""
    world.wires.interruptions = [sends(b"", 500)]
    batch = world.offer(2)
    lost = world.wires.batches.pop()
    ids = [each["custom_id"] for each in lost.requests]
    strangers = [type(lost)(f"stranger_{uuid.uuid4().hex}", lost.requests[:1] * size) for size in (1, 2)]
    for stranger in strangers:
        stranger.end({str(uuid.uuid4()): {"text": "Answer of theirs."} for _ in stranger.requests})
    world.wires.batches.extend(strangers)
    world.poll()
    assert world.batch(batch.id).provider_id == world.wires.batches[2].id
    assert world.ids(2) == ids
    world.wires.batches[2].end(answers(ids))
    world.poll()
    assert world.said == sorted(f"Answer to {id}." for id in ids)


def test_the_list_is_read_page_by_page_and_no_further_back_than_needed(world: World) -> None:
    provider = world.service.providers.batch_provider("anthropic")
    assert provider is not None
    world.offer(1)
    [known] = world.wires.batches
    for place in range(250):
        world.wires.batches.append(type(known)(f"batch_{place}", known.requests))
    for old in world.wires.batches[:100]:
        old.created_at = "2025-12-31T09:00:00Z"
    before = len(world.wires.received)
    found = list(provider.recent(world.service.clock() - timedelta(minutes=1)))
    assert [each.id for each in found] == [f"batch_{place}" for place in range(249, 98, -1)]
    assert all(each.size == 1 for each in found)
    assert len(world.wires.received) - before == 2


def test_what_was_sent_twice_all_the_same_is_applied_once(world: World) -> None:
    """Both submissions are answered, differently; the one that is known counts."""
    world.wires.interruptions = [sends(b"", 500)]
    batch = world.offer(1)
    hidden = world.wires.batches.pop()
    world.poll()
    world.wires.batches.append(hidden)
    [id] = world.ids(0)
    hidden.end({id: {"text": "Answer of the lost one.", "reason": ""}})
    world.wires.batches[0].end(answers([id]))
    for _ in range(2):
        world.poll()
    assert world.batch(batch.id).status is Status.COMPLETED
    assert world.said == [f"Answer to {id}."]


# --- at once ------------------------------------------------------------------------------------------------------------


def test_without_batches_the_same_questions_are_asked_at_once(make: Make) -> None:
    world = make("openai")
    world.wires.script(*(says({"text": f"Answer {place}.", "reason": ""}) for place in range(5)))
    batch = world.offer(5)
    assert (batch.status, batch.applied, batch.provider) == (Status.COMPLETED, 5, None)
    assert world.said == [f"Answer {place}." for place in range(5)]


def test_the_settings_can_leave_a_providers_batches_alone(world: World) -> None:
    world.wires.script(says({"text": "Answer now.", "reason": ""}))
    batch = world.with_settings(batches={"use_provider": False}).offer(1)
    assert (batch.status, world.wires.batches, world.said) == (Status.COMPLETED, [], ["Answer now."])


def test_asked_at_once_what_got_no_answer_is_asked_again_and_fails_after_three_times(make: Make) -> None:
    world = make("openai")
    world.wires.script(says({"text": "Answer one.", "reason": ""}), fails(401))
    batch = world.offer(2)
    assert (batch.status, batch.applied, batch.faults) == (Status.PROCESSING, 1, 1)
    for _ in range(2):
        world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.applied, found.waiting) == (Status.FAILED, 1, 1)
    assert world.said == ["Answer one."]


def test_asked_at_once_an_answer_that_cannot_be_read_is_given_up_after_three_tries(make: Make) -> None:
    world = make("openai")
    world.wires.script(says("I would rather not."))
    batch = world.offer(1)
    for _ in range(2):
        world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.failed, world.said) == (Status.FAILED, 1, [])


# --- by hand, housekeeping, erasure -------------------------------------------------------------------------------------


def test_a_cancelled_batch_is_cancelled_there_too_and_applies_nothing(world: World) -> None:
    batch = world.offer(2)
    found, answer = decisions.cancel(world.service, Call(world.scope, "ann", key="k"), batch.id)
    assert (found.status, found.reason) == (Status.CANCELLED, "cancelled by ann")
    assert world.wires.batches[0].status == "canceling"
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    assert world.said == []
    assert decisions.cancel(world.service, Call(world.scope, "ann", key="k"), batch.id)[1].replayed
    assert not answer.replayed


def test_a_batch_at_its_end_cannot_be_cancelled_nor_a_pending_one_retried(world: World) -> None:
    batch, call = world.offer(1), Call(world.scope, "ann")
    with pytest.raises(IllegalMove, match="is submitted and cannot be put back in line"):
        decisions.retry(world.service, call, batch.id)
    world.wires.batches[0].end(answers(world.ids()))
    world.poll()
    for decide in (decisions.cancel, decisions.retry):
        with pytest.raises(IllegalMove, match="is completed"):
            decide(world.service, call, batch.id)


def test_a_person_can_put_a_cancelled_batch_back_in_line_and_what_was_given_up(world: World) -> None:
    batch = world.offer(2)
    first, second = world.ids()
    world.wires.batches[0].end({first: Ended("errored", "invalid_request_error"), second: Ended("canceled")})
    world.poll()
    assert world.batch(batch.id).status is Status.CANCELLED
    assert world.job("retry").result["retried"] == 0
    decisions.retry(world.service, Call(world.scope, "ann"), batch.id)
    world.poll()
    assert world.ids(1) == [first, second]


def test_batches_that_ended_two_days_ago_are_removed_with_all_that_belongs_to_them(
    world: World, clock: Clock
) -> None:
    world.wires.interruptions = [fails(400)]
    failed = world.offer(1)
    clock.forward(hours=47)
    pending = world.offer(1)
    assert world.job("purge").result["removed"] == 0
    clock.forward(hours=2)
    assert world.job("purge").result["removed"] == 1
    with pytest.raises(NotFound):
        world.batch(failed.id)
    assert world.batch(pending.id).status is Status.SUBMITTED
    left = "MATCH (n:Batch|BatchItem|Lease {tenant: $tenant}) WHERE n.name IS NULL OR n.name STARTS WITH 'batch/' RETURN n.id AS id"
    assert len(world.rows(left)) == 3


def test_erasing_a_subject_empties_its_answers_and_ends_its_questions(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = world.offer(2)
    world.wires.batches[0].end(answers(world.ids()))
    monkeypatch.setattr(HANDLER, "fails", lambda item: Overloaded())
    world.poll()
    kept = "MATCH (i:BatchItem {tenant: $tenant}) WHERE i.answer IS NOT NULL RETURN i.id AS id"
    assert len(world.rows(kept)) == 2
    forget(world.service, Call(world.scope, "ann"), whole_subject=True)
    assert world.rows(kept) == []
    monkeypatch.setattr(HANDLER, "fails", lambda item: None)
    world.poll()
    found = world.batch(batch.id)
    assert (found.status, found.failed, world.said) == (Status.FAILED, 2, [])
    decisions.retry(world.service, Call(world.scope, "ann"), batch.id)
    world.poll()
    assert len(world.wires.batches) == 1


def test_what_was_asked_about_an_erased_memory_is_not_taken_from_the_old_answer(world: World) -> None:
    """The question was sent with the erased text; its answer may repeat it."""
    call, (gone, kept) = Call(world.scope, "test"), world.memories(2)
    batch = offer(world.service, call, Kind.EXTRACTION, [{"memory": gone}, {"memory": kept}])
    first, second = world.ids()
    forget(world.service, call, [gone])
    world.wires.batches[0].end(answers([first, second]))
    for _ in range(3):
        world.poll()
    found = world.batch(batch.id)
    assert world.said == [f"Answer to {second}."]
    assert (found.status, found.applied, found.failed) == (Status.FAILED, 1, 1)


def test_what_is_erased_while_its_question_is_made_is_not_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    call, (gone, kept) = Call(world.scope, "test"), world.memories(2)
    make = type(HANDLER).prompt

    def interrupted(service: Service, scope: Scope, item: Item) -> Any:
        prompt = make(HANDLER, service, scope, item)
        if item.reference["memory"] == gone:
            forget(world.service, call, [gone])
        return prompt

    monkeypatch.setattr(HANDLER, "prompt", interrupted)
    offer(world.service, call, Kind.EXTRACTION, [{"memory": gone}, {"memory": kept}])
    [sent] = world.wires.batches[0].requests
    assert sent["custom_id"] == handlers.item(world.scope, Kind.EXTRACTION, {"memory": kept}).custom_id


def test_pages_of_batches_are_newest_first_and_of_one_status(world: World, clock: Clock) -> None:
    made: list[Batch] = []
    for _ in range(3):
        made.append(world.offer(1))
        clock.forward(minutes=1)
    decisions.cancel(world.service, Call(world.scope, "ann"), made[1].id)
    page = records.page(world.service, world.scope, 2)
    assert ([each.id for each in page.items], page.has_next) == ([made[2].id, made[1].id], True)
    rest = records.page(world.service, world.scope, 2, page.cursors[-1])
    assert ([each.id for each in rest.items], rest.has_next) == ([made[0].id], False)
    cancelled = records.page(world.service, world.scope, 5, status=Status.CANCELLED)
    assert [each.id for each in cancelled.items] == [made[1].id]


def test_the_same_reference_has_the_same_custom_id_and_another_subject_another(scope: Scope) -> None:
    one = handlers.item(scope, Kind.EXTRACTION, {"memory": "m", "known": []})
    assert one.custom_id == handlers.item(scope, Kind.EXTRACTION, {"known": [], "memory": "m"}).custom_id
    assert isinstance(one, Item)
    others = [
        handlers.item(replace(scope, subject_name="ben"), Kind.EXTRACTION, one.reference),
        handlers.item(scope, Kind.RELATIONSHIP, one.reference),
    ]
    assert one.custom_id not in {each.custom_id for each in others}


def test_the_scripted_kind_is_the_one_that_is_asked(make: Make) -> None:
    """What these tests stand on: the handler of the table is found by its place."""
    make()
    assert handlers.handler(Kind.EXTRACTION) is batches_world.HANDLER
    assert steps.advance is not None


# --- the surfaces -------------------------------------------------------------------------------------------------------


@pytest.fixture
def command(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs `graph-memory batches` on this world, in this process; what it printed as JSON."""

    @contextmanager
    def opened() -> Iterator[Service]:
        yield world.service

    monkeypatch.setattr("graph_memory.cli.context.opened", opened)

    def run(*arguments: str) -> Any:
        own = ["--tenant", world.scope.tenant_name, "--json"]
        found = CliRunner().invoke(cli_batches.app, [*arguments, *own], catch_exceptions=False)
        assert found.exit_code == 0, found.output
        return json.loads(found.stdout)

    return run


def test_the_command_line_lists_cancels_and_puts_back_in_line(
    world: World, command: Callable[..., Any]
) -> None:
    batch = world.offer(2)
    [listed] = command("--status", "submitted")["items"]
    assert (listed["id"], listed["waiting"], listed["provider"]) == (batch.id, 2, "anthropic")
    assert command("cancel", batch.id)["status"] == "cancelled"
    assert command("--status", "submitted")["items"] == []
    assert command("retry", batch.id)["status"] == "submitted"


def test_people_see_a_table(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = world.offer(2)

    @contextmanager
    def opened() -> Iterator[Service]:
        yield world.service

    monkeypatch.setattr("graph_memory.cli.context.opened", opened)
    told = CliRunner().invoke(cli_batches.app, ["--tenant", world.scope.tenant_name]).stdout
    assert batch.id in told
    assert "0 of 2" in told
    none = (
        CliRunner()
        .invoke(cli_batches.app, ["--tenant", world.scope.tenant_name, "--status", "failed"])
        .stdout
    )
    assert none.strip() == "There are no such batches."


def test_a_status_outside_the_six_is_wrong_usage_on_the_command_line(world: World) -> None:
    """Case 141."""
    assert CliRunner().invoke(cli_batches.app, ["--status", "done"]).exit_code == 2
