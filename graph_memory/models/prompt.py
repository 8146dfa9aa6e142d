"""What a language model is asked and what it says; the interface of a provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from graph_memory.model.purpose import Purpose

A_co = TypeVar("A_co", covariant=True)


@dataclass(frozen=True)
class Prompt(Generic[A_co]):
    """One question, of one tenant.

    `system` holds our words only; stored text stands in `user`, fenced as data. `schema` describes the JSON that is
    wanted, and `read` turns what was said into the answer; it raises Unreadable when there is none in it.
    """

    purpose: Purpose
    system: str
    user: str = field(repr=False)
    schema: Mapping[str, Any] = field(repr=False)
    read: Callable[[str], A_co] = field(repr=False)


class Ending(StrEnum):
    """Why a model stopped."""

    DONE = "done"
    CUT = "cut"
    DECLINED = "declined"


@dataclass(frozen=True)
class Said:
    """What a model said, before anybody has read it, and what it took.

    `left_out` names the settings of the purpose that this provider or model does not take.
    """

    text: str = field(repr=False)
    model: str
    tokens_in: int
    tokens_out: int
    ending: Ending = Ending.DONE
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply(Generic[A_co]):
    """An answer that was read and checked, and who gave it. `attempts` counts the calls of that provider."""

    answer: A_co
    provider: str
    model: str
    tokens_in: int
    tokens_out: int
    attempts: int


@dataclass(frozen=True)
class ModelUse:
    """How a language model is asked. Temperature and penalty are sent where it takes them; what refuses them is remembered."""

    models: Mapping[str, str] = field(default_factory=dict)
    max_tokens: int = 1000
    thinking: int = 0
    timeout: float = 30.0
    temperature: float | None = None
    frequency_penalty: float | None = None


class Provider(Protocol):
    """A service that language models are asked through. One for each process, used by many threads."""

    @property
    def name(self) -> str:
        """As settings and the ledger spell it."""

    @property
    def extra(self) -> str:
        """The optional part that it needs, and the package in it."""

    def model(self, use: ModelUse) -> str:
        """The model that a purpose is sent to."""

    def say(self, prompt: Prompt[Any], use: ModelUse, within: float) -> Said:
        """One call, not repeated. ProviderFault when nothing came within so many seconds; MissingExtra."""

    def close(self) -> None:
        """Lets connections go."""


class BatchProvider(Provider, Protocol):
    """A provider that also takes many questions at once and answers them later, in any order."""

    def submit(self, requests: Sequence[BatchRequest]) -> str:
        """The provider's id of the new batch."""

    def poll(self, id: str) -> BatchState:
        """How the batch stands."""

    def results(self, id: str) -> Iterator[tuple[str, Outcome]]:
        """Each request's custom id and outcome, in the order in which they come.

        ProviderFault when they are not there, or when the list breaks off: what came before it holds.
        """

    def cancel(self, id: str) -> BatchState:
        """Asks to stop; what is done by then is kept."""

    def recent(self, since: datetime) -> Iterator[BatchState]:
        """The batches that were made since then, newest first, whoever made them with the same key."""


@dataclass(frozen=True)
class BatchRequest:
    """One question of a batch. `custom_id`: 1 to 64 of [A-Za-z0-9_-], once in a batch."""

    custom_id: str
    prompt: Prompt[Any]
    use: ModelUse


class Progress(StrEnum):
    """How a batch stands with its provider."""

    RUNNING = "running"
    CANCELLING = "cancelling"
    ENDED = "ended"


@dataclass(frozen=True)
class BatchState:
    """A batch as its provider tells it. With `archived_at` the results are gone; `size` counts its requests."""

    id: str
    progress: Progress
    expires_at: datetime | None
    archived_at: datetime | None
    succeeded: int = 0
    failed: int = 0
    size: int = 0
    created_at: datetime | None = None


class End(StrEnum):
    """What became of one request of a batch."""

    SUCCEEDED = "succeeded"
    ERRORED = "errored"
    CANCELED = "canceled"
    EXPIRED = "expired"


@dataclass(frozen=True)
class Outcome:
    """`said` of a request that succeeded. `fault` is the provider's word for what went wrong.

    `is_worth_repeating` is false where the same request would fail again.
    """

    end: End
    said: Said | None = None
    fault: str = ""
    is_worth_repeating: bool = True
