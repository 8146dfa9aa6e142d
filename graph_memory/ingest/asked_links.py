"""The second stage: which links join a new memory to others, asked once for all of them. No answer supersedes anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.batches.handlers import Item
from graph_memory.ingest import relate_prompt
from graph_memory.ingest.choice import LINK_CONFIDENCE
from graph_memory.ingest.extract_answer import Found
from graph_memory.ingest.relate_prompt import Related
from graph_memory.ingest.settings import ConversationsSettings
from graph_memory.ledger.changes import Call
from graph_memory.memory.links import Wanted, link_many
from graph_memory.memory.sharing import SHARED_MOST
from graph_memory.model.purpose import Purpose
from graph_memory.model.verdict import Statement
from graph_memory.models import profiles
from graph_memory.models.prompt import Prompt
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

# Raw cosine from which a memory that shares an entity is asked about.
_LINK_FLOOR = 0.55
LINKABLE = query("understanding/linkable")
TEXTS = query("understanding/texts")

_OVERFETCH = 2


@dataclass(frozen=True)
class _Handler:
    """Kind RELATIONSHIP: {memory, candidates}, all ids."""

    @property
    def purpose(self) -> Purpose:
        return Purpose.CLASSIFY

    def prompt(self, service: Service, scope: Scope, item: Item) -> Prompt[tuple[Related, ...]]:
        """The question about all candidates. NotFound when the memory or every candidate is gone."""
        found = _standing(service, scope, item)
        new = found.pop(item.reference["memory"], None)
        if new is None or not found:
            raise NotFound("What should be linked is no longer live.")
        return relate_prompt.prompt(_statement(new), [_statement(row) for row in found.values()])

    def apply(
        self, service: Service, scope: Scope, item: Item, answer: tuple[Related, ...], run_id: str | None
    ) -> None:
        """Makes the links that were named surely enough, all in one transaction under the question's id."""
        found = _standing(service, scope, item)
        least = LINK_CONFIDENCE
        new = item.reference["memory"]
        wanted = [
            Wanted(new, each.id, each.kind.value, each.confidence, each.confidence, each.reason)
            for each in answer
            if each.kind is not None and each.confidence >= least and each.id in found and new in found
        ]
        if wanted:
            link_many(service, Call(scope, "linker", key=item.custom_id, run_id=run_id), wanted)


HANDLER = _Handler()


def references(service: Service, scope: Scope, found: Sequence[Found], stored: Sequence[Row]) -> list[Row]:
    """A question for each new memory that has candidates: siblings it hints at first, then what it names, then the near.

    What a language model has compared with it already is left out: it named a link then, or none.
    """
    most = service.settings[ConversationsSettings].link_candidates
    new = [row["id"] for row in stored if row["is_new"]]
    near = _near(service, scope, new) if most else {}
    made = []
    for each, row in zip(found, stored, strict=False):
        if not row["is_new"] or not most:
            continue
        hinted = [stored[at]["id"] for at in each.hints]
        wanted = [*hinted, *each.related, *near.get(row["id"], ())]
        left_out = {None, row["id"], *row["judged"]}
        candidates = [id for id in dict.fromkeys(wanted) if id not in left_out][:most]
        if candidates:
            made.append({"memory": row["id"], "candidates": candidates})
    return made


def _near(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, list[str]]:
    settings = service.settings[ConversationsSettings]
    rows = service.read(
        scope,
        LINKABLE,
        ids=list(ids),
        floor=profiles.of(service.embedder.model).linking,
        shared_floor=_LINK_FLOOR,
        most=SHARED_MOST,
        limit=settings.link_candidates,
        fetch=settings.link_candidates * _OVERFETCH,
        now=service.clock(),
        forever=FOREVER,
    )
    return {row["id"]: row["near"] for row in rows}


def _standing(service: Service, scope: Scope, item: Item) -> dict[str, Row]:
    """The new memory and its candidates, those that are active, in the order of the question."""
    ids = [item.reference["memory"], *item.reference["candidates"]]
    rows = service.read(scope, TEXTS, ids=ids)
    return {row["id"]: row for row in rows if row["status"] == "ACTIVE"}


def _statement(row: Row) -> Statement:
    return Statement(row["id"], row["text"], row["valid_from"], row["author"])
