"""Secrets in a text: where they stand, of what kind, and the text without them. A net, no wall.

Keys are known by their shape, cards and accounts by their checksum, and what has no shape by the words before it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graph_memory.language import characters, patterns, secret_shapes
from graph_memory.language.announced_secrets import announced
from graph_memory.language.checksums import is_card, is_iban

CARD, IBAN = "card_number", "bank_account"

_KEYS = tuple((kind, patterns.compile(pattern, re.DOTALL)) for kind, pattern in secret_shapes.KEYS)

_CARD = patterns.compile(r"(?<![\w-])(?<!\d[.,])\d(?:[ -]?\d){12,18}(?![\w-])(?![.,]\d)")
_IBAN = patterns.compile(r"(?<!\w)[A-Za-z]{2}\d{2}(?:[ ]?[A-Za-z0-9]){11,30}(?!\w)")

# Numbers of other things that may pass a checksum by chance.
_ANOTHER_NUMBER = patterns.compile(
    r"(?:\b(?:order|tracking|invoice|ticket|reference|serial|parcel|shipment|booking|isbn|imei|account id|customer|bestell\w*|"
    r"sendung\w*|rechnung\w*|auftrag\w*|commande|pedido|ordine|id|no|nr)|#)[\w ]{0,14}[.:#]*\s*$",
    re.IGNORECASE,
)

_OF_CARD = patterns.compile(
    r"card|visa|amex|karte|carte|tarjeta|carta|cart[ãa]o|карт|卡|カード", re.IGNORECASE
)
_LOOKBACK = 32


@dataclass(frozen=True)
class Found:
    """A secret's place in a text and its kind, never its value."""

    kind: str
    start: int
    end: int


def found(text: str) -> list[Found]:
    """The secrets of a text in their order; of those that overlap the longest."""
    if len(text) < _SHORTEST:
        return []
    if text.isascii() and patterns.on_one_blank(text) == text:
        return _longest(text)
    return _seen_through(text)


def _seen_through(text: str) -> list[Found]:
    """The secrets of a text without its hidden characters and with one blank for several, at their places in the text."""
    places = [at for at, char in enumerate(text) if not characters.is_hidden(char)]
    plain = "".join(text[at] for at in places)
    kept = [at for begin, end in _between_runs(plain) for at in range(begin, end)]
    places, plain = [places[at] for at in kept], patterns.on_one_blank(plain)
    return [Found(each.kind, places[each.start], places[each.end - 1] + 1) for each in _longest(plain)]


def _between_runs(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that stay where runs of blanks become one blank each, which is the last of its run."""
    begin = 0
    for run in patterns.RUN.finditer(text):
        yield begin, run.start()
        begin = run.end() - 1
    yield begin, len(text)


def _longest(text: str) -> list[Found]:
    apart: list[Found] = []
    for each in sorted(_all(text), key=lambda each: (each.start - each.end, each.start)):
        at = bisect(apart, each.start, key=lambda one: one.start)
        behind, before = apart[at : at + 1], apart[max(at - 1, 0) : at]
        if all(each.end <= one.start for one in behind) and all(one.end <= each.start for one in before):
            apart.insert(at, each)
    return apart


def masked(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each secret as in "[password removed]", and the kinds that were removed, sorted."""
    places = found(text)
    return without(text, places), tuple(sorted({each.kind for each in places}))


def without(
    text: str,
    places: Sequence[Found],
    mark: Callable[[str], str] = lambda kind: f"[{kind.replace('_', ' ')} removed]",
) -> str:
    """The text with a mark of its kind in each of these places, which come in order."""
    for each in reversed(places):
        text = f"{text[: each.start]}{mark(each.kind)}{text[each.end :]}"
    return text


_SHORTEST = 6
# Every key has one, and few texts do.
_LONG_WORD = patterns.compile(r"[\w.=+/-]{15,}|-----BEGIN")


def _all(text: str) -> Iterator[Found]:
    if _LONG_WORD.search(text):
        for kind, pattern in _KEYS:
            for match in pattern.finditer(text):
                yield Found(kind, match.start(), match.end())
    for match in _CARD.finditer(text):
        before = text[max(0, match.start() - _LOOKBACK) : match.start()]
        if is_card(match[0]) and (_OF_CARD.search(before) or not _ANOTHER_NUMBER.search(before)):
            yield Found(CARD, match.start(), match.end())
    yield from _accounts(text)
    yield from (Found(*each) for each in announced(text))


def _accounts(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        # What follows a number in capitals may look like a part of it: the longest that has the checksum.
        for end in range(match.end(), match.start() + 14, -1):
            if is_iban(text[match.start() : end]) and not text[end - 1].isspace():
                yield Found(IBAN, match.start(), end)
                break
