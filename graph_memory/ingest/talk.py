"""What a message of a conversation comes to, without a language model: linked first, told second.

The linker reads the message beside what is known. What it is about and does to it decides: a repetition joins the known
memory, a change, a correction or an end takes its place, a dispute stands beside it and conflicts. Where the linker is
not sure enough a person is asked. What is new is told by the rules (`rules.py`). Pure but for the models.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from itertools import accumulate
from zoneinfo import ZoneInfo

from graph_memory.ingest.dated_text import dated, place_in_dated, undated
from graph_memory.ingest.linked_parts import is_placed, part_of_known, part_of_message
from graph_memory.ingest.other_facts import others, with_others
from graph_memory.ingest.rules import LONGEST, Statement, extract
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.substitution import Substituted, substituted
from graph_memory.ingest.told_beside import holds, leans, tells, told_beside
from graph_memory.ingest.when import When, when
from graph_memory.judge.linker import Act, Link, Linker, Span, Understood
from graph_memory.judge.linker_input import NOBODY, Known, Utterance
from graph_memory.judge.worth import is_complete
from graph_memory.language.claim_reading import OVER
from graph_memory.language.coverage import is_readable
from graph_memory.language.kind_cues import FACT
from graph_memory.language.own_output import without_own
from graph_memory.language.patterns import on_one_blank
from graph_memory.language.sentences import ended, words
from graph_memory.language.short_answers import telling_words
from graph_memory.language.third_person import in_third_person
from graph_memory.language.times.tense import is_just_done
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Effect, Verdict

PLAN = "plan"

# What a text said at a local moment tells of times, as `when` does; the last is the day of what it is about.
Times = Callable[[str, datetime, bool | None, date | None], When]


@dataclass(frozen=True)
class KnownMemory:
    """A live memory that a message may be about; `is_just_said`: it was made of a message just before.

    `said_at` is when it was said last, whenever what it tells of began.
    """

    id: str
    text: str
    author: str | None
    valid_from: datetime
    said_at: datetime
    kind: str
    happens_at: datetime | None = None
    is_just_said: bool = False

    def is_past_event(self, at: datetime) -> bool:
        """Whether it tells of what had happened by that local moment: that can be corrected, and neither change nor end.

        What happens on a day, which is kept as its midnight in UTC, is past when that day is over.
        """
        if self.happens_at is None or self.kind == PLAN:
            return False
        is_day = self.happens_at.astimezone(UTC).time() == time()
        return self.happens_at.date() < at.date() if is_day else self.happens_at <= at


@dataclass(frozen=True)
class Told:
    """A statement to keep, what it holds from where that is not when it was said, and the verdict on what it is about.

    `tells_more`: it is about something known, and says more or other of it, sure or not. `is_order`: it asks to forget the known
    memory `about`, or one that is not told. `told_in` is the known memory that tells it beside what the message changes of it.
    """

    statement: Statement
    valid_from: datetime | None = None
    verdict: Verdict | None = None
    when: When = field(default_factory=When)
    tells_more: bool = False
    is_order: bool = False
    about: str | None = None
    told_in: str | None = None


def read(
    linker: Linker,
    message: Message,
    before: Sequence[Message],
    known: Sequence[KnownMemory],
    settings: LinkerSettings,
) -> tuple[Understood, list[Link]]:
    """What the linker says of a message beside what is known."""
    said = Utterance(
        message.speaker,
        _heard(message.text),
        tuple((each.speaker, without_own(each.text)) for each in before),
    )
    # It has learnt from what people said, which has no dates in brackets.
    alone, links = linker.read(said, [_beside(each, message.at) for each in known], settings.drop)
    # Where the message keeps nothing there are no links.
    links = [_in_dated(link, each.text) for link, each in zip(links, known, strict=False)]
    best = max(range(len(links)), key=lambda each: links[each].chance, default=None)
    if best is not None and links[best].chance >= settings.link:
        whole = replace(_beside(known[best], message.at), text=known[best].text)
        links[best] = _with_parts(linker, said, whole, links[best], alone, settings)
    return alone, links


def _beside(known: KnownMemory, at: datetime) -> Known:
    return Known(undated(known.text), known.author or NOBODY, at - known.said_at)


def _with_parts(
    linker: Linker, said: Utterance, known: Known, link: Link, alone: Understood, settings: LinkerSettings
) -> Link:
    """The link, with the parts of both texts that it joins."""
    sure = link.retires * alone.states
    link = replace(link, of_message=part_of_message(linker, said, known, link))
    if sure >= settings.propose:
        link = replace(link, is_placed=is_placed(linker, said, known, link))
    # Only what retires a memory by itself leaves the rest of it.
    return replace(link, part=part_of_known(linker, said, known)) if sure >= settings.retire else link


def statements(
    message: Message,
    before: Sequence[Message],
    known: Sequence[KnownMemory],
    found: tuple[Understood, Sequence[Link]],
    settings: LinkerSettings,
    zone: ZoneInfo,
    times: Times = when,
) -> list[Told]:
    """What is to be kept of a message, first what it does to what is known. Days are those of `zone`."""
    alone, links = found
    message = replace(message, text=_heard(message.text), at=message.at.astimezone(zone))
    reading = _Reading(message, alone, settings, times)
    own = extract(message, before)
    best = max(range(len(links)), key=lambda each: links[each].chance, default=None)
    if best is None:
        return reading.new(own)
    link = links[best]
    if link.chance < settings.link:
        return reading.new(own)
    # Two that say the same are both repeated.
    repeats = sum(each.chance * each.effects[Effect.REPEATS] for each in links)
    reading = replace(reading, repeats=repeats)
    about = _short(_of_part(own, message.text, link))
    rest = [each for each in own if each not in about]
    tells_more = link.effect is not Effect.REPEATS
    told = reading.linked(about, known[best], link)
    told = [replace(each, tells_more=tells_more and each.told_in is None) for each in told]
    return [*told, *reading.new(rest)]


def _of_part(own: Sequence[Statement], text: str, link: Link) -> Sequence[Statement]:
    """The statements that the part of a message told which is about something known, and those that lean on others."""
    if len(own) < 2:
        return own
    if link.of_message is not None:
        told = _words(text[slice(*link.of_message)])
        shared = [len(told & _words(each.said)) / max(1, len(told | _words(each.said))) for each in own]
        meant = [own[shared.index(max(shared))]]
    else:
        meant = [each for each in own if link.value and holds(each.text, text[slice(*link.value)])]
    return [each for each in own if not meant or each in meant or leans(each.text)]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in words(text)}


def _short(own: Sequence[Statement]) -> Sequence[Statement]:
    """The first of some statements, as many as one memory can hold."""
    lengths = accumulate(len(each.text) + 1 for each in own)
    return own[: max(1, sum(length <= LONGEST for length in lengths))]


def ordered(message: Message, about: str | None) -> Told:
    """The whole message as an order to forget the known memory `about`, or one that is not told."""
    text = in_third_person(message.text, message.speaker)
    statement = Statement(text, message.speaker, message.at, None, FACT, message.ref)
    return Told(statement, is_order=True, about=about)


def _in_dated(link: Link, text: str) -> Link:
    """The link, with the old value where it stands in the text with its dates."""
    return replace(link, old_value=place_in_dated(text, link.old_value)) if link.old_value else link


def _heard(text: str) -> str:
    """The text that spans of what the linker finds are places in."""
    return on_one_blank(without_own(text))


_REASONS = {
    Effect.CHANGES: "It tells what holds now.",
    Effect.CORRECTS: "It corrects what was said.",
    Effect.ENDS: "It tells that it holds no longer.",
}


@dataclass(frozen=True)
class _Reading:
    """A message in its local time, and what the linker says of it by itself."""

    message: Message
    alone: Understood
    settings: LinkerSettings
    times: Times
    # How surely it says again what is known.
    repeats: float = 0.0

    @property
    def is_planned(self) -> bool:
        return self.alone.acts[Act.PLANNED] >= max(self.alone.acts.values())

    def new(self, own: Sequence[Statement]) -> list[Told]:
        """What stands for itself, unless the linker is sure that it is a joke, a question or mere talk."""
        if self.alone.keeps_nothing >= self.settings.drop:
            return []
        told = [self._just_done(self._dated(each, each.text)) for each in own]
        return [replace(each, statement=self._with_dates(each.statement)) for each in told]

    def _with_dates(self, statement: Statement, about: datetime | None = None) -> Statement:
        day = about.date() if about else None
        return replace(statement, text=dated(statement.text, self.message.at, self.is_planned or None, day))

    def _just_done(self, told: Told) -> Told:
        """What has just been done, and names no time, was done on the day that it is told."""
        if told.when != When() or told.statement.happens_at or not is_just_done(told.statement.text):
            return told
        day = datetime.combine(self.message.at.date(), time(), UTC)
        return replace(told, statement=replace(told.statement, happens_at=day))

    def linked(self, own: Sequence[Statement], target: KnownMemory, link: Link) -> list[Told]:
        """What is about a known memory; `own` is the message told by itself."""
        if link.effect in (Effect.CHANGES, Effect.ENDS) and target.is_past_event(self.message.at):
            return self.new(own)
        mine = " ".join(self._with_dates(each, target.happens_at).text for each in own)
        if link.effect is Effect.REPEATS and not own:
            return []
        if link.effect is Effect.REPEATS:
            if self.repeats < self.settings.repeat:
                return self.new(own)
            verdict = Verdict(target.id, Action.DUPLICATE, self.repeats, "It says the same again.")
            return [self._about(mine, own, target, verdict)]
        if link.effect is Effect.ADDS:
            verdict = Verdict(target.id, Action.COEXIST, link.chance, "It adds to it.", LinkKind.EXPANDS)
            # What it says beside that stands for itself.
            return (
                [
                    self._about(self._with_dates(own[0], target.happens_at).text, own[:1], target, verdict),
                    *self.new(own[1:]),
                ]
                if own
                else []
            )
        if link.effect is Effect.DISPUTES:
            is_sure = link.chance >= self.settings.dispute and target.author != self.message.speaker
            verdict = Verdict(
                target.id,
                Action.COEXIST,
                link.chance,
                "It says otherwise.",
                LinkKind.CONFLICTS,
                is_sure_of_link=is_sure,
            )
            return [self._about(mine, own, target, verdict)] if own else []
        return self._replacing(mine, own, target, link)

    def _replacing(self, mine: str, own: Sequence[Statement], target: KnownMemory, link: Link) -> list[Told]:
        """What takes the place of a known memory, or may; `mine` is the message in its own words."""
        message = self.message
        known_at = target.valid_from.astimezone(message.at.tzinfo)
        put_in = substituted(target.text, message.text, link, message.at, known_at)
        part = put_in.part if put_in else link.part or (0, len(target.text))
        whole = self._with_others(put_in.text, target, part) if put_in else None
        verdict = self._verdict(mine, target, link, whole)
        if verdict.confidence < self.settings.propose:
            return self.new(own)
        if verdict.abstained and not own and link.value is None:
            return []
        if verdict.abstained:
            # What it may not be about lends it its words only once a person says so.
            return [self._about(mine, own, target, verdict)]
        over = ended(f"{OVER}{target.text[slice(*part)]}")
        text, beside = self._told(mine or f"{message.speaker}: {message.text}", over, own, put_in, link)
        made = self._retiring(self._about(text, own, target, verdict), mine, own, target, link)
        if made.statement.text != text:
            return [made]
        # How it came to an end, or what holds instead, is a statement of its own; so is what else was known, or told.
        return [made, *self._others(target, part), *self.new(beside)]

    def _told(
        self, said: str, over: str, own: Sequence[Statement], put_in: Substituted | None, link: Link
    ) -> tuple[str, Sequence[Statement]]:
        """The text that takes the place of a known one, and what stands beside it; `over` says that the known one is over."""
        if link.effect is Effect.ENDS:
            return (over, own) if own else (f"{over} {said}", [])
        if put_in is None:
            return said if is_complete(said) else f"{over} {said}", []
        # The known sentence with the new value in it tells more than the message does, and the message may tell more beside.
        value = self.message.text[slice(*link.value)] if link.value else ""
        left = told_beside(" ".join(each.text for each in own), value, self.settings.worth)
        alone = [replace(own[0], text=left.alone)] if left.alone else []
        return f"{ended(put_in.text)} {left.with_it}" if left.with_it else put_in.text, alone

    def _with_others(self, text: str, target: KnownMemory, part: Span) -> str:
        """The text with what else the known memory tells beside the part whose place it takes."""
        return with_others(text, target.text, part, self._tells)

    def _others(self, target: KnownMemory, part: Span) -> list[Told]:
        """What else the known memory tells, as a statement that holds since that one does."""
        text = others(target.text, part, self._tells)
        author = target.author or self.message.speaker
        statement = Statement(text, author, target.said_at, target.happens_at, target.kind, self.message.ref)
        return [Told(statement, valid_from=target.valid_from, told_in=target.id)] if text else []

    def _tells(self, sentence: str) -> bool:
        return tells(sentence, self.settings.worth)

    def _verdict(self, mine: str, target: KnownMemory, link: Link, put_in: str | None) -> Verdict:
        """`mine` is the message in its own words, `put_in` the known text with its value in it; None where none fits."""
        sure = link.retires * self.alone.states
        verdict = Verdict(target.id, Action.SUPERSEDE, sure, _REASONS[link.effect])
        settings, doubt = self.settings, self._doubt(mine, target, link)
        if sure >= settings.retire and is_readable(self.message.text) and not doubt:
            return verdict
        # Who corrects another, without our knowing who is right, disagrees.
        disagrees = target.author != self.message.speaker and link.effect is Effect.CORRECTS
        return replace(
            verdict,
            action=Action.COEXIST,
            link=LinkKind.CONFLICTS if disagrees else None,
            text=None if link.effect is Effect.ENDS or doubt else put_in,
            abstained=True,
            proposal=Action.SUPERSEDE,
            held_back=doubt if sure >= settings.retire else "",
        )

    def _doubt(self, mine: str, target: KnownMemory, link: Link) -> str:
        """Why the known memory may not be the one that is meant, or not that part of it; empty where nothing tells so."""
        if not link.is_placed:
            return "which of its values changes is not certain"
        author, speaker = target.author or "", self.message.speaker
        is_of_other = holds(target.text, author) and not holds(target.text, speaker)
        if author != speaker and is_of_other and holds(mine, speaker):
            return f"{speaker} speaks of themselves, and it is about {author}"
        return ""

    def _retiring(
        self, made: Told, mine: str, own: Sequence[Statement], target: KnownMemory, link: Link
    ) -> Told:
        """A correction holds since what it corrects did, if it was said after that; what is decided ahead from then on."""
        assert made.verdict is not None
        if link.effect is Effect.CORRECTS:
            is_later = self.message.at >= target.said_at
            return replace(made, valid_from=target.valid_from) if is_later else made
        # What has been so since a day that is past is no intention, whatever else the message plans.
        if made.when.begins is not None or self._is_for_a_time(target):
            return made
        if made.when.ahead is not None:
            return replace(made, valid_from=made.when.ahead)
        if not self.is_planned:
            return made
        # What is only intended leaves the present as it is, and is told in its own words.
        return self._about(mine, own, target, replace(made.verdict, action=Action.COEXIST))

    def _is_for_a_time(self, target: KnownMemory) -> bool:
        """A plan or an appointment: what is said of it holds at once, be it about a day ahead."""
        if target.kind == PLAN or target.happens_at is not None:
            return True
        said_at = target.said_at.astimezone(self.message.at.tzinfo)
        return self.times(target.text, said_at, None, None).ahead is not None

    def _about(self, text: str, own: Sequence[Statement], target: KnownMemory, verdict: Verdict) -> Told:
        message = self.message
        kind = own[0].kind if own else FACT
        spelled = text or in_third_person(message.text, message.speaker)
        made = Statement(spelled, message.speaker, message.at, None, kind, message.ref)
        words = " ".join(each.text for each in own) or message.text
        return replace(self._dated(made, words, target.happens_at), verdict=verdict)

    def _dated(self, statement: Statement, said: str, about: datetime | None = None) -> Told:
        """The statement with the times of its own words. A plan is one though its words do not show it.

        The time of another statement of the message was not that of this one in three of five.
        """
        found = self.times(
            telling_words(said), self.message.at, self.is_planned or None, about.date() if about else None
        )
        is_plan = self.is_planned and found.begins is None
        kind = PLAN if is_plan and statement.kind == FACT else statement.kind
        statement = replace(statement, kind=kind, happens_at=found.happens_at, expires_at=found.expires_at)
        return Told(statement, found.begins, None, found)
