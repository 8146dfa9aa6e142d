"""Orders to forget: no facts, and laid before a person with the memory that they are about."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graph_memory.base.errors import Invalid, Outdated
from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.curation.reviews import approve, reject
from graph_memory.ingest.orders import HELD
from graph_memory.ingest.outcome import Mode, Outcome
from graph_memory.ingest.pipeline import plan, remember
from graph_memory.ingest.submission import close, submit
from graph_memory.ledger import changes
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.life import archive
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Fact, Source, SourceKind, Status
from graph_memory.model.message import Message
from graph_memory.model.review import Review, ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tasks import execute
from tests.conftest import Clock
from tests.integration.remembering_world import live

pytestmark = pytest.mark.stack

SALARY, PAYDAY = "My salary is 4,300 pounds a month before tax.", "Payday is the 28th."
ORDER = "Please forget my salary."


def _said(
    service: Service, scope: Scope, text: str, kind: SourceKind = SourceKind.USER, mode: Mode = Mode.DECIDE
) -> Outcome:
    outcome, _ = remember(service, Call(scope, "test"), Fact(text, source=Source(kind)), mode)
    return outcome


def _asked(service: Service, scope: Scope) -> Review:
    for text in (SALARY, PAYDAY):
        _said(service, scope, text)
    return review_records.get(service, scope, str(_said(service, scope, ORDER).review_id))


def _texts(service: Service, scope: Scope) -> set[str]:
    return {each.text for each in live(service, scope)}


def test_an_order_is_no_fact_and_its_memory_is_retracted_once_a_person_agrees(
    service: Service, scope: Scope
) -> None:
    review = _asked(service, scope)
    order, target = reading.get_many(service, scope, [review.memory_id, review.target_id])
    assert order is not None
    assert target is not None
    assert (order.text, order.status, target.text) == (ORDER, Status.ARCHIVED, SALARY)
    assert (review.action, review.provider) == (Action.FORGET, "orders")
    assert _texts(service, scope) == {SALARY, PAYDAY}
    done, _ = approve(service, Call(scope, "ann"), review.id, note="she asked")
    assert (done.status, done.decided_action) == (ReviewStatus.APPROVED, Action.FORGET)
    assert _texts(service, scope) == {PAYDAY}
    undo(service, Call(scope, "ann"), [changes.changes(service, scope)[-1]["sequence"]])
    assert _texts(service, scope) == {SALARY, PAYDAY}
    assert review_records.get(service, scope, review.id).status is ReviewStatus.PENDING


def test_what_is_rejected_stays_and_the_order_is_no_fact_either(service: Service, scope: Scope) -> None:
    review = _asked(service, scope)
    reject(service, Call(scope, "ann"), review.id)
    assert _texts(service, scope) == {SALARY, PAYDAY}


def test_an_order_that_was_none_is_let_in(service: Service, scope: Scope) -> None:
    review = _asked(service, scope)
    approve(service, Call(scope, "ann"), review.id, Action.COEXIST)
    assert _texts(service, scope) == {SALARY, PAYDAY, ORDER}


def test_an_order_does_nothing_else_and_nothing_else_forgets(
    service: Service, scope: Scope, clock: Clock
) -> None:
    review = _asked(service, scope)
    with pytest.raises(Invalid, match="asks to forget"):
        approve(service, Call(scope, "ann"), review.id, Action.SUPERSEDE)
    archive(service, Call(scope, "ann"), [review.target_id])
    with pytest.raises(Outdated):
        approve(service, Call(scope, "ann"), review.id)


def test_an_order_of_what_nobody_stands_for_asks_for_nothing(service: Service, scope: Scope) -> None:
    _said(service, scope, SALARY)
    outcome = _said(service, scope, ORDER, SourceKind.WEB)
    review = review_records.get(service, scope, str(outcome.review_id))
    assert (review.is_held, review.hindrance) == (True, HELD)


def test_an_order_about_nothing_known_waits_by_itself(service: Service, scope: Scope) -> None:
    review = review_records.get(service, scope, str(_said(service, scope, ORDER).review_id))
    assert review.is_held
    assert _texts(service, scope) == set()


def test_a_plan_tells_of_the_order_and_a_caller_who_decides_keeps_it(service: Service, scope: Scope) -> None:
    _said(service, scope, SALARY)
    assert plan(service, scope, Fact(ORDER)).proposed is Action.FORGET
    _said(service, scope, ORDER, mode=Mode.OBSERVE)
    assert ORDER in _texts(service, scope)


def test_in_talk_an_order_is_parted_from_what_is_said_beside_it(
    service: Service, scope: Scope, clock: Clock
) -> None:
    at = clock() - timedelta(hours=1)
    said = [
        "My salary is 4,300 pounds a month before tax.",
        "I live in Leeds now. Please forget what I told you about my salary.",
    ]
    messages = [Message("Ann", at + timedelta(minutes=n), text, role="user") for n, text in enumerate(said)]
    submit(service, Call(scope, "test"), "talk", messages)
    execute(service, scope, close(service, Call(scope, "test"), "talk").run_id)
    texts = _texts(service, scope)
    assert not any("forget" in text for text in texts)
    assert any("Leeds" in text for text in texts), texts
    [review] = review_records.page(service, scope, 10).items
    target = reading.get(service, scope, review.target_id)
    assert target is not None
    assert (review.action, target.text) == (Action.FORGET, "Ann's salary is 4,300 pounds a month before tax.")
