"""Finding the names in a text: by rules alone, or with a trained model beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from graph_memory.language.names import Mention, mentions
from graph_memory.language.spacy_names import united


def recognise(
    recogniser: str,
    text: str,
    known: Collection[str] = (),
    names: Collection[str] = (),
    beside: Iterable[str] = (),
) -> list[Mention]:
    """The names in a text by their capital letters (`rule`), or with the help of a trained model (`spacy`).

    Raises MissingExtra when spaCy is wanted and not installed.
    """
    found = mentions(text, known, names, beside)
    if recogniser == "rule":
        return found
    return united(found, text)
