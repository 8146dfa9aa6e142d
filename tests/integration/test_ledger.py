"""The ledger under many writers, on the real database."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph_memory.base.errors import Invalid, PastRetention
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, slots
from graph_memory.ledger.changes import Call, chained, changes, digest
from graph_memory.memory import reading
from graph_memory.memory.addition import Outcome, add
from graph_memory.memory.erasure import forget
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.upkeep.migrations import migrate
from graph_memory.verify import Anchor, read_anchor, verify
from graph_memory.verify.invariants import ANCHORED, UNBROKEN
from tasks import execute

pytestmark = pytest.mark.stack


def test_every_decision_is_one_change_in_order(service, scope, clock):
    [added], answer = add(service, Call(scope, "ann", session_id="s1"), [Fact("v1")])
    clock.forward(days=1)
    supersede(service, Call(scope, "bob"), added.id, Fact("v2"), reason="it changed")
    found = changes(service, scope)
    assert [change["operation"] for change in found] == [Operation.ADD, Operation.ADD, Operation.SUPERSEDE]
    assert [change["sequence"] for change in found] == [1, 2, 3]
    assert [change["actor"] for change in found] == ["ann", "bob", "bob"]
    assert found[0]["request_id"] == answer.request_id
    assert found[0]["session_id"] == "s1"
    assert found[2]["before"][added.id]["valid_to"] != found[2]["after"][added.id]["valid_to"]
    assert changes(service, scope, after=2) == found[2:]


def test_a_duplicate_is_a_change_too(service, scope):
    add(service, Call(scope, "ann"), [Fact("once")])
    [again], _ = add(service, Call(scope, "ann"), [Fact("once")])
    assert again.outcome is Outcome.DUPLICATE
    told = changes(service, scope)[-1]
    assert (told["operation"], told["classification"]) == (Operation.UPDATE, "DUPLICATE")


def test_the_sequence_has_no_gap_and_time_never_goes_back_under_many_writers(service, scope, clock):
    tenant = scope.tenant_name

    def work(number: int) -> None:
        add(
            service,
            Call(Scope(tenant, f"subject-{number % 4}"), "test"),
            [Fact(f"fact {number}"), Fact(f"more {number}")],
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(32)))
    found = changes(service, Scope(tenant), first=1000)
    assert [change["sequence"] for change in found] == list(range(1, 65))
    times = [change["at"] for change in found]
    assert times == sorted(times)
    recorded = {change["targets"][0]: change["at"] for change in found}
    memories = reading.browse(service, Scope(tenant), first=100).items
    assert {memory.id: memory.recorded_from for memory in memories} == recorded


def test_many_callers_with_one_key_have_one_effect(service, scope):
    def work(_: int) -> tuple[str, bool]:
        [added], answer = add(service, Call(scope, "test", key="same"), [Fact("only once")])
        return added.id, answer.replayed

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(16)))
    assert len({id for id, _ in answers}) == 1
    assert sum(not replayed for _, replayed in answers) == 1
    assert len(changes(service, scope)) == 1


def test_many_writers_of_one_statement_leave_one_memory(service, scope):
    """Case 99, by the live key alone."""
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(
            pool.map(lambda _: add(service, Call(scope, "test"), [Fact("the same")])[0][0], range(16))
        )
    assert len({added.id for added in outcomes}) == 1
    assert [added.outcome for added in outcomes].count(Outcome.ADDED) == 1


def test_many_supersessions_of_one_chain_leave_one_head(service, scope, clock):
    [first], _ = add(service, Call(scope, "test"), [Fact("v0")])
    clock.forward(hours=1)

    def work(number: int) -> str:
        return supersede(service, Call(scope, "test"), first.id, Fact(f"v{number}"))[0].new

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(work, range(1, 17)))
    links = [link for found in reading.links_of(service, scope, [first.id, *made]).values() for link in found]
    pairs = {(link.from_id, link.to_id) for link in links}
    assert len(pairs) == 16
    assert len({newer for newer, _ in pairs}) == len({older for _, older in pairs}) == 16
    heads = {first.id, *made} - {older for _, older in pairs}
    assert len(heads) == 1


def test_past_its_retention_a_change_keeps_what_was_done_but_cannot_be_undone(service, scope, clock):
    """Case 98."""
    [added], _ = add(service, Call(scope, "ann"), [Fact("old news")])
    clock.forward(days=60)
    add(service, Call(scope, "ann"), [Fact("newer")])
    clock.forward(days=60)
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job("compact"))
    run = execute(service, tenant, run.id)
    assert run.result["emptied"] == 1, run.error
    first, second = changes(service, scope)
    assert (first["operation"], first["actor"], first["targets"], first["after"]) == (
        "ADD",
        "ann",
        [added.id],
        None,
    )
    assert second["after"] is not None
    with pytest.raises(PastRetention):
        undo(service, Call(scope, "ann"), [1])


def test_a_digest_tells_that_a_change_was_altered(service, scope):
    add(service, Call(scope, "ann"), [Fact("as it was")])
    with service.driver.session() as session:
        read_it = "MATCH (c:Change {tenant: $t, sequence: 1}) RETURN properties(c) AS p"
        stored = session.run(read_it, t=scope.tenant).single()["p"]
    assert digest(stored) == stored["digest"]
    assert digest({**stored, "actor": "somebody else"}) != stored["digest"]


def chain_of(service, scope):
    with service.driver.session() as session:
        found = session.run(
            "MATCH (c:Change {tenant: $t}) "
            "RETURN c.sequence AS n, c.subject_id AS subject, c.digest AS digest, c.chain AS chain ORDER BY n",
            t=scope.tenant,
        )
        return [(row["subject"], row["digest"], row["chain"]) for row in found]


def test_the_chain_of_each_subject_leads_through_its_changes_under_many_writers(service, scope):
    def work(number: int) -> None:
        facts = [Fact(f"fact {number}"), Fact(f"more {number}")]
        add(service, Call(Scope(scope.tenant_name, f"subject-{number % 6}"), "test"), facts)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(32)))
    last: dict[str, str] = {}
    for subject, digest_, chain in chain_of(service, scope):
        last[subject] = chained(last.get(subject), digest_)
        assert chain == last[subject]
    assert len(last) == 6
    assert len(chain_of(service, scope)) == 64
    assert verify(service, [scope.tenant_name]).is_clean


def test_what_an_earlier_version_chained_by_tenant_begins_without_a_chain(service, scope):
    add(service, Call(scope, "ann"), [Fact("old")])
    with service.driver.session() as session:
        session.run(
            "MATCH (c:Change {tenant: $t}), (s:Subject {tenant: $t}), (t:Tenant {id: $t}) "
            "SET c.chain = 'of the tenant', t.chain = 'of the tenant', s.chain = null",
            t=scope.tenant,
        )
    for _ in range(2):
        migrate(service.driver, service.settings, again=True)
        add(service, Call(scope, "ann"), [Fact(f"new {new_id()}")])
        assert verify(service, [scope.tenant_name]).is_clean
    assert [chain is None for _, _, chain in chain_of(service, scope)] == [True, False, False]


def test_a_change_that_is_altered_with_its_digest_is_still_found(service, scope):
    for text in ("one", "two"):
        add(service, Call(scope, "ann"), [Fact(text)])
    with service.driver.session() as session:
        stored = session.run("MATCH (c:Change {tenant: $t, sequence: 1}) RETURN c", t=scope.tenant).single()[
            "c"
        ]
        forged = {**stored, "actor": "somebody else"}
        session.run(
            "MATCH (c:Change {tenant: $t, sequence: 1}) SET c.actor = $actor, c.digest = $digest",
            t=scope.tenant,
            actor=forged["actor"],
            digest=digest(forged),
        )
    assert [finding.rule for finding in verify(service, [scope.tenant_name]).findings] == [UNBROKEN]


def test_compaction_and_erasure_leave_the_chain_whole(service, scope, clock):
    """S11: what an audit entry said may go, that it was there may not."""
    [gone, _], _ = add(service, Call(scope, "ann"), [Fact("old news"), Fact("more of it")])
    clock.forward(days=120)
    add(service, Call(scope, "ann"), [Fact("newer")])
    tenant = Scope(scope.tenant_name)
    execute(service, tenant, slots.by_hand(service, tenant, schedule.job("compact"))[0].id)
    forget(service, Call(scope, "ann"), [gone.id])
    assert verify(service, [scope.tenant_name]).is_clean
    with service.driver.session() as session:
        session.run(
            "MATCH (c:Change {tenant: $t, sequence: 1}) SET c.digest = 'a' + c.digest", t=scope.tenant
        )
    assert not verify(service, [scope.tenant_name]).is_clean


def test_a_chain_made_anew_by_who_may_write_everything_does_not_hold_the_anchor(service, scope, clock):
    """S11: nothing in the store shows it, so one value is kept elsewhere."""
    for text in ("v1", "v2", "v3"):
        add(service, Call(scope, "ann"), [Fact(text)])
    tenant = scope.tenant_name
    kept = read_anchor(verify(service, [tenant]).anchors[tenant])
    assert kept.sequence == 3
    add(service, Call(scope, "ann"), [Fact("v4")])
    assert verify(service, [tenant], anchors={tenant: kept}).is_clean
    with service.driver.session() as session:
        rows = session.run("MATCH (c:Change {tenant: $t}) RETURN c ORDER BY c.sequence", t=scope.tenant)
        last, forged = None, []
        for row in [dict(row["c"]) for row in rows]:
            change = {**row, "actor": "somebody else"} if row["sequence"] == 2 else row
            value = digest(change)
            last = chained(last, value)
            forged.append({"id": row["id"], "actor": change["actor"], "digest": value, "chain": last})
        session.run(
            "UNWIND $rows AS row MATCH (c:Change {tenant: $t, id: row.id}) "
            "SET c.actor = row.actor, c.digest = row.digest, c.chain = row.chain "
            "WITH DISTINCT 1 AS once MATCH (s:Subject {tenant: $t}) SET s.chain = $last",
            t=scope.tenant,
            rows=forged,
            last=last,
        ).consume()
    assert verify(service, [tenant]).is_clean
    [found] = verify(service, [tenant], anchors={tenant: kept}).findings
    assert (found.rule, found.examples) == (ANCHORED, ("3",))


def test_a_ledger_that_was_cut_does_not_hold_the_anchor(service, scope):
    add(service, Call(scope, "ann"), [Fact("v1")])
    ahead = Anchor(7, verify(service, [scope.tenant_name]).anchors[scope.tenant_name].partition(":")[2])
    [found] = verify(service, [scope.tenant_name], anchors={scope.tenant_name: ahead}).findings
    assert found.rule == ANCHORED


def test_the_anchor_outlives_compaction_and_erasure(service, scope, clock):
    [gone, _], _ = add(service, Call(scope, "ann"), [Fact("old news"), Fact("more of it")])
    tenant = scope.tenant_name
    kept = read_anchor(verify(service, [tenant]).anchors[tenant])
    clock.forward(days=120)
    add(service, Call(scope, "ann"), [Fact("newer")])
    execute(service, Scope(tenant), slots.by_hand(service, Scope(tenant), schedule.job("compact"))[0].id)
    forget(service, Call(scope, "ann"), [gone.id])
    assert verify(service, [tenant], anchors={tenant: kept}).is_clean


def test_a_tenant_without_changes_has_no_anchor(service):
    nobody = f"test-{uuid.uuid4().hex}"
    assert verify(service, [nobody]).anchors == {}
    [found] = verify(service, [nobody], anchors={nobody: Anchor(1, "0" * 64)}).findings
    assert found.rule == ANCHORED


@pytest.mark.parametrize("text", ["", "12", "0:" + "a" * 64, "12:abc", "x:" + "a" * 64, "12:" + "G" * 64])
def test_what_is_no_anchor_is_refused(text):
    with pytest.raises(Invalid, match="is not an anchor"):
        read_anchor(text)
