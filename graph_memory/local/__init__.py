"""The local stack: Neo4j, a broker, worker, beat and API, started and watched; no Docker, no root."""

from graph_memory.local.control import start, stop
from graph_memory.store.addresses import Addresses, addresses

__all__ = ["Addresses", "addresses", "start", "stop"]
