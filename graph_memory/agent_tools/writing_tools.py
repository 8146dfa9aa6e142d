"""The tools that change the store. Each says in plain words what it does, when to call it and when not."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server.mcpserver.tools.base import Tool
from pydantic import Field

from graph_memory.agent_tools import shown
from graph_memory.agent_tools.arguments import Id, Ids, Text, When
from graph_memory.agent_tools.tools import ClientOf, Described
from graph_memory.client import AsyncClient
from graph_memory.client.answers import LinkKind

Reason = Annotated[str, Field(description="Why, in a few words; it is kept.")]
SaidBy = Annotated[
    Literal["user", "agent", "tool", "web"],
    Field(description="Who says it: `user` only for what the person said in this conversation."),
]
Key = Annotated[
    str | None, Field(description="A name of this call. Calling again with the same name does it once.")
]

_KINDS: dict[str, Any] = {"user": "USER", "agent": "AGENT", "tool": "TOOL", "web": "WEB"}


def writing_tools(client: ClientOf) -> list[Tool]:
    """What changes the store. Each can be undone by a person, but for memory_forget."""
    return [each.through(client) for each in _WRITING]


async def memory_remember(
    client: AsyncClient,
    text: Annotated[
        Text, Field(description="One statement in one sentence that can be understood alone, with names.")
    ],
    said_by: SaidBy = "agent",
    valid_from: When = None,
    tags: Annotated[list[str] | None, Field(description="A few words to browse by.")] = None,
    key: Key = None,
) -> shown.ShownRemembered:
    """Keep something for later conversations. Call it when the person tells of themselves, others, plans, preferences or
    decisions, once for each statement. It is compared with what is known: added, merged, put in place of an older one,
    or found known already. Not for small talk, secrets, or what holds for this conversation alone."""
    done = await client.remember(
        text, source={"kind": _KINDS[said_by]}, valid_from=valid_from, tags=tags, key=key
    )
    return shown.remembered(done)


async def memory_supersede(
    client: AsyncClient,
    id: Id,
    text: Annotated[Text, Field(description="What is true instead, in one sentence.")],
    said_by: SaidBy = "agent",
    valid_from: Annotated[
        When,
        Field(
            description="Since when; now when left out. The old one's own beginning says that it never held."
        ),
    ] = None,
    reason: Reason = "",
    key: Key = None,
) -> shown.ShownChanged:
    """Say that something else is true now in the place of one memory. Call it when you know which memory is out of date;
    search first. The old one stays in history. Not for something new beside it: that is memory_remember."""
    fact_of: Any = {"kind": _KINDS[said_by]}
    done = await client.supersede(id, text, source=fact_of, valid_from=valid_from, reason=reason, key=key)
    found = [each for each in (done.memory, done.superseded) if each is not None]
    return shown.ShownChanged([shown.memory(each) for each in found], done.replayed)


async def memory_retract(
    client: AsyncClient,
    ids: Ids,
    reason: Reason = "",
) -> shown.ShownChanged:
    """Say that memories should never have been believed. Call it when the person says that something is simply wrong.
    Nothing takes their place; they leave every answer and stay in history. Not for what was true and has changed: that
    is memory_supersede."""
    done = await client.retract(ids, reason=reason)
    return shown.ShownChanged([shown.memory(each) for each in done.memories], done.replayed)


async def memory_link(
    client: AsyncClient,
    from_id: Id,
    to_id: Id,
    kind: Annotated[LinkKind, Field(description="What the first is to the second.")],
    reason: Reason = "",
) -> str:
    """Say how one memory hangs together with another: it CAUSES it, SUPPORTS it, CONFLICTS with it. Call it when the
    person says so or it follows from what they said. Not for mere likeness."""
    done = await client.link(from_id, to_id, kind, reason=reason)
    return f"{done.outcome}: {kind}"


async def memory_forget(
    client: AsyncClient,
    ids: Ids,
    reason: Reason = "",
) -> shown.ShownForgotten:
    """Erase memories for ever, with all that holds their words. There is no undo. Call it only when the person asks for
    it in this conversation, for memories that you have shown to them. Not to correct: that is memory_supersede or
    memory_retract. Your key needs the right to erase."""
    return shown.forgotten(await client.forget(ids, reason=reason))


_WRITING = (
    Described("Remember", memory_remember),
    Described("Correct a memory", memory_supersede),
    Described("Retract memories", memory_retract, destroys=True),
    Described("Link two memories", memory_link),
    Described("Forget for ever", memory_forget, destroys=True),
)
