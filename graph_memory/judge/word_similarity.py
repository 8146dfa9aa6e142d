"""How alike words are: by their stems or, when an embedder of words is there, by their vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from graph_memory.language.synonyms import mean_the_same, stand_apart
from graph_memory.store.protocols import Embedder

_KEPT = 8192
SAME_MEANING = 0.9
APART = 0.5

Matrix = NDArray[np.float32]


class WordVectors:
    """Vectors of single words, kept once they are known. Any number of threads may ask."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Matrix] = {}
        self._lock = Lock()

    def learn(self, words: Iterable[str]) -> None:
        """Embeds the words that are not known yet, all in one call."""
        unknown = sorted({word for word in words if word not in self._known})
        if not unknown:
            return
        vectors = np.asarray(self._embedder.embed(unknown), np.float32)
        with self._lock:
            if len(self._known) + len(unknown) > _KEPT:
                self._known = {}
            self._known = self._known | dict(zip(unknown, vectors, strict=True))

    def of(self, words: Sequence[str]) -> Matrix:
        """One row for each word."""
        self.learn(words)
        known = self._known
        missing = [word for word in words if word not in known]
        if missing:  # another thread emptied the table meanwhile
            return np.asarray(self._embedder.embed(list(words)), np.float32)
        return np.stack([known[word] for word in words])


def likeness(old: dict[str, str], new: dict[str, str], vectors: WordVectors | None) -> Matrix:
    """How alike each word of `new` (rows) is to each of `old` (columns): 1 for the same stem, else their cosine.

    Both map stems to spellings. Without vectors, what is not the same stem is 0.
    """
    known = np.array([[_known(a, b) for b in old] for a in new], np.float32).reshape(len(new), len(old))
    if vectors is None or not old or not new:
        return np.maximum(known, 0)
    cosines = vectors.of(list(new.values())) @ vectors.of(list(old.values())).T
    near = np.clip(cosines, 0, 1)
    return np.asarray(np.where(known < 0, np.minimum(near, APART), np.maximum(known, near)), np.float32)


def _known(one: str, other: str) -> float:
    """1 for the same stem, almost that for words of one meaning, -1 for those that exclude each other, else 0."""
    if one == other:
        return 1.0
    if stand_apart(one, other):
        return -1.0
    return SAME_MEANING if mean_the_same(one, other) else 0.0
