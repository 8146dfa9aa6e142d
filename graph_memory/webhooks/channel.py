"""One connection to a receiver: a request has a time limit in all, redirects are not followed, little of an answer is read."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Timer
from time import monotonic
from types import TracebackType
from typing import Self

from graph_memory.webhooks.destination import Destination, NotPublic, addresses
from graph_memory.webhooks.settings import WebhooksSettings

# Bytes of an answer that are read, so that the connection can serve again; one that says more is closed.
MOST_READ = 16_384

_GONE = 410


@dataclass(frozen=True)
class Refusal:
    """Why a request failed, in our own words: what the receiver wrote is never kept."""

    told: str
    retry_after: float | None = None
    is_final: bool = False


class Channel:
    """A connection that is opened when it is needed and kept while it serves."""

    def __init__(self, to: Destination, settings: WebhooksSettings) -> None:
        self._to = to
        self._settings = settings
        self._seconds = settings.timeout
        self._open: _Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._close()

    def post(self, body: bytes, headers: Mapping[str, str]) -> Refusal | None:
        """None when the receiver has taken it."""
        until = monotonic() + self._seconds
        was_kept = self._open is not None
        try:
            try:
                return self._send(body, headers, until)
            except (HTTPException, OSError):
                # One that was kept may have been closed meanwhile by the receiver.
                if not was_kept or monotonic() >= until:
                    raise
                self._close()
                return self._send(body, headers, until)
        except NotPublic:
            return Refusal("its host has no address, or one that is not public")
        except ssl.SSLError as error:
            self._close()
            if isinstance(error, ssl.SSLCertVerificationError):
                return Refusal("its certificate is not valid")
            return self._lost(until, error)
        except (HTTPException, OSError) as error:
            self._close()
            return self._lost(until, error)

    def _send(self, body: bytes, headers: Mapping[str, str], until: float) -> Refusal | None:
        if self._open is None:
            self._open = _connected(self._to, self._settings, until)
        opened = self._open
        # The socket's own limit is for each step; this one is for all of them together.
        timer = Timer(max(until - monotonic(), 0.0), opened.cut)
        timer.start()
        try:
            opened.request("POST", self._to.target, body, {"Host": self._to.authority, **headers})
            answer = opened.getresponse()
            answer.read(MOST_READ)
        finally:
            timer.cancel()
        if not answer.isclosed() or answer.will_close:
            self._close()
        return _refusal(answer)

    def _lost(self, until: float, error: Exception) -> Refusal:
        if monotonic() >= until or isinstance(error, TimeoutError):
            return Refusal(f"it did not answer within {self._seconds:g} s")
        return Refusal(f"it cannot be reached ({type(error).__name__})")

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _Connection(HTTPConnection):
    """A connection over a socket that is open already."""

    def __init__(self, to: Destination, opened: socket.socket) -> None:
        super().__init__(to.host, to.port)
        self.sock = opened
        # It must not connect by itself: that would resolve the name anew.
        self.auto_open = 0

    def cut(self) -> None:
        """Ends it from another thread: whoever reads or writes gets an error."""
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


def _connected(to: Destination, settings: WebhooksSettings, until: float) -> _Connection:
    fault: Exception = NotPublic()
    for name in addresses(to, settings):
        left = until - monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            opened = socket.create_connection((name, to.port), timeout=left)
        except OSError as error:
            fault = error
            continue
        try:
            return _Connection(
                to, _trusted().wrap_socket(opened, server_hostname=to.host) if to.is_secure else opened
            )
        except OSError:
            opened.close()
            raise
    raise fault


@cache
def _trusted() -> ssl.SSLContext:
    return ssl.create_default_context()


def _refusal(answer: HTTPResponse) -> Refusal | None:
    status = answer.status
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return Refusal(f"it answered {status}, and redirects are not followed")
    if status == _GONE:
        return Refusal("it answered 410: it wants no more", is_final=True)
    asked = answer.getheader("Retry-After", "")
    return Refusal(f"it answered {status}", float(asked) if asked.isdecimal() and len(asked) < 9 else None)
