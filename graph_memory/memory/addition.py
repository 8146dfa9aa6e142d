"""Adding facts: check, embed in one batch, then one transaction for each batch of rows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import new_id
from graph_memory.entities.claims import claim
from graph_memory.entities.relations import relate
from graph_memory.entities.resolution import Mentioned, Said, mention
from graph_memory.language import secrets
from graph_memory.language.claim_reading import ReadClaim, read_claim
from graph_memory.ledger.changes import PENDING, Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.live_keys import holds_to, live_key, will_hold
from graph_memory.memory.properties import as_stored, of_text, search_text
from graph_memory.memory.repetition import Repetition, repeat
from graph_memory.memory.sharing import share
from graph_memory.memory.tombstones import buried
from graph_memory.memory.validation import check
from graph_memory.model.change import Operation
from graph_memory.model.memory import STATE_RANK, EntityName, Fact, Relates, SourceKind, Status
from graph_memory.models.embedders import embed_if_possible
from graph_memory.scoring.scores import as_stored as scores_as_stored
from graph_memory.scoring.scores import scores
from graph_memory.scoring.settings import DecaySettings
from graph_memory.scoring.terms import Facts
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

ADD = query("memory/add")
# What the ledger tells of a new memory only where there is any.
_TOLD_IF_ANY = ("labels", "archive_reason")


class Outcome(StrEnum):
    """What became of a given fact."""

    ADDED = "ADDED"
    DUPLICATE = "DUPLICATE"
    ERASED = "ERASED"


@dataclass(frozen=True)
class Added:
    """The memory that holds a given fact: a new one, or the one that said it already.

    None where it was erased before: what is imported or extracted does not bring it back.
    """

    id: str | None
    outcome: Outcome


def add(service: Service, call: Call, facts: Sequence[Fact]) -> tuple[list[Added], Answer]:
    """One Added for each fact, in order. A statement that is live already is not stored twice.

    Raises Invalid before anything is stored when any fact breaks a rule, or would answer at no moment.
    """
    prepared = prepare(service, call.scope.for_writing().subject or "", facts)
    body = [body_of(fact) for fact in facts]
    answer = carry_out(service, call, "addMemories", body, lambda writing: _write_given(writing, prepared))
    return [Added(item["id"], Outcome(item["outcome"])) for item in answer.value], answer


@dataclass(frozen=True)
class Prepared:
    """A fact made ready to be stored: the node's properties, and what it mentions.

    `asks_to_forget`: it is an order about what is known, which a person carries out.
    `returns` tells that it comes by import or extraction, so that it may be something that was erased. `is_read`: its
    names were read out of the text, so known ones are looked for in it as well. `relations` are what a language model
    says of its names, `claim` is of whom it states what. `about` is the known memory that it is about, where that is known
    already; `told_in` one that tells it too, so that it is stored only if something takes that one's place. How a judge
    called it, how surely and why goes into the ledger. `said_at` is when its message was said.
    """

    id: str
    live_key: str
    properties: Row
    entities: tuple[EntityName, ...]
    message_id: str | None
    returns: bool
    is_read: bool = False
    relations: tuple[Relates, ...] = ()
    claim: ReadClaim | None = None
    classification: str | None = None
    confidence: float | None = None
    reason: str = ""
    about: str | None = None
    told_in: str | None = None
    asks_to_forget: bool = False
    said_at: datetime | None = None

    @property
    def is_held(self) -> bool:
        """Whether a person is asked before it is believed."""
        return bool(self.properties["status"] == Status.ARCHIVED)

    @property
    def is_said(self) -> bool:
        """Whether a person said it."""
        return bool(self.properties["source_kind"] == SourceKind.USER)


def prepare(
    service: Service, subject: str, facts: Sequence[Fact], *, reads_claims: bool = True
) -> list[Prepared]:
    """Every fact checked, embedded in one batch and laid out as properties; nothing is stored."""
    now = service.clock()
    faults = Gathered()
    checked = [faults.of(check, service, fact, f"facts[{index}]") for index, fact in enumerate(facts)]
    faults.refuse()
    vectors = _vectors(service, checked)
    laid_out = [
        _lay_out(service, subject, fact, vector, now) for fact, vector in zip(checked, vectors, strict=True)
    ]
    # Of an extracted statement the names were read as well, and given along.
    read = [fact.entities is None or fact.message_id is not None for fact in facts]
    return [
        replace(
            item,
            is_read=is_read,
            claim=read_claim(fact.text) if reads_claims else None,
            said_at=fact.said_at,
        )
        for item, is_read, fact in zip(laid_out, read, checked, strict=True)
    ]


def write(writing: Writing, prepared: Sequence[Prepared]) -> list[dict[str, str | None]]:
    """Creates what is not live already, with its mentions, in the open transaction; what is live already is joined by a
    repetition. A Change each."""
    _refuse_ended(prepared)
    erased = erased_before(writing, prepared)
    wanted = [item for item in prepared if item.id not in erased]
    first = {item.live_key: item for item in reversed(wanted)}
    fresh = [item for item in wanted if first[item.live_key] is item]
    holders = _create(writing, fresh) if fresh else {}
    created = [item for item in fresh if holders[item.live_key] == item.id]
    mentioned = _mention(writing, created)
    share(writing, [item.id for item in created if item.id in mentioned.meant])
    for item in created:
        writing.decide(_added(item, mentioned), touched=[item.id])
    known = [item for item in wanted if holders[item.live_key] != item.id]
    repeat(writing, [repetition(item, holders[item.live_key]) for item in known])
    return [_outcome(item, holders.get(item.live_key), item.id in erased) for item in prepared]


def repetition(item: Prepared, known: str) -> Repetition:
    """A fact as one that says again what a memory says."""
    return Repetition(known, item.properties, item.message_id, item.confidence, item.reason)


def _write_given(writing: Writing, prepared: Sequence[Prepared]) -> list[dict[str, str | None]]:
    """As `write`. What somebody gives has not expired before it begins; what is read out of a text may have."""
    _refuse_ended(prepared)
    for index, item in enumerate(prepared):
        if not item.is_held and item.properties["holds_to"] <= item.properties["valid_from"]:
            path = f"facts[{index}].expires_at"
            raise Invalid(
                f"{path} has passed when it begins to hold; give a later one, or a valid_from that lies before it.",
                path=path,
            )
    return write(writing, prepared)


def _refuse_ended(prepared: Sequence[Prepared]) -> None:
    """What holds from now on cannot have ended. Asked here, since a repeated request comes later than the first."""
    for index, item in enumerate(prepared):
        if item.properties["valid_to"] <= item.properties["valid_from"]:
            path = f"facts[{index}].valid_to"
            raise Invalid(f"{path} has passed already; give a valid_from that lies before it.", path=path)


def erased_before(writing: Writing, prepared: Sequence[Prepared]) -> set[str]:
    """Those that were erased before and come back by import or extraction. A person may say them again."""
    coming = {item.id: item.properties["text"] for item in prepared if item.returns}
    gone = buried(writing, set(coming.values())) if coming else set()
    return {id for id, text in coming.items() if text in gone}


def body_of(fact: Fact) -> Row:
    """A fact as plain data, for the fingerprint of a request. The vector counts by its digest, a secret not at all."""
    given = {
        name: secrets.masked(fact.text)[0] if name == "text" else getattr(fact, name)
        for name in fact.__dataclass_fields__
        if name
        not in ("vector", "entities", "relations", "source", "labels", "held", "asks_to_forget", "said_at")
    }
    vector = hashlib.sha256(repr(fact.vector).encode()).hexdigest() if fact.vector else None
    names = [[entity.type, entity.key, entity.discriminator] for entity in fact.entities or ()]
    source = [fact.source.kind, fact.source.ref, fact.source.author]
    # Left out where there are none, so that a request from before there were any is still the same one.
    related = {"relations": [[each.name, each.type, each.other] for each in fact.relations]}
    body = {**given, "vector": vector, "entities": names, "source": source}
    return body | related if fact.relations else body


def _create(writing: Writing, fresh: Sequence[Prepared]) -> dict[str, str]:
    rows = [
        {"id": item.id, "key": item.live_key, "properties": item.properties, "message_id": item.message_id}
        for item in sorted(fresh, key=lambda item: item.id)
    ]
    return {row["key"]: row["holder"] for row in writing.run(ADD, rows=rows)}


def _mention(writing: Writing, created: Sequence[Prepared]) -> Mentioned:
    texts = {item.id: str(item.properties["text"]) for item in created}
    said = [Said(item.id, texts[item.id], item.entities, item.is_read) for item in created]
    mentioned = mention(writing, said)
    relate(writing, texts, mentioned.meant, {item.id: item.relations for item in created if item.relations})
    claim(writing, {item.id: item.claim for item in created if item.claim}, mentioned.meant)
    return mentioned


def _added(item: Prepared, mentioned: Mentioned) -> Decision:
    told = ("text", "kind", "valid_from", "valid_to", *_TOLD_IF_ANY)
    state = {
        name: item.properties[name] for name in told if item.properties.get(name) or name not in _TOLD_IF_ANY
    }
    sources = [item.message_id] if item.message_id else []
    learnt = mentioned.learnt.get(item.id)
    return Decision(
        Operation.ADD,
        [item.id],
        sources=sources,
        reason=item.reason,
        classification=item.classification,
        confidence=item.confidence,
        after={item.id: state},
        effects={"entities": learnt} if learnt else {},
    )


def _outcome(item: Prepared, holder: str | None, is_erased: bool) -> dict[str, str | None]:
    if is_erased:
        return {"id": None, "outcome": Outcome.ERASED.value}
    outcome = Outcome.ADDED if holder == item.id else Outcome.DUPLICATE
    return {"id": holder, "outcome": outcome.value}


def _vectors(service: Service, facts: Sequence[Fact]) -> list[list[float] | None]:
    missing = [search_text(fact.text, fact.heading) for fact in facts if fact.vector is None]
    made = iter(embed_if_possible(service.embedder, missing))
    return [next(made) if fact.vector is None else list(fact.vector) for fact in facts]


def _lay_out(
    service: Service, subject: str, fact: Fact, vector: list[float] | None, now: datetime
) -> Prepared:
    valid_from, valid_to = fact.valid_from or now, fact.valid_to or FOREVER
    key = live_key(fact.kind, fact.text, fact.happens_at, valid_from, now)
    id = new_id()
    properties = {
        "id": id,
        "subject_id": subject,
        **of_text(fact.text, fact.heading, vector, service.embedder.model),
        "kind": fact.kind,
        **as_stored({"tags": fact.tags, "labels": fact.labels, "metadata": fact.metadata}),
        "session_id": fact.session_id,
        "agent_id": fact.agent_id,
        "confidence": fact.confidence,
        "feedback": 0.0,
        "base_importance": fact.importance,
        **_scores(service, fact, now),
        "access_count": 0,
        "mention_count": 0,
        "critical": fact.critical,
        "pinned": fact.pinned,
        "happens_at": fact.happens_at,
        "expires_at": fact.expires_at,
        "valid_from": valid_from,
        "valid_to": valid_to,
        "recorded_from": PENDING,
        "recorded_to": FOREVER,
        "created_at": now,
        "updated_at": now,
        "chain_id": id,
        "status": Status.ACTIVE.value,
        "state_rank": STATE_RANK[Status.ACTIVE],
        "source_kind": fact.source.kind.value,
        "source_ref": fact.source.ref,
        "source_author": fact.source.author,
    }
    properties["holds_to"] = holds_to(properties, service.settings[DecaySettings])
    is_live = will_hold(valid_from, properties["holds_to"], now)
    properties["live_key"] = key if is_live else None
    if fact.held:
        return _waiting(fact, properties)
    # A past statement has no twin: nothing stops the same words from having been true before.
    returns = fact.message_id is not None or fact.source.kind is SourceKind.IMPORT
    names, relations = fact.entities or (), fact.relations
    return Prepared(
        id, key if is_live else id, properties, names, fact.message_id, returns, relations=relations
    )


def _scores(service: Service, fact: Fact, now: datetime) -> Row:
    """Where a new memory stands by the policy: of no age, unused, and linked to by nothing."""
    facts = Facts(
        created_at=now,
        base_importance=fact.importance,
        confidence=fact.confidence,
        kind=fact.kind,
        critical=fact.critical,
        pinned=fact.pinned,
        happens_at=fact.happens_at,
        expires_at=fact.expires_at,
    )
    return {**scores_as_stored(scores(facts, now, service.settings))}


def _waiting(fact: Fact, properties: Row) -> Prepared:
    """A statement that a person is asked about first: archived from the start, so that no default answer has it."""
    archived = {
        "status": Status.ARCHIVED.value,
        "state_rank": STATE_RANK[Status.ARCHIVED],
        "archived_at": properties["created_at"],
        "archive_reason": fact.held,
        "holds_to": ALWAYS,
        "live_key": None,
    }
    return Prepared(
        properties["id"],
        properties["id"],
        {**properties, **archived},
        fact.entities or (),
        fact.message_id,
        returns=fact.message_id is not None or fact.source.kind is SourceKind.IMPORT,
        relations=fact.relations,
        classification="HELD",
        reason=fact.held,
        asks_to_forget=fact.asks_to_forget,
    )
