"""Planted memories that come up whatever is asked, or always for one question, are told from all others."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import numpy as np
import pytest

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact, Source, SourceKind
from graph_memory.recall.hubs import MOST, hubs
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack

WHO = (
    "Ann",
    "Bob",
    "Cara",
    "Dmitri",
    "Emeka",
    "Fatima",
    "Goro",
    "Hana",
    "Ivan",
    "Juana",
    "Kofi",
    "Lena",
    "Mina",
    "Noor",
)
WHAT = (
    "keeps bees behind the old mill", "is allergic to peanuts", "repairs cellos on Sundays", "moved to Lisbon in spring",
    "writes the payroll service in Go", "votes at the town hall", "has a daughter who fences", "drives a blue van",
    "lost a suitcase in Oslo", "learns Hungarian with a tutor", "owes the bank a mortgage", "sleeps badly at full moon",
    "sings bass in the cathedral choir", "cooks lentils with cumin", "sold the vineyard", "wants a taller desk",
    "runs marathons barefoot", "is afraid of moths", "prefers tea without milk", "collects maps of the Arctic",
    "takes insulin before dinner", "debugs kernels at night", "married in a lighthouse", "paints doors green",
    "teaches chemistry to adults", "missed the last ferry", "plays chess by post", "breeds alpacas",
    "cancelled the gym", "dreams of Patagonia", "reviews pull requests at dawn", "hides keys under a stone",
    "studies tax law", "rows on the river", "keeps a diary in shorthand", "forgot the alarm code",
)  # fmt: skip
PLANTED = Source(SourceKind.WEB, "planted")


def unit(vector: np.ndarray) -> tuple[float, ...]:
    return tuple(float(number) for number in vector / np.linalg.norm(vector))


def planted(service: Service, scope: Scope, vectors: list[tuple[float, ...]]) -> set[str]:
    facts = [
        Fact(f"Planted {number}.", vector=vector, entities=(), source=PLANTED)
        for number, vector in enumerate(vectors)
    ]
    return {str(each.id) for each in add(service, Call(scope, "test"), facts)[0]}


def crowd(service: Service, scope: Scope) -> np.ndarray:
    """Some five hundred ordinary memories, and their vectors."""
    texts = [f"{who} {what}." for who, what in product(WHO, WHAT)]
    vectors = embedded(service.embedder, tuple(texts))
    facts = [
        Fact(text, vector=tuple(vector), entities=()) for text, vector in zip(texts, vectors, strict=True)
    ]
    add(service, Call(scope, "test"), facts)
    return np.array(vectors)


@cache
def embedded(embedder: Embedder, texts: tuple[str, ...]) -> list[list[float]]:
    return embedder.embed(texts)


def noisy(center: np.ndarray, count: int, seed: int) -> list[tuple[float, ...]]:
    drawn = np.random.default_rng(seed)
    center = center / np.linalg.norm(center)
    return [unit(center + drawn.normal(0, 0.005, center.shape)) for _ in range(count)]


def cone(service: Service, scope: Scope) -> np.ndarray:
    """Four hundred memories of as many topics whose vectors have one part in common, as those of real models do."""
    drawn = np.random.default_rng(7)
    vectors = drawn.normal(0, 1 / np.sqrt(384), (400, 384))
    vectors[:, 0] += 0.6
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    facts = [
        Fact(f"Topic {number}.", vector=tuple(map(float, vector)), entities=())
        for number, vector in enumerate(vectors)
    ]
    add(service, Call(scope, "test"), facts)
    return vectors


def test_planted_hubs_are_found_and_few_others(service: Service, scope: Scope) -> None:
    vectors = cone(service, scope)
    # All are asked, so that no luck of a sample is in it.
    assert len(hubs(service, scope, sample=MOST)) <= len(vectors) * 0.02
    hidden = planted(service, scope, noisy(vectors.mean(axis=0), 5, 1))
    found = {hub.memory.id for hub in hubs(service, scope, sample=MOST)}
    assert len(found & hidden) >= 0.9 * len(hidden)
    assert len(found - hidden) <= len(vectors) * 0.02


def test_of_ordinary_memories_few_are_told(service: Service, scope: Scope) -> None:
    vectors = crowd(service, scope)
    assert len(hubs(service, scope, sample=MOST)) <= len(vectors) * 0.01


def test_planted_blockers_of_one_question_are_found_among_what_was_asked_lately(
    service: Service, scope: Scope
) -> None:
    vectors = crowd(service, scope)
    victims = [f"what does {who} take before dinner" for who in WHO]
    asked = victims + [f"does {who} know somebody who {what}" for who in WHO[:8] for what in WHAT[:15]]
    random.Random(3).shuffle(asked)
    aim = np.array(service.embedder.embed(victims)).mean(axis=0)
    hidden = planted(service, scope, noisy(aim, 4, 2))
    found = {hub.memory.id: hub for hub in hubs(service, scope, asked)}
    assert len(found.keys() & hidden) >= 0.9 * len(hidden)
    assert len(found.keys() - hidden) <= len(vectors) * 0.02
    assert all(found[id].sampled == len(asked) and found[id].share > 0.05 for id in found.keys() & hidden)


def test_of_few_memories_nothing_is_told(service: Service, scope: Scope) -> None:
    add(service, Call(scope, "test"), [Fact("Ann has a dog."), Fact("Bob has a cat.")])
    assert hubs(service, scope) == []


def test_the_memories_of_others_are_not_looked_at(service: Service, scope: Scope) -> None:
    crowd(service, scope)
    hub = planted(service, Scope(scope.tenant_name, "bob"), [unit(np.ones(384))])
    assert not hub & {each.memory.id for each in hubs(service, scope, share=0.0)}


@pytest.mark.parametrize("given", [{"sample": 0}, {"sample": 1001}, {"share": 1.0}, {"first": 0}])
def test_numbers_out_of_range_are_refused(service: Service, scope: Scope, given: dict[str, int]) -> None:
    with pytest.raises(Invalid):
        hubs(service, scope, **given)  # type: ignore[arg-type]
