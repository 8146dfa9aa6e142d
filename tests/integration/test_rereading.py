"""The first that are found are read once more: who answers comes first and scores most, and pages stay whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.base.scope import Scope
from graph_memory.ingest.submission import submit
from graph_memory.judge.answering import opened
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.model.message import Message
from graph_memory.recall.hits import Grain
from graph_memory.store.service import Service
from graph_memory.upkeep import passage_vectors
from tests.found import reading, search

pytestmark = pytest.mark.stack

AT = datetime(2025, 6, 1, 9, tzinfo=UTC)


@pytest.fixture
def kept(service: Service, scope: Scope) -> None:
    add(
        service,
        Call(scope, "test"),
        [
            Fact("Ivo's sister has been nursing at the children's hospital since 2010."),
            Fact("Ivo's sister lives near the harbour."),
            *(Fact(f"Ivo painted boat number {number} blue.") for number in range(24)),
        ],
    )


QUESTION = "What does Ivo's sister do for a living?"


def test_what_is_read_to_answer_comes_first_and_scores_most(
    service: Service, scope: Scope, kept: None
) -> None:
    plain = search(reading(service, 0), scope, QUESTION, limit=30, min_score=0).hits
    read = search(reading(service, 30), scope, QUESTION, limit=30, min_score=0).hits
    scores = [hit.score for hit in read]
    assert scores == sorted(scores, reverse=True)
    assert [hit.memory.id for hit in read] != [hit.memory.id for hit in plain]
    assert {hit.memory.id for hit in read} == {hit.memory.id for hit in plain}
    assert all("reads" in hit.seen for hit in read)
    assert not any("reads" in hit.seen for hit in plain)
    assert [hit.place for hit in read] == list(range(1, len(read) + 1))


def test_what_scores_too_little_once_it_is_read_is_left_out_and_counted_on_no_page(
    service: Service, scope: Scope, kept: None
) -> None:
    some = reading(service, 10)
    every = search(some, scope, QUESTION, limit=26, min_score=0).hits
    least = sorted(hit.score for hit in every[:10])[4]
    wanted = [hit.memory.id for hit in every if hit.score >= least]
    page = search(some, scope, QUESTION, limit=2, min_score=least)
    found = [hit.memory.id for hit in page.hits]
    assert page.total == len(wanted)
    while page.next is not None:
        page = search(some, scope, QUESTION, limit=2, min_score=least, after=page.next)
        found += [hit.memory.id for hit in page.hits]
        assert [hit.place for hit in page.hits] == list(
            range(len(found) - len(page.hits) + 1, len(found) + 1)
        )
    assert found == wanted
    assert search(some, scope, QUESTION, limit=26, min_score=least).total == len(wanted)


@pytest.mark.parametrize("first", [1, 4, 7, 10, 13])
def test_pages_repeat_nothing_and_leave_nothing_out(
    service: Service, scope: Scope, kept: None, first: int
) -> None:
    """Of the first ten that are read, of those behind, and of a page with some of both."""
    some = reading(service, 10)
    whole = [hit.memory.id for hit in search(some, scope, QUESTION, limit=26, min_score=0).hits]
    page = search(some, scope, QUESTION, limit=first, min_score=0)
    found = [hit.memory.id for hit in page.hits]
    while page.next is not None:
        page = search(some, scope, QUESTION, limit=first, min_score=0, after=page.next)
        found += [hit.memory.id for hit in page.hits]
        assert [hit.place for hit in page.hits] == list(
            range(len(found) - len(page.hits) + 1, len(found) + 1)
        )
    assert found == whole
    assert len(set(found)) == page.total == 26


def test_another_language_keeps_the_order_of_the_search(service: Service, scope: Scope, kept: None) -> None:
    read = search(reading(service, 30), scope, "Wo wohnt denn die Schwester von Ivo heute?", min_score=0).hits
    assert read
    assert not any("reads" in hit.seen for hit in read)


def test_a_passage_is_read_with_its_picture(service: Service, scope: Scope) -> None:
    said = [
        Message("Ann", AT, "Look at this!", "s-0", caption="a red kayak on a lake"),
        Message("Ann", AT + timedelta(minutes=1), "Look at this one, too!", "s-1"),
    ]
    submit(service, Call(scope, "test"), "s", said)
    whole = Scope(scope.tenant_name)
    list(passage_vectors.fill(service, whole, lambda work: service.write(whole, work)))
    found = search(service, scope, "What colour is the kayak?", grains=(Grain.PASSAGE,), min_score=0).passages
    reads = {hit.passage.ref: hit.seen["reads"] for hit in found}
    [expected] = opened().read(
        "What colour is the kayak?", ["Ann: Look at this! [shares a red kayak on a lake]"]
    )
    assert reads["s-0"] == pytest.approx(expected)
    assert reads["s-0"] > reads["s-1"]
