"""Ids and tokens. Ids are made by our own code; callers' names are turned into tokens that an index can hold."""

from __future__ import annotations

import hashlib
import re
import uuid

from graph_memory.base.errors import BadId

_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
_LENGTH = 24
# What an id looks like, for those who gave something else.
_EXAMPLE = "3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11"
_TOKEN = re.compile(r"t[0-9a-z]{22}[0-9]")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def new_id() -> str:
    """A random UUID in its usual spelling."""
    return str(uuid.uuid4())


def derived_id(*parts: str) -> str:
    """The same UUID for the same parts, so that doing something again finds what was done before."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, "\x1f".join(parts)))


def is_id(value: str) -> bool:
    """Whether this is an id as we spell them."""
    return _ID.fullmatch(value) is not None


def is_token(value: str) -> bool:
    """Whether this is a token as we spell them."""
    return _TOKEN.fullmatch(value) is not None


def check_id(id: str, what: str = "memory", path: str = "id") -> str:
    """The id, or BadId, which blames `path`, when it is not spelled as ours are. `what` it is the id of."""
    if not is_id(id):
        raise BadId(f"{id[:60]!r} is not the id of a {what}; ids look like {_EXAMPLE}.", path=path)
    return id


def check_entity_id(id: str) -> str:
    """The id, or BadId when it is not spelled as ours are."""
    if not is_id(id):
        raise BadId(f"{id[:60]!r} is not the id of an entity; ids look like {_EXAMPLE}.", path="id")
    return id


def token(*parts: str) -> str:
    """A name as the store knows it: 24 characters of [a-z0-9], a letter first and a digit last.

    So no text analyser can split or stem it, and no two names share one.
    """
    number = int.from_bytes(hashlib.sha256("\x1f".join(parts).encode()).digest(), "big")
    digits = []
    for _ in range(_LENGTH - 2):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "t" + "".join(digits) + str(number % 10)
