"""Anthropic's Messages, with the answer held to a schema, and its Message Batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from threading import Lock
from typing import Any

from graph_memory.base.errors import MissingExtra, ProviderFault
from graph_memory.base.sections import Sections
from graph_memory.base.stopwatch import Watch
from graph_memory.models import wire
from graph_memory.models.prompt import (
    BatchRequest,
    BatchState,
    End,
    Ending,
    ModelUse,
    Outcome,
    Progress,
    Prompt,
    Said,
)
from graph_memory.models.provider_keys import key_of
from graph_memory.models.settings import AnthropicSettings, ProvidersSettings
from graph_memory.models.wire import Kind

NAME = "anthropic"
# Fewer are not taken.
LEAST_THINKING = 1024

_ENDINGS = {
    "max_tokens": Ending.CUT,
    "model_context_window_exceeded": Ending.CUT,
    "refusal": Ending.DECLINED,
}
_PROGRESS = {
    "in_progress": Progress.RUNNING,
    "canceling": Progress.CANCELLING,
    "ended": Progress.ENDED,
}
# Batches of one page of their list.
_PAGE = 100
# The same request would fail again.
_FINAL = ("invalid_request_error", "permission_error", "not_found_error", "request_too_large")


class AnthropicProvider:
    """Asks models of Anthropic, or of a server that speaks its Messages. The SDK is loaded by the first call."""

    name = NAME
    extra = NAME

    def __init__(self, settings: Sections, watch: Watch) -> None:
        self._own = settings[AnthropicSettings]
        self._connect = settings[ProvidersSettings].connect_timeout
        self._watch = watch
        self._lock = Lock()
        self._client: Any = None

    def model(self, use: ModelUse) -> str:
        return use.models.get(NAME) or self._own.model

    def say(self, prompt: Prompt[Any], use: ModelUse, within: float) -> Said:
        sdk, client = self._open()
        until = self._watch.now() + within
        with (
            wire.translated(sdk, NAME),
            client.messages.with_streaming_response.create(
                **self._asked(prompt, use), timeout=sdk.Timeout(within, connect=min(within, self._connect))
            ) as response,
        ):
            found = wire.body(response.iter_bytes(), NAME, self._watch, until)
        return _said(found, self.model(use), left_out(use))

    def submit(self, requests: Sequence[BatchRequest]) -> str:
        asked = [
            {"custom_id": each.custom_id, "params": self._asked(each.prompt, each.use)} for each in requests
        ]
        return self._batch("create", requests=asked).id

    def poll(self, id: str) -> BatchState:
        return self._batch("retrieve", message_batch_id=id)

    def cancel(self, id: str) -> BatchState:
        return self._batch("cancel", message_batch_id=id)

    def recent(self, since: datetime) -> Iterator[BatchState]:
        after: dict[str, str] = {}
        while True:
            found = self._asked_batches("list", limit=_PAGE, **after)
            states = [_state(each) for each in wire.rows(found, "data")]
            for state in states:
                if state.created_at is not None and state.created_at < since:
                    return
                yield state
            if not states or not found.get("has_more"):
                return
            after = {"after_id": states[-1].id}

    def results(self, id: str) -> Iterator[tuple[str, Outcome]]:
        state = self.poll(id)
        if state.archived_at is not None:
            raise wire.fault(NAME, Kind.GONE, "the results of this batch are no longer kept")
        if state.progress is not Progress.ENDED:
            raise wire.fault(NAME, Kind.BUSY, "this batch has not ended yet")
        sdk, client = self._open()
        batches = client.messages.batches.with_streaming_response
        with wire.translated(sdk, NAME), batches.results(id) as response:
            for line in response.iter_lines():
                if line.strip():
                    yield from _outcome(line)

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _batch(self, verb: str, **arguments: Any) -> BatchState:
        return _state(self._asked_batches(verb, **arguments))

    def _asked_batches(self, verb: str, **arguments: Any) -> dict[str, Any]:
        sdk, client = self._open()
        batches = client.messages.batches.with_streaming_response
        until = self._watch.now() + sdk.DEFAULT_TIMEOUT.read
        with wire.translated(sdk, NAME), getattr(batches, verb)(**arguments) as response:
            return wire.body(response.iter_bytes(), NAME, self._watch, until)

    def _asked(self, prompt: Prompt[Any], use: ModelUse) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "model": self.model(use),
            "max_tokens": use.max_tokens,
            "system": prompt.system,
            "messages": [{"role": "user", "content": prompt.user}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(prompt.schema)}},
        }
        if use.thinking >= LEAST_THINKING:
            asked["thinking"] = {"type": "enabled", "budget_tokens": use.thinking}
            asked["max_tokens"] += use.thinking
        return asked

    def _open(self) -> tuple[Any, Any]:
        try:
            import anthropic
        except ImportError:
            raise MissingExtra("The provider anthropic", self.extra) from None
        with self._lock:
            if self._client is None:
                self._client = anthropic.Anthropic(
                    api_key=key_of(self._own) or "none",
                    base_url=self._own.base_url,
                    max_retries=0,
                )
            return anthropic, self._client


def left_out(use: ModelUse) -> tuple[str, ...]:
    """What Anthropic's interface does not take: it has no sampling settings, and no thinking of few tokens."""
    given = {
        "temperature": use.temperature is not None,
        "frequency_penalty": use.frequency_penalty is not None,
        "thinking": 0 < use.thinking < LEAST_THINKING,
    }
    return tuple(name for name, is_given in given.items() if is_given)


def _said(found: dict[str, Any], model: str, left: tuple[str, ...]) -> Said:
    content = found.get("content")
    if not isinstance(content, list):
        raise wire.fault(NAME, Kind.UNREADABLE, "its answer has no content")
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    usage = found.get("usage")
    tokens_in = sum(
        wire.count(usage, name)
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    return Said(
        "".join(text for text in texts if isinstance(text, str)),
        model,
        tokens_in,
        wire.count(usage, "output_tokens"),
        _ENDINGS.get(str(found.get("stop_reason")), Ending.DONE),
        left,
    )


def _state(found: dict[str, Any]) -> BatchState:
    id, progress = found.get("id"), _PROGRESS.get(str(found.get("processing_status")))
    if not isinstance(id, str) or progress is None:
        raise wire.fault(NAME, Kind.UNREADABLE, "its answer tells no batch")
    counts = found.get("request_counts")
    failed = sum(wire.count(counts, name) for name in ("errored", "canceled", "expired"))
    succeeded = wire.count(counts, "succeeded")
    return BatchState(
        id,
        progress,
        _time(found.get("expires_at")),
        _time(found.get("archived_at")),
        succeeded,
        failed,
        succeeded + failed + wire.count(counts, "processing"),
        _time(found.get("created_at")),
    )


def _outcome(line: str) -> Iterator[tuple[str, Outcome]]:
    """The one outcome of a line; none of a line that names no request."""
    try:
        found = json.loads(line)
    except ValueError:
        raise wire.fault(NAME, Kind.UNREADABLE, "the list of results breaks off") from None
    result = found.get("result") if isinstance(found, dict) else None
    if not isinstance(result, dict) or not isinstance(found.get("custom_id"), str):
        return
    id, end = found["custom_id"], str(result.get("type"))
    if end not in set(End):
        return
    if end != End.SUCCEEDED:
        error = result.get("error")
        inner = error.get("error", error) if isinstance(error, dict) else {}
        told = str(inner.get("type", "")) if isinstance(inner, dict) else ""
        yield id, Outcome(End(end), None, told[:50], told not in _FINAL)
        return
    try:
        message = result["message"]
        yield id, Outcome(End.SUCCEEDED, _said(message, str(message.get("model", "")), ()))
    except (ProviderFault, KeyError, AttributeError):
        yield id, Outcome(End.ERRORED, None, "unreadable")


def _time(value: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
