"""What is asked about a stretch of conversation, and what its answer does: every statement goes through `remember`.

What the model says of known memories is a verdict like a judge's (`read_verdicts.py`): guards, the second vote and policy
decide what is done. Ids count only where they were shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.batches.handlers import Item
from graph_memory.batches.offers import offer
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.ingest import asked_links, capture, extraction
from graph_memory.ingest import extract_prompt as asked
from graph_memory.ingest.capture import Gate
from graph_memory.ingest.extract_answer import Found
from graph_memory.ingest.extract_prompt import Known
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.pipeline import remember_together
from graph_memory.ingest.read_verdicts import judged
from graph_memory.ingest.receipt import as_message
from graph_memory.ingest.rejections import rejected
from graph_memory.ingest.restatement import unless_repeated
from graph_memory.ingest.rounds import Asked
from graph_memory.ingest.rules import heading
from graph_memory.ingest.settings import CaptureSettings
from graph_memory.judge import panel
from graph_memory.judge.caution import cautious
from graph_memory.judge.judges import at_once
from graph_memory.language import names as entities
from graph_memory.language.own_output import is_own, without_own
from graph_memory.language.recognition import recognise
from graph_memory.ledger.changes import Call, Decision, Writing
from graph_memory.memory.links import make
from graph_memory.memory.screening import inherited
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.batch import Kind
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import EntityName, Fact
from graph_memory.model.message import Message
from graph_memory.model.purpose import Purpose
from graph_memory.model.verdict import Effect
from graph_memory.models.prompt import Prompt
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

MESSAGES = query("understanding/messages")
TEXTS = query("understanding/texts")

_LINKABLE = frozenset({"ACTIVE", "ARCHIVED"})


@dataclass(frozen=True)
class _Handler:
    """Kind EXTRACTION: {messages, before, known, context}, all ids; {names}; {zone}, the subject's time zone."""

    @property
    def purpose(self) -> Purpose:
        return Purpose.EXTRACT

    def prompt(self, service: Service, scope: Scope, item: Item) -> Prompt[tuple[Found, ...]]:
        """The question. NotFound when its messages are gone or were erased."""
        rows = _messages(service, scope, item.reference["messages"])
        if all(row.get("redacted_at") for row in rows):
            raise NotFound("The messages of this question were erased.")
        before = _messages(service, scope, item.reference["before"])
        return asked.prompt(
            [_shown(row) for row in rows],
            _known(service, scope, item),
            [_shown(row) for row in before if row["text"]],
            names=item.reference.get("names", ()),
            zone=ZoneInfo(item.reference.get("zone", "UTC")),
            is_weighed=service.settings[CaptureSettings].enabled,
        )

    def apply(
        self, service: Service, scope: Scope, item: Item, answer: tuple[Found, ...], run_id: str | None
    ) -> None:
        """Remembers the statements in one transaction, then has links asked about. A repeated call changes nothing."""
        rows = _messages(service, scope, item.reference["messages"])
        places = _kept(service, scope, rows, answer)
        dropped = [_confidence(each) for each in answer if _gate(service, each) is Gate.DROPPED]
        stored = _remember(service, scope, item, rows, _at(answer, places), places, run_id, dropped)
        # A repeated call is answered what was kept then, and some of that may have been rejected since.
        found = _at(answer, [row["place"] for row in stored])
        references = asked_links.references(service, scope, found, stored)
        if references:
            offer(service, Call(scope, "linker", run_id=run_id), Kind.RELATIONSHIP, references)


HANDLER = _Handler()


def _remember(
    service: Service,
    scope: Scope,
    item: Item,
    rows: Sequence[Row],
    found: Sequence[Found],
    places: Sequence[int],
    run_id: str | None,
    dropped: Sequence[float] = (),
) -> list[Row]:
    """What became of each: the id of the memory, whether it is new, what a model has judged, its place in the answer."""
    ids = [row["id"] for row in rows]
    segments = sorted({row["segment_id"] for row in rows})
    states = {row["id"]: row["status"] for row in _texts(service, scope, item.reference["context"])}
    context_ids = {id for id, status in states.items() if status in _LINKABLE}
    known = {each.id: each for each in _known(service, scope, item)}

    def begin(writing: Writing) -> None:
        extraction.mark(writing, ids)

    def end(writing: Writing, outcomes: Sequence[Outcome]) -> Any:
        writing.run(extraction.CLOSE, segments=segments, now=writing.now)
        _note_context(writing, found, outcomes, context_ids)
        _tie(writing, found, outcomes)
        for each in dropped:
            reason = f"Its capture confidence is below {service.settings[CaptureSettings].queue_at:g}."
            writing.decide(
                Decision(Operation.NOOP, segments, ids, reason, "CAPTURE_DROPPED", confidence=each)
            )
        counts = asdict(replace(extraction.counted(len(ids), outcomes), dropped=len(dropped)))
        stored = [{**_stored(each), "place": at} for each, at in zip(outcomes, places, strict=True)]
        return {"counts": counts, "stored": stored}

    call = Call(scope, "extractor", key=item.custom_id, run_id=run_id)
    # What says more than a known memory is like it, and still no repetition.
    exempt = {each.text for each in found if each.effect is Effect.EXTENDS}
    facts = [_fact(service, rows, each, known) for each in found]
    judge = unless_repeated(judged(found, known, cautious(panel.classify)), exempt)
    hurried = judged(found, known, cautious(at_once))
    about = [each.known if each.known in known else None for each in found]
    request = Asked(call, [item.custom_id], end, "extract", begin)
    try:
        answer = remember_together(service, request, facts, judge, hurried, about)
    except extraction.Overtaken:
        return []
    stored: list[Row] = answer.value["stored"]
    return stored


def _note_context(
    writing: Writing, found: Sequence[Found], outcomes: Sequence[Outcome], context_ids: set[str]
) -> None:
    """Links from what stood in the agent's prompt, where the statement names it."""
    wanted = [
        {
            "kind": LinkKind.WAS_CONTEXT_FOR.value,
            "from": id,
            "to": outcome.id,
            "confidence": each.confidence,
            "strength": 1.0,
            "reason": "It stood in the prompt, and the statement refers to it.",
        }
        for each, outcome in zip(found, outcomes, strict=True)
        if outcome.id is not None and _stored(outcome)["is_new"]
        for id in each.related
        if id in context_ids and id != outcome.id
    ]
    if wanted:
        make(writing, wanted)


def _tie(writing: Writing, found: Sequence[Found], outcomes: Sequence[Outcome]) -> None:
    """The links that the answer names, of statements that are new."""
    wanted = []
    for each, outcome in zip(found, outcomes, strict=True):
        for tie in each.ties if _stored(outcome)["is_new"] else ():
            other = tie.id if tie.place is None else outcomes[tie.place].id
            if other is not None and other != outcome.id:
                ends = (other, outcome.id) if tie.is_from else (outcome.id, other)
                wanted.append(
                    {
                        "kind": tie.kind.value,
                        "from": ends[0],
                        "to": ends[1],
                        "confidence": each.confidence,
                        "strength": each.confidence,
                        "reason": each.reason,
                    }
                )
    if wanted:
        make(writing, wanted)


def _stored(outcome: Outcome) -> Row:
    is_new = outcome.id is not None and outcome.operation in ("ADD", "SUPERSEDE") and not outcome.is_held
    by_model = outcome.provider not in (None, "none", "embedded", "likeness")
    return {
        "id": outcome.id,
        "is_new": is_new,
        "judged": [each.id for each in outcome.candidates if each.action is not None] if by_model else [],
    }


def _kept(service: Service, scope: Scope, rows: Sequence[Row], answer: Sequence[Found]) -> list[int]:
    """The places in the answer of the statements that may be stored."""
    wrong = rejected(service, scope, [each.text for each in answer])
    return [
        at
        for at, each in enumerate(answer)
        if each.text not in wrong and not is_own(each.text) and _is_sourced(service, rows, each)
        if _gate(service, each) is not Gate.DROPPED
    ]


def _at(answer: Sequence[Found], places: Sequence[int]) -> list[Found]:
    """The statements at these places; ties lead to their places among these, those to others are dropped."""
    now = {old: new for new, old in enumerate(places)}
    return [answer[at].at(now) for at in places]


def _is_sourced(service: Service, rows: Sequence[Row], found: Found) -> bool:
    """Whether one of its messages is a source; a statement without any is the whole stretch's."""
    cited = [rows[at] for at in found.messages if at < len(rows)] or rows
    return any(row["text"] and extraction.is_source(service, as_message(row)) for row in cited)


def _gate(service: Service, found: Found) -> Gate:
    """Whether it is kept; without factors, or with the gate open, it is."""
    settings = service.settings[CaptureSettings]
    if not settings.enabled or found.factors is None:
        return Gate.APPROVED
    return capture.gate(settings, _confidence(found))


def _confidence(found: Found) -> float:
    return capture.confidence(found.factors) if found.factors else found.confidence


def _fact(service: Service, rows: Sequence[Row], found: Found, known: Mapping[str, Known]) -> Fact:
    row = _source_row(rows, found)
    speakers, texts = {each["speaker"] for each in rows}, [each["text"] for each in rows]
    # What was wrong was so since then, unless something else is said, or this was said before it.
    corrected = known.get(found.known or "") if found.effect is Effect.CORRECTS else None
    is_later = corrected is not None and (corrected.said_at is None or row["at"] >= corrected.said_at)
    begins = found.since or (corrected.since if corrected and is_later else None) or row["at"]
    related = [name for each in found.relations for name in (each.name, each.other)]
    spelled = entities.spelled_in(found.text, related)
    names = recognise(service.settings[EntitiesSettings].recogniser, found.text, speakers, spelled, texts)
    return Fact(
        text=found.text,
        kind=found.kind,
        confidence=found.confidence,
        importance=found.importance,
        happens_at=found.happens_at,
        expires_at=found.expires_at,
        valid_from=begins,
        said_at=row["at"],
        # That something was so until a day that is past is true now; since when it was so, nobody knows.
        valid_to=found.until if found.until and begins < found.until else None,
        heading=heading(row["speaker"], row["at"]),
        session_id=row["segment_id"],
        source=extraction.source_of(row, row["speaker"]),
        entities=tuple(EntityName(name.name, name.key, name.type) for name in names),
        relations=found.relations,
        message_id=row["id"],
        # A model has read the whole stretch, so what one message tells it may be in any statement.
        labels=inherited(service.settings[ScreeningSettings], texts),
        held=f"capture: confidence {_confidence(found):.2f}" if _gate(service, found) is Gate.QUEUED else "",
    )


def _source_row(rows: Sequence[Row], found: Found) -> Row:
    """The first message that it is taken from, of the one who says it if that is told."""
    cited = [rows[at] for at in found.messages if at < len(rows)] or [rows[-1]]
    return next((row for row in cited if row["speaker"] == found.speaker), cited[0])


def _shown(row: Row) -> Message:
    message = as_message(row)
    return replace(message, text=without_own(message.text).strip())


def _messages(service: Service, scope: Scope, ids: Sequence[str]) -> list[Row]:
    rows = service.read(scope, MESSAGES, ids=list(ids)) if ids else []
    if len(rows) != len(ids):
        raise NotFound("Messages of this question are gone.")
    return [row["message"] for row in rows]


def _known(service: Service, scope: Scope, item: Item) -> list[Known]:
    return [
        Known(
            row["id"],
            row["text"],
            row["valid_from"],
            row["author"],
            row["kind"],
            row["happens_at"],
            row["said_at"],
        )
        for row in _texts(service, scope, item.reference["known"])
    ]


def _texts(service: Service, scope: Scope, ids: Sequence[str]) -> list[Row]:
    return service.read(scope, TEXTS, ids=list(ids)) if ids else []
