"""Turning text into vectors. Vectors of two models cannot be compared, so each is kept with its model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graph_memory import settings
from graph_memory.embedding.minilm import OnnxEmbedder

__all__ = ["Embedder", "OnnxEmbedder", "open_embedder"]


class Embedder(Protocol):
    """A model that embeds text."""

    @property
    def model(self) -> str:
        """The model's name, recorded with every vector."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length 1 for each text, in their order; [] for []."""
        ...


PROVIDERS = {"onnx": OnnxEmbedder}


def open_embedder(given: settings.Embedder) -> Embedder:
    """The embedder that the settings name, loaded. Raises ModelFault if its file is not the right one."""
    return PROVIDERS[given.provider](given)
