"""Vectors are looked at before anybody uses them: one of a wrong size or without a length would spoil an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graph_memory.base.counting import counted
from graph_memory.base.errors import BadVector

if TYPE_CHECKING:
    from graph_memory.store.protocols import Embedder

# Below this a vector has no direction; above it float32 cannot hold the sum of its squares.
_SHORTEST, _LONGEST = 1e-15, 1e18


class Checked:
    """An embedder whose vectors are finite, of its dimension and of length 1; what is not raises BadVector."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model = embedder.model
        self.dimension = embedder.dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length 1 for each text, in their order; [] for []."""
        if not texts:
            return []
        vectors = self._embedder.embed(texts)
        if len(vectors) != len(texts):
            raise BadVector(
                f"The model {self.model} gave {counted(len(vectors), 'vector')} for {counted(len(texts), 'text')}."
            )
        wrong = {len(vector) for vector in vectors} - {self.dimension}
        if wrong:
            raise BadVector(
                f"The model {self.model} gave {counted(min(wrong), 'number')} for a text, {self.dimension} are expected; "
                "GRAPH_MEMORY_EMBEDDER_DIMENSION says how many."
            )
        return self._of_length_one(vectors)

    def _of_length_one(self, vectors: list[list[float]]) -> list[list[float]]:
        try:
            numbers = np.asarray(vectors, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise BadVector(
                f"The model {self.model} gave something that is not a number; it is not used."
            ) from error
        lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
        if not np.all((lengths > _SHORTEST) & (lengths < _LONGEST)):
            raise BadVector(
                f"The model {self.model} gave a vector that is all zero, infinite or not a number; it is not used."
            )
        answer: list[list[float]] = (numbers / lengths).tolist()
        return answer
