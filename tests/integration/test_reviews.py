"""Reviews on the real database: opened by `remember`, decided once by a person, ended by the job."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.base.errors import Conflict, Invalid, NotFound, Outdated
from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.curation.reviews import approve, reject
from graph_memory.jobs import schedule, slots
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.linker import LINKER
from graph_memory.ledger import changes
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import reading as read
from graph_memory.memory.addition import add
from graph_memory.memory.life import Revision, archive, expire, restore, retract, revise
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Fact, Source, SourceKind, Trust
from graph_memory.model.review import Review, ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tasks import execute
from tests.conftest import Clock
from tests.integration.remembering_world import Judge, keep, live

pytestmark = pytest.mark.stack


def _asked(
    service: Service, scope: Scope, clock: Clock, action: Action = Action.SUPERSEDE, **more: object
) -> Review:
    """A review about two statements that a judge was not sure of."""
    old, new = {
        Action.SUPERSEDE: ("Ann works at Google.", "Ann now works at Anthropic."),
        Action.MERGE: ("User has a dog.", "The dog is named Max."),
        Action.DUPLICATE: ("User prefers dark mode.", "User likes dark theme."),
    }[action]
    keep(service, scope, old)
    clock.forward(days=1)
    outcome = keep(service, scope, new, Judge(action, 0.8, **more))
    return review_records.get(service, scope, str(outcome.review_id))


def test_an_approved_version_takes_its_place_once(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 89."""
    review = _asked(service, scope, clock)
    call = Call(scope, "ann", key="yes")
    done, first = approve(service, call, review.id, note="she told me")
    assert (done.status, done.decided_by, done.decided_action) == (
        ReviewStatus.APPROVED,
        "ann",
        Action.SUPERSEDE,
    )
    assert [memory.id for memory in live(service, scope)] == [review.memory_id]
    ends = {
        (each.memory.id, each.superseded_by)
        for each in read.history(service, scope, review.memory_id)
        if each.superseded_by
    }
    assert ends == {(review.target_id, review.memory_id)}
    _, again = approve(service, call, review.id, note="she told me")
    assert (first.replayed, again.replayed) == (False, True)
    with pytest.raises(Conflict, match="approved already"):
        approve(service, Call(scope, "ann"), review.id)
    with pytest.raises(Conflict, match="approved already"):
        reject(service, Call(scope, "ann"), review.id)


def test_a_rejected_one_leaves_both(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 89: the fallback stays, and the ledger knows who said no."""
    review = _asked(service, scope, clock)
    done, _ = reject(service, Call(scope, "ann"), review.id, "both are true")
    assert (done.status, done.note) == (ReviewStatus.REJECTED, "both are true")
    assert len(live(service, scope)) == 2
    last = changes.changes(service, scope)[-1]
    assert (last["operation"], last["classification"], last["actor"]) == ("NOOP", "REVIEW_REJECTED", "ann")


def test_an_approved_merge_takes_the_text_of_the_judge(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock, Action.MERGE, text="User has a dog named Max.")
    approve(service, Call(scope, "ann"), review.id)
    [memory] = live(service, scope)
    assert (memory.id, memory.text) == (review.target_id, "User has a dog named Max.")


def test_an_approved_duplicate_changes_no_text(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock, Action.DUPLICATE)
    approve(service, Call(scope, "ann"), review.id)
    [memory] = live(service, scope)
    assert (memory.id, memory.text) == (review.target_id, "User prefers dark mode.")
    merged = read.get(service, scope, review.memory_id)
    assert merged is not None
    assert merged.status == "MERGED"


def test_a_person_may_do_something_else(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock, Action.MERGE, text="User has a dog named Max.")
    text = "User has a small dog named Max."
    done, _ = approve(service, Call(scope, "ann"), review.id, text=text)
    assert (done.status, done.decided_action) == (ReviewStatus.EDITED, Action.MERGE)
    assert [memory.text for memory in live(service, scope)] == [text]


def test_another_action_is_an_edit(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock, Action.DUPLICATE)
    done, _ = approve(service, Call(scope, "ann"), review.id, Action.SUPERSEDE)
    assert (done.status, done.decided_action) == (ReviewStatus.EDITED, Action.SUPERSEDE)
    assert [memory.id for memory in live(service, scope)] == [review.memory_id]


def test_a_text_that_loses_a_name_is_refused_and_the_review_waits(
    service: Service, scope: Scope, clock: Clock
) -> None:
    review = _asked(service, scope, clock, Action.MERGE)
    with pytest.raises(Invalid, match="Max"):
        approve(service, Call(scope, "ann"), review.id, text="User has a dog.")
    with pytest.raises(Invalid, match="MERGE or a SUPERSEDE only"):
        approve(service, Call(scope, "ann"), review.id, Action.DUPLICATE, text="x")
    assert review_records.get(service, scope, review.id).status is ReviewStatus.PENDING


def test_what_has_changed_since_is_not_applied(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock)
    call = Call(scope, "ann")
    revise(service, call, review.target_id, Revision("Ann works at Google in Zurich."))
    before = live(service, scope)
    with pytest.raises(Outdated, match="has changed"):
        approve(service, call, review.id)
    archive(service, call, [review.memory_id])
    with pytest.raises(Outdated, match="was archived since this was asked"):
        approve(service, call, review.id)
    assert review_records.get(service, scope, review.id).status is ReviewStatus.EXPIRED
    assert {memory.id for memory in live(service, scope)} == {memory.id for memory in before} - {
        review.memory_id
    }


@pytest.mark.parametrize(("judge", "acts_from"), [(EmbeddedJudge.name, "0.80"), (LINKER, "0.84")])
def test_a_review_tells_how_sure_the_judge_was_and_from_when_on_it_acts(
    service: Service, scope: Scope, judge: str, acts_from: str
) -> None:
    unsure = Judge(Action.COEXIST, 0.62, abstained=True, proposal=Action.SUPERSEDE)
    unsure.name = judge
    keep(service, scope, "Ann works at Google.")
    keep(service, scope, "Ann now works at Anthropic.", unsure)
    [review] = review_records.page(service, scope).items
    assert review.hindrance == (
        f"the judge abstained: it was 0.62 sure, and acts by itself from {acts_from} on"
    )


def _superseded(service: Service, call: Call, id: str) -> Answer:
    return supersede(service, call, id, Fact("Ann works at Mistral."))[1]


def _retracted(service: Service, call: Call, id: str) -> Answer:
    return retract(service, call, [id])


def _merged(service: Service, call: Call, id: str) -> Answer:
    [other], _ = add(service, call, [Fact("Ann is an engineer.")])
    return merge(service, call, str(other.id), id)[1]


@pytest.mark.parametrize(
    ("end", "told"),
    [(_superseded, "holds no longer"), (_retracted, "was retracted"), (_merged, "went into another")],
)
@pytest.mark.parametrize("side", ["new", "known"])
def test_a_review_of_what_has_ended_is_closed_and_waits_again_when_that_is_back(
    service: Service, scope: Scope, clock: Clock, end: Callable[..., Answer], told: str, side: str
) -> None:
    review, call = _asked(service, scope, clock), Call(scope, "ann")
    clock.forward(days=1)
    id = review.memory_id if side == "new" else review.target_id
    ended = end(service, call, id)
    assert review_records.page(service, scope).items == []
    closed = review_records.get(service, scope, review.id)
    assert (closed.status, closed.decided_by) == (ReviewStatus.EXPIRED, None)
    assert closed.note == f"The {side} memory {id} {told} since this was asked."
    for decide in (approve, reject):
        with pytest.raises(Outdated, match=f"is closed. The {side} memory"):
            decide(service, call, review.id)
    undo(service, call, changes.changes_of(service, scope, ended.request_id), cascade=True)
    again = review_records.get(service, scope, review.id)
    assert replace(again, expires_at=review.expires_at) == review
    approve(service, call, review.id)


def test_one_approval_closes_what_else_is_asked_of_the_memory_that_goes(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """And an undone one has all of it asked again."""
    first, call = _asked(service, scope, clock), Call(scope, "ann")
    told = keep(service, scope, "Ann works at Mistral, they say.", Judge(Action.SUPERSEDE, 0.5))
    known = {review.target_id for review in review_records.page(service, scope).items}
    assert told.review_id is not None
    _, approved = approve(service, call, first.id)
    waiting = review_records.page(service, scope).items
    assert known - {first.target_id} == {review.target_id for review in waiting}
    undo(service, call, changes.changes_of(service, scope, approved.request_id))
    assert {review.id for review in review_records.page(service, scope).items} == {first.id, told.review_id}


def test_a_review_waits_again_when_what_was_archived_is_restored(
    service: Service, scope: Scope, clock: Clock
) -> None:
    review, call = _asked(service, scope, clock), Call(scope, "ann")
    archive(service, call, [review.memory_id])
    assert review_records.page(service, scope).items == []
    restore(service, call, [review.memory_id])
    [waiting] = review_records.page(service, scope).items
    assert waiting == review


def test_a_review_of_what_the_clock_has_ended_is_closed_by_the_job(
    service: Service, scope: Scope, clock: Clock
) -> None:
    review, call = _asked(service, scope, clock), Call(scope, "ann")
    expire(service, call, review.memory_id, clock() + timedelta(hours=1))
    clock.forward(days=1)

    def ran(name: str) -> dict[str, object]:
        tenant = Scope(scope.tenant_name)
        run, _ = slots.by_hand(service, tenant, schedule.job(name))
        return dict(execute(service, tenant, run.id).result or {})

    ran("graph_memory.memory.due")
    assert ran("graph_memory.reviews.expire")["closed"] == 1
    assert review_records.get(service, scope, review.id).is_closed_by_itself


def test_an_approval_can_be_undone(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock)
    approve(service, Call(scope, "ann"), review.id)
    undo(service, Call(scope, "ann"), [changes.changes(service, scope)[-1]["sequence"]])
    assert len(live(service, scope)) == 2


@pytest.mark.parametrize("decide", [approve, reject])
def test_an_undone_decision_is_to_be_made_again(
    service: Service, scope: Scope, clock: Clock, decide: Callable[..., tuple[Review, Answer]]
) -> None:
    review, call = _asked(service, scope, clock, text="Ann works at Anthropic."), Call(scope, "ann")
    clock.forward(days=6)
    decided, answer = decide(service, call, review.id, note="she told me")
    _, undone = undo(service, call, changes.changes_of(service, scope, answer.request_id))
    waiting = review_records.get(service, scope, review.id)
    assert waiting == replace(review, expires_at=review.expires_at + timedelta(days=6))
    back = changes.changes_of(service, scope, undone.request_id)
    undo(service, call, back)
    assert review_records.get(service, scope, review.id) == replace(decided, expires_at=waiting.expires_at)
    undo(service, call, [back[0] + 1])
    approve(service, call, review.id)
    assert [memory.text for memory in live(service, scope)] == ["Ann works at Anthropic."]


def test_an_approval_is_undone_as_one_act(service: Service, scope: Scope, clock: Clock) -> None:
    """Its change alone is named; that a person stands for the new memory, and its new words, go along."""
    call = Call(scope, "ann")
    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)
    said = {"source": Source(SourceKind.WEB)}
    told = keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE, 0.8), **said)
    _, approved = approve(service, call, str(told.review_id), text="Ann works at Anthropic.")
    reworded, confirmed, superseded = changes.changes_of(service, scope, approved.request_id)
    undone, back = undo(service, call, [superseded])
    assert undone.changes == (superseded, confirmed, reworded)
    new = read.get(service, scope, str(told.id))
    assert new is not None
    assert (new.text, new.trust) == ("Ann now works at Anthropic.", Trust.UNVERIFIED)
    undo(service, call, changes.changes_of(service, scope, back.request_id))
    [now] = live(service, scope)
    assert (now.text, now.trust) == ("Ann works at Anthropic.", Trust.PERSON)


def test_what_a_cascade_takes_of_an_approval_it_takes_whole(
    service: Service, scope: Scope, clock: Clock
) -> None:
    call = Call(scope, "ann")
    known = keep(service, scope, "Ann works for Google.")
    revised = revise(service, call, str(known.id), Revision("Ann works at Google."))
    clock.forward(days=1)
    said = {"source": Source(SourceKind.WEB)}
    told = keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE, 0.8), **said)
    approve(service, call, str(told.review_id))
    undo(service, call, changes.changes_of(service, scope, revised.request_id), cascade=True)
    assert {each.trust for each in live(service, scope)} == {Trust.PERSON, Trust.UNVERIFIED}


def test_a_decision_made_anew_stays(service: Service, scope: Scope, clock: Clock) -> None:
    review, call = _asked(service, scope, clock), Call(scope, "ann")
    _, rejected = reject(service, call, review.id)
    _, undone = undo(service, call, changes.changes_of(service, scope, rejected.request_id))
    approve(service, call, review.id)
    undo(service, call, changes.changes_of(service, scope, undone.request_id))
    assert review_records.get(service, scope, review.id).status is ReviewStatus.APPROVED


def test_what_takes_the_place_says_what_was_proposed(service: Service, scope: Scope, clock: Clock) -> None:
    """As it stands the new memory may say too little: "*88" is read as the known sentence with 88 in it."""
    review = _asked(service, scope, clock, text="Ann works at Anthropic.")
    approve(service, Call(scope, "ann"), review.id)
    [memory] = live(service, scope)
    assert (memory.id, memory.text) == (review.memory_id, "Ann works at Anthropic.")
    assert {each.memory.id for each in read.history(service, scope, memory.id)} == {
        review.target_id,
        review.memory_id,
    }
    done = [row["sequence"] for row in changes.changes(service, scope) if row["actor"] == "ann"]
    undo(service, Call(scope, "ann"), done)
    assert {each.text for each in live(service, scope)} == {
        "Ann works at Google.",
        "Ann now works at Anthropic.",
    }


@pytest.mark.parametrize(
    ("known", "told", "text", "starts"),
    [
        ("Ola lives in Oslo.", "Ola is moving to Bergen on 1 February.", "Ola lives in Bergen.", (2, 1)),
        ("Ola works at Acme.", "Ola works at Bosch from March 2026 on.", None, (3, 1)),
        ("Ola lives in Oslo.", "Ola lives in Bergen now.", None, None),
        ("Ola's exam is on 3 February 2026.", "Ola's exam is on 5 February 2026.", None, None),
    ],
)
def test_what_is_told_ahead_holds_from_then(
    service: Service,
    scope: Scope,
    clock: Clock,
    known: str,
    told: str,
    text: str | None,
    starts: tuple[int, int] | None,
) -> None:
    """The known memory holds until then; an appointment is another at once."""
    keep(service, scope, known)
    clock.forward(days=1)
    said_at = clock()
    outcome = keep(service, scope, told, Judge(Action.SUPERSEDE, 0.8, text=text))
    clock.forward(days=1)
    done, _ = approve(service, Call(scope, "ann"), str(outcome.review_id))
    new = read.get(service, scope, done.memory_id)
    old = read.get(service, scope, done.target_id)
    assert new is not None
    assert old is not None
    assert new.text == (text or told)
    assert new.valid_from == (datetime(2026, *starts, tzinfo=UTC) if starts else said_at)
    assert old.valid_to == new.valid_from


def test_a_person_may_say_it_otherwise(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock, text="Ann works at Anthropic.")
    done, _ = approve(service, Call(scope, "ann"), review.id, text="Ann works at Anthropic in Zurich.")
    assert (done.status, done.decided_action) == (ReviewStatus.EDITED, Action.SUPERSEDE)
    assert [each.text for each in live(service, scope)] == ["Ann works at Anthropic in Zurich."]


def test_pages_go_on_where_the_last_ended(service: Service, scope: Scope, clock: Clock) -> None:
    texts = ["Ann works at Google.", "Bea lives in Rome.", "Carl plays chess."]
    for text in texts:
        keep(service, scope, text)
        clock.forward(days=1)
        keep(service, scope, text.replace(".", ", they say."), Judge(Action.SUPERSEDE, 0.5))
    whole = [review.id for review in review_records.page(service, scope).items]
    assert len(whole) == 3
    found, after = [], None
    while True:
        page = review_records.page(service, scope, 2, after)
        found += [review.id for review in page.items]
        after = page.cursors[-1]
        if not page.has_next:
            break
    assert found == whole
    with pytest.raises(Invalid, match="cursor"):
        review_records.page(service, scope, after="nonsense")


def test_another_tenant_and_another_subject_see_nothing(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock)
    for foreign in (Scope("somebody else", "ann"), replace(scope, subject_name="ben")):
        assert review_records.page(service, foreign, status=None).items == []
        with pytest.raises(NotFound):
            approve(service, Call(foreign, "x"), review.id)


def test_agreement_is_counted_by_judge_and_action(service: Service, scope: Scope, clock: Clock) -> None:
    call = Call(scope, "ann")
    approve(service, call, _asked(service, scope, clock).id)
    bea = replace(scope, subject_name="bea")
    reject(service, Call(bea, "ann"), _asked(service, bea, clock).id)
    approve(service, call, _asked(service, scope, clock, Action.DUPLICATE).id, Action.COEXIST)
    found = {each.action: each for each in review_records.agreement(service, Scope(scope.tenant_name))}
    assert (found[Action.SUPERSEDE].approved, found[Action.SUPERSEDE].rejected) == (1, 1)
    assert found[Action.SUPERSEDE].rate == 0.5
    assert (found[Action.DUPLICATE].edited, found[Action.DUPLICATE].rate) == (1, 0.0)
    assert {each.provider for each in found.values()} == {"scripted"}


def test_nobody_decides_for_a_week_and_it_expires_and_is_removed_later(
    service: Service, scope: Scope, clock: Clock
) -> None:
    review = _asked(service, scope, clock)
    tenant = Scope(scope.tenant_name)

    def end() -> dict[str, object]:
        run, _ = slots.by_hand(service, tenant, schedule.job("graph_memory.reviews.expire"))
        return dict(execute(service, tenant, run.id).result or {})

    clock.forward(days=6)
    assert end()["expired"] == 0
    clock.forward(days=2)
    assert end()["expired"] == 1
    assert review_records.get(service, scope, review.id).status is ReviewStatus.EXPIRED
    with pytest.raises(Conflict, match="expired already"):
        approve(service, Call(scope, "ann"), review.id)
    clock.forward(days=31)
    assert end()["removed"] == 1
    with pytest.raises(NotFound):
        review_records.get(service, scope, review.id)
