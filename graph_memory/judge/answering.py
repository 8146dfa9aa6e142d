"""How likely a statement answers a question: a small model reads both, word by word.

Each word of the question looks for the word of the statement that is nearest to it, as both are meant where they stand; how near
these are, weighed by how much the word asks for, is what counts (late interaction: Khattab and Zaharia, 2020, "ColBERT"). It has
learnt from questions about invented conversations which messages hold the answer (`judge/training/fit_answers.py`). It reads
English, up to QUESTION tokens of the one and STATEMENT of the other.

What was read of a statement is kept for a while, without its text, since the same ones are found again and again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
from cachetools import TTLCache
from numpy.typing import NDArray

from graph_memory.judge.linker_input import Reading
from graph_memory.judge.trained_model import DATA, TrainedModel

MODEL = DATA / "answers.onnx"
QUESTION, STATEMENT = 32, 80

# So many statements are kept at most, some 20 kB each, and for so many seconds: what was erased is not kept for longer.
KEPT, KEPT_FOR = 4096, 600.0

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]


class AnswerModel:
    """One loaded file of the model; any number of threads may ask it."""

    def __init__(self, file: Path | None = None) -> None:
        """The file is loaded for the first question. Raises ModelFault then where it is missing or another."""
        self._model = TrainedModel(file or MODEL)
        self._kept: TTLCache[bytes, tuple[Halves, Halves]] = TTLCache(KEPT, KEPT_FOR)
        self._lock = Lock()

    def read(self, question: str, statements: Sequence[str]) -> list[float]:
        """For each statement the logit that it answers the question."""
        card = self._model.card
        asked, weights, meant = self._words(question, QUESTION)
        found = []
        for statement in statements:
            words, whole = self._statement(statement)
            near = float((asked @ words.T).max(axis=1) @ weights)
            found.append(card["scale"] * near + card["mix"] * float(meant @ whole) + card["bias"])
        return found

    def _statement(self, text: str) -> tuple[Floats, Floats]:
        key = hashlib.sha256(text.encode()).digest()
        with self._lock:
            kept = self._kept.get(key)
        if kept is None:
            words, _, whole = self._words(text, STATEMENT)
            kept = words.astype(np.float16), whole.astype(np.float16)
            with self._lock:
                self._kept[key] = kept
        return kept[0].astype(np.float32), kept[1].astype(np.float32)

    def _words(self, text: str, most: int) -> tuple[Floats, Floats, Floats]:
        """The directions of its words, [n, 128], the share that each has in what is asked, and the direction of all together."""
        ids = self._model.reader.alone(text, most)
        words, weights, whole = self._model.run(Reading(ids, [0] * len(ids), [], [], False))
        return words, weights, whole


@cache
def opened() -> AnswerModel:
    """One for the whole process."""
    return AnswerModel()
