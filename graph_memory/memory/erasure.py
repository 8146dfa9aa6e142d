"""Erasure: the only act without undo. It removes memories with all that holds their text, and leaves tombstones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.ids import check_id
from graph_memory.base.scope import Scope
from graph_memory.language.texts import normalised
from graph_memory.ledger.changes import Answer, Call, Writing, carry_out
from graph_memory.memory import erasing
from graph_memory.memory.erasure_parts import Whose, done_in_parts, erase_parts, summed
from graph_memory.memory.reading import browse
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

FIND = query("forget/find")

# What the database cannot answer for, and the step that clears each.
BEYOND = (
    "store files and transaction logs: they hold it until its place is used again and the log is full, which may never be; "
    "`graph-memory rewrite-store` clears both on the local stack; elsewhere load exports into a new store and destroy "
    "the old one",
    "backups and exports made before: make new ones and destroy the old",
    "a session's name and a source's ref: they stay on other messages, memories and changes that carry the same; forget "
    "those too, or the whole subject",
    "what webhooks have sent before: their receivers get the change ERASE with the ids of what was erased, and must follow it",
    "the source that a quarantine named: it stays with the job's run until that is removed; see GRAPH_MEMORY_JOBS_KEEP",
    "names of tenants, subjects and API keys, and keys of requests: what was erased is refused under them, so they stay; "
    "give names that tell of nobody, or restore an export of what stays into a new store under other names",
)


@dataclass(frozen=True)
class Certificate:
    """What was removed and emptied, when, by which request; `beyond` is what the database cannot answer for."""

    request_id: str
    at: datetime
    memories: int
    revisions: int
    entities: int
    messages: int
    changes: int
    requests: int
    tombstones: int
    beyond: tuple[str, ...] = BEYOND


def forget(
    service: Service,
    call: Call,
    ids: Sequence[str] = (),
    source_ref: str | None = None,
    whole_subject: bool = False,
    reason: str = "",
) -> tuple[Certificate, Answer]:
    """Erases memories by id, all that came from one source, or everything of the subject, for ever.

    Products that consolidate or derive from them go along; what they were merged into goes back to what it said
    before. Raises NotFound when there is nothing of that, Invalid when nothing was named.

    What is more than one transaction may hold goes in parts, each for good: after an interruption the same call goes on with
    what is left, and under the same key its certificate counts the parts before as well.
    """
    wanted = sorted({check_id(id) for id in ids})
    if not wanted and source_ref is None and not whole_subject:
        raise Invalid("Name memories, a source, or the whole subject.", path="ids")

    whose = Whose(source_ref, whole_subject)
    prefix = "" if wanted else erase_parts(service, call, whose)

    def work(writing: Writing) -> Row:
        rows = writing.run(FIND, ids=wanted, source=source_ref, everything=whole_subject)
        found = [row["id"] for row in rows]
        missing = set(wanted) - set(found)
        parts = done_in_parts(writing, call, prefix) if prefix else []
        if not whole_subject:
            require_named(sorted(missing), [*found, *parts])
        return summed([*parts, erasing.erase(writing, found, whole_subject)], whole_subject)

    body = [wanted, source_ref, whole_subject, reason]
    answer = carry_out(service, call, "forget", body, work)
    given = {**answer.value, "at": datetime.fromisoformat(answer.value["at"])}
    return Certificate(request_id=answer.request_id, **given), answer


def reached(
    service: Service,
    scope: Scope,
    ids: Sequence[str] = (),
    source_ref: str | None = None,
    whole_subject: bool = False,
) -> list[str]:
    """The ids of what `forget` would erase: what is named, then what goes along. Raises NotFound as that does."""
    named = list(dict.fromkeys(check_id(id) for id in ids))
    rows = service.read(scope, FIND, ids=named, source=source_ref, everything=whole_subject)
    found = [row["id"] for row in rows]
    if not whole_subject:
        require_named(sorted(set(named) - set(found)), found)
    return [*named, *(id for id in found if id not in named)]


def require_named(missing: Sequence[str], found: Collection[object]) -> None:
    """Nothing, if all that was named is there. Raises NotFound for ids of nothing here, and for a source without memories."""
    if missing:
        named = ", ".join(missing)
        raise NotFound(
            f"Nothing was erased, because there is no memory {named}, or it belongs to someone else."
        )
    if not found:
        raise NotFound("There is nothing to forget: no memory comes from that source.")


def still_there(service: Service, call: Call, texts: Sequence[str]) -> list[str]:
    """The later check of a certificate: which of the texts a memory of the subject still says, or of any where none is
    named."""
    wanted = {normalised(text) for text in texts}
    found, after = [], None
    while True:
        page = browse(service, call.scope, 100, after, include_past=True, summaries=True)
        found += [memory.text for memory in page.items if normalised(memory.text) in wanted]
        after = page.next
        if after is None:
            return found
