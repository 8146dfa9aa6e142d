"""Questions that are given to be remembered: they state nothing, and wait in the archive until a person lets them in.

In a conversation the linker leaves them out, and the message keeps them; a statement has no message.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.ingest.settings import LinkerSettings
from graph_memory.judge.linker import opened
from graph_memory.judge.linker_input import NOBODY, Utterance
from graph_memory.language.coverage import is_readable
from graph_memory.language.sentences import asks
from graph_memory.model.memory import Fact

HELD = "question: it asks, and states nothing"


def marked(facts: Sequence[Fact], settings: LinkerSettings) -> list[Fact]:
    """The facts, those that surely are nothing but a question held as such."""
    return [
        replace(fact, held=HELD) if not fact.held and _is_question(fact, settings) else fact for fact in facts
    ]


def _is_question(fact: Fact, settings: LinkerSettings) -> bool:
    if not asks(fact.text) or not is_readable(fact.text):
        return False
    alone, _ = opened(settings.model).read(Utterance(fact.source.author or NOBODY, fact.text))
    return alone.keeps_nothing >= settings.drop
