"""How the linker reads a message beside what is known."""

from __future__ import annotations

from datetime import timedelta
from math import exp
from typing import Any, cast

import numpy as np
import pytest

from graph_memory.judge.linker import LEARNT, Act, Linker
from graph_memory.judge.linker_input import Known, Reading, Utterance
from graph_memory.judge.trained_model import TrainedModel

TALK = (("Ben", "Where do you live?"), ("Ann", "In Porto."), ("Ben", "Still?"))
KNOWN = [Known("Ann lives in Lisbon.", "Ann", timedelta(days=30))]


class Counts:
    """A model whose logit of a link is how many messages stand before the one that it reads."""

    def __init__(self) -> None:
        self.reader = self

    def length(self, text: str) -> int:
        return len(text.split())

    def read(self, said: Utterance, known: list[Known | None]) -> list[Reading]:
        return [Reading([len(said.before)], [0], [], []) for _ in known]

    def run(self, one: Reading) -> tuple[Any, ...]:
        logits = [np.zeros(size, np.float32) for size in (len(LEARNT), len(Act))]
        return np.float32(one.ids[0]), *logits, np.float32(0), np.zeros((0, 5), np.float32)


@pytest.mark.parametrize(("before", "logit"), [(TALK, 2.0), (TALK[:1], 1.0), ((), 0.0)])
def test_a_message_is_read_with_all_of_the_talk_before_it_and_with_the_last_of_it(
    before: tuple[tuple[str, str], ...], logit: float
) -> None:
    linker = Linker()
    linker._model = cast(TrainedModel, Counts())
    _, [link] = linker.read(Utterance("Ann", "No, Lisbon.", before), KNOWN)
    assert link.chance == pytest.approx(1 / (1 + exp(-logit)))
