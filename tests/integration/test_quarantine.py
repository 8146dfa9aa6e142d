"""All that a source has said is taken out of answers at once, what it had retired comes back, and all of that returns."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from math import ceil
from typing import Any

import pytest

from graph_memory.base.errors import HasDependants, Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.curation.quarantine import Suspect, matching, quarantine
from graph_memory.curation.settlement import Verdict, settle
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.merge import merge
from graph_memory.memory.retirement import why_retired
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import revert, undo
from graph_memory.model.memory import Fact, Memory, Source, SourceKind, Status
from graph_memory.model.run import Status as RunStatus
from graph_memory.recall.modes import Mode
from graph_memory.store.service import Service
from graph_memory.verify import verify
from tasks import execute
from tests.found import search
from tests.integration.jobs_world import cypher

pytestmark = pytest.mark.stack

FEED = Source(SourceKind.WEB, "feed.example")
SUSPECT = Suspect(SourceKind.WEB)


def call(scope: Scope, **more: Any) -> Call:
    return Call(scope, "test", **more)


def put(service: Service, scope: Scope, *facts: Fact) -> list[str]:
    return [str(each.id) for each in add(service, call(scope), facts)[0]]


def web(text: str, **fields: Any) -> Fact:
    return Fact(text, source=FEED, **fields)


def agent(text: str) -> Fact:
    """An agent's that believed the feed, so that it could supersede and merge."""
    return Fact(text, source=Source(SourceKind.AGENT, "feed.example"))


def mine(text: str) -> Fact:
    return Fact(text, source=Source(SourceKind.AGENT, "notes"))


def taken(service: Service, scope: Scope, suspect: Suspect = SUSPECT) -> Run:
    asked, _ = quarantine(service, call(scope), suspect, "the feed lies")
    ended = execute(service, Scope(scope.tenant_name), asked.id)
    assert ended.status is RunStatus.DONE, ended.error
    return ended


def got(service: Service, scope: Scope, id: str) -> Memory:
    found = reading.get(service, scope, id)
    assert found is not None
    return found


def live(service: Service, scope: Scope) -> set[str]:
    return {memory.text for memory in reading.browse(service, scope, 100).items}


def found(service: Service, scope: Scope, text: str, **more: Any) -> set[str]:
    return {hit.memory.text for hit in search(service, scope, text, **more).hits}


# What a merge or an undo may leave different without anybody being told another thing.
_PASSING = {"recorded_from", "updated_at", "live_key"}
# Scores are made anew of what is stored, and of the time.
_DERIVED = {"importance", "retention", "tier", "tier_rank"}


def state(service: Service, scope: Scope) -> dict[str, Any]:
    """Every memory as it is stored, but for when that was recorded, and every open link."""
    rows = cypher(
        service, "MATCH (m:Memory {tenant: $t}) RETURN m {.*, labels: labels(m)} AS m", t=scope.tenant
    )
    links = cypher(
        service,
        "MATCH (a:Memory {tenant: $t})-[r]->(b:Memory) WHERE r.open_key IS NOT NULL RETURN [type(r), r.id, a.id, b.id] AS l",
        t=scope.tenant,
    )
    memories = {
        row["id"]: {
            name: sorted(value) if name == "labels" else value
            for name, value in row.items()
            if name not in _PASSING | _DERIVED
        }
        for row in rows
    }
    return {"memories": memories, "links": sorted(map(str, links))}


def sound(service: Service, scope: Scope) -> None:
    report = verify(service, [scope.tenant_name])
    assert report.is_clean, report.findings


@pytest.fixture
def chain(service: Service, scope: Scope, clock: Any) -> dict[str, str]:
    """Where Ann works: a person said Acme; the feed says Globex, then Initech."""
    first, _ = add(service, call(scope), [Fact("Ann works at Acme.")])
    clock.forward(days=1)
    second, _ = supersede(service, call(scope), str(first[0].id), agent("Ann works at Globex."))
    clock.forward(days=1)
    third, _ = supersede(service, call(scope), second.new, agent("Ann works at Initech."))
    clock.forward(days=1)
    return {"acme": str(first[0].id), "globex": second.new, "initech": third.new}


BY_REF = Suspect(ref="feed.example")


def test_what_a_source_said_is_in_no_default_answer_and_in_history(service: Service, scope: Scope) -> None:
    poison, mine = put(service, scope, web("The bank's number is 666."), Fact("The bank is in Rome."))
    done = taken(service, scope)
    assert dict(done.result) | {"seconds": 0} == {
        "quarantined": 1,
        "passages": 0,
        "returned": 0,
        "seconds": 0,
    }
    assert live(service, scope) == {"The bank is in Rome."}
    for mode in (Mode.REFLEXIVE, Mode.STANDARD, Mode.DEEP):
        assert "The bank's number is 666." not in found(service, scope, "the bank's number", mode=mode)
    assert "The bank's number is 666." in found(service, scope, "the bank's number", mode=Mode.EXHAUSTIVE)
    assert reading.history(service, scope, poison)[-1].memory.status is Status.ARCHIVED
    why = why_retired(service, scope, poison)
    assert why.is_retired
    assert why.explanation == "It was archived. Quarantined: the feed lies"
    assert got(service, scope, mine).status is Status.ACTIVE
    sound(service, scope)


def test_what_a_source_had_superseded_holds_again(
    service: Service, scope: Scope, chain: dict[str, str]
) -> None:
    before = state(service, scope)
    done = taken(service, scope, BY_REF)
    assert (done.result["quarantined"], done.result["returned"]) == (2, 1)
    assert live(service, scope) == {"Ann works at Acme."}
    acme = got(service, scope, chain["acme"])
    assert (acme.status, acme.valid_to) == (Status.ACTIVE, None)
    sound(service, scope)
    revert(service, call(scope), done.id)
    assert state(service, scope) == before
    sound(service, scope)


def test_a_version_between_two_of_others_leaves_no_gap(
    service: Service, scope: Scope, clock: Any, chain: dict[str, str]
) -> None:
    last, _ = supersede(service, call(scope), chain["initech"], Fact("Ann works at Umbrella."))
    before = state(service, scope)
    clock.forward(days=1)
    done = taken(service, scope, BY_REF)
    acme = got(service, scope, chain["acme"])
    assert acme.valid_to == got(service, scope, last.new).valid_from
    assert [
        link.to_id
        for link in reading.links_of(service, scope, [last.new])[last.new]
        if link.kind == "SUPERSEDES"
    ] == [chain["acme"]]
    assert live(service, scope) == {"Ann works at Umbrella."}
    sound(service, scope)
    revert(service, call(scope), done.id)
    assert state(service, scope) == before


def test_what_ended_by_itself_does_not_come_back(service: Service, scope: Scope, clock: Any) -> None:
    now = clock()
    [old] = put(
        service,
        scope,
        Fact("The sale is on.", valid_from=now - timedelta(days=9), valid_to=now - timedelta(days=5)),
    )
    supersede(service, call(scope), old, agent("Nothing is for sale."))
    taken(service, scope, BY_REF)
    assert got(service, scope, old).valid_to == now - timedelta(days=5)
    assert live(service, scope) == set()
    sound(service, scope)


def test_a_correction_by_the_source_is_taken_back(service: Service, scope: Scope, clock: Any) -> None:
    [old] = put(service, scope, Fact("The code is 1234."))
    start = got(service, scope, old).valid_from
    clock.forward(hours=1)
    supersede(service, call(scope), old, agent("The code is 9999."), start)
    taken(service, scope, BY_REF)
    assert live(service, scope) == {"The code is 1234."}
    sound(service, scope)


def test_what_it_was_merged_into_says_again_what_it_said(service: Service, scope: Scope) -> None:
    kept, other = put(service, scope, mine("Ann has a dog."), agent("The dog bites Bob."))
    merge(service, call(scope), kept, other)
    before = state(service, scope)
    done = taken(service, scope, BY_REF)
    assert got(service, scope, kept).text == "Ann has a dog."
    assert got(service, scope, other).status is Status.ARCHIVED
    assert "Ann has a dog." in found(service, scope, "who has a dog")
    sound(service, scope)
    revert(service, call(scope), done.id)
    assert state(service, scope) == before
    sound(service, scope)


def test_what_was_merged_into_it_stands_again(service: Service, scope: Scope) -> None:
    poison, mine_ = put(service, scope, agent("The dog bites Bob."), mine("Ann has a dog."))
    merge(service, call(scope), poison, mine_)
    before = state(service, scope)
    done = taken(service, scope, BY_REF)
    assert live(service, scope) == {"Ann has a dog."}
    sound(service, scope)
    revert(service, call(scope), done.id)
    assert state(service, scope) == before


def test_what_was_changed_after_a_merge_goes_too_and_its_other_parts_stand_again(
    service: Service, scope: Scope
) -> None:
    kept, poison, more = put(
        service, scope, mine("Ann has a dog."), agent("The dog bites Bob."), mine("The dog is called Rex.")
    )
    merge(service, call(scope), kept, poison)
    merge(service, call(scope), kept, more)
    before = state(service, scope)
    done = taken(service, scope, BY_REF)
    assert live(service, scope) == {"The dog is called Rex."}
    assert got(service, scope, kept).status is Status.ARCHIVED
    sound(service, scope)
    revert(service, call(scope), done.id)
    assert state(service, scope) == before


def test_what_came_back_elsewhere_does_not_come_back_twice(
    service: Service, scope: Scope, clock: Any, chain: dict[str, str]
) -> None:
    [again] = put(service, scope, Fact("Ann works at Acme."))
    done = taken(service, scope, BY_REF)
    assert done.result["returned"] == 0
    assert live(service, scope) == {"Ann works at Acme."}
    assert got(service, scope, chain["acme"]).valid_to is not None
    assert got(service, scope, again).status is Status.ACTIVE
    sound(service, scope)


def test_a_memory_that_would_say_what_is_live_elsewhere_goes_too(service: Service, scope: Scope) -> None:
    kept, other = put(service, scope, mine("Ann has a dog."), agent("The dog bites Bob."))
    merge(service, call(scope), kept, other)
    [again] = put(service, scope, mine("Ann has a dog."))
    assert again not in (kept, other)
    taken(service, scope, BY_REF)
    assert live(service, scope) == {"Ann has a dog."}
    assert got(service, scope, kept).status is Status.ARCHIVED
    sound(service, scope)


@pytest.mark.parametrize(
    ("suspect", "expected"),
    [
        (Suspect(SourceKind.WEB), {"a", "b"}),
        (Suspect(SourceKind.WEB, author="MALLORY"), {"b"}),
        (Suspect(ref="one"), {"a"}),
        (Suspect(session_id="s"), {"a", "c"}),
        (Suspect(author="Mallory"), {"b", "c"}),
    ],
)
def test_all_that_is_named_must_fit(
    service: Service, scope: Scope, suspect: Suspect, expected: set[str]
) -> None:
    put(
        service,
        scope,
        Fact("a", session_id="s", source=Source(SourceKind.WEB, "one", "Ann")),
        Fact("b", source=Source(SourceKind.WEB, "two", "Mallory")),
        Fact("c", session_id="s", source=Source(SourceKind.USER, None, "Mallory")),
    )
    taken(service, scope, suspect)
    assert live(service, scope) == {"a", "b", "c"} - expected


def test_what_was_stored_before_stays(service: Service, scope: Scope, clock: Any) -> None:
    put(service, scope, web("Said early."))
    clock.forward(days=2)
    since = clock()
    put(service, scope, web("Said late."))
    taken(service, scope, Suspect(SourceKind.WEB, since=since))
    assert live(service, scope) == {"Said early."}


def test_all_subjects_of_the_account_are_freed_of_a_source(service: Service, scope: Scope) -> None:
    bob = Scope(scope.tenant_name, "bob")
    put(service, scope, web("Ann is late."))
    put(service, bob, web("Bob is late."), Fact("Bob sails."))
    done = taken(service, Scope(scope.tenant_name))
    assert (done.result["quarantined"], live(service, scope), live(service, bob)) == (
        2,
        set(),
        {"Bob sails."},
    )
    settled = settle(service, call(Scope(scope.tenant_name), key="k"), done.id, Verdict.RELEASE)
    assert (settled.memories, settled.replayed) == (2, False)
    assert live(service, scope) | live(service, bob) == {"Ann is late.", "Bob is late.", "Bob sails."}
    assert settle(service, call(Scope(scope.tenant_name), key="k"), done.id, Verdict.RELEASE) == replace(
        settled, replayed=True
    )
    with pytest.raises(NotFound):
        settle(service, call(Scope(scope.tenant_name)), done.id, Verdict.RELEASE)


def test_a_release_that_one_subject_refuses_is_carried_out_for_none(
    service: Service, scope: Scope, clock: Any, chain: dict[str, str]
) -> None:
    """It was carried out for those before: they were live, and a RETRACT afterwards said that it was done."""
    whole, early, late = (Scope(scope.tenant_name, name) for name in (None, "abe", "zoe"))
    put(service, early, agent("Abe is late."))
    put(service, late, agent("Zoe is late."))
    done = taken(service, whole, BY_REF)
    clock.forward(days=1)
    supersede(service, call(scope), chain["acme"], Fact("Ann works at Umbrella."))
    newest = changes(service, whole)[-1]["sequence"]
    with pytest.raises(HasDependants) as refused:
        settle(service, call(whole), done.id, Verdict.RELEASE)
    assert refused.value.dependants == [f"{newest} (SUPERSEDE)"]
    assert (live(service, early), live(service, late)) == (set(), set())
    settled = settle(service, call(whole), done.id, Verdict.RETRACT)
    assert (settled.memories, settled.left) == (4, 0)
    sound(service, scope)


def test_a_retraction_counts_what_was_brought_back_before(service: Service, scope: Scope) -> None:
    one, _ = put(service, scope, web("The bank's number is 666."), web("The bank is closed."))
    done = taken(service, scope)
    life.restore(service, call(scope), [one])
    settled = settle(service, call(scope, key="k"), done.id, Verdict.RETRACT)
    assert (settled.memories, settled.left) == (1, 1)
    assert live(service, scope) == {"The bank's number is 666."}
    assert settle(service, call(scope, key="k"), done.id, Verdict.RETRACT) == replace(settled, replayed=True)


def test_a_quarantine_of_one_subject_leaves_others_alone(service: Service, scope: Scope) -> None:
    bob = Scope(scope.tenant_name, "bob")
    put(service, scope, web("Ann is late."))
    put(service, bob, web("Bob is late."))
    taken(service, scope)
    assert (live(service, scope), live(service, bob)) == (set(), {"Bob is late."})


def test_what_is_upheld_is_retracted_and_what_came_back_stays(
    service: Service, scope: Scope, chain: dict[str, str]
) -> None:
    done = taken(service, scope, BY_REF)
    held = state(service, scope)
    settled = settle(service, call(scope, key="k"), done.id, Verdict.RETRACT, "it was made up")
    assert settled.memories == 2
    assert {got(service, scope, chain[name]).status for name in ("globex", "initech")} == {Status.RETRACTED}
    assert live(service, scope) == {"Ann works at Acme."}
    assert settle(service, call(scope, key="k"), done.id, Verdict.RETRACT, "it was made up").replayed
    with pytest.raises(NotFound):
        settle(service, call(scope), done.id, Verdict.RETRACT)
    sound(service, scope)
    undo(service, call(scope), [changes(service, scope)[-1]["sequence"]])
    assert state(service, scope) == held


def test_a_release_names_what_came_after_and_takes_it_along_when_told(
    service: Service, scope: Scope, clock: Any, chain: dict[str, str]
) -> None:
    done = taken(service, scope, BY_REF)
    clock.forward(days=1)
    supersede(service, call(scope), chain["acme"], Fact("Ann works at Umbrella."))
    with pytest.raises(HasDependants):
        settle(service, call(scope), done.id, Verdict.RELEASE)
    settle(service, call(scope), done.id, Verdict.RELEASE, cascade=True)
    assert "Ann works at Initech." in live(service, scope)
    sound(service, scope)


def test_use_does_not_bring_it_back(service: Service, scope: Scope) -> None:
    """X25: only what decay put away returns by itself; so it is for what decay had put away before."""
    [poison] = put(service, scope, web("The bank's number is 666."))
    life.archive(service, call(scope), [poison])
    before = state(service, scope)
    done = taken(service, scope)
    assert matching(service, scope, SUSPECT) == []
    [row] = cypher(
        service,
        "MATCH (m:Memory {tenant: $t}) RETURN m {.archive_reason, .quarantined_by} AS m",
        t=scope.tenant,
    )
    assert row == {"archive_reason": "Quarantined: the feed lies", "quarantined_by": done.id}
    last = changes(service, scope)[-1]
    assert (last["operation"], last["classification"]) == ("ARCHIVE", "QUARANTINE")
    revert(service, call(scope), done.id)
    assert state(service, scope) == before


def test_what_a_person_brings_back_can_be_quarantined_again(service: Service, scope: Scope) -> None:
    [poison] = put(service, scope, web("The bank's number is 666."))
    taken(service, scope)
    life.restore(service, call(scope), [poison])
    assert live(service, scope) == {"The bank's number is 666."}
    taken(service, scope)
    assert live(service, scope) == set()


def test_what_was_made_of_it_goes_along(service: Service, scope: Scope) -> None:
    poison, product = put(service, scope, web("Bob owes Ann 900 euros."), Fact("Bob is in debt."))
    cypher(
        service,
        "MATCH (a:Memory {tenant: $t, id: $a}), (b:Memory {tenant: $t, id: $b}) CREATE (a)-[:DERIVED_FROM {open_key: 'x'}]->(b)",
        t=scope.tenant,
        a=product,
        b=poison,
    )
    taken(service, scope)
    assert live(service, scope) == set()


def test_a_run_that_is_carried_out_twice_does_it_once(service: Service, scope: Scope) -> None:
    put(service, scope, web("Said once."))
    done = taken(service, scope)
    count = len(changes(service, scope))
    execute(service, Scope(scope.tenant_name), done.id)
    assert len(changes(service, scope)) == count


def test_the_same_key_asks_for_one_run(service: Service, scope: Scope) -> None:
    first, one = quarantine(service, call(scope, key="k"), SUSPECT, "x")
    second, other = quarantine(service, call(scope, key="k"), SUSPECT, "x")
    assert (first.id, one.replayed, other.replayed) == (second.id, False, True)


def test_a_source_must_be_named(service: Service, scope: Scope) -> None:
    with pytest.raises(Invalid, match="Name a kind of source"):
        quarantine(service, call(scope), Suspect(), "x")


def test_only_a_quarantine_can_be_settled(service: Service, scope: Scope) -> None:
    put(service, scope, Fact("x"))
    with pytest.raises(NotFound):
        settle(service, call(scope), new_id(), Verdict.RELEASE)


@pytest.mark.parametrize("count", [300, pytest.param(1000, marks=pytest.mark.long_form)])
def test_many_memories_go_and_come_back(service: Service, scope: Scope, count: int) -> None:
    """Ten seconds are asked for; here it is only shown that it takes few statements, whatever the machine."""
    vector = tuple(service.embedder.embed(["anything"])[0])
    facts = [web(f"The feed says thing {number}.", vector=vector, entities=()) for number in range(count)]
    for start in range(0, count, 500):
        put(service, scope, *facts[start : start + 500])
    before = state(service, scope)
    begun = time.monotonic()
    done = taken(service, scope)
    print(f"quarantined {count} in {time.monotonic() - begun:.2f} s")
    assert done.result["quarantined"] == count
    taken_in = [c for c in changes(service, scope, first=2000) if c["classification"] == "QUARANTINE"]
    assert len(taken_in) == ceil(count / 250)
    begun = time.monotonic()
    settle(service, call(scope), done.id, Verdict.RELEASE)
    print(f"released {count} in {time.monotonic() - begun:.2f} s")
    assert state(service, scope) == before
