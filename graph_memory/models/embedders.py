"""Turning text into vectors. Vectors of two models cannot be compared, so each is kept with its model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from graph_memory.base.errors import SystemFault
from graph_memory.models.embedding_checks import Checked
from graph_memory.models.minilm import OnnxEmbedder
from graph_memory.models.openai_embedder import OpenAIEmbedder
from graph_memory.models.sentence_transformers_embedder import SentenceTransformersEmbedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store.protocols import Embedder

__all__ = ["Embedder", "OnnxEmbedder", "embed_if_possible", "open_embedder"]

log = logging.getLogger(__name__)


# Each imports what it needs beyond the core when it is opened.
PROVIDERS: Mapping[str, Callable[[EmbedderSettings], Embedder]] = {
    "onnx": OnnxEmbedder,
    "sentence-transformers": SentenceTransformersEmbedder,
    "openai": OpenAIEmbedder,
}


def open_embedder(given: EmbedderSettings) -> Embedder:
    """The embedder that the settings name, loaded, its vectors checked.

    Raises ModelFault if its file is not the right one, MissingExtra if its package is not installed.
    """
    return Checked(PROVIDERS[given.provider](given))


def embed_if_possible(embedder: Embedder, texts: Sequence[str]) -> list[list[float] | None]:
    """A vector for each text; None for all of them while the embedder fails.

    What is stored without a vector is found by its words, and embedded later by `graph_memory.embedding.fill`.
    """
    try:
        return list(embedder.embed(texts))
    except SystemFault as fault:
        log.warning("embedding_pending", extra={"texts": len(texts), "code": fault.code})
        return [None] * len(texts)
