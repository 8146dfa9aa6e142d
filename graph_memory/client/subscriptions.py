"""Following the ledger without a socket: what to send, what each line that comes means, and when to try again.

The client that blocks and the one that awaits each hold the connection; where they are in the ledger stands here, so that
what was lost is taken up after the last change that was given out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from graph_memory.base.errors import GraphMemoryError, TookTooLong, Unavailable
from graph_memory.client.answers import Change, read
from graph_memory.client.exchange import (
    FIRST_WAIT,
    Asker,
    Lost,
    Reply,
    answered,
    document,
    is_worth_repeating,
    told_fault,
    unreached,
    wait,
)

ACCEPT = {"Accept": "text/event-stream"}
# The service gives a sign of life every 15 seconds.
SILENCE = 40.0

_DATA, _SIGN_OF_LIFE = "data: ", ":"


class Following:
    """One reader of a ledger, over as many connections as it takes."""

    def __init__(self, asker: Asker, after: int | str | None, subject: str | None) -> None:
        self._asker = asker
        self._after = str(after or 0)
        self._subject = subject or asker.subject
        self._failures = 0
        self._was_served = False
        # Seconds before the next connection.
        self.pause = FIRST_WAIT

    def body(self) -> bytes:
        """What to send: the subscription after the last change that was given out."""
        variables = {"after": self._after, "subject": self._subject}
        return json.dumps({"query": document("follow-changes"), "variables": variables}).encode()

    def changes(self, line: str) -> Iterator[Change]:
        """The change that a line of the stream holds, if it holds one; a fault of the service is raised."""
        told: dict[str, Any] = json.loads(line.removeprefix(_DATA)) if line.startswith(_DATA + "{") else {}
        if told.get("errors"):
            raise told_fault(told["errors"][0])
        if told or line.startswith(_SIGN_OF_LIFE):
            self._was_served, self._failures, self.pause = True, 0, FIRST_WAIT
        if not told:
            return
        change = read(Change, told["data"]["changes"])
        self._after = str(change.sequence)
        yield change

    def refused(self, reply: Reply) -> None:
        """An answer came that is no stream. Its fault is raised where it is not worth trying again."""
        fault = answered(reply, self._asker)
        is_fault = isinstance(fault, GraphMemoryError)
        self.failed(
            fault
            if is_fault
            else Unavailable(
                f"{self._asker.address} answers, but not with a stream of changes: "
                "it is not a graph-memory service."
            )
        )

    def lost(self, lost: Lost) -> None:
        """The connection was lost or never came about."""
        self.failed(unreached(lost, self._asker))

    def failed(self, fault: GraphMemoryError) -> None:
        """As `refused`, after a fault. A service that has given something once is waited for as long as it takes."""
        self._failures += 1
        given_up = not self._was_served and self._failures > self._asker.retries
        # A follower cannot ask for less, and his page may be read in time once others do.
        if given_up or not (is_worth_repeating(fault) or isinstance(fault, TookTooLong)):
            raise fault
        self.pause = wait(min(self._failures - 1, 10), None)
