"""What stands in for the clock and the model while a bench plays through months in seconds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np


class StandingClock:
    """Stands still until it is moved; it begins on 1 January 2026."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, length: timedelta) -> None:
        """Moves on."""
        self.now += length


class HashEmbedder:
    """A unit vector for each text, made from its digest: the same text is the same vector, nothing else is near."""

    model = "hash"

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
        numbers = np.random.default_rng(seed).normal(size=self.dimension)
        return [float(number) for number in numbers / np.linalg.norm(numbers)]
