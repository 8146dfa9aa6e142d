"""The demonstration's questions over its own conversation, as it was taken in and before anybody has decided anything."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory import samples
from graph_memory.base.scope import Scope
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call
from graph_memory.store.service import Service
from tasks import execute
from tests.found import search

pytestmark = pytest.mark.stack

AFTERWARDS = datetime(2026, 7, 1, 12, tzinfo=UTC)


def test_each_is_answered_first_by_what_holds_at_the_end(service: Service, scope: Scope) -> None:
    service = replace(service, clock=lambda: AFTERWARDS)
    call = Call(scope, "test")
    execute(service, scope, receive(service, call, samples.conversation()).run_id)
    firsts = {
        each.question: search(service, scope, each.question).hits[0].memory.source.ref
        for each in samples.tour().questions
    }
    assert firsts == {each.question: each.ref for each in samples.tour().questions}
