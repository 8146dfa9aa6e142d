"""Erasing: the one change that cannot be taken back."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, Subject
from graph_memory.api.changing import ids_of
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.mirror import mirror
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.ledger.changes import Call, check_key, check_reason
from graph_memory.memory import erasure as forgetting
from graph_memory.store.api_keys import Right

_MOST_TEXTS = 100


@strawberry.input(
    description="What to erase for ever: memories, all that came from one source, or a whole subject."
)
class ForgetInput:
    ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Memories, ids or uuids, 1 to 100."
    )
    source_ref: str | None = strawberry.field(
        default=None, description="Your own name for the source whose memories go."
    )
    whole_subject: bool = strawberry.field(
        default=False, description="Whether everything of the subject goes."
    )
    subject: str | None = strawberry.field(
        default=None,
        description="Whose. Missing: the key's subject, else `default`; it is never guessed here.",
    )
    reason: str = strawberry.field(default="", description="Why.")
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="What was erased, to keep as evidence. It holds no text.")
class Certificate:
    request_id: Uuid = strawberry.field(description="The request that did it.")
    at: datetime = strawberry.field(description="When it was done.")
    memories: int = strawberry.field(description="Memories that were removed.")
    revisions: int = strawberry.field(description="Former states that were removed.")
    entities: int = strawberry.field(description="Entities that nothing else mentions and were removed.")
    messages: int = strawberry.field(description="Messages whose text was emptied.")
    changes: int = strawberry.field(description="Changes of the ledger whose content was emptied.")
    requests: int = strawberry.field(description="Requests whose answer was emptied.")
    tombstones: int = strawberry.field(
        description="Marks without text that keep what was erased from being imported again."
    )
    beyond: list[str] = strawberry.field(
        description="What the database cannot answer for, and what clears it."
    )


@strawberry.type(description="The answer of forget.")
class ForgetPayload(Payload):
    certificate: Certificate | None = strawberry.field(default=None, description="What was erased.")


@strawberry.type(description="Whether erased texts are still gone.")
class ErasureCheck:
    is_gone: bool = strawberry.field(description="Whether no memory of the subject says any of them.")
    found: list[str] = strawberry.field(description="Those of the texts that a memory says, as it says them.")


@strawberry.type
class ForgetQuery:
    @reads("Whether erased texts are still gone: no memory of the subject, live or past, says one of them.")
    async def erasure_check(
        self,
        info: Info,
        texts: Annotated[list[str], strawberry.argument(description="The texts that were erased, 1 to 100.")],
        subject: Subject = None,
    ) -> ErasureCheck | None:
        if not 1 <= len(texts) <= _MOST_TEXTS:
            raise Invalid(f"Give 1 to {_MOST_TEXTS} texts, not {len(texts)}.", path="texts")
        context = info.context
        call = Call(context.scope(subject), "check")
        found = await context.call(forgetting.still_there, context.service, call, texts)
        return ErasureCheck(is_gone=not found, found=found)


@strawberry.type
class ForgetMutation:
    @writes(
        "Erases memories, all that holds their text and what was made of them, for ever. There is no undo. It needs the "
        "right ERASE.",
        ForgetPayload,
        renames={"id": "ids"},
        right=Right.ERASE,
    )
    async def forget(
        self, info: Info, input: Annotated[ForgetInput, strawberry.argument(description="What to erase.")]
    ) -> ForgetPayload | None:
        context, faults = info.context, Gathered()
        faults.of(_check_choice, input)
        ids = [] if input.ids is None else faults.of(ids_of, input.ids)
        faults.of(check_reason, input.reason)
        faults.of(check_key, input.idempotency_key)
        faults.refuse()
        call = context.write_call(input.subject, input.idempotency_key)
        done, answer = await context.call(
            forgetting.forget,
            context.service,
            call,
            ids,
            input.source_ref,
            input.whole_subject,
            input.reason,
        )
        return ForgetPayload(certificate=mirror(Certificate, done), replayed=answer.replayed)


def _check_choice(input: ForgetInput) -> None:
    if sum((input.ids is not None, input.source_ref is not None, input.whole_subject)) != 1:
        raise Invalid("Give one of ids, sourceRef and wholeSubject.", path="ids")
