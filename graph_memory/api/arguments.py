"""Arguments that many fields share, with their descriptions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.base.gathered import Gathered
from graph_memory.ledger.changes import check_key, check_reason
from graph_memory.model.memory import Trust

MemoryId = Annotated[strawberry.ID, strawberry.argument(description="The memory's id, or its uuid.")]
AsOf = Annotated[datetime | None, strawberry.argument(description="When it held in the world. Missing: now.")]
KnownAt = Annotated[datetime | None, strawberry.argument(description="When it was believed. Missing: now.")]
Subject = Annotated[
    str | None,
    strawberry.argument(
        description="Whose memories: narrows a key of the whole tenant; a bound key refuses another."
    ),
]
FIRST = "How many at most, from the start: 1 to 100."
First = Annotated[int | None, strawberry.argument(description=FIRST)]
Last = Annotated[
    int | None, strawberry.argument(description="Not offered: pages go forwards only. Use first.")
]
After = Annotated[str | None, strawberry.argument(description="The cursor after which the page begins.")]
MinTrust = Annotated[
    Trust | None, strawberry.argument(description="What is trusted less is left out. Missing: nothing is.")
]


KEY = "Makes repeating safe: the same key and body answer again what was answered; up to 255 characters."
SUBJECT = "Whose memories they are. Missing: the key's subject, else `default`."
OWNER = "Whose they are. Missing: the key's subject, else that of what is named first."
REASON = "Why; it stands in the ledger."


@strawberry.input(description="What every change of what is there already may carry.")
class ChangeInput:
    reason: str = strawberry.field(default="", description=REASON)
    subject: str | None = strawberry.field(default=None, description=OWNER)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


def check_reason_and_key(faults: Gathered, given: ChangeInput) -> None:
    """What is wrong with the reason and the key of a change, told beside the rest."""
    faults.of(check_reason, given.reason)
    faults.of(check_key, given.idempotency_key)
