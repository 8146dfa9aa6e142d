"""Global ids: `Type:uuid` in base64, so that one argument can name anything and clients can cache by it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from graph_memory.base.errors import BadId
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import is_id, is_token

_LONGEST = 200
# The one type whose things have a token: their name tells them apart, and nobody made an id.
SUBJECT = "Subject"


def to_global(type_name: str, uuid: str) -> str:
    """The global id of a thing."""
    return base64.b64encode(f"{type_name}:{uuid}".encode()).decode()


def from_global(value: str, path: str = "id") -> tuple[str, str]:
    """`(type, uuid)` of a global id; BadId when it cannot be read."""
    if len(value) > _LONGEST:
        raise BadId("This is too long to be an id.", path=path)
    try:
        type_name, _, uuid = (
            base64.b64decode(value.encode("ascii"), validate=True).decode("ascii").partition(":")
        )
    except (binascii.Error, ValueError):
        raise BadId(f"{value[:60]!r} is not an id of ours.", path=path) from None
    if not type_name.isalpha() or not (is_token if type_name == SUBJECT else is_id)(uuid):
        raise BadId(f"{value[:60]!r} is not an id of ours.", path=path)
    return type_name, uuid


def uuid_of(type_name: str, value: str, path: str = "id") -> str:
    """The uuid in a global id of this type, or a uuid as it is; BadId, which blames `path`, for anything else."""
    if is_id(value):
        return value
    found, uuid = from_global(value, path)
    if found != type_name:
        raise BadId(f"This is the id of {_a(found)}; the id of {_a(type_name)} is needed.", path=path)
    return uuid


def uuids_of(type_name: str, values: Sequence[str], path: str) -> list[str]:
    """The uuid in each of several ids; all that cannot be read are told at once, by their place."""
    faults = Gathered()
    found = [faults.of(uuid_of, type_name, each, f"{path}[{place}]") for place, each in enumerate(values)]
    faults.refuse()
    return found


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"
