"""Does each provider answer? One small question to each, counted like any other."""

from __future__ import annotations

from dataclasses import replace

from graph_memory.base.errors import NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.models import review_prompt
from graph_memory.models.chat import ask
from graph_memory.models.registry import providers_of
from graph_memory.store.service import Service

_SECONDS = 20.0
_SENTENCE = "The sky is blue."


def check(service: Service, scope: Scope) -> dict[str, str]:
    """What became of the question, by provider: the model and its tokens, or why there was no answer."""
    found = {}
    for channel in providers_of(service).channels:
        alone = replace(service, providers=replace(providers_of(service), channels=(channel,)))
        try:
            reply = ask(alone, scope, review_prompt.prompt([_SENTENCE], _SENTENCE, "a test"), _SECONDS)
        except NoAnswer as error:
            found[channel.name] = error.failures[channel.name].message if error.failures else error.message
        else:
            tokens = reply.tokens_in + reply.tokens_out
            found[channel.name] = f"{reply.model} answered, {tokens} tokens"
    return found
