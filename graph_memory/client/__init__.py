"""Asking a running service from Python: `Client` and `AsyncClient`, over HTTP with an API key.

It stands by itself: it needs an HTTP library and the errors, and imports nothing of the database.
"""

from graph_memory.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
