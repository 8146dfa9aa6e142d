"""Merging in place, what differs between moments, and what the clock ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory.base.errors import Conflict, IllegalMove, Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule as names
from graph_memory.jobs import slots
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.differences import Bucket, diff, timeline
from graph_memory.memory.life import Revision
from graph_memory.memory.merge import merge
from graph_memory.memory.merged_text import lost
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import EntityName, Fact, Status
from graph_memory.model.run import Status as RunStatus
from graph_memory.store.service import Service
from tasks import execute

pytestmark = pytest.mark.stack


def call(scope: Scope) -> Call:
    return Call(scope, "test")


def keep(service: Service, scope: Scope, text: str, **fields: object) -> str:
    return add(service, call(scope), [Fact(text, **fields)])[0][0].id  # type: ignore[arg-type]


@pytest.fixture
def dogs(service, scope, clock):
    """Case 85: two memories that complement one another."""
    has = keep(
        service, scope, "Ann has a dog.", tags=("pets",), importance=0.3, entities=(EntityName("Ann", "ann"),)
    )
    clock.set(2026, 2, 1)
    named = keep(
        service,
        scope,
        "The dog is named Max.",
        tags=("names",),
        importance=0.8,
        entities=(EntityName("Max", "max"),),
    )
    clock.set(2026, 3, 1)
    return has, named


def test_a_merge_keeps_the_id_and_both_statements(service, scope, dogs):
    has, named = dogs
    merged, _ = merge(service, call(scope), has, named, "Ann has a dog that is named Max.")
    memory = reading.get(service, scope, has)
    assert (merged.id, memory.text, memory.tags, memory.base_importance) == (
        has,
        merged.text,
        ("names", "pets"),
        0.8,
    )
    assert memory.access_count == 1
    assert reading.get(service, scope, named).status is Status.MERGED
    assert {entity["key"] for entity in reading.entities_of(service, scope, [has])[has]} == {"ann", "max"}
    assert [(link.kind, link.to_id) for link in reading.links_of(service, scope, [named])[named]] == [
        ("MERGED_INTO", has)
    ]
    assert [memory.id for memory in reading.browse(service, scope).items] == [has]
    assert changes(service, scope)[-1]["operation"] == "MERGE"


@pytest.mark.parametrize(("inherits", "importance"), [(True, 0.8), (False, 0.3)])
def test_the_merged_memory_takes_the_higher_importance_or_keeps_its_own(
    service, scope, dogs, inherits, importance
):
    """Feature 140; undone, each has its own again."""
    has, named = dogs
    pipeline = service.settings.pipeline.model_copy(update={"inherit_max_importance": inherits})
    own = replace(service, settings=service.settings.model_copy(update={"pipeline": pipeline}))
    merge(own, call(scope), has, named)
    assert reading.get(service, scope, has).base_importance == importance
    undo(service, call(scope), [changes(service, scope)[-1]["sequence"]])
    assert [reading.get(service, scope, id).base_importance for id in (has, named)] == [0.3, 0.8]


def test_the_old_text_is_read_at_a_time_before_the_merge(service, scope, dogs):
    """X47."""
    has, named = dogs
    merge(service, call(scope), has, named)
    before = Moment(known_at=datetime(2026, 2, 15, tzinfo=UTC))
    assert [memory.text for memory in reading.get_many(service, scope, dogs, before)] == [
        "Ann has a dog.",
        "The dog is named Max.",
    ]
    assert reading.get(service, scope, has).text == "Ann has a dog. The dog is named Max."


def test_a_merge_that_loses_a_number_or_a_name_is_refused(service, scope, clock):
    """Case 101."""
    one, two = (
        keep(service, scope, "The plan costs 40 euros."),
        keep(service, scope, "Theo pays for the plan."),
    )
    before = changes(service, scope)
    for text in ("The plan costs money, Theo pays.", "The plan costs 40 euros."):
        with pytest.raises(Invalid, match="loses"):
            merge(service, call(scope), one, two, text)
    assert changes(service, scope) == before


def test_what_is_lost_is_named():
    assert lost("Theo pays 4 euros", "Theo pays 40 euros on 3.5.") == ["40", "3.5"]


def test_undoing_a_merge_brings_both_back(service, scope, dogs, clock):
    has, named = dogs
    was = [memory.text for memory in reading.get_many(service, scope, dogs)]
    merge(service, call(scope), has, named)
    clock.set(2026, 4, 1)
    undo(service, call(scope), [changes(service, scope)[-1]["sequence"]])
    both = reading.get_many(service, scope, dogs)
    assert [memory.text for memory in both] == was
    assert [memory.status for memory in both] == [Status.ACTIVE, Status.ACTIVE]
    assert {entity["key"] for entity in reading.entities_of(service, scope, [has])[has]} == {"ann"}
    assert reading.links_of(service, scope, [named]) == {}


def test_a_merged_memory_cannot_be_restored_or_merged_again(service, scope, dogs):
    has, named = dogs
    merge(service, call(scope), has, named)
    for again in (
        lambda: life.restore(service, call(scope), [named]),
        lambda: merge(service, call(scope), has, named),
    ):
        with pytest.raises(IllegalMove, match="undo"):
            again()


def test_nothing_merges_with_itself_or_with_a_strangers(service, scope, dogs):
    with pytest.raises(Conflict):
        merge(service, call(scope), dogs[0], dogs[0])
    for other in (new_id(), keep(service, Scope(scope.tenant_name, "bob"), "Bob's")):
        with pytest.raises(NotFound, match=other):
            merge(service, call(scope), dogs[0], other)
        with pytest.raises(NotFound, match=other):
            merge(service, call(scope), other, dogs[0])


def test_a_diff_shows_what_came_what_went_and_what_changed(service, scope, clock):
    stays, goes, changes_ = (
        keep(service, scope, "stays"),
        keep(service, scope, "goes"),
        keep(service, scope, "changes"),
    )
    clock.set(2026, 3, 1)
    new = supersede(service, call(scope), goes, Fact("came"))[0].new
    life.revise(service, call(scope), changes_, Revision(text="changed"))
    clock.set(2026, 4, 1)
    then, now = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
    found = diff(service, scope, Moment(then, then), Moment(now, now))
    assert [memory.id for memory in found.added] == [new]
    assert [memory.id for memory in found.ended] == [goes]
    assert [(pair.before.text, pair.after.text) for pair in found.changed] == [("changes", "changed")]
    assert stays and found.next is None
    nothing = diff(service, scope, Moment(), Moment())
    assert nothing.added == nothing.ended == nothing.changed == ()


def test_pages_of_a_diff_hold_each_difference_once_while_others_write(service, scope, clock):
    names = [f"fact {number}" for number in range(5)]
    add(service, call(scope), [Fact(name) for name in names])
    clock.set(2026, 3, 1)
    then, now = (
        Moment(*[datetime(2025, 12, 1, tzinfo=UTC)] * 2),
        Moment(*[datetime(2026, 3, 1, tzinfo=UTC)] * 2),
    )
    told, after = [], None
    while True:
        page = diff(service, scope, then, now, first=2, after=after)
        told += [memory.text for memory in page.added]
        keep(service, scope, f"written meanwhile {new_id()}")
        after = page.next
        if after is None:
            break
    assert sorted(told) == names
    for first, cursor in ((0, None), (1001, None), (1, "nonsense"), (1, "WyJ4IiwgInkiXQ==")):
        with pytest.raises(Invalid):
            diff(service, scope, then, now, first=first, after=cursor)


def test_a_timeline_counts_what_begins_and_ends(service, scope):
    for month in (1, 3, 3):
        keep(
            service,
            scope,
            f"fact {new_id()}",
            valid_from=datetime(2025, month, 5, tzinfo=UTC),
            valid_to=datetime(2025, 6, 1, tzinfo=UTC),
        )
    steps = timeline(
        service, scope, datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC), Bucket.MONTH
    )
    assert [(step.start.month, step.begun, step.ended) for step in steps.items] == [
        (1, 1, 0),
        (3, 2, 0),
        (6, 0, 3),
    ]


def test_the_minute_job_moves_what_the_clock_has_ended(service, scope, clock):
    id = keep(service, scope, "on holiday", valid_to=datetime(2026, 1, 20, tzinfo=UTC))
    clock.set(2026, 2, 1)
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, names.job("due"))
    run = execute(service, tenant, run.id)
    assert (run.status, run.result["moved"]) == (RunStatus.DONE, 1)
    assert len(changes(service, scope)) == 1
    with service.driver.session() as session:
        labels = session.run(
            "MATCH (m:Memory {tenant: $t, id: $id}) RETURN labels(m) AS l", t=scope.tenant, id=id
        ).single()["l"]
    assert set(labels) == {"Memory", "Past"}
