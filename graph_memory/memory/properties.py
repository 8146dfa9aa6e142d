"""How the values of a fact stand as properties of a node, and how the ledger carries them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph_memory.language import characters, texts
from graph_memory.models.embedders import embed_if_possible
from graph_memory.store.service import Row, Service

TIMES = frozenset(
    {
        "valid_from",
        "valid_to",
        "happens_at",
        "expires_at",
        "archived_at",
        "created_at",
        "last_accessed_at",
        "confirmed_at",
        "decided_at",
    }
)


# Tags of one memory.
MOST_TAGS = 32
# The model of a state that waits for its vector.
UNEMBEDDED = "PENDING"
_VECTORS = frozenset({"embedding", "embedding_next", "unembedded"})


def of_text(text: str, heading: str, vector: Sequence[float] | None, model: str) -> Row:
    """Everything that follows from a text and its heading. Without a vector it is found by words, and waits for one."""
    return {
        "text": text,
        "heading": heading,
        "caption": texts.caption(text),
        "search_text": search_text(text, heading),
        "content_hash": content_hash(text),
        "embedding": None if vector is None else list(vector),
        "embedding_model": UNEMBEDDED if vector is None else model,
        "embedding_next": None,
        "unembedded": True if vector is None else None,
    }


def properties_of(service: Service, text: str, heading: str) -> Row:
    """The same of a text that is embedded here."""
    [vector] = embed_if_possible(service.embedder, [search_text(text, heading)])
    return of_text(text, heading, vector, service.embedder.model)


def search_text(text: str, heading: str) -> str:
    """What is embedded and indexed: the statement under its heading, without characters that nobody sees."""
    return characters.plain(f"{heading}: {text}" if heading else text)


def content_hash(text: str) -> str:
    """What tells two texts apart."""
    return hashlib.sha256(text.encode()).hexdigest()


def as_stored(values: Mapping[str, Any]) -> Row:
    """Values of a fact as properties: tags as a list, metadata as JSON and as pairs that can be looked for."""
    shaped = dict(values)
    if "tags" in shaped:
        shaped["tags"] = list(shaped["tags"])
    if "labels" in shaped:
        shaped["labels"] = list(shaped["labels"]) or None
    if "metadata" in shaped:
        flat = dict(shaped["metadata"])
        shaped["metadata"] = json.dumps(flat, sort_keys=True)
        shaped["metadata_pairs"] = [pair(key, value) for key, value in sorted(flat.items())]
    return shaped


def pair(key: str, value: Any) -> str:
    """One entry of a memory's metadata as one text."""
    return f"{key}={json.dumps(value)}"


def for_ledger(values: Mapping[str, Any]) -> Row:
    """What the ledger keeps of properties: all but the vectors, which the revision holds."""
    return {name: value for name, value in values.items() if name not in _VECTORS}


def from_ledger(values: Mapping[str, Any]) -> Row:
    """Properties as they were before the ledger spelled them."""
    return {
        name: datetime.fromisoformat(value) if name in TIMES and isinstance(value, str) else value
        for name, value in values.items()
    }
