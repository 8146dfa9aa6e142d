"""A name that a caller gives with a statement, instead of having it found in the text."""

from __future__ import annotations

from graph_memory.base.errors import Invalid
from graph_memory.language import texts
from graph_memory.language.names import UNKNOWN, key
from graph_memory.model.memory import EntityName

_MAX_NAME = 200
_MAX_TYPE = 40


def given(name: str, type: str = UNKNOWN, discriminator: str = "", path: str = "entities") -> EntityName:
    """The entity of that name: its key is made here, its type is one word in capitals.

    Raises Invalid for an empty or too long name, and for a type that is no word; `path` names the value.
    """
    cleaned = " ".join(texts.clean(name, _MAX_NAME, f"{path}.name").split())
    word = type.strip().upper()
    if not 1 <= len(word) <= _MAX_TYPE or not word.replace("_", "").isalnum():
        raise Invalid(
            f"{path}.type must be one word of at most {_MAX_TYPE} letters, digits or _.", path=f"{path}.type"
        )
    told_apart = texts.clean(discriminator, _MAX_NAME, f"{path}.discriminator") if discriminator else ""
    return EntityName(cleaned, key(cleaned), word, told_apart)
