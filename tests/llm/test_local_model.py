"""Our OpenAI provider against a real small model. What it says is printed; what is asserted holds for any model.

A model of this size merges well and judges badly, so no verdict is asserted: only that each is one we can use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory.base.scope import Scope
from graph_memory.ingest import extract_prompt
from graph_memory.judge import classify_prompt
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Statement
from graph_memory.models.chat import ask
from graph_memory.models.registry import open_providers
from graph_memory.store.service import Service

pytestmark = [pytest.mark.stack, pytest.mark.long, pytest.mark.timeout(900)]

AT = datetime(2026, 1, 5, tzinfo=UTC)
WITHIN = 400.0


@pytest.fixture
def asking(service: Service, address: str) -> Iterator[Service]:
    """The service with this model as its only provider."""
    given = service.settings.openai.model_copy(update={"base_url": address, "model": "qwen"})
    order = service.settings.providers.model_copy(update={"order": ("openai", "embedded")})
    settings = service.settings.model_copy(update={"openai": given, "providers": order})
    with open_providers(settings) as providers:
        yield replace(service, settings=settings, providers=providers)


def test_it_classifies(asking: Service, scope: Scope) -> None:
    new = Statement("n1", "Ann moved to Bergen in March.", AT, "Ann")
    known = [Statement("o1", "Ann lives in Oslo.", AT, "Ann"), Statement("o2", "Ben likes tea.", AT, "Ben")]
    reply = ask(asking, scope, classify_prompt.prompt(new, known), WITHIN)
    print(reply)
    assert [verdict.candidate for verdict in reply.answer] == ["o1", "o2"]
    assert all(verdict.action in Action and 0 <= verdict.confidence <= 1 for verdict in reply.answer)


def test_it_extracts(asking: Service, scope: Scope) -> None:
    said = [
        "I moved to Bergen in March and work as a nurse at Contoso.",
        "How is the weather there?",
        "I hate the rain.",
    ]
    messages = [Message("Ann" if number != 1 else "Ben", AT, text) for number, text in enumerate(said)]
    reply = ask(asking, scope, extract_prompt.prompt(messages), WITHIN)
    print(reply)
    assert any("Bergen" in found.text for found in reply.answer)
    assert all(0 <= place < len(said) for found in reply.answer for place in found.messages)
