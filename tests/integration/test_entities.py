"""Which names mean whom, and putting it right, on the real database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from graph_memory.base.errors import Conflict, Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation.entity_edits import (
    Rename,
    delete_entity,
    merge_entities,
    rename_entity,
    split_entity,
)
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import entity_reading
from graph_memory.memory.addition import add
from graph_memory.memory.entity_reading import relations_of
from graph_memory.memory.erasure import forget
from graph_memory.memory.life import Revision, revise
from graph_memory.memory.merge import merge
from graph_memory.memory.reading import entities_of
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import EntityName, Fact
from graph_memory.store.service import Service
from graph_memory.transfer.export import export_lines, now_lines, write_file
from graph_memory.transfer.restore import restore
from graph_memory.verify import verify
from tests.conftest import Clock

pytestmark = pytest.mark.stack


def keep(service: Service, scope: Scope, text: str, *names: EntityName | str) -> str:
    """The id of a new memory; with names, these are what it mentions."""
    given = tuple(EntityName(each, each.lower()) if isinstance(each, str) else each for each in names)
    [added], _ = add(service, Call(scope, "test"), [Fact(text, entities=given or None)])
    assert added.id is not None
    return added.id


def person(name: str, discriminator: str = "") -> EntityName:
    return EntityName(name, name.lower(), "PERSON", discriminator)


def mentioned(service: Service, scope: Scope, id: str, moment: Moment | None = None) -> list[tuple[str, str]]:
    """Ids and names of what a memory mentions."""
    rows = entities_of(service, scope, [id], moment or Moment()).get(id, [])
    return [(row["id"], row["name"]) for row in rows]


def entity(service: Service, scope: Scope, id: str) -> str:
    [(found, _)] = mentioned(service, scope, id)
    return found


def last(service: Service, scope: Scope) -> int:
    return int(changes(service, scope, first=500)[-1]["sequence"])


def sound(service: Service, scope: Scope) -> None:
    assert verify(service, [scope.tenant_name]).findings == ()


def test_the_same_name_twice_is_one_entity_also_when_said_at_once(service: Service, scope: Scope) -> None:
    """Case 147."""
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda n: keep(service, scope, f"Ann has {n} cats.", person("Ann")), range(16)))
    assert len({entity(service, scope, id) for id in ids}) == 1
    sound(service, scope)


def test_a_better_type_makes_the_same_entity_a_person_and_undo_takes_it_back(
    service: Service, scope: Scope
) -> None:
    first = keep(service, scope, "Ann has a cat.", "Ann")
    before = list(now_lines(service, scope))
    second = keep(service, scope, "Ann told me of a dog.", person("Ann"))
    third = keep(service, scope, "Ann has a bird.", "Ann")
    assert entity(service, scope, first) == entity(service, scope, second) == entity(service, scope, third)
    [row] = entities_of(service, scope, [first])[first]
    assert row["type"] == "PERSON"
    sequence = last(service, scope)
    undo(service, Call(scope, "test"), [sequence, sequence - 1])
    assert list(now_lines(service, scope)) == before
    sound(service, scope)


def test_signs_and_discriminators_keep_namesakes_apart(service: Service, scope: Scope) -> None:
    languages = [keep(service, scope, f"We write {name}.", name) for name in ("C", "C++", "C#")]
    one = keep(service, scope, "John Smith sails.", person("John Smith", "Leeds"))
    other = keep(service, scope, "John Smith bakes.", person("John Smith", "York"))
    third = keep(service, scope, "John Smith rests.", person("John Smith"))
    place = keep(service, scope, "Jordan is hot.", EntityName("Jordan", "jordan", "GPE"))
    man = keep(service, scope, "Jordan is tall.", person("Jordan"))
    ids = [entity(service, scope, id) for id in (*languages, one, other, third, place, man)]
    assert len(set(ids)) == len(ids)


def test_a_short_form_means_the_only_person_it_can(service: Service, scope: Scope) -> None:
    full = entity(service, scope, keep(service, scope, "John Smith sails.", person("John Smith")))
    assert (
        entity(service, scope, keep(service, scope, "J. Smith bakes.", EntityName("J. Smith", "j. smith")))
        == full
    )
    assert entity(service, scope, keep(service, scope, "John rests.", person("John"))) == full
    keep(service, scope, "John Miller runs.", person("John Miller"))
    keep(service, scope, "Jane Smith runs.", person("Jane Smith"))
    assert entity(service, scope, keep(service, scope, "John reads.", person("John"))) != full
    assert (
        entity(service, scope, keep(service, scope, "J. Smith reads.", EntityName("J. Smith", "j. smith")))
        != full
    )


def test_names_that_are_read_out_of_texts_are_shortened_as_those_that_are_given(
    service: Service, scope: Scope
) -> None:
    full = entity(service, scope, keep(service, scope, "Yesterday John Smith rang."))
    assert entity(service, scope, keep(service, scope, "John is in the choir.")) == full
    keep(service, scope, "John Miller rang as well.")
    assert entity(service, scope, keep(service, scope, "We saw John.")) != full
    keep(service, scope, "Yesterday Paris Hilton rang.")
    [(_, name)] = mentioned(service, scope, keep(service, scope, "We saw Paris."))
    assert name == "Paris"


def test_known_names_of_a_distinctive_shape_are_found_in_lower_case(service: Service, scope: Scope) -> None:
    keep(service, scope, "We store vectors in PostgreSQL.")
    keep(service, scope, "Yesterday we were in New York.")
    keep(service, scope, "My cousin Will sails.")
    id = keep(service, scope, "i will move postgresql to new york soon")
    assert {name for _, name in mentioned(service, scope, id)} == {"PostgreSQL", "New York"}


def test_a_known_plain_name_is_found_where_a_sentence_begins_with_it(service: Service, scope: Scope) -> None:
    ines = entity(service, scope, keep(service, scope, "We met Ines today."))
    assert entity(service, scope, keep(service, scope, "Ines moved house.")) == ines
    keep(service, scope, "My cousin Will sails.")
    assert mentioned(service, scope, keep(service, scope, "Will power counts.")) == []


def test_a_merge_moves_the_mentions_and_the_old_name_leads_on(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Case 147."""
    bob = keep(service, scope, "Bob sails.", person("Bob"))
    robert = keep(service, scope, "Robert bakes.", person("Robert"))
    both = keep(service, scope, "Bob is Robert.", person("Bob"), person("Robert"))
    before, then = list(now_lines(service, scope)), clock.now
    clock.forward(days=1)
    source, target = entity(service, scope, bob), entity(service, scope, robert)
    call = Call(scope, "test", key="m")
    answer = merge_entities(service, call, target, source, "one man")
    assert answer.value == {"id": target, "merged": source, "memories": 2}
    assert merge_entities(service, call, target, source, "one man").replayed
    assert entity(service, scope, bob) == target == entity(service, scope, both)
    assert mentioned(service, scope, bob, Moment(known_at=then)) == [(source, "Bob")]
    assert entity(service, scope, keep(service, scope, "Bob rests.", person("Bob"))) == target
    sound(service, scope)
    sequence = last(service, scope)
    undo(service, Call(scope, "test"), [sequence])
    undo(service, Call(scope, "test"), [sequence - 1])
    assert list(now_lines(service, scope)) == before
    sound(service, scope)
    undo(service, Call(scope, "test"), [last(service, scope)])
    assert entity(service, scope, bob) == target
    sound(service, scope)


def test_a_merge_needs_two_that_are_there(service: Service, scope: Scope) -> None:
    """Case 147: an unknown target is an error."""
    ann, bob, eve = (
        entity(service, scope, keep(service, scope, f"{name} sails.", name)) for name in ("Ann", "Bob", "Eve")
    )
    call = Call(scope, "test")
    with pytest.raises(NotFound):
        merge_entities(service, call, new_id(), ann)
    with pytest.raises(NotFound):
        merge_entities(service, Call(scope.of("ben"), "test"), ann, bob)
    with pytest.raises(Conflict, match="itself"):
        merge_entities(service, call, ann, ann)
    merge_entities(service, call, ann, bob)
    with pytest.raises(Conflict, match="another name"):
        merge_entities(service, call, eve, bob)


def test_merges_on_merges_are_undone_in_their_order(service: Service, scope: Scope) -> None:
    memory = keep(service, scope, "Bob sails.", person("Bob"))
    bob = entity(service, scope, memory)
    robert, smith = (
        entity(service, scope, keep(service, scope, f"{name} bakes.", person(name)))
        for name in ("Robert", "Bobby")
    )
    before = list(now_lines(service, scope))
    merge_entities(service, Call(scope, "test"), robert, bob)
    merge_entities(service, Call(scope, "test"), smith, robert)
    assert entity(service, scope, memory) == smith
    sequence = last(service, scope)
    with pytest.raises(Conflict, match=str(sequence)):
        undo(service, Call(scope, "test"), [sequence - 1])
    undo(service, Call(scope, "test"), [sequence - 1], cascade=True)
    assert list(now_lines(service, scope)) == before
    sound(service, scope)


def test_a_split_gives_some_memories_to_another(service: Service, scope: Scope) -> None:
    one = keep(service, scope, "John Smith sails.", person("John Smith"))
    other = keep(service, scope, "John Smith works at Acme.", person("John Smith"), "Acme")
    before = list(now_lines(service, scope))
    old = entity(service, scope, one)
    call = Call(scope, "test")
    with pytest.raises(Invalid, match="tells the two apart"):
        split_entity(service, call, old, [other])
    answer = split_entity(service, call, old, [other], "the baker")
    assert (old, "John Smith") in mentioned(service, scope, one)
    assert answer.value["split"] in {id for id, _ in mentioned(service, scope, other)}
    with pytest.raises(Conflict, match="already"):
        split_entity(service, call, old, [one], "the baker")
    sound(service, scope)
    undo(service, call, [last(service, scope)])
    assert list(now_lines(service, scope)) == before
    sound(service, scope)


def test_a_new_name_keeps_the_old_one_as_an_alias(service: Service, scope: Scope) -> None:
    first = keep(service, scope, "Facebook has an office.", "Facebook")
    before = list(now_lines(service, scope))
    id = entity(service, scope, first)
    call = Call(scope, "test")
    rename_entity(service, call, id, Rename(name="Meta Platforms", type="org"))
    for name in ("Facebook", "Meta Platforms"):
        assert entity(service, scope, keep(service, scope, f"{name} hires.", name)) == id
    rename_entity(service, call, id, Rename(aliases=("FB", "Facebook", "FB Inc.")))
    assert entity(service, scope, keep(service, scope, "FB hires more.", "FB")) == id
    other = entity(service, scope, keep(service, scope, "Apple hires.", EntityName("Apple", "apple", "ORG")))
    with pytest.raises(Conflict, match="merge the two"):
        rename_entity(service, call, other, Rename(name="Meta Platforms"))
    sound(service, scope)
    whole = [change["sequence"] for change in changes(service, scope, first=500)][1:]
    undo(service, call, whole)
    assert list(now_lines(service, scope)) == before


def test_a_deleted_entity_is_mentioned_by_nothing_until_it_is_undone(service: Service, scope: Scope) -> None:
    memory = keep(service, scope, "Tomorrow is a word.", "Tomorrow")
    delete_entity(service, Call(scope, "test"), entity(service, scope, memory), "no name")
    assert mentioned(service, scope, memory) == []
    sound(service, scope)
    undo(service, Call(scope, "test"), [last(service, scope)])
    assert [name for _, name in mentioned(service, scope, memory)] == ["Tomorrow"]
    sound(service, scope)


def related(
    service: Service, scope: Scope, id: str, moment: Moment | None = None
) -> list[tuple[str, str, str]]:
    found = relations_of(service, scope, [id], moment or Moment()).get(id, [])
    return [(each.from_name, each.type, each.to_name) for each in found]


def test_a_relation_answers_only_while_its_memory_does(service: Service, scope: Scope, clock: Clock) -> None:
    memory = keep(
        service, scope, "Ann works at Google.", person("Ann"), EntityName("Google", "google", "ORG")
    )
    ann = {name: id for id, name in mentioned(service, scope, memory)}["Ann"]
    assert related(service, scope, ann) == [("Ann", "WORKS_AT", "Google")]
    sound(service, scope)
    added, before = last(service, scope), list(now_lines(service, scope))
    clock.forward(days=30)
    then = clock.now
    new = Fact(
        "Ann works at Anthropic.", entities=(person("Ann"), EntityName("Anthropic", "anthropic", "ORG"))
    )
    clock.forward(days=1)
    supersede(service, Call(scope, "test"), memory, new)
    assert related(service, scope, ann) == [("Ann", "WORKS_AT", "Anthropic")]
    assert related(service, scope, ann, Moment(as_of=then)) == [("Ann", "WORKS_AT", "Google")]
    undo(service, Call(scope, "test"), [added + 1, added + 2])
    assert related(service, scope, ann) == [("Ann", "WORKS_AT", "Google")]
    assert list(now_lines(service, scope)) == before
    undo(service, Call(scope, "test"), [added])
    assert related(service, scope, ann) == []
    sound(service, scope)


def test_a_relation_follows_a_merge_a_split_and_their_undo(service: Service, scope: Scope) -> None:
    call = Call(scope, "test")
    one = keep(service, scope, "Bob lives in Rome.", person("Bob"), "Rome")
    bob = {name: id for id, name in mentioned(service, scope, one)}["Bob"]
    robert = entity(service, scope, keep(service, scope, "Robert bakes.", person("Robert")))
    merge_entities(service, call, robert, bob)
    assert related(service, scope, robert) == [("Robert", "LIVES_IN", "Rome")]
    assert related(service, scope, bob) == []
    undo(service, call, [last(service, scope)])
    assert related(service, scope, bob) == [("Bob", "LIVES_IN", "Rome")]
    split = split_entity(service, call, bob, [one], "the other").value["split"]
    assert (related(service, scope, bob), related(service, scope, split)) == (
        [],
        [("Bob", "LIVES_IN", "Rome")],
    )
    undo(service, call, [last(service, scope)])
    assert related(service, scope, bob) == [("Bob", "LIVES_IN", "Rome")]
    sound(service, scope)


def test_erasing_takes_names_aliases_relations_and_what_the_ledger_says_of_them(
    service: Service, scope: Scope
) -> None:
    call = Call(scope, "test")
    canary = keep(service, scope, "Canary lives in Rome.", person("Canary"), "Rome")
    other = keep(service, scope, "Robert lives in Oslo.", person("Robert"), "Oslo")
    source = {name: id for id, name in mentioned(service, scope, canary)}["Canary"]
    target = {name: id for id, name in mentioned(service, scope, other)}["Robert"]
    merge_entities(service, call, target, source)
    forget(service, call, [canary])
    told = service.driver.execute_query(
        "MATCH (n {tenant: $t}) OPTIONAL MATCH (n)-[r]->() RETURN properties(n) AS n, properties(r) AS r",
        t=scope.tenant,
    ).records
    assert not [row for row in told if "canary" in str(row.data()).lower()]
    assert related(service, scope, target) == [("Robert", "LIVES_IN", "Oslo")]
    sound(service, scope)


def test_an_export_carries_aliases_relations_and_changes_of_entities(
    service: Service, scope: Scope, tmp_path: Path
) -> None:
    one = keep(service, scope, "Bob lives in Rome.", person("Bob"), "Rome")
    bob = {name: id for id, name in mentioned(service, scope, one)}["Bob"]
    robert = entity(service, scope, keep(service, scope, "Robert bakes.", person("Robert")))
    merge_entities(service, Call(scope, "test"), robert, bob)
    path = tmp_path / "out.jsonl"
    write_file(path, lambda: export_lines(service, Scope(scope.tenant_name)))
    empty = Scope(f"{scope.tenant_name}-again", "ann")
    restore(service, path, empty.tenant_name)
    assert related(service, empty, robert) == [("Robert", "LIVES_IN", "Rome")]
    assert entity(service, empty, keep(service, empty, "Bob rests.", person("Bob"))) == robert
    undo(service, Call(empty, "test"), [4])
    undo(service, Call(empty, "test"), [3])
    assert related(service, empty, bob) == [("Bob", "LIVES_IN", "Rome")]
    sound(service, empty)


def test_pages_of_entities_go_by_name_and_moment(service: Service, scope: Scope, clock: Clock) -> None:
    for name in ("Ann", "Anna", "Bea"):
        keep(service, scope, f"{name} sails.", person(name))
        clock.forward(days=1)
    whole = entity_reading.page(service, scope)
    assert [each["name"] for each in whole.items] == ["Ann", "Anna", "Bea"]
    assert [each["name"] for each in entity_reading.page(service, scope, "an", "person").items] == [
        "Ann",
        "Anna",
    ]
    first = entity_reading.page(service, scope, first=2)
    assert (first.has_next, [each["name"] for each in first.items]) == (True, ["Ann", "Anna"])
    rest = entity_reading.page(service, scope, first=2, after=first.cursors[-1])
    assert (rest.has_next, [each["name"] for each in rest.items]) == (False, ["Bea"])
    early = Moment(known_at=clock.now - timedelta(days=2, hours=1))
    assert [each["name"] for each in entity_reading.page(service, scope, moment=early).items] == ["Ann"]
    assert entity_reading.page(service, Scope("somebody else")).items == []
    with pytest.raises(Invalid, match="cursor"):
        entity_reading.page(service, scope, after="nonsense")


def names_of(service: Service, scope: Scope, id: str, moment: Moment | None = None) -> set[str]:
    return {name for _, name in mentioned(service, scope, id, moment)}


def test_a_revised_memory_mentions_what_its_text_names_now(
    service: Service, scope: Scope, clock: Clock
) -> None:
    call = Call(scope, "test")
    id = keep(service, scope, "Ann has a dog called Rex.")
    believed = Moment(known_at=clock.now)
    clock.forward(days=1)
    revise(service, call, id, Revision("Ann has a dog called Max."))
    assert names_of(service, scope, id) == {"Ann", "Max"}
    assert names_of(service, scope, id, believed) == {"Ann", "Rex"}
    sound(service, scope)
    undo(service, call, [last(service, scope)])
    assert names_of(service, scope, id) == {"Ann", "Rex"}
    undo(service, call, [last(service, scope)])
    assert names_of(service, scope, id) == {"Ann", "Max"}
    sound(service, scope)


def test_a_revision_is_brought_to_another_store_with_what_it_mentioned(
    service: Service, scope: Scope, clock: Clock, tmp_path: Path
) -> None:
    id = keep(service, scope, "Ann has a dog called Rex.")
    believed = Moment(known_at=clock.now)
    clock.forward(days=1)
    revise(service, Call(scope, "test"), id, Revision("Ann has a dog called Max."))
    path = tmp_path / "out.jsonl"
    write_file(path, lambda: export_lines(service, Scope(scope.tenant_name)))
    other = Scope(f"{scope.tenant_name}-again", "ann")
    restore(service, path, other.tenant_name)
    assert names_of(service, other, id) == {"Ann", "Max"}
    assert names_of(service, other, id, believed) == {"Ann", "Rex"}
    undo(service, Call(other, "test"), [last(service, other)])
    assert names_of(service, other, id) == {"Ann", "Rex"}
    sound(service, other)


def test_a_revision_leaves_names_alone_that_somebody_gave_or_took(service: Service, scope: Scope) -> None:
    call = Call(scope, "test")
    rex = EntityName("Rex", "rex", "ANIMAL")
    id = keep(service, scope, "Ann Hale took Rex to Dr Moss.", person("Ann Hale"), rex, person("Bea"))
    revise(service, call, id, Revision("Ann took Rex to Cora."))
    assert names_of(service, scope, id) == {"Ann Hale", "Rex", "Bea", "Cora"}
    gone = next(each for each, name in mentioned(service, scope, id) if name == "Cora")
    delete_entity(service, call, gone)
    revise(service, call, id, Revision("Ann took her Rex to Cora in June."))
    assert names_of(service, scope, id) == {"Ann Hale", "Rex", "Bea"}
    sound(service, scope)


def test_a_revision_that_calls_a_thing_by_a_name_of_old_keeps_its_one_mention(
    service: Service, scope: Scope
) -> None:
    call = Call(scope, "test")
    rexie = entity(service, scope, keep(service, scope, "Rexie barked.", "Rexie"))
    id = keep(service, scope, "Rex barked.", "Rex")
    rex = entity(service, scope, id)
    merge_entities(service, call, rex, rexie)
    rename_entity(service, call, rex, Rename(aliases=()))
    revise(service, call, id, Revision("Last night Rexie barked."))
    assert mentioned(service, scope, id) == [(rex, "Rex")]
    sound(service, scope)


def test_a_revision_reads_relations_between_the_new_names(service: Service, scope: Scope) -> None:
    id = keep(service, scope, "Ann works at Larkfield.")
    revise(service, Call(scope, "test"), id, Revision("Ann works at Quillmark."))
    ann = next(each for each, name in mentioned(service, scope, id) if name == "Ann")
    assert related(service, scope, ann) == [("Ann", "WORKS_AT", "Quillmark")]
    sound(service, scope)


def test_a_revised_or_merged_memory_states_what_its_text_says_now(
    service: Service, scope: Scope, clock: Clock
) -> None:
    call = Call(scope, "test")
    memory = keep(service, scope, "Ann works in Rome.", person("Ann"), "Rome")
    ann = {name: id for id, name in mentioned(service, scope, memory)}["Ann"]
    assert related(service, scope, ann) == []
    then = clock.now
    clock.forward(days=1)
    revise(service, call, memory, Revision("Ann lives in Rome."))
    assert related(service, scope, ann) == [("Ann", "LIVES_IN", "Rome")]
    assert related(service, scope, ann, Moment(known_at=then)) == []
    other = keep(service, scope, "Ann likes Rome.", person("Ann"), "Rome")
    merge(service, call, memory, other)
    assert related(service, scope, ann) == [("Ann", "LIVES_IN", "Rome")]
    revise(service, call, memory, Revision("Ann no longer lives in Rome, which Ann liked."))
    assert related(service, scope, ann) == []
    undo(service, call, [last(service, scope)])
    assert related(service, scope, ann) == [("Ann", "LIVES_IN", "Rome")]
    sound(service, scope)
