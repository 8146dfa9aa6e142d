"""A language model reads what is to be remembered for attacks, where settings ask for that; what it blocks is held.

Held is not lost: the statement is stored as archived and a person is asked (`memory/holding.py`). No answer, or none
that can be read, blocks as well where settings fail closed. Nothing of this runs inside a transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.errors import NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.ingest import screen_prompt as question
from graph_memory.ingest.screen_prompt import Seen, Threat
from graph_memory.language import secrets
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.memory import Fact
from graph_memory.model.purpose import Purpose
from graph_memory.models.chat import ask, use_of
from graph_memory.store.service import Service

log = logging.getLogger(__name__)

_AT_ONCE = 50


def read(service: Service, scope: Scope, facts: Sequence[Fact]) -> list[Fact]:
    """The facts, those that a model finds to be an attack with the reason why they are held. One question for fifty."""
    settings = service.settings[ScreeningSettings]
    if not settings.adversarial:
        return list(facts)
    read: list[Fact] = []
    for start in range(0, len(facts), _AT_ONCE):
        some = facts[start : start + _AT_ONCE]
        read += [
            _weighed(service, fact, seen)
            for fact, seen in zip(some, _seen(service, scope, some), strict=True)
        ]
    held = sum(bool(fact.held) for fact in read)
    if held:
        log.warning("statements_held", extra={"tenant": scope.tenant, "held": held, "read": len(read)})
    return read


def _seen(service: Service, scope: Scope, facts: Sequence[Fact]) -> Sequence[Seen | None]:
    """What a model says of each; None for each where none gave an answer that can be read."""
    texts = [secrets.masked(fact.text)[0] for fact in facts]
    try:
        return ask(
            service, scope, question.prompt(texts), use_of(service.settings, Purpose.SCREEN).timeout
        ).answer
    except NoAnswer:
        return [None] * len(facts)


def _weighed(service: Service, fact: Fact, seen: Seen | None) -> Fact:
    settings = service.settings[ScreeningSettings]
    if fact.held:
        return fact
    if seen is None:
        why = "screening: no model gave an answer that can be read, so that nobody knows"
        return replace(fact, held=why) if settings.fail_closed else fact
    if seen.threat.reaches(Threat(settings.block_at)):
        return replace(fact, held=f"screening: threat {seen.threat.value}")
    return fact
