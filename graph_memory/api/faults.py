"""Errors as clients see them: what a user can mend is data in a mutation's payload, the rest is at the top.

An error that we did not foresee is told with an id alone; the log has the rest under that id.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterable
from enum import Enum
from functools import cache
from typing import Any
from uuid import uuid4

import strawberry
from graphql import EnumTypeDefinitionNode, GraphQLError, parse

from graph_memory.base import errors
from graph_memory.base.field_names import in_graphql
from graph_memory.base.files import folder

log = logging.getLogger(__name__)

# Codes that only this layer gives, beside those of errors.py.
SYNTAX = "SYNTAX"
INVALID_DOCUMENT = "INVALID_DOCUMENT"
TOO_COMPLEX = "TOO_COMPLEX"
TOO_COSTLY = "TOO_COSTLY"
UNTRUSTED_DOCUMENT = "UNTRUSTED_DOCUMENT"
PERSISTED_QUERY_NOT_FOUND = "PERSISTED_QUERY_NOT_FOUND"
PERSISTED_QUERY_NOT_SUPPORTED = "PERSISTED_QUERY_NOT_SUPPORTED"
INTERNAL = "INTERNAL"

# These the developer mends, not the user: they are never data.
AT_THE_TOP = (errors.Unauthenticated, errors.Forbidden)

_LONGEST_MESSAGE = 500

_VARIABLE = re.compile(r"Variable '\$(?P<name>\w+)' has invalid (?:default )?value(?: at (?P<place>\S+))?: ")
_SCALAR = re.compile(r"(\w+) cannot represent")
_ENUM = re.compile(r"Value '.*' does not exist in '(\w+)' enum\.", re.DOTALL)
_ACCEPTED = {
    "Boolean": "true or false",
    "Float": "a number, as in 0.5",
    "ID": "an id as it was answered, in quotes",
    "Int": "a whole number, as in 10",
    "String": "text, in quotes",
}


@strawberry.enum(
    description="What kind of fault a user can mend. Branch on this; messages are for people and may change."
)
class ErrorCode(Enum):
    INVALID = strawberry.enum_value("INVALID", description="A value breaks a rule.")
    INVALID_FILE = strawberry.enum_value(
        "INVALID_FILE", description="A file has broken lines; nothing of it was stored."
    )
    BAD_ID = strawberry.enum_value("BAD_ID", description="An id that cannot be read, or one of another type.")
    NOT_FOUND = strawberry.enum_value("NOT_FOUND", description="Missing, or someone else's: the same answer.")
    CONFLICT = strawberry.enum_value("CONFLICT", description="The present state does not allow it.")
    IDEMPOTENCY_MISMATCH = strawberry.enum_value(
        "IDEMPOTENCY_MISMATCH", description="The idempotency key was used before with another body."
    )
    LIVE_TWIN = strawberry.enum_value("LIVE_TWIN", description="The same statement is live already.")
    ILLEGAL_MOVE = strawberry.enum_value(
        "ILLEGAL_MOVE", description="A memory of this status cannot do that."
    )
    LESS_TRUSTED = strawberry.enum_value(
        "LESS_TRUSTED", description="Nobody has confirmed what would take the place of what is trusted more."
    )
    HAS_DEPENDANTS = strawberry.enum_value(
        "HAS_DEPENDANTS", description="Later changes stand on it; undo them first, or all with cascade."
    )
    EXPIRED = strawberry.enum_value(
        "EXPIRED", description="It has expired and would be archived again; give it a new end."
    )
    OUTDATED = strawberry.enum_value("OUTDATED", description="What was to be decided has changed since.")
    PAST_RETENTION = strawberry.enum_value(
        "PAST_RETENTION", description="What the change did is no longer kept."
    )
    ERASED = strawberry.enum_value("ERASED", description="What it is about has been erased.")


@strawberry.type(description="Something that the user can mend.")
class UserError:
    code: ErrorCode = strawberry.field(description="What kind of fault it is, for programs.")
    message: str = strawberry.field(description="What is wrong and what to do, for people.")
    path: str | None = strawberry.field(
        description="Which input value it is about, as in input.memories[3].text."
    )


def user_error(error: errors.UserError) -> UserError:
    """The payload's form of an error."""
    return UserError(code=ErrorCode(error.code), message=in_graphql(error.message), path=error.path)


def all_formatted(found: Iterable[GraphQLError]) -> list[dict[str, Any]]:
    """The answer's `errors`: one entry for each fault, also where one error tells of several."""
    return [formatted(part) for error in found for part in _parts(error)]


def _parts(error: GraphQLError) -> list[GraphQLError]:
    cause = error.original_error
    if not isinstance(cause, errors.UserError) or len(cause.each) == 1:
        return [error]
    return [
        GraphQLError(each.message, error.nodes, path=error.path, original_error=each) for each in cause.each
    ]


def formatted(error: GraphQLError) -> dict[str, Any]:
    """One entry of the answer's `errors`, always with a code, never with a trace."""
    cause = error.original_error
    code, message = _told(error, cause)
    told: dict[str, Any] = {"message": message[:_LONGEST_MESSAGE], "extensions": {"code": code}}
    if code == INTERNAL and cause is not None:
        told["extensions"]["errorId"] = _logged(cause)
    if isinstance(cause, errors.GraphMemoryError) and cause.path:
        told["extensions"]["argument"] = in_graphql(cause.path)
    if variable := _VARIABLE.match(error.message):
        told["extensions"]["argument"] = variable["name"] + (variable["place"] or "")
    if cause is None:
        told["extensions"].update(error.extensions or {})
    elif fault := (error.extensions or {}).get("fault"):
        told["extensions"]["fault"] = {name: part[:_LONGEST_MESSAGE] for name, part in fault.items()}
    if error.locations:
        told["locations"] = [location.formatted for location in error.locations]
    return {**told, "path": error.path} if error.path else told


def _told(error: GraphQLError, cause: Exception | None) -> tuple[str, str]:
    variable = _VARIABLE.match(error.message)
    while isinstance(cause, GraphQLError):
        error, cause = cause, cause.original_error
    if isinstance(cause, errors.GraphMemoryError):
        return cause.code, in_graphql(cause.message)
    if isinstance(cause, RecursionError) or "Parsing aborted" in error.message:
        return TOO_COMPLEX, "The query is too long or nested too deeply."
    if cause is not None:
        return INTERNAL, "Something went wrong here; the log tells more under this errorId."
    given = (error.extensions or {}).get("code")
    code = given or (SYNTAX if error.message.startswith("Syntax Error") else INVALID_DOCUMENT)
    return code, (variable[0] if variable else "") + _with_what_is_taken(error.message)


def _with_what_is_taken(message: str) -> str:
    """What a fault says of a value, and what is taken instead where it does not say so itself."""
    named = _ENUM.match(message) or _SCALAR.match(message)
    taken = taken_by(named[1]) if named else None
    return message if named is None or taken is None else f"{message}; {_a(named[1])} is {taken}"


def taken_by(type_name: str) -> str | None:
    """What an enum or a scalar of GraphQL's own takes; None for other types, which say it themselves."""
    values = _values_of(type_name)
    return f"one of {', '.join(values)}" if values else _ACCEPTED.get(type_name)


@cache
def _values_of(enum: str) -> tuple[str, ...]:
    """The values of an enum, without deprecated ones."""
    schema = parse(folder("graphql").joinpath("schema.graphql").read_text("utf-8"))
    return tuple(
        value.name.value
        for each in schema.definitions
        if isinstance(each, EnumTypeDefinitionNode) and each.name.value == enum
        for value in each.values or ()
        if not value.directives
    )


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'AEIO' else 'a'} {name}"


def _logged(cause: Exception) -> str:
    """Logs where it happened, without the message: that could quote what a user wrote."""
    error_id = str(uuid4())
    frames = [
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(cause.__traceback__)
    ]
    log.error(
        "unforeseen error", extra={"error_id": error_id, "type": type(cause).__name__, "frames": frames[-12:]}
    )
    return error_id
