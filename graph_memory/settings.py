"""Every setting, with its default, its rule and what it is for. `docs/reference/settings.md` is made from this.

A setting is read from the environment as GRAPH_MEMORY_<SECTION>_<NAME>, for example GRAPH_MEMORY_NEO4J_URI,
else from the file that GRAPH_MEMORY_CONFIG names (TOML, one table a section). All faults are told at once.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_cache_path, user_data_path
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from graph_memory.base.errors import Misconfigured
from graph_memory.model.kinds import singular

PREFIX = "GRAPH_MEMORY_"
CONFIG = "GRAPH_MEMORY_CONFIG"

# Names by which others know a setting, read where its own is not set.
ALIASES = {
    "MEMORY_DECAY_RATE": ("linear", "rate"),
    "MEMORY_ARCHIVE_THRESHOLD": ("linear", "archive_at"),
    "MEMORY_LIFECYCLE_INTERVAL": ("jobs", "archive"),
    "GRAPH_MEMORY_RECALL_SUPERSEDED": ("supersession", "visibility"),
}

# Such names for what has no setting here, and why.
WITHOUT_EFFECT = {
    "MEMORY_CONSOLIDATION_THRESHOLD": "memories are not consolidated by a threshold of likeness",
}

Port = Annotated[int, Field(ge=1, le=65535)]
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
Period = Annotated[int, Field(ge=0)]
NonNegative = Annotated[float, Field(ge=0)]
Temperature = Annotated[float, Field(ge=0, le=2)]
Penalty = Annotated[float, Field(ge=-2, le=2)]
EndpointName = Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,39}$")]

# Who can be asked without being named in `providers.endpoints`.
PROVIDERS = ("anthropic", "openai", "embedded")

# How far weights may add up to something else than 1: a third is not written exactly.
_WHOLE = 1e-6

_JSON_FAULTS = ("dict_type", "tuple_type", "list_type")
_MAX_TOKENS = "Tokens of an answer at most, without those of thinking."
_TEMPERATURE = "Sampling temperature, sent where the model takes one."
_PENALTY = "Penalty for repeated words, sent where the model takes one."
_THINKING = "Tokens for thinking before the answer, sent where the model takes them; 0: none."
_TIMEOUT = "Seconds to wait for one call's whole answer."


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)


class Stack(Section):
    """The local stack that `graph-memory up` starts."""

    data: Path = Field(
        default_factory=lambda: user_data_path("graph-memory") / "default",
        description="Folder of this stack: database, broker, passwords, logs. Two stacks need two folders.",
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("graph-memory"),
        description="Folder of the downloaded server parts, shared by all stacks.",
    )
    host: str = Field(
        "127.0.0.1",
        description="Address on which the started servers listen. Only loopback unless you ask for more.",
    )
    bolt_port: Port = Field(7687, description="Neo4j's Bolt port.")
    http_port: Port = Field(
        7474, description="Neo4j's HTTP port; Neo4j Browser is served at /browser/ there."
    )
    broker_port: Port = Field(6390, description="The broker's port.")
    api_port: Port = Field(8420, description="The GraphQL service's port.")
    heap_mb: int = Field(1024, ge=256, description="Heap of the started Neo4j, in MB.")
    pagecache_mb: int = Field(256, ge=32, description="Page cache of the started Neo4j, in MB.")
    worker_processes: Count = Field(2, description="Processes of the worker that `up` starts.")
    silence: Positive = Field(
        60.0, description="Seconds for which a part may be alive and not answer before it is started again."
    )

    @field_validator("data", "cache")
    @classmethod
    def _rooted(cls, path: Path) -> Path:
        return path.expanduser().absolute()


class Neo4j(Section):
    """The database."""

    uri: str | None = Field(
        None, description="An existing server, for example neo4j://host:7687. Unset: the local stack's."
    )
    user: str = Field("neo4j", min_length=1, description="User name there.")
    password: SecretStr | None = Field(
        None, description="Password there. Unset: the one that the local stack generated."
    )
    database: str = Field("neo4j", min_length=1, description="Name of the database.")
    pool_size: Count = Field(60, description="Connections at most, for each process.")
    connect_timeout: Positive = Field(5.0, description="Seconds to wait for a connection.")
    read_timeout: Positive = Field(10.0, description="Seconds after which a read is cancelled.")
    write_timeout: Positive = Field(30.0, description="Seconds after which a write is cancelled.")
    job_timeout: Positive = Field(
        300.0, description="Seconds after which one statement of a job is cancelled."
    )
    max_writers: Count = Field(8, description="Writes of one tenant carried out at once, for each process.")
    max_waiting_writers: Count = Field(
        64,
        description="Writers of one tenant that may wait for their turn, for each process; more are refused.",
    )


class Broker(Section):
    """The broker that carries jobs to workers. It may be wiped at any moment; nothing is lost."""

    url: SecretStr | None = Field(
        None,
        description="An existing Redis, Valkey or RabbitMQ, as Celery writes it. Unset: the local stack's.",
    )
    visibility_timeout: Count = Field(
        1200,
        description="Seconds after which an unacknowledged job is delivered again; at least twice the hard time limit.",
    )
    task_time_limit: Count = Field(
        600, description="Seconds after which a job's process is ended. An ended job resumes from its Run."
    )

    @model_validator(mode="after")
    def _timeouts(self) -> Broker:
        if self.visibility_timeout < 2 * self.task_time_limit:
            raise ValueError("visibility_timeout must be at least twice task_time_limit")
        return self


class Api(Section):
    """The GraphQL service."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    url: str | None = Field(
        None,
        min_length=1,
        description="Where the running service is, for `doctor`, as http://api:8420. Unset: the local stack's.",
    )
    threads: Count = Field(40, description="Requests carried out at once, for each process.")
    max_depth: Count = Field(12, description="Depth of a query at most.")
    max_tokens: Count = Field(4000, description="Length of a query document at most, in tokens.")
    max_aliases: Count = Field(30, description="Aliases in a query at most.")
    max_cost: Count = Field(
        10_000, description="Objects that a query may ask for at most, page sizes multiplied down the tree."
    )
    max_document: Count = Field(65_536, description="Characters of a query document at most.")
    max_body: Count = Field(10_000_000, description="Bytes of a request at most.")
    document_cache: Count = Field(
        16_000_000, description="Bytes that query documents which are kept parsed may take, at a guess."
    )
    max_connections: Count = Field(
        500,
        description="Connections at once, for each process. A new one takes the place of that which has waited longest "
        "without a request; when all are being answered, it is told to come again later.",
    )
    header_timeout: Positive = Field(
        10.0, description="Seconds in which a client must have sent a request's first line and headers."
    )
    body_timeout: Positive = Field(
        30.0, description="Seconds in which a client must have sent a request's body, or read its answer."
    )
    idle_timeout: Positive = Field(5.0, description="Seconds that a connection is kept for another request.")
    max_forecast: Count = Field(
        20_000_000,
        description="Memories times days times policies that simulateDecay foresees in one answer at most; the command line "
        "has no bound.",
    )
    timeout: Positive = Field(30.0, description="Seconds after which a request is answered with an error.")
    introspection: bool = Field(
        True,
        description="Whether the schema can be asked for; also switches field suggestions and the query page.",
    )
    origins: tuple[str, ...] = Field(
        (), description="Web origins that browsers may call from. None by default."
    )


class Log(Section):
    """Logs: ids, counts and times, never the text of a memory."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Lowest level that is written."
    )
    format: Literal["json", "text"] = Field("json", description="One JSON object a line, or text for people.")


class Embedder(Section):
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


class Providers(Section):
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
    rest: Positive = Field(60.0, description="Seconds for which it is left alone, before one call tries it.")
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
    warn_share: Share = Field(0.8, description="Share of the cap from which the log and `spend` warn.")
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


class Anthropic(Section):
    """The Anthropic API; needs the extra `anthropic` and a key."""

    api_key: SecretStr | None = Field(
        default_factory=lambda: _secret("ANTHROPIC_API_KEY"),
        description="The key. Unset, that of ANTHROPIC_API_KEY; without either, this provider is not asked.",
    )
    base_url: str = Field("https://api.anthropic.com", description="Where it is served.")
    model: str = Field("claude-haiku-4-5", description="The model of every purpose that names no other.")


class OpenAI(Section):
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

    anthropic_model: str | None = Field(
        None, description="Model with Anthropic, if another than its default."
    )
    openai_model: str | None = Field(
        None, description="Model of the OpenAI-compatible server, if another than its default."
    )
    models: dict[str, str] = Field(
        {}, description="Models of endpoints, by the endpoint's name, if others than their defaults."
    )
    max_tokens: Count = Field(1000, description=_MAX_TOKENS)
    temperature: Temperature | None = Field(None, description=_TEMPERATURE)
    top_p: Share | None = Field(None, description="Nucleus sampling, sent where the model takes it.")
    frequency_penalty: Penalty | None = Field(None, description=_PENALTY)
    thinking: int = Field(0, ge=0, description=_THINKING)
    timeout: Positive = Field(30.0, description=_TIMEOUT)


class Extract(ModelUse):
    """Asking a language model which statements of a conversation are worth keeping."""

    max_tokens: Count = Field(8000, description=_MAX_TOKENS)
    temperature: Temperature | None = Field(0.3, description=_TEMPERATURE)
    frequency_penalty: Penalty | None = Field(0.5, description=_PENALTY)
    timeout: Positive = Field(60.0, description=_TIMEOUT)


class Classify(ModelUse):
    """Asking a language model how a new statement stands to those that are known."""

    max_tokens: Count = Field(2000, description=_MAX_TOKENS)
    temperature: Temperature | None = Field(0.2, description=_TEMPERATURE)


class Review(ModelUse):
    """Asking a language model whether what was found is right: whether two names mean the same, whether it answers at all."""

    max_tokens: Count = Field(200, description=_MAX_TOKENS)
    temperature: Temperature | None = Field(0.0, description=_TEMPERATURE)


class Screen(ModelUse):
    """A language model that looks for attacks in what is to be remembered."""

    max_tokens: Count = Field(2000, description=_MAX_TOKENS)
    temperature: Temperature | None = Field(0.0, description=_TEMPERATURE)
    timeout: Positive = Field(10.0, description=_TIMEOUT)


class Entities(Section):
    """How names are found in a text."""

    recogniser: Literal["rule", "spacy"] = Field(
        "rule",
        description="rule: by capital letters and known names. spacy: also by a trained model, which knows types; "
        "the extra `ner`.",
    )
    dormant_days: Count = Field(
        45,
        description="An entity that nothing new has mentioned for so many days is looked at by the monthly job.",
    )
    dormant_links: Count = Field(5, description="An entity that more memories mention is never looked at.")
    merge_cosine: float = Field(
        0.75, ge=0, le=1, description="Two names whose vectors are nearer than this may be one."
    )
    merge_likeness: float = Field(
        0.85, ge=0, le=1, description="Two names that are spelled more alike than this may be one."
    )
    merge_overlap: float = Field(
        0.3, ge=0, le=1, description="Two names that share more of their memories than this may be one."
    )
    merge_candidates: Count = Field(
        5, description="The best candidates that each dormant entity is compared with."
    )
    batch: Count = Field(50, description="Dormant entities that are compared and embedded at once.")


class Texts(Section):
    """What a memory may hold."""

    max_length: Count = Field(4000, description="Characters of a memory's text at most.")
    max_message: Count = Field(32_000, description="Characters of one message of a conversation at most.")
    max_tags: Count = Field(32, description="Tags of one memory at most.")


class Screening(Section):
    """What is looked for in texts before they are kept, and what is done about it."""

    secrets: Literal["mask", "label", "refuse", "off"] = Field(
        "mask",
        description="Passwords, keys, tokens, card and account numbers: taken out, only labelled, refused, or let be.",
    )
    personal: Literal["mask", "label", "refuse", "off"] = Field(
        "label", description="The same for addresses of mail and numbers of telephones."
    )
    labels: bool = Field(
        True,
        description="Whether what speaks to a judge, hides characters or mixes scripts is labelled, and so changes nothing "
        "known by itself.",
    )
    adversarial: bool = Field(
        False,
        description="Whether a language model reads each statement for attacks; what it blocks waits for a person.",
    )
    block_at: Literal["low", "medium", "high", "critical"] = Field(
        "high", description="The threat from which on it blocks."
    )
    fail_closed: bool = Field(
        True, description="Whether it blocks when no model gives an answer that can be read."
    )


class Capture(Section):
    """How sure a language model's extraction must be that a statement is worth keeping."""

    enabled: bool = Field(
        False,
        description="Whether it is asked for five factors of each statement, and what they come to decides. Rules give none.",
    )
    approve_at: Share = Field(0.9, description="A capture confidence from which on a statement is kept.")
    queue_at: Share = Field(
        0.7, description="One from which on it waits for a person; below, it is left out."
    )


class Ingest(Section):
    """Bringing in conversations and many facts."""

    batch: int = Field(500, ge=1, le=5000, description="Rows written in one transaction.")


class Ledger(Section):
    """The record of every decision."""

    retention_days: Count = Field(
        90, description="Days after which what a change did can no longer be undone; that it was done stays."
    )


class Recall(Section):
    """Search."""

    limit: int = Field(10, ge=1, le=100, description="Hits when nobody says how many.")
    max_limit: int = Field(100, ge=1, le=1000, description="Hits at most.")
    overfetch: int = Field(
        4,
        ge=1,
        le=20,
        description="Neighbours fetched for each hit wanted; exact rescoring among them makes up for the index's rounding.",
    )
    min_fetch: int = Field(60, ge=1, le=1000, description="Neighbours fetched at least.")
    text_weight: float = Field(
        0.3,
        ge=0,
        le=10,
        description="Weight of the full-text score, normalised within the query, beside the cosine.",
    )
    beside_weight: float = Field(
        0.4,
        ge=0,
        le=10,
        description="Weight of the better of what was said just before and after in the same session.",
    )
    author_weight: float = Field(0.1, ge=0, le=10, description="Added when the query names who said it.")
    cold_handicap: float = Field(
        0.1,
        ge=0,
        le=10,
        description="Taken off the score of cold memories in the default mode, so that only clearly nearer ones come first.",
    )
    min_similarity: float = Field(
        -1.0, ge=-1, le=1, description="Raw cosine below which a hit of the vector arm alone is left out."
    )


class Supersession(Section):
    """What becomes of a memory that another has superseded."""

    visibility: Literal["demote", "hide", "active", "archive"] = Field(
        "demote",
        description="demote: what was superseded comes along with what took its place, and is found by DEEP and EXHAUSTIVE. "
        "hide: it does not come along. active: STANDARD finds it too, and what has ended. archive: it does not come along, "
        "and the daily rules archive it. A past moment has what held then, whichever is set.",
    )


class Links(Section):
    """Memories that share an entity, joined by SHARES_ENTITY: a cache, derived from what they mention."""

    shared: Count = Field(10, description="Strongest others that a memory is joined to.")
    shared_most: Count = Field(
        50, description="An entity that more memories than this mention joins none of them."
    )
    batch: Count = Field(1000, description="Memories weighed anew in one transaction.")


class Traversal(Section):
    """Following links. What is cut short says so."""

    depth: int = Field(3, ge=1, le=5, description="Hops when nobody says how many; 5 at most are followed.")
    limit: Count = Field(100, description="Memories when nobody says how many.")
    max_limit: Count = Field(1000, description="Memories at most.")
    fan_out: Count = Field(1000, description="Links of a start that are followed in one direction.")
    reads: Count = Field(
        50_000, description="Links followed in one direction for one hop from many memories, in equal shares."
    )


class Pipeline(Section):
    """`remember`: how a new statement is compared with what is known, and what may be done by itself."""

    enabled: bool = Field(
        True, description="Whether statements are compared at all; when off, each is only added."
    )
    candidates: int = Field(
        5, ge=1, le=20, description="Known memories that a new statement is compared with."
    )
    floor: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Raw cosine from which a memory is a candidate. Unset: that of the embedding model (MiniLM 0.45).",
    )
    shared_floor: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="The same for a memory that shares an entity. Unset: that of the embedding model (MiniLM 0.30).",
    )
    worded_floor: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="The same for a memory that has a word in common which is no name. Unset: that of the embedding model "
        "(MiniLM 0.30).",
    )
    related: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Raw cosine from which the nearest coexisting memory is linked. Unset: the model's (MiniLM 0.60).",
    )
    confidence: Share = Field(
        0.8, description="A judge is followed above this confidence; at or below it the statement coexists."
    )
    timeout: Positive = Field(
        10.0, description="Seconds to wait for judges in all; then the embedded one decides."
    )
    enable_merge: bool = Field(True, description="Whether a judge may merge two memories.")
    enable_supersede: bool = Field(
        True, description="Whether a judge may put a memory in the place of another."
    )
    inherit_max_importance: bool = Field(
        True,
        description="Whether a merged memory takes the higher importance of the two; else that of the one that is kept.",
    )
    link_confidence: Share = Field(
        0.7, description="From this confidence on a link that a judge names is made."
    )
    related_kind: Literal["RELATED", "SIMILAR", "REFERENCES"] = Field(
        "RELATED", description="Link between coexisting memories when no judge names one."
    )
    related_strength: Share = Field(0.8, description="Strength of links between coexisting memories.")


class Conversations(Section):
    """How conversations become memories: when, in which pieces, and what is shown beside them."""

    idle_minutes: Count = Field(
        120, description="Minutes without a message after which the sweep closes a segment and extracts it."
    )
    batch: Count = Field(100, description="Messages that the rules extract in one transaction.")
    chunk: Count = Field(40, description="Messages in one question to a language model at most.")
    max_extraction_tokens: Count = Field(
        6000, description="Tokens of messages in one question at most, by an estimate of 4 characters each."
    )
    lookback: int = Field(
        4, ge=0, description="Earlier messages that are shown so that the new ones are understood."
    )
    nearest: int = Field(
        15,
        ge=0,
        le=100,
        description="Nearest known memories that a language model is shown beside the messages.",
    )
    pinned: int = Field(10, ge=0, le=100, description="Pinned memories that it is shown besides.")
    assistants: bool = Field(
        False,
        description="Whether what an assistant or a tool said is extracted; else only what people said.",
    )
    fuzzy: Share = Field(
        0.95,
        description="Share of equal characters from which a statement repeats a known one, all values equal.",
    )
    link_candidates: int = Field(
        20, ge=0, le=100, description="Known memories that a language model is asked to link a new one to."
    )
    link_floor: float = Field(
        0.55, ge=-1, le=1, description="Raw cosine from which one that shares an entity is such a candidate."
    )
    tries: Count = Field(
        3,
        description="Tries to read a message, the later ones alone, after which it is set aside with the reason.",
    )
    wait_minutes: Positive = Field(
        10.0,
        description="Minutes after the end of a batch that came to nothing after which rules extract its messages.",
    )


class Reviews(Section):
    """Decisions that wait for a person."""

    enabled: bool = Field(
        True, description="Whether what a judge proposes and is not done by itself is kept for a person."
    )
    expire_days: Count = Field(7, description="Days after which an undecided review expires.")
    keep_days: Count = Field(
        30,
        description="Days for which decided and expired ones are kept, and counted in the judge's agreement.",
    )
    batch: Count = Field(1000, description="Reviews that the job expires or removes in one transaction.")


class Batches(Section):
    """Many questions for a language model at once."""

    use_provider: bool = Field(
        True,
        description="Whether a provider's batches are used where there are some: half the price, answered within a day. "
        "Else the same questions are asked at once.",
    )
    size: int = Field(1000, ge=1, le=100_000, description="Questions in one batch at most.")
    megabytes: int = Field(200, ge=1, le=256, description="Size of one submission at most; the rest follows.")
    concurrency: Count = Field(4, description="Questions asked side by side where there are no batches.")
    faults: Count = Field(3, description="Passing faults in a row after which a batch has failed.")
    tries: Count = Field(3, description="Answers without use after which a question is given up.")
    retries: int = Field(
        4, ge=0, description="Times that the job puts a failed or expired batch back in line."
    )
    timeout: Positive = Field(
        300.0,
        description="Seconds without progress after which a batch whose answers are applied has failed.",
    )
    provider_hours: Positive = Field(
        24.0, description="Hours after which a batch has expired whose provider names no time of its own."
    )
    expire_hours: Positive = Field(
        48.0, description="Hours after its submission after which any batch has expired."
    )
    keep_hours: Positive = Field(48.0, description="Hours for which batches at their end are kept.")


class Decay(Section):
    """What all scoring policies share: which one makes the importance, by which clock, and how it is written."""

    policy: Literal["earning", "linear", "retention"] = Field(
        "earning",
        description="What makes a memory's importance: earned by use, a weighted sum, or its retention.",
    )
    clock: Literal["policy", "activity", "calendar"] = Field(
        "policy",
        description="Ages in days of activity of the person or in calendar days; policy: activity for earning, else calendar.",
    )
    feedback_weight: Share = Field(
        0.0, description="Weight of what people said of it; above 0 all else shrinks in proportion."
    )
    critical_floor: Share = Field(0.9, description="The scores of a critical memory are never below this.")
    critical_overrides_expiry: bool = Field(
        False,
        description="Whether a critical memory stays current and keeps its scores after it has expired.",
    )
    expiry_grace_days: float = Field(
        0.0,
        ge=0,
        le=36_525,
        description="Days in which an expired memory is still current while its scores trail off; 0: it ends at once.",
    )
    batch: Count = Field(5000, description="Memories rescored in one transaction.")
    concurrency: Count = Field(
        1,
        description="Statements of a rescoring at once; more are quicker, and searches wait longer meanwhile.",
    )
    kept_moves: int = Field(
        1000, ge=0, description="Changes of tier that a run keeps one by one; all of them are counted."
    )


class Earning(Section):
    """The `earning` policy: importance is earned by use and links, and lost by not being used."""

    rate: float = Field(
        0.95, gt=0, le=1, description="Share of its accesses that counts after each idle day."
    )
    baseline: Positive = Field(0.02, description="Accesses a day that count as usual.")
    min_age: Positive = Field(7.0, description="Days that a memory counts as old at least.")
    value_weight: float = Field(0.8, ge=0, description="Weight of the rate of access.")
    recency_rate: float = Field(0.03, ge=0, description="How fast idle days tell: 1 / (1 + rate idle).")
    centre: float = Field(2.0, description="The sum that makes an importance of a half.")
    hub_link: float = Field(0.04, ge=0, description="What each of the first links adds.")
    hub_links: int = Field(10, ge=0, description="How many links are the first ones.")
    hub_slope: float = Field(0.02, ge=0, description="What the next link adds.")
    hub_curve: float = Field(0.05, ge=0, description="How fast further links add less.")
    newness: float = Field(
        2.0,
        ge=0,
        description="Grace of a new memory of importance 0.5; others have what makes them start as they were assigned. 0: none.",
    )
    newness_rate: float = Field(0.133, ge=0, description="What of that grace is lost each day.")
    day_factor: float = Field(2.0, ge=0, description="Factor within a day before what it tells of.")
    week_factor: float = Field(1.5, ge=0, description="Factor within a week before.")
    fortnight_factor: float = Field(1.2, ge=0, description="Factor within two weeks before.")
    past_start: float = Field(0.8, ge=0, description="Factor right after what it tells of.")
    past_end: float = Field(0.1, ge=0, description="Factor once that lies past_days back.")
    past_days: Positive = Field(14.0, description="Days over which the one becomes the other.")
    rounding: int = Field(3, ge=1, le=12, description="Decimals that are stored.")
    archive_at: Share = Field(
        0.001, description="An importance at or below this is archived; only what has expired comes so low."
    )


class Linear(Section):
    """The `linear` policy: base, access, recency and confidence weighted and added, times rate^idle days."""

    base_weight: Share = Field(0.3, description="Weight of the assigned importance.")
    access_weight: Share = Field(0.3, description="Weight of how often it was recalled.")
    recency_weight: Share = Field(0.2, description="Weight of its age.")
    confidence_weight: Share = Field(0.2, description="Weight of its confidence.")
    max_access: Count = Field(100, description="Recalls that count as the most.")
    recency_tau_days: Positive = Field(
        30.0, description="Days after which the age term is 1/e; not a half-life."
    )
    rate: float = Field(0.95, gt=0, le=1, description="Factor for each idle day.")
    rounding: int = Field(4, ge=1, le=12, description="Decimals that are stored.")
    archive_at: Share = Field(0.1, description="An importance below this is archived.")

    @model_validator(mode="after")
    def _is_whole(self) -> Linear:
        _require_whole(
            base_weight=self.base_weight,
            access_weight=self.access_weight,
            recency_weight=self.recency_weight,
            confidence_weight=self.confidence_weight,
        )
        return self


class Retention(Section):
    """How well a memory is kept: recency, activation and worth weighted and added. Its tier follows from this."""

    recency_weight: Share = Field(0.4, description="Weight of how lately it was made or recalled.")
    activation_weight: Share = Field(0.2, description="Weight of how often it was recalled.")
    worth_weight: Share = Field(
        0.4, description="Weight of what it is worth: as assigned, or as its kind is."
    )
    half_life_days: Positive = Field(30.0, description="Days after which the recency has halved.")
    half_lives: dict[str, Positive] = Field(
        {}, description="Half-lives in days of single kinds of memories, instead of that."
    )
    worths: dict[str, Share] = Field(
        {
            "decisions": 1.0, "learnings": 0.9, "patterns": 0.85, "retrospective": 0.8, "inception": 0.7,
            "blockers": 0.7, "research": 0.6, "elicitation": 0.6, "progress": 0.5, "reviews": 0.5,
        },
        description="What memories of a kind are worth at least; other kinds are worth what was assigned.",
        validate_default=True,
    )  # fmt: skip
    activation: Literal["log", "boost"] = Field(
        "log", description="How recalls add up: by their logarithm, or activation_boost for each."
    )
    saturation: Count = Field(20, description="Recalls that count as the most by the logarithm.")
    activation_boost: Positive = Field(0.1, description="What each recall adds with boost.")
    superseded_penalty: Share = Field(0.2, description="Factor for a memory that another has superseded.")
    rounding: int = Field(3, ge=1, le=12, description="Decimals that are stored, and compared to the tiers.")

    @field_validator("half_lives", "worths", mode="after")
    @classmethod
    def _in_both_numbers(cls, given: dict[str, float]) -> dict[str, float]:
        """Kinds are kept in the singular; what was stored before may be spelled as here."""
        return {**given, **{singular(kind): value for kind, value in given.items()}}

    @model_validator(mode="after")
    def _is_whole(self) -> Retention:
        _require_whole(
            recency_weight=self.recency_weight,
            activation_weight=self.activation_weight,
            worth_weight=self.worth_weight,
        )
        return self


def _require_whole(**weights: float) -> None:
    """Weights that share out one score add up to 1, or it would leave [0, 1] or never fill it."""
    if abs(sum(weights.values()) - 1.0) > _WHOLE:
        told = " + ".join(f"{name} {weight:g}" for name, weight in weights.items())
        raise ValueError(f"{told} is {sum(weights.values()):g}; these weights must add up to 1")


class Tiers(Section):
    """From which retention on a memory is hot, warm or cold; what is below the last is in tier ARCHIVED."""

    hot: Share = Field(0.6, description="Retention from which a memory is HOT.")
    warm: Share = Field(0.3, description="Retention from which it is WARM.")
    archive_threshold: Share = Field(
        0.1, description="Retention from which it is COLD; below it is ARCHIVED."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Tiers:
        if not self.archive_threshold < self.warm < self.hot:
            raise ValueError(
                f"archive_threshold {self.archive_threshold:g} < warm {self.warm:g} < hot {self.hot:g} does not hold, "
                "so a tier would be empty"
            )
        return self


class Access(Section):
    """Recalls count as accesses, which scores are made of; they are written behind the answer."""

    count: bool = Field(True, description="Whether a recall counts as an access of what it answers.")
    count_linked: bool = Field(
        False, description="Whether memories that are brought along with a hit count as well."
    )
    count_automatic: bool = Field(
        False,
        description="Whether recalls that nobody asked for, made to fill a prompt, count; so memories keep themselves alive.",
    )
    batch: Count = Field(500, description="Memories from which on accesses are written at once.")
    seconds: Positive = Field(2.0, description="Seconds after which they are written at the latest.")
    waiting: Count = Field(
        10_000,
        description="Memories whose accesses wait at most; others are not counted until they are written.",
    )


class Archive(Section):
    """What is archived by rule, brought back by use, and, only if allowed, deleted."""

    expired: bool = Field(True, description="Rule: archive what has expired, after its days of grace.")
    importance: bool = Field(
        True, description="Rule: archive what has come down to the policy's archive_at; earning or linear."
    )
    tier: bool = Field(True, description="Rule: archive what has come down to the tier ARCHIVED.")
    after_days: NonNegative = Field(
        0.0, description="Rule: archive what was made so many days ago; 0: age alone archives nothing."
    )
    retract_after_days: NonNegative = Field(
        0.0, description="Rule: retract what is archived and was made so many days ago; 0: never."
    )
    delete_after_days: NonNegative = Field(
        0.0, description="Rule: erase what is retracted and was made so many days ago; 0: never."
    )
    enable_delete: bool = Field(
        False,
        description="Whether that rule may erase at all; a person may by the right `erase`. There is no undo; the ledger "
        "keeps that it was done.",
    )
    cap_share: Share = Field(
        0.01,
        description="Share of a tenant's active memories that one run archives at most, expired ones aside.",
    )
    cap_least: Count = Field(50, description="Memories that one run may archive in any case.")
    batch: Count = Field(100, description="Memories archived in one transaction.")
    auto_restore: bool = Field(
        True, description="Whether what faded away comes back when it is recalled or linked to."
    )


class Communities(Section):
    """Clusters of memories that say related things, found by GDS."""

    neighbours: Count = Field(10, description="Nearest neighbours of each memory that become edges.")
    similarity: float = Field(
        0.5, ge=-1, le=1, description="Raw cosine from which two memories are joined by an edge."
    )
    min_size: int = Field(3, ge=2, description="Members at least.")
    overlap: float = Field(
        0.3,
        gt=0,
        le=1,
        description="Share of common members, of all of both, from which a cluster is the community of before.",
    )
    gamma: Positive = Field(1.0, description="Leiden's resolution; higher gives smaller communities.")
    seed: int = Field(7, description="Random seed, so that the same data gives the same communities.")


class Jobs(Section):
    """How often each job of the beat is due, in seconds (0 switches it off), and how jobs hold their lease."""

    forgetting: bool = Field(
        True,
        description="Whether the beat rescores and archives at all. Off: scores and tiers stay, nothing is archived by rule.",
    )
    rescore: Period = Field(86_400, description="Rescoring of importance, retention and tiers.")
    communities: Period = Field(86_400, description="Community detection.")
    reweigh: Period = Field(86_400, description="Weighing anew which memories share entities.")
    compact: Period = Field(86_400, description="Emptying changes that are past their retention.")
    archive: Period = Field(86_400, description="Archiving by rule.")
    restore: Period = Field(300, description="Bringing back what was archived and is used again.")
    fill: Period = Field(300, description="Embedding what was stored while the embedder failed.")
    due: Period = Field(60, description="Moving what the clock has made live or past.")
    tidy: Period = Field(86_400, description="Removing runs that nobody will ask for again.")
    verify: Period = Field(86_400, description="Checking the invariants of the store.")
    sweep: Period = Field(300, description="Closing segments of conversations that are idle.")
    collect_entities: Period = Field(2_592_000, description="Looking for entities that are one.")
    expire_reviews: Period = Field(3600, description="Expiring reviews that nobody decided.")
    poll_extraction: Period = Field(60, description="Asking how batches of extraction stand.")
    poll_relationships: Period = Field(
        60, description="Asking how batches of relationships, and all others, stand."
    )
    retry_batches: Period = Field(21_600, description="Putting failed and expired batches back in line.")
    purge_batches: Period = Field(86_400, description="Removing batches that ended some time ago.")
    keep: Count = Field(100, description="Ended runs that are kept of each job, tenant and status.")
    reconcile: Count = Field(60, description="Taking up unfinished runs whose lease has run out.")
    max_tick: Count = Field(300, description="Beat asks at least this often whether a job is due.")
    lease: Count = Field(60, description="Seconds a job's lease holds without being renewed.")
    attempts: Count = Field(
        5, description="Tries of one run that get no further, before it counts as failed."
    )
    backoff: Positive = Field(
        10.0, description="Seconds before the second try of a run that failed; each next waits twice as long."
    )


class Settings(BaseSettings):
    """All settings of the service."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
    )

    stack: Stack = Field(default_factory=Stack)
    neo4j: Neo4j = Field(default_factory=Neo4j)
    broker: Broker = Field(default_factory=Broker)
    api: Api = Field(default_factory=Api)
    log: Log = Field(default_factory=Log)
    embedder: Embedder = Field(default_factory=Embedder)
    providers: Providers = Field(default_factory=Providers)
    anthropic: Anthropic = Field(default_factory=Anthropic)
    openai: OpenAI = Field(default_factory=OpenAI)
    extract: Extract = Field(default_factory=Extract)
    classify: Classify = Field(default_factory=Classify)
    review: Review = Field(default_factory=Review)
    screen: Screen = Field(default_factory=Screen)
    entities: Entities = Field(default_factory=Entities)
    texts: Texts = Field(default_factory=Texts)
    screening: Screening = Field(default_factory=Screening)
    capture: Capture = Field(default_factory=Capture)
    ingest: Ingest = Field(default_factory=Ingest)
    ledger: Ledger = Field(default_factory=Ledger)
    recall: Recall = Field(default_factory=Recall)
    supersession: Supersession = Field(default_factory=Supersession)
    links: Links = Field(default_factory=Links)
    traversal: Traversal = Field(default_factory=Traversal)
    pipeline: Pipeline = Field(default_factory=Pipeline)
    conversations: Conversations = Field(default_factory=Conversations)
    reviews: Reviews = Field(default_factory=Reviews)
    batches: Batches = Field(default_factory=Batches)
    decay: Decay = Field(default_factory=Decay)
    earning: Earning = Field(default_factory=Earning)
    linear: Linear = Field(default_factory=Linear)
    retention: Retention = Field(default_factory=Retention)
    tiers: Tiers = Field(default_factory=Tiers)
    access: Access = Field(default_factory=Access)
    archive: Archive = Field(default_factory=Archive)
    communities: Communities = Field(default_factory=Communities)
    jobs: Jobs = Field(default_factory=Jobs)

    @model_validator(mode="before")
    @classmethod
    def _former_names(cls, given: Any) -> Any:
        """`recall.superseded` is `supersession.visibility` now; where both are given, that one counts."""
        recall = given.get("recall") if isinstance(given, dict) else None
        if not isinstance(recall, dict) or "superseded" not in recall:
            return given
        recall, supersession = dict(recall), given.get("supersession") or {}
        former = {"visibility": recall.pop("superseded")}
        return {**given, "recall": recall, "supersession": {**former, **supersession}}

    @model_validator(mode="after")
    def _models_of_endpoints(self) -> Settings:
        endpoints = self.providers.endpoints
        for section, use in self:
            unknown = (
                [name for name in use.models if name not in endpoints] if isinstance(use, ModelUse) else []
            )
            if unknown:
                raise ValueError(
                    f"{section}.models names {', '.join(unknown)}, which is no endpoint of providers.endpoints"
                )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What a caller passes comes before the environment, its aliases after it, then the file."""
        named = os.environ.get(CONFIG)
        file = (TomlConfigSettingsSource(settings_cls, Path(named)),) if named else ()
        return (init_settings, _Environment(settings_cls), _Aliases(settings_cls), *file)


class _Environment(EnvSettingsSource):
    """The environment; what is not the JSON that it ought to be is left as it is, for its setting to refuse."""

    def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:
        try:
            return super().decode_complex_value(field_name, field, value)
        except ValueError:
            return value


class _Aliases(PydanticBaseSettingsSource):
    """The settings that the environment holds under their other names."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 - asked so
        """The values of one section."""
        found = {
            name: os.environ[alias]
            for alias, (section, name) in ALIASES.items()
            if section == field_name and alias in os.environ
        }
        return found or None, field_name, True

    def __call__(self) -> dict[str, Any]:
        named = {section for section, _ in ALIASES.values()}
        values = {section: self.get_field_value(None, section)[0] for section in named}
        return {section: value for section, value in values.items() if value}


def load(**given: Mapping[str, Any]) -> Settings:
    """The settings of this process; `given` (`stack={"bolt_port": 7688}`) comes before everything else.

    Raises Misconfigured, which lists every fault: unknown names, values out of range, contradictions.
    """
    faults = _broken_file()
    if faults:
        raise Misconfigured(faults)
    faults = _unknown_names()
    try:
        settings = Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        told = {fault.partition(":")[0] for fault in faults}
        found = [_fault(item) for item in error.errors(include_input=False, include_url=False)]
        faults += [fault for fault in found if fault.partition(":")[0] not in told]
        raise Misconfigured(faults) from None
    if faults:
        raise Misconfigured(faults)
    return settings


def notes(settings: Settings) -> list[str]:
    """What the environment holds under names of other systems and changes nothing; each with what to do."""
    found = [f"{name} has no effect: {why}" for name, why in WITHOUT_EFFECT.items() if name in os.environ]
    policy = settings.decay.policy
    for alias, (section, name) in ALIASES.items():
        if alias in os.environ and section in ("earning", "linear", "retention") and section != policy:
            found.append(
                f"{alias} is read as {_spelled(section, name)}, and the policy {policy} does not use it; "
                f"{PREFIX}DECAY_POLICY={section} does"
            )
    return found


def _secret(name: str) -> SecretStr | None:
    """What the environment holds under a name that is not ours."""
    found = os.environ.get(name, "").strip()
    return SecretStr(found) if found else None


def _unknown_names() -> list[str]:
    known = {f"{PREFIX}{section}_{name}".upper() for section, names in _names().items() for name in names}
    found = sorted(
        name for name in os.environ if name.startswith(PREFIX) and name != CONFIG and name not in ALIASES
    )
    return [f"{name}: there is no such setting" for name in found if name.upper() not in known]


def _broken_file() -> list[str]:
    named = os.environ.get(CONFIG)
    if not named:
        return []
    try:
        tomllib.loads(Path(named).read_text("utf-8"))
    except OSError as error:
        return [f"{CONFIG}={named}: cannot be read ({error.strerror})"]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"{CONFIG}={named}: is not TOML ({error})"]
    return []


def _names() -> dict[str, list[str]]:
    return {section: list(field.annotation.model_fields) for section, field in Settings.model_fields.items()}  # type: ignore[union-attr]


def _fault(item: Any) -> str:
    where = [str(part) for part in item["loc"]]
    if not where:
        return f"The settings: {item['msg']}"
    spelled = _spelled(*where[:2])
    typed = [
        alias for alias, setting in ALIASES.items() if list(setting) == where[:2] and alias in os.environ
    ]
    inside = f"{'.'.join(where[2:])}: " if where[2:] else ""
    told = f"{item['msg']}, written as JSON" if item["type"] in _JSON_FAULTS else item["msg"]
    return f"{typed[0] if typed and spelled not in os.environ else spelled}: {inside}{told}"


def _spelled(*names: str) -> str:
    return PREFIX + "_".join(names).upper()
