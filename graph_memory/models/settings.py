"""The settings of models: what each is for, its default and its rule."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from graph_memory.base.sections import Count, NonNegative, Positive, Section

EndpointName = Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,39}$")]
# Who can be asked without being named in `providers.endpoints`.
PROVIDERS = ("anthropic", "openai", "embedded")
_MAX_TOKENS = "Tokens of an answer at most, without those of thinking."
_THINKING = "Tokens for thinking before the answer, sent where the model takes them; 0: none."
_TIMEOUT = "Seconds to wait for one call's whole answer."


class EmbedderSettings(Section):
    """What turns text into vectors."""

    provider: Literal["onnx", "sentence-transformers", "openai"] = Field(
        "onnx",
        description="onnx: all-MiniLM-L6-v2, int8, on the processor, without torch. sentence-transformers: the extra "
        "`torch`. openai: a server with /v1/embeddings.",
    )
    model: str | None = Field(
        None,
        min_length=1,
        description="Name of the model at the server, or a folder or name that sentence-transformers can load.",
    )
    dimension: int | None = Field(
        None, ge=1, le=4096, description="Numbers in each vector; the provider openai needs it."
    )
    send_dimension: bool = Field(
        False, description="Ask the server for vectors of that dimension, which some models can shorten."
    )
    url: str | None = Field(
        None, min_length=1, description="Where the server is, for example http://localhost:11434/v1."
    )
    api_key: SecretStr | None = Field(None, description="Key of the server. Set it in the environment only.")
    timeout: Positive = Field(
        10.0, description="Seconds to wait for an answer of the server, all tries of one batch together."
    )
    tries: Count = Field(3, description="Times that a batch is sent before it counts as failed.")
    pause: Positive = Field(15.0, description="Seconds in which a server that failed is not asked again.")
    threads: int = Field(0, ge=0, description="Threads of the model; 0 lets it choose.")
    batch: Count = Field(64, description="Texts embedded at once.")
    model_path: Path | None = Field(
        None, description="Another place of onnx's model file; its checksum is compared at load."
    )
    watch: Positive = Field(
        2.0,
        description="Seconds after which every process knows that the model of the store is being changed.",
    )


class Endpoint(Section):
    """One more server that speaks OpenAI's Chat Completions; it has its own breaker, limits and lines in `spend`."""

    base_url: str = Field(
        min_length=1, description="Where it is served, for example http://127.0.0.1:1234/v1 for LM Studio."
    )
    model: str = Field(min_length=1, description="The model of every purpose that names no other.")
    key_variable: str | None = Field(
        None,
        min_length=1,
        description="Name of the environment variable that holds its key. Unset: it needs none.",
    )
    requests_per_minute: Count | None = Field(
        None, description="Calls of it a minute, for each process. Unset: as of every provider."
    )
    tokens_per_minute: Count | None = Field(
        None, description="Tokens of it a minute, for each process. Unset: as of every provider."
    )


class ProvidersSettings(Section):
    """Which language models are asked, in which order, how often, and for how much money."""

    endpoints: dict[EndpointName, Endpoint] = Field(
        {},
        description="Further servers that speak like OpenAI, by names of your own: small letters, digits and hyphens. "
        "Each stands in `order`.",
    )
    order: tuple[str, ...] = Field(
        ("anthropic", "openai", "embedded"),
        description="Who is asked first, second and so on: `anthropic`, `openai`, the names of endpoints, `embedded`. One "
        "without a key is left out, and so is what stands after `embedded`; the embedded judge is always the last resort.",
    )
    attempts: int = Field(5, ge=1, le=5, description="Calls of one provider for one question at most.")
    connect_timeout: Positive = Field(5.0, description="Seconds to wait for a connection.")
    failures: Count = Field(5, description="Failed calls in a row after which a provider is left alone.")
    requests_per_minute: Count = Field(60, description="Calls of one provider a minute, for each process.")
    tokens_per_minute: Count = Field(
        100_000, description="Tokens of one provider a minute, for each process."
    )
    second_vote: bool = Field(
        True,
        description="Whether what a language model would retire or merge waits for a person where a text speaks to its judge, "
        "nobody stands for it, or the two begin with different names or numbers, and the embedded judge does not say the same.",
    )
    daily_cap: NonNegative = Field(
        10.0, description="US dollars a tenant may cost a day (UTC); then models with a price are left out."
    )
    prices: dict[str, tuple[NonNegative, NonNegative]] = Field(
        {
            "claude-haiku-4-5": (1.0, 5.0),
            "claude-sonnet-4-5": (3.0, 15.0),
            "gpt-5-mini": (0.25, 2.0),
            "gpt-5-nano": (0.05, 0.4),
        },
        description="US dollars for a million tokens in and out, by the model's name or what it begins with. That of "
        "claude-haiku-4-5 stood on its maker's pages in November 2026; the others are from lists of third parties of 2025 "
        "and 2026 and may have changed: set what you pay. A model that is not listed counts as free, and `spend` says so.",
    )

    @field_validator("endpoints")
    @classmethod
    def _own_names(cls, endpoints: dict[str, Endpoint]) -> dict[str, Endpoint]:
        if taken := sorted(endpoints.keys() & set(PROVIDERS)):
            raise ValueError(f"{', '.join(taken)} is the name of a provider; give the endpoint another")
        return endpoints

    @field_validator("order")
    @classmethod
    def _known(cls, order: tuple[str, ...], given: ValidationInfo) -> tuple[str, ...]:
        # Faulty endpoints are told by themselves.
        endpoints = given.data.get("endpoints")
        if endpoints is None:
            return order
        known = (*PROVIDERS, *endpoints)
        if unknown := [name for name in order if name not in known]:
            raise ValueError(f"there is no provider {', '.join(unknown)}, only {', '.join(known)}")
        if left := [name for name in endpoints if name not in order]:
            raise ValueError(f"the endpoint {', '.join(left)} stands nowhere in it and would never be asked")
        return order


class AnthropicSettings(Section):
    """The Anthropic API; needs the extra `anthropic` and a key."""

    api_key: SecretStr | None = Field(
        default_factory=lambda: _secret("ANTHROPIC_API_KEY"),
        description="The key. Unset, that of ANTHROPIC_API_KEY; without either, this provider is not asked.",
    )
    base_url: str = Field("https://api.anthropic.com", description="Where it is served.")
    model: str = Field("claude-haiku-4-5", description="The model of every purpose that names no other.")


class OpenAISettings(Section):
    """OpenAI, or what speaks its Chat Completions: Ollama, LM Studio, llama.cpp; needs the extra `openai`."""

    api_key: SecretStr | None = Field(
        default_factory=lambda: _secret("OPENAI_API_KEY"),
        description="The key. Unset, that of OPENAI_API_KEY; a local server needs none.",
    )
    base_url: str | None = Field(
        None,
        description="Where it is served, for example http://127.0.0.1:11434/v1 for Ollama. Unset: OpenAI, if there is "
        "a key.",
    )
    model: str = Field("gpt-5-nano", description="The model of every purpose that names no other.")


class ModelUse(Section):
    """How a language model is asked."""

    # Sent where the model takes them; what refuses them is remembered.
    temperature: ClassVar[float | None] = None
    frequency_penalty: ClassVar[float | None] = None

    models: dict[str, str] = Field(
        {},
        description="Models of this purpose by the name of who is asked (`anthropic`, `openai` or an endpoint), if others "
        "than their defaults.",
    )
    max_tokens: Count = Field(1000, description=_MAX_TOKENS)
    thinking: int = Field(0, ge=0, description=_THINKING)
    timeout: Positive = Field(30.0, description=_TIMEOUT)


class ExtractSettings(ModelUse):
    """Asking a language model which statements of a conversation are worth keeping."""

    temperature = 0.3
    frequency_penalty = 0.5
    max_tokens: Count = Field(8000, description=_MAX_TOKENS)
    timeout: Positive = Field(60.0, description=_TIMEOUT)


class ClassifySettings(ModelUse):
    """Asking a language model how a new statement stands to those that are known."""

    temperature = 0.2
    max_tokens: Count = Field(2000, description=_MAX_TOKENS)


class ReviewSettings(ModelUse):
    """Asking a language model whether what was found is right: whether two names mean the same, whether it answers at all."""

    temperature = 0.0
    max_tokens: Count = Field(200, description=_MAX_TOKENS)


class ScreenSettings(ModelUse):
    """A language model that looks for attacks in what is to be remembered."""

    temperature = 0.0
    max_tokens: Count = Field(2000, description=_MAX_TOKENS)
    timeout: Positive = Field(10.0, description=_TIMEOUT)


class AskSettings(ModelUse):
    """A language model that answers questions from memories."""

    temperature = 0.0
    max_tokens: Count = Field(1000, description=_MAX_TOKENS)
    timeout: Positive = Field(20.0, description=_TIMEOUT)
    triggers: tuple[str, ...] = Field(
        ("when", "what date", "what time", "how long ago", "how many days", "what day"),
        description="Phrases of whole words that ask for more than a list of memories, wherever they stand.",
    )


class SummariseSettings(ModelUse):
    """Asking a language model to sum up the memories of a community."""

    temperature = 0.2
    max_tokens: Count = Field(2000, description=_MAX_TOKENS)
    timeout: Positive = Field(60.0, description=_TIMEOUT)


def _secret(name: str) -> SecretStr | None:
    """What the environment holds under a name that is not ours."""
    found = os.environ.get(name, "").strip()
    return SecretStr(found) if found else None
