"""Chat Completions of OpenAI and of those that speak like it, who differ in how they take a schema.

Tried in turn: json_schema, json_object, a tool that must be called, and plain words. What worked is remembered for the
server and model, and so is every setting that it refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from graph_memory.base.errors import MissingExtra, ProviderFault
from graph_memory.base.sections import Sections
from graph_memory.base.stopwatch import Watch
from graph_memory.models import wire
from graph_memory.models.prompt import Ending, ModelUse, Prompt, Said
from graph_memory.models.provider_keys import key_of
from graph_memory.models.settings import Endpoint, OpenAISettings, ProvidersSettings
from graph_memory.models.wire import Kind

NAME = "openai"
WAYS = ("json_schema", "json_object", "tool", "plain")

_TOOL = "answer"
_SAMPLING = ("temperature", "frequency_penalty")
_LIMITS = ("max_completion_tokens", "max_tokens")
# A refusal that speaks of one of these is about the way, not about the question.
_OF_THE_WAY = {
    "json_schema": ("response_format", "json_schema", "json schema", "structured output", "'text' or 'json_object'"),
    "json_object": ("response_format", "json_object", "json mode", "schema"),
    "tool": ("tool", "function"),
}  # fmt: skip
_ENDINGS = {"length": Ending.CUT, "content_filter": Ending.DECLINED}


@dataclass(frozen=True)
class _Manner:
    """How a server and model are asked."""

    way: int = 0
    limit: int = 0
    refused: frozenset[str] = field(default_factory=frozenset)


class OpenAIProvider:
    """Asks models of OpenAI or of any server that speaks like it. The SDK is loaded by the first call.

    `name` is that of an endpoint of the settings; without one it is the server of the section `openai`.
    """

    extra = NAME

    def __init__(self, settings: Sections, watch: Watch, name: str = NAME) -> None:
        self.name = name
        self._own: OpenAISettings | Endpoint = (
            settings[OpenAISettings] if name == NAME else settings[ProvidersSettings].endpoints[name]
        )
        self._connect = settings[ProvidersSettings].connect_timeout
        self._watch = watch
        self._lock = Lock()
        self._client: Any = None
        # The base address is the same for as long as the provider lives.
        self._manners: dict[str, _Manner] = {}

    def model(self, use: ModelUse) -> str:
        return use.models.get(self.name) or self._own.model

    def way(self, model: str) -> str:
        """How the model is asked for its answer's form, as far as is known."""
        return WAYS[self._manner(model).way]

    def say(self, prompt: Prompt[Any], use: ModelUse, within: float) -> Said:
        model, until = self.model(use), self._watch.now() + within
        while True:
            manner = self._manner(model)
            try:
                said = self._call(prompt, use, model, manner, until)
            except ProviderFault as fault:
                other = _other(manner, fault)
                if other is None or self._watch.now() >= until:
                    raise
                self._manners[model] = other
                continue
            if said.ending is Ending.DONE and manner.way + 1 < len(WAYS) and not _has_brackets(said.text):
                # The form was taken and not held: the next call is asked in another way.
                self._manners[model] = replace(manner, way=manner.way + 1)
            return said

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _call(self, prompt: Prompt[Any], use: ModelUse, model: str, manner: _Manner, until: float) -> Said:
        sdk, client = self._open()
        left = max(0.001, until - self._watch.now())
        asked, left_out = _asked(prompt, use, manner)
        with (
            wire.translated(sdk, self.name),
            client.chat.completions.with_streaming_response.create(
                model=model, **asked, timeout=sdk.Timeout(left, connect=min(left, self._connect))
            ) as response,
        ):
            found = wire.body(response.iter_bytes(), self.name, self._watch, until)
        return _said(self.name, found, model, left_out)

    def _manner(self, model: str) -> _Manner:
        # Other servers know the older name of the limit.
        return self._manners.get(model) or _Manner(limit=1 if self._own.base_url else 0)

    def _open(self) -> tuple[Any, Any]:
        try:
            import openai
        except ImportError:
            raise MissingExtra(f"The provider {self.name}", self.extra) from None
        with self._lock:
            if self._client is None:
                self._client = openai.OpenAI(
                    api_key=key_of(self._own) or "none",
                    base_url=self._own.base_url or "https://api.openai.com/v1",
                    max_retries=0,
                )
            return openai, self._client


def _asked(prompt: Prompt[Any], use: ModelUse, manner: _Manner) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What is sent, and the names of what is not."""
    way, schema = WAYS[manner.way], dict(prompt.schema)
    system = prompt.system
    if way != "json_schema":
        system += f"\n\nAnswer with one JSON object of this schema and nothing else:\n{json.dumps(schema)}"
    given = {name: getattr(use, name) for name in _SAMPLING if getattr(use, name) is not None}
    asked: dict[str, Any] = {
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt.user}],
        _LIMITS[manner.limit]: use.max_tokens,
        **{name: value for name, value in given.items() if name not in manner.refused},
    }
    if way == "json_schema":
        wanted = {"name": _TOOL, "schema": schema, "strict": True}
        asked["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif way == "json_object":
        # llama.cpp holds the answer to the schema given here.
        asked["response_format"] = {"type": "json_object", "schema": schema}
    elif way == "tool":
        asked["tools"] = [{"type": "function", "function": {"name": _TOOL, "parameters": schema}}]
        asked["tool_choice"] = {"type": "function", "function": {"name": _TOOL}}
    left_out = [name for name in given if name in manner.refused] + (["thinking"] if use.thinking else [])
    return asked, tuple(left_out)


def _other(manner: _Manner, fault: ProviderFault) -> _Manner | None:
    """Another way to ask after a refusal; None when it was not about the way."""
    if fault.kind not in (Kind.REFUSED, Kind.BROKEN, Kind.NOT_ALLOWED):
        return None
    limit = _LIMITS[manner.limit]
    if limit in fault.detail and manner.limit == 0:
        return replace(manner, limit=1)
    if limit in fault.detail and "max_completion_tokens" in fault.detail and "limit" not in manner.refused:
        return replace(manner, limit=0, refused=manner.refused | {"limit"})
    for name in _SAMPLING:
        if name in fault.detail and name not in manner.refused:
            return replace(manner, refused=manner.refused | {name})
    if any(word in fault.detail for word in _OF_THE_WAY.get(WAYS[manner.way], ())):
        return replace(manner, way=manner.way + 1)
    return None


def _said(name: str, found: dict[str, Any], model: str, left_out: tuple[str, ...]) -> Said:
    choices = found.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise wire.fault(name, Kind.UNREADABLE, "its answer has no message")
    ending = _ENDINGS.get(str(choice.get("finish_reason")), Ending.DONE)
    if message.get("refusal"):
        ending = Ending.DECLINED
    usage = found.get("usage")
    tokens_in, tokens_out = wire.count(usage, "prompt_tokens"), wire.count(usage, "completion_tokens")
    return Said(_text(message), model, tokens_in, tokens_out, ending, left_out)


def _text(message: dict[str, Any]) -> str:
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("arguments"), str):
            return str(function["arguments"])
    content = message.get("content")
    return content if isinstance(content, str) else ""


def _has_brackets(text: str) -> bool:
    return "{" in text or "[" in text
