"""A scripted server on loopback that speaks the wire formats of Anthropic and OpenAI, for their real SDKs.

    with Wires() as wires:
        wires.script(fails(429, retry_after=2), says({"verdicts": []}))
        ...
        assert wires.received[0].path == "/v1/messages"

Each request takes the next behaviour; when the script has ended, the last one goes on. The same behaviours serve
`/v1/messages` and `/v1/chat/completions`. `wires.batches` holds the Message Batches that were submitted:

    batch = wires.batches[0]
    batch.end({"first": {"memories": []}, "second": Ended("errored", error="api_error")}, in_order=False)
"""

from __future__ import annotations

import json
import re
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl

_SHOWN = re.compile(r"^(?:\[|\{\"id\": \")([0-9a-f]{8,})\b", re.MULTILINE)


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def is_openai(self) -> bool:
        return self.path.endswith("/chat/completions")

    @property
    def text(self) -> str:
        """All that the model was told: ours and theirs."""
        messages = self.body.get("messages", [])
        return "\n".join([str(self.body.get("system", "")), *(str(each["content"]) for each in messages)])

    @property
    def offered(self) -> list[str]:
        """The short ids that were shown, in order."""
        return _SHOWN.findall(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Behaviour:
    """What the server does with one request: what it sends, how, and after which pause."""

    raw: Callable[[Received], bytes]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hangs: bool = False
    every: float = 0.0


Script = Behaviour | Callable[[Received], Behaviour]


def says(
    answer: Any, tokens: tuple[int, int] = (100, 20), ending: str = "done", as_tool: bool = False
) -> Behaviour:
    """The model says this: text as it is, anything else as JSON. `ending`: done, cut or declined."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return Behaviour(lambda asked: json.dumps(_message(asked, text, tokens, ending, as_tool)).encode())


def sends(raw: bytes, status: int = 200) -> Behaviour:
    """These bytes and nothing else."""
    return Behaviour(lambda _: raw, status)


def fails(status: int, message: str = "no", retry_after: float | None = None) -> Behaviour:
    """An HTTP error with a message of the provider's."""
    headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
    error = {"type": "error", "error": {"type": "api_error", "message": message}}
    return Behaviour(lambda _: json.dumps(error).encode(), status, headers)


def hangs() -> Behaviour:
    """No answer at all, until the server ends."""
    return Behaviour(lambda _: b"", hangs=True)


def drips(answer: Any, every: float = 0.05) -> Behaviour:
    """The answer byte by byte, with a pause after each: no read ever times out."""
    slow = says(answer)
    return Behaviour(slow.raw, every=every)


@dataclass(frozen=True)
class Ended:
    """The end of one request of a batch that did not succeed: errored, canceled or expired."""

    end: str
    error: str = "api_error"


class Batch:
    """A Message Batch as the server holds it."""

    def __init__(self, id: str, requests: list[dict[str, Any]]) -> None:
        self.id = id
        self.requests = requests
        self.status = "in_progress"
        self.is_archived = False
        self.lines: list[str] = []
        self.created_at = "2026-01-01T09:00:00Z"
        self.expires_at = "2026-01-02T09:00:00Z"

    def end(
        self,
        outcomes: Mapping[str, Any],
        *,
        in_order: bool = True,
        extra: tuple[str, ...] = (),
        is_cut: bool = False,
    ) -> None:
        """Ends it. Each custom id has an answer or an Ended; ids that were not submitted may stand among them.

        `extra` are further raw lines; with `is_cut` the last line breaks off.
        """
        lines = [json.dumps({"custom_id": id, "result": _result(each)}) for id, each in outcomes.items()]
        self.lines = [*(lines if in_order else reversed(lines)), *extra]
        if is_cut:
            self.lines[-1] = self.lines[-1][: len(self.lines[-1]) // 2]
        self.status = "ended"

    def state(self, url: str) -> dict[str, Any]:
        has_ended = self.status == "ended"
        return {
            "id": self.id,
            "type": "message_batch",
            "processing_status": self.status,
            "request_counts": {
                "processing": 0 if has_ended else len(self.requests),
                "succeeded": sum('"succeeded"' in line for line in self.lines),
                "errored": sum('"errored"' in line for line in self.lines),
                "canceled": sum('"canceled"' in line for line in self.lines),
                "expired": sum('"expired"' in line for line in self.lines),
            },
            "created_at": self.created_at,
            "expires_at": self.expires_at,
            "ended_at": "2026-01-01T10:00:00Z" if has_ended else None,
            "archived_at": "2026-01-30T09:00:00Z" if self.is_archived else None,
            "cancel_initiated_at": None,
            "results_url": f"{url}/v1/messages/batches/{self.id}/results"
            if has_ended and not self.is_archived
            else None,
        }


class Wires:
    """The server, from `with` to its end."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.batches: list[Batch] = []
        # What the next requests about batches get instead of their answer; None: the answer. What they ask for is done.
        self.interruptions: list[Behaviour | None] = []
        self._script: list[Script] = []
        self._lock = Lock()
        self._ended = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """Base address for Anthropic's SDK; OpenAI's wants `/v1` after it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *behaviours: Script) -> None:
        """What happens to the next requests. A function is given the request and answers a behaviour."""
        with self._lock:
            self._script = list(behaviours)

    def __enter__(self) -> Wires:
        Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()

    def _next(self, asked: Received) -> Behaviour:
        with self._lock:
            self.received.append(asked)
            script = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        return script(asked) if callable(script) else script

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        wires = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                read = self.rfile.read(length)
                asked = Received(self.path.split("?")[0], dict(self.headers), json.loads(read or b"{}"))
                if asked.path.startswith("/v1/messages/batches"):
                    self._batch(asked)
                else:
                    self._behave(wires._next(asked), asked)

            def do_GET(self) -> None:
                path, _, asked = self.path.partition("?")
                self._batch(Received(path, dict(self.headers), dict(parse_qsl(asked))))

            def _batch(self, asked: Received) -> None:
                with wires._lock:
                    wires.received.append(asked)
                    instead = wires.interruptions.pop(0) if wires.interruptions else None
                    refused = instead is not None and instead.status in (400, 401, 413, 429)
                    status, body = (0, "") if refused else wires._of_batches(asked)
                if instead is not None:
                    self._behave(instead, asked)
                else:
                    self._send(status, {}, body.encode())

            def _behave(self, behaviour: Behaviour, asked: Received) -> None:
                if behaviour.hangs:
                    wires._ended.wait(30)
                    self.close_connection = True
                    return
                self._send(behaviour.status, behaviour.headers, behaviour.raw(asked), behaviour.every)

            def _send(self, status: int, headers: Mapping[str, str], body: bytes, every: float = 0.0) -> None:
                try:
                    self.send_response(status)
                    for name, value in {**headers, "Content-Type": "application/json"}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.send_header("Connection", "close")
                    self.end_headers()
                    for piece in [body[at : at + 1] for at in range(len(body))] if every else [body]:
                        self.wfile.write(piece)
                        if every:
                            self.wfile.flush()
                            time.sleep(every)
                except OSError:
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Tests read `received` instead."""

        return Handler

    def _of_batches(self, asked: Received) -> tuple[int, str]:
        parts = asked.path.strip("/").split("/")[3:]
        if not parts and "requests" not in asked.body:
            states = [each.state(self.url) for each in reversed(self.batches)]
            ids, limit = [each["id"] for each in states], int(asked.body.get("limit", 20))
            start = ids.index(asked.body["after_id"]) + 1 if "after_id" in asked.body else 0
            found = {"data": states[start : start + limit], "has_more": start + limit < len(states)}
            return 200, json.dumps({**found, "first_id": None, "last_id": None})
        if not parts:
            self.batches.append(Batch(f"batch_{uuid.uuid4().hex[:16]}", asked.body["requests"]))
            return 200, json.dumps(self.batches[-1].state(self.url))
        found = next((each for each in self.batches if each.id == parts[0]), None)
        if found is None:
            return 404, json.dumps({"type": "error", "error": {"type": "not_found_error", "message": "no"}})
        if parts[1:] == ["results"]:
            return 200, "\n".join(found.lines)
        if parts[1:] == ["cancel"]:
            found.status = "canceling"
        return 200, json.dumps(found.state(self.url))


@contextmanager
def unreachable() -> Iterator[str]:
    """An address on loopback that takes no connection and refuses none: connecting times out."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        address = listening.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        try:
            for each in waiting:
                each.setblocking(False)
                each.connect_ex(address)
            yield f"http://127.0.0.1:{address[1]}"
        finally:
            for each in waiting:
                each.close()


def _message(asked: Received, text: str, tokens: tuple[int, int], ending: str, as_tool: bool) -> Any:
    if asked.is_openai:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if as_tool:
            call = {"id": "call_1", "type": "function", "function": {"name": "answer", "arguments": text}}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        if ending == "declined":
            message = {"role": "assistant", "content": None, "refusal": text}
        reason = {"done": "stop", "cut": "length", "declined": "stop"}[ending]
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": asked.body.get("model"),
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {
                "prompt_tokens": tokens[0],
                "completion_tokens": tokens[1],
                "total_tokens": sum(tokens),
            },
        }
    stop = {"done": "end_turn", "cut": "max_tokens", "declined": "refusal"}[ending]
    return anthropic_message(text, asked.body.get("model"), tokens, stop)


def anthropic_message(
    text: str, model: Any, tokens: tuple[int, int] = (100, 20), stop: str = "end_turn"
) -> Any:
    """A message of Anthropic's."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


def _result(outcome: Any) -> Any:
    if isinstance(outcome, Ended):
        error = {"type": "error", "error": {"type": outcome.error, "message": "no"}}
        return {"type": outcome.end, **({"error": error} if outcome.end == "errored" else {})}
    text = outcome if isinstance(outcome, str) else json.dumps(outcome)
    return {"type": "succeeded", "message": anthropic_message(text, "claude-haiku-4-5")}
