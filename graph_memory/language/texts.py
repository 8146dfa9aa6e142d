"""Text on its way in: cleaned, made comparable, shortened for a picture, made safe for a full-text search."""

from __future__ import annotations

import string
import unicodedata

from graph_memory.base.errors import Invalid
from graph_memory.language import characters, patterns

CAPTION_LENGTH = 40
MAX_TERMS = 64

# Cleaning may shorten a text, by composing or by leaving out controls; beyond this it is not even looked at.
_SLACK = 1000

_APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_FINAL_STOP = patterns.compile(r"(?<=[^.\s])\s*\.\Z")
_ESCAPES = str.maketrans({sign: "\\" + sign for sign in string.punctuation})
_OPERATOR_WORDS = frozenset({"AND", "OR", "NOT"})


def clean(text: str, limit: int, what: str) -> str:
    """The text as it is stored: Unicode form NFC, no control characters but newline and tab, no outer blanks.

    Line ends become newlines. Nothing else is changed: what is invisible stays for people, and is left out where texts
    are compared, embedded or shown to a model. `what` names the value in the message ("text", "tag").
    Raises Invalid for text without a visible character, with NUL or a lone surrogate, or longer than `limit`
    characters once cleaned.
    """
    if len(text) > 2 * limit + _SLACK:
        raise Invalid(f"{what} has {len(text)} characters, at most {limit} are allowed.", path=what)
    if "\0" in text:
        raise Invalid(f"{what} holds a NUL character; remove it.", path=what)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Invalid(f"{what} holds half of a surrogate pair, so it is not valid Unicode.", path=what)
    kept = unicodedata.normalize("NFC", _without_controls(text)).strip()
    if not any(_is_visible(char) for char in kept):
        raise Invalid(f"{what} is empty.", path=what)
    if len(kept) > limit:
        raise Invalid(f"{what} has {len(kept)} characters, at most {limit} are allowed.", path=what)
    return kept


def normalised(text: str) -> str:
    """A key for "the same words": no case, blanks, invisible characters, kinds of apostrophe or final full stop.

    Every other sign stays, since it can be the difference: C, C++ and C#; 3.5 and 35; not and nothing.
    """
    folded = unicodedata.normalize("NFD", characters.plain(text).translate(_APOSTROPHES)).casefold()
    spaced = " ".join(unicodedata.normalize("NFC", folded).split())
    return _FINAL_STOP.sub("", spaced)


def caption(text: str) -> str:
    """The text on one line of at most 40 characters, cut between words with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= CAPTION_LENGTH:
        return line
    whole_words = line[:CAPTION_LENGTH].rpartition(" ")[0].rstrip(" ,;:-")
    return (whole_words or line[: CAPTION_LENGTH - 1]) + "…"


def lucene(text: str) -> str:
    """What the user typed as a Lucene query of plain terms, at most 64 different ones; '' if no term is left.

    No operator survives: every sign is escaped, AND, OR and NOT are ordinary words.
    """
    terms = dict.fromkeys(_term(word) for word in _printable(characters.plain(text)).split())
    return " ".join([term for term in terms if term][:MAX_TERMS])


def _without_controls(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in lines if char in "\n\t" or unicodedata.category(char) != "Cc")


def _is_visible(char: str) -> bool:
    return unicodedata.category(char)[0] not in "ZC"


def _printable(text: str) -> str:
    return "".join(char if _is_visible(char) else " " for char in text)


def _term(word: str) -> str:
    if not any(char.isalnum() for char in word):
        return ""
    plain = word.lower() if word in _OPERATOR_WORDS else word
    return plain.translate(_ESCAPES)
