"""Personal data that can be told by its shape: addresses of mail and numbers of telephones."""

from __future__ import annotations

import re

from graph_memory.language import patterns
from graph_memory.language.secrets import Found

EMAIL, PHONE = "email", "phone"

_EMAIL = patterns.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[^\W\d_]{2,24}(?![\w-])")
# With the sign of a country, or where words tell that it is one.
_INTERNATIONAL = patterns.compile(r"(?<![\w+])\+\d{1,3}(?:[ ./-]?\(?\d{1,4}\)?){2,6}(?!\w)")
_TOLD = patterns.compile(
    r"\b(?:phone|telephone|mobile|cell|number to call|call (?:me|her|him|us|them) (?:at|on)|text me at|whatsapp|tel|fax|"
    r"telefon\w*|handy\w*|rufnummer|téléphone|portable|teléfono|móvil|telefone|celular|telefono|cellulare|телефон)\b"
    r"[^\d\n]{0,24}(?P<number>\(?\d(?:[ ()./-]{0,2}\d){6,14})(?!\w)",
    re.IGNORECASE,
)
_FEWEST = 7


def found(text: str) -> list[Found]:
    """Where it stands in a text, and of which kind."""
    mails = [Found(EMAIL, match.start(), match.end()) for match in _EMAIL.finditer(text)]
    spans = [match.span() for match in _INTERNATIONAL.finditer(text)]
    spans += [match.span("number") for match in _TOLD.finditer(text)]
    phones = [Found(PHONE, *span) for span in spans if _digits(text, *span) >= _FEWEST]
    kept: list[Found] = []
    for each in sorted([*mails, *phones], key=lambda each: (each.start, -each.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def _digits(text: str, start: int, end: int) -> int:
    return sum(char.isdigit() for char in text[start:end])
