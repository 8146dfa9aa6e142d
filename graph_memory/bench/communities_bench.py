"""`bench communities`: a whole run beside the raw calls of the graph library, a run after a change, and what keeps its id."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graph_memory.base.clock import FOREVER
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import Progress, throwaway
from graph_memory.bench.stand_ins import HashEmbedder
from graph_memory.bootstrap import all_settings
from graph_memory.jobs import schedule, slots
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.life import archive
from graph_memory.model.memory import Fact
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep import clusters
from graph_memory.upkeep.settings import CommunitiesSettings
from tasks import execute

PLACES = query("bench/community_places")
BATCH = 500
# So many memories to a topic, and the share that changes.
TOPIC, CHANGED = 50, 0.01
_WORDS = 12


def bench_communities(
    service: Service, memories: int, seed: int, told: Callable[[str], None]
) -> dict[str, Any]:
    """Seconds of a whole run (summaries apart), of the raw calls on the same projection, of a run after 1 % has changed and
    of one after nothing has; and the share of those that stayed whose community has the same id."""
    service = replace(service, embedder=HashEmbedder(service.embedder.dimension))
    world = _World(memories, seed, service.embedder.dimension)
    with throwaway(service, "communities") as tenant:
        scope = Scope(tenant, "all")
        call, ids = Call(scope, "bench"), list[str]()
        progress = Progress(told, "memories stored", memories)
        for start in range(0, memories, BATCH):
            facts = world.facts(range(start, min(start + BATCH, memories)))
            ids += [str(each.id) for each in add(service, call, facts)[0]]
            progress.done(len(ids))
        told("the raw calls of the graph library")
        raw = _raw(service, scope)
        told("a whole run")
        run, whole = _run(service, scope)
        told("a whole run by other rules, which finds the summaries made")
        service = _by_other_rules(service)
        _, alone = _run(service, scope)
        before = _places(service, scope)
        told(f"{run.result['communities']} communities; now {CHANGED:.0%} changes")
        count = max(1, round(memories * CHANGED / 2))
        for start in range(0, count, BATCH):
            archive(service, call, ids[start : min(start + BATCH, count)])
            add(service, call, world.facts(range(memories + start, memories + min(start + BATCH, count))))
        changed, after_change = _run(service, scope)
        after = _places(service, scope)
        stayed = before.keys() & after.keys()
        _, nothing = _run(service, scope)
    return {
        "memories": memories,
        "communities": run.result["communities"],
        "summaries": run.result["summarised"],
        "seconds": round(alone, 2),
        "raw_seconds": round(raw, 2),
        "ratio": round(alone / raw, 2),
        "seconds_with_summaries": round(whole, 2),
        "changed_seconds": round(after_change, 2),
        "changed_ratio": round(after_change / whole, 3),
        "placed": changed.result["placed"],
        "unchanged_seconds": round(nothing, 2),
        "kept_ids": round(sum(before[id] == after[id] for id in stayed) / max(len(stayed), 1), 4),
    }


def _by_other_rules(service: Service) -> Service:
    """A likeness that differs by nothing to speak of: all of a subject is clustered again, into what it was."""
    settings = all_settings(service)
    rules = settings[CommunitiesSettings]
    rules = rules.model_copy(update={"similarity": rules.similarity + 1e-9})
    return replace(service, settings=settings.model_copy(update={"communities": rules}))


def _raw(service: Service, scope: Scope) -> float:
    """The projection and the algorithms alone, with the same settings."""
    rules = service.settings[CommunitiesSettings]
    name = f"bench-raw-{scope.tenant}"
    with clusters.library(service) as gds:
        begun = time.perf_counter()
        try:
            made = gds.graph.project.cypher(
                clusters.PROJECT.text,
                tenant=scope.tenant,
                subject=scope.subject,
                graph=name,
                **clusters.vectors(service),
            )
            _algorithms(gds, made.graph, rules)
        finally:
            gds.graph.drop(name, fail_if_missing=False)
        return time.perf_counter() - begun


def _algorithms(gds: Any, graph: Any, rules: CommunitiesSettings) -> None:
    alone = {"concurrency": 1}
    seeded = {**alone, "random_seed": clusters.SEED}
    gds.knn.mutate(
        graph,
        mutate_relationship_type="NEAR",
        mutate_property="score",
        similarity_cutoff=clusters.raw_to_library(rules.similarity),
        **clusters.neighbours(graph.node_count()),
    )
    gds.graph.relationships.to_undirected(graph, "NEAR", "EITHER_WAY", aggregation="MAX", **alone)
    weighed = {"relationship_types": ["EITHER_WAY"], "relationship_weight_property": "score"}
    gds.leiden.stream(
        graph, gamma=clusters.edges_of(rules).resolution(graph.node_count()), **weighed, **seeded
    )
    gds.degree.stream(graph, **weighed, **alone)


def _run(service: Service, scope: Scope) -> tuple[Run, float]:
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job("communities"), again=True)
    begun = time.perf_counter()
    ended = execute(service, tenant, run.id)
    return ended, time.perf_counter() - begun


def _places(service: Service, scope: Scope) -> dict[str, str]:
    rows = service.batches(scope, PLACES, forever=FOREVER)
    return {row["memory"]: row["community"] for row in rows}


class _World:
    """Memories about topics of some fifty each, with words of their own."""

    def __init__(self, memories: int, seed: int, dimension: int) -> None:
        self._random = np.random.default_rng(seed)
        self._topics = self._random.normal(size=(max(2, memories // TOPIC), dimension))

    def facts(self, numbers: Sequence[int]) -> list[Fact]:
        """Some of them; the topics take turns."""
        noise = self._random.normal(size=(len(numbers), self._topics.shape[1]))
        topics = [number % len(self._topics) for number in numbers]
        return [
            Fact(_text(topic, number), vector=tuple((self._topics[topic] + 0.7 * each).tolist()), entities=())
            for topic, number, each in zip(topics, numbers, noise, strict=True)
        ]


def _text(topic: int, number: int) -> str:
    spelled = "".join("aeioulnrst"[int(digit)] for digit in str(topic))
    return f"The t{spelled} of kind m{'xyz'[number % 3]}{spelled} was seen {number % _WORDS} times, note {number}."
