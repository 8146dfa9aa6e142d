"""What the demo shows: of any conversation, and only what the service has understood by itself or a person has decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from graph_memory import Client, samples
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.cli import tour
from graph_memory.ingest.conversation_file import Conversation
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call
from graph_memory.model.message import Message
from graph_memory.store.queries import query
from tasks import execute
from tests.integration.served import Served, key_folder, served

__all__ = ["key_folder", "served"]

SAID = (
    ("Ben", "I signed up for the Lisbon marathon on 12 October."),
    ("Ann", "I live in Lyon, and I can't stand karaoke."),
    ("Ben", "I gave up the Lisbon marathon because of my ankle."),
)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """What is shown."""
    shown = StringIO()
    monkeypatch.setattr(tour, "console", Console(file=shown, highlight=False, soft_wrap=True))
    return shown


@pytest.mark.stack
def test_the_tour_shows_any_conversation_with_what_was_seen_to_change(
    served: Served, shown: StringIO
) -> None:
    tenant = f"demo-{new_id()}"
    scope = Scope(tenant, "ann-and-ben")
    spring = datetime(2026, 3, 1, 12, tzinfo=UTC)
    messages = [
        Message(who, spring + timedelta(days=7 * week), text, ref=f"m-{week}")
        for week, (who, text) in enumerate(SAID)
    ]
    received = receive(served.service, Call(scope, "test"), Conversation("ann-and-ben", messages))
    execute(served.service, scope, received.run_id)
    served.service.system(query("system/await_fulltext"))
    tour.understood(served.service, scope)
    tour.changed(served.service, scope)
    with Client(served.url, served.key(tenant=tenant), subject="ann-and-ben") as client:
        tour.decisions(client)
        tour.questions(client)
        tour.pack(client)
    tour.community(served.service, scope)
    tour.forecast(served.service, scope)
    told = shown.getvalue()
    assert "seen by itself: 1;" in told
    assert "no longer “Ben signed up for the Lisbon marathon on 12 October.”: " in told
    assert "Where does Mara live now? Ann lives in Lyon" in told, (
        "whatever fits best, and no answer of the sample's"
    )
    assert "day 120" in told
    # With what goes in before and the addresses behind, the whole tour is about forty lines.
    assert len([line for line in told.splitlines() if line]) <= 35


@dataclass
class Reviewed:
    """A service with one proposal."""

    review: Any
    approved: list[str] = field(default_factory=list)

    def reviews(self, first: int, status: str = "PENDING") -> list[Any]:
        return [self.review] if self.review.status == status else []

    def approve_review(self, id: str) -> None:
        self.approved.append(id)


def proposal(old: str, new: str) -> Any:
    known, told = (SimpleNamespace(text=ref, source=SimpleNamespace(ref=ref)) for ref in (old, new))
    return SimpleNamespace(
        id="r-1", status="PENDING", action="SUPERSEDE", confidence=0.6, reason="", hindrance="unsure", memory=told, target=known
    )  # fmt: skip


def test_a_proposal_that_readers_know_to_be_right_is_approved_before_everybodys_eyes(shown: StringIO) -> None:
    change = samples.tour().supersessions[2]
    client = Reviewed(proposal(change.old, change.new))
    tour.decisions(client)  # type: ignore[arg-type]
    assert client.approved == ["r-1"]
    assert "this demo plays the person" in shown.getvalue()


def test_any_other_proposal_is_left_to_the_person_who_looks(shown: StringIO) -> None:
    client = Reviewed(proposal("s01-01", "s13-01"))
    tour.decisions(client)  # type: ignore[arg-type]
    assert client.approved == []
    assert "left it to a person: 1 proposal\n" in shown.getvalue()
    assert "s13-01" not in shown.getvalue()
