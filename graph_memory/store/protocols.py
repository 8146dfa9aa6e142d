"""What is held open beside the database, as the lower floors know it. `bootstrap` opens the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable


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
        """One vector of length 1 for each text, in their order; [] for [].

        Raises SystemFault: Unavailable while the model cannot be reached, BadVector for what is no vector.
        """
        ...


@runtime_checkable
class Changing(Protocol):
    """An embedder that follows the store while its model is being changed."""

    @property
    def uses_next(self) -> bool:
        """Whether searches ask the index of the next model."""
        ...


class LanguageModels(Protocol):
    """The language models that can be asked; `models.registry.Providers` is the real one."""

    @property
    def channels(self) -> Sequence[Any]:
        """Who can be asked, first to last."""
        ...

    @property
    def spending(self) -> Any:
        """What calls cost."""
        ...

    @property
    def watch(self) -> Any:
        """Seconds that only grow."""
        ...

    def batching(self) -> Any:
        """The first that takes batches; None when there is none."""
        ...

    def batch_provider(self, name: str) -> Any:
        """The provider of that name, if it takes batches."""
        ...

    def close(self) -> None:
        """Ends the connections."""
        ...
