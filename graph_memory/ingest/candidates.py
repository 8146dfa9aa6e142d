"""What a new statement is compared with: the nearest live memories of its subject, those that share an entity, and those
that have words of the question in common that it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.clock import FOREVER
from graph_memory.ingest.thresholds import profile_of
from graph_memory.language import characters
from graph_memory.language.name_types import GPE, ORG, PERSON, UNKNOWN
from graph_memory.language.slot_words import slots
from graph_memory.language.texts import lucene
from graph_memory.ledger.changes import Call, Writing
from graph_memory.memory.addition import Prepared
from graph_memory.memory.settings import PipelineSettings
from graph_memory.memory.sharing import SHARED_MOST
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Statement
from graph_memory.models.profiles import Profile
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

CANDIDATES = query("remembering/candidates")

OPERATION = "remember"
# So many neighbours are read for each candidate wanted: the index rounds, the cosine here does not.
_OVERFETCH = 8
# So many are looked up by words, wherever their vectors lie.
_MOST_WORDED = 8
_TYPES = (PERSON, ORG, GPE, UNKNOWN)


@dataclass(frozen=True)
class Candidate:
    """A live memory, its raw cosine to the new statement, the names of the entities that both mention,
    what screening saw in it, when it was said last, and when it happens."""

    id: str
    text: str
    kind: str
    heading: str
    source_kind: SourceKind
    author: str | None
    valid_from: datetime
    vector: tuple[float, ...]
    cosine: float
    names: tuple[str, ...]
    labels: tuple[str, ...] = ()
    said_at: datetime | None = None
    happens_at: datetime | None = None

    @property
    def statement(self) -> Statement:
        """What a judge is shown of it."""
        return Statement(
            self.id,
            characters.readable(self.text),
            self.valid_from,
            self.author,
            self.kind,
            self.heading,
            self.vector,
            said_at=self.said_at,
            happens_at=self.happens_at,
        )


@dataclass(frozen=True)
class Found:
    """Candidates, nearest first, and how far the subject was written when they were read.

    `is_answered` tells that this call's key has its answer already. `aliases` are the keys that name one entity, those
    of the whole call together.
    """

    candidates: tuple[Candidate, ...]
    sequence: int
    is_answered: bool
    aliases: tuple[frozenset[str], ...] = ()


def search(
    service: Service, calls: Sequence[Call], prepared: Sequence[Prepared], operation: str = OPERATION
) -> list[Found]:
    """What there is for each statement, all in one statement to the store. `operation` is what the calls carry out."""
    if not prepared:
        return []
    scope = calls[0].scope.for_writing()
    rows = service.read(scope, CANDIDATES, **_values(service, calls, prepared, operation))
    found = {row["id"]: _found(row) for row in rows}
    return [found[item.id] for item in prepared]


def search_in(service: Service, writing: Writing, prepared: Sequence[Prepared]) -> list[Found]:
    """The same, seen under the subject's lock."""
    if not prepared:
        return []
    calls = [writing.call] * len(prepared)
    rows = writing.run(CANDIDATES, **_values(service, calls, prepared, OPERATION))
    found = {row["id"]: _found(row) for row in rows}
    return [found[item.id] for item in prepared]


def _values(service: Service, calls: Sequence[Call], prepared: Sequence[Prepared], operation: str) -> Row:
    [wall] = {call.scope.subject if call.scope.is_bound else "*" for call in calls}
    pipeline = service.settings[PipelineSettings]
    profile = profile_of(service.embedder.model, pipeline)
    return {
        "rows": [_row(call, item, profile) for call, item in zip(calls, prepared, strict=True)],
        "keys": sorted({each.key for item in prepared for each in item.entities}),
        "wall": wall,
        "operation": operation,
        "now": service.clock(),
        "forever": FOREVER,
        "shared_floor": profile.shared,
        "worded_floor": profile.worded,
        "most_worded": _MOST_WORDED,
        "most": SHARED_MOST,
        "most_candidates": pipeline.candidates,
        "fetch": pipeline.candidates * _OVERFETCH,
    }


def _row(call: Call, item: Prepared, profile: Profile) -> Row:
    entities = [{"key": each.key, "types": sorted({*_TYPES, each.type})} for each in item.entities]
    words = slots(item.properties["text"])
    return {
        "id": item.id,
        "key": call.key or "",
        "vector": item.properties["embedding"],
        # An order is about something that is known, however little alike they are.
        "floor": -1.0 if item.asks_to_forget else profile.candidates,
        "stems": list(words),
        "words": lucene(" ".join(words.values())),
        "entities": entities,
        "about": item.about,
    }


def _found(row: Row) -> Found:
    candidates = tuple(
        Candidate(
            **{
                **each,
                "source_kind": SourceKind(each["source_kind"]),
                "vector": tuple(each["vector"]),
                "names": tuple(sorted(set(each["names"]))),
                "labels": tuple(each["labels"]),
            }
        )
        for each in row["candidates"]
    )
    aliases = tuple(frozenset(keys) for keys in row["aliases"])
    return Found(candidates, row["sequence"], row["is_answered"], aliases)
