"""What a person has retracted is not extracted again: not in the same words, whoever says them."""

from __future__ import annotations

from collections.abc import Collection

from graph_memory.base.scope import Scope
from graph_memory.memory.properties import content_hash
from graph_memory.model.memory import STATE_RANK, Status
from graph_memory.store.queries import query
from graph_memory.store.service import Service

REJECTED = query("understanding/rejected")


def rejected(service: Service, scope: Scope, texts: Collection[str]) -> set[str]:
    """Which of these texts were retracted in this subject."""
    by_hash = {content_hash(text): text for text in texts}
    if not by_hash:
        return set()
    rows = service.read(
        scope.for_writing(), REJECTED, hashes=sorted(by_hash), retracted=STATE_RANK[Status.RETRACTED]
    )
    return {by_hash[row["hash"]] for row in rows}
