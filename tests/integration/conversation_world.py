"""Short words for conversations: what is said, closed, extracted, and asked of a scripted model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr

from graph_memory.base.scope import Scope
from graph_memory.ingest import submission
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.model.memory import Memory
from graph_memory.model.message import Message
from graph_memory.models.registry import open_providers
from graph_memory.store.service import Service
from tasks import execute
from tests.wires import Behaviour, Received, Wires, says

MONDAY = datetime(2026, 1, 5, 9, tzinfo=UTC)


def said(*texts: str, at: datetime = MONDAY, speaker: str = "Ann", **more: Any) -> list[Message]:
    """Messages of one speaker, a minute apart."""
    return [Message(speaker, at + timedelta(minutes=place), text, **more) for place, text in enumerate(texts)]


def told(
    service: Service, scope: Scope, *texts: str, session: str = "s", context: Any = (), **more: Any
) -> Run:
    """What became of a session in which this was said."""
    submission.submit(service, Call(scope, "test"), session, said(*texts, **more), context)
    return closed(service, scope, session)


def closed(service: Service, scope: Scope, session: str = "s") -> Run:
    """The run that extracted a session, when it has ended."""
    done = submission.close(service, Call(scope, "test"), session)
    return execute(service, scope, done.run_id)


def live(service: Service, scope: Scope) -> list[Memory]:
    """The memories that are live, oldest first."""
    return list(reversed(reading.browse(service, scope, 100).items))


Script = Callable[[Received], list[dict[str, Any]]]


@contextmanager
def asked(
    service: Service,
    wires: Wires,
    extracts: Script,
    classifies: Script | None = None,
    relates: Script | None = None,
    relations: Sequence[dict[str, Any]] = (),
    **conversations: Any,
) -> Iterator[Service]:
    """A service whose model answers each purpose in its own way. Unless told otherwise all coexists, nothing is linked.

    `conversations` are settings of that section.
    """

    def answer(request: Received) -> Behaviour:
        if "\nMESSAGES\n" in request.text:
            return says({"memories": extracts(request), "relations": list(relations)})
        if "\nOTHERS\n" in request.text:
            return says({"links": relates(request) if relates else []})
        return says({"verdicts": (classifies or coexisting)(request)})

    wires.script(answer)
    section = service.settings.openai.model_copy(
        update={"api_key": SecretStr("test"), "base_url": f"{wires.url}/v1"}
    )
    changed = service.settings.conversations.model_copy(update=conversations)
    settings = service.settings.model_copy(update={"openai": section, "conversations": changed})
    with open_providers(settings) as providers:
        yield replace(service, settings=settings, providers=providers)


def purposes(wires: Wires) -> list[str]:
    """What was asked, in order."""
    marks = {"\nMESSAGES\n": "extract", "\nOTHERS\n": "relate"}
    return [
        next((purpose for mark, purpose in marks.items() if mark in each.text), "classify")
        for each in wires.received
    ]


def coexisting(request: Received) -> list[dict[str, Any]]:
    """Every candidate stands beside the new statement."""
    return [verdict(id) for id in request.offered]


def verdict(id: str, action: str = "COEXIST", confidence: float = 0.9, **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "action": action,
        "confidence": confidence,
        "reason": "r",
        "link": None,
        "text": None,
        **more,
    }


def found(text: str, *messages: int, **more: Any) -> dict[str, Any]:
    """A statement as a model gives it."""
    return {
        "text": text, "kind": "fact", "confidence": 0.9, "importance": 0.5, "speaker": "Ann",
        "messages": list(messages or (0,)), "outcome": "NEW", "known": None, "sure": 0.9, "since": None, "until": None,
        "happens_at": None, "expires_at": None, "links": [], "reason": "r", **more,
    }  # fmt: skip


def tied(type: str, id: str | None = None, place: int | None = None) -> dict[str, Any]:
    """A link as a model gives it, to a known memory or to a place in its own list."""
    return {"type": type, "id": id, "place": place}
