"""The settings of models: what each is for, its default and its rule."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from graph_memory.base.sections import Count, NonNegative, Positive, Section
from graph_memory.model.purpose import Purpose

EndpointName = Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,39}$")]
# Who can be asked without being named in `providers.endpoints`.
PROVIDERS = ("anthropic", "openai", "embedded")


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
    # Times that a batch is sent before it counts as failed, and seconds in which a server that failed is not asked again.
    tries: ClassVar[int] = 3
    pause: ClassVar[float] = 15.0
    threads: int = Field(0, ge=0, description="Threads of the model; 0 lets it choose.")
    # Texts embedded at once.
    batch: ClassVar[int] = 64
    model_path: Path | None = Field(
        None, description="Another place of onnx's model file; its checksum is compared at load."
    )
    # Seconds after which every process knows that the model of the store is being changed.
    watch: ClassVar[float] = 2.0


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


class PurposeRow(Section):
    """How language models are asked for one purpose, where that is to differ from what is usual."""

    models: dict[str, str] = Field(
        {},
        description="Models of this purpose by the name of who is asked (`anthropic`, `openai` or an endpoint), if others "
        "than their defaults.",
    )
    max_tokens: Count | None = Field(
        None,
        description="Tokens of an answer at most, without those of thinking. Unset: 8000 to extract, 200 to review, 1000 to ask, "
        "else 2000.",
    )
    thinking: int | None = Field(
        None,
        ge=0,
        description="Tokens for thinking before the answer, sent where the model takes them. Unset: none.",
    )
    timeout: Positive | None = Field(
        None,
        description="Seconds to wait for one call's whole answer. Unset: 60 to extract and summarise, 10 to screen, 20 to ask, "
        "else 30.",
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
    purposes: dict[Purpose, PurposeRow] = Field(
        {},
        description="What differs for one purpose: to `extract` statements from messages, to `classify` how a new one stands "
        "to what is known, to `review` what was found, to `screen` for attacks, to `ask` (answer a question), to `summarise` a "
        "community.",
    )
    attempts: int = Field(5, ge=1, le=5, description="Calls of one provider for one question at most.")
    # Seconds to wait for a connection, and failed calls in a row after which a provider is left alone.
    connect_timeout: ClassVar[float] = 5.0
    failures: ClassVar[int] = 5
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


class AskSettings(Section):
    """When a question asks for an answer, and not for a list of memories."""

    triggers: tuple[str, ...] = Field(
        ("when", "what date", "what time", "how long ago", "how many days", "what day"),
        description="Phrases of whole words that ask for more than a list of memories, wherever they stand.",
    )


def _secret(name: str) -> SecretStr | None:
    """What the environment holds under a name that is not ours."""
    found = os.environ.get(name, "").strip()
    return SecretStr(found) if found else None
