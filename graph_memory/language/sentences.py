"""Cutting text into sentences, and their words."""

from __future__ import annotations

import re

from graph_memory.language import patterns, quotation_marks

_STOPS = ".!?…\"“”’»')"
_EMOJI = r"[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]"
_END = patterns.compile(rf"(?<![.!?…])[.!?…]+[\"“”’»')\]]*(?:[ ]?{_EMOJI})*(?=\s)|\n")
_ABBREVIATION = patterns.compile(
    r"(?:^|[\s(\"“])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|a\.m|p\.m|inc|ltd|dept|cf|"
    r"(?-i:[A-Z])|(?:[a-z]\.)+[a-z])\.$",
    re.IGNORECASE,
)
# After these a sentence may well begin: only a following small letter or digit shows that it goes on.
_MAY_END = patterns.compile(r"(?:etc|a\.m|p\.m|inc|ltd|jr|sr|[a-z]\.[a-z])\.$", re.IGNORECASE)
_BEFORE_NUMBER = patterns.compile(r"(?:^|\s)(?:no|nr|fig|approx|ca|est|vol|p|pp)\.$", re.IGNORECASE)
_WORD = patterns.compile(r"[^\W_]+(?:['’\-.+#&/][^\W_]+)*[+#]*")
_BULLET = patterns.compile(r"^(?:[-*•–—]|\d{1,2}[.)])\s+")


def split(text: str) -> list[str]:
    """The sentences of a text, in order, without outer blanks or list marks.

    A line break ends one. A full stop does not after an abbreviation or an initial, dots do not before a small
    letter, and nothing does inside quotation marks that are closed later, or brackets closed in their line.
    """
    quoted = quotation_marks.enclosed(text)
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if not quoted[end.start() if end[0] == "\n" else end.end()] and _is_end(text, start, end):
            found.append(text[start : end.end()])
            start = end.end()
    pieces = (_BULLET.sub("", piece.strip()) for piece in [*found, text[start:]])
    return [piece for piece in pieces if any(char.isalnum() for char in piece)]


def places(text: str) -> list[tuple[int, int]]:
    """Where each sentence of a text stands."""
    found, at = list[tuple[int, int]](), 0
    for sentence in split(text):
        at = text.index(sentence, at)
        found.append((at, at + len(sentence)))
        at += len(sentence)
    return found


def ended(sentence: str) -> str:
    """The sentence with a stop."""
    return sentence if sentence[-1:] in _STOPS else f"{sentence}."


def asks(sentence: str) -> bool:
    """Whether it ends as a question does."""
    return sentence.rstrip("\"”'’)]}.! ").endswith("?")


def words(text: str) -> list[str]:
    """The words of a text, in order, as written; signs inside words stay (don't, 3.5, C++)."""
    return _WORD.findall(text)


def _is_end(text: str, start: int, end: re.Match[str]) -> bool:
    if "\n" in end.group():
        return True
    before, after = text[start : end.end()], text[end.end() :].lstrip()
    if not after or _is_bracketed(before, after):
        return not after
    goes_on = after[0].islower() or after[0].isdigit()
    if end.group().startswith(("..", "…")) or end.group()[-1] in "\"“”’»')]":
        return not after[0].islower()
    if end.group() == "." and after[0].isdigit() and _BEFORE_NUMBER.search(before):
        return False
    if end.group() == "." and _ABBREVIATION.search(before):
        return bool(_MAY_END.search(before)) and not goes_on
    return True


def _is_bracketed(before: str, after: str) -> bool:
    return before.count("(") > before.count(")") and ")" in after.split("\n", 1)[0]
