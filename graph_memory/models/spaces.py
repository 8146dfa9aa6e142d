"""Which model's vectors the store holds. They stand in one record of the store, so that no two models ever mix.

A change of model goes through stages (`graph_memory.upkeep.model_change` moves them on):

| stage | `embedding` and its indexes | `embedding_next` and its indexes | searches and writers use |
| --- | --- | --- | --- |
| EMBEDDING | the old model's | fill with the new model's | the old model |
| MOVING | get the new model's | the new model's | the new model, there |
| CLEANING | the new model's | are dropped | the new model |

Every process looks at the record at most every EmbedderSettings.watch seconds, and the change waits for the slowest of them
before it touches what they may still use. A thread keeps for that long to the model that it embedded with, so that a
search is sent to the index that its vector belongs to. What is written late with a vector of a model that is no longer,
or not yet, wanted in `embedding` (`refused`) is put aside by the statement that writes it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from graph_memory.base.errors import MixedModels
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store import vector_indexes
from graph_memory.store.protocols import Embedder
from graph_memory.store.queries import query
from graph_memory.store.vector_indexes import System

READ = query("system/space_read")
FOUND = query("system/space_found")
SAVE = query("system/space_save")


class Stage(StrEnum):
    """How far a change of model is."""

    EMBEDDING = "EMBEDDING"
    MOVING = "MOVING"
    CLEANING = "CLEANING"


@dataclass(frozen=True)
class Model:
    """A model as the store remembers it: enough for another process to open the same one, but for the key."""

    provider: str
    model: str
    dimension: int
    name: str | None = None
    url: str | None = None

    def settings(self, given: EmbedderSettings) -> EmbedderSettings:
        """The settings that open this model; what is not of the model stays as given."""
        values = {"provider": self.provider, "model": self.name, "url": self.url, "dimension": self.dimension}
        return given.model_copy(update=values)

    def __str__(self) -> str:
        return f"{self.model} ({self.provider}, {self.dimension} numbers)"


@dataclass(frozen=True)
class Space:
    """The model of the store's vectors and, while it is being changed, the next one and how far that is.

    `refused` names the models whose vectors must not be put into `embedding` now.
    """

    model: Model
    next: Model | None = None
    stage: Stage | None = None
    refused: tuple[str, ...] = ()

    @property
    def current(self) -> Model:
        """The model that searches and writers use now."""
        return self.next if self.next and self.uses_next else self.model

    @property
    def uses_next(self) -> bool:
        """Whether searches go to the indexes of the next model."""
        return self.stage is Stage.MOVING


def as_model(given: EmbedderSettings, embedder: Embedder) -> Model:
    """What the store remembers of an opened embedder."""
    return Model(given.provider, embedder.model, embedder.dimension, given.model, given.url)


def read(system: System) -> Space | None:
    """The record of the store; None before the first process with an embedder."""
    rows = system(READ)
    return _space(rows[0]["space"]) if rows else None


def save(system: System, space: Space) -> None:
    """Writes the record."""
    coming = space.next
    values = {
        **asdict(space.model),
        "next_provider": coming.provider if coming else None,
        "next_model": coming.model if coming else None,
        "next_dimension": coming.dimension if coming else None,
        "next_name": coming.name if coming else None,
        "next_url": coming.url if coming else None,
        "stage": space.stage.value if space.stage else None,
        "refused": list(space.refused),
    }
    system(SAVE, values=values)


def settle(system: System, given: EmbedderSettings, embedder: Embedder) -> Space:
    """The record, made if there is none. Raises MixedModels when the store's vectors are of neither model it names."""
    wanted = as_model(given, embedder)
    space = read(system) or _first(system, wanted)
    if wanted.model not in (space.model.model, space.next.model if space.next else None):
        raise MixedModels(
            f"The store's vectors are of {space.model}, but the settings name {wanted}. Set "
            f"GRAPH_MEMORY_EMBEDDER_PROVIDER={space.model.provider} and its model again, or run "
            "`graph-memory embedder change`, which embeds all memories anew while searches go on."
        )
    return space


class Following:
    """The embedder of a process: it always is the store's model, also while that is being changed."""

    def __init__(
        self,
        given: EmbedderSettings,
        embedder: Embedder,
        system: System,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`embedder` is what the settings name, opened. Raises MixedModels."""
        self._given, self._system, self._monotonic = given, system, monotonic
        self._opened = {embedder.model: embedder}
        self._space = settle(system, given, embedder)
        self._seen_at = monotonic()
        self._lock = threading.Lock()
        self._last = threading.local()

    @property
    def model(self) -> str:
        """The name of the store's model."""
        return self.space.current.model

    @property
    def dimension(self) -> int:
        """Numbers in each of its vectors."""
        return self.space.current.dimension

    @property
    def space(self) -> Space:
        """What this thread embedded with a moment ago, else the record as it was `watch` seconds ago or later."""
        kept: tuple[float, Space] | None = getattr(self._last, "kept", None)
        if kept and self._monotonic() - kept[0] < self._given.watch:
            return kept[1]
        return self._looked()

    @property
    def uses_next(self) -> bool:
        """Whether searches ask the index of the next model."""
        return self.space.uses_next

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, of the store's model."""
        space = self._looked()
        vectors = self._embedder(space.current).embed(texts)
        self._last.kept = self._monotonic(), space
        return vectors

    def embedder(self, model: Model) -> Embedder:
        """That model, opened; the store may name two of them."""
        return self._embedder(model)

    def _looked(self) -> Space:
        with self._lock:
            if self._monotonic() - self._seen_at >= self._given.watch:
                self._space = read(self._system) or self._space
                self._seen_at = self._monotonic()
            return self._space

    def _embedder(self, model: Model) -> Embedder:
        with self._lock:
            if model.model not in self._opened:
                self._opened[model.model] = open_embedder(model.settings(self._given))
            return self._opened[model.model]


def _first(system: System, wanted: Model) -> Space:
    """The record of a store without one: new, or from before there were records."""
    models = {row["model"] for row in system(FOUND)}
    if models and wanted.model not in models:
        raise MixedModels(
            f"The store's vectors are of {', '.join(sorted(models))}, but the settings name {wanted}. Start once with "
            "the embedder that filled the store, then run `graph-memory embedder change`."
        )
    if not models:
        vector_indexes.fit(system, wanted.dimension)
    save(system, Space(wanted))
    return Space(wanted)


def _space(row: dict[str, Any]) -> Space:
    following = {name.removeprefix("next_"): value for name, value in row.items() if name.startswith("next_")}
    coming = _model(following) if following.get("model") else None
    stage = Stage(row["stage"]) if row.get("stage") else None
    return Space(_model(row), coming, stage, tuple(row.get("refused") or ()))


def _model(row: dict[str, Any]) -> Model:
    return Model(row["provider"], row["model"], row["dimension"], row.get("name"), row.get("url"))
