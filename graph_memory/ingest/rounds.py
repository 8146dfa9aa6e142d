"""The one way in: decided outside, written under the subject's lock, and caught up with where others wrote meanwhile.

Under the lock the store is searched again if the subject was written to since. Where the same candidates come back, the
decisions hold. Else they are made anew: outside, and from the third round on under the lock, by the judge that needs
milliseconds. Verdicts and merged texts are kept from round to round, so that nothing is asked or embedded twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graph_memory.ingest import candidates as looking
from graph_memory.ingest.application import Decided
from graph_memory.ingest.candidates import OPERATION, Found
from graph_memory.ingest.choice import Choice
from graph_memory.ingest.outcome import Mode, Outcome
from graph_memory.ingest.sequence import Refused, carry_out_all
from graph_memory.ingest.standing import Standing
from graph_memory.ingest.weighing import Embed, Judge, decided, forgetting, looks, observed
from graph_memory.judge.judges import Judges
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.memory.addition import Prepared
from graph_memory.memory.properties import properties_of
from graph_memory.store.service import Row, Service

# What else belongs into the transaction: before anything is written, and when the outcomes are known.
Begin = Callable[[Writing], None]
End = Callable[[Writing, Sequence[Outcome]], Any]

# So often what came meanwhile is judged outside the transaction; afterwards it is judged under the lock.
ROUNDS_OUTSIDE = 2


@dataclass(frozen=True)
class Asked:
    """One request: its name and body in the ledger, and what its transaction does beside.

    `begin` is its first act and may refuse it by raising, `end` makes its answer. `ready` is told when all is decided
    and the transaction about to be asked for. All may be called again.
    """

    call: Call
    body: Any
    end: End
    operation: str = OPERATION
    begin: Begin = lambda writing: None
    ready: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Rounds:
    """Statements of one call and subject, in their order, and who judges them."""

    service: Service
    prepared: Sequence[Prepared]
    judges: Judges
    mode: Mode = Mode.DECIDE
    _merged: dict[tuple[str, str], Row] = field(default_factory=dict)

    def carry_out(self, asked: Asked, found: Sequence[Found] | None = None) -> Answer:
        """What `asked.end` answers. `found` are the candidates where they have been read already."""
        known = self._search(asked) if found is None else found
        hindrances: dict[int, str] = {}
        rounds = 0
        while True:
            rounds += 1
            work = self._work(asked, known, hindrances, rounds > ROUNDS_OUTSIDE + len(hindrances))
            asked.ready()
            try:
                return carry_out(self.service, asked.call, asked.operation, asked.body, work)
            except _Moved as moved:
                known = moved.found
            except Refused as refused:
                if refused.index in hindrances:
                    raise refused.conflict from None
                hindrances[refused.index] = refused.conflict.message
                known = self._search(asked)

    def decided(self, found: Sequence[Found]) -> list[Decided]:
        """One decision for each statement, made outside a transaction."""
        return self._decided(found, {}, self.judges.outside, self._embedded)

    def _work(
        self, asked: Asked, known: Sequence[Found], hindrances: dict[int, str], is_last: bool
    ) -> Callable[[Writing], Any]:
        outside = self._decided(known, hindrances, self.judges.outside, self._embedded)

        def work(writing: Writing) -> Any:
            asked.begin(writing)
            made, now = outside, self._caught_up(writing, known)
            if now is not None:
                if not is_last and self.mode is Mode.DECIDE:
                    raise _Moved(now)
                made = self._decided(now, hindrances, self.judges.under_lock, self._embedded_before)
            return asked.end(writing, carry_out_all(writing, self.prepared, made))

        return work

    def _caught_up(self, writing: Writing, known: Sequence[Found]) -> list[Found] | None:
        """What is found under the lock; None where the decisions hold."""
        is_compared = any(item.asks_to_forget or looks(self.service, item) for item in self.prepared)
        # This transaction has counted itself.
        if not is_compared or writing.sequence == known[0].sequence + 1:
            return None
        found = looking.search_in(self.service, writing, self.prepared)
        now = [replace(each, sequence=writing.sequence - 1) for each in found]
        return None if [each.candidates for each in now] == [each.candidates for each in known] else now

    def _decided(
        self, found: Sequence[Found], hindrances: dict[int, str], judge: Judge, embed: Embed
    ) -> list[Decided]:
        if found and found[0].is_answered:
            # The ledger has the answer of this request; nobody is asked again.
            return [Decided(Choice(None), ()) for _ in found]
        standing = Standing(self.service, found[0].aliases if found else ())
        made = []
        for index, (item, known) in enumerate(zip(self.prepared, found, strict=True)):
            is_compared = item.asks_to_forget or looks(self.service, item)
            near = standing.candidates(item, known.candidates) if is_compared else []
            if item.asks_to_forget:
                one = forgetting(item, near)
            elif self.mode is Mode.OBSERVE:
                one = observed(item, near)
            else:
                one = decided(self.service, item, near, judge, embed, hindrances.get(index))
            standing.learn(item, one)
            made.append(one)
        return made

    def _search(self, asked: Asked) -> list[Found]:
        calls = [asked.call] * len(self.prepared)
        return looking.search(self.service, calls, self.prepared, asked.operation)

    def _embedded(self, text: str, heading: str) -> Row:
        if (text, heading) not in self._merged:
            self._merged[text, heading] = properties_of(self.service, text, heading)
        return self._merged[text, heading]

    def _embedded_before(self, text: str, heading: str) -> Row | None:
        return self._merged.get((text, heading))


class _Moved(Exception):  # noqa: N818 - it is no error
    """The subject was written to meanwhile, and what came has to be judged."""

    def __init__(self, found: Sequence[Found]) -> None:
        self.found = found
