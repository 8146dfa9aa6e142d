"""Tables for people: ids are never cut, texts are folded."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

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
    """The text, so that nothing in it is markup."""
    return escape(text)


def styled(markup: str) -> Text:
    """What is drawn with markup; texts that people wrote are `plain` in it."""
    return Text.from_markup(markup)
