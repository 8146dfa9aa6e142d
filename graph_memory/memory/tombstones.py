"""Tombstones: keyed hashes of what was erased, so that it is not imported or extracted again. They hold no text."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection

from graph_memory.language.texts import normalised
from graph_memory.ledger.changes import Writing
from graph_memory.store.queries import query

SECRET = query("forget/secret")
BURY = query("forget/bury")
BURIED = query("forget/buried")


def bury(writing: Writing, texts: Collection[str], messages: Collection[str]) -> int:
    """Leaves a tombstone for each text and each message id; says how many."""
    key = bytes.fromhex(writing.run(SECRET, fresh=secrets.token_hex(32))[0]["key"])
    hashes = sorted({_hash(key, normalised(text)) for text in texts} | {_hash(key, id) for id in messages})
    writing.run(BURY, hashes=hashes, now=writing.now, request_id=writing.request_id)
    return len(hashes)


def buried(writing: Writing, texts: Collection[str]) -> set[str]:
    """Which of these texts were erased in this subject."""
    known = writing.run(BURIED)[0]
    if known["key"] is None or not known["hashes"]:
        return set()
    key, hashes = bytes.fromhex(known["key"]), set(known["hashes"])
    return {text for text in texts if _hash(key, normalised(text)) in hashes}


def _hash(key: bytes, value: str) -> str:
    return hmac.new(key, value.encode(), hashlib.sha256).hexdigest()
