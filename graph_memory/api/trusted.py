"""Documents that are named by their SHA-256 instead of being sent, and those that alone are carried out.

Trusted documents are the operations that this project ships and those that the operator adds; a setting has others logged or
refused. Any other document may be named too once it was sent with its hash ("automatic persisted queries"): it is kept in
this process while there is room, and a client that learns that it is not sends it again.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphql import GraphQLError

from graph_memory.api.faults import (
    INVALID_DOCUMENT,
    PERSISTED_QUERY_NOT_FOUND,
    PERSISTED_QUERY_NOT_SUPPORTED,
    UNTRUSTED_DOCUMENT,
)
from graph_memory.base.errors import Misconfigured
from graph_memory.base.files import folder
from graph_memory.base.settings import ApiSettings

log = logging.getLogger(__name__)

_ID = re.compile(r"(?:sha256:)?([0-9a-f]{64})")
_VERSION = 1
_LONGEST_NAME = 100
_SETTING = "GRAPH_MEMORY_API_TRUSTED_DOCUMENTS"


class KnownDocuments:
    """The documents that may be named. Used inside one event loop."""

    def __init__(self, limits: ApiSettings) -> None:
        self._mode = limits.trusted
        self._trusted = {} if limits.trusted == "off" else _trusted(limits.trusted_documents)
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._most, self._bytes = limits.persisted_cache, 0

    def text_of(self, query: Any, extensions: Any) -> Any:
        """The document of a request: what it sent, or what it names. Raises GraphQLError where that is not known."""
        named = extensions.get("persistedQuery") if isinstance(extensions, dict) else None
        if named is None or not isinstance(query, str | None):
            return query
        id = _id_of(named)
        if id in self._trusted:
            return self._trusted[id]
        if query is None:
            return self._kept_under(id)
        if _id(query) != id:
            raise _refusal("The sha256Hash is not that of the query.", INVALID_DOCUMENT)
        if self._mode != "enforce":
            self._keep(id, query)
        return query

    def check(self, query: str, name: str | None) -> None:
        """Refuses or logs a document that is not trusted, as the setting says."""
        if self._mode == "off" or _id(query) in self._trusted:
            return
        if self._mode == "enforce":
            told = "Only trusted documents are carried out here, and this is none of them; ask the operator to add it."
            raise _refusal(told, UNTRUSTED_DOCUMENT)
        log.warning(
            "untrusted document", extra={"document": _id(query), "operation": name and name[:_LONGEST_NAME]}
        )

    def _kept_under(self, id: str) -> str:
        if id in self._kept:
            self._kept.move_to_end(id)
            return self._kept[id]
        if not self._most and self._mode == "off":
            # By these words and codes clients know what to do next.
            raise _refusal("PersistedQueryNotSupported", PERSISTED_QUERY_NOT_SUPPORTED)
        raise _refusal("PersistedQueryNotFound", PERSISTED_QUERY_NOT_FOUND)

    def _keep(self, id: str, query: str) -> None:
        if id in self._kept:
            return
        self._kept[id] = query
        self._bytes += _weight(query)
        while self._bytes > self._most:
            self._bytes -= _weight(self._kept.popitem(last=False)[1])


def _id_of(named: object) -> str:
    version = named.get("version") if isinstance(named, dict) else None
    hash = named.get("sha256Hash") if isinstance(named, dict) else None
    found = _ID.fullmatch(hash) if isinstance(hash, str) else None
    if version != _VERSION or found is None:
        told = 'A document is named by {"persistedQuery": {"version": 1, "sha256Hash": "..."}}, the hash in 64 small hex digits.'
        raise _refusal(told, INVALID_DOCUMENT)
    return found[1]


def _trusted(added: Path | None) -> dict[str, str]:
    """Every trusted document by its id. A file may be named with or without the line's end that editors leave."""
    shipped = folder("graphql").joinpath("operations").iterdir()
    texts = [each.read_text("utf-8") for each in shipped if each.name.endswith(".graphql")]
    texts += _added(added) if added is not None else ()
    return {_id(spelled): spelled for text in texts for spelled in (text, text.strip())}


def _added(path: Path) -> Iterator[str]:
    """The documents of a folder of .graphql files, or of a JSON file that maps ids to them."""
    try:
        if path.is_dir():
            yield from (each.read_text("utf-8") for each in sorted(path.rglob("*.graphql")))
            return
        held = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise Misconfigured([f"{_SETTING}: {path} cannot be read ({error.strerror})"]) from error
    except ValueError:
        raise Misconfigured(
            [f"{_SETTING}: {path} is neither a folder of .graphql files nor a JSON file"]
        ) from None
    if not isinstance(held, dict) or not all(isinstance(text, str) for text in held.values()):
        raise Misconfigured([f"{_SETTING}: {path} must hold one JSON object, of ids and documents"])
    yield from held.values()


def _weight(text: str) -> int:
    return sys.getsizeof(text)


def _id(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _refusal(told: str, code: str) -> GraphQLError:
    return GraphQLError(told, extensions={"code": code})
