"""The tools. Each says in plain words what it does, when to call it and when not; each is one call of the client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from graph_memory.agent_tools import shown
from graph_memory.agent_tools.arguments import CheckedTool, Id, Ids, Limit, Text, When, told
from graph_memory.base.errors import GraphMemoryError
from graph_memory.client import AsyncClient
from graph_memory.client.answers import LinkKind, RecallMode

P = ParamSpec("P")
T = TypeVar("T")

# The client by which a request of an agent is carried out: it holds the key of whoever asks.
ClientOf = Callable[[Context[Any, Any]], AsyncClient]
Asked = Context[Any, Any]

Reason = Annotated[str, Field(description="Why, in a few words; it is kept.")]
SaidBy = Annotated[
    Literal["user", "agent", "tool", "web"],
    Field(description="Who says it: `user` only for what the person said in this conversation."),
]
Key = Annotated[
    str | None, Field(description="A name of this call. Calling again with the same name does it once.")
]


@dataclass(frozen=True)
class Hints:
    """What a tool does to the store, for clients that ask a person first."""

    title: str
    reads: bool = False
    destroys: bool = False

    def told(self) -> ToolAnnotations:
        return ToolAnnotations(
            title=self.title,
            read_only_hint=self.reads,
            destructive_hint=self.destroys,
            idempotent_hint=self.reads,
            open_world_hint=False,
        )


def readable(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Tells an error of the service in its own words, for the model to read and act on."""

    @wraps(function)
    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await function(*args, **kwargs)
        except GraphMemoryError as error:
            raise ToolError(told(error)) from error

    return call


def reading_tools(client: ClientOf) -> list[Tool]:
    """What looks and changes nothing."""
    made: list[Tool] = []

    def tool(title: str) -> Callable[[Callable[..., Awaitable[Any]]], None]:
        return _adder(made, Hints(title, reads=True))

    @tool("Search memories")
    async def memory_search(
        context: Asked,
        query: Annotated[Text, Field(description="What to look for, in plain words; a question will do.")],
        limit: Limit = 8,
        as_of: When = None,
        deep: Annotated[bool, Field(description="Whether faded memories are searched too.")] = False,
    ) -> shown.ShownSearch:
        """Find what is known about something. Call it before you answer about people, plans, preferences or earlier talk,
        and before you remember something that may be known. Not for facts of the world. With as_of: what held then."""
        mode: RecallMode = "DEEP" if deep else "STANDARD"
        return shown.search(await client(context).search(query, first=limit, as_of=as_of, mode=mode), as_of)

    @tool("Ask a question")
    async def memory_ask(
        context: Asked,
        question: Annotated[Text, Field(description="One question, in plain words, with names.")],
        limit: Limit = 8,
        as_of: When = None,
    ) -> shown.ShownAnswer:
        """Have one question answered from memory: when, how long ago, how many, who, where, yes or no. Call it when a date or a
        number matters: words such as yesterday are counted from the day they were said. No answer means that nothing
        proves one; then read the memories beside it. Not to browse: that is memory_search."""
        return shown.answer(await client(context).ask(question, first=limit, as_of=as_of))

    @tool("Context for a task")
    async def memory_context(
        context: Asked,
        query: Annotated[
            str | None, Field(description="What the task is about; without it, what matters most.")
        ] = None,
        budget: Annotated[int, Field(ge=100, le=8000, description="Tokens of the block at most.")] = 1000,
    ) -> shown.ShownPack:
        """What should be known at the start of a task, as one block to read or to put into a prompt. Call it once when a
        conversation or task begins. Not for a single question: that is memory_search."""
        return shown.pack(await client(context).pack(query, budget=budget))

    @tool("Get a memory")
    async def memory_get(context: Asked, id: Id, as_of: When = None) -> shown.ShownWhole:
        """One memory with what it mentions and what it is linked to. Call it when a search told its id and you need to know
        more. Not to find something: that is memory_search."""
        return shown.whole(await client(context).memory(id, as_of=as_of))

    @tool("History of a memory")
    async def memory_history(context: Asked, id: Id) -> shown.ShownHistory:
        """Every version of a truth, oldest first, and why each was replaced. Call it when someone asks what was so before,
        since when it is so, or why it changed; the id of any version will do. Not for what holds now: that is memory_search."""
        return shown.history(await client(context).history(id))

    @tool("What lies around a memory")
    async def memory_neighbours(
        context: Asked,
        id: Id,
        hops: Annotated[int, Field(ge=1, le=3, description="How far.")] = 1,
        limit: Limit = 10,
    ) -> shown.ShownNeighbours:
        """The memories that are linked to one: causes, conflicts, examples. Call it to explain something or to see what
        hangs together. Not to find something by its content: that is memory_search."""
        return shown.neighbours(await client(context).neighbours(id, depth=hops, first=limit))

    @tool("What waits for a person")
    async def memory_conflicts(context: Asked, limit: Limit = 10) -> shown.ShownConflicts:
        """Memories that may not both hold and that a person has to decide. Call it when the person asks what is unclear, or
        when two memories say different things. Show both to the person; do not decide by yourself."""
        return shown.conflicts(await client(context).reviews(first=limit))

    @tool("Status of the memory")
    async def memory_status(
        context: Asked,
        job: Annotated[str | None, Field(description="A job's id, to see how far it has come.")] = None,
    ) -> shown.ShownStatus:
        """Whose memory this is, what you may do, and how much is stored. Call it when a tool was refused, or to see how far
        a job has come. Not before each other call."""
        asking = client(context)
        viewer, tiers = await asking.viewer(), await asking.tiers()
        run = await asking.job(job) if job else None
        return shown.ShownStatus(
            viewer.tenant,
            viewer.subject,
            list(viewer.rights),
            shown.counts(tiers),
            f"{run.name}: {run.state}" if run else None,
        )

    return made


def writing_tools(client: ClientOf) -> list[Tool]:
    """What changes the store. Each can be undone by a person, but for memory_forget."""
    made: list[Tool] = []

    def tool(title: str, *, destroys: bool = False) -> Callable[[Callable[..., Awaitable[Any]]], None]:
        return _adder(made, Hints(title, destroys=destroys))

    @tool("Remember")
    async def memory_remember(
        context: Asked,
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
        done = await client(context).remember(
            text, source={"kind": _KINDS[said_by]}, valid_from=valid_from, tags=tags, key=key
        )
        return shown.remembered(done)

    @tool("Correct a memory")
    async def memory_supersede(
        context: Asked,
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
        done = await client(context).supersede(
            id, text, source=fact_of, valid_from=valid_from, reason=reason, key=key
        )
        found = [each for each in (done.memory, done.superseded) if each is not None]
        return shown.ShownChanged([shown.memory(each) for each in found], done.replayed)

    @tool("Retract memories", destroys=True)
    async def memory_retract(
        context: Asked,
        ids: Ids,
        reason: Reason = "",
    ) -> shown.ShownChanged:
        """Say that memories should never have been believed. Call it when the person says that something is simply wrong.
        Nothing takes their place; they leave every answer and stay in history. Not for what was true and has changed: that
        is memory_supersede."""
        done = await client(context).retract(ids, reason=reason)
        return shown.ShownChanged([shown.memory(each) for each in done.memories], done.replayed)

    @tool("Link two memories")
    async def memory_link(
        context: Asked,
        from_id: Id,
        to_id: Id,
        kind: Annotated[LinkKind, Field(description="What the first is to the second.")],
        reason: Reason = "",
    ) -> str:
        """Say how one memory hangs together with another: it CAUSES it, SUPPORTS it, CONFLICTS with it. Call it when the
        person says so or it follows from what they said. Not for mere likeness."""
        done = await client(context).link(from_id, to_id, kind, reason=reason)
        return f"{done.outcome}: {kind}"

    @tool("Forget for ever", destroys=True)
    async def memory_forget(
        context: Asked,
        ids: Ids,
        reason: Reason = "",
    ) -> shown.ShownForgotten:
        """Erase memories for ever, with all that holds their words. There is no undo. Call it only when the person asks for
        it in this conversation, for memories that you have shown to them. Not to correct: that is memory_supersede or
        memory_retract. Your key needs the right to erase."""
        return shown.forgotten(await client(context).forget(ids, reason=reason))

    return made


_KINDS: dict[str, Any] = {"user": "USER", "agent": "AGENT", "tool": "TOOL", "web": "WEB"}


def _adder(made: list[Tool], hints: Hints) -> Callable[[Callable[..., Awaitable[Any]]], None]:
    def add(function: Callable[..., Awaitable[Any]]) -> None:
        described = " ".join((function.__doc__ or "").split())
        made.append(
            CheckedTool.from_function(
                readable(function), description=described, title=hints.title, annotations=hints.told()
            )
        )

    return add
