"""What is known while the decisions of one call are made: the store's memories, and those that were decided before.

Each statement of a call is decided as if those before it had been stored already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from graph_memory.ingest.application import Decided
from graph_memory.ingest.candidates import Candidate
from graph_memory.ingest.thresholds import profile_of
from graph_memory.language.slot_words import slots
from graph_memory.memory.addition import Prepared
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service


class Standing:
    """The candidates of each statement of a call, as they stand when it is its turn."""

    def __init__(self, service: Service, aliases: Iterable[frozenset[str]] = ()) -> None:
        """`aliases`: keys that name one entity each."""
        self._aliases = tuple(aliases)
        self._profile = profile_of(service.embedder.model, service.settings[PipelineSettings])
        self._most = service.settings[PipelineSettings].candidates
        self._gone: set[str] = set()
        self._changed: dict[str, tuple[str, tuple[float, ...]]] = {}
        self._earlier: list[Prepared] = []

    def candidates(self, item: Prepared, known: Iterable[Candidate]) -> list[Candidate]:
        """The nearest of both, nearest first, after the one that the statement is about."""
        stored = [self._now(each, item) for each in known if each.id not in self._gone]
        earlier = [other for other in self._earlier if other.id not in self._gone]
        vectors = [other.properties["embedding"] for other in earlier]
        cosines = _cosines(item.properties["embedding"], vectors)
        near = [self._near(item, other, cosine) for other, cosine in zip(earlier, cosines, strict=False)]
        found = [*stored, *(each for each in near if each is not None)]
        return sorted(found, key=lambda each: (each.id != item.about, -each.cosine, each.id))[: self._most]

    def learn(self, item: Prepared, decided: Decided) -> None:
        """Notes what a decision changes for those after it."""
        choice = decided.choice
        chosen = choice.chosen.candidate if choice.chosen else None
        is_kept = choice.action not in (Action.DUPLICATE, Action.MERGE)
        if choice.action is Action.SUPERSEDE and chosen:
            # The older of two versions is history, whichever came first.
            is_kept = item.properties["valid_from"] >= chosen.valid_from
            self._gone |= {chosen.id} if is_kept else set()
        if choice.action is Action.MERGE and chosen and decided.merged:
            vector = decided.merged["embedding"] or ()
            self._changed[chosen.id] = (decided.merged["text"], tuple(vector))
        if is_kept and item.properties["live_key"] is not None and item.properties["embedding"] is not None:
            self._earlier.append(item)

    def _now(self, known: Candidate, item: Prepared) -> Candidate:
        if known.id not in self._changed:
            return known
        text, vector = self._changed[known.id]
        cosines = _cosines(item.properties["embedding"], [vector] if vector else [])
        return replace(known, text=text, vector=vector, cosine=cosines[0] if cosines else known.cosine)

    def _near(self, item: Prepared, other: Prepared, cosine: float) -> Candidate | None:
        """An earlier statement of the same call, if it comes near enough."""
        shared = self._shared(item, other)
        if cosine < (self._profile.shared if shared else self._profile.candidates) and not (
            cosine >= self._profile.worded and _have_words_in_common(item, other)
        ):
            return None
        properties = other.properties
        candidate = Candidate(
            id=other.id,
            text=properties["text"],
            kind=properties["kind"],
            heading=properties["heading"],
            source_kind=SourceKind(properties["source_kind"]),
            author=properties["source_author"],
            valid_from=properties["valid_from"],
            vector=tuple(properties["embedding"]),
            cosine=cosine,
            names=shared,
            labels=tuple(properties["labels"] or ()),
            said_at=other.said_at,
            happens_at=properties["happens_at"],
        )
        return self._now(candidate, item)

    def _shared(self, item: Prepared, other: Prepared) -> tuple[str, ...]:
        """The names in the other that mean something which the item names as well."""
        keys = {each.key for each in item.entities}
        meant = keys.union(*(names for names in self._aliases if names & keys))
        return tuple(sorted({each.name for each in other.entities if each.key in meant}))


def _have_words_in_common(one: Prepared, other: Prepared) -> bool:
    return not slots(one.properties["text"]).keys().isdisjoint(slots(other.properties["text"]))


def _cosines(one: Sequence[float] | None, others: Sequence[Sequence[float]]) -> list[float]:
    """Raw cosines; none without a vector."""
    if one is None or not others:
        return []
    matrix, vector = np.asarray(others), np.asarray(one)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
    return [float(each) for each in matrix @ vector / np.where(lengths == 0, 1, lengths)]
