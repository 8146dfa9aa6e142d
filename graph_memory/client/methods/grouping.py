"""Communities: what memories are about."""

from __future__ import annotations

from graph_memory.client.answers.decoding import read, spelled
from graph_memory.client.answers.listed import Page
from graph_memory.client.answers.of_communities import Community, CommunityWithMembers
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.methods.calls import reads, there
from graph_memory.client.sending import Time, plain


def communities(
    asker: Asker,
    *,
    name: str | None = None,
    changed_since: Time | None = None,
    min_size: int | None = None,
    ended: bool | None = None,
    first: int = 20,
    after: str | None = None,
    subject: str | None = None,
) -> Steps[Page[Community]]:
    """What memories are about, the last changed first; with `changed_since` what was born, changed or ended since."""
    wanted = {"name": name, "changed_since": changed_since, "min_size": min_size, "ended": ended}
    filter = {spelled(key): plain(key, value) for key, value in wanted.items() if value is not None}
    given = {"filter": filter, "first": first, "after": after}
    return read(Page[Community], (yield from reads(asker, "communities", given, subject or asker.subject)))


def community(
    asker: Asker, id: str, *, first: int = 20, after: str | None = None
) -> Steps[CommunityWithMembers]:
    """A community with its summary, a page of its members, and what became of it."""
    given = {"id": id, "first": first, "after": after}
    return read(CommunityWithMembers, there(id, (yield from reads(asker, "community", given))))
