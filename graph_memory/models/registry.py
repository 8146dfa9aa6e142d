"""The providers that are configured, in their order, each with its breaker and limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.util import find_spec
from typing import cast

from graph_memory.base.sections import Sections
from graph_memory.base.stopwatch import SystemWatch, Watch
from graph_memory.models.anthropic_chat import AnthropicProvider
from graph_memory.models.breaker import Breaker, State
from graph_memory.models.openai_chat import OpenAIProvider
from graph_memory.models.prompt import BatchProvider, Provider
from graph_memory.models.provider_keys import is_configured
from graph_memory.models.rate_limit import Limiter
from graph_memory.models.settings import AnthropicSettings, Endpoint, OpenAISettings, ProvidersSettings
from graph_memory.models.spending import Spending
from graph_memory.store.service import Service

# Seconds for which a provider that failed is left alone, before one call tries it.
REST = 60.0
EMBEDDED = "embedded"


@dataclass(frozen=True)
class Channel:
    """A provider and what keeps calls to it within bounds."""

    provider: Provider
    breaker: Breaker
    limiter: Limiter

    @property
    def name(self) -> str:
        return self.provider.name


@dataclass(frozen=True)
class Providers:
    """Who can be asked, first to last. Empty where only the embedded judge answers."""

    channels: tuple[Channel, ...] = ()
    spending: Spending = field(default_factory=Spending)
    watch: Watch = field(default_factory=SystemWatch)

    def batching(self) -> Channel | None:
        """The first that takes batches; None when there is none."""
        return next((each for each in self.channels if hasattr(each.provider, "submit")), None)

    def batch_provider(self, name: str) -> BatchProvider | None:
        """The provider of that name, if it is configured and takes batches."""
        for each in self.channels:
            if each.name == name and hasattr(each.provider, "submit"):
                return each.provider  # type: ignore[return-value]
        return None

    def close(self) -> None:
        for each in self.channels:
            each.provider.close()


class ProviderState(StrEnum):
    """Whether a provider of language models answers now."""

    READY = "ready"
    RESTING = "resting"
    PROBING = "probing"
    MISSING_EXTRA = "missing_extra"
    UNCONFIGURED = "unconfigured"


_STATES = {
    State.CLOSED: ProviderState.READY,
    State.OPEN: ProviderState.RESTING,
    State.HALF_OPEN: ProviderState.PROBING,
}


@dataclass(frozen=True)
class Standing:
    """How a provider stands; `extra` is what it needs."""

    name: str
    state: ProviderState
    model: str | None
    extra: str | None = None


def providers_of(service: Service) -> Providers:
    """The language models of a service."""
    return cast(Providers, service.providers)


@contextmanager
def open_providers(settings: Sections, watch: Watch | None = None) -> Iterator[Providers]:
    """The providers of the settings. Nothing is called or imported, so none that is down can keep us from starting."""
    made = providers(settings, watch or SystemWatch())
    try:
        yield made
    finally:
        made.close()


def providers(settings: Sections, watch: Watch) -> Providers:
    """As `open_providers`, for those who close it themselves."""
    endpoints = settings[ProvidersSettings].endpoints
    channels = tuple(_channel(settings, watch, name, endpoints.get(name)) for name in configured(settings))
    return Providers(channels, Spending(watch), watch)


def configured(settings: Sections) -> Sequence[str]:
    """The names of the language model providers that can be asked, in order."""
    order = settings[ProvidersSettings].order
    before = order[: order.index(EMBEDDED)] if EMBEDDED in order else order
    return [name for name in dict.fromkeys(before) if is_configured(_section(settings, name))]


def standings(settings: Sections, opened: Providers) -> list[Standing]:
    """How each provider of the order stands in this process, and the embedded judge."""
    channels = {each.name: each for each in opened.channels}
    found = []
    for name in dict.fromkeys((*settings[ProvidersSettings].order, EMBEDDED)):
        if name == EMBEDDED:
            found.append(Standing(name, ProviderState.READY, None))
        else:
            found.append(_standing(name, _section(settings, name), channels.get(name)))
    return found


def _standing(
    name: str, own: AnthropicSettings | OpenAISettings | Endpoint, channel: Channel | None
) -> Standing:
    if channel is None:
        return Standing(name, ProviderState.UNCONFIGURED, own.model)
    return Standing(name, _state(channel), own.model, channel.provider.extra)


def _channel(settings: Sections, watch: Watch, name: str, own: Endpoint | None) -> Channel:
    bounds = settings[ProvidersSettings]
    made = (
        AnthropicProvider(settings, watch) if name == "anthropic" else OpenAIProvider(settings, watch, name)
    )
    requests = own.requests_per_minute if own else None
    tokens = own.tokens_per_minute if own else None
    return Channel(
        made,
        Breaker(watch, bounds.failures, REST),
        Limiter(watch, requests or bounds.requests_per_minute, tokens or bounds.tokens_per_minute),
    )


def _section(settings: Sections, name: str) -> AnthropicSettings | OpenAISettings | Endpoint:
    """What the settings say of a provider."""
    if name == "anthropic":
        return settings[AnthropicSettings]
    return settings[OpenAISettings] if name == "openai" else settings[ProvidersSettings].endpoints[name]


def _state(channel: Channel) -> ProviderState:
    if find_spec(channel.provider.extra) is None:
        return ProviderState.MISSING_EXTRA
    return _STATES[channel.breaker.state]
