"""The linker of talk beside the statements of a stream that are likest to a message, as it stands beside memories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graph_memory.bench.link_quality import Guess
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.judge.linker import opened
from graph_memory.judge.training.linker_examples import Candidate, Situation, known_of
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings

# Of what was said last, so many are looked at whatever they are like.
_LATEST = 4


class StreamLinker:
    """Answers as `ingest/message_reading.py` would: the nearest, and the latest, in falling order of their chances."""

    def __init__(self) -> None:
        self._linker = opened()
        self._embedder = open_embedder(EmbedderSettings())
        self._nearest = LinkerSettings().nearest
        self._vectors: dict[str, list[float]] = {}

    def link(self, situation: Situation) -> Sequence[Guess]:
        """A guess for each statement looked at, and for none of them."""
        candidates = self._candidates(situation)
        known = [known_of(situation, each, as_said=False) for each in candidates]
        _, links = self._linker.read(situation.utterance, known)
        none = 1 - sum(each.chance for each in links)
        guesses = [
            Guess(candidate.place, link.effect.value, link.chance)
            for candidate, link in zip(candidates, links, strict=True)
        ]
        return sorted([*guesses, Guess(None, None, none)], key=lambda each: -each.confidence)

    def _candidates(self, situation: Situation) -> list[Candidate]:
        held = list(situation.open)
        if len(held) <= self._nearest + _LATEST:
            return held
        said = situation.utterance
        asked = " ".join([*(text for _, text in said.before[-1:]), f"{said.speaker}: {said.text}"])
        vectors = np.array(self._embedded([asked, *(each.statement for each in held)]))
        order = np.argsort(-(vectors[1:] @ vectors[0]))[: self._nearest]
        chosen = {*order.tolist(), *range(len(held) - _LATEST, len(held))}
        return [held[each] for each in sorted(chosen)]

    def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        missing = [text for text in texts if text not in self._vectors]
        self._vectors.update(zip(missing, self._embedder.embed(missing), strict=True))
        return [self._vectors[text] for text in texts]
