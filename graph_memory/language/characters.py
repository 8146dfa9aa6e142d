"""Characters that nobody sees: what of them belongs to the writing, what hides something, and letters that pass for others.

A text is stored as it was given, for people. Where texts are compared or embedded none of these is left; a model is
shown those that the writing needs: joiners in Arabic and Indian scripts and between pictures, and what chooses between
two looks of a sign. What turns the order of what is shown goes, since it shows a person another text than a machine reads.
"""

from __future__ import annotations

import unicodedata

from graph_memory.language import patterns

_JOINERS = "\u200c\u200d"
# They come along from web pages and word processors without anybody's doing.
_INNOCENT = "\ufeff\u00ad\u200b\u2060\u200e\u200f\u061c\u202a\u202c\u2066\u2067\u2068\u2069" + _JOINERS
# Invisible, though Unicode calls them letters, marks or signs.
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
# Format characters that are seen: signs of Arabic and Syriac that enclose what follows.
_SEEN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2"
_SELECTORS = patterns.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_TAGS = patterns.compile("[\U000e0000-\U000e007f]")
# A flag of a part of a country: a black flag, letters as tags, an end.
_FLAG = patterns.compile("\U0001f3f4[\U000e0061-\U000e007a]{4,6}\U000e007f")
_JOINING = frozenset(
    {"ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL",
     "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN"}
)  # fmt: skip
_WORD = patterns.compile(r"[^\W\d_]+")
_LEAST_MIXED = 4

# Letters of other scripts that look like Latin ones, each before the one that it passes for.
_LOOKALIKES = dict(
    zip(
        "аеорсухіјѕһԁԛԝвкмнтгпАВЕКМНОРСТУХІЈЅԌοανρυικτχγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
        "aeopcyxijshdqwbkmhtrnABEKMHOPCTYXIJSGoavpuiktxyABEZHIKMNOPTYX",
        strict=True,
    )
)
_TO_LATIN = str.maketrans(_LOOKALIKES)


def readable(text: str) -> str:
    """The text for a model: only those hidden characters stay that its writing needs."""
    if text.isascii():
        return text
    flags = {at for found in _FLAG.finditer(text) for at in range(found.start() + 1, found.end())}
    kept: list[str] = []
    for at, char in enumerate(text):
        if at in flags or not is_hidden(char):
            kept.append(char)
            continue
        before, after = kept[-1] if kept else "", text[at + 1 : at + 2]
        if _belongs(char, before, after):
            kept.append(char)
    return "".join(kept)


def plain(text: str) -> str:
    """The text for comparing and embedding: without any hidden character."""
    return text if text.isascii() else "".join(char for char in text if not is_hidden(char))


def hides(text: str) -> bool:
    """Whether it holds what has no innocent reason to be there: turned order, letters as tags, stretches of selectors."""
    if text.isascii():
        return False
    rest = _FLAG.sub("", text)
    if (
        _TAGS.search(rest)
        or patterns.compile("[\u202b\u202d\u202e]").search(rest)
        or _is_written_between(rest)
    ):
        return True
    return any(is_hidden(char) and not _SELECTORS.match(char) and char not in _INNOCENT for char in rest)


def mixed(text: str) -> tuple[str, ...]:
    """The words in which letters of other scripts stand in the place of Latin ones that look like them."""
    return tuple(word for word in _WORD.findall(plain(text)) if not word.isascii() and _is_mixed(word))


def unmasked(text: str) -> str:
    """The text as it is meant to be read: letters that pass for others, in other widths or styles, as plain ones."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKC", plain(text))
    return _WORD.sub(lambda word: word[0].translate(_TO_LATIN) if _is_mixed(word[0]) else word[0], folded)


def is_hidden(char: str) -> bool:
    """Whether a character has no look of its own. Controls such as a newline are another matter (`texts.clean`)."""
    if char in _SEEN:
        return False
    return unicodedata.category(char) == "Cf" or char in _BLANK or bool(_SELECTORS.match(char))


def _belongs(char: str, before: str, after: str) -> bool:
    if char in _JOINERS:
        if _script(before) in _JOINING:
            return True
        return char == "\u200d" and _is_picture(before) and _is_picture(after)
    return bool(_SELECTORS.match(char)) and _takes_selector(char, before)


def _takes_selector(char: str, before: str) -> bool:
    if not before or is_hidden(before):
        return False
    if char in "\ufe0e\ufe0f":
        return _is_picture(before) or before in "0123456789#*" or unicodedata.category(before) in ("Sm", "Po")
    return unicodedata.category(before) == "Lo" or _script(before) == "MONGOLIAN"


def _is_picture(char: str) -> bool:
    return bool(char) and (unicodedata.category(char) in ("So", "Sk") or char == "\ufe0f")


def _is_written_between(text: str) -> bool:
    """Whether selectors or joiners stand in a row, or within a Latin word: nobody writes so, but a machine may read it."""
    return bool(
        patterns.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3}").search(text)
        or patterns.compile("[\u200b-\u200d\u2060\ufeff]{3}").search(text)
        or patterns.compile("[A-Za-z](?:[\u200b-\u200d\u2060][A-Za-z]){2}").search(text)
    )


def _is_mixed(word: str) -> bool:
    others = [char for char in word if _script(char) != "LATIN" and unicodedata.category(char)[0] == "L"]
    is_latin_as_well = len(others) < len(word)
    return (
        len(word) >= _LEAST_MIXED
        and bool(others)
        and is_latin_as_well
        and all(char in _LOOKALIKES for char in others)
    )


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0] if char else ""
