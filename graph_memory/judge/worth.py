"""How much a sentence of a chat tells somebody who reads it alone, months later: praise, thanks and what only makes sense beside
the sentence before tell nothing.

A small model has learnt it from sentences that readers graded. It reads English, up to MOST tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from graph_memory.judge.linker_input import Reading
from graph_memory.judge.trained_model import DATA, TrainedModel

MODEL = DATA / "worth.onnx"
MOST = 96
# From this chance on that nothing is left open in it a statement stands alone.
COMPLETE = 0.5


@dataclass(frozen=True)
class Worth:
    """The chance, 0 to 1, that it tells anything, that nothing is left open in it, and that it is an order to forget."""

    tells: float
    complete: float
    order: float


class WorthModel:
    """The packaged model; loaded at the first sentence. Any number of threads may ask it."""

    def __init__(self) -> None:
        self._model = TrainedModel(MODEL)

    def read(self, sentence: str) -> Worth:
        """What a sentence is worth. Raises ModelFault where the model's file is missing or another."""
        ids = self._model.reader.alone(sentence, MOST)
        [logits] = self._model.run(Reading(ids, [0] * len(ids), [], [], False))
        return Worth(*(1 / (1 + np.exp(-logits.astype(np.float64)))).tolist())


@cache
def opened() -> WorthModel:
    """One for the whole process."""
    return WorthModel()


def is_complete(sentence: str) -> bool:
    """Whether it most likely leaves nothing open."""
    return opened().read(sentence).complete >= COMPLETE
