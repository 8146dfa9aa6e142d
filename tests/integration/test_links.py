"""Making, removing, counting and deriving links, on the real database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.base.errors import BadId, IllegalMove, Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.links import LinkOutcome, Wanted, link, link_many, statistics, unlink
from graph_memory.memory.sharing import SHARED_MOST, STRONGEST, reweigh, shared_of
from graph_memory.memory.undo import undo
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LINKABLE
from graph_memory.model.memory import EntityName, Fact
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack


def keep(service: Service, scope: Scope, *texts: str, **fields: object) -> list[str]:
    facts = [Fact(text, **{"entities": (), **fields}) for text in texts]  # type: ignore[arg-type]
    return [str(added.id) for added in add(service, Call(scope, "test"), facts)[0]]


def links(service: Service, scope: Scope, id: str, moment: Moment | None = None) -> list[reading.Link]:
    return reading.links_of(service, scope, [id], moment or Moment()).get(id, [])


@pytest.fixture
def call(scope: Scope) -> Call:
    return Call(scope, "ann", run_id="run-1")


def test_a_link_is_one_edge_read_from_both_ends(service, scope, call, clock):
    """Case 71."""
    a, b = keep(service, scope, "It rained.", "The match was cancelled.")
    clock.forward(days=1)
    made, _ = link(service, call, a, b, "causes", confidence=0.9, strength=0.7, reason="the pitch was wet")
    [out], [into] = links(service, scope, a), links(service, scope, b)
    assert out == into
    assert (out.id, out.kind, out.from_id, out.to_id) == (made.id, "CAUSES", a, b)
    assert (out.confidence, out.strength, out.reason) == (0.9, 0.7, "the pitch was wet")
    assert (out.created_by, out.created_at) == ("ann", clock())


def test_of_many_links_the_first_of_each_kind_and_direction_are_read(service, scope, call, clock):
    """A hub of ten thousand was read whole for ten that were asked for."""
    hub, *others = keep(service, scope, "hub", "a", "b", "c", "d")
    for other in others:
        clock.forward(days=1)
        for ends in ((hub, other), (other, hub)):
            link_many(service, call, [Wanted(*ends, kind) for kind in ("CAUSES", "EXPANDS")])
    every = links(service, scope, hub)
    assert len(every) == 16
    first = {id for other in others[:3] for id in (other, hub)}
    some = reading.links_of(service, scope, [hub, others[0]], most=3)
    assert some[hub] == [each for each in every if {each.from_id, each.to_id} <= first]
    assert len(some[others[0]]) == 4


def test_the_same_link_again_changes_nothing_and_another_type_is_another_link(service, scope, call):
    """Case 71."""
    a, b = keep(service, scope, "a", "b")
    first, _ = link(service, call, a, b, "CAUSES", confidence=0.5)
    again, _ = link(service, call, a, b, "CAUSES", confidence=0.9)
    assert (again.id, again.outcome) == (first.id, LinkOutcome.EXISTS)
    assert [found.confidence for found in links(service, scope, a)] == [0.5]
    link(service, call, a, b, "SUPPORTS")
    link(service, call, b, a, "CAUSES")
    assert sorted((found.kind, found.from_id) for found in links(service, scope, a)) == sorted(
        [("CAUSES", a), ("SUPPORTS", a), ("CAUSES", b)]
    )


def test_a_conflict_stands_once_whoever_says_it(service, scope, call):
    a, b = keep(service, scope, "The shop is open.", "The shop is closed.")
    first, _ = link(service, call, a, b, "contradicts")
    second, _ = link(service, call, b, a, "CONFLICTS")
    assert first.id == second.id
    [found] = links(service, scope, a)
    assert (found.from_id, found.to_id) == (min(a, b), max(a, b))


def test_every_linkable_type_is_accepted(service, scope, call):
    """Case 72."""
    a, b = keep(service, scope, "a", "b")
    made, _ = link_many(service, call, [Wanted(a, b, kind.lower()) for kind in sorted(LINKABLE)])
    assert {each.outcome for each in made} == {LinkOutcome.LINKED}
    assert statistics(service, scope, a).by_type == dict.fromkeys(sorted(LINKABLE), 1)


@pytest.mark.parametrize(
    ("changed", "fault", "path"),
    [
        ({"kind": "likes"}, Invalid, "kind"),
        ({"kind": "SUPERSEDES"}, Invalid, "kind"),
        ({"confidence": 1.01}, Invalid, "confidence"),
        ({"confidence": float("nan")}, Invalid, "confidence"),
        ({"strength": -0.1}, Invalid, "strength"),
        ({"strength": True}, Invalid, "strength"),
        ({"reason": "a\0b"}, Invalid, "reason"),
        ({"to_id": "nobody"}, BadId, "id"),
    ],
)
def test_a_bad_link_is_refused_with_its_place(service, scope, call, changed, fault, path):
    """Case 72."""
    a, b = keep(service, scope, "a", "b")
    wanted = Wanted(**{"from_id": a, "to_id": b, "kind": "CAUSES", **changed})
    with pytest.raises(fault) as caught:
        link_many(service, call, [Wanted(a, b, "RELATED"), wanted])
    assert path in caught.value.path
    assert links(service, scope, a) == []


def test_nothing_is_linked_to_itself(service, scope, call):
    [a] = keep(service, scope, "a")
    with pytest.raises(Invalid, match="itself"):
        link(service, call, a, a, "RELATED")


def test_missing_and_foreign_ends_are_the_same_answer_and_nothing_is_stored(service, scope, call):
    """Case 72, and the walls: another subject, another tenant."""
    a, b = keep(service, scope, "a", "b")
    [bens] = keep(service, scope.of("ben"), "of ben")
    [others] = keep(service, Scope(f"{scope.tenant_name}-2", "ann"), "of another tenant")
    answers = set()
    for end in (new_id(), bens, others):
        for pair in ((a, end), (end, a)):
            with pytest.raises(NotFound) as caught:
                link_many(service, call, [Wanted(a, b, "RELATED"), Wanted(*pair, "RELATED")])
            answers.add(caught.value.message.replace(end, "X"))
    assert len(answers) == 1
    assert links(service, scope, a) == []
    assert [change for change in changes(service, scope) if change["operation"] == "LINK"] == []


def test_a_retracted_end_is_refused_and_an_archived_one_is_not(service, scope, call):
    a, b, c = keep(service, scope, "a", "b", "c")
    life.retract(service, call, [b])
    life.archive(service, call, [c])
    with pytest.raises(IllegalMove, match="retracted"):
        link(service, call, a, b, "RELATED")
    assert link(service, call, a, c, "RELATED")[0].outcome is LinkOutcome.LINKED


def test_many_links_go_to_their_own_targets(service, scope, call):
    """Case 74; the same link twice in one call is made once."""
    a, *others = keep(service, scope, "new", "one", "two", "three")
    kinds = ("CAUSES", "INSTANCE_OF", "MOTIVATED_BY")
    wanted = [Wanted(a, other, kind) for other, kind in zip(others, kinds, strict=True)]
    made, _ = link_many(service, call, [*wanted, wanted[0]])
    assert [each.outcome for each in made] == [LinkOutcome.LINKED] * 3 + [LinkOutcome.EXISTS]
    assert made[3].id == made[0].id
    assert {(found.kind, found.to_id) for found in links(service, scope, a)} == set(
        zip(kinds, others, strict=True)
    )


def test_each_link_is_a_change_and_nothing_of_it_is_pending(service, scope, call, clock):
    a, b = keep(service, scope, "a", "b")
    clock.forward(days=1)
    made, _ = link(service, call, a, b, "CAUSES", 0.8, reason="why")
    change = changes(service, scope)[-1]
    assert (change["operation"], change["targets"], change["classification"]) == (
        Operation.LINK,
        [a, b],
        "CAUSES",
    )
    assert (change["confidence"], change["reason"], change["run_id"]) == (0.8, "why", "run-1")
    assert change["effects"]["links_opened"] == [made.id]
    assert links(service, scope, a, Moment(known_at=clock() - timedelta(hours=1))) == []
    assert len(links(service, scope, a, Moment(known_at=clock()))) == 1


def test_the_same_key_links_once(service, scope):
    a, b = keep(service, scope, "a", "b")
    keyed = Call(scope, "ann", key="k")
    (first, once), (second, twice) = (
        link(service, keyed, a, b, "CAUSES"),
        link(service, keyed, a, b, "CAUSES"),
    )
    assert (first, once.replayed, twice.replayed) == (second, False, True)


def test_an_unlinked_link_stays_in_history_and_may_be_made_again(service, scope, call, clock):
    a, b = keep(service, scope, "a", "b")
    clock.set(2026, 2, 1)
    first, _ = link(service, call, a, b, "CAUSES")
    clock.set(2026, 3, 1)
    assert unlink(service, call, first.id, "it was not so")[0] == first.id
    assert links(service, scope, a) == []
    assert [
        each.id for each in links(service, scope, a, Moment(known_at=datetime(2026, 2, 2, tzinfo=UTC)))
    ] == [first.id]
    clock.set(2026, 4, 1)
    second, _ = link(service, call, a, b, "CAUSES")
    assert second.id != first.id
    unlink(service, call, (a, b, "causes"))
    change = changes(service, scope)[-1]
    assert (change["operation"], change["effects"]["links_closed"]) == (Operation.UNLINK, [second.id])


def test_what_is_not_open_cannot_be_unlinked(service, scope, call):
    a, b = keep(service, scope, "a", "b")
    made, _ = link(service, call, a, b, "CAUSES")
    with pytest.raises(NotFound):
        unlink(service, Call(scope.of("ben"), "ben"), made.id)
    unlink(service, call, made.id)
    for which in (made.id, new_id(), (a, b, "CAUSES"), (b, a, "RELATED")):
        with pytest.raises(NotFound):
            unlink(service, call, which)


def test_linking_and_unlinking_are_undone(service, scope, call):
    a, b = keep(service, scope, "a", "b")
    made, _ = link(service, call, a, b, "CAUSES")
    unlink(service, call, made.id)
    linked, unlinked = (change["sequence"] for change in changes(service, scope)[-2:])
    undo(service, call, [unlinked])
    assert [each.id for each in links(service, scope, a)] == [made.id]
    unlink(service, call, made.id)
    undo(service, call, [changes(service, scope)[-1]["sequence"]])
    undo(service, call, [linked], cascade=True)
    assert links(service, scope, a) == []


def test_statistics_count_what_is_there(service, scope, call, clock):
    """Case 81."""
    a, b, c = keep(service, scope, "a", "b", "c")
    link_many(
        service,
        call,
        [Wanted(a, b, "CAUSES"), Wanted(a, c, "CAUSES"), Wanted(c, a, "SUPPORTS"), Wanted(b, c, "RELATED")],
    )
    of_a = statistics(service, scope, a)
    assert (of_a.total, of_a.total_outbound, of_a.total_inbound) == (3, 2, 1)
    assert of_a.by_type == {"CAUSES": 2, "SUPPORTS": 1}
    assert (of_a.outbound_by_type, of_a.inbound_by_type) == ({"CAUSES": 2}, {"SUPPORTS": 1})
    assert statistics(service, scope).by_type == {"CAUSES": 2, "RELATED": 1, "SUPPORTS": 1}
    assert statistics(service, scope, moment=Moment(known_at=clock() - timedelta(hours=1))).total == 0
    assert statistics(service, scope.of("ben")).total == 0
    [lonely] = keep(service, scope, "d")
    assert statistics(service, scope, lonely).total == 0
    for foreign in (new_id(), *keep(service, scope.of("ben"), "e")):
        with pytest.raises(NotFound):
            statistics(service, scope, foreign)


def test_many_writers_make_one_link(service, scope, call):
    a, b = keep(service, scope, "a", "b")
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: link(service, call, a, b, "CAUSES")[0], range(16)))
    assert len({each.id for each in made}) == 1
    assert [each.outcome for each in made].count(LinkOutcome.LINKED) == 1
    assert len(links(service, scope, a)) == 1


def test_memories_that_name_the_same_entity_find_each_other_the_rarer_the_stronger(service, scope, call):
    """Case 82."""
    ann, ghent = EntityName("Ann", "ann", "PERSON"), EntityName("Ghent", "ghent", "PLACE")
    others = keep(service, scope, "Ann 1", "Ann 2", entities=(ann,))
    [both, only] = keep(service, scope, "Ann in Ghent", entities=(ann, ghent)) + keep(
        service, scope, "Ghent", entities=(ghent,)
    )
    reweigh(service, scope)
    found = shared_of(service, scope, [both])[both]
    assert [each.id for each in found] == [only, *sorted(others)]
    assert found[0].names == ("Ghent",)
    assert found[0].weight > found[1].weight
    assert shared_of(service, scope.of("ben"), [both]) == {}
    assert links(service, scope, both) == []


def test_sharing_is_derived_for_new_memories_only_and_a_past_moment_by_the_same_rule(
    service, scope, call, clock
):
    ann = EntityName("Ann", "ann", "PERSON")
    first, second = keep(service, scope, "Ann 1", "Ann 2", entities=(ann,))
    then = clock()
    clock.forward(days=1)
    [third] = keep(service, scope, "Ann 3", entities=(ann,))
    reweigh(service, scope)
    assert {each.id for each in shared_of(service, scope, [first])[first]} == {second, third}
    past = shared_of(service, scope, [first], Moment(then, then))[first]
    assert [each.id for each in past] == [second]
    now = {
        each.id: each.weight for each in shared_of(service, scope, [first], Moment(known_at=clock()))[first]
    }
    assert now == {each.id: each.weight for each in shared_of(service, scope, [first])[first]}


def test_sharing_forgets_what_retired_and_what_too_many_mention(service, scope, call, clock):
    ann = EntityName("Ann", "ann", "PERSON")
    most = SHARED_MOST
    ids = keep(service, scope, *(f"Ann {n}" for n in range(most)), entities=(ann,))
    reweigh(service, scope)
    assert len(shared_of(service, scope, [ids[0]])[ids[0]]) == STRONGEST
    keep(service, scope, "Ann again", entities=(ann,))
    clock.forward(days=1)
    reweigh(service, scope)
    assert shared_of(service, scope, ids) == {}


def test_a_new_memory_is_joined_in_the_transaction_that_adds_it(service, scope):
    ann = EntityName("Ann", "ann", "PERSON")
    first, second = keep(service, scope, "Ann 1", "Ann 2", entities=(ann,))
    assert [each.id for each in shared_of(service, scope, [second])[second]] == [first]
