"""A small trained model in the package: read from its file once, checked against its card, run by onnxruntime.

Its weights are those of all-MiniLM-L6-v2, trained on (`judge/training`), in 8 bits. It reads one input at a time: the
numbers of an 8-bit model are rounded by the largest of a batch, and a batch is no quicker.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_memory.base.errors import ModelFault
from graph_memory.judge.linker_input import Reader, Reading
from graph_memory.models.onnx_runtime import onnxruntime

DATA = Path(__file__).parent / "data"
TOKENIZER = Path(__file__).parents[1] / "models" / "data" / "tokenizer.json"

Floats = NDArray[np.float32]


class TrainedModel:
    """One file and its card, loaded at first use; any number of threads may ask it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._loaded: tuple[Reader, Any, Mapping[str, Any]] | None = None

    @property
    def reader(self) -> Reader:
        """What makes inputs for it. Raises ModelFault where the file is missing or another; so does `run`."""
        return self._load()[0]

    @property
    def card(self) -> Mapping[str, Any]:
        """What is told of it: its base, the digest of its data, its thresholds."""
        return self._load()[2]

    def run(self, one: Reading) -> tuple[Floats, ...]:
        """What the model says of one input."""
        ids = np.array([one.ids], np.int64)
        given = {"ids": ids, "mask": np.ones_like(ids), "types": np.array([one.types], np.int64)}
        return tuple(found[0] for found in self._load()[1].run(None, given))

    def _load(self) -> tuple[Reader, Any, Mapping[str, Any]]:
        with self._lock:
            if self._loaded is None:
                from tokenizers import Tokenizer

                runtime = onnxruntime()
                options = runtime.SessionOptions()
                options.intra_op_num_threads = 1
                options.inter_op_num_threads = 1
                options.add_session_config_entry("session.intra_op.allow_spinning", "0")
                weights, card = _checked(self._file)
                session = runtime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
                tokenizer = Tokenizer.from_file(str(TOKENIZER))
                tokenizer.no_padding()
                tokenizer.no_truncation()
                self._loaded = Reader(tokenizer), session, card
            return self._loaded


def softmax(logits: Floats) -> Floats:
    """Chances from logits, along the last axis."""
    risen = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances: Floats = risen / risen.sum(axis=-1, keepdims=True)
    return chances


def _checked(file: Path) -> tuple[bytes, Mapping[str, Any]]:
    try:
        content = file.read_bytes()
        card = json.loads(file.with_suffix(".json").read_text("utf-8"))
    except OSError as error:
        raise ModelFault(
            f"The model's file {error.filename} cannot be read ({error.strerror}); install graph-memory again."
        ) from error
    found = hashlib.sha256(content).hexdigest()
    if found != card["sha256"]:
        raise ModelFault(
            f"The file {file} is not the one of its card: sha256 {found}, expected {card['sha256']}; install graph-memory again."
        )
    return content, card
