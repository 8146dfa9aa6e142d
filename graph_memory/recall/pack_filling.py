"""Filling a block with memories: which of them the budget holds, and in which order they stand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from graph_memory.base.moments import day_of_event
from graph_memory.language.pack_block import block_of, escaped
from graph_memory.model.memory import Memory, Trust
from graph_memory.models.token_counters import TokenCounter

SUMMARIES, ALWAYS = "Summaries", "Always"
CONTESTED = "may hold no longer"
TRUNCATED = "More is known than fits here; search for it."
# The tokens by which a line may be more or fewer inside a block than by itself, with its heading.
_OFF = 2


@dataclass(frozen=True)
class Candidate:
    """A memory that competes for a place, the line that it would be, and how much it is wanted."""

    memory: Memory
    line: str
    score: float = 0.0
    sums_up: bool = False

    @property
    def stands(self) -> bool:
        """Whether it is wanted in every pack."""
        return self.memory.pinned or self.memory.critical

    @property
    def group(self) -> str:
        """The heading below which it stands."""
        if self.sums_up:
            return SUMMARIES
        return ALWAYS if self.stands else escaped(self.memory.kind).capitalize()


@dataclass(frozen=True)
class Filled:
    """A block, '' without a memory, its lines, the memories in their order, and those that did not fit."""

    text: str
    lines: tuple[str, ...]
    chosen: tuple[Candidate, ...]
    cut: tuple[Candidate, ...]


def fill(candidates: Sequence[Candidate], count: TokenCounter, budget: int, at: datetime) -> Filled:
    """As many of the candidates as the budget holds, the first before the others; none is cut.

    The whole block is counted, as it is handed out. So the bound holds for any counter, also one by which a text may be
    more tokens than its parts.
    """
    whole = _made(candidates, at, is_cut=False)
    if count(whole.text) <= budget:
        return whole
    best = _made(_first_that_fit(candidates, count, budget, at), at, is_cut=True)
    while best.chosen and count(best.text) > budget:
        last = max(best.chosen, key=candidates.index)
        best = _made([each for each in best.chosen if each is not last], at, is_cut=True)
    held = {each.memory.id for each in best.chosen}
    cut = tuple(each for each in candidates if each.memory.id not in held)
    return Filled(best.text, best.lines, best.chosen, cut)


def _first_that_fit(
    candidates: Sequence[Candidate], count: TokenCounter, budget: int, at: datetime
) -> list[Candidate]:
    """The candidates that fit one after the other, each line counted once and added up.

    The sum is off by a token or two for each line. Only where that decides is the whole block counted, and the sum goes on from
    what it was; so a budget of 100,000 tokens is counted a few times over, not once for each candidate.
    """
    chosen: list[Candidate] = []
    groups: set[str] = set()
    spent, unsure, too_long = count(block_of((TRUNCATED,), at)), _OFF, math.inf
    for each in candidates:
        heading = 0 if each.group in groups else count(f"{_heading(each.group)}\n")
        length = count(f"{each.line}\n") + heading
        if length >= too_long or spent + length > budget + unsure:
            continue
        if spent + length >= budget - unsure:
            spent = count(_made([*chosen, each], at, is_cut=True).text) - length
            unsure = _OFF
            if spent + length > budget:
                too_long = length
                continue
        chosen.append(each)
        groups.add(each.group)
        spent, unsure = spent + length, unsure + _OFF
    return chosen


def line_of(memory: Memory, zone: ZoneInfo, *, is_contested: bool) -> str:
    """The memory on one line, with who said it, since which day it holds and on which it happens.

    What is unverified says so, and what a review would retire.
    """
    author = memory.source.author
    told = (
        [f"said by {escaped(author)}"] if author and author.casefold() not in memory.text.casefold() else []
    )
    told.append(f"since {memory.valid_from.astimezone(zone):%Y-%m-%d}")
    if memory.happens_at is not None:
        told.append(f"on {day_of_event(memory.happens_at, zone)}")
    if memory.trust is Trust.UNVERIFIED:
        told.append(_unverified(memory))
    if is_contested:
        told.append(CONTESTED)
    return f"- {escaped(memory.text)} ({'; '.join(told)})"


def line_of_summary(memory: Memory, name: str) -> str:
    """A summary on one line, behind the name of its community."""
    mark = f" ({_unverified(memory)})" if memory.trust is Trust.UNVERIFIED else ""
    return f"- {escaped(name)}: {escaped(memory.text)}{mark}"


def _unverified(memory: Memory) -> str:
    return f"unverified, from {memory.source.kind}"


def _made(chosen: Sequence[Candidate], at: datetime, *, is_cut: bool) -> Filled:
    if not chosen:
        return Filled("", (), (), ())
    ordered = tuple(sorted(chosen, key=_place))
    lines = (*_grouped(ordered), *((TRUNCATED,) if is_cut else ()))
    return Filled(block_of(lines, at), lines, ordered, ())


def _place(each: Candidate) -> tuple[bool, bool, str, datetime, str]:
    memory = each.memory
    kind = "" if each.stands else memory.kind
    return (not each.sums_up, not each.stands, kind, memory.created_at, memory.id)


def _heading(group: str) -> str:
    return f"## {group}"


def _grouped(ordered: Sequence[Candidate]) -> Iterator[str]:
    group = None
    for each in ordered:
        if each.group != group:
            yield _heading(each.group)
            group = each.group
        yield each.line
