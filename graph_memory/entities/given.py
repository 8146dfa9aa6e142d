"""A name that a caller gives with a statement, instead of having it found in the text."""

from __future__ import annotations

from typing import Annotated

from graph_memory.base.errors import Invalid
from graph_memory.base.incoming import Incoming, rule
from graph_memory.language import texts
from graph_memory.language.name_types import UNKNOWN
from graph_memory.language.names import key
from graph_memory.model.memory import EntityName

_MAX_NAME = 200
_MAX_TYPE = 40


def _name(given: str, what: str) -> str:
    return " ".join(texts.clean(given, _MAX_NAME, what).split())


def _type(given: str, what: str) -> str:
    word = given.strip().upper()
    if not 1 <= len(word) <= _MAX_TYPE or not word.replace("_", "").isalnum():
        raise Invalid(f"{what} must be one word of at most {_MAX_TYPE} letters, digits or _.", path=what)
    return word


def _discriminator(given: str, what: str) -> str:
    return texts.clean(given, _MAX_NAME, what) if given else ""


class GivenEntity(Incoming):
    """The entity of that name; its type is one word in capitals."""

    name: Annotated[str, rule(_name)]
    type: Annotated[str, rule(_type)] = UNKNOWN
    discriminator: Annotated[str, rule(_discriminator)] = ""

    def named(self) -> EntityName:
        """The entity with the key that makes two spellings of its name one."""
        return EntityName(self.name, key(self.name), self.type, self.discriminator)
