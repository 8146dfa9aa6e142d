"""The options and arguments that several commands share, and what their values mean."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from graph_memory.base.errors import Invalid
from graph_memory.cli.ids import OR_ITS_START, IdOf
from graph_memory.model.memory import Trust

Tenant = Annotated[str, typer.Option("--tenant", "-t", help="The account whose memories these are.")]
Subject = Annotated[
    str | None,
    typer.Option(
        "--subject",
        "-s",
        help="Whose memories, inside the tenant; when left out all, and for what is written those of `default`.",
    ),
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="When it was true: 2026-03-15 or 2026-03-15T09:00:00Z.")
]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="When it was believed.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, nothing else.")]
MinTrust = Annotated[
    Trust | None,
    typer.Option(help="Leave out what is trusted less; UNVERIFIED is what tools and the web say."),
]
Id = Annotated[str, typer.Argument(help=f"A memory's id, {OR_ITS_START}."), IdOf.MEMORY]
Key = Annotated[str | None, typer.Option("--key", help="Idempotency key: the same key acts once.")]
Reason = Annotated[str, typer.Option("--reason", help="Why; it stands in the ledger.")]
First = Annotated[int, typer.Option("--first", "-n", help="How many.")]
After = Annotated[str | None, typer.Option(help="The cursor that the page before ended with.")]
Here = Annotated[bool, typer.Option("--here", help="In this process instead of a worker's.")]
ExtractHere = Annotated[bool, typer.Option("--here", help="Extract in this process instead of a worker's.")]


def moment_of(option: str, value: str | None) -> datetime | None:
    """A date (midnight here) or a time; a time without an offset is meant in this machine's zone."""
    if value is None:
        return None
    try:
        return datetime.fromisoformat(value).astimezone()
    except (ValueError, OverflowError):
        raise Invalid(
            f"{option}: {value} is neither a date nor a time, as in 2026-03-15 or 2026-03-15T09:00:00Z."
        ) from None
