"""The beat's sign of life, kept in the broker: whoever reaches the broker can tell which beats are at work.

`python -m graph_memory.local.beat_check` ends with 0 when one of this machine is: a container's health check. It
is a hint for people and for such checks; nothing else is decided by it. Only the Redis family can keep one.
"""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import psutil
import redis

from graph_memory.base.errors import Unavailable

KEY = "graph_memory.beats"
EVERY = 5.0
# A beat that has given no sign for so long is not at work.
SILENT = 20.0
_FORGOTTEN = 3600
_TIMEOUT = 2.0


@dataclass(frozen=True)
class Sign:
    """The last sign of one beat: `age` in seconds, by the broker's clock."""

    host: str
    pid: int
    age: float

    def __str__(self) -> str:
        return f"{self.pid}@{self.host}"


class Pulse:
    """Gives this process's signs. A broker that is away, or cannot keep them, is no fault here."""

    def __init__(self, address: str) -> None:
        self._name = f"{os.getpid()}@{socket.gethostname()}"
        self._client = _client(address)
        self._due = 0.0

    def give(self) -> None:
        """A sign, if the last one is `EVERY` seconds old."""
        if self._client is None or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + EVERY
        with suppress(redis.RedisError, OSError):
            self._client.zadd(KEY, {self._name: _now(self._client)})
            self._client.expire(KEY, _FORGOTTEN)

    def stop(self) -> None:
        """This beat has ended, and need not be waited for."""
        if self._client is not None:
            with suppress(redis.RedisError, OSError):
                self._client.zrem(KEY, self._name)
            self._client.close()


def signs(address: str) -> list[Sign] | None:
    """The beats that are at work at a broker; None at one that keeps no signs. Raises Unavailable."""
    client = _client(address)
    if client is None:
        return None
    try:
        now = _now(client)
        rows: Any = client.zrangebyscore(KEY, now - SILENT, "+inf", withscores=True)
    except (redis.RedisError, OSError) as error:
        at = urlsplit(address)
        raise Unavailable(
            f"The broker does not answer at {at.hostname}:{at.port}; `graph-memory status` tells whether it runs."
        ) from error
    finally:
        client.close()
    found = [_sign(name.decode(), now - at) for name, at in rows]
    return [sign for sign in found if not _has_ended(sign)]


def _sign(name: str, age: float) -> Sign:
    pid, _, host = name.partition("@")
    return Sign(host, int(pid), max(age, 0.0))


def _has_ended(sign: Sign) -> bool:
    """Killed, so that it could not say so; only on this machine can that be seen."""
    return sign.host == socket.gethostname() and not psutil.pid_exists(sign.pid)


def _now(client: redis.Redis) -> float:
    seconds, micro = client.time()
    return float(seconds) + float(micro) / 1e6


def _client(address: str) -> redis.Redis | None:
    try:
        return redis.Redis.from_url(address, socket_connect_timeout=_TIMEOUT, socket_timeout=_TIMEOUT)
    except ValueError:
        return None
