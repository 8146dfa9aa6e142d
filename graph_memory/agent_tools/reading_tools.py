"""The tools that look and change nothing. Each says in plain words what it does, when to call it and when not."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver.tools.base import Tool
from pydantic import Field

from graph_memory.agent_tools import shown
from graph_memory.agent_tools.arguments import Id, Limit, Text, When
from graph_memory.agent_tools.tools import ClientOf, Described
from graph_memory.client import AsyncClient
from graph_memory.client.answers import RecallMode


def reading_tools(client: ClientOf) -> list[Tool]:
    """What looks and changes nothing."""
    return [each.through(client) for each in _READING]


async def memory_search(
    client: AsyncClient,
    query: Annotated[Text, Field(description="What to look for, in plain words; a question will do.")],
    limit: Limit = 8,
    as_of: When = None,
    deep: Annotated[bool, Field(description="Whether faded memories are searched too.")] = False,
) -> shown.ShownSearch:
    """Find what is known about something. Call it before you answer about people, plans, preferences or earlier talk,
    and before you remember something that may be known. Not for facts of the world. With as_of: what held then."""
    mode: RecallMode = "DEEP" if deep else "STANDARD"
    return shown.search(await client.search(query, first=limit, as_of=as_of, mode=mode), as_of)


async def memory_ask(
    client: AsyncClient,
    question: Annotated[Text, Field(description="One question, in plain words, with names.")],
    limit: Limit = 8,
    as_of: When = None,
) -> shown.ShownAnswer:
    """Have one question answered from memory: when, how long ago, how many, who, where, yes or no. Call it when a date or a
    number matters: words such as yesterday are counted from the day they were said. No answer means that nothing
    proves one; then read the memories beside it. Not to browse: that is memory_search."""
    return shown.answer(await client.ask(question, first=limit, as_of=as_of))


async def memory_context(
    client: AsyncClient,
    query: Annotated[
        str | None, Field(description="What the task is about; without it, what matters most.")
    ] = None,
    budget: Annotated[int, Field(ge=100, le=8000, description="Tokens of the block at most.")] = 1000,
) -> shown.ShownPack:
    """What should be known at the start of a task, as one block to read or to put into a prompt. Call it once when a
    conversation or task begins. Not for a single question: that is memory_search."""
    return shown.pack(await client.pack(query, budget=budget))


async def memory_get(client: AsyncClient, id: Id, as_of: When = None) -> shown.ShownWhole:
    """One memory with what it mentions and what it is linked to. Call it when a search told its id and you need to know
    more. Not to find something: that is memory_search."""
    return shown.whole(await client.memory(id, as_of=as_of))


async def memory_history(client: AsyncClient, id: Id) -> shown.ShownHistory:
    """Every version of a truth, oldest first, and why each was replaced. Call it when someone asks what was so before,
    since when it is so, or why it changed; the id of any version will do. Not for what holds now: that is memory_search."""
    return shown.history(await client.history(id))


async def memory_neighbours(
    client: AsyncClient,
    id: Id,
    hops: Annotated[int, Field(ge=1, le=3, description="How far.")] = 1,
    limit: Limit = 10,
) -> shown.ShownNeighbours:
    """The memories that are linked to one: causes, conflicts, examples. Call it to explain something or to see what
    hangs together. Not to find something by its content: that is memory_search."""
    return shown.neighbours(await client.neighbours(id, depth=hops, first=limit))


async def memory_conflicts(client: AsyncClient, limit: Limit = 10) -> shown.ShownConflicts:
    """Memories that may not both hold and that a person has to decide. Call it when the person asks what is unclear, or
    when two memories say different things. Show both to the person; do not decide by yourself."""
    return shown.conflicts(await client.reviews(first=limit))


async def memory_status(
    client: AsyncClient,
    job: Annotated[str | None, Field(description="A job's id, to see how far it has come.")] = None,
) -> shown.ShownStatus:
    """Whose memory this is, what you may do, and how much is stored. Call it when a tool was refused, or to see how far
    a job has come. Not before each other call."""
    viewer, tiers = await client.viewer(), await client.tiers()
    run = await client.job(job) if job else None
    return shown.ShownStatus(
        viewer.tenant,
        viewer.subject,
        list(viewer.rights),
        shown.counts(tiers),
        f"{run.name}: {run.state}" if run else None,
    )


_READING = (
    Described("Search memories", memory_search, reads=True),
    Described("Ask a question", memory_ask, reads=True),
    Described("Context for a task", memory_context, reads=True),
    Described("Get a memory", memory_get, reads=True),
    Described("History of a memory", memory_history, reads=True),
    Described("What lies around a memory", memory_neighbours, reads=True),
    Described("What waits for a person", memory_conflicts, reads=True),
    Described("Status of the memory", memory_status, reads=True),
)
