"""What memories should answer, in plain Python and nothing clever: the yardstick for the store, by design 4 and 5."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from graph_memory.clock import FOREVER

MILLISECOND = timedelta(milliseconds=1)
MOVES = {
    "ARCHIVE": ("ARCHIVED", {"ACTIVE"}),
    "RESTORE": ("ACTIVE", {"ARCHIVED", "RETRACTED"}),
    "DELETE": ("RETRACTED", {"ACTIVE", "ARCHIVED"}),
}
# What two live memories never share: the words, and the start when it lies ahead.
Key = tuple[str, datetime | None]
NOTHING: Mapping[str, str | None] = MappingProxyType({})


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
        return self.status == "ACTIVE" and self.valid_from <= as_of < self.valid_to

    def lives(self, now: datetime) -> bool:
        """Whether it holds or will hold."""
        return self.status == "ACTIVE" and self.valid_to > max(now, self.valid_from)


@dataclass
class Change:
    """One decision: the memories as they were before it, and what each superseded before it."""

    number: int
    operation: str
    before: dict[str, State] = field(default_factory=dict)
    older: dict[str, str | None] = field(default_factory=dict)
    undoes: Collection[int] = ()
    is_undone: bool = False

    @property
    def names(self) -> set[str]:
        return {*self.before, *self.older, *filter(None, self.older.values())}


class Beliefs:
    """All memories of one subject. Every state is kept, and every question looks at all of them."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.states: dict[str, list[State]] = {}
        self.older: dict[str, str | None] = {}
        self.keys: dict[str, Key] = {}
        self.changes: list[Change] = []
        self.recorded_at = datetime.min.replace(tzinfo=FOREVER.tzinfo)

    def add(self, given: Sequence[State]) -> list[str]:
        """The name of the memory that holds each statement; one that is live already is not stored twice."""
        self._follow_clock()
        holders, fresh, at = list[str](), dict[Key, str](), self._record()
        for state in given:
            lives, key = state.lives(self.clock()), self._key(state)
            twin = self._holder(key) or fresh.setdefault(key, state.name) if lives else None
            holders.append(twin or state.name)
        for state in (state for state in given if state.name in holders):
            self._store(at, state)
        for _ in range(len(given) - len(set(holders) & {state.name for state in given})):
            self._decide("NOOP")
        return holders

    def supersede(self, old: str, new: State | str, start: datetime | None = None) -> str:
        """Puts a new version, a statement or a memory's name, into the chain of `old`, where its start belongs."""
        arriving = new if isinstance(new, State) else self.now(new)
        name, is_new, chain = arriving.name, isinstance(new, State), self.chain(old)
        if name in chain or (not is_new and len(self.chain(name)) > 1):
            raise Refused("CONFLICT")
        if {self.now(old).status, arriving.status} != {"ACTIVE"}:
            raise Refused("ILLEGAL_MOVE")
        begins = start or arriving.valid_from
        earlier = [self.now(member) for member in chain if self.now(member).valid_from <= begins]
        later = [self.now(member) for member in chain if self.now(member).valid_from > begins]
        ends = arriving.valid_to
        if earlier and earlier[-1].valid_from == begins and ends == FOREVER:
            ends = earlier[-1].valid_to
        ends = max(begins, min(ends, later[0].valid_from if later else FOREVER))
        edits = [replace(arriving, valid_from=begins, valid_to=ends, chain=self.now(old).chain)]
        edits += [replace(each, valid_to=min(begins, each.valid_to)) for each in earlier[-1:]]
        older = {name: earlier[-1].name if earlier else None, **{each.name: name for each in later[:1]}}
        self._change("SUPERSEDE", [edits], older, new=[arriving] if is_new else [])
        return name

    def merge(self, keep: str, other: str) -> str:
        """The kept memory says what both said and, outside a chain, holds as long as both did."""
        one, two = self.now(keep), self.now(other)
        if keep == other:
            raise Refused("CONFLICT")
        if {one.status, two.status} != {"ACTIVE"}:
            raise Refused("ILLEGAL_MOVE")
        said, also = one.text.casefold(), two.text.casefold()
        text = one.text if also in said else two.text if said in also else f"{one.text} {two.text}"
        united = replace(one, text=text, tags=tuple(sorted({*one.tags, *two.tags})))
        if self.chain(keep) == [keep]:
            ends = max(one.valid_to, two.valid_to)
            united = replace(united, valid_from=min(one.valid_from, two.valid_from), valid_to=ends)
        self._change("MERGE", [[united, replace(two, status="MERGED")]])
        return text

    def edit(self, name: str, **values: object) -> None:
        self._change("UPDATE", [[replace(self.now(name), **values)]])  # type: ignore[arg-type]

    def expire(self, name: str, at: datetime | None) -> None:
        if not self.now(name).valid_from <= (at or self.clock()) <= self.now(name).valid_to:
            raise Refused("INVALID")
        self.edit(name, valid_to=at or self.clock())

    def move(self, operation: str, names: Sequence[str], cascade: bool = False) -> None:
        """Archives, restores or retracts, all or none. With `cascade` a live twin is archived by the same change."""
        to, allowed = MOVES[operation]
        if any(self.now(name).status not in allowed for name in names):
            raise Refused("ILLEGAL_MOVE")
        edits = [replace(self.now(name), status=to) for name in names]
        self._change(operation, [[edit, *(self._twins([edit], names) if cascade else ())] for edit in edits])

    def undo(self, numbers: Collection[int], cascade: bool = False) -> list[int]:
        """Takes changes back; those that were taken back, newest first."""
        wanted = {number: self.changes[number - 1] for number in numbers}
        if any(change.is_undone for change in wanted.values()):
            raise Refused("ILLEGAL_MOVE")
        while dependants := self._dependants(wanted):
            if not cascade:
                raise Refused("HAS_DEPENDANTS")
            wanted |= dependants
        edits, older = dict[str, State](), dict[str, str | None]()
        for _, change in sorted(wanted.items(), reverse=True):
            status = {"status": "RETRACTED"} if change.operation == "ADD" else {}
            edits |= {name: replace(state, **status) for name, state in change.before.items()}  # type: ignore[arg-type]
            older |= change.older
        twins = self._twins(edits.values(), edits) if cascade else []
        undone = sorted(wanted, reverse=True)
        self._change("UNDO", [[*edits.values(), *twins]], older, undone)
        for number in {number for change in wanted.values() for number in change.undoes}:
            self.changes[number - 1].is_undone = False
        for change in wanted.values():
            change.is_undone = True
        return undone

    def now(self, name: str) -> State:
        return self.states[name][-1]

    def known(self, at: datetime) -> Iterator[State]:
        """Every memory as it was believed then."""
        for states in self.states.values():
            yield from (state for state in states if state.recorded_from <= at < state.recorded_to)

    def get(self, name: str, as_of: datetime | None, known_at: datetime) -> State | None:
        found = [state for state in self.known(known_at) if state.name == name]
        return next((state for state in found if as_of is None or state.holds(as_of)), None)

    def version(self, name: str, as_of: datetime, known_at: datetime) -> State | None:
        """Which member of its chain answers; the chain it stood in then, or stands in if it was not known then."""
        chain = (self.get(name, None, known_at) or self.now(name)).chain
        found = [state for state in self.known(known_at) if state.chain == chain and state.holds(as_of)]
        assert len(found) < 2, f"two versions of one truth hold at once: {found}"
        return found[0] if found else None

    def browse(self, as_of: datetime, known_at: datetime) -> set[State]:
        return {state for state in self.known(known_at) if state.holds(as_of)}

    def history(self, name: str) -> set[State]:
        return {state for member in self.chain(name) for state in self.states[member]}

    def chain(self, name: str) -> list[str]:
        """The members of its chain, oldest first, by what supersedes what."""
        members = [each for each in self.states if self.now(each).chain == self.now(name).chain]
        ordered = [each for each in members if self.older[each] is None]
        while newer := [each for each in members if self.older[each] == ordered[-1]]:
            ordered += newer
        return ordered

    def _dependants(self, wanted: Mapping[int, Change]) -> dict[int, Change]:
        """Later standing changes of the same memories. An undo of later ones only cancels out with them."""
        released = {number for change in wanted.values() for number in change.undoes}
        return {
            later.number: later
            for change in wanted.values()
            for later in self.changes[change.number :]
            if later.number not in wanted and later.names & change.names
            if not later.is_undone or later.number in released
            if not (later.undoes and min(later.undoes) > change.number)
        }

    def _change(
        self,
        operation: str,
        decisions: Sequence[Sequence[State]],
        older: Mapping[str, str | None] = NOTHING,
        undoes: Collection[int] = (),
        new: Sequence[State] = (),
    ) -> None:
        """One Change for each decision, which is the states it leads to; `new` are stored first."""
        self._follow_clock()
        edits = [state for decision in decisions for state in decision]
        keys, at = self._keys_after(edits), self._record()
        for state in new:
            self._store(at, state)
        for decision in decisions:
            self._decide(operation, [state.name for state in decision], older, undoes)
        self._write(at, edits, keys, older)

    def _twins(self, edits: Iterable[State], edited: Collection[str]) -> list[State]:
        """What is live with the words that the edits bring to life, archived."""
        self._follow_clock()
        keys = [self._key(state) for state in edits if state.lives(self.clock())]
        held = [name for name, key in self.keys.items() if key in keys and name not in edited]
        return [replace(self.now(name), status="ARCHIVED") for name in held]

    def _record(self) -> datetime:
        """The next recorded time: it never stands still and never goes back."""
        self.recorded_at = max(self.clock(), self.recorded_at + MILLISECOND)
        return self.recorded_at

    def _decide(
        self,
        operation: str,
        names: Iterable[str] = (),
        older: Iterable[str] = (),
        undoes: Collection[int] = (),
    ) -> None:
        before = {name: self.now(name) for name in names}
        was_older = {name: self.older[name] for name in older}
        self.changes.append(Change(len(self.changes) + 1, operation, before, was_older, undoes))

    def _store(self, at: datetime, state: State) -> None:
        self.states[state.name] = [replace(state, recorded_from=at)]
        self.older[state.name] = None
        self.keys |= {state.name: self._key(state)} if state.lives(self.clock()) else {}
        self._decide("ADD", [state.name])

    def _write(
        self, at: datetime, edits: Iterable[State], keys: Mapping[str, Key], older: Mapping[str, str | None]
    ) -> None:
        """What was believed before is kept, with the time at which it ceased to be believed."""
        self.older |= older
        for state in edits:
            self.keys.pop(state.name, None)
            was = self.now(state.name)
            if replace(state, recorded_from=was.recorded_from, recorded_to=FOREVER) != was:
                former = [replace(was, recorded_to=at)] if was.recorded_from < at else []
                self.states[state.name][-1:] = [
                    *former,
                    replace(state, recorded_from=at, recorded_to=FOREVER),
                ]
        self.keys |= keys

    def _keys_after(self, edits: Collection[State]) -> dict[str, Key]:
        """The keys of the edited memories; the same statement is never live twice."""
        alive = [state for state in edits if state.lives(self.clock())]
        keys = {state.name: self._key(state) for state in alive}
        edited = {state.name for state in edits}
        held = [key for name, key in self.keys.items() if name not in edited] + list(keys.values())
        if any(held.count(key) > 1 for key in keys.values()):
            raise Refused("LIVE_TWIN")
        return keys

    def _follow_clock(self) -> None:
        """What has ended gives its key up; what has begun takes that of what is current, when it is free."""
        self.keys = {name: key for name, key in self.keys.items() if self.now(name).valid_to > self.clock()}
        for name in sorted(self.keys, key=lambda name: self.now(name).valid_from):
            if not self._holder(self._key(self.now(name))):
                self.keys[name] = self._key(self.now(name))

    def _holder(self, key: Key) -> str | None:
        return next((name for name, held in self.keys.items() if held == key), None)

    def _key(self, state: State) -> Key:
        return state.text.casefold(), state.valid_from if state.valid_from > self.clock() else None
