# ruff: noqa: E501 - the lines are alternatives, and read better whole
"""Secrets without a shape of their own: told by the words that announce them, and by what they say they are."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graph_memory.language import patterns, secret_shapes

PASSWORD, NUMBER, API_KEY, TOKEN, PHRASE = "password", "code", "api_key", "token", "recovery_phrase"


def announced(text: str) -> Iterator[tuple[str, int, int]]:
    """The kind, start and end of each; a place may come more than once."""
    folded = text.casefold()
    if not any(word in folded for word in secret_shapes.TRIGGERS):
        return
    for kind, pattern, is_one in _RULES:
        at = 0
        # From each place anew, since a long match may hide a shorter one behind it.
        while match := pattern.search(text, at):
            at = match.start() + 1
            given = _given(text, match)
            if given is not None and is_one(given):
                yield kind, given.start, given.end
                at = given.end


@dataclass(frozen=True)
class _Given:
    """What stands where a secret is announced."""

    text: str
    match: re.Match[str]
    start: int
    end: int

    @property
    def value(self) -> str:
        return self.text[self.start : self.end]

    @property
    def is_quoted(self) -> bool:
        return "quoted" in self.match.re.groupindex and self.match["quoted"] is not None

    @property
    def is_placeholder(self) -> bool:
        return bool(_PLACEHOLDER.fullmatch(self.value)) or self.value[:1] in "[{<("

    @property
    def before(self) -> str:
        return self.text[max(0, self.match.start() - _LOOKBACK) : self.match.start()]


def _given(text: str, match: re.Match[str]) -> _Given | None:
    """The value: in its quotes, or without the signs that end a sentence."""
    groups = match.re.groupindex
    for name in ("quoted", "first", "bare"):
        if name in groups and match[name] is not None:
            start, end = match.span(name)
            while name != "quoted" and end - start > 1 and text[end - 1] in _ENDING:
                end -= 1
            return _Given(text, match, start, end)
    return None


# A value as it is given: in quotes, or up to the next blank; a full stop or comma at its end is the sentence's.
_QUOTED = r"(?P<quote>[\"'`“„«‘»])(?P<quoted>[^\"'`“”„«»‘’\n]{3,80})[\"'`”“»’«]"
_BARE = r"(?P<bare>[^\s\"'`“”„«»<>\[\]()]{3,200})"
_GIVEN = patterns.compile(
    rf"(?<!\w)(?P<word>{secret_shapes.OF_PEOPLE}|pass(?=\s*[:=])){secret_shapes.OF}{secret_shapes.IS}(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
# Right behind the word, where it can be nothing else.
_BESIDE = patterns.compile(
    rf"(?<!\w)(?:{secret_shapes.OF_PEOPLE})\s+(?P<bare>(?=\S*[A-Za-z])(?=\S*\d)(?=\S*[!@#$%^&*_+=?~]|\S*[a-z]\S*[A-Z]|\S*[A-Z]\S*[a-z])[^\s\"'`()\[\]]{{6,80}})",
    re.IGNORECASE,
)
_CJK_GIVEN = patterns.compile(
    r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호)[^\s\w]{0,2}(?:是|为|為|は|은|는|[:：=])?\s*(?P<bare>[!-~]{4,80})"
)
_GIVEN_FIRST = patterns.compile(
    r"(?:use|used|uses|try|type|typed|enter|entered|with|chose|picked|set|put)\s+[\"'`“]?(?P<bare>[^\s\"'`“”]{5,80})[\"'`”]?\s+"
    r"(?:as|for|is)\s+(?:the|my|a|his|her|our|their|your|an)?\s*(?:\w+\s+){0,3}?"
    rf"(?:{secret_shapes.OF_PEOPLE}|api[ -]?key|passcode)\b"
    r"|(?P<first>[^\s\"'`“”]{5,80})[\"'`”]?\s+(?:is|was|ist|est|es)\s+(?:the|my|his|her|our|their|das|mein|mon|le|mi|la)\s+"
    rf"(?:\w+[ -]){{0,3}}?(?:{secret_shapes.OF_PEOPLE}|api[ -]?key)\b",
    re.IGNORECASE,
)
_LOGIN = patterns.compile(
    r"\b(?:log[ -]?in|login|log on|sign[ -]?in|credentials?|anmelden|connexion)\b[^.\n]{0,40}?(?:\bwith\b|\bas\b|\bare\b|:|mit|avec)\s*"
    r"[\w.@+-]{2,60}\s*(?:/|:|\band\b|\bwith\b)\s*(?P<bare>(?=\S*[\d!@#$%^&*_-])[^\s,;]{5,80})",
    re.IGNORECASE,
)
_MACHINE = patterns.compile(
    rf"(?<![\w-])(?P<word>{secret_shapes.OF_MACHINES}){secret_shapes.OF}{secret_shapes.IS}(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
# As in environments and configuration: a name with such a word in it, a sign, a value.
_ASSIGNED = patterns.compile(
    r"(?P<name>(?<![\w.-])[\w.-]{0,40}(?:key|secret|token|passw(?:or)?d|passwd|pwd|credential|auth|session(?:_?id)?|cookie)s?(?:_\w{1,20})?)[\"']?\s*"
    r"(?:[:=]|:=|=>)\s*"
    rf"(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
_BEARER = patterns.compile(
    r"\b(?:bearer|basic)\s+(?P<bare>(?=[\w.~+/=-]*(?:\d|[A-Z].*[a-z]))[\w.~+/-]{16,}={0,2})", re.IGNORECASE
)
_IN_URL = patterns.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,64}:(?P<bare>[^\s@/]{1,100})@", re.IGNORECASE
)
_AS_USER = patterns.compile(r"\s(?:-u|--user)[ =][\"']?[\w.@-]{1,64}:(?P<bare>[^\s\"']{3,100})")
_AS_OPTION = patterns.compile(
    r"\s--?(?:password|pass|token|secret|api-?key)[ =][\"']?(?P<bare>[^\s\"'<$-][^\s\"']{3,100})",
    re.IGNORECASE,
)
_NEAR = patterns.compile(
    rf"(?<![\w-])(?:{secret_shapes.OF_MACHINES}|key|token|secret|{secret_shapes.OF_PEOPLE})\b[^\n]{{0,48}}?(?<![\w/.-])"
    r"(?P<bare>[A-Za-z0-9_+/=-]{20,200})(?![\w/])",
    re.IGNORECASE,
)
_NUMBER = patterns.compile(
    rf"(?<![\w-])(?:{secret_shapes.OF_LOCKS}){secret_shapes.OF}(?:{secret_shapes.IS}|\s+)[\"'`“#]?(?P<bare>\d(?:[\d -]{{1,10}}\d))(?![\d.,]\d|\w|%)",
    re.IGNORECASE,
)
_WORDS = patterns.compile(
    rf"(?:{secret_shapes.OF_WALLETS}){secret_shapes.OF}{secret_shapes.IS}[\"'`“]?(?P<bare>[a-z]{{3,10}}(?:[ ,]+[a-z]{{3,10}}){{11,23}})"
    rf"|\bpass[ -]?phrase{secret_shapes.OF}(?:\s*[:=]\s*|\s+is\s+)(?P<first>[a-z]{{3,12}}(?:[ -][a-z]{{3,12}}){{3,7}})(?=\W*$)",
    re.IGNORECASE,
)
_NO_SECRET_KEY = patterns.compile(
    r"(?:public|primary|foreign|idempotency|cache|partition|sort|object|storage|dict(?:ionary)?|row|unique|composite|"
    r"host|ssh|fingerprint|commit|sha\w*|hash|checksum|digest|etag|uuid|guid)\W*(?:\w+\W+)?$",
    re.IGNORECASE,
)
_PLACEHOLDER = patterns.compile(
    r"[*•x.…_-]+|\$\{?\w+\}?.*|<.*|%\w+%?|\{\{.*|\[.*|(?:your|my|the|some|any|an?|example|dummy|placeholder|changeme|insert|put)"
    r"[-_].*|(?:os\.|process\.|env\.|getenv|config\.|settings\.|self\.|vault:|secretmanager).*|none|null|nil|true|false|"
    r"undefined|redacted|removed|hidden|string|str|int|n/?a",
    re.IGNORECASE,
)
_UUID = patterns.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ENDING = ".,;:)]}…。！？、」』"
_LOOKBACK = 24
_MOST_BLANKS, _SHORTEST_WORD, _LONGEST_WORD = 4, 4, 40
_SHORT, _SHORT_KEY, _LONG = 6, 8, 16
_FEWEST_DIGITS, _MOST_DIGITS = 3, 10
# Bits for each character, from which on it is no text: of letters and digits, of hexadecimal digits.
_RANDOM, _RANDOM_HEX = 3.5, 3.0
_NO_PASSWORD = patterns.compile(r"\d{1,3}(?:[.,]\d+)?|\d{4}-\d\d-\d\d|\w+ed|https?://.*", re.IGNORECASE)
_TELLS = patterns.compile(r"[:=：]|\b(?:is|ist|est|es|é|è|lautet|jest)\b|[是为は은는هي-]")
_NEXT_CLAUSE = patterns.compile(r"\s*(?:[,;(]|and\b|but\b|with\b|in\b|on\b)")
_ABOUT = patterns.compile(r"(?=\w{5})\w*(?:ed|ing|ly|able|ible|ful|less|ive|ous|ish|est|ten|ken|t)$")
_NOUN = patterns.compile(r"(?:fish|king|ring)$")
_NO_KEY = patterns.compile(r"(?:https?://|/).*|[\w-]+\(.*|\d{1,5}|v?\d+(?:\.\d+)+")
_NO_SECRET_NAME = patterns.compile(
    r"public|primary|foreign|idempotency|cache|partition|sort|keyboard|monkey|turkey|author\b|oauth2?$|max_?tokens"
)
_OF_CODE = patterns.compile(
    r"\b(?:public|primary|foreign|idempotency|cache|fingerprint|commit|sha\d*|hash\w*|checksum|digest|etag|uuid|merge|"
    r"revision|branch|file|folder|path|ssh)\b",
    re.IGNORECASE,
)
_KINDS_OF_SIGN = tuple(patterns.compile(kind) for kind in ("[a-z]", "[A-Z]", r"\d"))
_NO_VALUE_BESIDE = patterns.compile(r"://|passw", re.IGNORECASE)
_PART = patterns.compile(r"[A-Z]?[a-z]{2,}\d{0,2}|v?\d{1,4}|[A-Z]{2,6}")


def _is_password(given: _Given) -> bool:
    if given.is_placeholder:
        return False
    if given.is_quoted:
        return given.value.count(" ") <= _MOST_BLANKS
    if _is_odd(given.value):
        return not _NO_PASSWORD.fullmatch(given.value)
    return _is_said(given)


def _is_said(given: _Given) -> bool:
    """Whether a plain word is told as the password: nothing that is said of one, and the clause ends with it."""
    word, rest = given.value.casefold(), given.text[given.end :]
    has_word = "word" in given.match.re.groupindex
    verb = given.text[given.match.end("word") : given.match.start("bare")] if has_word else ""
    ends = not rest.strip() or rest[0] in (*_ENDING, "!", "?", "\n") or _NEXT_CLAUSE.match(rest)
    says_about = word in secret_shapes.NO_VALUE or (_ABOUT.search(word) and not _NOUN.search(word))
    return bool(
        _TELLS.search(verb) and ends and len(word) >= _SHORTEST_WORD and word.isascii() and not says_about
    )


def _is_beside(given: _Given) -> bool:
    value = given.value
    has_sign = patterns.compile(r"[!@#$%^&*_+=?~]|[a-z].*[A-Z]|[A-Z].*[a-z]").search(value)
    return (
        bool(has_sign)
        and not _is_word(value)
        and not given.is_placeholder
        and not _NO_VALUE_BESIDE.search(value)
    )


def _is_given_first(given: _Given) -> bool:
    return _is_odd(given.value) and not given.is_placeholder


def _is_machine(given: _Given) -> bool:
    value = given.value
    if given.is_placeholder or _NO_SECRET_KEY.search(given.before) or _NO_KEY.fullmatch(value):
        return False
    if given.is_quoted:
        return " " not in value and len(value) >= _SHORT and (_is_odd(value) or len(value) >= _LONG)
    if value.isdigit():
        return len(value) >= _SHORT_KEY
    return len(value) >= _SHORT_KEY and _is_odd(value) and not _is_word(value)


def _is_assigned(given: _Given) -> bool:
    name, value = given.match["name"].casefold(), given.value
    if _NO_SECRET_NAME.search(name) or given.is_placeholder or "(" in value:
        return False
    if patterns.compile(r"passw|pwd").search(name):
        return _is_password(given) and (len(value) >= _SHORT or _is_odd(value))
    is_id = _UUID.fullmatch(value) and name in ("key", "token_id", "key_id")
    is_key = len(value) >= _SHORT_KEY and _is_odd(value) and not _is_word(value) and not value.isdigit()
    return is_key and not is_id and not value.startswith(("http://", "https://"))


def _is_near(given: _Given) -> bool:
    value = given.value
    before = given.before + given.text[given.match.start() : given.start]
    if _UUID.fullmatch(value) or _OF_CODE.search(before):
        return False
    is_mixed = all(kind.search(value) for kind in _KINDS_OF_SIGN)
    if is_mixed:
        return _spread(value) >= _RANDOM and not _is_word(value)
    return bool(patterns.compile(r"[0-9a-f]{32,}").fullmatch(value)) and _spread(value) >= _RANDOM_HEX


def _is_number(given: _Given) -> bool:
    digits = patterns.compile(r"\D").sub("", given.value)
    is_year = patterns.compile(r"(?:19|20)\d\d").fullmatch(given.value) and not patterns.compile(
        r"[:=]|\bis\b"
    ).search(given.match[0])
    return _FEWEST_DIGITS <= len(digits) <= _MOST_DIGITS and not is_year


def _always(given: _Given) -> bool:
    return not given.is_placeholder


def _is_odd(value: str) -> bool:
    """Whether it is no plain word: digits, signs or capitals within it, or several parts."""
    has_signs = patterns.compile(r"\d|[!@#$%^&*_+=?~|\\]|[a-z][A-Z]").search(value)
    return bool(has_signs) or (value[1:].count("-") > 1 and value.replace("-", "").isalnum())


def _is_word(value: str) -> bool:
    """Whether words with hyphens, points or a number at their end make it up: a name or a version, no key."""
    parts = [part for part in patterns.compile(r"[-_./]").split(value) if part]
    return len(value) < _LONGEST_WORD and all(_PART.fullmatch(part) for part in parts)


def _spread(value: str) -> float:
    """Shannon's entropy of its characters, in bits for each."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


_RULES: tuple[tuple[str, re.Pattern[str], Callable[[_Given], bool]], ...] = (
    (PASSWORD, _GIVEN, _is_password),
    (PASSWORD, _BESIDE, _is_beside),
    (PASSWORD, _CJK_GIVEN, _always),
    (PASSWORD, _GIVEN_FIRST, _is_given_first),
    (PASSWORD, _LOGIN, _is_given_first),
    (PASSWORD, _IN_URL, _always),
    (PASSWORD, _AS_USER, _always),
    (API_KEY, _AS_OPTION, _always),
    (API_KEY, _MACHINE, _is_machine),
    (API_KEY, _ASSIGNED, _is_assigned),
    (API_KEY, _NEAR, _is_near),
    (TOKEN, _BEARER, _always),
    (NUMBER, _NUMBER, _is_number),
    (PHRASE, _WORDS, _always),
)
