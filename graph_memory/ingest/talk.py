"""What a message of a conversation comes to, without a language model: linked first, told second.

The linker reads the message beside what is known. What it is about and does to it decides: a repetition joins the known
memory, a change, a correction or an end takes its place, a dispute stands beside it and conflicts. Where the linker is
not sure enough a person is asked. What is new is told by the rules (`rules.py`). Pure but for the linker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from graph_memory.ingest.rules import Statement, extract
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.substitution import told
from graph_memory.judge.linker import Act, Effect, Link, Linker, Understood
from graph_memory.judge.linker_input import NOBODY, Known, Utterance
from graph_memory.language.coverage import is_readable
from graph_memory.language.kind_cues import FACT
from graph_memory.language.patterns import on_one_blank
from graph_memory.language.third_person import in_third_person
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Verdict

PLAN = "plan"


@dataclass(frozen=True)
class KnownMemory:
    """A live memory that a message may be about."""

    id: str
    text: str
    author: str | None
    valid_from: datetime
    kind: str


@dataclass(frozen=True)
class Told:
    """A statement to keep, what it holds from where that is not when it was said, and the verdict on what it is about."""

    statement: Statement
    valid_from: datetime | None = None
    verdict: Verdict | None = None


def read(
    linker: Linker, message: Message, before: Sequence[Message], known: Sequence[KnownMemory]
) -> tuple[Understood, list[Link]]:
    """What the linker says of a message beside what is known."""
    said = Utterance(
        message.speaker, on_one_blank(message.text), tuple((each.speaker, each.text) for each in before)
    )
    return linker.read(
        said, [Known(each.text, each.author or NOBODY, message.at - each.valid_from) for each in known]
    )


def statements(
    message: Message,
    before: Sequence[Message],
    known: Sequence[KnownMemory],
    found: tuple[Understood, Sequence[Link]],
    settings: LinkerSettings,
    zone: ZoneInfo,
) -> list[Told]:
    """What is to be kept of a message, first what it does to what is known. Days are those of `zone`."""
    alone, links = found
    own = extract(replace(message, at=message.at.astimezone(zone)), before)
    best = max(range(len(links)), key=lambda each: links[each].chance, default=None)
    if best is None or links[best].chance < settings.link:
        return _new(own, alone, settings)
    target, link = known[best], links[best]
    text = on_one_blank(message.text)
    value = text[slice(*link.value)] if link.value else ""
    about = [each for each in own if value and value.casefold() in each.text.casefold()] or own
    others = [each for each in own if each not in about] if alone.is_new >= settings.new else []
    first = _linked(message, text, about, target, link, alone, settings)
    return [*first, *_new(others, alone, settings)]


def _new(own: Sequence[Statement], alone: Understood, settings: LinkerSettings) -> list[Told]:
    """What stands for itself, unless the linker is sure that it is a joke, a question or mere talk."""
    if alone.is_kept < settings.keep:
        return []
    return [Told(each) for each in own]


def _linked(
    message: Message,
    text: str,
    own: Sequence[Statement],
    target: KnownMemory,
    link: Link,
    alone: Understood,
    settings: LinkerSettings,
) -> list[Told]:
    effect = link.effect
    mine = " ".join(each.text for each in own)
    kind = PLAN if alone.acts[Act.PLANNED] >= max(alone.acts.values()) else FACT
    made = Statement(
        mine or in_third_person(text, message.speaker), message.speaker, message.at, None, kind, message.ref
    )
    if own:
        made = replace(made, kind=own[0].kind, happens_at=own[0].happens_at, expires_at=own[0].expires_at)
    if effect is Effect.REPEATS:
        confidence = link.chance * link.effects[effect]
        if alone.is_new >= settings.new or confidence < settings.repeat:
            return _new(own, alone, settings)
        return [
            Told(made, verdict=Verdict(target.id, Action.DUPLICATE, confidence, "It says the same again."))
        ]
    if effect is Effect.ADDS:
        verdict = Verdict(target.id, Action.COEXIST, link.chance, "It adds to it.", LinkKind.EXPANDS)
        return [Told(made, verdict=verdict)] if own else []
    made = replace(made, text=told(target.text, text, link, mine, message.speaker))
    if effect is Effect.DISPUTES:
        verdict = Verdict(target.id, Action.COEXIST, link.chance, "It says otherwise.", LinkKind.CONFLICTS)
        return [Told(made, verdict=verdict)]
    return [_retiring(made, message, target, link, alone, settings)]


_REASONS = {
    Effect.CHANGES: "It tells what holds now.",
    Effect.CORRECTS: "It corrects what was said.",
    Effect.ENDS: "It tells that it holds no longer.",
}


def _retiring(
    made: Statement,
    message: Message,
    target: KnownMemory,
    link: Link,
    alone: Understood,
    settings: LinkerSettings,
) -> Told:
    reason = _REASONS[link.effect]
    sure = link.retires * min(1.0, alone.acts[Act.ASSERTED] + alone.acts[Act.PLANNED])
    begins = target.valid_from if link.effect is Effect.CORRECTS else None
    verdict = Verdict(target.id, Action.SUPERSEDE, sure, reason)
    if sure < settings.retire or not is_readable(message.text):
        verdict = replace(verdict, action=Action.COEXIST, abstained=True, proposal=Action.SUPERSEDE)
        begins = None
    return Told(made, begins, verdict)
