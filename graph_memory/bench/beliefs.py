"""What memories should answer, in plain Python and nothing clever: the yardstick for the store, by design 4 and 5.

Every state that was ever recorded is kept in a list and every question walks all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graph_memory.clock import FOREVER

Key = tuple[str, datetime | None]
MILLISECOND = timedelta(milliseconds=1)
MOVES = {
    "ARCHIVE": ("ARCHIVED", {"ACTIVE"}),
    "RESTORE": ("ACTIVE", {"ARCHIVED", "RETRACTED"}),
    "DELETE": ("RETRACTED", {"ACTIVE", "ARCHIVED"}),
}


class Refused(Exception):  # noqa: N818 - named by what happened
    """The operation is not legal; nothing changed. The argument is the code of the error."""


@dataclass(frozen=True)
class State:
    """What was believed of a memory in [recorded_from, recorded_to)."""

    name: str
    text: str
    tags: tuple[str, ...]
    valid_from: datetime
    valid_to: datetime
    status: str
    chain: str
    recorded_from: datetime
    recorded_to: datetime = FOREVER

    def holds(self, as_of: datetime) -> bool:
        """Whether it is true then, as far as this state knows."""
        return self.status == "ACTIVE" and self.valid_from <= as_of < self.valid_to


@dataclass
class Change:
    """One decision: how the memories were before it, and what each superseded before it."""

    number: int
    operation: str
    before: dict[str, State] = field(default_factory=dict)
    older: dict[str, str | None] = field(default_factory=dict)
    undoes: frozenset[int] = frozenset()
    is_undone: bool = False

    @property
    def names(self) -> set[str]:
        """The memories that it changed, or whose links it changed."""
        return {*self.before, *self.older, *filter(None, self.older.values())}


class Beliefs:
    """All memories of one subject. The clock is the caller's: every operation says what time it is."""

    def __init__(self) -> None:
        self.states: dict[str, list[State]] = {}
        self.older: dict[str, str | None] = {}
        self.keys: dict[str, Key] = {}
        self.changes: list[Change] = []
        self.recorded_at: datetime | None = None

    def now(self, name: str) -> State:
        """The last recorded state."""
        return self.states[name][-1]

    def add(self, now: datetime, given: Sequence[State]) -> list[str]:
        """The name of the memory that holds each statement; one that is live already is not stored twice."""
        self._tick(now)
        holders, fresh, known = [], [], dict[Key, str]()
        for state in given:
            key = _key(state, now)
            holder = (self._holder(key) or known.get(key)) if state.valid_to > now else None
            known.setdefault(key, state.name)
            holders.append(holder or state.name)
            fresh += [] if holder else [state]
        at = self._record(now)
        for state in fresh:
            self._store(now, at, state)
        for _ in range(len(given) - len(fresh)):
            self._decide("NOOP")
        return holders

    def supersede(self, now: datetime, old: str, new: State | str, start: datetime | None = None) -> str:
        """Puts a new version, a statement or a memory's name, into the chain of `old`, where its start belongs."""
        self._tick(now)
        fact = new if isinstance(new, State) else None
        name = fact.name if fact else str(new)
        arriving = fact or self.now(name)
        if fact and fact.valid_to > now and self._holder(_key(fact, now)):
            raise Refused("LIVE_TWIN")
        chain = self.chain(old)
        if name in chain or (not fact and len(self.chain(name)) > 1):
            raise Refused("CONFLICT")
        if self.now(old).status != "ACTIVE" or arriving.status != "ACTIVE":
            raise Refused("ILLEGAL_MOVE")
        begins = start or arriving.valid_from
        ends = arriving.valid_to if arriving.valid_to < FOREVER else None
        earlier = [member for member in chain if self.now(member).valid_from <= begins]
        before = earlier[-1] if earlier else None
        after = chain[len(earlier)] if len(earlier) < len(chain) else None
        ceiling = self.now(after).valid_from if after else FOREVER
        if before and self.now(before).valid_from == begins and ends is None:
            ends = self.now(before).valid_to
        valid_to = max(begins, min(ceiling, ends or ceiling))
        edits = {name: replace(arriving, valid_from=begins, valid_to=valid_to, chain=self.now(old).chain)}
        if before:
            edits[before] = replace(self.now(before), valid_to=min(begins, self.now(before).valid_to))
        keys = self._keys_after(now, edits)
        at = self._record(now)
        if fact:
            self._store(now, at, fact)
        joined = {name: before, **({after: name} if after else {})}
        self._decide("SUPERSEDE", edits, joined)
        self._write(at, edits, keys)
        self.older |= joined
        return name

    def edit(self, now: datetime, name: str, **values: object) -> None:
        """Revises a memory in place."""
        self._change(now, "UPDATE", [replace(self.now(name), **values)])  # type: ignore[arg-type]

    def expire(self, now: datetime, name: str, at: datetime | None) -> None:
        """Ends the validity, never later than it ends already."""
        if not self.now(name).valid_from <= (at or now) <= self.now(name).valid_to:
            raise Refused("INVALID")
        self.edit(now, name, valid_to=at or now)

    def move(self, now: datetime, operation: str, names: Sequence[str]) -> None:
        """Archives, restores or retracts, all or none."""
        to, allowed = MOVES[operation]
        if any(self.now(name).status not in allowed for name in names):
            raise Refused("ILLEGAL_MOVE")
        self._change(now, operation, [replace(self.now(name), status=to) for name in dict.fromkeys(names)])

    def undo(self, now: datetime, numbers: Collection[int], cascade: bool = False) -> list[int]:
        """Takes changes back, newest first; what it took back, newest first."""
        wanted = {number: self.changes[number - 1] for number in numbers}
        if any(change.is_undone for change in wanted.values()):
            raise Refused("ILLEGAL_MOVE")
        while later := self._dependants(wanted):
            if not cascade:
                raise Refused("HAS_DEPENDANTS")
            wanted |= later
        self._tick(now)
        edits, older = dict[str, State](), dict[str, str | None]()
        for _, change in sorted(wanted.items(), reverse=True):
            edits |= change.before
            older |= change.older
            if change.operation == "ADD":
                [name] = change.before
                edits[name] = replace(edits[name], status="RETRACTED")
        keys = self._keys_after(now, edits)
        at = self._record(now)
        for change in wanted.values():
            for number in change.undoes:
                self.changes[number - 1].is_undone = False
        for change in wanted.values():
            change.is_undone = True
        self._decide("UNDO", edits, older).undoes = frozenset(wanted)
        self._write(at, edits, keys)
        self.older |= older
        return sorted(wanted, reverse=True)

    def known(self, known_at: datetime) -> Iterator[State]:
        """Every memory as it was believed then."""
        for states in self.states.values():
            yield from (state for state in states if state.recorded_from <= known_at < state.recorded_to)

    def get(self, name: str, as_of: datetime | None, known_at: datetime) -> State | None:
        """The memory as it was believed then, and true at another time where one is given."""
        found = [state for state in self.known(known_at) if state.name == name]
        return next((state for state in found if as_of is None or state.holds(as_of)), None)

    def version(self, name: str, as_of: datetime, known_at: datetime) -> State | None:
        """Which member of its chain answers; the chain it stood in then, or stands in if it was not known then."""
        then = self.get(name, None, known_at) or self.now(name)
        found = [state for state in self.known(known_at) if state.chain == then.chain and state.holds(as_of)]
        if len(found) > 1:
            raise AssertionError(f"two versions of one truth hold at once: {found}")
        return found[0] if found else None

    def browse(self, as_of: datetime, known_at: datetime) -> set[State]:
        """All that holds."""
        return {state for state in self.known(known_at) if state.holds(as_of)}

    def history(self, name: str) -> set[State]:
        """Every state of every member of its chain."""
        return {state for member in self.chain(name) for state in self.states[member]}

    def chain(self, name: str) -> list[str]:
        """The members of its chain, oldest first, by what supersedes what."""
        members = {each for each in self.states if self.now(each).chain == self.now(name).chain}
        newer = {older: each for each, older in self.older.items() if each in members and older}
        ordered = [each for each in members if self.older[each] is None]
        while ordered[-1] in newer:
            ordered.append(newer[ordered[-1]])
        return ordered

    def _dependants(self, wanted: Mapping[int, Change]) -> dict[int, Change]:
        """Later standing changes of the same memories. An undo of later ones only cancels out with them."""
        released = {number for change in wanted.values() for number in change.undoes}
        return {
            later.number: later
            for change in wanted.values()
            for later in self.changes[change.number :]
            if later.number not in wanted
            and later.names & change.names
            and (not later.is_undone or later.number in released)
            and not (later.undoes and min(later.undoes) > change.number)
        }

    def _change(self, now: datetime, operation: str, edited: Iterable[State]) -> None:
        self._tick(now)
        edits = {state.name: state for state in edited}
        keys, at = self._keys_after(now, edits), self._record(now)
        for name, state in edits.items():
            self._decide(operation, {name: state})
        self._write(at, edits, keys)

    def _record(self, now: datetime) -> datetime:
        """The next recorded time: it never stands still and never goes back."""
        behind = self.recorded_at is not None and self.recorded_at >= now
        self.recorded_at = self.recorded_at + MILLISECOND if behind and self.recorded_at else now
        return self.recorded_at

    def _decide(
        self, operation: str, edits: Iterable[str] = (), joined: Mapping[str, str | None] | None = None
    ) -> Change:
        before = {name: self.now(name) for name in edits}
        older = {name: self.older[name] for name in joined or {}}
        self.changes.append(Change(len(self.changes) + 1, operation, before, older))
        return self.changes[-1]

    def _store(self, now: datetime, at: datetime, state: State) -> None:
        self.states[state.name] = [replace(state, chain=state.name, status="ACTIVE", recorded_from=at)]
        self.older[state.name] = None
        if state.valid_to > now:
            self.keys[state.name] = _key(state, now)
        self._decide("ADD", [state.name])

    def _write(self, at: datetime, edits: Mapping[str, State], keys: Mapping[str, Key]) -> None:
        """What was believed before is kept with the time at which it ceased to be believed."""
        self.keys = {name: key for name, key in self.keys.items() if name not in edits} | dict(keys)
        for name, state in edits.items():
            was = self.now(name)
            if replace(state, recorded_from=was.recorded_from, recorded_to=FOREVER) == was:
                continue
            former = [replace(was, recorded_to=at)] if was.recorded_from < at else []
            self.states[name][-1:] = [*former, replace(state, recorded_from=at, recorded_to=FOREVER)]

    def _keys_after(self, now: datetime, edits: Mapping[str, State]) -> dict[str, Key]:
        """The keys of the edited memories; the same statement is never live twice."""
        alive = {
            name: state for name, state in edits.items() if state.status == "ACTIVE" and state.valid_to > now
        }
        keys = {name: _key(state, now) for name, state in alive.items()}
        others = {key for name, key in self.keys.items() if name not in edits}
        if others & set(keys.values()) or len(set(keys.values())) < len(keys):
            raise Refused("LIVE_TWIN")
        return keys

    def _tick(self, now: datetime) -> None:
        """What the clock has ended gives its key up; what has begun takes the plain one when that is free."""
        self.keys = {name: key for name, key in self.keys.items() if self.now(name).valid_to > now}
        for name in sorted(self.keys, key=lambda name: self.now(name).valid_from):
            key = _key(self.now(name), now)
            self.keys[name] = self.keys[name] if self._holder(key) else key

    def _holder(self, key: Key) -> str | None:
        return next((name for name, held in self.keys.items() if held == key), None)


def _key(state: State, now: datetime) -> Key:
    """What two live memories never share: the words, and the start when it lies ahead."""
    return state.text.casefold(), state.valid_from if state.valid_from > now else None
