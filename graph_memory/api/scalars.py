"""Scalars whose spelling we promise."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NewType

import strawberry
from graphql import GraphQLError
from strawberry.types.scalar import ScalarDefinition

from graph_memory.base.errors import Invalid

Uuid = NewType("Uuid", str)

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")
# So much of what was sent is repeated.
_SHOWN = 60
_FRACTION = re.compile(r"\.(\d+)")


def read_time(value: object) -> datetime:
    """A time from its RFC 3339 spelling, in UTC, to the millisecond. It must carry its offset."""
    if not isinstance(value, str) or not _RFC3339.fullmatch(value):
        shown = repr(value[:_SHOWN] if isinstance(value, str) else value)[: _SHOWN + 2]
        told = f"{shown} is no time. A DateTime is written as RFC 3339 with an offset, as in 2026-03-15T09:00:00Z."
        raise GraphQLError(told, extensions={"code": Invalid.code})
    cut = _FRACTION.sub(lambda match: "." + match[1][:3].ljust(3, "0"), value.upper())
    try:
        return datetime.fromisoformat(cut).astimezone(UTC)
    except (ValueError, OverflowError):
        raise GraphQLError("There is no such DateTime.", extensions={"code": Invalid.code}) from None


def write_time(value: datetime) -> str:
    """A time in UTC with milliseconds and Z."""
    moment = value.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}".rjust(19, "0") + f".{moment.microsecond // 1000:03}Z"


DATE_TIME: ScalarDefinition = strawberry.scalar(
    name="DateTime",
    description="A point in time by RFC 3339, always with its offset: 2026-03-15T09:00:00Z. Answers: UTC.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
    serialize=write_time,
    parse_value=read_time,
)

UUID: ScalarDefinition = strawberry.scalar(
    name="UUID",
    description="The id of a thing as the store knows it, for people who live in Cypher.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc9562",
    serialize=str,
    parse_value=str,
)

JSON_VALUE: ScalarDefinition = strawberry.scalar(
    name="JSON",
    description="Any JSON value.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc8259",
    serialize=lambda value: value,
    parse_value=lambda value: value,
)
