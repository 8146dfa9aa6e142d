"""Tables for people: ids are never cut, texts are folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

WHOLE = frozenset({"memory", "id"})


def table(*heads: str) -> Table:
    """An empty table with these columns."""
    made = Table(box=None, pad_edge=False)
    for head in heads:
        made.add_column(head, no_wrap=head in WHOLE, overflow="fold")
    return made


def named(entity: Mapping[str, Any]) -> str:
    """An entity's name, with what tells it from a namesake."""
    return f"{entity['name']} ({entity['discriminator']})" if entity["discriminator"] else str(entity["name"])
