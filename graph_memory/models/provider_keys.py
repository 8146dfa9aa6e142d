"""Which key goes where: one that the environment holds for everybody goes to the usual address only."""

from __future__ import annotations

import os

from graph_memory.models.settings import AnthropicSettings, Endpoint, OpenAISettings


def key_of(own: AnthropicSettings | OpenAISettings | Endpoint) -> str | None:
    """The key to send; None where there is none for this address.

    ANTHROPIC_API_KEY and OPENAI_API_KEY are not sent to an address that was set here. An endpoint's key is looked up
    under the one name that it gives.
    """
    if isinstance(own, Endpoint):
        return os.environ.get(own.key_variable or "", "").strip() or None
    is_ours = "api_key" in own.model_fields_set or not is_elsewhere(own)
    return own.api_key.get_secret_value() if own.api_key is not None and is_ours else None


def is_elsewhere(own: AnthropicSettings | OpenAISettings) -> bool:
    """Whether another address was set, whose server may need no key."""
    return "base_url" in own.model_fields_set and own.base_url is not None


def is_configured(own: AnthropicSettings | OpenAISettings | Endpoint) -> bool:
    """Whether there is anybody to ask. An endpoint that names a key without there being one is not asked."""
    if isinstance(own, Endpoint):
        return own.key_variable is None or key_of(own) is not None
    return is_elsewhere(own) or key_of(own) is not None
