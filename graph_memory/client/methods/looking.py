"""Looking at memories: by id, by page, in time, over links."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.listed import Page
from graph_memory.client.answers.of_entities import EntityAttributes
from graph_memory.client.answers.of_graphs import Neighbours, Subgraph
from graph_memory.client.answers.of_memories import Memory, MemoryWithLinks, Retirement, State
from graph_memory.client.answers.words import LinkDirection, LinkKind
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.methods.calls import reads, there
from graph_memory.client.sending import PAGE, Time, several


def memory(
    asker: Asker, id: str, *, as_of: Time | None = None, known_at: Time | None = None
) -> Steps[MemoryWithLinks]:
    """One memory by its id or uuid, with its links; NotFound when there is none, or it is someone else's."""
    given = {"id": id, "as_of": as_of, "known_at": known_at}
    return read(MemoryWithLinks, there(id, (yield from reads(asker, "memory", given))))


def memories(
    asker: Asker,
    *,
    first: int = 20,
    after: str | None = None,
    kind: str | None = None,
    tag: str | None = None,
    as_of: Time | None = None,
    known_at: Time | None = None,
    subject: str | None = None,
) -> Steps[Page[Memory]]:
    """A page of memories, newest first; summaries of communities only by their kind, `summary`."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Page[Memory], (yield from reads(asker, "memories", given, subject or asker.subject)))


def attributes(
    asker: Asker,
    name: str,
    *,
    first: int = 20,
    after: str | None = None,
    as_of: Time | None = None,
    known_at: Time | None = None,
    subject: str | None = None,
) -> Steps[Page[EntityAttributes]]:
    """A page of those whose name begins so, five of them, each with the `first` things stated of it, now and before.

    `User` is whose memories they are.
    """
    given = {"name": name, "first": first, "after": after, "as_of": as_of, "known_at": known_at}
    return read(
        Page[EntityAttributes], (yield from reads(asker, "attributes", given, subject or asker.subject))
    )


def history(asker: Asker, id: str) -> Steps[tuple[State, ...]]:
    """Every state of every version of a truth, oldest first; the id of any version will do."""
    states: tuple[State, ...] = ()
    page: Page[State] = Page((), True, None)
    while page.has_next_page:
        given = {"id": id, "first": PAGE, "after": page.end_cursor}
        page = read(Page[State], there(id, (yield from reads(asker, "history", given))))
        states += page.nodes
    return states


def why_retired(asker: Asker, id: str) -> Steps[Retirement]:
    """Why a memory is no longer current."""
    return read(Retirement, there(id, (yield from reads(asker, "why-retired", {"id": id}))))


def neighbours(
    asker: Asker,
    id: str,
    *,
    kinds: Sequence[LinkKind] | None = None,
    direction: LinkDirection = "BOTH",
    depth: int = 2,
    first: int = 20,
    as_of: Time | None = None,
    known_at: Time | None = None,
) -> Steps[Neighbours]:
    """The memories that links lead to, nearest first."""
    given = {name: value for name, value in locals().items() if name != "asker"}
    return read(Neighbours, there(id, (yield from reads(asker, "neighbours", given))))


def subgraph(
    asker: Asker,
    ids: str | Sequence[str],
    *,
    depth: int = 1,
    first: int = 100,
    as_of: Time | None = None,
    known_at: Time | None = None,
) -> Steps[Subgraph]:
    """Memories, what lies around them, and all links between these; `to_networkx()` makes a graph of it."""
    given = {"ids": several(ids, str), "depth": depth, "first": first, "as_of": as_of, "known_at": known_at}
    return read(Subgraph, there(str(ids), (yield from reads(asker, "subgraph", given))))
