"""Where the rules see no change in a single statement, the linker may propose one; it never retires anything there."""

from __future__ import annotations

import pytest

from graph_memory.curation import review_records
from graph_memory.ingest.pipeline import remember
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action, Verdict

pytestmark = pytest.mark.stack


def _stands(known):
    return Verdict(known.id, Action.COEXIST, 0.9, "Both stand.")


def test_a_change_that_only_the_linker_sees_is_left_to_a_person(service, scope, monkeypatch):
    # The pair model sees this one.
    monkeypatch.setattr(EmbeddedJudge, "classify", lambda _, __, known: [_stands(each) for each in known])
    call = Call(scope, "test")
    known, _ = remember(service, call, Fact("A return flight to Nairobi is booked for 3 June."))
    outcome, _ = remember(service, call, Fact("The Nairobi trip is off, the airline refunded everything."))
    assert (outcome.operation, outcome.proposed) == (Operation.ADD, Action.SUPERSEDE)
    [review] = review_records.page(service, scope, 10).items
    assert (review.id, review.target_id, review.action) == (outcome.review_id, known.id, Action.SUPERSEDE)
    assert len(reading.browse(service, scope, first=10).items) == 2


def test_what_nothing_known_is_about_is_no_question(service, scope):
    call = Call(scope, "test")
    remember(service, call, Fact("A return flight to Nairobi is booked for 3 June."))
    outcome, _ = remember(service, call, Fact("Ann plays the viola in a quartet."))
    assert outcome.review_id is None
