"""What was said once and was important is found a year later, with the settings as they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, slots
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.model.memory import Status as MemoryStatus
from graph_memory.model.run import Status
from graph_memory.recall.access import counting
from graph_memory.scoring.scores import Tier
from graph_memory.store.service import Service
from graph_memory.upkeep.planning import statuses
from tasks import execute
from tests.found import search

pytestmark = [pytest.mark.stack, pytest.mark.long]

DAILY = ("due", "rescore", "archive", "restore", "reweigh")
_WHAT = ("walked along the river", "read about volcanoes", "repaired the bicycle", "called the dentist",
         "cooked lentil soup", "watched a film on whales", "bought new running shoes", "planted tomatoes",
         "met Jonas for coffee", "took the train to Bergen")  # fmt: skip
_WHEN = ("before breakfast", "at noon", "after work", "in the rain", "with her sister")


# Days from one round of the jobs to the next; a rescoring of ten days at once gives what ten give.
@pytest.mark.parametrize("step", [21, pytest.param(7, marks=pytest.mark.long_form)])
def test_ann_is_allergic_to_peanuts_is_found_after_a_year_without_mention(
    service: Service, scope: Scope, clock: Any, step: int
) -> None:
    clock.now = start = datetime(2026, 1, 1, 9, tzinfo=UTC)
    call = Call(scope, "test")
    facts = [
        Fact("Ann is allergic to peanuts."),
        Fact("Ann's grandmother was born in Trieste."),
    ]
    [kept, usual], _ = add(service, call, facts)
    assert kept.id
    assert usual.id
    others = [
        Fact(f"Ann {what} {when}, {part} week.", importance=importance)
        for part, importance in (("this", 0.1), ("last", 0.2), ("every", 0.5), ("some other", 0.8))
        for what in _WHAT
        for when in _WHEN
    ]
    assert len(others) == 200
    while clock.now - start < timedelta(days=366):
        # Something new each time, so that there is always much that is nearer at hand.
        add(service, call, others[: step * 4 // 7])
        del others[: step * 4 // 7]
        with counting(service) as accesses:
            page = search(service, scope, "river walks with her sister", limit=3)
            accesses.note(
                scope, [hit.memory.id for hit in page.hits if hit.memory.id not in (kept.id, usual.id)]
            )
        for name in DAILY:
            run, _ = slots.by_hand(service, Scope(scope.tenant_name), schedule.job(name))
            assert execute(service, Scope(scope.tenant_name), run.id).status is Status.DONE
        clock.forward(days=step)
    assert not others
    memory = reading.get(service, scope, kept.id)
    assert memory is not None
    assert (memory.status, memory.access_count) == ("ACTIVE", 0)
    # The default recall, asked as an agent would ask.
    for question in ("Is Ann allergic to anything?", "may Ann eat peanuts"):
        page = search(service, scope, question)
        assert kept.id in [hit.memory.id for hit in page.hits][:3], question
    # Both have become cold, as they were given no importance of their own, and answer since nothing warm is as near.
    assert memory.tier == Tier.COLD
    assert search(service, scope, "Where was Ann's grandmother born?").hits[0].memory.id == usual.id
    # The jobs were at work: what was worth little has been archived meanwhile.
    assert statuses(service, scope)[MemoryStatus.ARCHIVED] >= 40
