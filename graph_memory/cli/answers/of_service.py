"""What the commands of the service itself answer: its health, keys, models and benchmarks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graph_memory.cli.answers.shapes import also
from graph_memory.local.findings import Finding
from graph_memory.models.profiles import Profile
from graph_memory.models.registry import Standing
from graph_memory.models.spaces import Model, Stage
from graph_memory.store.api_keys import ApiKey


@dataclass
class Examined:
    """What was checked."""

    healthy: bool
    findings: list[Finding]


@dataclass
class FilesChecked:
    """What Neo4j says of its own files; null where all is well."""

    violations: dict[str, int]
    report: str | None


@dataclass
class Embedding:
    """The model of the settings and of the store, and how many states wait for a vector."""

    settings: Model
    store: Model | None
    next: Model | None
    stage: Stage | None
    waiting: int
    profile: Profile


@dataclass
class Keys:
    """API keys."""

    keys: list[ApiKey]


@dataclass
class Providers:
    """The providers of language models; `answer` is null where none was asked for."""

    providers: list[also("Provider", Standing, answer=str | None)]  # type: ignore[valid-type]


@dataclass
class Aside:
    """Where the store so far was put; null where there was none."""

    aside: str | None


# What a benchmark measures is its own.
Figures = dict[str, Any]

BENCHES = frozenset(
    {
        *("api", "chain", "claims", "clear", "communities", "consolidate", "conversations", "decay"),
        *("extraction", "judge", "links", "questions", "recall", "remember", "statements", "store"),
        *("stories", "temporal", "time", "transfer", "worth"),
    }
)
