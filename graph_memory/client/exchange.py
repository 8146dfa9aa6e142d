"""One question to the service, without a socket: what to send, how long to wait, and what the answer means.

A method of a client is a generator of such steps. It yields what should be done and is sent what came of it, so that the
same method serves a client that blocks and one that awaits.
"""

from __future__ import annotations

import json
import random
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, TypeVar

from graph_memory.base import errors
from graph_memory.base.errors import GraphMemoryError, Invalid, OutcomeUnknown, Overloaded, Unavailable
from graph_memory.base.files import folder
from graph_memory.client import python_words

T = TypeVar("T")

FIRST_WAIT, LONGEST_WAIT = 0.25, 8.0

_UNAUTHENTICATED, _TOO_LARGE, _TOO_MANY, _SERVER = 401, 413, 429, 500
# Codes that only the web layer gives, and what each is here.
_OF_THE_WEB: Mapping[str, type[GraphMemoryError]] = {
    "SYNTAX": Invalid,
    "INVALID_DOCUMENT": Invalid,
    "TOO_COMPLEX": Invalid,
    "TOO_COSTLY": Invalid,
    "UNTRUSTED_DOCUMENT": Invalid,
    "INTERNAL": errors.SystemFault,
}

# What the same request would meet again.
_LASTING = (errors.TookTooLong, errors.ProviderFault, errors.NoAnswer)


@dataclass(frozen=True)
class Post:
    """Send this body; a Reply or a Lost is sent back."""

    body: bytes = field(repr=False)


@dataclass(frozen=True)
class Pause:
    """Wait so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """An answer of the server, whatever it says."""

    status: int
    body: bytes = field(repr=False)
    retry_after: str | None = None


@dataclass(frozen=True)
class Lost:
    """No answer came. Without `was_sent` the server certainly did not see the request."""

    why: str
    was_sent: bool


Steps: TypeAlias = Generator[Post | Pause, Any, T]


@dataclass(frozen=True)
class Asker:
    """Where a client asks, for whom when a call does not say, and how often it tries again."""

    address: str
    subject: str | None = None
    retries: int = 4


def ask(asker: Asker, operation: str, variables: Mapping[str, Any]) -> Steps[Any]:
    """What the first root field of an operation answers; a fault of the service is raised as its own error.

    What is worth repeating is repeated, after growing pauses. It is safe: every write carries an idempotency key.
    """
    body = json.dumps({"query": document(operation), "variables": variables}, allow_nan=False).encode()
    key = variables.get("input", {}).get("idempotencyKey")
    for tried in range(asker.retries + 1):
        reply: Reply | Lost = yield Post(body)
        answer = _lost(reply, asker, key) if isinstance(reply, Lost) else answered(reply, asker)
        if not isinstance(answer, GraphMemoryError):
            return answer
        if not is_worth_repeating(answer) or tried == asker.retries:
            raise answer
        yield Pause(wait(tried, None if isinstance(reply, Lost) else reply.retry_after))
    raise AssertionError("unreachable")


@cache
def document(operation: str) -> str:
    """The text of an operation that the project ships."""
    return folder("graphql").joinpath("operations", f"{operation}.graphql").read_text("utf-8")


def is_worth_repeating(error: GraphMemoryError) -> bool:
    """Whether the same request may be answered in a moment."""
    return isinstance(error, Unavailable) and not isinstance(error, _LASTING)


def fault(
    code: str, message: str, path: str | None = None, parts: Mapping[str, str] | None = None
) -> GraphMemoryError:
    """The error of a code, as the service would raise it; a code of a newer service is the nearest that is known."""
    kind = _kinds().get(code) or _OF_THE_WEB.get(code) or errors.SystemFault
    error = kind.__new__(kind)
    # What is told in words only is not told again as attributes: `holder` of a LiveTwin is not known here.
    told, place = python_words.of_python(message, path, parts)
    GraphMemoryError.__init__(error, told, path=place)
    error.__dict__["code"] = code
    return error


@cache
def _kinds() -> dict[str, type[GraphMemoryError]]:
    found = [each for each in vars(errors).values() if isinstance(each, type)]
    return {each.code: each for each in found if issubclass(each, GraphMemoryError) and "code" in vars(each)}


def _lost(lost: Lost, asker: Asker, key: str | None) -> GraphMemoryError:
    if lost.was_sent and key is not None:
        return OutcomeUnknown(
            f"{asker.address} gave no answer ({lost.why}); repeat the call with key={key!r}, it is carried out once."
        )
    return unreached(lost, asker)


def unreached(lost: Lost, asker: Asker) -> Unavailable:
    """The error of a connection that was lost or never came about."""
    return Unavailable(
        f"{asker.address} cannot be reached ({lost.why}); `graph-memory status` tells what runs here."
    )


def answered(reply: Reply, asker: Asker) -> Any:
    """The value of the root field, or the error that stands in its place."""
    try:
        answer = json.loads(reply.body)
        faults, data = answer.get("errors"), answer.get("data")
    except (ValueError, AttributeError):
        return _refused(reply, asker)
    if faults and all(_is_ours(each) for each in faults):
        return told_together([told_fault(each) for each in faults])
    if not data:
        return _refused(reply, asker)
    value = next(iter(data.values()))
    mended = value.get("errors") if isinstance(value, dict) else None
    return told_together([fault(**each) for each in mended]) if mended else value


def _is_ours(fault: Any) -> bool:
    """Whether a fault was told by a service of ours: each has a code."""
    return isinstance(fault, dict) and "code" in fault.get("extensions", {})


def told_together(faults: Sequence[GraphMemoryError]) -> GraphMemoryError:
    """The one error, or where a request has several faults the one that tells of them all."""
    mendable = [each for each in faults if isinstance(each, errors.UserError)]
    return Invalid.together(mendable) if len(mendable) > 1 else faults[0]


def told_fault(told: Mapping[str, Any]) -> GraphMemoryError:
    """The error that stands at the top of an answer."""
    extensions = told["extensions"]
    return fault(extensions["code"], told["message"], extensions.get("argument"), extensions.get("fault"))


def _refused(reply: Reply, asker: Asker) -> GraphMemoryError:
    if reply.status == _TOO_MANY or (reply.status >= _SERVER and reply.retry_after):
        return Overloaded()
    if reply.status >= _SERVER:
        return Unavailable(f"{asker.address} answers {reply.status}; `graph-memory logs api` tells more.")
    if reply.status == _TOO_LARGE:
        return Invalid("This is more than the service takes in one request; send less at once.")
    if reply.status == _UNAUTHENTICATED:
        return errors.Unauthenticated()
    return Invalid(
        f"{asker.address} answers {reply.status}, but it is not a graph-memory service; `graph-memory status` tells the "
        "address of the one that runs here.",
        path="url",
    )


def wait(tried: int, retry_after: str | None) -> float:
    """Seconds before the next try: as long as the server asks, else twice as long each time, never all at one moment."""
    if retry_after is not None and retry_after.isdecimal():
        return min(float(retry_after), LONGEST_WAIT)
    return min(FIRST_WAIT * 2.0**tried, LONGEST_WAIT) * random.uniform(0.5, 1.0)
