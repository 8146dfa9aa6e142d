"""Ids on the command line: of what a parameter is one, and how short it may be."""

from __future__ import annotations

import re
from enum import StrEnum

from graph_memory.base.ids import is_id

# As `surface --keep` takes them.
_START = re.compile(r"[0-9a-f]{8}[0-9a-f-]*")
OR_ITS_START = "or the first eight signs of it"


class IdOf(StrEnum):
    """What a parameter of a command is the id of; it stands beside the parameter's type."""

    MEMORY = "memory"
    REVIEW = "review"
    ENTITY = "entity"


def is_start(given: str) -> bool:
    """Whether this may be the beginning of an id; what may not is told by who takes the id."""
    return _START.fullmatch(given.lower()) is not None and not is_id(given)
