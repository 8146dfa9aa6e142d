"""Finds `cypher/` and `graphql/`, in a checkout or in a wheel."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def folder(name: str) -> Traversable:
    """A wheel carries the folder inside the package; a checkout keeps it at the root."""
    checkout = Path(__file__).parents[2] / name
    return checkout if checkout.is_dir() else files("graph_memory") / "_files" / name
