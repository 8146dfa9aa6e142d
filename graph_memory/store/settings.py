"""The settings of store: what each is for, its default and its rule."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from platformdirs import user_cache_path, user_data_path
from pydantic import Field, SecretStr, field_validator

from graph_memory.base.sections import Count, Port, Positive, Section


class StackSettings(Section):
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
    read_only: bool = Field(
        False,
        description="Whether the started Neo4j refuses every write, for people who look at a restored copy. `up` then starts it "
        "alone.",
    )
    silence: Positive = Field(
        60.0, description="Seconds for which a part may be alive and not answer before it is started again."
    )

    @field_validator("data", "cache")
    @classmethod
    def _rooted(cls, path: Path) -> Path:
        return path.expanduser().absolute()


class Neo4jSettings(Section):
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
    read_timeout: Positive = Field(10.0, description="Seconds after which a read is cancelled.")
    write_timeout: Positive = Field(30.0, description="Seconds after which a write is cancelled.")
    job_timeout: Positive = Field(
        300.0, description="Seconds after which one statement of a job is cancelled."
    )
    max_writers: Count = Field(8, description="Writes of one tenant carried out at once, for each process.")
    # Writers of one tenant that may wait for their turn, for each process; more are refused.
    max_waiting_writers: ClassVar[int] = 64


class BrokerSettings(Section):
    """The broker that carries jobs to workers. It may be wiped at any moment; nothing is lost."""

    url: SecretStr | None = Field(
        None,
        description="An existing Redis, Valkey or RabbitMQ, as Celery writes it. Unset: the local stack's.",
    )
    task_time_limit: Count = Field(
        600,
        description="Seconds after which a job's process is ended; one that nobody acknowledged is delivered again after twice "
        "as many. An ended job resumes from its Run.",
    )
