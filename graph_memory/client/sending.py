"""What a call was given, as the service takes it. What is seen to be wrong before it is sent is told at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import Any, TypeVar, cast

from graph_memory.base.clock import system_clock
from graph_memory.base.errors import GraphMemoryError, Invalid, UserError
from graph_memory.base.gathered import Gathered
from graph_memory.base.kind_names import check_kind
from graph_memory.client.answers.decoding import spelled

T = TypeVar("T")

# A moment: a datetime with its offset, a date (its midnight on this machine), or either as ISO 8601 writes it.
Time = date | str
_TIMES = frozenset(
    {"as_of", "known_at", "valid_from", "valid_to", "happens_at", "expires_at", "changed_since"}
)
_SHARES = frozenset({"confidence", "importance", "strength", "min_score"})
_SAID = frozenset({"text", "query", "question", "message"})
_DATE = re.compile(r"[\d-]+")

PAGE = 100

# What OpenAI and Anthropic write: the parts of a content that hold what was said, what stands in a message where nothing is
# said, and what stands beside it.
_TEXTS = frozenset({"text", "input_text", "output_text"})
_UNSAID = frozenset({"tool_calls", "function_call", "audio", "refusal"})
_BESIDE = _UNSAID | {
    "tool_call_id", "annotations", "reasoning_content", "id", "type", "status", "model", "stop_reason", "stop_sequence", "usage",
}  # fmt: skip
_TAKEN = frozenset({"role", "content", "name", "at", "ref", "caption"})
# Fields of a message that the service calls otherwise.
_WRITTEN = {"text": "content", "speaker": "name"}
_AS_A_LIST = 'messages must be a list, as in [{"role": "user", "content": "I moved to Porto."}].'


def variables(given: Mapping[str, Any], subject: str | None) -> dict[str, Any]:
    """What was given, as GraphQL spells it; what was not is left to the service's defaults."""
    faults = Gathered()
    taken = {name: value for name, value in given.items() if value is not None}
    sent = {spelled(name): faults.of(plain, name, value) for name, value in taken.items()}
    if faults.faults:
        for name, value in taken.items():
            faults.of(_check, name, value)
    faults.refuse()
    return sent | ({"subject": subject} if subject is not None else {})


def moment(name: str, value: date | str) -> str:
    """A time as RFC 3339; a date is its midnight on this machine, as on the command line."""
    try:
        when = datetime.fromisoformat(value) if isinstance(value, str) else value
        if not isinstance(when, datetime) or (isinstance(value, str) and _DATE.fullmatch(value)):
            return datetime(when.year, when.month, when.day).astimezone().isoformat()
    except (AttributeError, ValueError, OverflowError):
        raise Invalid(
            f"{name} is {value!r}; a time is written as 2026-03-15T09:00:00Z, a date as 2026-03-15.",
            path=name,
        ) from None
    if when.tzinfo is None:
        told = "as in 2026-03-15T09:00:00Z" if isinstance(value, str) else "as in datetime(..., tzinfo=UTC)"
        raise Invalid(f"{name} is {value}; it needs its offset, {told}.", path=name)
    return when.isoformat()


def plain(name: str, value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, date) or (isinstance(value, str) and name in _TIMES):
        return moment(name, value)
    if isinstance(value, Mapping):
        return {each: plain(f"{name}.{each}", inner) for each, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(f"{name}[{place}]", inner) for place, inner in enumerate(value)]
    if isinstance(value, float) and not isfinite(value):
        raise Invalid(f"{name} is {value}; only numbers that are finite can be sent.", path=name)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise Invalid(
        f"{name} is of the type {type(value).__name__}; a text, a number, a time, or a list or map of them can be sent.",
        path=name,
    )


def several(given: T | Sequence[T], kind: type[T]) -> list[T]:
    """One, or a sequence of them, as a list: a text is never taken letter by letter."""
    return [given] if isinstance(given, kind) else list(cast(Sequence[T], given))


@dataclass(frozen=True)
class Spoken:
    """Messages as the service takes them, and at which place of those that were given each stood."""

    messages: list[dict[str, Any]]
    places: list[int]

    def at_their_places(self, fault: UserError) -> UserError:
        """A fault of what was sent, told of what was given."""
        parts = [self._moved(each) for each in fault.each]
        return parts[0] if len(parts) == 1 else Invalid.together(parts)

    def _moved(self, fault: UserError) -> UserError:
        found = re.match(r"messages\[(\d+)\](?:\.(\w+))?", fault.path or "")
        if found is not None:
            field = f".{_WRITTEN.get(found[2], found[2])}" if found[2] else ""
            here = f"messages[{self.places[int(found[1])]}]{field}"
            message = fault.message.replace(found[0], here)
            path = (fault.path or "").replace(found[0], here)
            GraphMemoryError.__init__(fault, message, path=path)
        return fault


def spoken(given: Iterable[Mapping[str, Any]], user: str | None) -> Spoken:
    """Messages of a chat, without those in which nothing is said; Invalid tells all that is wrong with any of them."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise Invalid(_AS_A_LIST, path="messages")
    faults, made, places = Gathered(), list[dict[str, Any]](), list[int]()
    for place, each in enumerate(given):
        if (message := faults.of(_message, place, each, user)) is not None:
            made.append(message)
            places.append(place)
    faults.refuse()
    if not made:
        raise Invalid("messages holds none in which something is said.", path="messages")
    return Spoken(made, places)


def _check(name: str, value: Any) -> None:
    """Refuses what the service would refuse whatever else is given, to tell it beside what cannot be sent at all."""
    if name in _SAID and isinstance(value, str) and not value.strip():
        raise Invalid(f"{name} is empty.", path=name)
    if name == "kind" and isinstance(value, str):
        check_kind(value, name)
    if name in _SHARES and isinstance(value, int | float) and isfinite(value) and not 0 <= value <= 1:
        raise Invalid(f"{name} is {value}; it must lie between 0 and 1.", path=name)
    if name == "first" and isinstance(value, int) and not 1 <= value <= PAGE:
        raise Invalid(f"{name} is {value}; it must lie between 1 and {PAGE}.", path=name)


def _message(place: int, given: Any, user: str | None) -> dict[str, Any] | None:
    """A message as the service takes it: said by its `name`, else by `user`, else by its role; None where nothing is said."""
    path = f"messages[{place}]"
    if not isinstance(given, Mapping):
        raise Invalid(
            f'{path} is not written as {{"role": "user", "content": "I moved to Porto."}}.', path=path
        )
    faults = Gathered()
    faults.of(_refuse_unknown, path, given)
    role = faults.of(_role, path, given.get("role"))
    text = faults.of(_text, path, given)
    at = faults.of(moment, f"{path}.at", given.get("at") or system_clock())
    faults.refuse()
    if text is None:
        return None
    speaker = given.get("name") or (user if role == "user" else None) or role
    said = {"speaker": speaker, "role": role, "text": text, "at": at}
    return said | {name: given[name] for name in ("ref", "caption") if given.get(name) is not None}


def _refuse_unknown(path: str, given: Mapping[str, Any]) -> None:
    faults = [
        Invalid(
            f"There is no field {path}.{str(name)[:60]}; there are role, content, name, at (when it was said), ref and caption.",
            path=f"{path}.{str(name)[:60]}",
        )
        for name in given
        if name not in _TAKEN | _BESIDE
    ]
    if faults:
        raise Invalid.together(faults)


def _role(path: str, given: Any) -> str:
    if not isinstance(given, str):
        raise Invalid(f"{path} has no role.", path=f"{path}.role")
    return given


def _text(path: str, message: Mapping[str, Any]) -> str | None:
    """What is said in a message; its parts may be a list. None where it only calls tools or shows something."""
    content = message.get("content")
    if not content and any(message.get(name) for name in _UNSAID):
        return None
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple) or not content:
        raise Invalid(f"{path} has no content.", path=f"{path}.content")
    faults = Gathered()
    parts = [faults.of(_part, f"{path}.content[{place}]", part) for place, part in enumerate(content)]
    faults.refuse()
    return "\n".join(part for part in parts if part) or None


def _part(path: str, part: Any) -> str | None:
    """The text of a part of a content; None where it holds something else, such as a picture."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
        raise Invalid(f'{path} is not written as {{"type": "text", "text": "I moved."}}.', path=path)
    if part["type"] not in _TEXTS:
        return None
    if not isinstance(part.get("text"), str):
        raise Invalid(f"{path} has no text.", path=f"{path}.text")
    return str(part["text"])
