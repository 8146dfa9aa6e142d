"""The local stack: Neo4j, a broker, worker, beat and API, started and watched; no Docker, no root."""

from graph_memory.local.control import start, stop

__all__ = ["start", "stop"]
