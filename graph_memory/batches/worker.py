"""One batch in the hands of one worker: its lease, and the notes that are made of it while it is worked on."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from graph_memory.base.errors import IllegalMove
from graph_memory.base.scope import Scope
from graph_memory.batches.handlers import Handler, Item, handler
from graph_memory.jobs import leases
from graph_memory.jobs.leases import Lease
from graph_memory.model.batch import ENDED, PENDING, Batch, Status, into
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction

# Passing faults in a row after which a batch has failed, and how long it may apply answers and get no further.
_MOST_FAULTS = 3
_STALE = timedelta(minutes=5)
# Answers without use after which a question is given up.
MOST_TRIES = 3
GET = query("batches/get")
MOVE = query("batches/move")
FAULT = query("batches/fault")
UNANSWERED = query("batches/unanswered")
UNUSABLE = query("batches/unusable")

T = TypeVar("T")

_LONGEST_REASON = 300


@dataclass(frozen=True)
class Desk:
    """Where a batch is worked on. All writes go through `write`, which one that lost its lease cannot pass."""

    service: Service
    scope: Scope
    lease: Lease
    id: str

    def write(self, work: Callable[[Transaction], T]) -> T:
        """What `work` answers, in one transaction; LeaseLost when another has taken over."""
        return leases.write(self.service, self.scope, self.lease, work)

    def note(self, statement: Query, **values: object) -> list[Row]:
        """The rows of one statement about the batch."""
        return self.write(lambda tx: tx.run(statement, id=self.id, **values))

    def batch(self) -> Batch:
        """The batch as it stands."""
        return Batch.from_row(self.service.read(self.scope, GET, id=self.id)[0])

    def handler(self) -> Handler:
        """What its kind asks and does."""
        return handler(self.batch().kind)

    def move(self, status: Status, reason: str | None = None) -> Batch:
        """The batch in another status; IllegalMove when it may not get there."""
        rows = self.note(
            MOVE,
            allowed=into(status),
            status=status.value,
            reason=None if reason is None else reason[:_LONGEST_REASON],
            has_ended=status in ENDED,
            now=self.service.clock(),
        )
        if not rows:
            now = self.batch().status
            raise IllegalMove(f"Batch {self.id} is {now} and cannot become {status}.")
        return self.batch()

    def fault(self, reason: str, is_final: bool = False) -> Batch:
        """Counts a fault; the batch fails after so many, when it is final, or when it stood still for too long."""
        now = self.service.clock()
        self.note(
            FAULT,
            open=[each.value for each in PENDING],
            reason=reason[:_LONGEST_REASON],
            is_final=is_final,
            stale=now - _STALE,
            most=_MOST_FAULTS,
            now=now,
        )
        return self.batch()

    def unanswered(self) -> list[Item]:
        """The questions that have no answer yet, in order."""
        return items_of(self.service.read(self.scope, UNANSWERED, id=self.id))

    def unusable(self, item: Item, fault: str, is_final: bool = False) -> None:
        """Notes that a question has no usable answer, and gives it up when there is no point in asking again."""
        now = self.service.clock()
        self.note(UNUSABLE, item=item.custom_id, fault=fault, is_final=is_final, tries=MOST_TRIES, now=now)


def items_of(rows: Sequence[Row]) -> list[Item]:
    """Items as they are stored."""
    return [Item(row["id"], json.loads(row["reference"])) for row in rows]
