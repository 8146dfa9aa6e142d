"""What a careful reader understood of the stories, put in the place of what the service reads: where is the loss?

Each rung gives what those before it give. Links: what is done to what, and what led to what. Times: since when it holds, when
it happens. Texts: the statements themselves. Moods: what is asserted, planned, wished, and what is to be kept at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from enum import StrEnum
from pathlib import Path
from zoneinfo import ZoneInfo

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.bench.story_understood import Gold, Understanding, find, nearest, number_of, understanding
from graph_memory.ingest import talk
from graph_memory.ingest.causes_told import Cause
from graph_memory.ingest.keeping import kept
from graph_memory.ingest.message_reading import Read, Reader
from graph_memory.ingest.receipt import as_message
from graph_memory.ingest.rules import Statement
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import PLAN, KnownMemory, Told
from graph_memory.ingest.when import When, when
from graph_memory.judge.judges import Classify
from graph_memory.judge.linker import LEARNT, RETIRES, Act, Link, Span, Understood, opened
from graph_memory.judge.panel import Judgement
from graph_memory.language.kind_cues import EVENT, FACT
from graph_memory.language.own_output import without_own
from graph_memory.language.patterns import on_one_blank
from graph_memory.memory.reading import browse
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Memory
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Effect, Verdict
from graph_memory.model.verdict import Statement as Shown
from graph_memory.store.service import Row, Service

_PAGE = 100
_ACTIONS = {
    Effect.REPEATS: (Action.DUPLICATE, None),
    Effect.ADDS: (Action.COEXIST, LinkKind.EXPANDS),
    Effect.DISPUTES: (Action.COEXIST, LinkKind.CONFLICTS),
}
_WHY = "A careful reader says so."


class Rung(StrEnum):
    """How much is given, in growing order."""

    LINKS = "links"
    TIMES = "times"
    TEXTS = "texts"
    MOODS = "moods"

    def gives(self, other: Rung) -> bool:
        """Whether what that rung brings is given on this one."""
        return list(Rung).index(self) >= list(Rung).index(other)


def readers(path: Path, rung: str) -> dict[str, Reader]:
    """Who reads each story of the file, by its id. Raises Invalid where the file or the rung is none."""
    if rung not in list(Rung):
        raise Invalid(f"There is no rung {rung!r}; there are {', '.join(Rung)}.", path="rung")
    try:
        told = json.loads(path.read_text("utf-8"))["stories"]
        return {
            each["id"]: GoldReader(
                {one["message"]: understanding(one) for one in each["messages"]}, Rung(rung)
            )
            for each in told
        }
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Invalid(
            f"{path} does not hold what was understood of stories ({type(error).__name__}: {error}).",
            path="gold",
        ) from error


@dataclass(frozen=True)
class _GoldRead(Read):
    held: Sequence[Memory] = ()


class GoldReader(Reader):
    """Reads the messages of one story as it was understood by hand, so far as the rung gives it."""

    def __init__(self, messages: Mapping[int, Understanding], rung: Rung) -> None:
        self._messages = messages
        self._rung = rung

    def judges(self) -> tuple[Classify, Classify]:
        """Nobody: what the hand says nothing of stands beside what is known."""
        return _stands, _stands

    def read(self, service: Service, scope: Scope, row: Row, zone: ZoneInfo) -> Read:
        """What a stored message states, with what stood in the store when it was read."""
        message, before = as_message(row["message"]), [as_message(each) for each in row["before"]]
        settings = service.settings[LinkerSettings]
        held = list(_live(service, scope))
        alone, _ = talk.read(opened(settings.model), message, before, (), settings)
        hearing = Hearing(
            self._messages, self._rung, message, before, zone, held, self._mood(message, alone), settings
        )
        return _GoldRead(hearing.told(), held=held)

    def causes(self, _: Service, told: Sequence[Told], read: Read) -> list[Cause]:
        """What led to what, as the hand says, where both stand."""
        held = read.held if isinstance(read, _GoldRead) else ()
        found = []
        for at, each in enumerate(told):
            gold = nearest(self._understood(each.statement.ref).statements, each.statement.text)
            ends = [(to, True) for to in gold.because] + [(to, False) for to in gold.led_to] if gold else []
            for to, is_cause in ends:
                known = find(self._messages, held, to)
                if known:
                    found.append(Cause(at, known.id, LinkKind.CAUSES, is_cause, 1.0))
        return found

    def _understood(self, ref: str | None) -> Understanding:
        return self._messages.get(number_of(ref), Understanding())

    def _mood(self, message: Message, alone: Understood) -> Understood:
        if self._rung is not Rung.MOODS:
            return alone
        act = self._understood(message.ref).act
        return Understood({each: float(each is act) for each in Act})


@dataclass(frozen=True)
class Hearing:
    """One message beside the memories that are live, and how it is read on a rung. `alone` is its mood."""

    messages: Mapping[int, Understanding]
    rung: Rung
    message: Message
    before: Sequence[Message]
    zone: ZoneInfo
    held: Sequence[Memory]
    alone: Understood
    settings: LinkerSettings

    @property
    def gold(self) -> Understanding:
        """What the hand says of it."""
        return self.messages.get(number_of(self.message.ref), Understanding())

    def told(self) -> list[Told]:
        """What is kept of the message."""
        if self.rung is Rung.MOODS:
            return [self._written(each) for each in self.gold.statements] if self.gold.keeps else []
        if self.rung.gives(Rung.TEXTS) and self.gold.statements:
            told = [self._written(each) for each in self.gold.statements]
            if self.alone.keeps_nothing >= self.settings.drop:
                told = [each for each in told if each.verdict]
        else:
            told = self._read()
        return kept(told, 1 - self.alone.keeps_nothing >= self.settings.states, self.settings)

    def _read(self) -> list[Told]:
        """The statements that the rules make, each link by itself."""
        links = [
            (gold, known) for gold in self.gold.statements if gold.does and (known := self._target(gold))
        ]
        readings = [self._linked([known], [self._link(gold, known)]) for gold, known in links]
        if not readings:
            return [self._timed(each) for each in self._linked([], [])]
        about = [
            self._timed(each, gold)
            for (gold, _), reading in zip(links, readings, strict=True)
            for each in reading
            if each.verdict
        ]
        # What is of no link stands for itself.
        rest = [{each.statement.text for each in reading if not each.verdict} for reading in readings]
        alone = [each for each in readings[0] if each.statement.text in set.intersection(*rest)]
        return [*about, *(self._timed(each) for each in alone if not each.verdict)]

    def _linked(self, known: Sequence[KnownMemory], links: Sequence[Link]) -> list[Told]:
        found = self.alone, links
        times = self._times if self.rung.gives(Rung.TIMES) and self.gold.statements else when
        return talk.statements(self.message, self.before, known, found, self.settings, self.zone, times)

    def _link(self, gold: Gold, known: KnownMemory) -> Link:
        effects: dict[Effect, float] = {each: float(each is gold.does) for each in LEARNT}
        said = on_one_blank(without_own(self.message.text))
        return Link(1.0, effects, _span(said, gold.value), _span(known.text, gold.old))

    def _times(self, text: str, _: datetime, __: bool | None, ___: date | None) -> When:
        gold = nearest(self.gold.statements, text)
        if gold is None:
            return When()
        start = self._moment(gold.valid_from)
        if start is None and gold.does in RETIRES:
            start = self.message.at
        is_ahead = start is not None and start > self.message.at
        return When(
            happens_at=self._day(gold.happens_at),
            begins=None if is_ahead else start,
            ahead=start if is_ahead else None,
            expires_at=self._moment(gold.valid_to),
        )

    def _timed(self, told: Told, gold: Gold | None = None) -> Told:
        """The statement with the moment from which on it holds, where the hand knows it."""
        found = gold or nearest(self.gold.statements, told.statement.text)
        if not self.rung.gives(Rung.TIMES) or found is None or found.valid_from is None:
            return told
        return replace(told, valid_from=self._moment(found.valid_from))

    def _written(self, gold: Gold) -> Told:
        """The statement that the hand wrote, with what it does to the known one."""
        start, happens_at = self._moment(gold.valid_from), self._day(gold.happens_at)
        is_past = start is not None and start <= self.message.at
        is_plan = self.alone.acts[Act.PLANNED] >= max(self.alone.acts.values()) and not is_past
        kind = PLAN if is_plan else EVENT if happens_at else FACT
        made = Statement(
            gold.text,
            self.message.speaker,
            self.message.at,
            happens_at,
            kind,
            self.message.ref,
            self._moment(gold.valid_to),
        )
        known = self._target(gold)
        if known is None or gold.does is None:
            return Told(made, start)
        if start is None and gold.does is Effect.CORRECTS:
            start = known.valid_from
        return Told(made, start, self._verdict(gold.does, known))

    def _verdict(self, does: Effect, known: KnownMemory) -> Verdict | None:
        if does in _ACTIONS:
            action, link = _ACTIONS[does]
            return Verdict(known.id, action, 1.0, _WHY, link)
        sure = self.alone.states
        if sure < self.settings.propose:
            return None
        if sure >= self.settings.retire:
            return Verdict(known.id, Action.SUPERSEDE, sure, _WHY)
        return Verdict(known.id, Action.COEXIST, sure, _WHY, abstained=True, proposal=Action.SUPERSEDE)

    def _target(self, gold: Gold) -> KnownMemory | None:
        found = find(self.messages, self.held, gold.to, gold.old) if gold.to else None
        if found is None:
            return None
        author, since = found.source.author, found.valid_from
        return KnownMemory(found.id, found.text, author, since, since, found.kind, found.happens_at)

    def _moment(self, told: str | None) -> datetime | None:
        return datetime.fromisoformat(told).replace(tzinfo=self.zone).astimezone(UTC) if told else None

    def _day(self, told: str | None) -> datetime | None:
        """A moment; a whole day is its midnight in UTC."""
        is_day = told is not None and "T" not in told
        return (
            datetime.combine(date.fromisoformat(told), time(), UTC) if is_day and told else self._moment(told)
        )


def _span(text: str, part: str) -> Span | None:
    at = text.casefold().find(part.casefold()) if part else -1
    return None if at < 0 else (at, at + len(part))


def _live(service: Service, scope: Scope) -> Iterator[Memory]:
    after: str | None = None
    while True:
        page = browse(service, scope, _PAGE, after)
        yield from page.items
        after = page.next
        if after is None:
            return


def _stands(_: Service, __: Scope, ___: Shown, candidates: Sequence[Shown], ____: float) -> Judgement:
    verdicts = tuple(Verdict(each.id or "", Action.COEXIST, 1.0, _WHY) for each in candidates)
    return Judgement(verdicts, "hand")
