"""Search as the tests use it: once the full-text indexes have caught up with what was just written.

They follow a commit within moments of their own (`fulltext.eventually_consistent`); a test that reads
in the same breath would now and then be too early.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.recall import search as recall_search
from graph_memory.recall.settings import RecallSettings
from graph_memory.store.service import Service

CAUGHT_UP = "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()"


def search(service: Service, scope: Scope, *asked: Any, **given: Any) -> recall_search.Page:
    """Answers what `graph_memory.recall.search.search` does."""
    service.driver.execute_query(CAUGHT_UP, database_=service.settings.neo4j.database)
    return recall_search.search(service, scope, *asked, **given)


def reading(service: Service, count: int) -> Service:
    """The service, which reads so many of the first that are found once more."""
    settings = service.settings
    recall = settings[RecallSettings].model_copy(update={"reread": count})
    return replace(service, settings=settings.model_copy(update={"recall": recall}))  # type: ignore[attr-defined]
