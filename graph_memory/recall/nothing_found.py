"""Why a search finds nothing at all, where that does not lie in what it asks."""

from __future__ import annotations

from datetime import UTC, datetime

from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.store import subjects
from graph_memory.store.queries import query
from graph_memory.store.service import Service

BEGUN = query("recall/begun")


def why_nothing(service: Service, scope: Scope, moment: Moment) -> str | None:
    """That nothing is kept of these, or was not yet at that moment; None where it lies in the question."""
    if not subjects.is_known(service, scope):
        return f"Nothing is remembered of {_whose(scope)} yet."
    now = service.clock()
    if not moment.is_past(now):
        return None
    [begun] = service.read(scope, BEGUN)
    as_of, known_at = moment.at(now)
    if begun["kept"] is None:
        return f"Nothing is remembered of {_whose(scope)} yet."
    if known_at < begun["kept"]:
        return f"Nothing was known yet on {_told(known_at)}: the first memory was kept on {_told(begun['kept'])}."
    if as_of < begun["held"]:
        return f"Nothing that is remembered was true yet on {_told(as_of)}: the first of it holds since {_told(begun['held'])}."
    return None


def _whose(scope: Scope) -> str:
    return f"tenant {scope.tenant_name}" if scope.subject_name is None else f"subject {scope.subject_name}"


def _told(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d at %H:%M} UTC"
