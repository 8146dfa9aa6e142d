"""Questions to a language model about stored messages: in chunks, with what is known, as batches that survive restarts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.batches import dispatch, offers, steps
from graph_memory.batches.settings import BatchesSettings
from graph_memory.ingest.settings import ConversationsSettings
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.language.own_output import without_own
from graph_memory.ledger.activity import zone_of
from graph_memory.ledger.changes import Call
from graph_memory.model.batch import Batch, Kind
from graph_memory.models.embedders import embed_if_possible
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

# Pinned memories that a language model is shown besides.
_MOST_PINNED = 10
UNASKED = query("understanding/unasked")
MARK_ASKED = query("understanding/mark_asked")
EARLIER = query("understanding/earlier")
SHOWN = query("understanding/shown")
NAMES = query("understanding/names")

# Characters to a token, roughly.
_CHARACTERS = 4
_MOST_MESSAGES = 1000
# Names that are shown at most.
_NAMES = 20


def ask_pending(context: Context, scope: Scope) -> dict[str, int]:
    """Asks about every message of the subject that nobody was asked about; says how many, in how many questions.

    The messages are marked in the transaction that records the questions. Where no provider takes batches the answers
    are there, and applied, when this returns.
    """
    service, messages, questions, applied = context.service, 0, 0, 0
    context.progress(0, 0, "ask")
    while rows := service.read(scope, UNASKED, limit=_limit(service)):
        batch = _offer(context, scope, rows)
        messages, questions = messages + len(rows), questions + batch.items
        applied += batch.applied
        context.progress(messages, messages, "ask")
    return {"messages": messages, "questions": questions, "applied": applied}


def chunks(settings: ConversationsSettings, rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows of messages in pieces of one segment each, none with too many messages or too much text.

    A message that is too long by itself stands alone.
    """
    for _, sitting in groupby(rows, key=lambda row: row["message"]["segment_id"]):
        piece: list[Row] = []
        length = 0
        for row in sitting:
            size = len(row["message"]["text"]) // _CHARACTERS + 1
            is_full = len(piece) >= settings.chunk or length + size > settings.max_extraction_tokens
            if piece and is_full:
                yield piece
                piece, length = [], 0
            piece.append(row)
            length += size
        yield piece


def _offer(context: Context, scope: Scope, rows: Sequence[Row]) -> Batch:
    service = context.service
    references = [
        _reference(service, scope, piece) for piece in chunks(service.settings[ConversationsSettings], rows)
    ]
    call = Call(scope, "extractor", run_id=context.run.id)
    ids = [row["message"]["id"] for row in rows]

    def record(tx: Transaction) -> Batch:
        leases.check(tx, context.lease)
        batch = offers.record(service, tx, call, Kind.EXTRACTION, references)
        tx.run(MARK_ASKED, ids=ids, now=service.clock(), batch=batch.id)
        return batch

    batch = service.write(scope, record)
    return steps.advance(service, scope, batch.id) if batch.is_pending else batch


def _reference(service: Service, scope: Scope, piece: Sequence[Row]) -> dict[str, Any]:
    """What one question is about, by ids: the messages, those before them, and the memories that are shown."""
    ids = [row["message"]["id"] for row in piece]
    before = service.read(scope, EARLIER, first=ids[0], most=service.settings[ConversationsSettings].lookback)
    context_ids = piece[0]["context_ids"]
    return {
        "messages": ids,
        "before": [row["id"] for row in before],
        "known": _known(
            service, scope, [*before[-1:], *(row["message"] for row in piece)], context_ids, before
        ),
        "context": context_ids,
        "names": [row["name"] for row in service.read(scope, NAMES, most=_NAMES)],
        "zone": zone_of(service, scope.for_writing()).key,
    }


def _known(
    service: Service, scope: Scope, said: Sequence[Row], context_ids: Sequence[str], before: Sequence[Row]
) -> list[str]:
    """The memories that are shown: those of the prompt, pinned ones, those of the messages just before, the nearest.

    What a message is about is told by the one before it as well ("*88"), so the two are looked for together.
    """
    settings = service.settings[ConversationsSettings]
    texts = [f"{each['speaker']}: {without_own(each['text']).strip()}" for each in said]
    told = [" ".join(texts[max(0, at - 1) : at + 1]) for at in range(len(texts))]
    vectors = [vector for vector in embed_if_possible(service.embedder, told) if vector is not None]
    rows = service.read(
        scope,
        SHOWN,
        ids=list(context_ids),
        before=[row["id"] for row in before],
        vectors=vectors,
        pinned=_MOST_PINNED,
        nearest=settings.nearest,
        fetch=max(1, settings.nearest),
        now=service.clock(),
    )
    return [row["id"] for row in rows]


def _limit(service: Service) -> int:
    """Messages asked about at once: where answers come at once, one chunk, so that the next one is shown what it left."""
    settings = service.settings[ConversationsSettings]
    size = service.settings[BatchesSettings].size if dispatch.batch_provider(service) else 1
    return min(_MOST_MESSAGES, settings.chunk * size)
