"""The GraphQL service: thin over the capabilities, async, and the only part that knows about the web."""

# Before all other modules: an enum that a field meets first would stand in the schema under its name in Python.
from graph_memory.api import enums

__all__ = ["enums"]
