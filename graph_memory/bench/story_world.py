"""A story in the store: its sessions are submitted and extracted in their order, and what came of it is read back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.bench.story_evidence import TOP, Heard, Named, Proposal, World
from graph_memory.bench.story_files import Story
from graph_memory.curation import review_records
from graph_memory.ingest import extraction, segments
from graph_memory.ingest.message_reading import Reader
from graph_memory.ingest.submission import close, submit
from graph_memory.jobs import schedule
from graph_memory.jobs.context import Body
from graph_memory.jobs.execution import execute
from graph_memory.ledger.activity import set_time_zone
from graph_memory.ledger.changes import Call
from graph_memory.memory.causes import causes
from graph_memory.memory.erasure import forget
from graph_memory.memory.histories import histories
from graph_memory.memory.reading import browse, entities_of, get_many, links_of
from graph_memory.model.link_kinds import SYMMETRIC
from graph_memory.model.memory import Memory, Status
from graph_memory.model.run import Status as RunStatus
from graph_memory.recall.access import Accesses
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import search
from graph_memory.store.service import Service
from tasks import BODIES

ACTOR = "bench"
_PAGE = 100
_HOPS = 5
# What GraphQL gives of a list unless asked for more, so that a story is judged by what a caller sees.
_FEW, _STATES, _CAUSES = 10, 50, 20


@dataclass(frozen=True)
class Taken:
    """How a story was taken in: sessions, messages, seconds, and what the runs counted, by name."""

    sessions: int
    messages: int
    seconds: float
    counts: Counter[str]


def take_in(service: Service, scope: Scope, story: Story, reader: Reader = extraction.READER) -> Taken:
    """Submits the sessions; each is closed and extracted, by `reader`, before the next one begins."""
    call, counts = Call(scope, ACTOR), Counter[str]()
    bodies: dict[str, Body] = {**BODIES, schedule.EXTRACT: partial(extraction.run, reader=reader)}
    begun = time.perf_counter()
    set_time_zone(service, call, story.zone.key)
    for number, messages in enumerate(story.sessions):
        session = f"{story.id}-{number:02d}"
        submit(service, call, session, messages)
        run = execute(service, scope, close(service, call, session).run_id, bodies)
        counts["failed"] += run.status is not RunStatus.DONE
        counts.update({name: count for name, count in run.result.items() if isinstance(count, int | float)})
    return Taken(len(story.sessions), story.size, time.perf_counter() - begun, counts)


class StoredWorld(World):
    """What the service holds for a story, read when this is made, and how to ask it for more.

    Each search counts as a use of what it answers, as a caller's does, and is written before the next one: what was used
    is nearer at hand.
    """

    def __init__(self, service: Service, accesses: Accesses, scope: Scope, story: Story) -> None:
        self._service = service
        self._accesses = accesses
        self._scope = scope
        self.zone = story.zone
        self.now = service.clock()
        self.said = self.heard()
        self._refresh()

    def search(
        self, text: str, limit: int = TOP, mode: Mode = Mode.STANDARD, at: datetime | None = None
    ) -> list[Memory]:
        """The first hits."""
        moment = Moment(as_of=at.astimezone(UTC)) if at else NOW
        found = search(self._service, self._scope, text, limit=limit, moment=moment, mode=mode)
        ids = [hit.memory.id for hit in found.hits]
        linked = [former.id for hit in found.hits for former in hit.predecessors]
        self._accesses.note(self._scope, ids, linked, moment)
        self._accesses.flush()
        return [hit.memory for hit in found.hits]

    def states(self, memory: Memory) -> list[Memory]:
        """The states of its chain that are still believed and in force."""
        chain = histories(self._service, self._scope, [memory.id]).get(memory.id, [])
        states = [state.memory for state in chain[:_STATES]]
        return [each for each in states if each.recorded_to is None and each.status is Status.ACTIVE]

    def causes(self, memory: Memory) -> list[Memory]:
        """What led to it, over several links."""
        found = causes(self._service, self._scope, memory.id, _HOPS)
        return [each.memory for each in found.items[:_CAUSES]]

    def entities(self, memory: Memory) -> list[Named]:
        """What it mentions."""
        rows = entities_of(self._service, self._scope, [memory.id]).get(memory.id, [])
        return [Named(row["id"], row["name"], (row["name"], *(row["aliases"] or ()))) for row in rows[:_FEW]]

    def erase(self, ids: Sequence[str]) -> None:
        """Erases memories; what is held here is read anew."""
        if ids:
            forget(self._service, Call(self._scope, ACTOR), ids, reason="asked")
        self._refresh()

    def heard(self) -> list[Heard]:
        """The messages as they stand now, with what was made of them."""
        return [self._heard(said) for segment in self._segments() for said in self._messages(segment.id)]

    def _refresh(self) -> None:
        self.live = list(self._memories(past=False))
        past = self._memories(past=True)
        self.every = {memory.id: memory for memory in [*self.live, *past]}
        self.links = list(self._links())
        self.proposals = list(self._proposals())

    def _memories(self, *, past: bool) -> Iterator[Memory]:
        after: str | None = None
        while True:
            page = browse(self._service, self._scope, _PAGE, after, include_past=past)
            yield from page.items
            after = page.next
            if after is None:
                return

    def _links(self) -> Iterator[tuple[str, str, str]]:
        found = links_of(self._service, self._scope, list(self.every))
        for id, links in found.items():
            out = [link for link in links if link.from_id == id or link.kind in SYMMETRIC]
            yield from ((id, link.kind, link.to_id) for link in out[:_FEW])

    def _proposals(self) -> Iterator[Proposal]:
        after: str | None = None
        while True:
            page = review_records.page(self._service, self._scope, _PAGE, after)
            for review in page.items:
                new, known = get_many(self._service, self._scope, [review.memory_id, review.target_id])
                yield Proposal(review.action.value, new, None if review.is_held else known)
            if not page.has_next:
                return
            after = page.cursors[-1]

    def _segments(self) -> Iterator[segments.Segment]:
        after: str | None = None
        has_next = True
        while has_next:
            found, has_next = segments.segments(self._service, self._scope, _PAGE, after)
            yield from found
            after = segments.cursor_of(found[-1]) if found else None

    def _messages(self, segment_id: str) -> Iterator[segments.Said]:
        after: str | None = None
        has_next = True
        while has_next:
            found, has_next = segments.messages(self._service, self._scope, segment_id, _PAGE, after)
            yield from found
            after = segments.cursor_of(found[-1]) if found else None

    def _heard(self, said: segments.Said) -> Heard:
        message = said.message
        made = get_many(self._service, self._scope, said.memory_ids[:_FEW])
        texts = tuple(memory.text for memory in made if memory)
        return Heard(message.ref, message.speaker, message.at, message.text, said.is_erased, texts)
