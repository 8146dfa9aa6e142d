"""Tables for people: ids are never cut, texts are folded."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
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


def day(value: datetime | None) -> str:
    """A time, short; a dash while it is open."""
    return "-" if value is None else f"{value:%Y-%m-%d %H:%M}"


def plain(text: str) -> str:
    """The text, without what would be markup."""
    return text.replace("[", "\\[")
