"""A memory service for agents on Neo4j: `connect`, `Client` and `AsyncClient` ask a running service; `open_service`,
`remember`, `search`, `Fact` and `Scope` are the service itself; and the errors.

Names are imported when they are first used, so that `import graph_memory` costs nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph_memory.base.moments import Moment
    from graph_memory.base.scope import Scope
    from graph_memory.bootstrap import open_service
    from graph_memory.client.clients import AsyncClient, Client
    from graph_memory.ingest.pipeline import remember, remember_many
    from graph_memory.ledger.changes import Call
    from graph_memory.local.connection import connect
    from graph_memory.memory.addition import add
    from graph_memory.memory.supersession import supersede
    from graph_memory.model.memory import Fact
    from graph_memory.recall.search import search
    from graph_memory.settings import load

__version__ = "0.1.0"
__all__ = [
    "AsyncClient",
    "Call",
    "Client",
    "Fact",
    "Moment",
    "Scope",
    "add",
    "connect",
    "load",
    "open_service",
    "remember",
    "remember_many",
    "search",
    "supersede",
]

_PLACES = {
    "AsyncClient": "client.clients",
    "Call": "ledger.changes",
    "Client": "client.clients",
    "Fact": "model.memory",
    "Moment": "base.moments",
    "Scope": "base.scope",
    "add": "memory.addition",
    "connect": "local.connection",
    "load": "settings",
    "open_service": "bootstrap",
    "remember": "ingest.pipeline",
    "remember_many": "ingest.pipeline",
    "search": "recall.search",
    "supersede": "memory.supersession",
}


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    if name[:1].isupper() and name in (found := _errors()):
        return found[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES, *_errors()})


def _errors() -> dict[str, type[Exception]]:
    held = vars(import_module(f"{__name__}.base.errors"))
    return {
        name: each for name, each in held.items() if isinstance(each, type) and issubclass(each, Exception)
    }


class _Extras(ModuleType):
    """What Neo4j's driver looks for at its import: without pandas and Arrow, whose types we neither send nor ask for."""

    pd = pa = None

    def __getattr__(self, name: str) -> Any:
        if name == "np":
            return import_module("numpy")
        raise AttributeError(name)


# Else the driver imports pandas wherever there is one, and GDS brings one: two seconds and 120 MB for every command.
sys.modules.setdefault("neo4j._optional_deps", _Extras("neo4j._optional_deps"))
