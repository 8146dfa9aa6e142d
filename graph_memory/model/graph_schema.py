"""The words of the graph as neomodel classes: what each node and relationship holds, and what makes it unique.

They are the declared schema and nothing is read or written through them: migrations own the constraints, `.cypher` files
read and write. Migrations, the enums of the GraphQL schema, what the queries really write, the export and the reference
page of the graph are checked against these classes or made from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, TypeVar

import neo4j.time
from neomodel import (
    ArrayProperty,
    BooleanProperty,
    FloatProperty,
    IntegerProperty,
    JSONProperty,
    RelationshipTo,
    StringProperty,
    StructuredNode,
    StructuredRel,
)
from neomodel.properties import Property

from graph_memory.base.clock import FOREVER
from graph_memory.base.moments import open_end
from graph_memory.language.claim_reading import ValueKind
from graph_memory.model import memory as model
from graph_memory.model.batch import ItemState
from graph_memory.model.batch import Kind as BatchKind
from graph_memory.model.batch import Status as BatchStatus
from graph_memory.model.change import Operation
from graph_memory.model.claim import Polarity
from graph_memory.model.community import CommunityChange
from graph_memory.model.planned_merge import PlanStatus
from graph_memory.model.purpose import Purpose
from graph_memory.model.review import ReviewStatus
from graph_memory.model.run import Kind, Status
from graph_memory.model.verdict import Action
from graph_memory.model.webhook import WebhookStatus

Node = TypeVar("Node", bound="Named")
Keys = tuple[tuple[str, ...], ...]


class Time(Property[datetime]):
    """A native time of the store, aware and in UTC."""

    def inflate(self, value: Any, rethrow: bool = False) -> Any:  # noqa: ARG002
        return value.to_native() if isinstance(value, neo4j.time.DateTime) else value

    def deflate(self, value: datetime, rethrow: bool = False) -> datetime:  # noqa: ARG002
        return value


class End(Time):
    """The end of an interval: in the year 9999 in the store while it is open, None here."""

    def inflate(self, value: Any, rethrow: bool = False) -> Any:  # noqa: ARG002
        return open_end(super().inflate(value))

    def deflate(self, value: datetime | None, rethrow: bool = False) -> datetime:  # noqa: ARG002
        return value or FOREVER


def Words() -> ArrayProperty:  # noqa: N802 - stands among the property classes
    """A list of words."""
    return ArrayProperty(StringProperty())


def _id() -> StringProperty:
    # neomodel keeps the name `id` for itself.
    return StringProperty(required=True, db_property="id")


def _one_of(values: Iterable[str]) -> StringProperty:
    return StringProperty(required=True, choices={value: value for value in values})


class Recorded(StructuredRel):
    """A relationship with the interval in which it was believed."""

    tenant = StringProperty(required=True)
    recorded_from = Time(required=True)
    recorded_to = End(required=True)


class Link(Recorded):
    """A typed link between two memories. `open_key` is unique while the link is open, and missing afterwards."""

    KEYS: ClassVar[Keys] = (("tenant", "open_key"), ("tenant", "id", "recorded_to"))

    uid = _id()
    open_key = StringProperty()
    reason = StringProperty()
    confidence = FloatProperty(required=True)
    strength = FloatProperty(required=True)
    created_at = Time(required=True)
    created_by = StringProperty(required=True)
    run_id = StringProperty()
    # Of MERGED_INTO: whether it says no more than the other, and what of it the other has.
    repeats = BooleanProperty()
    lends = Words()


class Shared(StructuredRel):
    """A link derived from the entities that both mention: a cache, without author or history."""

    tenant = StringProperty(required=True)
    weight = FloatProperty(required=True)
    names = Words()
    weighed_at = Time(required=True)


class Named(StructuredNode):
    """A node with an id. Each of KEYS is unique."""

    __abstract_node__ = True
    KEYS: ClassVar[Keys] = (("tenant", "id"),)

    uid = _id()


class Owned(Named):
    """A node inside a tenant."""

    __abstract_node__ = True

    tenant = StringProperty(required=True)


class Told(Owned):
    """A node of one subject of a tenant."""

    __abstract_node__ = True

    subject_id = StringProperty(required=True)


class State(Told):
    """What a memory says at one time, with both of its intervals."""

    __abstract_node__ = True

    text = StringProperty(required=True)
    caption = StringProperty(required=True)
    heading = StringProperty()
    search_text = StringProperty(required=True)
    kind = StringProperty(required=True)
    tags = Words()
    # neomodel has a method of that name.
    seen_labels = ArrayProperty(StringProperty(), db_property="labels")
    metadata = JSONProperty()
    metadata_pairs = Words()
    session_id = StringProperty()
    agent_id = StringProperty()
    confidence = FloatProperty(required=True)
    feedback = FloatProperty()
    base_importance = FloatProperty(required=True)
    importance = FloatProperty(required=True)
    retention = FloatProperty()
    tier = StringProperty(required=True)
    tier_rank = IntegerProperty(required=True)
    access_count = IntegerProperty()
    mention_count = IntegerProperty()
    last_accessed_at = Time()
    created_day = IntegerProperty()
    accessed_day = IntegerProperty()
    critical = BooleanProperty()
    pinned = BooleanProperty()
    happens_at = Time()
    expires_at = Time()
    valid_from = Time(required=True)
    valid_to = End(required=True)
    holds_to = End(required=True)
    recorded_from = Time(required=True)
    recorded_to = End(required=True)
    created_at = Time(required=True)
    updated_at = Time(required=True)
    chain_id = StringProperty(required=True)
    status = _one_of(model.Status)
    archived_at = Time()
    archive_reason = StringProperty()
    archive_rule = StringProperty()
    quarantined_by = StringProperty()
    state_rank = IntegerProperty(required=True)
    source_kind = _one_of(model.SourceKind)
    source_ref = StringProperty()
    source_author = StringProperty()
    confirmed_at = Time()
    confirmed_by = StringProperty()
    content_hash = StringProperty(required=True)
    embedding = ArrayProperty(FloatProperty())
    embedding_model = StringProperty(required=True)
    embedding_next = ArrayProperty(FloatProperty())
    unembedded = BooleanProperty()
    unjudged = BooleanProperty()
    # Of a summary: whose it is, a digest of the members it was made of, by what, what it lists, and the time it spans.
    community_id = StringProperty()
    made_of = StringProperty()
    written_by = StringProperty()
    key_facts = Words()
    decisions = Words()
    tells_from = Time()
    tells_to = Time()


class Revision(State):
    """A former state of a memory."""

    __optional_labels__: ClassVar[list[str]] = ["Past", "Summary"]

    memory_id = StringProperty(required=True)


class Relation(StructuredRel):
    """What the memory `memory_id` says of two entities, as long as its text has that hash: derived, without a history.

    `source_kind` is `extraction` where a language model named it; without one a rule read it.
    """

    tenant = StringProperty(required=True)
    type = StringProperty(required=True)
    strength = FloatProperty(required=True)
    source_kind = StringProperty()
    memory_id = StringProperty(required=True)
    content_hash = StringProperty(required=True)


class Entity(Told):
    """A person, place or thing that memories mention. With `alias_of` it is another name of that entity."""

    KEYS = (*Told.KEYS, ("tenant", "subject_id", "type", "key", "discriminator"))

    name = StringProperty(required=True)
    caption = StringProperty()
    key = StringProperty(required=True)
    type = StringProperty(required=True)
    discriminator = StringProperty(required=True)
    aliases = Words()
    alias_keys = Words()
    alias_of = StringProperty()
    link_count = IntegerProperty()
    first_seen = Time(required=True)
    last_seen = Time(required=True)

    relates_to = RelationshipTo("Entity", "RELATES_TO", model=Relation)


class Attribute(Told):
    """What can be stated of one entity: where somebody lives, what something costs. `entity_id` is whose it is."""

    KEYS = (*Told.KEYS, ("tenant", "entity_id", "key"))

    entity_id = StringProperty(required=True)
    name = StringProperty(required=True)
    caption = StringProperty()
    key = StringProperty(required=True)

    entity = RelationshipTo(Entity, "OF")


class Claim(Recorded):
    """What a memory states of an attribute. `open_key` is the memory's id while the claim is open, so that it has one.

    `inherited`: it states this attribute because what it took the place of did.
    """

    KEYS: ClassVar[Keys] = (("tenant", "open_key"), ("tenant", "id", "recorded_to"))

    uid = _id()
    open_key = StringProperty()
    value = StringProperty(required=True)
    value_kind = _one_of(ValueKind)
    unit = StringProperty()
    polarity = _one_of(Polarity)
    caption = StringProperty()
    inherited = BooleanProperty()


class Became(StructuredRel):
    """What became of a community at one time. Both ends are the same where no other had a part in it."""

    tenant = StringProperty(required=True)
    kind = _one_of(CommunityChange)
    at = Time(required=True)
    size = IntegerProperty(required=True)
    joined = IntegerProperty(required=True)
    left = IntegerProperty(required=True)
    run_id = StringProperty()


class Community(Told):
    """A cluster of memories that keeps its identity between runs."""

    label = StringProperty(required=True)
    caption = StringProperty()
    about = Words()
    size = IntegerProperty(required=True)
    central_id = StringProperty()
    created_at = Time(required=True)
    updated_at = Time(required=True)
    ended_at = Time()

    became = RelationshipTo("Community", "BECAME", model=Became)


class Segment(Told):
    """A stretch of conversation."""

    ref = StringProperty()
    caption = StringProperty()
    status = StringProperty(required=True)
    started_at = Time(required=True)
    ended_at = Time()
    created_at = Time(required=True)
    extracted_at = Time()
    touched_at = Time()
    length = IntegerProperty()
    context_ids = Words()
    run_id = StringProperty()


class Message(Told):
    """What one speaker said at one time, as it was given. As a `Passage` it is found by search; its vector is that of it and
    of the message before it.
    """

    __optional_labels__: ClassVar[list[str]] = ["Passage"]

    segment_id = StringProperty(required=True)
    position = IntegerProperty(required=True)
    speaker = StringProperty(required=True)
    at = Time(required=True)
    text = StringProperty(required=True)
    caption = StringProperty()
    picture = StringProperty()
    ref = StringProperty()
    session = StringProperty()
    role = StringProperty()
    source_kind = StringProperty()
    created_at = Time(required=True)
    asked_at = Time()
    extracted_at = Time()
    redacted_at = Time()
    tries = ArrayProperty(StringProperty())
    fault = StringProperty()
    set_aside = StringProperty()
    quarantined_by = StringProperty()
    embedding = ArrayProperty(FloatProperty())
    embedding_model = StringProperty()
    embedding_next = ArrayProperty(FloatProperty())
    unembedded = BooleanProperty()

    segment = RelationshipTo(Segment, "PART_OF")


class Memory(State):
    """One statement worth keeping: its last recorded state."""

    __optional_labels__: ClassVar[list[str]] = ["Live", "Past", "Summary"]
    KEYS = (*State.KEYS, ("tenant", "subject_id", "live_key"))

    live_key = StringProperty()
    # Stored before claims were read.
    unread = BooleanProperty()
    wanted_at = Time()
    # When a language model last saw nothing to split or shorten in it, and how often.
    refined_at = Time()
    rejection_count = IntegerProperty()
    # What it has of itself of each property that others lend it, and what they make it: JSON.
    lent = JSONProperty()

    supersedes = RelationshipTo("Memory", "SUPERSEDES", model=Link)
    causes = RelationshipTo("Memory", "CAUSES", model=Link)
    conflicts = RelationshipTo("Memory", "CONFLICTS", model=Link)
    instance_of = RelationshipTo("Memory", "INSTANCE_OF", model=Link)
    invalidated_by = RelationshipTo("Memory", "INVALIDATED_BY", model=Link)
    motivated_by = RelationshipTo("Memory", "MOTIVATED_BY", model=Link)
    related = RelationshipTo("Memory", "RELATED", model=Link)
    supports = RelationshipTo("Memory", "SUPPORTS", model=Link)
    references = RelationshipTo("Memory", "REFERENCES", model=Link)
    expands = RelationshipTo("Memory", "EXPANDS", model=Link)
    similar = RelationshipTo("Memory", "SIMILAR", model=Link)
    follows = RelationshipTo("Memory", "FOLLOWS", model=Link)
    enables = RelationshipTo("Memory", "ENABLES", model=Link)
    was_context_for = RelationshipTo("Memory", "WAS_CONTEXT_FOR", model=Link)
    shares_entity = RelationshipTo("Memory", "SHARES_ENTITY", model=Shared)
    consolidates = RelationshipTo("Memory", "CONSOLIDATES", model=Link)
    derived_from = RelationshipTo("Memory", "DERIVED_FROM", model=Link)
    merged_into = RelationshipTo("Memory", "MERGED_INTO", model=Link)

    mentions = RelationshipTo(Entity, "MENTIONS", model=Recorded)
    states = RelationshipTo(Attribute, "STATES", model=Claim)
    communities = RelationshipTo(Community, "MEMBER_OF", model=Recorded)
    revisions = RelationshipTo(Revision, "REVISED_FROM")
    sources = RelationshipTo(Message, "EXTRACTED_FROM")
    subject = RelationshipTo("Subject", "BELONGS_TO")


class Request(Told):
    """One call of a client and its answer. `subject_id` is * unless the caller's key is bound to a subject."""

    KEYS = (*Told.KEYS, ("tenant", "subject_id", "operation", "key"))

    operation = StringProperty(required=True)
    key = StringProperty(required=True)
    fingerprint = StringProperty(required=True)
    actor = StringProperty(required=True)
    answer = JSONProperty()
    created_at = Time(required=True)
    answered_at = Time()
    erased_at = Time()


class Change(Told):
    """One committed decision: the ledger."""

    KEYS = (*Told.KEYS, ("tenant", "sequence"))

    sequence = IntegerProperty(required=True)
    place = IntegerProperty()
    at = Time(required=True)
    operation = _one_of(Operation)
    classification = StringProperty()
    confidence = FloatProperty()
    reason = StringProperty()
    actor = StringProperty(required=True)
    targets = Words()
    sources = Words()
    before = JSONProperty()
    after = JSONProperty()
    effects = JSONProperty()
    session_id = StringProperty()
    run_id = StringProperty()
    request_id = StringProperty(required=True)
    undone_by = StringProperty()
    digest = StringProperty()
    chain = StringProperty()
    salt = StringProperty()
    emptied_at = Time()

    changed = RelationshipTo(Memory, "CHANGED")


class Tombstone(StructuredNode):
    """What was erased, as a keyed hash: it stops the same from coming in again."""

    KEYS: ClassVar[Keys] = (("tenant", "subject_id", "hash"),)

    tenant = StringProperty(required=True)
    subject_id = StringProperty(required=True)
    hash = StringProperty(required=True)
    created_at = Time(required=True)
    request_id = StringProperty()


class Run(Owned):
    """One execution of a job for a tenant."""

    KEYS = (*Owned.KEYS, ("tenant", "job", "slot"))

    job = StringProperty(required=True)
    kind = _one_of(Kind)
    status = _one_of(Status)
    caption = StringProperty()
    at = Time(required=True)
    slot = Time()
    lease = StringProperty(required=True)
    attempts = IntegerProperty(required=True)
    deliveries = IntegerProperty(required=True)
    furthest = IntegerProperty(required=True)
    traceparent = StringProperty()
    phase = StringProperty()
    done = IntegerProperty(required=True)
    total = IntegerProperty(required=True)
    args = JSONProperty()
    result = JSONProperty()
    moves = JSONProperty()
    error = StringProperty()
    created_at = Time(required=True)
    started_at = Time()
    finished_at = Time()
    updated_at = Time(required=True)
    due_at = Time()


class Review(Told):
    """A decision that waits for a person, or waited. The hashes tell whether the memories still say the same."""

    caption = StringProperty()
    status = _one_of(ReviewStatus)
    action = _one_of(Action)
    confidence = FloatProperty(required=True)
    reason = StringProperty()
    hindrance = StringProperty()
    provider = StringProperty(required=True)
    memory_id = StringProperty(required=True)
    target_id = StringProperty(required=True)
    candidate_ids = Words()
    memory_hash = StringProperty()
    target_hash = StringProperty()
    text = StringProperty()
    created_at = Time(required=True)
    expires_at = Time(required=True)
    decided_at = Time()
    decided_by = StringProperty()
    decided_action = StringProperty()
    note = StringProperty()

    subject = RelationshipTo("Subject", "BELONGS_TO")
    memories = RelationshipTo(Memory, "ABOUT")


class PlannedMerge(Told):
    """What a rehearsed consolidation would merge, and what became of it. It goes with its run, and with its members."""

    caption = StringProperty()
    run_id = StringProperty(required=True)
    position = IntegerProperty(required=True)
    status = _one_of(PlanStatus)
    members = Words()
    hashes = Words()
    text = StringProperty(required=True)
    statements = Words()
    reason = StringProperty()
    confidence = FloatProperty(required=True)
    provider = StringProperty(required=True)
    links = IntegerProperty(required=True)
    created_at = Time(required=True)
    settled_at = Time()
    settled_by = StringProperty()
    product_id = StringProperty()
    fault = StringProperty()


class Batch(Told):
    """Questions for a language model that are answered together; texts stand with what they are about."""

    caption = StringProperty()
    kind = _one_of(BatchKind)
    status = _one_of(BatchStatus)
    provider = StringProperty()
    provider_id = StringProperty()
    earlier_id = StringProperty()
    items = IntegerProperty(required=True)
    applied = IntegerProperty(required=True)
    failed = IntegerProperty(required=True)
    attempts = IntegerProperty(required=True)
    retries = IntegerProperty(required=True)
    faults = IntegerProperty(required=True)
    reason = StringProperty()
    run_id = StringProperty()
    sent = IntegerProperty()
    created_at = Time(required=True)
    submitted_at = Time(required=True)
    sending_at = Time()
    expires_at = Time()
    moved_at = Time(required=True)
    ended_at = Time()


class BatchItem(Told):
    """One question of a batch, by reference; its answer stands here from its arrival until it is applied."""

    batch_id = StringProperty(required=True)
    position = IntegerProperty(required=True)
    reference = StringProperty(required=True)
    about = Words()
    state = _one_of(ItemState)
    tries = IntegerProperty(required=True)
    sent_in = IntegerProperty()
    answer = StringProperty()
    fault = StringProperty()
    erasures = IntegerProperty()
    applied_at = Time()
    erased_at = Time()


class Subject(Owned):
    """Whose memories they are: the inner wall. Its id is a token, its name is the caller's."""

    name = StringProperty(required=True)
    sequence = IntegerProperty(required=True)
    chain = StringProperty()
    created_at = Time(required=True)
    clustered_as = StringProperty()
    consolidated_as = StringProperty()
    consolidated_to = Time()
    # The rules by which all of it was last clustered, the newest record that it has seen, and how much has changed since.
    clustered_by = StringProperty()
    clustered_to = Time()
    clustered_drift = IntegerProperty()
    activity_days = IntegerProperty()
    last_active_on = StringProperty()
    time_zone = StringProperty()

    account = RelationshipTo("Tenant", "BELONGS_TO")


class Tenant(Named):
    """An account: the outer wall. Its id is a token, its name is the operator's."""

    KEYS = (("id",),)

    name = StringProperty(required=True)
    sequence = IntegerProperty(required=True)
    recorded_at = Time(required=True)
    rescored_at = Time()
    tombstone_key = StringProperty()
    created_at = Time(required=True)


class ApiKey(Owned):
    """A key, with the hash of its secret."""

    KEYS = (("id",),)

    prefix = StringProperty(required=True)
    salt = StringProperty(required=True)
    hash = StringProperty(required=True)
    name = StringProperty()
    tenant_name = StringProperty(required=True)
    subject_name = StringProperty()
    scopes = Words()
    created_at = Time(required=True)
    last_used_at = Time()
    revoked_at = Time()


class Webhook(Owned):
    """An address to which changes are sent, and how far it has come. Its secret is never answered nor exported."""

    url = StringProperty(required=True)
    subject_id = StringProperty()
    subject_name = StringProperty()
    operations = Words()
    with_content = BooleanProperty(required=True)
    secret = StringProperty(required=True)
    status = _one_of(WebhookStatus)
    after = IntegerProperty(required=True)
    failures = IntegerProperty(required=True)
    failing_since = Time()
    last_error = StringProperty()
    last_sent_at = Time()
    next_try_at = Time()
    created_at = Time(required=True)
    created_by = StringProperty(required=True)


class Lease(StructuredNode):
    """Who may carry out a job now; `fence` grows with each holder."""

    KEYS: ClassVar[Keys] = (("tenant", "name"),)

    tenant = StringProperty(required=True)
    name = StringProperty(required=True)
    fence = IntegerProperty(required=True)
    owner = StringProperty()
    locked_by = StringProperty()
    expires_at = Time(required=True)


class Spend(StructuredNode):
    """What calls of language models took on one day, by provider, model and purpose; costs in US dollars."""

    KEYS: ClassVar[Keys] = (("tenant", "day", "provider", "model", "purpose"),)

    tenant = StringProperty(required=True)
    day = Time(required=True)
    provider = StringProperty(required=True)
    model = StringProperty(required=True)
    purpose = _one_of(Purpose)
    calls = IntegerProperty(required=True)
    failures = IntegerProperty(required=True)
    tokens_in = IntegerProperty(required=True)
    tokens_out = IntegerProperty(required=True)
    cost = FloatProperty(required=True)
    unpriced = IntegerProperty(required=True)
    left_out = Words()
    updated_at = Time(required=True)


class Migration(StructuredNode):
    """A migration that this store has; version 0 is the lock and the canary."""

    KEYS: ClassVar[Keys] = (("version",),)

    version = IntegerProperty(required=True)
    name = StringProperty()
    checksum = StringProperty()
    applied_at = Time()
    held = BooleanProperty()
    canary_at = Time()


class VectorSpace(StructuredNode):
    """Which model the vectors of this store are of and, while that is being changed, which they will be of."""

    KEYS: ClassVar[Keys] = (("role",),)

    role = StringProperty(required=True)
    provider = StringProperty()
    model = StringProperty()
    dimension = IntegerProperty()
    name = StringProperty()
    url = StringProperty()
    next_provider = StringProperty()
    next_model = StringProperty()
    next_dimension = IntegerProperty()
    next_name = StringProperty()
    next_url = StringProperty()
    stage = StringProperty()
    refused = Words()
    held = BooleanProperty()
    changed_at = Time()


NODES = (
    Memory, Revision, Entity, Attribute, Segment, Message, Subject, Community, Run, Change, Request, Review, PlannedMerge, Batch,
    BatchItem, Tombstone, Lease, Tenant, ApiKey, Webhook, Spend, VectorSpace, Migration,
)  # fmt: skip


def relationships() -> dict[str, type[StructuredRel] | None]:
    """Each relationship type, with the class of its properties; None when it has none."""
    return {
        each.definition["relation_type"]: each.definition["model"]
        for kind in NODES
        for each in kind.defined_properties(properties=False, aliases=False).values()
    }
