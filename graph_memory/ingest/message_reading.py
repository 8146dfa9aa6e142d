"""Reading a stored message beside what is known of its subject, and what the linker's word on it is to the pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from graph_memory.base.scope import Scope
from graph_memory.ingest.causes_told import Cause, causes
from graph_memory.ingest.keeping import kept
from graph_memory.ingest.orders import meant, parted
from graph_memory.ingest.receipt import as_message
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import KnownMemory, Told, ordered, read, statements
from graph_memory.judge import pair_model, panel
from graph_memory.judge.caution import cautious
from graph_memory.judge.judges import Classify, at_once, is_among
from graph_memory.judge.linker import LINKER, opened
from graph_memory.judge.panel import Judgement
from graph_memory.judge.settings import JudgeSettings
from graph_memory.language import characters
from graph_memory.language.texts import normalised
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.models.embedders import embed_if_possible
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

KNOWN = query("understanding/known")


@dataclass(frozen=True)
class Read:
    """What a message states, and what is known beside which it was read."""

    told: Sequence[Told] = ()
    known: Sequence[KnownMemory] = ()


def read_message(service: Service, scope: Scope, row: Row, zone: ZoneInfo) -> Read:
    """What a stored message states, and what is known beside which it was read; its days are those of `zone`."""
    message = _readable(as_message(row["message"]))
    before = [_readable(as_message(each)) for each in row["before"]]
    known = _known(service, scope, row, message, before)
    return Read(stated(message, before, known, service.settings[LinkerSettings], zone), known)


def stated(
    message: Message,
    before: Sequence[Message],
    known: Sequence[KnownMemory],
    settings: LinkerSettings,
    zone: ZoneInfo,
) -> list[Told]:
    """What is kept of what a message states, beside what is known; its days are those of `zone`."""
    message = replace(message, at=message.at.astimezone(zone))
    asked = parted(message.text)
    if asked.order:
        order = _order(replace(message, text=asked.order, caption=None), before, known, settings)
        rest = replace(message, text=asked.rest)
        says_more = asked.rest or message.caption
        return [*(stated(rest, before, known, settings, zone) if says_more else []), order]
    found = read(opened(settings.model), message, before, known, settings)
    told = statements(message, before, known, found, settings, zone)
    return kept(told, 1 - found[0].keeps_nothing >= settings.states, settings)


def _order(
    message: Message, before: Sequence[Message], known: Sequence[KnownMemory], settings: LinkerSettings
) -> Told:
    """An order to forget, with the known memory that it is most likely about."""
    _, links = read(opened(settings.model), message, before, known, settings.model_copy(update={"drop": 1.0}))
    place = meant(links)
    return ordered(message, None if place is None else known[place].id)


class Reader:
    """Who reads messages where no language model is asked, and who judges what that leaves open.

    A benchmark puts answers that were written by hand in its place.
    """

    def judges(self) -> tuple[Classify, Classify]:
        """Who judges in its own time, and who does under the lock, in milliseconds."""
        return cautious(panel.classify), cautious(at_once)

    def read(self, service: Service, scope: Scope, row: Row, zone: ZoneInfo) -> Read:
        """What a stored message states; its days are those of `zone`."""
        return read_message(service, scope, row, zone)

    def causes(self, service: Service, told: Sequence[Told], read: Read) -> list[Cause]:
        """What the statements that are left of it were brought about by, or brought about."""
        return causes(pair_model.opened(service.settings[JudgeSettings].model), told, read.known)


def judged(told: Sequence[Told], otherwise: Classify) -> Classify:
    """The linker's verdicts, as a judge of the pipeline gives them; what it is not sure of is for the judge `otherwise`.

    So is what it would replace where that is not asked about: another has come in its place meanwhile. What it takes for
    said again is so only where that judge too would say so, and what tells more of something known never is: what is left
    out can be found nowhere else.
    """
    verdicts = {normalised(each.statement.text): each.verdict for each in told if each.verdict is not None}
    telling_more = {normalised(each.statement.text) for each in told if each.tells_more}

    def classify(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        said = verdicts.get(normalised(new.text))
        if said is not None and said.action is Action.SUPERSEDE and is_among(said, candidates):
            return _alone(said, candidates)
        others = otherwise(service, scope, new, candidates, within)
        if said is not None and said.action is Action.SUPERSEDE:
            return others
        if said is not None and said.action is Action.DUPLICATE:
            return _alone(said, candidates) if _agrees(said, others) else others
        if normalised(new.text) in telling_more:
            others = replace(others, verdicts=tuple(_not_again(each) for each in others.verdicts))
        pairs = zip(candidates, others.verdicts, strict=True)
        return replace(others, verdicts=tuple(_unless_sure(said, each, other) for each, other in pairs))

    return classify


def _readable(message: Message) -> Message:
    """The message as it is judged later: without what nobody sees in it, which exports of chats are full of."""
    caption = characters.readable(message.caption) if message.caption else message.caption
    return replace(message, text=characters.readable(message.text), caption=caption)


def _alone(said: Verdict, candidates: Sequence[Statement]) -> Judgement:
    return Judgement(tuple(_only(said, each) for each in candidates), LINKER)


def _agrees(said: Verdict, others: Judgement) -> bool:
    """Whether the other judge takes the two for the same, be it unsure."""
    return any(
        each.candidate == said.candidate and said.action in (each.action, each.proposal)
        for each in others.verdicts
    )


def _not_again(verdict: Verdict) -> Verdict:
    if verdict.action is not Action.DUPLICATE:
        return verdict
    return Verdict(verdict.candidate, Action.COEXIST, 0.0, "It tells more.")


def _only(said: Verdict, candidate: Statement) -> Verdict:
    if said.candidate == candidate.id:
        return said
    return Verdict(candidate.id or "", Action.COEXIST, 1.0, "It is about something else.")


def _unless_sure(said: Verdict | None, candidate: Statement, other: Verdict) -> Verdict:
    """What the other judge is sure of, else what the linker proposes or links."""
    is_sure = other.action is not Action.COEXIST and not other.abstained
    return other if said is None or said.candidate != candidate.id or is_sure else said


def _known(
    service: Service, scope: Scope, row: Row, message: Message, before: Sequence[Message]
) -> list[KnownMemory]:
    talk = " ".join([*(each.text for each in before[-1:]), f"{message.speaker}: {message.text}"])
    [vector] = embed_if_possible(service.embedder, [talk])
    if vector is None:
        return []
    rows = service.read(
        scope.for_writing(),
        KNOWN,
        vector=vector,
        nearest=service.settings[LinkerSettings].nearest,
        before=[each["id"] for each in row["before"]],
        now=service.clock(),
    )
    return [KnownMemory(**each) for each in rows]
