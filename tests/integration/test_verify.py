"""Every invariant holds in what the service writes, and each is reported, alone, when something breaks it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.jobs import runs, slots
from graph_memory.jobs import schedule as names
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life
from graph_memory.memory.addition import add
from graph_memory.memory.erasure import forget
from graph_memory.memory.links import link, unlink
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import EntityName, Fact
from graph_memory.store.service import Service
from graph_memory.verify import verify
from graph_memory.verify.invariants import CODES, INVARIANTS, UNOWNED
from tasks import execute

pytestmark = pytest.mark.stack

FOREVER = "datetime('9999-01-01T00:00:00Z')"
LINK = (
    "{tenant: a.tenant, id: randomUUID(), open_key: randomUUID(), reason: '', confidence: 1.0, strength: 1.0, "
    "created_at: a.created_at, created_by: 'test', recorded_from: a.recorded_from, "
    f"recorded_to: {FOREVER}}}"
)
TWO = (
    "MATCH (a:Memory {tenant: $t, text: 'Ann has a cat.'}), (b:Memory {tenant: $t, text: 'Ann has a dog.'}) "
)
CHAIN = (
    "MATCH (a:Memory {tenant: $t, text: 'Ann works at Google.'}), (b:Memory {tenant: $t, text: 'Ann works at Meta.'}), "
    "(c:Memory {tenant: $t, text: 'Ann works at Anthropic.'}) "
)

# What breaks an invariant: a statement each. `$t` is the tenant, `$o` another one.
MUTANTS = [
    ("I2", "no change added it", TWO +
     "MATCH (c:Change)-[:CHANGED]->(a) SET c.operation = 'NOOP', c.salt = null"),
    ("I2", "no source", TWO +
     "SET a.source_kind = null"),
    ("I3", "supersedes two", CHAIN +
     f"CREATE (c)-[r:SUPERSEDES]->(a) SET r = {LINK}"),
    ("I4", "two heads", CHAIN +
     "MATCH (c)-[r:SUPERSEDES]->(b) SET r.open_key = null, r.recorded_to = r.recorded_from"),
    ("I5", "in no chain", TWO +
     "SET a.chain_id = null"),
    ("I5", "in two chains", CHAIN +
     "MATCH (d:Memory {tenant: $t, text: 'Ann has a cat.'}) SET d.status = 'ARCHIVED', "
     "d.state_rank = 1, d.live_key = null, b.chain_id = d.chain_id SET d:Past REMOVE d:Live"),
    ("I6", "ends before it begins", TWO +
     "SET a.valid_from = datetime('2026-01-02T00:00:00Z'), a.valid_to = "
     "datetime('2025-01-02T00:00:00Z'), a.holds_to = datetime('2025-01-02T00:00:00Z'), a.live_key = null "
     "SET a:Past REMOVE a:Live"),
    ("I6", "still pending", TWO +
     "SET a.recorded_from = datetime('0001-01-01T00:00:00Z')"),
    ("I6", "recorded ahead",
     "MATCH (a:Memory {tenant: $t, text: 'Ben has a cat.'}) MATCH (t:Tenant {id: $t}) MATCH "
     "(c:Change {tenant: $t, sequence: t.sequence}) WITH a, t, c, datetime('2026-09-01T00:00:00Z') "
     "AS ahead SET a.recorded_from = ahead, c.at = ahead, t.recorded_at = ahead"),
    ("I6", "a gap between states", CHAIN +
     "MATCH (a)-[:REVISED_FROM]->(v) SET v.recorded_to = v.recorded_to - duration({milliseconds: "
     "1})"),
    ("I6", "a revision of nothing", CHAIN +
     "MATCH (a)-[r:REVISED_FROM]->(v) DELETE r"),
    ("I6", "active members overlap", CHAIN +
     "SET a.valid_to = b.valid_to"),
    ("I6", "a mention still pending",
     "MATCH (:Memory {tenant: $t})-[r:MENTIONS]->() SET r.recorded_from = "
     "datetime('0001-01-01T00:00:00Z')"),
    ("I7", "joined to another tenant", TWO +
     f"MATCH (x:Memory {{tenant: $o}}) CREATE (a)-[r:RELATED]->(x) SET r = {LINK}"),
    ("I7", "joined from another tenant", TWO +
     "MATCH (x:Change {tenant: $o}) CREATE (x)-[:CHANGED]->(a)"),
    ("I7", "joined to another subject", TWO +
     f"MATCH (x:Memory {{tenant: $t, text: 'Ben has a cat.'}}) CREATE (a)-[r:RELATED]->(x) SET r = "
     f"{LINK}"),
    ("I7", "a memory of nobody", TWO +
     "MATCH (a)-[r:BELONGS_TO]->() DELETE r"),
    ("I7", "a memory of another", TWO +
     "MATCH (a)-[r:BELONGS_TO]->() MATCH (s:Subject {tenant: $t, name: 'ben'}) DELETE r CREATE (a)-[:BELONGS_TO]->(s)"),
    ("I7", "a subject of no account", "MATCH (:Subject {tenant: $t, name: 'ben'})-[r:BELONGS_TO]->() DELETE r"),
    ("I8", "open twice", TWO +
     f"CREATE (a)-[r:RELATED]->(b), (a)-[s:RELATED]->(b) SET r = {LINK}, s = {LINK}"),
    ("I8", "more than certain", TWO +
     f"CREATE (a)-[r:RELATED]->(b) SET r = {LINK}, r.confidence = 1.5"),
    ("I8", "open and ended", TWO +
     f"CREATE (a)-[r:RELATED]->(b) SET r = {LINK}, r.recorded_to = r.recorded_from"),
    ("I8", "to itself", TWO +
     f"CREATE (a)-[r:RELATED]->(a) SET r = {LINK}"),
    ("I8", "symmetric, the wrong way", TWO +
     "WITH CASE WHEN a.id > b.id THEN [a, b] ELSE [b, a] END AS ends WITH ends[0] AS a, ends[1] AS "
     f"b CREATE (a)-[r:CONFLICTS]->(b) SET r = {LINK}"),
    ("I8", "a relation that nothing states",
     "MATCH (e:Entity {tenant: $t}) WITH e LIMIT 1 CREATE (e)-[:RELATES_TO {tenant: $t, type: 'KNOWS', strength: 0.8, "
     "memory_id: randomUUID(), content_hash: 'x'}]->(e)"),
    ("I8", "an attribute of nothing",
     "MATCH (e:Entity {tenant: $t}) WITH e LIMIT 1 CREATE (:Attribute {tenant: $t, subject_id: e.subject_id, "
     "id: randomUUID(), entity_id: e.id, key: 'lost', name: 'lost'})"),
    ("I9", "merged into nothing", TWO +
     "SET a.status = 'MERGED', a.state_rank = 2, a.live_key = null SET a:Past REMOVE a:Live"),
    ("I10", "no request",
     "MATCH (c:Change {tenant: $t, sequence: 1}) SET c.request_id = 'none'"),
    ("I10", "no actor",
     "MATCH (c:Change {tenant: $t, sequence: 1}) SET c.actor = '', c.salt = null"),
    ("I10", "altered",
     "MATCH (c:Change {tenant: $t, sequence: 1}) SET c.reason = 'another'"),
    ("I10", "a digest of something else",
     "MATCH (c:Change {tenant: $t, sequence: 2}) SET c.salt = null, c.digest = 'another'"),
    ("I10", "two in each other's place",
     "MATCH (a:Change {tenant: $t, sequence: 1}), (b:Change {tenant: $t, sequence: 2}) "
     "SET a.sequence = -1 SET b.sequence = 1 SET a.sequence = 2"),
    ("I10", "taken out, and the gap closed",
     "MATCH (c:Change {tenant: $t, sequence: 7}), (d:Change {tenant: $t, sequence: 8}), (t:Tenant {id: $t}) "
     "DETACH DELETE c SET d.sequence = 7, t.sequence = 7"),
    ("I10", "the last taken off, with what it did",
     "MATCH (c:Change {tenant: $t, sequence: 8})-[:CHANGED]->(m), (t:Tenant {id: $t}) "
     "DETACH DELETE c, m SET t.sequence = 7"),
    ("I10", "not chained", "MATCH (c:Change {tenant: $t, sequence: 4}) SET c.chain = null"),
    ("I10", "not joined", CHAIN +
     "MATCH (x:Change {operation: 'SUPERSEDE'})-[r:CHANGED]->(b) WHERE b.id IN x.sources DELETE r"),
    ("I10", "joined to what it does not name", TWO +
     "MATCH (x:Change {tenant: $t, operation: 'SUPERSEDE'}) CREATE (x)-[:CHANGED]->(a)"),
    ("I10", "a state without a change", TWO +
     "SET a.recorded_from = a.recorded_from - duration({seconds: 1})"),
    ("I11", "a gap",
     "MATCH (t:Tenant {id: $t}) MATCH (c:Change {tenant: $t, sequence: t.sequence}) SET c.sequence "
     "= t.sequence + 1, t.sequence = t.sequence + 1"),
    ("I11", "the tenant counts on", "MATCH (t:Tenant {id: $t}) SET t.sequence = t.sequence + 1"),
    ("I11", "time goes back",
     "MATCH (t:Tenant {id: $t}) SET t.recorded_at = datetime('2020-01-01T00:00:00Z')"),
    ("I11", "a webhook ahead of the ledger",
     "CREATE (:Webhook {tenant: $t, id: randomUUID(), status: 'ACTIVE', after: 1000})"),
    ("I11", "a webhook set aside without a reason",
     "CREATE (:Webhook {tenant: $t, id: randomUUID(), status: 'ASIDE', after: 1})"),
    ("I12", "nobody is at work",
     "CREATE (:Run {tenant: $t, id: randomUUID(), job: 'x', lease: 'x', status: 'RUNNING', due_at: "
     "datetime('2020-01-01T00:00:00Z')})"),
    ("I12", "no such state",
     "CREATE (:Run {tenant: $t, id: randomUUID(), job: 'x', lease: 'x', status: 'ODD', "
     "finished_at: datetime('2020-01-01T00:00:00Z')})"),
    ("I12", "a lease without end",
     "CREATE (:Lease {tenant: $t, name: 'x', owner: 'me', fence: 1})"),
    ("I13", "too short a vector", TWO +
     "SET a.embedding = a.embedding[..10]"),
    ("I13", "not a number", TWO +
     "SET a.embedding = [x IN a.embedding | x / 0.0]"),
    ("I13", "without length", TWO +
     "SET a.embedding = [x IN a.embedding | 0.0]"),
    ("I13", "no vector", TWO +
     "SET a.embedding = null"),
    ("I13", "another model", TWO +
     "SET a.embedding_model = 'other'"),
    ("I13", "live and past", TWO +
     "SET a:Past"),
    ("I13", "retired and live", CHAIN +
     "SET a:Live, a.live_key = 'x' REMOVE a:Past"),
    ("I13", "live with an empty validity", TWO +
     "SET a.valid_from = datetime('2027-01-02T00:00:00Z'), a.valid_to = datetime('2027-01-02T00:00:00Z'), "
     "a.holds_to = a.valid_from"),
    ("I13", "live without key", TWO +
     "SET a.live_key = null"),
    ("I13", "a wrong rank", TWO +
     "SET a.state_rank = 3"),
    ("I14", "too important", TWO +
     "SET a.importance = 1.5"),
    ("I15", "an entity miscounts",
     "MATCH (e:Entity {tenant: $t}) SET e.link_count = e.link_count + 1"),
    ("I9", "a summary that rests on nothing", TWO +
     "SET a:Summary, a.live_key = null, a.community_id = 'x' REMOVE a:Live"),
    ("I6", "told of a community before it was there",
     "CREATE (c:Community {tenant: $t, id: randomUUID(), size: 0, created_at: datetime('2026-02-01T00:00:00Z')}) "
     "CREATE (c)-[:BECAME {tenant: $t, kind: 'BORN', at: datetime('2026-01-01T00:00:00Z'), size: 0, joined: 0, left: 0}]->(c)"),
    ("I15", "a community miscounts",
     "CREATE (:Community {tenant: $t, id: randomUUID(), size: 1})"),
]  # fmt: skip


def day(month: int) -> datetime:
    return datetime(2026, month, 1, tzinfo=UTC)


def vector(number: int) -> tuple[float, ...]:
    return tuple(float(place == number) for place in range(384))


def fact(number: int, text: str, month: int = 1, names: tuple[EntityName, ...] = ()) -> Fact:
    return Fact(text, valid_from=day(month), vector=vector(number), entities=names)


@pytest.fixture
def world(service: Service, scope: Scope, clock: Any) -> Scope:
    """A tenant with two subjects, a chain of three, an entity and two loose memories."""
    clock.set(2026, 4, 1)
    call = Call(scope, "test")
    ann = EntityName("Ann", "ann", "PERSON")
    [google, *_], _ = add(
        service, call, [fact(0, "Ann works at Google."), fact(1, "Ann has a cat.", names=(ann,)), fact(2, "Ann has a dog.")]
    )  # fmt: skip
    meta, _ = supersede(service, call, google.id, fact(3, "Ann works at Meta.", 2))
    supersede(service, call, meta.new, fact(4, "Ann works at Anthropic.", 3))
    add(service, Call(scope.of("ben"), "test"), [fact(5, "Ben has a cat.")])
    return scope


def cypher(service: Service, text: str, **values: Any) -> None:
    service.driver.execute_query(text, values, database_=service.settings.neo4j.database)


def broken(service: Service, scope: Scope) -> dict[str, int]:
    return {code: count for code, count in verify(service, [scope.tenant_name]).violations.items() if count}


def test_what_the_service_writes_breaks_nothing(service: Service, world: Scope) -> None:
    report = verify(service, [world.tenant_name])
    assert report.findings == ()
    assert report.is_clean
    assert report.checked == 6
    assert set(report.violations) == set(CODES)


def test_what_belongs_to_the_store_as_a_whole_breaks_nothing(service: Service) -> None:
    cypher(service, "MERGE (:VectorSpace {role: 'lock'})")
    assert "VectorSpace" not in service.system(UNOWNED)[0]["examples"]


def test_every_way_of_changing_memories_breaks_nothing(service: Service, world: Scope, clock: Any) -> None:
    call = Call(world, "test")
    names = [(EntityName(name, name.lower(), "PERSON"),) for name in ("Ada", "Bob", "Ann")]
    texts = ("Ada plays chess.", "Bob plays chess.", "Ann plays chess.", "Ann plays go.", "Ann plays bridge.")
    facts = [fact(10 + number, text, names=names[min(number, 2)]) for number, text in enumerate(texts)]
    ids = [added.id for added in add(service, call, facts)[0]]
    steps: list[Callable[[], object]] = [
        lambda: life.revise(
            service, call, ids[0], life.Revision(text="Ada plays chess well.", tags=("game",))
        ),
        lambda: link(service, call, ids[0], ids[1], "causes", 0.7),
        lambda: link(service, call, ids[1], ids[2], "conflicts"),
        lambda: unlink(service, call, (ids[0], ids[1], "causes")),
        lambda: merge(service, call, ids[3], ids[4], "Ann plays go. Ann plays bridge."),
        lambda: life.archive(service, call, [ids[1]]),
        lambda: life.restore(service, call, [ids[1]]),
        lambda: life.retract(service, call, [ids[2]]),
        lambda: life.expire(service, call, ids[0]),
        lambda: undo(service, call, [changes(service, world, first=100)[-1]["sequence"]]),
        lambda: forget(service, call, [ids[4]]),
        lambda: forget(service, call, [ids[0]]),
    ]
    for number, step in enumerate(steps):
        clock.forward(minutes=1)
        step()
        assert verify(service, [world.tenant_name]).findings == (), number


@pytest.mark.parametrize(
    ("code", "what", "mutant"), MUTANTS, ids=[f"{code} {what}" for code, what, _ in MUTANTS]
)
def test_what_breaks_an_invariant_is_reported_and_nothing_else(
    service: Service, world: Scope, code: str, what: str, mutant: str
) -> None:
    other = Scope(f"{world.tenant_name}-other", "ann")
    add(service, Call(other, "test"), [fact(0, "Somebody else has a cat.")])
    cypher(service, mutant, t=world.tenant, o=other.tenant)
    report = verify(service, [world.tenant_name])
    assert {finding.invariant for finding in report.findings} == {code}
    assert all(finding.examples and finding.count for finding in report.findings)


def test_a_circle_is_found(service: Service, world: Scope) -> None:
    """It leaves the chain without a head as well."""
    cypher(service, CHAIN + f"CREATE (a)-[r:SUPERSEDES]->(c) SET r = {LINK}", t=world.tenant)
    assert {"I3", "I4"} <= broken(service, world).keys()


def test_every_invariant_has_a_mutant() -> None:
    assert {code for code, _, _ in MUTANTS} == set(CODES)
    assert len({invariant.rule for invariant in INVARIANTS}) == len(INVARIANTS)


def test_the_nightly_job_keeps_the_counts_in_its_run(service: Service, world: Scope) -> None:
    whole = Scope(world.tenant_name)
    cypher(service, TWO + "SET a.importance = 1.5", t=world.tenant)
    run, _ = slots.by_hand(service, whole, names.job("graph_memory.verify.nightly"))
    ended = execute(service, whole, run.id)
    assert ended.status is runs.Status.DONE
    assert (ended.result["I14"], ended.result["I2"], ended.result["checked"]) == (1, 0, 6)


def test_the_command_ends_with_3_when_something_is_broken(service: Service, world: Scope) -> None:
    told = CliRunner().invoke(cli.app, ["verify", "--tenant", world.tenant_name, "--json"])
    answer = json.loads(told.stdout)
    # The command's clock is the machine's: the state of this world is past by then, and rightly said to be live.
    assert set(answer["violations"]) == set(CODES)
    assert answer["checked"] == 6
    anchor = answer["anchors"][world.tenant_name]
    named = ["verify", "--tenant", world.tenant_name, "--json", "--anchor"]
    held = CliRunner().invoke(cli.app, [*named, anchor])
    assert json.loads(held.stdout)["violations"] == answer["violations"]
    forged = anchor[:-1] + ("0" if anchor[-1] != "0" else "1")
    lost = CliRunner().invoke(cli.app, [*named, forged])
    assert lost.exit_code == 3
    assert json.loads(lost.stdout)["violations"]["I10"] == answer["violations"]["I10"] + 1
    assert isinstance(CliRunner().invoke(cli.app, ["verify", "--anchor", anchor]).exception, Invalid)
    cypher(service, TWO + "SET a.importance = 1.5", t=world.tenant)
    told = CliRunner().invoke(cli.app, ["verify", "--tenant", world.tenant_name])
    assert told.exit_code == 3
    assert "scores lie between 0 and 1" in told.stdout
    assert anchor in told.stdout.replace("\n", "").replace(" ", "")
