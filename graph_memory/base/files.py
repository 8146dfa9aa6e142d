"""Finds `cypher/` and `graphql/`, in a checkout or in a wheel."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def folder(name: str) -> Traversable:
    """A wheel carries the folder inside the package; a checkout keeps it at the root.

    Beside an installed package lie others, one of which is called graphql.
    """
    carried = files("graph_memory") / "_files" / name
    return carried if carried.is_dir() else Path(__file__).parents[2] / name
