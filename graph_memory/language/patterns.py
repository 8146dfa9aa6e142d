"""Patterns over what callers write: every repetition in them has an end, so that time grows with a text's length only.

Python's engine goes back where it failed. Here it can go back over a bounded stretch, so that each place of a text costs
a bounded number of steps, whatever stands there; that it is a small one is measured for every pattern, with texts aimed
at it, by `tests/unit/test_hostile_texts.py`. Modules that read callers' text make their patterns here and nowhere else.
"""

from __future__ import annotations

import re
from functools import lru_cache

# How often a part of a pattern that says nothing else may repeat: a long word, most of a clause. And a blank.
REACH, BLANKS = 100, 8

# One token of a pattern: an unbounded repetition, an escape, a character set, the start of a group, a bounded repetition.
_PART = re.compile(
    r"(?P<blank>\\s)?(?P<endless>\*|\+|\{(?P<least>\d+),\})(?P<how>[?+]?)"
    r"|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?|(?:\?|\{\d*,?\d+\})[?+]?",
    re.DOTALL,
)
# Blanks of which one is enough.
RUN = re.compile(r"\s{2,}")


@lru_cache(maxsize=1024)
def compile(source: str, flags: int | re.RegexFlag = 0, *, reach: int = REACH) -> re.Pattern[str]:
    r"""As `re.compile`, but `*`, `+` and `{3,}` repeat up to `reach` times, and `\s` with one of them up to 8 times."""
    return re.compile(_PART.sub(lambda part: _bounded(part, reach), source), flags)


def on_one_blank(text: str) -> str:
    """The text with one blank where there are several: a newline if one is among them."""
    return RUN.sub(lambda run: "\n" if "\n" in run[0] else " ", text)


def _bounded(part: re.Match[str], reach: int) -> str:
    if part["endless"] is None:
        return part[0]
    least = int(part["least"] or part["endless"] == "+")
    most = max(least, BLANKS if part["blank"] else reach)
    return f"{part['blank'] or ''}{{{least},{most}}}{part['how']}"
