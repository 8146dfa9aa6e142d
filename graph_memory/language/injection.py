"""Does a text speak to a judge or an assistant, instead of stating something? It is only a mark: nothing is dropped for it.

Told by what belongs to prompts and answers (labels, roles, tags, verdicts as JSON), by orders in many languages, and by
the same in a disguise that can be taken off: other letters, other widths, spaced, backwards, percent signs, hexadecimal
numbers, base64.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote

from graph_memory.language import characters, patterns
from graph_memory.language.injection_marks import (
    ELSEWHERE,
    ENGLISH,
    ENGLISH_ORDERS,
    GAP,
    ROLES,
    SHAPES,
    SHORT_GAP,
    TOLD_OF,
)
from graph_memory.language.injection_phrases import LANGUAGES, Language


def _orders(words: Language) -> str:
    """The expression for an order: a verb, and near it its object with a word for whatever came before."""
    gap = rf"[^.!?\n。！？]{{0,{GAP if words.spaces else SHORT_GAP}}}?"
    edge = r"\b" if words.spaces else ""

    def each(alternatives: str) -> str:
        return rf"{edge}(?:{alternatives}){edge}"

    def near(verb: str, one: str, other: str) -> Iterator[str]:
        for objects in (f"{each(one)}{gap}{each(other)}", f"{each(other)}{gap}{each(one)}"):
            yield f"{each(verb)}{gap}{objects}"
            yield f"{objects}{gap}{each(verb)}"

    known = f"{words.rules}|{words.memories}"
    return "|".join(
        [*near(words.ignore, words.before, known), *near(words.remove, words.everything, words.memories)]
    )


@cache
def _order_in(language: str) -> re.Pattern[str]:
    """Made when a text first has a stem of that language: few processes ever meet one of most."""
    return patterns.compile(_orders(LANGUAGES[language]), re.IGNORECASE)


def _stems(words: Language) -> tuple[str, ...]:
    """How the verbs begin, so that a text without any of them is not looked at further."""
    verbs, depth = [""], 0
    for char in f"{words.ignore}|{words.remove}":
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            verbs.append("")
        else:
            verbs[-1] += char
    return tuple(
        dict.fromkeys(patterns.compile(r".\?.*|[(\[\\].*").sub("", verb).casefold() for verb in verbs)
    )


_STEMS = {name: _stems(words) for name, words in LANGUAGES.items()}
_BASE64 = patterns.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = patterns.compile(r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ ,:]?){12,}(?![0-9A-Za-z])")
_SPACED = patterns.compile(r"(?<!\w)(?:\w[ .·_*-]){5,}\w(?!\w)")
_ESCAPED = patterns.compile(r"%[0-9A-Fa-f]{2}|&#?\w{2,8};|\\u[0-9a-fA-F]{4}")
_CODE_POINT = patterns.compile(r"\\u([0-9a-fA-F]{4})")
_BETWEEN = patterns.compile(r"[ .·_*-]")
_WIDE = patterns.compile(r"(?<=\w)\s{2,}(?=\w)")
_DIGITS_FOR_LETTERS = patterns.compile(r"[a-z][013457@$]+[a-z]", re.IGNORECASE)
_BACKWARDS = patterns.compile(r"(?:erongi|edesrepus|snoitcurtsni|tpmorp)", re.IGNORECASE)
_ROTATED = patterns.compile(r"\b(?:vtaber|qvfertneq|fhcrefrqr|vafgehpgvbaf)\b", re.IGNORECASE)
_OPENING = patterns.compile(
    r"[\W_]*(?:(?:please|now|and|then|but|so|always|just|immediately|kindly|also|to|says?|said|reads|you|must|should)\s+)*",
    re.IGNORECASE,
)
_CLAUSE = 200
_DEEPEST = 2
_MOSTLY = 0.7
_LEET = str.maketrans("013457@$", "oieastas")


def is_suspicious(text: str) -> bool:
    """Whether a text holds what belongs to prompts and answers, or orders to whoever judges it, plainly or disguised."""
    return _speaks(text) or any(_speaks(each) for each in _undisguised(text, _DEEPEST))


def _speaks(text: str) -> bool:
    text = patterns.on_one_blank(text)
    folded = text.casefold()
    return bool(
        SHAPES.search(text)
        or ROLES.search(text)
        or ENGLISH.search(text)
        or ELSEWHERE.search(text)
        or any(
            _is_ordered(name, text) for name, stems in _STEMS.items() if any(stem in folded for stem in stems)
        )
    )


def _is_ordered(language: str, text: str) -> bool:
    if language != "en":
        return _order_in(language).search(text) is not None
    # What somebody tells of another, or means to do, is no order.
    return any(not _is_told_of(text, _start_of_verb(match)) for match in ENGLISH_ORDERS.finditer(text))


def _is_told_of(text: str, verb: int) -> bool:
    return TOLD_OF.search(text[max(0, verb - _CLAUSE) : verb]) is not None


def _start_of_verb(match: re.Match[str]) -> int:
    """Where the command itself begins, behind the words that open its clause."""
    opened = _OPENING.match(match[0])
    return match.start() + (opened.end() if opened else 0)


def _undisguised(text: str, depth: int) -> Iterator[str]:
    """What a text may mean to a reader that looks harder than a person."""
    plain = characters.unmasked(text)
    if plain != text:
        yield plain
    if _ESCAPED.search(plain):
        yield _CODE_POINT.sub(lambda each: chr(int(each[1], 16)), html.unescape(unquote(plain)))
    if _SPACED.search(plain):
        yield _SPACED.sub(lambda each: _BETWEEN.sub("", each[0]), _WIDE.sub(" \u2003 ", plain)).replace(
            "\u2003", " "
        )
    if _DIGITS_FOR_LETTERS.search(plain):
        yield plain.translate(_LEET)
    if _BACKWARDS.search(plain):
        yield plain[::-1]
    if _ROTATED.search(plain):
        yield plain.translate(_ROT13)
    if depth:
        for decoded in (*_of_base64(plain), *_of_hex(plain)):
            yield decoded
            yield from _undisguised(decoded, depth - 1)


_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm",
)


def _of_base64(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        spelled = match[0].translate(str.maketrans("-_", "+/")).rstrip("=")
        try:
            decoded = base64.b64decode(spelled + "=" * (-len(spelled) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        yield from _words(decoded)


def _of_hex(text: str) -> Iterator[str]:
    for match in _HEX.finditer(text):
        digits = patterns.compile(r"0x|\\x|[ ,:]").sub("", match[0])
        if len(digits) % 2 == 0:
            yield from _words(bytes.fromhex(digits))


def _words(decoded: bytes) -> Iterator[str]:
    """The text that bytes spell; nothing where they spell none."""
    try:
        told = decoded.decode("utf-8")
    except UnicodeDecodeError:
        return
    if sum(char.isalpha() or char.isspace() for char in told) > _MOSTLY * len(told):
        yield told
