"""What lies around memories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph_memory.client import other_forms
from graph_memory.client.answers.listed import Listed
from graph_memory.client.answers.of_memories import Memory
from graph_memory.client.answers.words import LinkKind

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pandas import DataFrame


@dataclass(frozen=True)
class Step:
    """A link along which a neighbour was found."""

    uuid: str
    kind: LinkKind
    strength: float
    reason: str


@dataclass(frozen=True)
class Neighbour:
    """A memory that links lead to, and how many hops away it is."""

    depth: int
    memory: Memory
    links: tuple[Step, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Neighbours(Listed):
    """What lies around a memory, nearest first: `for each in neighbours`."""

    items: tuple[Neighbour, ...]
    truncated: bool

    def __iter__(self) -> Iterator[Neighbour]:
        return iter(self.items)

    def to_pandas(self) -> DataFrame:
        """A row for each neighbour, with the fields of its memory. Needs the extra `pandas`."""
        return other_forms.frame(self.items)


@dataclass(frozen=True)
class GraphNode:
    """A memory in a subgraph, by its first line."""

    id: str
    uuid: str
    caption: str
    kind: str
    importance: float

    def __str__(self) -> str:
        return self.caption


@dataclass(frozen=True)
class End:
    """A memory at the end of an edge."""

    uuid: str


@dataclass(frozen=True)
class Edge:
    """A link between two memories of a subgraph, read from `from_` to `to`."""

    uuid: str
    kind: LinkKind
    strength: float
    from_: End | None
    to: End | None


@dataclass(frozen=True)
class Subgraph:
    """Memories, what lies around them, and all links between these; `truncated` where there was more."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[Edge, ...]
    truncated: bool

    def to_networkx(self) -> MultiDiGraph:
        """Memories by their uuid and the links between them. Needs the extra `networkx`."""
        nodes = {each.uuid: other_forms.told_of(each, "uuid") for each in self.nodes}
        edges = (
            (each.from_.uuid, each.to.uuid, each.uuid, other_forms.told_of(each, "uuid", "from_", "to"))
            for each in self.edges
            if each.from_ is not None and each.to is not None
        )
        return other_forms.graph(nodes, edges)
