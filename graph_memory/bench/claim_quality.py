"""How well claims are read from statements, on annotated chats: nothing is stored, each statement is read by itself.

Five shares. `claimed`: statements in which a claim is read. `values`: of those whose annotated value stands in the
statement, how often the claim's value holds it or lies within it. `joined`: of the statements that repeat, change or
correct an earlier one, how often both have a claim of one thing and one attribute; `told`: the same where it is known
that the one takes the place of the other, and states the same attribute if it has a value for it. `apart`: of any two statements
of a chat whose claims are of one thing and one attribute, how often they are of one slot indeed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from graph_memory.bench.link_bench import read_streams
from graph_memory.judge.training.streams import Said, Stream
from graph_memory.language.claim_reading import ReadClaim, read_claim, succeeding
from graph_memory.language.names import key

_LINKED = ("repeats", "changes", "corrects")


@dataclass
class Counts:
    """How many of how many, for each share."""

    statements: int = 0
    claimed: int = 0
    valued: int = 0
    covered: int = 0
    linked: int = 0
    joined: int = 0
    told: int = 0
    alike: int = 0
    apart: int = 0

    def figures(self) -> dict[str, float | int]:
        return {
            "statements": self.statements,
            "claimed": _share(self.claimed, self.statements),
            "values": _share(self.covered, self.valued),
            "values_of": self.valued,
            "joined": _share(self.joined, self.linked),
            "told": _share(self.told, self.linked),
            "joined_of": self.linked,
            "apart": _share(self.apart, self.alike),
            "apart_of": self.alike,
        }


def bench_claims(folder: Path, hands: Sequence[str], told: Callable[[str], None]) -> dict[str, float | int]:
    """The shares over the chats of a folder whose names begin as one of the hands, or over all."""
    counts = Counts()
    for stream in read_streams([folder]):
        if not hands or stream.name.startswith(tuple(hands)):
            _count(stream, counts)
            told(f"{stream.name}: {counts.claimed} claims in {counts.statements} statements")
    return counts.figures()


def _count(stream: Stream, counts: Counts) -> None:
    claims: dict[tuple[int, int], ReadClaim | None] = {}
    kept = dict(claims)
    slots: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    for place, said in _statements(stream):
        claim = claims[place] = read_claim(said.statement)
        counts.statements += 1
        if said.link is not None and said.outcome in _LINKED:
            counts.linked += 1
            known = claims.get(said.link)
            counts.joined += claim is not None and known is not None and _place(claim) == _place(known)
            before, after = kept.get(said.link), _succeeding(kept.get(said.link), claim, said.statement)
            counts.told += before is not None and after is not None and _place(before) == _place(after)
            kept[place] = after
        else:
            kept[place] = claim
        if claim is not None:
            counts.claimed += 1
            slots[_place(claim)].append(said.slot)
            _count_value(said, claim, counts)
    for of_one in slots.values():
        pairs = list(combinations(of_one, 2))
        counts.alike += len(pairs)
        counts.apart += sum(one == other for one, other in pairs)


def _succeeding(known: ReadClaim | None, own: ReadClaim | None, text: str) -> ReadClaim | None:
    """What a statement states in the place of another; as `entities/claims.py` would store it."""
    if known is None or (own is not None and _place(own) == _place(known)):
        return own
    return succeeding(known, own, text) or own


def _statements(stream: Stream) -> Iterator[tuple[tuple[int, int], Said]]:
    for number, line in enumerate(stream.lines, 1):
        for which, said in enumerate(line.said, 1):
            yield (number, which), said


def _count_value(said: Said, claim: ReadClaim, counts: Counts) -> None:
    value, read_value = _words(said.value), _words(claim.value)
    if value.strip() and value in _words(said.statement):
        counts.valued += 1
        counts.covered += value in read_value or read_value in value


def _place(claim: ReadClaim) -> tuple[str | None, str]:
    return claim.thing and key(claim.thing), key(claim.attribute)


def _words(text: str) -> str:
    plain = "".join(sign if sign.isalnum() else " " for sign in text.lower())
    return f" {' '.join(plain.split())} "


def _share(some: int, whole: int) -> float:
    return round(some / whole, 3) if whole else 0.0
