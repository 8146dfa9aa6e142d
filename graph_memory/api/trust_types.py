"""How far memories are trusted, as the schema spells it."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import strawberry

from graph_memory.model import memory


@strawberry.enum(description="How far a memory is trusted, in falling order.")
class Trust(Enum):
    PERSON = strawberry.enum_value("PERSON", description="A person said it, or has confirmed it.")
    AGENT = strawberry.enum_value("AGENT", description="An agent said it.")
    IMPORT = strawberry.enum_value("IMPORT", description="It was imported.")
    UNVERIFIED = strawberry.enum_value(
        "UNVERIFIED", description="A tool or the web said it, and nobody has confirmed it."
    )


MinTrust = Annotated[
    Trust | None, strawberry.argument(description="What is trusted less is left out. Missing: nothing is.")
]


def least(given: Trust | None) -> memory.Trust | None:
    """The same in the domain."""
    return None if given is None else memory.Trust[given.name]
