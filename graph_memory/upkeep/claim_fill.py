"""Reads the claims of what was stored before claims were read: a few memories of one subject at a time.

What was read is marked in the same transaction, so that a run that died goes on where it was. No Change: nothing was decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from graph_memory.base.scope import Scope
from graph_memory.entities.claims import read_again
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.store.queries import query
from graph_memory.store.service import Service

UNREAD = query("claims/unread")

ACTOR = "claim-reader"
# Others who write of that subject wait for so many.
_AT_ONCE = 50


def fill(service: Service, scope: Scope, run_id: str | None = None) -> Iterator[int]:
    """Says of each batch how many memories were read. Ends when none waits."""
    while rows := service.read(scope, UNREAD, limit=_AT_ONCE):
        [row] = rows
        call = Call(Scope(scope.tenant_name, row["subject"]), ACTOR, run_id=run_id)
        work = partial(_read, ids=row["ids"])
        carry_out(service, call, "readClaims", [run_id, *row["ids"]], work, is_activity=False)
        yield len(row["ids"])


def _read(writing: Writing, ids: list[str]) -> dict[str, int]:
    done = read_again(writing, ids)
    writing.touched.update(memory for memory, _ in [*done["claims_opened"], *done["claims_closed"]])
    return {"read": len(ids)}
