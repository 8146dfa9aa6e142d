"""Reasoned recall: a question answered from memories, with its sources, or not at all.

Without a language model only a time is answered, where the memory that fits best proves it. With one the answer is prose that
names its sources; what names none is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph_memory.base.errors import NoAnswer
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.language.asked import needs_reasoning
from graph_memory.language.time_questions import AsOf
from graph_memory.ledger.activity import zone_of
from graph_memory.model.memory import Memory, Trust
from graph_memory.model.purpose import Purpose
from graph_memory.models.chat import ask as ask_model
from graph_memory.models.chat import has_models, use_of
from graph_memory.models.settings import AskSettings
from graph_memory.recall import reasoning_prompt
from graph_memory.recall.hits import Hit
from graph_memory.recall.modes import Mode
from graph_memory.recall.passages import said_at
from graph_memory.recall.proofs import Proof, Resolution, prove
from graph_memory.recall.reasoning_prompt import Reasoned
from graph_memory.recall.search import check_text, search
from graph_memory.store.service import Service

NOTHING = "There are no relevant memories."
UNPROVED = "Nothing that is stored proves an answer; these are the memories nearest to it."
UNSOURCED = "The language model named no source, so its answer was dropped."
FAILED = "The language model gave no answer, so this is what is stored."
CONTESTED = "It may hold no longer: whether what was said later takes its place waits for a person: "
# How sure an answer is at most while that waits.
_CONTESTED = 0.5


@dataclass(frozen=True)
class Answer:
    """The answer to a question; None where nothing proves one. `used` are places among the sources.

    `model` is who told it, None where it was read from what is stored.
    """

    question: str
    answer: str | None
    confidence: float
    reasoning: str
    resolutions: tuple[Resolution, ...]
    sources: tuple[Hit, ...]
    used: tuple[int, ...]
    requires_inference: bool
    model: str | None = None
    note: str | None = None
    interpreted: AsOf | None = None


def ask(
    service: Service,
    scope: Scope,
    question: str,
    limit: int | None = None,
    moment: Moment = NOW,
    mode: Mode = Mode.STANDARD,
    min_trust: Trust | None = None,
    reason: bool | None = None,
) -> Answer:
    """The answer to a question with the memories that prove it. Without any the fixed answer, and nobody is asked.

    `reason` says whether an answer is worked out; missing, it is for a question, and not for what asks for a list.
    Raises Invalid as `search` does.
    """
    check_text(question, "question")
    page = search(service, scope, question, limit=limit, moment=moment, mode=mode, min_trust=min_trust)
    memories = [hit.memory for hit in page.hits]
    plain = Answer(
        question, None, 0.0, "", (), page.hits, (), False, note=page.note, interpreted=page.interpreted
    )
    if not memories:
        return replace(plain, answer=NOTHING)
    settings = service.settings[AskSettings]
    if not (needs_reasoning(question, settings.triggers) if reason is None else reason):
        return plain
    zone = zone_of(service, scope)
    # A past moment that the question was taken to ask for only chose the memories: it is no earlier day for that.
    now = moment.as_of or service.clock()
    said = said_at(service, scope, [each.id for each in memories])
    note, within = None, use_of(service.settings, Purpose.ASK).timeout
    if has_models(service):
        try:
            prompt = reasoning_prompt.prompt(question, memories, now, zone, said)
            reply = ask_model(service, scope, prompt, within)
        except NoAnswer:
            note = FAILED
        else:
            if reply.answer.answer and reply.answer.source_numbers:
                return _contested(
                    _told(plain, reply.answer, memories, said, f"{reply.provider}: {reply.model}")
                )
            note = UNSOURCED if reply.answer.answer else None
    proof = prove(question, memories[0], now, zone, said.get(memories[0].id))
    if proof is None:
        return replace(plain, note=_joined(note, UNPROVED))
    return _contested(_proved(plain, proof, note))


def _contested(answer: Answer) -> Answer:
    """The answer, less sure and with a word on it, where a review waits that would retire what it rests on."""
    newer = next((each for place in answer.used for each in answer.sources[place].contested_by), None)
    if newer is None:
        return answer
    confidence, note = min(answer.confidence, _CONTESTED), f'{CONTESTED}"{newer.text}"'
    return replace(answer, confidence=confidence, note=_joined(answer.note, note))


def _proved(plain: Answer, proof: Proof, note: str | None) -> Answer:
    return replace(
        plain,
        answer=proof.answer,
        confidence=proof.confidence,
        reasoning=proof.reasoning,
        resolutions=proof.resolutions,
        used=(0,),
        requires_inference=proof.requires_inference,
        note=_joined(note, plain.note),
    )


def _told(
    plain: Answer, told: Reasoned, memories: Sequence[Memory], said: Mapping[str, datetime], model: str
) -> Answer:
    """What a model said, with those of its resolutions whose words stand in their memory."""
    resolved = [(each, memories[each.memory_number - 1]) for each in told.temporal_resolutions]
    return replace(
        plain,
        answer=told.answer,
        confidence=told.confidence,
        reasoning=told.reasoning,
        resolutions=tuple(
            Resolution(
                each.original_text,
                memory.id,
                said.get(memory.id, memory.valid_from),
                each.resolved_date,
                min(1.0, max(0.0, each.confidence)),
            )
            for each, memory in resolved
            if each.original_text.lower() in memory.text.lower()
        ),
        used=tuple(number - 1 for number in told.source_numbers),
        requires_inference=told.requires_inference,
        model=model,
    )


def _joined(*notes: str | None) -> str | None:
    return " ".join(note for note in notes if note) or None
