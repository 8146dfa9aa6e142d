"""Clusters of one subject's live memories.

Nearest neighbours, then Leiden, both in the graph library of the server.

The projection lives only as long as the call. One thread and a fixed seed: the same memories give the same
clusters.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graph_memory.base.errors import Unsupported
from graph_memory.base.scope import Scope
from graph_memory.models.spaces import Following
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, translated
from graph_memory.store.settings import Neo4jSettings
from graph_memory.upkeep.settings import CommunitiesSettings

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

PROJECT = query("consolidation/project")
MEMBERS = query("consolidation/members")

_NEAREST, _EITHER_WAY, _WEIGHT = "NEAREST", "NEAREST_EITHER_WAY", "score"


@dataclass(frozen=True)
class Cluster:
    """Memories that belong together.

    `central_id` is the one most alike the others, `label` its caption.
    """

    members: frozenset[str]
    label: str
    central_id: str


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
    """The clusters of one subject (a token), largest first.

    `name` is the projection's, unlike any other's.
    """
    rules = service.settings[CommunitiesSettings]
    try:
        projected = gds.graph.project.cypher(
            PROJECT.text, tenant=scope.tenant, subject=subject, graph=name, **vectors(service)
        )
        nodes = _cluster(gds, projected.graph, rules)
    finally:
        gds.graph.drop(name, fail_if_missing=False)
    sizes = Counter(cluster for cluster, _ in nodes.values())
    kept = {node: found for node, found in nodes.items() if sizes[found[0]] >= rules.min_size}
    rows = service.read(scope, MEMBERS, nodes=list(kept), subject=subject) if kept else []
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        cluster, weight = kept[row["node"]]
        groups[cluster].append({**row, "weight": weight})
    clusters = [_describe(group) for group in groups.values() if len(group) >= rules.min_size]
    return sorted(clusters, key=lambda cluster: (-len(cluster.members), cluster.central_id))


def _cluster(gds: GraphDataScience, graph: Any, rules: CommunitiesSettings) -> dict[int, tuple[int, float]]:
    """For each node its cluster and the sum of its edges' weights."""
    size = graph.node_count()
    gds.knn.mutate(
        graph,
        mutate_relationship_type=_NEAREST,
        mutate_property=_WEIGHT,
        node_properties="embedding",
        top_k=min(rules.neighbours, max(size - 1, 1)),
        similarity_cutoff=raw_to_library(rules.similarity),
        sample_rate=1.0,
        delta_threshold=0.0,
        random_seed=rules.seed,
        concurrency=1,
    )
    # Leiden breaks on a graph without edges: memories that have nothing in common are no cluster.
    if graph.relationship_count() == 0:
        return {}
    gds.graph.relationships.to_undirected(graph, _NEAREST, _EITHER_WAY, aggregation="MAX", concurrency=1)
    clusters = gds.leiden.stream(
        graph,
        relationship_types=[_EITHER_WAY],
        relationship_weight_property=_WEIGHT,
        gamma=rules.gamma,
        random_seed=rules.seed,
        concurrency=1,
    )
    weights = gds.degree.stream(
        graph, relationship_types=[_EITHER_WAY], relationship_weight_property=_WEIGHT, concurrency=1
    )
    weight_of = dict(zip(weights["nodeId"].tolist(), weights["score"].tolist(), strict=True))
    found = zip(clusters["nodeId"].tolist(), clusters["communityId"].tolist(), strict=True)
    return {int(node): (int(cluster), float(weight_of[node])) for node, cluster in found}


def _describe(group: list[Row]) -> Cluster:
    central = min(group, key=lambda row: (-row["weight"], row["hash"] or "", row["id"]))
    return Cluster(frozenset(row["id"] for row in group), central["caption"] or "", central["id"])
