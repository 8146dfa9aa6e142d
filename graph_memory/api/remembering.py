"""Writing memories: adding one or many, and superseding one by another."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import KEY, SUBJECT, ChangeInput
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, writes
from graph_memory.api.global_ids import uuid_of
from graph_memory.api.loaders import View
from graph_memory.api.memory_types import Memory, load_memory
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.incoming import check
from graph_memory.ingest.receipt import AT_ONCE
from graph_memory.ledger.changes import check_key
from graph_memory.memory import validation
from graph_memory.memory.addition import Added, Outcome, add
from graph_memory.memory.statement import Statement
from graph_memory.memory.supersession import check_change, supersede
from graph_memory.model import memory as model
from graph_memory.store import subjects
from graph_memory.store.service import Service

_FIELD = re.compile(r"facts\[\d+\]\.\w+")


@strawberry.input(description="Where a statement comes from.")
class SourceInput:
    kind: model.SourceKind = strawberry.field(
        default=model.SourceKind.USER, description="What kind of source it is."
    )
    ref: str | None = strawberry.field(
        default=None, description="Your own name for it, for example a turn's id."
    )
    author: str | None = strawberry.field(default=None, description="Who said it.")


@strawberry.input(description="Who or what a statement mentions.")
class EntityInput:
    name: str = strawberry.field(description="Its name, as people write it.")
    type: str = strawberry.field(
        default="UNKNOWN", description="What it is: one word, for example PERSON or ORG."
    )
    discriminator: str = strawberry.field(default="", description="What tells it from a namesake.")


@strawberry.input(description="One statement to keep. Without times it holds from now on, without an end.")
class FactInput:
    text: str = strawberry.field(description="The statement.")
    kind: str = strawberry.field(default="fact", description="What kind of statement it is: one word.")
    tags: list[str] = strawberry.field(default_factory=list, description="Tags to browse by.")
    metadata: JSON | None = strawberry.field(
        default=None, description="A flat map of texts, numbers and booleans."
    )
    confidence: float = strawberry.field(default=1.0, description="How sure the source is, 0 to 1.")
    importance: float = strawberry.field(default=0.5, description="How much it matters, 0 to 1.")
    importance_of_ten: int | None = strawberry.field(
        default=None, description="How much it matters, 1 to 10, in the place of importance."
    )
    critical: bool = strawberry.field(
        default=False, description="Whether its importance keeps above a floor."
    )
    pinned: bool = strawberry.field(default=False, description="Whether it always stays near at hand.")
    happens_at: datetime | None = strawberry.field(
        default=None,
        description="When what it tells of takes place; read out of the text by `remember` when missing.",
    )
    expires_at: datetime | None = strawberry.field(
        default=None,
        description="When it stops being of use; read out of the text by `remember` when missing.",
    )
    valid_from: datetime | None = strawberry.field(
        default=None, description="From when on it holds; now when missing."
    )
    valid_to: datetime | None = strawberry.field(default=None, description="Until when it holds, exclusive.")
    heading: str = strawberry.field(
        default="", description="Speaker, date or title: embedded before the text."
    )
    session_id: str | None = strawberry.field(default=None, description="Your session in which it was said.")
    agent_id: str | None = strawberry.field(default=None, description="Your agent that stores it.")
    source: SourceInput | None = strawberry.field(
        default=None, description="Where it comes from; a user when missing."
    )
    entities: list[EntityInput] | None = strawberry.field(
        default=None, description="Whom and what it mentions; found in the text when missing."
    )
    vector: list[float] | None = strawberry.field(
        default=None, description="Its embedding, if you made it with the same model; made here when missing."
    )


@strawberry.input(description="One statement to keep, for whom, and under which key.")
class AddMemoryInput(FactInput):
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(description="Statements to keep, all or none.")
class AddMemoriesInput:
    memories: list[FactInput] = strawberry.field(description="The statements, at most 500.")
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.input(
    description="Which memory changes, and by what: a new statement (`fact`) or an existing memory (`byId`)."
)
class SupersedeMemoryInput(ChangeInput):
    id: strawberry.ID = strawberry.field(description="The memory that changes: its id or uuid.")
    fact: FactInput | None = strawberry.field(
        default=None, description="The new version, as a new statement."
    )
    by_id: strawberry.ID | None = strawberry.field(
        default=None, description="The new version, as an existing memory."
    )
    valid_from: datetime | None = strawberry.field(
        default=None,
        description="From when on the new version holds; the same moment as the old one's corrects it.",
    )


@strawberry.type(description="What became of one statement.")
class AddedMemory:
    memory: Memory | None = strawberry.field(description="The memory that holds the statement.")
    outcome: Outcome = strawberry.field(description="Whether it is new.")


@strawberry.type(description="The answer of addMemory.")
class AddMemoryPayload(Payload):
    memory: Memory | None = strawberry.field(default=None, description="The memory that holds the statement.")
    outcome: Outcome | None = strawberry.field(default=None, description="Whether it is new.")


@strawberry.type(description="The answer of addMemories.")
class AddMemoriesPayload(Payload):
    results: list[AddedMemory] = strawberry.field(
        default_factory=list, description="What became of each statement, in their order."
    )


@strawberry.type(description="The answer of supersedeMemory.")
class SupersedeMemoryPayload(Payload):
    memory: Memory | None = strawberry.field(default=None, description="The new version.")
    superseded: Memory | None = strawberry.field(default=None, description="The memory that was named.")
    chain_id: Uuid | None = strawberry.field(
        default=None, description="What all versions of this truth share."
    )
    notes: list[str] = strawberry.field(
        default_factory=list, description="What was adjusted to fit the chain."
    )


_ONE = {"facts[0]": ""}
_MANY = {"facts": "memories"}
_CHANGE = {"facts[0]": "fact"}


@strawberry.type
class MemoryMutation:
    @writes(
        "Keeps one statement. What a live memory says already is not stored twice.", AddMemoryPayload, _ONE
    )
    async def add_memory(
        self, info: Info, input: Annotated[AddMemoryInput, strawberry.argument(description="What to keep.")]
    ) -> AddMemoryPayload | None:
        [result], replayed = await _add(info, [input], input.subject, input.idempotency_key)
        return AddMemoryPayload(memory=result.memory, outcome=result.outcome, replayed=replayed)

    @writes("Keeps many statements in one transaction, all or none.", AddMemoriesPayload, _MANY)
    async def add_memories(
        self, info: Info, input: Annotated[AddMemoriesInput, strawberry.argument(description="What to keep.")]
    ) -> AddMemoriesPayload | None:
        results, replayed = await _add(info, input.memories, input.subject, input.idempotency_key)
        return AddMemoriesPayload(results=results, replayed=replayed)

    @writes(
        "Puts a new version into the history of a truth; the old one stays readable.",
        SupersedeMemoryPayload,
        _CHANGE,
    )
    async def supersede_memory(
        self,
        info: Info,
        input: Annotated[SupersedeMemoryInput, strawberry.argument(description="What changes.")],
    ) -> SupersedeMemoryPayload | None:
        context, faults = info.context, Gathered()
        id = faults.of(uuid_of, "Memory", input.id)
        faults.of(check_key, input.idempotency_key)
        new = await context.call(faults.of, _new_version, context.service, input)
        if faults.faults:
            check_change(faults, input.valid_from, input.reason)
            if isinstance(new, model.Fact):
                await context.call(faults.of, validation.check, context.service, new, "facts[0]")
        faults.refuse()
        call = await context.change_call(input, subjects.of_memory, id)
        done, answer = await context.call(
            supersede, context.service, call, id, new, input.valid_from, input.reason
        )
        view = View(call.scope.for_writing())
        memory, old = await asyncio.gather(
            load_memory(info, view, done.new), load_memory(info, view, done.old)
        )
        return SupersedeMemoryPayload(
            memory=memory,
            superseded=old,
            chain_id=Uuid(done.chain_id),
            notes=list(done.notes),
            replayed=answer.replayed,
        )


async def _add(
    info: Info, given: Sequence[FactInput], subject: str | None, key: str | None
) -> tuple[list[AddedMemory], bool]:
    context = info.context
    facts = await context.call(keyed_facts_of, context.service, given, AT_ONCE, key)
    call = context.write_call(subject, key, session_of(given))
    added, answer = await context.call(add, context.service, call, facts)
    view = View(call.scope.for_writing())
    return list(await asyncio.gather(*(_added(info, view, item) for item in added))), answer.replayed


async def _added(info: Info, view: View, item: Added) -> AddedMemory:
    memory = None if item.id is None else await load_memory(info, view, item.id)
    return AddedMemory(memory=memory, outcome=item.outcome)


def _new_version(service: Service, input: SupersedeMemoryInput) -> model.Fact | str:
    if input.fact is not None and input.by_id is None:
        return fact_of(service, input.fact)
    if input.by_id is not None and input.fact is None:
        return uuid_of("Memory", input.by_id)
    raise Invalid("Give either fact or byId.", path="input")


def fact_of(service: Service, given: FactInput) -> model.Fact:
    """An input as the domain's fact, `facts[0]` in messages."""
    [fact] = facts_of(service, [given], 1)
    return fact


def facts_of(service: Service, given: Sequence[FactInput], most: int) -> list[model.Fact]:
    """Inputs as the domain's facts: at least one, at most so many. Where one cannot be, all that is wrong is told."""
    if not 1 <= len(given) <= most:
        raise Invalid(f"{len(given)} statements were given; 1 to {most} are kept at once.", path="facts")
    named = [
        {field.alias or name: getattr(each, name) for name, field in Statement.model_fields.items()}
        for each in given
    ]
    faults = Gathered()
    read = [faults.of(check, Statement, each, f"facts[{index}]") for index, each in enumerate(named)]
    if faults.faults:
        _gather_the_rest(service, faults, named)
    faults.refuse()
    return [each.fact() for each in read]


def keyed_facts_of(
    service: Service, given: Sequence[FactInput], most: int, key: str | None
) -> list[model.Fact]:
    """As `facts_of`, for a request with an idempotency key; what is wrong with that is told beside the rest."""
    faults = Gathered()
    faults.of(check_key, key)
    facts = faults.of(facts_of, service, given, most)
    if faults.faults:
        for index, fact in enumerate(facts or ()):
            faults.of(validation.check, service, fact, f"facts[{index}]")
    faults.refuse()
    return facts


def _gather_the_rest(service: Service, faults: Gathered, named: Sequence[dict[str, Any]]) -> None:
    """What breaks the rules of the domain too, in what is left without the fields that cannot be read."""
    unread = {found[0] for fault in faults.faults if (found := _FIELD.match(fault.path or ""))}
    for index, each in enumerate(named):
        path = f"facts[{index}]"
        left = {name: value for name, value in each.items() if f"{path}.{name}" not in unread}
        read = check(Statement, {"text": "It is not read.", **left})
        faults.of(validation.check, service, replace(read.fact(), entities=()), path)


def session_of(given: Sequence[FactInput]) -> str | None:
    """The session that all of them were said in; None where they differ."""
    sessions = {fact.session_id for fact in given}
    return sessions.pop() if len(sessions) == 1 else None
