"""Clusters of one subject's live memories.

Nearest neighbours, then Leiden, both in the graph library of the server; `vector_clusters.py` has the other two ways.

The projection lives only as long as the call. One thread, a fixed seed and an order by what memories say: the same
memories give the same clusters.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from neo4j.exceptions import ClientError

from graph_memory.base.errors import Unsupported
from graph_memory.base.scope import Scope
from graph_memory.models.spaces import Following
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, translated
from graph_memory.store.settings import Neo4jSettings
from graph_memory.upkeep.settings import CommunitiesSettings

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

# Nearest neighbours of each memory that become edges.
NEIGHBOURS = 10
# Of more memories than these, neighbours are sought until hardly any changes, which takes half the time and misses .7 % of them.
_MANY, _HARDLY = 20_000, 0.001
# So that the same memories give the same clusters.
SEED = 7
PROJECT = query("consolidation/project")
PROJECT_SHARED = query("consolidation/project_shared")
MEMBERS = query("consolidation/members")

_NEAREST, _EITHER_WAY, _WEIGHT = "NEAREST", "NEAREST_EITHER_WAY", "score"
_SHARED, _SHARED_EITHER_WAY = "SHARED", "SHARED_EITHER_WAY"


@dataclass(frozen=True)
class Cluster:
    """Memories that belong together, two at least.

    `central_id` is the one most alike the others, `label` its caption. `coherence` is how alike they are, 0 to 1.
    """

    members: frozenset[str]
    label: str
    central_id: str
    coherence: float = 1.0

    def __post_init__(self) -> None:
        if len(self.members) < 2 or not 0 <= self.coherence <= 1:
            raise ValueError(f"{len(self.members)} memories of coherence {self.coherence} are no cluster")


@dataclass(frozen=True)
class Edges:
    """Which memories are joined before they are clustered: by likeness and, with a weight, by the entities they share.

    `similarity` is a raw cosine. With a `grain` the resolution `gamma` grows with the number of memories beyond it, so that
    clusters do not grow with it: what Leiden compares the edges of a cluster with is thinner the larger the graph is.
    """

    similarity: float
    gamma: float
    entity_weight: float = 0.0
    grain: int | None = None

    def resolution(self, memories: int) -> float:
        """Leiden's resolution for a graph of so many."""
        return self.gamma if self.grain is None else self.gamma * max(1.0, memories / self.grain)


@dataclass(frozen=True)
class Node:
    """A memory in a projection: its cluster, the sum of its edges' weights, and how many they are."""

    cluster: int
    weight: float
    edges: float


@contextmanager
def library(service: Service) -> Iterator[GraphDataScience]:
    """The graph library over the service's own driver; Unsupported when the server does not have it."""
    from graphdatascience import GraphDataScience
    from graphdatascience.error.gds_not_installed import GdsNotFound

    with translated(service.settings):
        try:
            gds = GraphDataScience(
                service.driver,
                database=service.settings[Neo4jSettings].database,
                arrow=False,
                show_progress=False,
            )
        except GdsNotFound as error:
            raise Unsupported(
                "The server lacks the Graph Data Science library: no communities, all else works. Put the "
                "library's jar into the server's `plugins` folder and restart it, or use the local stack."
            ) from error
        yield gds


def vectors(service: Service) -> Row:
    """Which vectors count: those of the store's model alone, as two may be there while it is being changed.

    A service without an embedder takes what there is.
    """
    embedder = service.embedder
    space = embedder.space if isinstance(embedder, Following) else None
    model = space.current.model if space else embedder.model if embedder else None
    return {"model": model, "uses_next": space is not None and space.uses_next}


def raw_to_library(cosine: float) -> float:
    """A raw cosine as the library counts it: from 0 to 1."""
    return (1 + cosine) / 2


def find(service: Service, gds: GraphDataScience, scope: Scope, subject: str, name: str) -> list[Cluster]:
    """The communities of one subject (a token), largest first.

    `name` is the projection's, unlike any other's.
    """
    rules = service.settings[CommunitiesSettings]
    return leiden(service, gds, scope, subject, name, edges_of(rules), rules.min_size)


def neighbours(memories: int) -> dict[str, Any]:
    """How the nearest neighbours of so many memories are sought: the same ones each time."""
    return {
        "node_properties": "embedding",
        "top_k": min(NEIGHBOURS, max(memories - 1, 1)),
        "sample_rate": 1.0,
        "delta_threshold": _HARDLY if memories > _MANY else 0.0,
        "random_seed": SEED,
        "concurrency": 1,
    }


def edges_of(rules: CommunitiesSettings) -> Edges:
    """How communities are joined, as the settings say."""
    return Edges(rules.similarity, rules.gamma, grain=rules.grain)


def leiden(
    service: Service,
    gds: GraphDataScience,
    scope: Scope,
    subject: str,
    name: str,
    edges: Edges,
    min_size: int,
) -> list[Cluster]:
    """The clusters of one subject, largest first, by Leiden over these edges; `name` is the projection's.

    Raises Unsupported where the library cannot: it lacks the memory for the graph, or was told to stop.
    """
    statement = PROJECT_SHARED if edges.entity_weight else PROJECT
    values = {"entity_weight": edges.entity_weight} if edges.entity_weight else {}
    try:
        projected = gds.graph.project.cypher(
            statement.text, tenant=scope.tenant, subject=subject, graph=name, **values, **vectors(service)
        )
        nodes = _cluster(gds, projected.graph, edges)
    except ClientError as fault:
        raise Unsupported(
            f"The graph library could not cluster a subject ({fault.code}); the log of Neo4j tells more."
        ) from fault
    finally:
        gds.graph.drop(name, fail_if_missing=False)
    sizes = Counter(node.cluster for node in nodes.values())
    kept = {id: node for id, node in nodes.items() if sizes[node.cluster] >= min_size}
    rows = service.read(scope, MEMBERS, nodes=list(kept), subject=subject) if kept else []
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        node = kept[row["node"]]
        groups[node.cluster].append({**row, "weight": node.weight, "edges": node.edges})
    clusters = [_describe(group) for group in groups.values() if len(group) >= min_size]
    return sorted(clusters, key=lambda cluster: (-len(cluster.members), cluster.central_id))


def _cluster(gds: GraphDataScience, graph: Any, edges: Edges) -> dict[int, Node]:
    """What became of each node."""
    size = graph.node_count()
    gds.knn.mutate(
        graph,
        mutate_relationship_type=_NEAREST,
        mutate_property=_WEIGHT,
        similarity_cutoff=raw_to_library(edges.similarity),
        **neighbours(size),
    )
    # Leiden breaks on a graph without edges: memories that have nothing in common are no cluster.
    if graph.relationship_count() == 0:
        return {}
    gds.graph.relationships.to_undirected(graph, _NEAREST, _EITHER_WAY, aggregation="MAX", concurrency=1)
    joined = [_EITHER_WAY]
    if _SHARED in graph.relationship_types():
        gds.graph.relationships.to_undirected(
            graph, _SHARED, _SHARED_EITHER_WAY, aggregation="MAX", concurrency=1
        )
        joined.append(_SHARED_EITHER_WAY)
    clusters = gds.leiden.stream(
        graph,
        relationship_types=joined,
        relationship_weight_property=_WEIGHT,
        gamma=edges.resolution(size),
        random_seed=SEED,
        concurrency=1,
    )
    weights = _degrees(gds, graph, _WEIGHT)
    counts = _degrees(gds, graph, None)
    found = zip(clusters["nodeId"].tolist(), clusters["communityId"].tolist(), strict=True)
    return {int(node): Node(int(cluster), weights[node], counts[node]) for node, cluster in found}


def _degrees(gds: GraphDataScience, graph: Any, weight: str | None) -> dict[int, float]:
    """For each node the number of its edges of likeness, or the sum of their weights."""
    rows = gds.degree.stream(
        graph, relationship_types=[_EITHER_WAY], relationship_weight_property=weight, concurrency=1
    )
    return dict(zip(rows["nodeId"].tolist(), rows["score"].tolist(), strict=True))


def _describe(group: list[Row]) -> Cluster:
    # Sums of weights differ in their last digits with the order in which they are summed.
    central = min(group, key=lambda row: (-round(row["weight"], 6), row["content_hash"] or "", row["id"]))
    edges = sum(row["edges"] for row in group)
    alike = 2 * sum(row["weight"] for row in group) / edges - 1 if edges else 0.0
    members = frozenset(row["id"] for row in group)
    return Cluster(members, central["caption"] or "", central["id"], min(1.0, max(0.0, alike)))
