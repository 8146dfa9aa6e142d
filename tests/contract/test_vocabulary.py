"""The neomodel classes say what migrations, queries and the GraphQL schema say."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

import pytest
from graphql import GraphQLEnumType, build_schema
from neomodel import StructuredNode, db
from neomodel.properties import Property

from graph_memory import samples
from graph_memory.api.schema import sdl
from graph_memory.base.scope import Scope
from graph_memory.batches.offers import record
from graph_memory.bootstrap import open_service
from graph_memory.ingest.conversation_file import Conversation
from graph_memory.ingest.outcome import Mode as RememberMode
from graph_memory.ingest.receipt import receive
from graph_memory.ingest.trace import State
from graph_memory.jobs import runs, schedule, slots
from graph_memory.ledger.changes import Call
from graph_memory.memory import addition
from graph_memory.memory.life import archive
from graph_memory.memory.links import link
from graph_memory.memory.supersession import supersede
from graph_memory.model import graph_schema
from graph_memory.model import memory as model
from graph_memory.model.batch import ItemState
from graph_memory.model.batch import Kind as BatchKind
from graph_memory.model.batch import Status as BatchStatus
from graph_memory.model.change import Operation
from graph_memory.model.graph_schema import NODES, Memory
from graph_memory.model.link_kinds import ALIASES, LinkKind
from graph_memory.model.memory import Fact
from graph_memory.model.planned_merge import PlanStatus
from graph_memory.model.purpose import Purpose
from graph_memory.model.review import ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.model.webhook import WebhookStatus
from graph_memory.models.spending import Calls
from graph_memory.recall.hits import Arms
from graph_memory.recall.modes import Mode
from graph_memory.settings import Settings
from graph_memory.store import api_keys
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep.consolidation import Wish, consolidate
from graph_memory.upkeep.migrations import migrate, migrations
from graph_memory.upkeep.settings import Strategy
from graph_memory.webhooks import hooks
from tasks import execute
from tests.integration.remembering_world import Judge, keep

CONSTRAINT = re.compile(r"CONSTRAINT \w+ IF NOT EXISTS FOR \S*[(\[]\w:(\w+)[)\]]\S* REQUIRE (.+) IS UNIQUE")
INDEX = re.compile(
    r"CREATE (?:VECTOR |FULLTEXT |)INDEX \w+ IF NOT EXISTS FOR \S*[(\[]\w:(\w+)[)\]]\S*\s+ON (.*)", re.DOTALL
)
OPTIONAL = {
    "Live": (Memory,),
    "Past": (Memory, graph_schema.Revision),
    "Summary": (Memory,),
    "Passage": (graph_schema.Message,),
}
RELATIONSHIPS = graph_schema.relationships()
CLASSES = {
    **{kind.__label__: kind for kind in NODES},
    **{name: model for name, model in RELATIONSHIPS.items() if model is not None},
}

ROOT = Path(__file__).parents[2]
CYPHER = [file.read_text("utf-8") for file in (ROOT / "cypher" / "queries").rglob("*.cypher")]
PYTHON = [
    file.read_text("utf-8") for file in (ROOT / "graph_memory").rglob("*.py") if file.stem != "vocabulary"
]
STATEMENTS = [
    *(statement for migration in migrations() for statement in migration.statements),
    query("system/migration_rule").text,
]


def _stored(kind: type) -> dict[str, Property[object]]:
    """What a class declares, by the names in the store."""
    declared = kind.defined_properties(aliases=False, rels=False)  # type: ignore[attr-defined]
    return {each.get_db_property_name(name): each for name, each in declared.items()}


def _properties(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\b[nr]\.(\w+)", text))


def _unique() -> set[tuple[str, tuple[str, ...]]]:
    return {(match[1], _properties(match[2])) for text in STATEMENTS for match in CONSTRAINT.finditer(text)}


def test_what_is_unique_is_what_the_migrations_make_unique() -> None:
    declared = {(label, key) for label, kind in CLASSES.items() for key in getattr(kind, "KEYS", ())}
    assert declared == _unique()


def test_every_constraint_of_the_migrations_was_read() -> None:
    assert len(_unique()) == sum(text.count("CREATE CONSTRAINT") for text in STATEMENTS)


def test_what_is_unique_is_declared() -> None:
    assert [(label, key) for label, key in _unique() if not set(key) <= _stored(CLASSES[label]).keys()] == []


def test_every_indexed_property_is_declared() -> None:
    found = [match for text in STATEMENTS if (match := INDEX.search(text))]
    assert len(found) == sum(text.count(" INDEX ") - text.count("DROP INDEX ") for text in STATEMENTS)
    for match in found:
        for kind in OPTIONAL.get(match[1]) or (CLASSES[match[1]],):
            assert set(_properties(match[2])) <= _stored(kind).keys(), match[0]


def test_every_link_type_is_declared() -> None:
    declared = {
        name for name, kind in RELATIONSHIPS.items() if kind in (graph_schema.Link, graph_schema.Shared)
    }
    assert declared == set(LinkKind)


def test_every_declared_property_is_written_somewhere() -> None:
    written = {word for text in CYPHER + PYTHON for word in re.findall(r"\w+", text)}
    declared = {name for kind in CLASSES.values() for name in _stored(kind)}
    assert sorted(declared - written) == []


def test_the_search_labels_are_declared() -> None:
    for label, kinds in OPTIONAL.items():
        assert all(label in kind.__optional_labels__ for kind in kinds), label


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("MemoryStatus", model.Status),
        ("SourceKind", model.SourceKind),
        ("ChangeOperation", Operation),
        ("AddOutcome", addition.Outcome),
        ("SearchArms", Arms),
        ("RecallMode", Mode),
        ("JobState", runs.Status),
        ("JudgedAction", Action),
        ("ReviewStatus", ReviewStatus),
        ("BatchStatus", BatchStatus),
        ("BatchKind", BatchKind),
        ("RememberMode", RememberMode),
        ("RememberState", State),
        ("WebhookStatus", WebhookStatus),
    ],
)
def test_the_schema_has_the_same_words(name: str, known: type[StrEnum]) -> None:
    found = build_schema(sdl()).type_map[name]
    assert isinstance(found, GraphQLEnumType)
    words = {value.lower() for value in found.values}
    aliases = {each.lower() for each in ALIASES} if known is LinkKind else set()
    assert words - aliases == {str(each).lower() for each in known}
    assert aliases <= words


@pytest.mark.parametrize(
    ("kind", "property", "known"),
    [
        (Memory, "status", model.Status),
        (Memory, "source_kind", model.SourceKind),
        (graph_schema.Change, "operation", Operation),
        (graph_schema.Run, "status", runs.Status),
        (graph_schema.Run, "kind", runs.Kind),
        (graph_schema.Review, "status", ReviewStatus),
        (graph_schema.Review, "action", Action),
        (graph_schema.PlannedMerge, "status", PlanStatus),
        (graph_schema.Batch, "kind", BatchKind),
        (graph_schema.Batch, "status", BatchStatus),
        (graph_schema.BatchItem, "state", ItemState),
        (graph_schema.Spend, "purpose", Purpose),
        (graph_schema.Webhook, "status", WebhookStatus),
    ],
)
def test_a_choice_is_one_of_the_domains(kind: type, property: str, known: type[StrEnum]) -> None:
    assert set(_stored(kind)[property].choices) == set(known)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def service(stack: Settings) -> Iterator[Service]:
    with open_service(stack) as service:
        migrate(service.driver, stack)
        yield service


@pytest.fixture(scope="module")
def scope(service: Service) -> Scope:
    """A tenant in which everything that can be written was written once."""
    scope = Scope(f"vocabulary-{uuid.uuid4().hex[:12]}", "ann")
    api_keys.create(service, scope.tenant_name, "ann", name="vocabulary")
    call = Call(scope, "test", session_id="s")
    hooks.add(service, call, hooks.Wanted("https://9.9.9.9/changes", "ann"))
    google = Fact("Ann works at Google.", valid_from=datetime(2026, 1, 1, tzinfo=UTC), tags=("work",))
    [added], _ = addition.add(service, call, [google])
    changed, _ = supersede(
        service,
        call,
        added.id,
        Fact("Ann works at Anthropic."),
        datetime(2026, 2, 1, tzinfo=UTC),
        "a new job",
    )
    [moved], _ = addition.add(service, call, [Fact("Ann moved to San Francisco.")])
    link(service, call, changed.new, moved.id, "CAUSES", reason="the office is there")
    archive(service, call, [moved.id], "tried")
    keep(service, scope, "Ann likes tea.")
    keep(service, scope, "Ann likes green tea.", Judge(Action.SUPERSEDE, 0.5))
    beginning = Conversation("sample", samples.conversation().messages[:40])
    execute(service, scope, receive(service, call, beginning).run_id)
    service.write(scope, lambda tx: record(service, tx, call, BatchKind.EXTRACTION, [{"memory": added.id}]))
    service.providers.spending.note(service, scope, [Calls("anthropic", "claude-haiku-4-5", "extract")])
    addition.add(service, call, [Fact("Ann has a red bike."), Fact("Ann has got a red bike.")])
    rehearsed, _ = consolidate(service, call, Wish(rehearses=True, strategy=Strategy.AGGLOMERATIVE))
    execute(service, Scope(scope.tenant_name), rehearsed.id)
    for name in ("rescore", "communities", "merge"):
        run, _ = slots.by_hand(service, Scope(scope.tenant_name), schedule.job(name))
        execute(service, Scope(scope.tenant_name), run.id)
    return scope


@pytest.mark.stack
def test_every_property_of_a_stored_node_is_declared(service: Service, scope: Scope) -> None:
    seen = set()
    for labels, properties in _nodes(service, scope):
        [kind] = [kind for kind in NODES if kind.__label__ in labels]
        seen.add(kind)
        assert set(labels) <= {kind.__label__, *kind.__optional_labels__}
        assert set(properties) <= _stored(kind).keys(), kind.__label__
        required = {name for name, each in _stored(kind).items() if each.required}
        assert required <= set(properties), kind.__label__
    assert seen == set(NODES) - {graph_schema.Migration, graph_schema.VectorSpace, graph_schema.Tombstone}


@pytest.mark.stack
def test_every_property_of_a_stored_relationship_is_declared(service: Service, scope: Scope) -> None:
    found = service.driver.execute_query(
        "MATCH (n {tenant: $tenant})-[r]->() UNWIND [null] + keys(r) AS key "
        "RETURN type(r) AS type, collect(DISTINCT key) AS keys",
        tenant=scope.tenant,
        database_=service.settings.neo4j.database,
    )
    assert {row["type"] for row in found.records} >= {
        "SUPERSEDES",
        "CAUSES",
        "MENTIONS",
        "CHANGED",
        "MEMBER_OF",
        "PART_OF",
    }
    for row in found.records:
        kind = RELATIONSHIPS[row["type"]]
        assert set(row["keys"]) <= (_stored(kind).keys() if kind else set()), row["type"]


@pytest.mark.stack
def test_neomodel_finds_the_class_of_every_stored_node(service: Service, scope: Scope) -> None:
    db.set_connection(driver=service.driver)
    rows, _ = db.cypher_query(
        "MATCH (n {tenant: $tenant}) RETURN n", {"tenant": scope.tenant}, resolve_objects=True
    )
    assert {type(node) for [node] in rows} <= set(NODES)
    assert len(rows) > 100


def _nodes(service: Service, scope: Scope) -> list[tuple[list[str], list[str]]]:
    found = service.driver.execute_query(
        "MATCH (n) WHERE n.tenant = $tenant OR (n:Tenant AND n.id = $tenant) "
        "RETURN DISTINCT labels(n) AS labels, keys(n) AS keys",
        tenant=scope.tenant,
        database_=service.settings.neo4j.database,
    )
    return [(row["labels"], row["keys"]) for row in found.records]


def test_only_the_vocabulary_is_declared_here() -> None:
    declared = {
        each
        for each in vars(graph_schema).values()
        if isinstance(each, type) and issubclass(each, StructuredNode)
    }
    assert {each for each in declared if "__label__" in vars(each)} - {StructuredNode} == set(NODES)
