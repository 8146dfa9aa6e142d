"""Where this process finds its database and its broker."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from graph_memory.base.sections import Sections
from graph_memory.store.settings import BrokerSettings, Neo4jSettings, StackSettings
from graph_memory.store.stack_folder import read_secrets

USER = "neo4j"


@dataclass(frozen=True)
class Addresses:
    """The servers of this process, and how to log in there."""

    neo4j_uri: str
    neo4j_user: str
    neo4j_password: str = field(repr=False)
    broker_url: str = field(repr=False)


def addresses(settings: Sections) -> Addresses:
    """What the settings name, else the local stack's; Unavailable when there is neither."""
    user, password = neo4j_login(settings)
    return Addresses(neo4j_uri(settings), user, password, broker_url(settings))


def neo4j_uri(settings: Sections) -> str:
    """The database's address; it may not answer yet."""
    return settings[Neo4jSettings].uri or bolt_uri(settings[StackSettings])


def neo4j_login(settings: Sections) -> tuple[str, str]:
    """User and password. A named server without a password is one that asks for none."""
    named = settings[Neo4jSettings].password
    if named is not None:
        return settings[Neo4jSettings].user, named.get_secret_value()
    if settings[Neo4jSettings].uri is not None:
        return settings[Neo4jSettings].user, ""
    return USER, read_secrets(settings[StackSettings].data).neo4j_password


def broker_url(settings: Sections) -> str:
    """The broker's address, with its password."""
    named = settings[BrokerSettings].url
    if named is not None:
        return named.get_secret_value()
    return broker_uri(settings[StackSettings], read_secrets(settings[StackSettings].data).broker_password)


def bolt_uri(stack: StackSettings) -> str:
    """Where the started server answers Bolt."""
    return f"bolt://{stack.host}:{stack.bolt_port}"


def broker_uri(stack: StackSettings, password: str) -> str:
    """The broker's address as Celery writes it."""
    return f"redis://:{quote(password, safe='')}@{stack.host}:{stack.broker_port}/0"
