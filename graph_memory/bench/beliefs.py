"""What memories should answer, in plain Python and nothing clever: the yardstick for the store, by design 4 and 5."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.language.subsumption import both

MILLISECOND = timedelta(milliseconds=1)
FROM = {"ARCHIVE": ("ACTIVE",), "RESTORE": ("ARCHIVED", "RETRACTED"), "DELETE": ("ACTIVE", "ARCHIVED")}
TO = {"ARCHIVE": "ARCHIVED", "RESTORE": "ACTIVE", "DELETE": "RETRACTED"}


class Refused(Exception):  # noqa: N818 - named by what happened
    """The operation is not legal; nothing changed. The argument is the code of the error."""


def require(is_legal: bool, otherwise: str) -> None:
    if not is_legal:
        raise Refused(otherwise)


@dataclass(frozen=True)
class State:
    """What was believed of a memory from `recorded_from` until before `recorded_to`. `joined` orders equal starts in a chain."""

    name: str
    text: str
    tags: tuple[str, ...]
    valid_from: datetime
    valid_to: datetime
    status: str
    chain: str
    recorded_from: datetime
    recorded_to: datetime = FOREVER
    expires_at: datetime = FOREVER
    joined: int = field(default=0, compare=False)

    @property
    def holds_to(self) -> datetime:
        """Until when it is current."""
        return min(self.valid_to, self.expires_at)


@dataclass(eq=False)
class Change:
    """One decision: the states it leads to, whom it touches beside them, and what undoing it brings back.

    Nothing depends on one that changed nothing.
    """

    edits: Sequence[State]
    touched: set[str] = field(default_factory=set)
    undoes: Sequence[Change] = ()
    changes_something: bool = True
    number: int = 0
    before: dict[str, State] = field(default_factory=dict)


class Beliefs:
    """All memories of one subject. Every state is kept, and every question looks at all of them."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self.states: dict[str, list[State]] = {}
        self.live: dict[tuple[str, datetime | None], str] = {}
        self.changes: list[Change] = []
        self.undone: set[Change] = set()
        self.recorded_at = ALWAYS

    def add(self, given: Sequence[State]) -> list[str]:
        """The name of the memory that holds each statement; one that is live already is not stored twice: it stands on
        what it repeats, and lends it a use and a later expiry unless it is older."""
        self._follow_clock()
        live, keys = dict(self.live), [(each.name, self._key(each)) for each in given]
        holders = [live.setdefault(key, name) if key else name for name, key in keys]
        fresh = [Change([each]) for each in given if each.name in holders]
        known = {each.name: each for each in given if each.name in holders}
        repeated = list[Change]()
        for each, holder in zip(given, holders, strict=True):
            if each.name != holder:
                repeated.append(self._repetition(known.get(holder) or self.now(holder), each))
                known |= {state.name: state for state in repeated[-1].edits}
        self._carry_out([*fresh, *repeated])
        return holders

    def supersede(self, old: str, new: State | str, start: datetime | None = None) -> str:
        """Puts a new version, a statement or a memory's name, into the chain of `old`, where its start belongs."""
        one, two = self.now(old), new if isinstance(new, State) else self.now(new)
        members, is_alone = self.chain(old), isinstance(new, State) or self.chain(new) == [new]
        require(is_alone and two.name not in members, "CONFLICT")
        require({one.status, two.status} == {"ACTIVE"}, "ILLEGAL_MOVE")
        begins, ends = start or two.valid_from, two.valid_to
        earlier = [each for each in map(self.now, members) if each.valid_from <= begins][-1:]
        later = [each for each in map(self.now, members) if each.valid_from > begins][:1]
        corrected = [each.valid_to for each in earlier if each.valid_from == begins and ends == FOREVER]
        ends = max(begins, min([ends, *corrected, *(each.valid_from for each in later)]))
        edits = [replace(two, valid_from=begins, valid_to=ends, chain=one.chain, joined=len(self.changes))]
        edits += [replace(each, valid_to=min(begins, each.valid_to)) for each in earlier]
        added = [Change([new])] if isinstance(new, State) else []
        self._carry_out([*added, Change(edits, {each.name for each in later})])
        return two.name

    def merge(self, keep: str, other: str) -> str:
        """The kept memory says what both said and, outside a chain, holds as long as both did."""
        one, two = self.now(keep), self.now(other)
        require(keep != other, "CONFLICT")
        require({one.status, two.status} == {"ACTIVE"}, "ILLEGAL_MOVE")
        text = both(one.text, two.text)
        tags = tuple(sorted({*one.tags, *two.tags}))
        spans = [one, two] if self.chain(keep) == [keep] else [one]
        begins, ends = min(each.valid_from for each in spans), max(each.valid_to for each in spans)
        expiries = [each.expires_at for each in (one, two) if each.expires_at != FOREVER]
        expires = max(expiries, default=FOREVER)
        united = replace(one, text=text, tags=tags, valid_from=begins, valid_to=ends, expires_at=expires)
        self._carry_out([Change([united, replace(two, status="MERGED")])])
        return text

    def edit(self, name: str, **values: object) -> None:
        self._carry_out([Change([replace(self.now(name), **values)])])  # type: ignore[arg-type]

    def expire(self, name: str, at: datetime | None) -> None:
        ends, state = at or self.clock(), self.now(name)
        require(state.valid_from <= ends <= state.valid_to, "INVALID")
        self.edit(name, valid_to=ends)

    def move(self, operation: str, names: Sequence[str], cascade: bool = False) -> None:
        """Archives, restores or retracts, all or none. With `cascade` a live twin is archived by the same change.

        What has expired comes back with a new end only.
        """
        for state in map(self.now, names):
            require(state.status in FROM[operation], "ILLEGAL_MOVE")
            require(operation != "RESTORE" or state.expires_at >= self.clock(), "EXPIRED")
        self._carry_out([Change([replace(self.now(name), status=TO[operation])]) for name in names], cascade)

    def undo(self, numbers: Collection[int], cascade: bool = False) -> list[int]:
        """Takes changes back, newest first, and with `cascade` what leans on them: later ones of the same memories."""
        wanted = {self.changes[number - 1] for number in numbers}
        require(not wanted & self.undone, "ILLEGAL_MOVE")
        while dependants := {
            later
            for change in wanted
            if change.changes_something
            for later in self.changes[change.number :]
            if later not in wanted and later.touched & change.touched
            if later not in self.undone or any(later in each.undoes for each in wanted)
            if not later.undoes or any(undone.number <= change.number for undone in later.undoes)
        }:
            require(cascade, "HAS_DEPENDANTS")
            wanted |= dependants
        undone = sorted(wanted, key=lambda change: change.number, reverse=True)
        edits = {name: state for change in undone for name, state in change.before.items()}
        self._carry_out([Change([*edits.values()], undoes=undone)], cascade)
        self.undone -= {released for change in undone for released in change.undoes}
        self.undone |= wanted
        return [change.number for change in undone]

    def now(self, name: str) -> State:
        return self.states[name][-1]

    def browse(self, as_of: datetime | None, known_at: datetime) -> set[State]:
        """Every memory as it was believed then; with `as_of` those alone that held at that moment."""
        every = (state for kept in self.states.values() for state in kept)
        known = {state for state in every if state.recorded_from <= known_at < state.recorded_to}
        active = {state for state in known if state.status == "ACTIVE"}
        return {state for state in active if state.valid_from <= as_of < state.holds_to} if as_of else known

    def get(self, name: str, as_of: datetime | None, known_at: datetime) -> State | None:
        return next((state for state in self.browse(as_of, known_at) if state.name == name), None)

    def version(self, name: str, as_of: datetime, known_at: datetime) -> State | None:
        """Which member of its chain answers; the chain it stood in then, or stands in if it was not known then."""
        chain = (self.get(name, None, known_at) or self.now(name)).chain
        found = [state for state in self.browse(as_of, known_at) if state.chain == chain]
        assert len(found) < 2, f"two versions of one truth hold at once: {found}"
        return found[0] if found else None

    def history(self, name: str) -> set[State]:
        return {state for member in self.chain(name) for state in self.states[member]}

    def chain(self, name: str) -> list[str]:
        """The members of its chain, oldest first."""
        members = [kept[-1] for kept in self.states.values() if kept[-1].chain == self.now(name).chain]
        return [state.name for state in sorted(members, key=lambda state: (state.valid_from, state.joined))]

    def _repetition(self, known: State, said: State) -> Change:
        if said.valid_from < known.valid_from:
            return Change([], {known.name}, changes_something=False)
        lasts = FOREVER in (known.expires_at, said.expires_at)
        expires = known.expires_at if lasts else max(known.expires_at, said.expires_at)
        return Change([replace(known, expires_at=expires)], {known.name})

    def _carry_out(self, changes: Sequence[Change], cascade: bool = False) -> None:
        """The same statement is never live twice: with `cascade` the twin of what returns is archived."""
        self._follow_clock()
        after = {state.name: state for change in changes for state in change.edits}
        keys = [(key, name) for name, state in after.items() if (key := self._key(state))]
        taken = {name: self.live[key] for key, name in keys if self.live.get(key, name) not in after}
        twins = {name: replace(self.now(twin), status="ARCHIVED") for name, twin in taken.items()}
        require(len(dict(keys)) == len(keys) and (cascade or not twins), "LIVE_TWIN")
        self.live = {key: name for key, name in self.live.items() if name not in after} | dict(keys)
        self.recorded_at = at = max(self.clock(), self.recorded_at + MILLISECOND)
        for change in changes:
            for state in [*change.edits, *(twins[each.name] for each in change.edits if each.name in twins)]:
                kept = self.states.setdefault(state.name, [])
                was = kept.pop() if kept else replace(state, status="RETRACTED", recorded_from=at)
                now = replace(state, recorded_from=was.recorded_from, recorded_to=FOREVER)
                if now != was and was.recorded_from < at:
                    kept.append(replace(was, recorded_to=at))
                    now = replace(now, recorded_from=at)
                kept.append(now)
                change.before[state.name] = was
            change.touched |= {*change.before, *(name for each in change.undoes for name in each.touched)}
            self.changes.append(change)
            change.number = len(self.changes)

    def _follow_clock(self) -> None:
        """What has ended gives its key up; what has begun takes that of what is current, when it is free."""
        held, self.live = self.live, {}
        for key, name in sorted(held.items(), key=lambda item: item[0][1] or ALWAYS):
            if wanted := self._key(self.now(name)):
                self.live[key if wanted in self.live else wanted] = name

    def _key(self, state: State) -> tuple[str, datetime | None] | None:
        """What two live memories never share: the words, and the start when it lies ahead. None for what is past."""
        if state.status != "ACTIVE" or state.holds_to <= max(self.clock(), state.valid_from):
            return None
        return state.text.casefold(), state.valid_from if state.valid_from > self.clock() else None
