"""What is known of a story after it was taken in, as the checks see it, and why something of it is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from graph_memory.bench.wording import has, overlap
from graph_memory.model.memory import Memory, Status
from graph_memory.recall.modes import Mode

# What a check came to: `ok` by the rules, `mild` by the milder reading; `class` and `why` where it failed; what was found.
Verdict = dict[str, Any]

TOP = 5
SUPERSEDE = "SUPERSEDE"
NEVER = datetime.max.replace(tzinfo=UTC)
_SHOWN = 4


@dataclass(frozen=True)
class Heard:
    """A message as it is stored, with the texts of the memories that were made of it."""

    ref: str | None
    speaker: str
    at: datetime
    text: str
    is_erased: bool
    memories: tuple[str, ...]


@dataclass(frozen=True)
class Proposal:
    """An open review: what the judge wants to do to the target because of the memory."""

    action: str
    memory: Memory | None
    target: Memory | None


@dataclass(frozen=True)
class Named:
    """An entity with all its names."""

    id: str
    name: str
    names: tuple[str, ...]


class World(Protocol):
    """What the service holds for one story. `links` are (from, kind, to); `said` is what was heard before the checks."""

    zone: ZoneInfo
    now: datetime
    live: Sequence[Memory]
    every: Mapping[str, Memory]
    links: Sequence[tuple[str, str, str]]
    proposals: Sequence[Proposal]
    said: Sequence[Heard]

    def search(
        self, text: str, limit: int = TOP, mode: Mode = Mode.STANDARD, at: datetime | None = None
    ) -> Sequence[Memory]:
        """The first hits."""
        ...

    def states(self, memory: Memory) -> Sequence[Memory]:
        """The states of its chain that are still believed and in force."""
        ...

    def causes(self, memory: Memory) -> Sequence[Memory]:
        """What led to it."""
        ...

    def entities(self, memory: Memory) -> Sequence[Named]:
        """What it mentions."""
        ...

    def erase(self, ids: Sequence[str]) -> None:
        """Erases memories; what is held here is read anew."""
        ...

    def heard(self) -> Sequence[Heard]:
        """The messages as they stand now."""
        ...


def end(at: datetime | None) -> datetime:
    """When that is; far ahead where it is open."""
    return at or NEVER


def saying(world: World, source: str, *, live: bool = True) -> list[Memory]:
    """The memories that say it; also past ones unless only live ones count."""
    return [memory for memory in (world.live if live else world.every.values()) if has(memory.text, source)]


def show(world: World, memory: Memory, **more: Any) -> dict[str, Any]:
    """A memory as evidence."""
    is_live = any(memory.id == each.id for each in world.live)
    return {
        "text": memory.text,
        "status": f"{memory.status}, {'live' if is_live else 'past'}",
        "author": memory.source.author,
        "valid_from": _minute(memory.valid_from),
        "valid_to": _minute(memory.valid_to),
        "happens_at": _minute(memory.happens_at),
        "ref": memory.source.ref,
        **more,
    }


def sides(world: World, **named: Sequence[Memory]) -> list[dict[str, Any]]:
    """Some memories of several kinds as evidence."""
    return [show(world, each, side=name) for name, memories in named.items() for each in memories[:_SHOWN]]


def proposed_between(world: World, one: set[str], other: set[str]) -> list[str]:
    """The actions of the open reviews that join two memories."""
    return [
        each.action
        for each in world.proposals
        if each.memory and each.target and _joins(each.memory.id, each.target.id, one, other)
    ]


def standing(world: World, memories: Sequence[Memory], at: datetime | None = None) -> Verdict:
    """Why something stands that should not."""
    ids = {memory.id for memory in memories}
    if any(each.action == SUPERSEDE and each.target and each.target.id in ids for each in world.proposals):
        return failed("review-pending", "an open review would retire it")
    if at and any(memory.valid_to for memory in memories):
        return failed("date-unresolved", "it was ended, but later than it ended in the world")
    return failed("not-superseded", "nothing ended it")


def lost(world: World, source: str, what: str) -> Verdict:
    """Why no live memory says it."""
    if saying(world, source, live=False):
        return failed("wrongly-superseded", f"{what} is no longer live")
    return failed(origin(world, source), f"no memory says {what}")


def missing(world: World, source: str, question: str, at: datetime | None) -> Verdict:
    """Why a value is not among the first hits."""
    able, moment = saying(world, source, live=False), at or world.now
    if not able:
        return failed(origin(world, source), f"no memory says {source!r}")
    holds = [memory for memory in able if _holds(memory, moment)]
    if any(overlap(memory.text, question) for memory in holds):
        return failed("ranking", f"{source!r} holds then but is not in the top {TOP}")
    if holds:
        why = f"{source!r} stands only where no word of the question does: {holds[0].text!r}"
        return failed("extraction-wrong-text", why)
    if at and all(memory.valid_from > at for memory in able):
        first = min(memory.valid_from for memory in able)
        return failed("date-unresolved", f"{source!r} is stored as valid only from {first:%Y-%m-%d}")
    return failed("wrongly-superseded", f"{source!r} was retired")


def origin(world: World, source: str) -> str:
    """Whether nothing came of the message that said it, or something else."""
    is_made = any(heard.memories for heard in world.said if has(heard.text, source))
    return "extraction-wrong-text" if is_made else "extraction-missing"


def failed(kind: str, why: str) -> Verdict:
    """A class of failure, with the reason."""
    return {"class": kind, "why": why}


def _holds(memory: Memory, moment: datetime) -> bool:
    return memory.status is Status.ACTIVE and memory.valid_from <= moment < end(memory.valid_to)


def _joins(memory: str, target: str, one: set[str], other: set[str]) -> bool:
    return (memory in one and target in other) or (memory in other and target in one)


def _minute(at: datetime | None) -> str | None:
    return at.isoformat()[:16] if at else None
