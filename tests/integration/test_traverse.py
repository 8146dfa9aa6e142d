"""Following links on the real database: hops, time, walls, paths, causes, what falls."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.causes import causes, consequences, impact, quarantine
from graph_memory.memory.links import Wanted, link_many, unlink
from graph_memory.memory.sharing import reweigh
from graph_memory.memory.supersession import supersede
from graph_memory.memory.traversal import Direction, neighbours, path, subgraph
from graph_memory.memory.undo import undo
from graph_memory.model.memory import EntityName, Fact, Status
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack


def day(month: int, date: int) -> datetime:
    return datetime(2026, month, date, tzinfo=UTC)


@pytest.fixture
def call(scope: Scope) -> Call:
    return Call(scope, "test")


class World:
    """Memories by short names, and links between them written `a CAUSES b`."""

    def __init__(self, service: Service, call: Call) -> None:
        self.service = service
        self.call = call
        self.ids: dict[str, str] = {}

    def keep(self, names: str, **fields: object) -> None:
        facts = [Fact(f"Statement {name}", **{"entities": (), **fields}) for name in names.split()]  # type: ignore[arg-type]
        added, _ = add(self.service, self.call, facts)
        self.ids |= {name: str(each.id) for name, each in zip(names.split(), added, strict=True)}

    def link(self, *sentences: str, **fields: float) -> list[str]:
        new = [name for sentence in sentences for name in sentence.split()[::2] if name not in self.ids]
        if new:
            self.keep(" ".join(dict.fromkeys(new)))
        wanted = [
            Wanted(self.ids[start], self.ids[end], kind, **fields)
            for start, kind, end in (sentence.split() for sentence in sentences)
        ]
        return [each.id for each in link_many(self.service, self.call, wanted)[0]]

    def name(self, id: str) -> str:
        return next(name for name, known in self.ids.items() if known == id)

    def near(self, start: str, **wanted: object) -> dict[str, int]:
        found = neighbours(self.service, self.call.scope, self.ids[start], **wanted)  # type: ignore[arg-type]
        assert len({item.memory.id for item in found.items}) == len(found.items)
        return {self.name(item.memory.id): item.depth for item in found.items}

    def way(self, start: str, end: str, **wanted: object) -> list[str]:
        found = path(self.service, self.call.scope, self.ids[start], self.ids[end], **wanted)  # type: ignore[arg-type]
        for one, other, edge in zip(found.nodes, found.nodes[1:], found.edges, strict=False):
            assert {edge.from_id, edge.to_id} == {one.id, other.id}
        return [self.name(memory.id) for memory in found.nodes]


@pytest.fixture
def world(service: Service, call: Call) -> World:
    return World(service, call)


def test_depth_is_exact(world):
    """Cases 75 and 76."""
    world.link(*(f"{a} RELATED {b}" for a, b in zip("abcdefg", "bcdefgh", strict=True)))
    assert world.near("a", depth=1) == {"b": 1}
    assert world.near("a", depth=2) == {"b": 1, "c": 2}
    assert world.near("a") == {"b": 1, "c": 2, "d": 3}
    assert world.near("a", depth=5) == world.near("a", depth=10) == {"b": 1, "c": 2, "d": 3, "e": 4, "f": 5}
    assert world.near("a", depth=0) == {}
    with pytest.raises(Invalid):
        world.near("a", depth=-1)


def test_a_circle_ends_and_each_is_met_once_at_its_shortest(world):
    """Case 77."""
    world.link("a RELATED b", "b RELATED a", "b RELATED c", "c RELATED d", "d RELATED a", "a CAUSES b")
    assert world.near("a", depth=5, direction=Direction.OUT) == {"b": 1, "c": 2, "d": 3}
    assert world.near("a", depth=5) == {"b": 1, "d": 1, "c": 2}


def test_neighbours_carry_all_links_that_led_there(world, service, call):
    world.link("a RELATED b", "a CAUSES b", "b SUPPORTS a", "a RELATED c", "b RELATED d", "c RELATED d")
    found = {
        world.name(item.memory.id): item for item in neighbours(service, call.scope, world.ids["a"]).items
    }
    assert sorted(link.kind for link in found["b"].links) == ["CAUSES", "RELATED", "SUPPORTS"]
    assert {world.name(link.from_id) for link in found["d"].links} == {"b", "c"}
    assert found["b"].memory.text == "Statement b"


def test_kinds_direction_and_strength_choose_the_links(world):
    """Case 78."""
    world.link("a CAUSES b", "c SUPPORTS a", strength=0.9)
    world.link("a RELATED d", strength=0.3, confidence=0.5)
    assert world.near("a") == {"b": 1, "c": 1, "d": 1}
    assert world.near("a", kinds=["causes"]) == {"b": 1}
    assert world.near("a", direction=Direction.OUT) == {"b": 1, "d": 1}
    assert world.near("a", direction=Direction.IN) == {"c": 1}
    assert world.near("a", min_strength=0.5) == {"b": 1, "c": 1}
    assert world.near("a", min_confidence=0.6) == {"b": 1, "c": 1}
    for wrong in ({"kinds": ["likes"]}, {"min_strength": 1.5}, {"limit": 0}, {"limit": 1001}):
        with pytest.raises(Invalid):
            world.near("a", **wrong)


def test_a_conflict_is_met_from_either_end_in_any_direction(world):
    world.link("a CONFLICTS b")
    for direction in Direction:
        assert world.near("a", direction=direction) == {"b": 1}
        assert world.near("b", direction=direction) == {"a": 1}


def test_the_strongest_come_first_and_what_is_cut_is_told(world, service, call):
    world.keep("hub")
    for n in range(6):
        world.link(f"hub RELATED n{n}", strength=n / 10)
    found = neighbours(service, call.scope, world.ids["hub"], limit=3)
    assert [world.name(item.memory.id) for item in found.items] == ["n5", "n4", "n3"]
    assert found.truncated
    assert not neighbours(service, call.scope, world.ids["hub"], limit=6).truncated


def test_an_archived_memory_is_hidden_and_not_passed_through(world, service, call):
    """Cases 79 and 80."""
    world.link("a RELATED b", "b RELATED c", "a RELATED d")
    life.archive(service, call, [world.ids["b"]])
    assert world.near("a") == {"d": 1}
    assert world.near("a", include_archived=True) == {"b": 1, "d": 1, "c": 2}
    life.restore(service, call, [world.ids["b"]])
    assert world.near("a") == {"b": 1, "d": 1, "c": 2}
    life.retract(service, call, [world.ids["b"]])
    assert world.near("a", include_archived=True, include_past=True) == {"d": 1}


def test_nothing_of_another_moment_leaks_in(world, service, call, clock):
    world.keep("a b c")
    clock.set(2026, 2, 1)
    [ab] = world.link("a RELATED b")
    world.link("b RELATED c")
    clock.set(2026, 3, 1)
    unlink(service, call, ab)
    life.archive(service, call, [world.ids["c"]])
    clock.set(2026, 4, 1)
    assert world.near("a") == {}
    assert world.near("a", moment=Moment(known_at=day(1, 15))) == {}
    assert world.near("a", moment=Moment(known_at=day(2, 15))) == {"b": 1, "c": 2}
    assert world.near("a", moment=Moment(as_of=day(2, 15))) == {}
    assert world.near("a", moment=Moment(day(2, 15), day(2, 15))) == {"b": 1, "c": 2}
    with pytest.raises(NotFound):
        world.near("a", moment=Moment(known_at=datetime(2025, 1, 1, tzinfo=UTC)))


def test_a_revision_speaks_for_the_past(world, service, call, clock):
    world.link("a RELATED b")
    clock.set(2026, 2, 1)
    life.revise(service, call, world.ids["b"], life.Revision(text="Another statement"))
    [now] = neighbours(service, call.scope, world.ids["a"]).items
    [then] = neighbours(service, call.scope, world.ids["a"], moment=Moment(known_at=day(1, 15))).items
    assert (now.memory.text, then.memory.text) == ("Another statement", "Statement b")
    assert then.memory.id == now.memory.id


def test_what_was_superseded_is_met_where_it_held(world, service, call, clock):
    world.link("a RELATED b")
    clock.set(2026, 2, 1)
    world.ids["b2"] = supersede(service, call, world.ids["b"], Fact("Statement b2", entities=()))[0].new
    clock.set(2026, 3, 1)
    assert world.near("a") == {}
    assert world.near("a", include_past=True) == {"b": 1, "b2": 2}
    assert world.near("a", moment=Moment(as_of=day(1, 15))) == {"b": 1}
    assert world.near("b2", kinds=["SUPERSEDES"], include_past=True) == {"b": 1}


def test_missing_and_foreign_starts_are_the_same_answer(world, service, scope):
    world.link("a RELATED b")
    for where, id in (
        (scope, new_id()),
        (scope.of("ben"), world.ids["a"]),
        (Scope("other", "ann"), world.ids["a"]),
    ):
        for depth in (0, 1):
            with pytest.raises(NotFound):
                neighbours(service, where, id, depth=depth)
        with pytest.raises(NotFound):
            subgraph(service, where, [id])
        with pytest.raises(NotFound):
            path(service, where, id, id)
    assert len(neighbours(service, Scope(scope.tenant_name), world.ids["a"]).items) == 1


def test_a_link_across_subjects_is_seen_by_the_whole_tenant_only(world, service, scope):
    """Only what was made for the whole tenant joins subjects; here the store is told so directly."""
    world.keep("a")
    bens = World(service, Call(scope.of("ben"), "test"))
    bens.keep("b")
    service.driver.execute_query(
        "MATCH (a:Memory {id: $a}), (b:Memory {id: $b}) CREATE (a)-[:RELATED {tenant: a.tenant, id: 'x', reason: '', "
        "open_key: 'x', confidence: 1.0, strength: 1.0, created_at: datetime(), created_by: 'x', "
        "recorded_from: a.recorded_from, recorded_to: a.recorded_to}]->(b)",
        a=world.ids["a"],
        b=bens.ids["b"],
        database_=service.settings.neo4j.database,
    )
    assert world.near("a") == {} == bens.near("b")
    assert reading.links_of(service, scope, [world.ids["a"]]) == {}
    tenant = Scope(scope.tenant_name)
    assert [item.memory.id for item in neighbours(service, tenant, world.ids["a"]).items] == [bens.ids["b"]]
    assert len(subgraph(service, tenant, [world.ids["a"]]).edges) == 1


def test_a_path_is_the_shortest(world, service, call, clock):
    world.link(
        "a RELATED b",
        "b RELATED c",
        "c RELATED d",
        "d RELATED e",
        "e RELATED f",
        "f RELATED g",
        "g RELATED h",
    )
    world.link("a RELATED x", "d SUPPORTS x", "x RELATED island2", strength=0.5)
    world.keep("island")
    assert world.way("a", "d") == ["a", "x", "d"]
    assert world.way("a", "d", kinds=["RELATED"]) == ["a", "b", "c", "d"]
    assert world.way("g", "a") == ["g", "f", "e", "d", "x", "a"]
    assert world.way("a", "h") == ["a", "x", "d", "e", "f", "g", "h"]
    assert world.way("a", "h", max_hops=5) == [] == world.way("b", "h", max_hops=5)
    assert world.way("a", "island") == []
    assert world.way("a", "a") == ["a"]
    with pytest.raises(Invalid, match=r"maxHops is 7; it must lie between 0 and 6\."):
        world.way("a", "h", max_hops=7)
    then = clock()
    clock.forward(days=1)
    life.archive(service, call, [world.ids["x"]])
    assert world.way("a", "d") == ["a", "b", "c", "d"]
    assert world.way("a", "x") == []
    assert world.way("a", "d", moment=Moment(clock(), then + timedelta(hours=1))) == ["a", "x", "d"]


def test_a_path_of_a_past_moment_goes_round_what_did_not_answer_then(world, service, call, clock):
    world.keep("x")
    life.archive(service, call, [world.ids["x"]])
    world.link("a RELATED x", "x RELATED d", "a RELATED b", "b RELATED c", "c RELATED d")
    clock.forward(days=2)
    then = clock() - timedelta(days=1)
    life.restore(service, call, [world.ids["x"]])
    clock.forward(days=1)
    assert world.way("a", "d") == ["a", "x", "d"]
    assert world.way("a", "d", moment=Moment(known_at=then)) == ["a", "b", "c", "d"]


def test_a_subgraph_is_flat_and_has_every_link_between_its_memories(world, service, call):
    world.link("a RELATED b", "b RELATED c", "c RELATED a", "c CAUSES a", "b RELATED d", "e RELATED f")
    found = subgraph(service, call.scope, [world.ids["a"], world.ids["e"]])
    assert sorted(world.name(memory.id) for memory in found.nodes) == ["a", "b", "c", "e", "f"]
    named = [f"{world.name(edge.from_id)}{world.name(edge.to_id)}" for edge in found.edges]
    assert sorted(named) == ["ab", "bc", "ca", "ca", "ef"]
    assert not found.truncated
    assert len(subgraph(service, call.scope, [world.ids["a"]], depth=0).nodes) == 1
    small = subgraph(service, call.scope, [world.ids["a"]], depth=3, limit=2)
    assert (len(small.nodes), small.truncated) == (2, True)
    assert subgraph(service, call.scope, []).nodes == []


def test_shared_entities_are_followed_when_asked_for_also_in_the_past(world, service, scope, clock):
    """Case 82."""
    ann = EntityName("Ann", "ann", "PERSON")
    world.keep("a b", entities=(ann,))
    then = clock()
    clock.forward(days=1)
    world.keep("c", entities=(ann,))
    reweigh(service, scope)
    assert world.near("a") == {}
    assert world.near("a", kinds=["SHARES_ENTITY"]) == {"b": 1, "c": 1}
    assert world.near("a", kinds=["SHARES_ENTITY"], direction=Direction.OUT) == {"b": 1, "c": 1}
    assert world.near("a", kinds=["SHARES_ENTITY", "CAUSES"], moment=Moment(then, then)) == {"b": 1}
    assert world.near("a", kinds=["SHARES_ENTITY"], min_strength=1.0) == {}
    for moment in (Moment(), Moment(then, then)):
        [edge] = subgraph(
            service, scope, [world.ids["a"], world.ids["b"]], 0, ["SHARES_ENTITY"], moment
        ).edges
        assert edge.reason == "Both mention Ann."


def test_root_causes_and_consequences(world, service, scope):
    chain = [f"c{n} CAUSES c{n + 1}" for n in range(10)]
    world.link(
        *chain, "other CAUSES c9", "other CAUSES c10", "c10 RELATED c0", "loop CAUSES c5", "c5 CAUSES loop"
    )
    found = causes(service, scope, world.ids["c10"])
    assert {world.name(item.memory.id): item.depth for item in found.items} == {
        **{f"c{n}": 10 - n for n in range(10)}, "other": 1, "loop": 6,
    }  # fmt: skip
    assert sorted(world.name(item.memory.id) for item in found.last) == ["c0", "other"]
    assert not found.truncated
    assert [
        world.name(item.memory.id) for item in causes(service, scope, world.ids["c10"], depth=1).last
    ] == ["other"]
    assert causes(service, scope, world.ids["c10"], depth=1).truncated
    assert [world.name(item.memory.id) for item in consequences(service, scope, world.ids["c0"]).last] == [
        "c10"
    ]
    with pytest.raises(NotFound):
        causes(service, scope.of("ben"), world.ids["c10"])


def test_what_has_ended_was_still_a_cause(world, service, scope, clock):
    world.keep("storm", valid_to=day(1, 2))
    world.link("storm CAUSES flood")
    clock.set(2026, 5, 1)
    assert len(causes(service, scope, world.ids["flood"]).items) == 1
    assert causes(service, scope, world.ids["flood"], moment=Moment(as_of=day(5, 1))).items == []


def test_what_falls_is_told_and_taken_out_of_answers_at_once(world, service, scope, call):
    world.link("wrong CAUSES effect", "effect CAUSES more", "wrong RELATED aside", "reason CAUSES wrong")
    _made_of(service, world, scope, "summary", "wrong", "CONSOLIDATES")
    _made_of(service, world, scope, "derived", "summary", "DERIVED_FROM")
    falls = {"effect", "more", "summary", "derived"}
    assert {world.name(item.memory.id) for item in impact(service, scope, world.ids["wrong"]).items} == falls
    keyed = Call(scope, "test", key="q")
    done, first = quarantine(service, keyed, world.ids["wrong"], "the source lied")
    assert {world.name(id) for id in done.archived} == {"wrong", *falls}
    assert quarantine(service, keyed, world.ids["wrong"], "the source lied")[1].replayed != first.replayed
    assert reading.get(service, scope, world.ids["summary"]).status is Status.ARCHIVED
    assert world.near("reason", depth=5) == {}
    undo(service, call, [changes(service, scope)[-1]["sequence"]])
    assert world.near("reason", depth=5, kinds=["CAUSES"]) == {"wrong": 1, "effect": 2, "more": 3}
    with pytest.raises(NotFound):
        quarantine(service, call, new_id(), "x")


def _made_of(service, world, scope, product, source, kind):
    """What consolidation will write."""
    world.keep(product)
    service.driver.execute_query(
        "MATCH (a:Memory {id: $a}), (b:Memory {id: $b}) CREATE (a)-[:$($kind) {tenant: a.tenant, id: $id, reason: '', "
        "open_key: a.id + '>' + b.id, confidence: 1.0, strength: 1.0, created_at: datetime(), created_by: 'x', "
        "recorded_from: a.recorded_from, recorded_to: a.recorded_to}]->(b)",
        a=world.ids[product],
        b=world.ids[source],
        kind=kind,
        id=new_id(),
        database_=service.settings.neo4j.database,
    )
