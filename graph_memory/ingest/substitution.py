"""The text of what takes a known statement's place: its own words with the new value in the place of the old one.

"Ann takes 100 mg in the morning." and "*88" give "Ann takes 88 mg in the morning." Pure functions.
"""

from __future__ import annotations

import re

from graph_memory.judge.linker import Link, Span
from graph_memory.language import sentences
from graph_memory.language.patterns import compile as pattern
from graph_memory.language.times.resolver import find

_DIGIT = pattern(r"\d")
_NUMBER = pattern(r"\d[\d.,:]*")
_HOLDING = pattern(r"(?:since|until|till|as of)\b", re.IGNORECASE)
_BLANKS = pattern(r"\s{1,99}(?=[,.;!?])|(?<=\s)\s{1,99}")


def substituted(known: str, said: str, link: Link) -> str | None:
    """The sentence that holds the known value, with the value of what was said; since when it holds is told anew.

    None where no two values of one kind were found.
    """
    if link.value is None or link.old_value is None:
        return None
    new, old = said[slice(*link.value)].strip(), known[slice(*link.old_value)].strip()
    if not new or not old or new.casefold() == old.casefold():
        return None
    if not _is_of_one_kind(new, old):
        return None
    sentence, start = _around(known, link.old_value)
    end = start + len(old)
    # "100 mg" by "88": what was counted stays.
    number = _NUMBER.match(old)
    if number and _NUMBER.fullmatch(new):
        end = start + number.end()
    before, rest = _undated(sentence[:start]), _undated(sentence[end:])
    text = _BLANKS.sub("", f"{before} {new}{rest}" if before[-1:].isalnum() else f"{before}{new}{rest}")
    text = text.strip()
    return text[:1].upper() + text[1:]


def _is_of_one_kind(one: str, other: str) -> bool:
    """Whether both are words for times, or both are counted, or neither."""
    if find(one) and find(other):
        return True
    return bool(_DIGIT.search(one)) == bool(_DIGIT.search(other))


def _around(known: str, value: Span) -> tuple[str, int]:
    """The sentence of the known text that the value stands in, and where in it."""
    at = 0
    for sentence in sentences.split(known):
        at = max(at, known.find(sentence, at))
        if at <= value[0] < at + len(sentence):
            lead = len(known[value[0] : value[1]]) - len(known[value[0] : value[1]].lstrip())
            return sentence, value[0] - at + lead
        at += len(sentence)
    return known, value[0]


def _undated(part: str) -> str:
    """Without the words for since when or until when the old value held."""
    for span in reversed(find(part)):
        if _HOLDING.match(span.text):
            part = part[: span.start].rstrip() + part[span.end :]
    return part
