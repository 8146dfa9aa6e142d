"""How many conversations, stretches and messages there are, over all pages of each."""

from __future__ import annotations

from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.store.queries import query
from graph_memory.store.service import Service

SESSIONS = query("understanding/sessions_count")
SEGMENTS = query("understanding/segments_count")
MESSAGES = query("understanding/said_count")


def sessions(service: Service, scope: Scope) -> int:
    """The conversations of the scope's subject, or of all of its tenant."""
    return int(service.read(scope, SESSIONS, before_at=None, before_mark="")[0]["total"])


def segments(service: Service, scope: Scope, status: str | None = None, session: str | None = None) -> int:
    """Its stretches of conversation, of a status and a session, or of any."""
    place = {"before_at": None, "before_id": ""}
    return int(service.read(scope, SEGMENTS, status=status, session=session, **place)[0]["total"])


def messages(service: Service, scope: Scope, segment_id: str, left_out: bool = False) -> int:
    """The messages of a segment, or those of them that became no memory; none of an unknown one."""
    segment = check_id(segment_id, "segment", "segment")
    rows = service.read(scope, MESSAGES, segment_id=segment, **{"from": 0}, left_out=left_out)
    return int(rows[0]["total"])
