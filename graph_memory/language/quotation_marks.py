"""What stands in quotation marks: "…", “…”, „…“, «…», '…' and ‘…’. No apostrophe is one, and no sign of feet and inches.

A mark opens or closes by what stands beside it, since one sign does both in one language or another. What opens and is never
closed encloses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from graph_memory.language import patterns

# Each kind is read by itself, so that a mark too many hides none of another kind. Single ones end with their line.
_KINDS = [patterns.compile(each) for each in ('["“”„‟]', "[«»‹›]", "['‘’‚\n]")]
_SINGLE = frozenset("'‘’‚")
_ONLY_OPENS, _ONLY_CLOSES = frozenset("„‟‚"), "’"
# What a quotation may follow without a blank.
_LEADING = frozenset("([{-–—/:\"“„«'‘‚")
# What it may begin with beside a word.
_OPENING = frozenset("([{…¿¡@#$€£\"“„«'‘‚")
_FEET = patterns.compile(r"\d ?['’′] ?\d{1,2}$")
_NEAR = 6
# An apostrophe that begins a word ('cause, '09, rock 'n' roll), or an ending that stands apart from its word ("I 'm").
_CLIPPED = patterns.compile(
    r"(?:\d\ds?|cause|cuz|coz|em|til|till|tis|twas|twere|bout|round|n|s|t|d|m|ll|re|ve)(?!\w)", re.IGNORECASE
)
# What ends like the end of a quotation, and may well go on: "my parents' house", "goin' home".
_CLIPPED_END = patterns.compile(r"(?:s|in)$", re.IGNORECASE)
_GOES_ON = patterns.compile(r" [^\W_]")


class _Sign(Enum):
    """What a mark does. EITHER closes what is open, and opens else; DOUBTFUL closes what nothing else closes."""

    OPENS = 1
    CLOSES = 2
    EITHER = 3
    DOUBTFUL = 4
    NONE = 5


def enclosed(text: str) -> bytearray:
    """For each character 1 if it stands in quotation marks, or is one of them, else 0."""
    found = bytearray(len(text))
    for kind in _KINDS:
        for start, end in _pairs(text, kind):
            found[start:end] = b"\1" * (end - start)
    return found


def lines(text: str) -> list[str]:
    """The lines of a text; a quotation that goes on over several is in one."""
    inside = enclosed(text)
    ends = [at for at, sign in enumerate(text) if sign == "\n" and not inside[at]]
    return [
        text[start:end] for start, end in zip([0, *(at + 1 for at in ends)], [*ends, len(text)], strict=True)
    ]


def _pairs(text: str, kind: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    opened = doubtful = None
    for mark in kind.finditer(text):
        at, sign = mark.start(), _sign(text, mark.start())
        is_line_end = mark[0] == "\n"
        if is_line_end or sign is _Sign.OPENS or (sign is _Sign.EITHER and opened is None):
            if opened is not None and doubtful is not None:
                yield opened, doubtful + 1
            opened, doubtful = None if is_line_end else at, None
        elif opened is None or sign is _Sign.NONE:
            continue
        elif sign is _Sign.DOUBTFUL:
            doubtful = at if doubtful is None else doubtful
        else:
            yield opened, at + 1
            opened = doubtful = None
    if opened is not None and doubtful is not None:
        yield opened, doubtful + 1


def _sign(text: str, at: int) -> _Sign:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] in _ONLY_OPENS:
        return _Sign.OPENS
    if text[at] in _SINGLE and _is_apostrophe(text, at, before, after):
        return _Sign.NONE
    if not before or before.isspace() or before in _LEADING:
        return _Sign.OPENS if after.isalnum() or after in _OPENING else _Sign.EITHER
    if before.isdigit() and (after.isalnum() or _FEET.search(text[max(0, at - _NEAR) : at])):
        return _Sign.NONE
    if after.isalnum():
        return _Sign.EITHER
    return _Sign.DOUBTFUL if _may_go_on(text, at) else _Sign.CLOSES


def _is_apostrophe(text: str, at: int, before: str, after: str) -> bool:
    if before.isalnum():
        return after.isalnum()
    opens = not before or before.isspace()
    return (opens and (text[at] == _ONLY_CLOSES or not after or after.isspace())) or bool(
        _CLIPPED.match(text, at + 1)
    )


def _may_go_on(text: str, at: int) -> bool:
    """Whether the mark may be an inch, or the apostrophe of what several own, with more of the quotation behind it."""
    if not _GOES_ON.match(text, at + 1):
        return False
    near = text[max(0, at - _NEAR) : at]
    return near[-1].isdigit() or (text[at] in _SINGLE and bool(_CLIPPED_END.search(near)))
