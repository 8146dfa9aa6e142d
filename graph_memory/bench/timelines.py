"""A timeline: the memories of one subject in the store and in the model, led through the same operations.

Whatever is done is done to both, and both must refuse the same. Memories are called by the model's names.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from neo4j.exceptions import Neo4jError

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.base.errors import GraphMemoryError
from graph_memory.base.moments import LATEST, Moment
from graph_memory.base.scope import Scope
from graph_memory.bench.beliefs import Beliefs, Refused, State
from graph_memory.bench.stand_ins import HashEmbedder, StandingClock
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.life import Revision
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Fact, Memory
from graph_memory.store.service import Service

MOVES = {"ARCHIVE": life.archive, "RESTORE": life.restore, "DELETE": life.retract}
_PAGE = 50


class Differs(AssertionError):  # noqa: N818 - named by what happened
    """Store and model do not agree."""


@dataclass(frozen=True)
class Given:
    """A statement to store, as it is given."""

    text: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None


class Timeline:
    """One subject's memories in both; `log` is what was done, to be read by people."""

    def __init__(self, service: Service, tenant: str) -> None:
        self.clock = StandingClock()
        self.service = replace(service, clock=self.clock, embedder=HashEmbedder(service.embedder.dimension))
        self.scope = Scope(tenant, "ann")
        self.beliefs = Beliefs(self.clock)
        self.ids: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.log: list[str] = []
        self._last: Callable[[], Answer] | None = None
        self._answer: Answer | None = None

    @property
    def known(self) -> list[str]:
        """The names of all memories, oldest first."""
        return list(self.beliefs.states)

    def day(self, days: int) -> datetime:
        """So many days after the timeline began."""
        return StandingClock().now + timedelta(days=days)

    def add(self, given: Sequence[Given]) -> bool:
        """Whether it was allowed; so of all operations."""
        states = [self._state(item, self._name(number)) for number, item in enumerate(given)]
        facts = [self._fact(item) for item in given]

        def work(call: Call) -> Answer:
            return add(self.service, call, facts)[1]

        done = self._both(f"add {_told(given)}", lambda: self.beliefs.add(states), work)
        if done:
            holders, outcomes = done[0], done[1].value
            for holder, outcome in zip(holders, outcomes, strict=True):
                self._bind(holder, outcome["id"])
        return bool(done)

    def supersede(self, old: str, new: Given | str, start: datetime | None = None) -> bool:
        if isinstance(new, Given):
            dated = replace(new, valid_from=start or new.valid_from)
            fresh: State | str = self._state(dated, self._name())
            fact: Fact | str = self._fact(dated)
        else:
            fresh, fact = new, self.ids[new]

        def work(call: Call) -> Answer:
            return supersede(self.service, call, self.ids[old], fact, start)[1]

        what = f"supersede {old} by {_told([new]) if isinstance(new, Given) else new} from {_day(start)}"
        done = self._both(what, lambda: self.beliefs.supersede(old, fresh, start), work)
        if done:
            self._bind(done[0], done[1].value["new"])
        return bool(done)

    def revise(
        self,
        name: str,
        text: str | None = None,
        tags: tuple[str, ...] | None = None,
        expires_at: datetime | None = None,
    ) -> bool:
        every: dict[str, Any] = {"text": text, "tags": tags, "expires_at": expires_at}
        given = {key: value for key, value in every.items() if value is not None}
        return self._simply(
            f"revise {name} {given}",
            lambda: self.beliefs.edit(name, **given),
            lambda call: life.revise(self.service, call, self.ids[name], Revision(**given)),
        )

    def expire(self, name: str, at: datetime | None = None) -> bool:
        return self._simply(
            f"expire {name} at {_day(at)}",
            lambda: self.beliefs.expire(name, at),
            lambda call: life.expire(self.service, call, self.ids[name], at),
        )

    def move(self, operation: str, names: Sequence[str], cascade: bool = False) -> bool:
        ids = [self.ids[name] for name in names]
        return self._simply(
            f"{operation.lower()} {' '.join(names)}{' with cascade' if cascade else ''}",
            lambda: self.beliefs.move(operation, names, cascade),
            lambda call: (
                life.restore(self.service, call, ids, cascade=True)
                if cascade
                else MOVES[operation](self.service, call, ids)
            ),
        )

    def merge(self, keep: str, other: str) -> bool:
        return self._simply(
            f"merge {other} into {keep}",
            lambda: self.beliefs.merge(keep, other),
            lambda call: merge(self.service, call, self.ids[keep], self.ids[other])[1],
            lambda wanted, answer: answer.value["text"] == wanted,
        )

    def undo(self, numbers: Collection[int], cascade: bool = False) -> bool:
        return self._simply(
            f"undo {sorted(numbers)}{' with cascade' if cascade else ''}",
            lambda: self.beliefs.undo(numbers, cascade),
            lambda call: undo(self.service, call, sorted(numbers), cascade)[1],
            lambda wanted, answer: answer.value["changes"] == wanted,
        )

    def repeat(self) -> None:
        """Sends the last request again, with its key: the same answer, no effect."""
        if self._last and self._answer:
            self.log.append("repeat the last request")
            again = self._last()
            if not again.replayed or again.value != self._answer.value:
                raise Differs(f"the repeated request answered {again}, not {self._answer}")

    def get(self, name: str, moment: Moment) -> None:
        """Asks both for a memory; Differs when the answers do. So of all questions."""
        found = reading.get(self.service, self.scope, self.ids[name], moment)
        wanted = self.beliefs.get(name, moment.as_of, moment.known_at or LATEST)
        self._compare(f"get {name} at {_when(moment)}", wanted, self._seen(found))

    def version(self, name: str, moment: Moment) -> None:
        found = reading.version(self.service, self.scope, self.ids[name], moment)
        wanted = self.beliefs.version(name, *moment.at(self.clock.now))
        self._compare(f"version {name} at {_when(moment)}", wanted, self._seen(found))

    def browse(self, moment: Moment) -> None:
        found, after = list[Memory](), None
        while True:
            page = reading.browse(self.service, self.scope, first=_PAGE, after=after, moment=moment)
            found += page.items
            after = page.next
            if after is None:
                break
        seen = {self._state_of(memory) for memory in found}
        if len(seen) < len(found):
            raise Differs(f"browse at {_when(moment)}: a state came twice")
        self._compare(f"browse at {_when(moment)}", self.beliefs.browse(*moment.at(self.clock.now)), seen)

    def history(self, name: str) -> None:
        found = [state.memory for state in reading.history(self.service, self.scope, self.ids[name])]
        seen = {self._state_of(memory) for memory in found}
        if len(seen) < len(found):
            raise Differs(f"history {name}: a state came twice")
        self._compare(f"history {name}", self.beliefs.history(name), seen)

    def _simply(
        self,
        what: str,
        believe: Callable[[], Any],
        work: Callable[[Call], Answer],
        agrees: Callable[[Any, Answer], bool] = lambda wanted, answer: True,
    ) -> bool:
        done = self._both(what, believe, work)
        if done and not agrees(*done):
            raise self._differs(what, done[0], done[1].value)
        return bool(done)

    def _both(
        self, what: str, believe: Callable[[], Any], work: Callable[[Call], Answer]
    ) -> tuple[Any, Answer] | None:
        """What both answer; None when both refuse it for the same reason."""
        self.log.append(f"{_day(self.clock.now)}: {what}")
        call = Call(self.scope, "bench", key=uuid.uuid4().hex)
        try:
            wanted, refusal = believe(), None
        except Refused as refused:
            wanted, refusal = None, str(refused)
        try:
            answer = work(call)
        except (GraphMemoryError, Neo4jError) as error:
            if error.code != refusal:
                raise self._differs(what, refusal or "allowed", f"{error.code}: {error}") from error
            return None
        if refusal:
            raise self._differs(what, refusal, "allowed")
        self._last, self._answer = lambda: work(call), answer
        return wanted, answer

    def _compare(self, question: str, wanted: object, seen: object) -> None:
        if wanted != seen:
            raise self._differs(question, wanted, seen)

    def _differs(self, question: str, wanted: object, seen: object) -> Differs:
        ids = {name: id for name, id in self.ids.items() if name in question}
        return Differs(f"{question} {ids}\n  model: {_shown(wanted)}\n  store: {_shown(seen)}")

    def _bind(self, name: str, id: str) -> None:
        if self.ids.setdefault(name, id) != id or self.names.setdefault(id, name) != name:
            raise self._differs("which memory holds it", name, self.names.get(id, id))

    def _name(self, number: int = 0) -> str:
        return f"m{len(self.beliefs.changes) + number}"

    def _state(self, given: Given, name: str) -> State:
        begins, ends = given.valid_from or self.clock.now, given.valid_to or FOREVER
        expires = given.expires_at or FOREVER
        return State(name, given.text, (), begins, ends, "ACTIVE", name, ALWAYS, expires_at=expires)

    def _fact(self, given: Given) -> Fact:
        return Fact(
            given.text,
            entities=(),
            valid_from=given.valid_from,
            valid_to=given.valid_to,
            expires_at=given.expires_at,
        )

    def _seen(self, memory: Memory | None) -> State | None:
        return self._state_of(memory) if memory else None

    def _state_of(self, memory: Memory) -> State:
        return State(
            name=self.names.get(memory.id, memory.id),
            text=memory.text,
            tags=memory.tags,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to or FOREVER,
            status=memory.status.value,
            chain=self.names.get(memory.chain_id, memory.chain_id),
            recorded_from=memory.recorded_from,
            recorded_to=memory.recorded_to or FOREVER,
            expires_at=memory.expires_at or FOREVER,
        )


def _told(given: Sequence[Given]) -> str:
    return ", ".join(
        f"{item.text!r} [{_day(item.valid_from)}, {_day(item.valid_to)}) expires {_day(item.expires_at)}"
        for item in given
    )


def _when(moment: Moment) -> str:
    return f"valid {_day(moment.as_of)}, known {_day(moment.known_at)}"


def _day(moment: datetime | None) -> str:
    return moment.isoformat().removesuffix("+00:00") if moment else "-"


def _shown(value: object) -> str:
    if isinstance(value, State):
        return (
            f"{value.name} {value.text!r} {value.tags} {value.status} of {value.chain} "
            f"valid [{_day(value.valid_from)}, {_day(value.valid_to)}) "
            f"recorded [{_day(value.recorded_from)}, {_day(value.recorded_to)}) expires {_day(value.expires_at)}"
        )
    if isinstance(value, set | frozenset):
        return "".join(f"\n    {shown}" for shown in sorted(map(_shown, value)))
    return str(value)
