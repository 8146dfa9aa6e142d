"""How likely a statement answers a question: a small model reads both, word by word.

Each word of the question looks for the word of the statement that is nearest to it, as both are meant where they stand; how near
these are, weighed by how much the word asks for, is what counts (late interaction: Khattab and Zaharia, 2020, "ColBERT"). It has
learnt from questions about invented conversations which messages hold the answer (`judge/training/fit_answers.py`). It reads
English, up to QUESTION tokens of the one and STATEMENT of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph_memory.judge.linker_input import Reading
from graph_memory.judge.trained_model import DATA, TrainedModel

MODEL = DATA / "answers.onnx"
QUESTION, STATEMENT = 32, 80

Floats = NDArray[np.float32]


class AnswerModel:
    """One loaded file of the model; any number of threads may ask it."""

    def __init__(self, file: Path | None = None) -> None:
        """The file is loaded for the first question. Raises ModelFault then where it is missing or another."""
        self._model = TrainedModel(file or MODEL)

    def read(self, question: str, statements: Sequence[str]) -> list[float]:
        """For each statement the logit that it answers the question."""
        card = self._model.card
        asked, weights, meant = self._words(question, QUESTION)
        found = []
        for statement in statements:
            words, _, whole = self._words(statement, STATEMENT)
            near = float((asked @ words.T).max(axis=1) @ weights)
            found.append(card["scale"] * near + card["mix"] * float(meant @ whole) + card["bias"])
        return found

    def _words(self, text: str, most: int) -> tuple[Floats, Floats, Floats]:
        """The directions of its words, [n, 384], the share that each has in what is asked, and the direction of all together."""
        ids = self._model.reader.alone(text, most)
        words, weights, whole = self._model.run(Reading(ids, [0] * len(ids), [], [], False))
        return words, weights, whole


@cache
def opened() -> AnswerModel:
    """One for the whole process."""
    return AnswerModel()
