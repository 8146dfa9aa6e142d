"""The life of a memory and taking decisions back, on the real database."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_memory.base.errors import HasDependants, IllegalMove, Invalid, LiveTwin, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.life import Revision
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import revert, undo
from graph_memory.model.memory import EntityName, Fact, Status
from graph_memory.store.service import Service
from tests.found import search

pytestmark = pytest.mark.stack


def call(scope: Scope) -> Call:
    return Call(scope, "test")


def keep(service: Service, scope: Scope, *texts: str, **fields: object) -> list[str]:
    return [item.id for item in add(service, call(scope), [Fact(text, **fields) for text in texts])[0]]  # type: ignore[arg-type]


def last(service: Service, scope: Scope) -> int:
    return int(changes(service, scope, first=1000)[-1]["sequence"])


def vector(service: Service, scope: Scope, id: str) -> list[float]:
    with service.driver.session() as session:
        row = session.run(
            "MATCH (m:Memory {tenant: $t, id: $id}) RETURN m.embedding AS v", t=scope.tenant, id=id
        ).single()
        return list(row["v"])


def test_revising_speaks_for_the_whole_interval_and_keeps_what_was_believed(service, scope, clock):
    """X47."""
    [id] = keep(service, scope, "Ann has a dog.", tags=("pets",))
    then, before = clock(), vector(service, scope, id)
    clock.set(2026, 3, 1)
    life.revise(
        service,
        call(scope),
        id,
        Revision(text="Ann has a dog named Max.", tags=("pets", "max")),
        "more is known",
    )
    memory = reading.get(service, scope, id)
    assert (memory.text, memory.tags, memory.valid_from) == (
        "Ann has a dog named Max.",
        ("max", "pets"),
        then,
    )
    assert (
        reading.get(service, scope, id, Moment(known_at=datetime(2026, 2, 1, tzinfo=UTC))).text
        == "Ann has a dog."
    )
    assert vector(service, scope, id) != before
    assert search(service, scope, "Max").hits[0].memory.id == id


def test_marks_are_no_new_version(service, scope, clock):
    [id] = keep(service, scope, "Ann is allergic to nuts.")
    clock.set(2026, 3, 1)
    life.revise(service, call(scope), id, Revision(critical=True, pinned=True))
    memory = reading.get(service, scope, id)
    assert memory.critical and memory.pinned
    assert len(reading.history(service, scope, id)) == 1


def test_archiving_and_restoring_brings_back_everything(service, scope, clock):
    """Cases 53 and 55."""
    [id] = keep(service, scope, "Ann sails.", tags=("sport",), entities=(EntityName("Ann", "ann", "PERSON"),))
    was, numbers = reading.get(service, scope, id), vector(service, scope, id)
    clock.set(2026, 3, 1)
    life.archive(service, call(scope), [id], "long unused")
    assert search(service, scope, "sails").hits == ()
    assert reading.get(service, scope, id).status is Status.ARCHIVED
    with pytest.raises(IllegalMove):
        life.archive(service, call(scope), [id])
    clock.set(2026, 4, 1)
    life.restore(service, call(scope), [id])
    again = reading.get(service, scope, id)
    assert (again.text, again.tags, again.status, again.valid_from) == (
        was.text,
        was.tags,
        was.status,
        was.valid_from,
    )
    assert vector(service, scope, id) == numbers
    assert search(service, scope, "sails").hits[0].memory.id == id


def test_an_archived_memory_answers_for_the_time_before(service, scope, clock):
    [id] = keep(service, scope, "Ann sails.")
    clock.set(2026, 3, 1)
    life.archive(service, call(scope), [id])
    assert reading.version(service, scope, id) is None
    assert (
        reading.version(service, scope, id, Moment(known_at=datetime(2026, 2, 1, tzinfo=UTC))).text
        == "Ann sails."
    )


@pytest.mark.parametrize(
    ("first", "then"),
    [(life.retract, life.archive), (life.retract, life.retract), (life.archive, life.archive)],
)
def test_an_illegal_move_is_refused_with_what_is_allowed(service, scope, first, then):
    [id] = keep(service, scope, "Ann sails.")
    first(service, call(scope), [id])
    with pytest.raises(IllegalMove, match="restore"):
        then(service, call(scope), [id])


def test_retracting_a_head_does_not_bring_back_its_predecessor(service, scope, clock):
    [old] = keep(service, scope, "v1")
    clock.set(2026, 2, 1)
    new = supersede(service, call(scope), old, Fact("v2"))[0].new
    clock.set(2026, 3, 1)
    life.retract(service, call(scope), [new], "nobody said that")
    assert reading.version(service, scope, old) is None
    undo(service, call(scope), [last(service, scope)])
    assert reading.version(service, scope, old).text == "v2"


def test_restoring_what_became_live_elsewhere_is_refused(service, scope):
    [id] = keep(service, scope, "Ann sails.")
    life.archive(service, call(scope), [id])
    [twin] = keep(service, scope, "Ann sails.")
    with pytest.raises(LiveTwin) as caught:
        life.restore(service, call(scope), [id])
    assert caught.value.holder == twin


def test_restoring_with_cascade_archives_the_twin_by_the_same_change(service, scope, clock):
    [id] = keep(service, scope, "Ann sails.")
    life.archive(service, call(scope), [id])
    [twin] = keep(service, scope, "Ann sails.")
    clock.set(2026, 3, 1)
    life.restore(service, call(scope), [id], "the first one", cascade=True)
    change = changes(service, scope)[-1]
    assert (change["operation"], change["targets"], change["sources"]) == ("RESTORE", [id], [twin])
    assert change["before"][twin]["status"] == "ACTIVE"
    assert [memory.id for memory in reading.browse(service, scope).items] == [id]
    with service.driver.session() as session:
        why = session.run("MATCH (m:Memory {id: $id}) RETURN m.archive_reason AS why", id=twin).single()[
            "why"
        ]
    assert id in why
    clock.set(2026, 4, 1)
    undo(service, call(scope), [last(service, scope)])
    assert [memory.id for memory in reading.browse(service, scope).items] == [twin]


def test_revising_into_a_live_statement_is_refused(service, scope):
    one, two = keep(service, scope, "Ann sails.", "Ann rows.")
    with pytest.raises(LiveTwin):
        life.revise(service, call(scope), one, Revision(text="ann ROWS"))
    assert reading.get(service, scope, one).text == "Ann sails."
    assert two != one


def test_expiring_ends_the_validity(service, scope, clock):
    [id] = keep(service, scope, "Ann is on holiday.")
    clock.set(2026, 2, 1)
    life.expire(service, call(scope), id, datetime(2026, 1, 20, tzinfo=UTC))
    assert search(service, scope, "holiday").hits == ()
    assert reading.version(service, scope, id, Moment(as_of=datetime(2026, 1, 15, tzinfo=UTC))).id == id
    with pytest.raises(Invalid):
        life.expire(service, call(scope), id, datetime(2025, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    "revision", [Revision(), Revision(text=" "), Revision(confidence=2.0), Revision(kind="a b")]
)
def test_a_bad_revision_changes_nothing(service, scope, revision):
    [id] = keep(service, scope, "Ann sails.")
    before = changes(service, scope)
    with pytest.raises(Invalid):
        life.revise(service, call(scope), id, revision)
    assert changes(service, scope) == before


def test_unknown_and_foreign_memories_are_not_found(service, scope):
    [id] = keep(service, scope, "Ann sails.")
    for other, wanted in (
        (scope, new_id()),
        (Scope(scope.tenant_name, "bob"), id),
        (Scope("x" + scope.tenant_name, "ann"), id),
    ):
        for move in (life.archive, life.restore, life.retract):
            with pytest.raises(NotFound):
                move(service, call(other), [wanted])


def test_all_or_none(service, scope):
    one, two = keep(service, scope, "one", "two")
    life.archive(service, call(scope), [two])
    with pytest.raises(IllegalMove):
        life.archive(service, call(scope), [one, two])
    assert reading.get(service, scope, one).status is Status.ACTIVE


def test_undoing_a_supersession_opens_the_old_again(service, scope, clock):
    [old] = keep(service, scope, "v1")
    clock.set(2026, 2, 1)
    new = supersede(service, call(scope), old, Fact("v2"), reason="it changed")[0].new
    [added, superseded] = changes(service, scope, after=1)
    clock.set(2026, 3, 1)
    undo(service, call(scope), [added["sequence"], superseded["sequence"]])
    assert reading.version(service, scope, old).text == "v1"
    assert reading.get(service, scope, old).valid_to is None
    assert reading.get(service, scope, new).status is Status.RETRACTED
    assert reading.get(service, scope, new).chain_id == new
    assert (
        reading.version(service, scope, old, Moment(known_at=datetime(2026, 2, 15, tzinfo=UTC))).text == "v2"
    )


def test_undoing_an_undo_brings_it_all_back(service, scope, clock):
    [old] = keep(service, scope, "v1")
    clock.set(2026, 2, 1)
    new = supersede(service, call(scope), old, Fact("v2"))[0].new
    clock.set(2026, 3, 1)
    undo(service, call(scope), [2, 3])
    clock.set(2026, 4, 1)
    undo(service, call(scope), [last(service, scope)])
    assert reading.version(service, scope, old).text == "v2"
    assert [link.from_id for link in reading.links_of(service, scope, [old])[old]] == [new]
    assert reading.get(service, scope, old).valid_to == datetime(2026, 2, 1, tzinfo=UTC)
    clock.set(2026, 5, 1)
    undo(service, call(scope), [3, 2])
    assert reading.version(service, scope, old).text == "v1"


def test_undoing_a_revision_brings_back_text_and_vector(service, scope, clock):
    [id] = keep(service, scope, "Ann has a dog.")
    numbers = vector(service, scope, id)
    clock.set(2026, 2, 1)
    life.revise(service, call(scope), id, Revision(text="Ann has a cat."))
    clock.set(2026, 3, 1)
    undo(service, call(scope), [2])
    assert reading.get(service, scope, id).text == "Ann has a dog."
    assert vector(service, scope, id) == numbers


def test_what_stands_on_it_refuses_an_undo_by_name(service, scope, clock):
    [id] = keep(service, scope, "v1")
    for number in (2, 3):
        clock.set(2026, number, 1)
        life.revise(service, call(scope), id, Revision(text=f"v{number}"))
    with pytest.raises(HasDependants, match="3 \\(UPDATE\\)"):
        undo(service, call(scope), [2])
    undone, _ = undo(service, call(scope), [2], cascade=True)
    assert undone.changes == (3, 2)
    assert reading.get(service, scope, id).text == "v1"


def test_what_was_undone_no_longer_stands_in_the_way(service, scope, clock):
    [id] = keep(service, scope, "v1")
    for number in (2, 3):
        clock.set(2026, number, 1)
        life.revise(service, call(scope), id, Revision(text=f"v{number}"))
    undo(service, call(scope), [3])
    undo(service, call(scope), [2])
    assert reading.get(service, scope, id).text == "v1"
    with pytest.raises(IllegalMove):
        undo(service, call(scope), [2])


def test_undoing_an_addition_retracts_it_and_closes_its_mentions(service, scope):
    [id] = keep(service, scope, "Ann sails.", entities=(EntityName("Ann", "ann", "PERSON"),))
    undo(service, call(scope), [1])
    assert reading.get(service, scope, id).status is Status.RETRACTED
    assert reading.entities_of(service, scope, [id]) == {}
    undo(service, call(scope), [2])
    assert reading.get(service, scope, id).status is Status.ACTIVE
    assert [entity["name"] for entity in reading.entities_of(service, scope, [id])[id]] == ["Ann"]


def test_a_run_is_reverted_as_a_whole(service, scope, clock):
    [kept] = keep(service, scope, "kept")
    by_run = Call(scope, "job", run_id=new_id())
    add(service, by_run, [Fact("one"), Fact("two")])
    life.revise(service, by_run, kept, Revision(text="changed"))
    undone, _ = revert(service, call(scope), by_run.run_id)
    assert len(undone.changes) == 3
    assert [memory.text for memory in reading.browse(service, scope).items] == ["kept"]
    with pytest.raises(NotFound):
        revert(service, call(scope), by_run.run_id)


def test_a_strangers_change_is_not_found(service, scope):
    keep(service, scope, "mine")
    with pytest.raises(NotFound):
        undo(service, call(Scope(scope.tenant_name, "bob")), [1])
