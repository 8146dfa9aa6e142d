"""Any server that speaks OpenAI's `POST /v1/embeddings`: OpenAI, Ollama, LM Studio, llama.cpp, vLLM."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from graph_memory.base.counting import counted
from graph_memory.base.errors import BadVector, Misconfigured, Unavailable
from graph_memory.base.lost import why_lost
from graph_memory.models.settings import EmbedderSettings

if TYPE_CHECKING:
    import requests

# Answers after which the same request may succeed.
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FIRST_PAUSE = 0.5
_CHUNK = 65_536
_MOST_BYTES = 200_000_000


class OpenAIEmbedder:
    """Texts are sent in batches. While the server fails it is left alone for a while: writers do not queue for it."""

    def __init__(
        self,
        given: EmbedderSettings,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Asks nothing yet. Raises Misconfigured when model, dimension or address is missing."""
        wanted = {"MODEL": given.model, "DIMENSION": given.dimension, "URL": given.url}
        missing = [
            f"GRAPH_MEMORY_EMBEDDER_{name}: the provider openai needs it"
            for name, value in wanted.items()
            if not value
        ]
        if missing:
            raise Misconfigured(missing)
        self.model = str(given.model)
        self.dimension = int(given.dimension or 0)
        self._batch, self._tries = given.batch, given.tries
        self._timeout, self._pause = given.timeout, given.pause
        self._key, self._sends_dimension = given.api_key, given.send_dimension
        self._address = f"{str(given.url).rstrip('/')}/embeddings"
        import requests

        self._session = requests.Session()
        # A .netrc or a proxy of the shell's must not send a key or a text elsewhere.
        self._session.trust_env = False
        self._sleep, self._monotonic = sleep, monotonic
        self._silent_until = float("-inf")

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in their order. Raises Unavailable after the last try, BadVector for nonsense."""
        if self._monotonic() < self._silent_until:
            raise Unavailable(f"The embedder at {self._address} failed a moment ago and is not asked yet.")
        vectors: list[list[float]] = []
        for start in range(0, len(texts), self._batch):
            batch = list(texts[start : start + self._batch])
            vectors += _read(self._asked(batch), len(batch), self.model)
        return vectors

    def _asked(self, batch: list[str]) -> Any:
        """The answer of the server; tries again after a passing fault, as long as the time-out allows it."""
        import requests
        from urllib3.exceptions import HTTPError

        told, end = "no answer", self._monotonic() + self._timeout
        for attempt in range(self._tries):
            try:
                with self._sent(batch, end - self._monotonic()) as response:
                    body = self._body(response, end) if response.ok else b""
            except (requests.RequestException, HTTPError) as error:
                told, pause = why_lost(error), _FIRST_PAUSE * 2**attempt
            else:
                if response.ok:
                    return _json(body, self.model)
                told, pause = f"status {response.status_code}", _pause(response, attempt)
                if response.status_code not in _PASSING:
                    break
            if attempt + 1 == self._tries or self._monotonic() + pause >= end:
                break
            self._sleep(pause)
        self._silent_until = self._monotonic() + self._pause
        raise Unavailable(
            f"The embedder at {self._address} failed ({told}); "
            "check GRAPH_MEMORY_EMBEDDER_URL, GRAPH_MEMORY_EMBEDDER_MODEL and GRAPH_MEMORY_EMBEDDER_API_KEY."
        )

    def _sent(self, batch: list[str], seconds: float) -> requests.Response:
        headers = {"Accept-Encoding": "identity"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.get_secret_value()}"
        body: dict[str, Any] = {"model": self.model, "input": batch, "encoding_format": "float"}
        if self._sends_dimension:
            body["dimensions"] = self.dimension
        return self._session.post(
            self._address, json=body, headers=headers, timeout=seconds, allow_redirects=False, stream=True
        )

    def _body(self, response: requests.Response, end: float) -> bytes:
        """All that the server says; a time-out of the connection alone would wait for ever on one that drips."""
        import requests

        parts, size = [], 0
        while part := response.raw.read1(_CHUNK):
            parts.append(part)
            size += len(part)
            if size > _MOST_BYTES:
                raise BadVector(
                    f"The server of the model {self.model} answered with more than {_MOST_BYTES} bytes."
                )
            if self._monotonic() > end:
                raise requests.Timeout
        return b"".join(parts)


def _pause(response: requests.Response, attempt: int) -> float:
    """Seconds until the next try: what the server asks for, else twice as long each time."""
    try:
        return max(0.0, float(response.headers.get("retry-after", "")))
    except ValueError:
        return _FIRST_PAUSE * float(2**attempt)


def _json(body: bytes, model: str) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        raise BadVector(
            f"The server of the model {model} answered with something that is not JSON; check GRAPH_MEMORY_EMBEDDER_URL."
        ) from error


def _read(answer: Any, wanted: int, model: str) -> list[list[float]]:
    """The vectors of an answer in the order of their texts, whatever order they come in."""
    try:
        rows = {int(row["index"]): [float(number) for number in row["embedding"]] for row in answer["data"]}
    except (KeyError, TypeError, ValueError) as error:
        raise BadVector(
            f"The server of the model {model} answered in another shape than vectors; check GRAPH_MEMORY_EMBEDDER_URL."
        ) from error
    if len(answer["data"]) != wanted or rows.keys() != set(range(wanted)):
        raise BadVector(
            f"The server of the model {model} gave {counted(len(rows), 'vector')} for {counted(wanted, 'text')}."
        )
    return [rows[index] for index in range(wanted)]
