"""What memories state of whom, and how it follows whatever becomes of them, on the real database."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation.entity_edits import delete_entity, merge_entities, split_entity
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import entity_reading
from graph_memory.memory.addition import add
from graph_memory.memory.attribute_reading import attributes_of, claims_of
from graph_memory.memory.erasure import forget
from graph_memory.memory.life import Revision, archive, retract, revise
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import EntityName, Fact
from graph_memory.store.service import Service
from graph_memory.transfer.export import export_lines, now_lines, write_file
from graph_memory.transfer.restore import restore
from graph_memory.upkeep.claim_fill import fill
from graph_memory.verify import verify
from tests.conftest import Clock

pytestmark = pytest.mark.stack


def keep(service: Service, scope: Scope, text: str, since: datetime | None = None) -> str:
    [added], _ = add(service, Call(scope, "test"), [Fact(text, valid_from=since)])
    assert added.id is not None
    return added.id


def entity(service: Service, scope: Scope, name: str) -> str:
    [found] = entity_reading.page(service, scope, name).items
    return str(found["id"])


def values(service: Service, scope: Scope, id: str, moment: Moment | None = None) -> dict[str, list[str]]:
    """What is so at the moment, by attribute."""
    when = moment or Moment()
    found = attributes_of(service, scope, [id], moment=when).get(id, [])
    at = when.at(service.clock())[0]
    now = {each.name: [stated.value for stated in each.current(at)] for each in found}
    return {name: held for name, held in now.items() if held}


def last(service: Service, scope: Scope) -> int:
    return int(changes(service, scope, first=500)[-1]["sequence"])


def sound(service: Service, scope: Scope) -> None:
    assert verify(service, [scope.tenant_name]).findings == ()


def test_what_is_stated_stands_with_whom_it_is_about(service: Service, scope: Scope) -> None:
    told = keep(service, scope, "Sarah lives in Porto.")
    keep(service, scope, "My budget is 500 euros.")
    keep(service, scope, "It rained a lot, as they say.")
    assert values(service, scope, entity(service, scope, "Sarah")) == {"live in": ["Porto"]}
    assert values(service, scope, entity(service, scope, "User")) == {"budget": ["500 euros"]}
    assert claims_of(service, scope, [told])[told].value == "Porto"
    sound(service, scope)


def test_a_new_version_states_the_same_attribute_in_whatever_words(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """What takes a memory's place tells the same thing anew, also where its own words name another attribute."""
    start = clock() - timedelta(days=60)
    old = keep(service, scope, "Sarah lives in Berlin.", start)
    supersede(service, Call(scope, "test"), old, Fact("Sarah moved to Porto."), start + timedelta(days=30))
    sarah = entity(service, scope, "Sarah")
    assert values(service, scope, sarah) == {"live in": ["Porto"]}
    assert values(service, scope, sarah, Moment(as_of=start + timedelta(days=3))) == {"live in": ["Berlin"]}
    [attribute] = attributes_of(service, scope, [sarah])[sarah]
    assert [each.value for each in attribute.history()] == ["Porto", "Berlin"]
    assert attribute.stated[1].valid_to == attribute.stated[0].valid_from
    undo(service, Call(scope, "test"), [last(service, scope)])
    assert values(service, scope, sarah) == {"live in": ["Berlin"], "moved to": ["Porto"]}
    sound(service, scope)


@pytest.mark.parametrize(
    ("told", "end"),
    [
        ("Max drives a Skoda.", "Max sold the Skoda."),
        ("Max plays the cello.", "Max gave up the cello."),
        ("Max works as a nurse.", "Max handed in their notice."),
        ("Max lives in Rome.", "Max does not like Oslo."),
        ("Max pays 90 euros for gas.", "Max saved the 90 euros."),
    ],
)
def test_what_tells_the_end_alone_states_no_value_for_it(
    service: Service, scope: Scope, clock: Clock, told: str, end: str
) -> None:
    start = clock() - timedelta(days=60)
    old = keep(service, scope, told, start)
    max_ = entity(service, scope, "Max")
    [was] = attributes_of(service, scope, [max_])[max_]
    supersede(service, Call(scope, "test"), old, Fact(end), start + timedelta(days=30))
    assert was.name not in values(service, scope, max_)
    then = values(service, scope, max_, Moment(as_of=start + timedelta(days=3)))
    assert then == {was.name: [was.stated[0].value]}
    sound(service, scope)


def test_what_holds_from_a_day_ahead_leaves_the_value_until_then(
    service: Service, scope: Scope, clock: Clock
) -> None:
    old = keep(service, scope, "Max pays 620 euros a month for rent.")
    ahead = clock() + timedelta(days=30)
    supersede(service, Call(scope, "test"), old, Fact("Max pays 780 euros a month for rent."), ahead)
    max_ = entity(service, scope, "Max")
    assert values(service, scope, max_) == {"pay": ["620 euros"]}
    assert values(service, scope, max_, Moment(as_of=ahead)) == {"pay": ["780 euros"]}
    [attribute] = attributes_of(service, scope, [max_])[max_]
    assert [each.value for each in attribute.history()] == ["780 euros", "620 euros"]


def test_what_is_over_is_stated_no_more(service: Service, scope: Scope, clock: Clock) -> None:
    start = clock() - timedelta(days=60)
    old = keep(service, scope, "Sarah lives in Berlin.", start)
    over = Fact("No longer: Sarah lives in Berlin.")
    supersede(service, Call(scope, "test"), old, over, start + timedelta(days=30))
    sarah = entity(service, scope, "Sarah")
    assert values(service, scope, sarah) == {}
    assert values(service, scope, sarah, Moment(as_of=start + timedelta(days=3))) == {"live in": ["Berlin"]}
    sound(service, scope)


def test_another_text_is_read_anew_and_the_past_keeps_what_it_said(
    service: Service, scope: Scope, clock: Clock
) -> None:
    id = keep(service, scope, "Sarah lives in Berlin.")
    before, was = clock(), list(now_lines(service, scope))
    clock.forward(days=1)
    revise(service, Call(scope, "test"), id, Revision(text="Sarah works in Bern."))
    sarah = entity(service, scope, "Sarah")
    assert values(service, scope, sarah) == {"work in": ["Bern"]}
    assert values(service, scope, sarah, Moment(before, before)) == {"live in": ["Berlin"]}
    undo(service, Call(scope, "test"), [last(service, scope)])
    assert list(now_lines(service, scope)) == was
    sound(service, scope)


def test_undone_archived_and_taken_back_memories_state_nothing(service: Service, scope: Scope) -> None:
    ids = [keep(service, scope, f"Sarah owns {thing}.") for thing in ("a boat", "a horse", "a piano")]
    sarah, call = entity(service, scope, "Sarah"), Call(scope, "test")
    archive(service, call, [ids[0]])
    retract(service, call, [ids[1]])
    assert values(service, scope, sarah) == {"own": ["piano"]}
    number = last(service, scope)
    undo(service, call, [number])
    undo(service, call, [number - 2])
    assert sorted(values(service, scope, sarah)["own"]) == ["horse"]
    undo(service, call, [last(service, scope)])
    assert sorted(values(service, scope, sarah)["own"]) == ["horse", "piano"]
    sound(service, scope)


def test_attributes_go_with_merged_and_split_entities_and_come_back(
    service: Service, scope: Scope, clock: Clock
) -> None:
    keep(service, scope, "Sarah lives in Porto.")
    mine = keep(service, scope, "I work at Acme.")
    sarah, user = (entity(service, scope, name) for name in ("Sarah", "User"))
    before, was, call = clock(), list(now_lines(service, scope)), Call(scope, "test")
    clock.forward(days=1)
    merge_entities(service, call, sarah, user, "the user is Sarah")
    assert values(service, scope, sarah) == {"live in": ["Porto"], "work at": ["Acme"]}
    assert values(service, scope, sarah, Moment(before, before)) == {"live in": ["Porto"]}
    assert claims_of(service, scope, [mine])[mine].entity_id == sarah
    keep(service, scope, "I drive a van.")
    assert values(service, scope, sarah)["drive"] == ["van"]
    undo(service, call, [last(service, scope)])
    undo(service, call, [last(service, scope) - 2])
    assert list(now_lines(service, scope)) == was
    sound(service, scope)

    other = keep(service, scope, "Sarah lives in Oslo.")
    whole = list(now_lines(service, scope))
    split = split_entity(service, call, sarah, [other], "the baker").value["split"]
    assert values(service, scope, sarah) == {"live in": ["Porto"]}
    assert values(service, scope, split) == {"live in": ["Oslo"]}
    undo(service, call, [last(service, scope)])
    assert list(now_lines(service, scope)) == whole
    delete_entity(service, call, sarah)
    assert values(service, scope, sarah) == {}
    undo(service, call, [last(service, scope)])
    assert list(now_lines(service, scope)) == whole
    sound(service, scope)


def test_a_merged_memory_states_what_its_new_text_says(service: Service, scope: Scope) -> None:
    keep_id = keep(service, scope, "Sarah drives a van.")
    other = keep(service, scope, "Sarah drives a red van from 2019.")
    was = list(now_lines(service, scope))
    merge(service, Call(scope, "test"), keep_id, other, "Sarah drives a red van from 2019.")
    assert values(service, scope, entity(service, scope, "Sarah")) == {"drive": ["red van"]}
    undo(service, Call(scope, "test"), [last(service, scope)])
    assert list(now_lines(service, scope)) == was
    sound(service, scope)


def test_a_merged_memory_states_what_both_said(service: Service, scope: Scope, clock: Clock) -> None:
    first = keep(service, scope, "Lea speaks Dutch.")
    second = keep(service, scope, "Lea speaks French.")
    third = keep(service, scope, "Lea is allergic to bees.")
    call, lea = Call(scope, "test"), entity(service, scope, "Lea")
    clock.forward(days=1)
    before, was = clock(), values(service, scope, lea)
    clock.forward(days=1)
    merge(service, call, second, third)
    merge(service, call, first, second)
    number = last(service, scope)
    assert {name: sorted(each) for name, each in values(service, scope, lea).items()} == {
        "be allergic to": ["bees"],
        "speak": ["Dutch", "French"],
    }
    told = attributes_of(service, scope, [lea])[lea]
    assert {each.memory_id for one in told for each in one.stated} == {first}
    assert values(service, scope, lea, Moment(before, before)) == was
    sound(service, scope)
    revise(service, call, first, Revision(text="Lea speaks Dutch and French."))
    assert "be allergic to" not in values(service, scope, lea)
    undo(service, call, [last(service, scope)])
    undo(service, call, [number])
    assert values(service, scope, lea)["be allergic to"] == ["bees"]
    forget(service, call, ids=[third])
    assert "be allergic to" not in values(service, scope, lea)
    sound(service, scope)


def test_what_is_erased_leaves_no_attribute_and_no_words_in_another_one(
    service: Service, scope: Scope
) -> None:
    """The successor had the attribute from it, so the words of that go as well."""
    old = keep(service, scope, "Sarah hides 500 euros in the cellar.")
    supersede(service, Call(scope, "test"), old, Fact("Sarah is at 700 euros."))
    sarah = entity(service, scope, "Sarah")
    assert values(service, scope, sarah) == {"hide": ["700 euros"]}
    forget(service, Call(scope, "test"), ids=[old])
    assert values(service, scope, sarah) == {}
    assert not any("hide" in line for line in export_lines(service, scope))
    sound(service, scope)
    keep(service, scope, "I live in Rome.")
    forget(service, Call(scope, "test"), whole_subject=True)
    assert not any('"record":"attribute"' in line for line in export_lines(service, scope))


def test_what_an_erased_memory_lent_is_stated_no_longer(service: Service, scope: Scope) -> None:
    kept = keep(service, scope, "Sarah drives a van.")
    other = keep(service, scope, "Sarah drives a crimson van.")
    sarah = entity(service, scope, "Sarah")
    merge(service, Call(scope, "test"), kept, other, "Sarah drives a crimson van.")
    assert values(service, scope, sarah) == {"drive": ["crimson van"]}
    forget(service, Call(scope, "test"), ids=[other])
    assert values(service, scope, sarah) == {"drive": ["van"]}
    assert not any("crimson" in line for line in export_lines(service, scope))
    sound(service, scope)


def test_an_export_brings_back_what_was_stated(service: Service, scope: Scope, tmp_path: Path) -> None:
    old = keep(service, scope, "Sarah lives in Berlin.")
    supersede(service, Call(scope, "test"), old, Fact("Sarah moved to Porto."))
    keep(service, scope, "I do not eat meat.")
    write_file(tmp_path / "all.jsonl", lambda: export_lines(service, scope))
    there = Scope(f"restored-{new_id()}", scope.subject_name)
    restore(service, tmp_path / "all.jsonl", there.tenant_name)
    first = list(export_lines(service, scope))[1:-1]
    assert list(export_lines(service, there))[1:-1] == first
    assert values(service, there, entity(service, there, "Sarah")) == {"live in": ["Porto"]}
    sound(service, there)


def test_what_was_stored_before_is_read_by_the_job_once(service: Service, scope: Scope) -> None:
    ids = [keep(service, scope, f"Sarah owns {thing}.") for thing in ("a boat", "a horse")]
    whole = Scope(scope.tenant_name)
    unread = "UNWIND $ids AS id MATCH (m:Memory {id: id})-[r:STATES]->() SET m.unread = true DELETE r"
    service.driver.execute_query(unread, ids=ids, database_=service.settings.neo4j.database)
    assert claims_of(service, scope, ids) == {}
    assert sum(fill(service, whole)) == 2
    assert {each.value for each in claims_of(service, scope, ids).values()} == {"boat", "horse"}
    assert sum(fill(service, whole)) == 0
    sound(service, scope)


def test_a_name_that_means_two_states_nothing(service: Service, scope: Scope) -> None:
    names = tuple(EntityName("Sam", "sam", "PERSON", each) for each in ("Leeds", "York"))
    [added], _ = add(service, Call(scope, "test"), [Fact("Sam lives in Porto.", entities=names)])
    assert added.id is not None
    assert claims_of(service, scope, [added.id]) == {}


def test_the_subject_itself_is_listed_by_what_is_stated_of_it(service: Service, scope: Scope) -> None:
    keep(service, scope, "It rained a lot, as they say.")
    assert entity_reading.page(service, scope).items == []
    keep(service, scope, "My budget is 500 euros.")
    [found] = entity_reading.page(service, scope).items
    assert (found["name"], found["type"], found["link_count"]) == ("User", "SELF", 0)
