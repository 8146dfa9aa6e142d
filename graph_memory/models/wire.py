"""What both SDKs share: an answer read within its time and size, and their errors as ours.

Our errors never carry what the provider wrote: it may quote the key or the text that was sent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from graph_memory.base.errors import ProviderFault
from graph_memory.base.stopwatch import Watch

MAX_BYTES = 4_000_000
_MOST_DETAIL = 2000


class Kind(StrEnum):
    """Why a provider gave no answer."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    BUSY = "busy"
    BROKEN = "broken"
    REFUSED = "refused"
    NOT_ALLOWED = "not_allowed"
    UNREADABLE = "unreadable"
    DECLINED = "declined"
    GONE = "gone"
    RESTING = "resting"
    LIMITED = "limited"
    CAPPED = "capped"


# Another call may fare better.
PASSING = frozenset({Kind.TIMEOUT, Kind.UNREACHABLE, Kind.BUSY, Kind.BROKEN})
# The provider is to blame, not the question.
OF_THE_PROVIDER = PASSING | {Kind.NOT_ALLOWED}
_OVERLOADED = (408, 409, 429, 503, 529)


@contextmanager
def translated(sdk: Any, provider: str) -> Iterator[None]:
    """Turns the SDK's errors, and those of the HTTP client below it, into ProviderFault."""
    import httpx2

    try:
        yield
    except (sdk.APITimeoutError, httpx2.TimeoutException):
        raise fault(provider, Kind.TIMEOUT, "it did not answer in time") from None
    except (sdk.APIConnectionError, httpx2.TransportError):
        raise fault(provider, Kind.UNREACHABLE, "it cannot be reached") from None
    except sdk.APIStatusError as error:
        raise _of_status(provider, error) from None
    except (sdk.APIError, json.JSONDecodeError):
        raise fault(provider, Kind.UNREADABLE, "its answer is not what its interface promises") from None


def fault(provider: str, kind: Kind, told: str, retry_after: float | None = None) -> ProviderFault:
    """A fault of that kind."""
    return ProviderFault(provider, kind, told, retry_after)


def body(chunks: Iterator[bytes], provider: str, watch: Watch, until: float) -> dict[str, Any]:
    """The JSON object of an answer that comes in pieces. ProviderFault when it comes too slowly, or is too large."""
    read = bytearray()
    for chunk in chunks:
        read += chunk
        if watch.now() > until:
            raise fault(provider, Kind.TIMEOUT, "its answer did not end in time")
        if len(read) > MAX_BYTES:
            raise fault(provider, Kind.UNREADABLE, f"its answer is longer than {MAX_BYTES:,} bytes")
    try:
        found = json.loads(read)
    except (ValueError, RecursionError):
        raise fault(provider, Kind.UNREADABLE, "its answer is not JSON") from None
    if not isinstance(found, dict):
        raise fault(provider, Kind.UNREADABLE, "its answer is no JSON object")
    return found


def rows(holder: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list as told; none when it is none."""
    found = holder.get(name)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def count(holder: Any, name: str) -> int:
    """A count of tokens as told; 0 when it is none."""
    found = holder.get(name) if isinstance(holder, dict) else None
    return max(0, found) if isinstance(found, int) and not isinstance(found, bool) else 0


def _of_status(provider: str, error: Any) -> ProviderFault:
    status = int(error.status_code)
    if status in _OVERLOADED:
        kind, told = Kind.BUSY, f"it is too busy or wants fewer calls (HTTP {status})"
    elif status >= 500:
        kind, told = Kind.BROKEN, f"it failed (HTTP {status})"
    elif status in (401, 402, 403):
        kind, told = Kind.NOT_ALLOWED, f"it refused the key (HTTP {status}); check the key and its account"
    elif status == 404:
        kind, told = (
            Kind.NOT_ALLOWED,
            "it knows no such address or model (HTTP 404); check base_url and model",
        )
    else:
        kind, told = Kind.REFUSED, f"it refused the request (HTTP {status})"
    detail = str(getattr(error, "body", None) or error)[:_MOST_DETAIL].lower()
    return ProviderFault(provider, kind, told, _retry_after(error.response.headers), detail)


def _retry_after(headers: Any) -> float | None:
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None
