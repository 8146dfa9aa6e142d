"""Answers as other libraries take them: a table of pandas, a graph of networkx. Each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graph_memory.base.errors import MissingExtra

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pandas import DataFrame


def frame(items: Iterable[Any]) -> DataFrame:
    """One row for each. What lies inside another has both names: `source.kind`; a memory's own fields have theirs alone."""
    return _library("pandas").DataFrame([dict(_cells(each)) for each in items])


def graph(
    nodes: Mapping[str, Mapping[str, Any]], edges: Iterable[tuple[str, str, str, Mapping[str, Any]]]
) -> MultiDiGraph:
    """A graph of nodes by their ids; an edge is told as from, to, its own id and what is known of it."""
    made = _library("networkx").MultiDiGraph()
    made.add_nodes_from(nodes.items())
    made.add_edges_from((start, end, id, dict(told)) for start, end, id, told in edges)
    return made


def told_of(item: Any, *but: str) -> dict[str, Any]:
    """The fields of a dataclass as they are, without some."""
    return {each.name: getattr(item, each.name) for each in fields(item) if each.name not in but}


def _cells(item: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in told_of(item).items():
        if is_dataclass(value):
            yield from _cells(value, at if name == "memory" else f"{at}{name}.")
        else:
            yield f"{at}{name}", value


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtra(f"This form, which {name} makes,", name) from None
