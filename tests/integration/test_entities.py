"""Which names mean whom, and putting it right, on the real database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_memory.entities.changing import (
    Rename,
    delete_entity,
    merge_entities,
    rename_entity,
    split_entity,
)
from graph_memory.errors import Conflict, Invalid, NotFound
from graph_memory.ids import new_id
from graph_memory.ledger import Call, changes
from graph_memory.memory.add import add
from graph_memory.memory.model import EntityName, Fact
from graph_memory.memory.read import entities_of
from graph_memory.memory.undo import undo
from graph_memory.moments import Moment
from graph_memory.service import Service
from graph_memory.tenancy import Scope
from graph_memory.transfer.export import now_lines
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


def test_known_names_of_a_distinctive_shape_are_found_in_lower_case(service: Service, scope: Scope) -> None:
    keep(service, scope, "We store vectors in PostgreSQL.")
    keep(service, scope, "Yesterday we were in New York.")
    keep(service, scope, "My cousin Will sails.")
    id = keep(service, scope, "i will move postgresql to new york soon")
    assert {name for _, name in mentioned(service, scope, id)} == {"PostgreSQL", "New York"}


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
