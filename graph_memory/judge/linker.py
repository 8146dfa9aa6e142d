"""The linker: a small learnt model that reads a message beside what is known.

It tells of the message what it is (a statement, a plan, a question, a joke ...) and where its values stand, and of each
known statement whether the message is about it, what it does to it, and which value takes the place of which. All
figures are chances from 0 to 1. It reads English; of other languages it knows little.

The weights are those of all-MiniLM-L6-v2, trained on (`judge/training`), in 8 bits, run by onnxruntime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np

from graph_memory.judge.linker_input import MESSAGE, Known, Reading, Utterance
from graph_memory.judge.trained_model import DATA, Floats, TrainedModel, softmax
from graph_memory.language.sentences import places
from graph_memory.model.verdict import Effect

MODEL = DATA / "linker.onnx"

# Its name among the judges.
LINKER = "linker"

_VALUE = 1
# The start of a span needs this much; what follows it is part of it when nothing else is likelier.
_LEAST = 0.5
# So many of what is known are read beside a message twice; to read all of it twice brought nothing.
_READ_TWICE = 3
# Of a long message so many pieces are read beside what is known.
_PIECES = 8

Span = tuple[int, int]


class Act(StrEnum):
    """What a message is. What the first four state is kept."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    WISHED = "wished"
    CONDITIONAL = "conditional"
    ASKED = "asked"
    JOKED = "joked"
    CHATTER = "chatter"


KEPT = (Act.ASSERTED, Act.PLANNED, Act.WISHED, Act.CONDITIONAL)


# What the linker has learnt to tell, in the order of its answers.
LEARNT = tuple(each for each in Effect if each is not Effect.EXTENDS)
RETIRES = (Effect.CHANGES, Effect.CORRECTS, Effect.ENDS)


@dataclass(frozen=True)
class Understood:
    """A message by itself: what it is."""

    acts: Mapping[Act, float]

    @property
    def states(self) -> float:
        """How surely it says what holds, or what is planned."""
        return min(1.0, self.acts[Act.ASSERTED] + self.acts[Act.PLANNED])

    @property
    def keeps_nothing(self) -> float:
        """How surely it is a question, a joke, an order or mere talk."""
        return max(chance for act, chance in self.acts.items() if act not in KEPT)


@dataclass(frozen=True)
class Link:
    """A message beside one known statement: how surely it is about it, and what it does to it if so.

    The chances of all that it is read beside, and that it is about none, sum to 1.

    `value` is the span of the message that takes the place of `old_value`, a span of the known text; None where none was
    found. `part` is the sentence of the known text that it is about, `of_message` that of the message, where these were looked
    for; `is_placed` tells that a second reading finds the old value in the same clause.
    """

    chance: float
    effects: Mapping[Effect, float]
    value: Span | None
    old_value: Span | None
    part: Span | None = None
    of_message: Span | None = None
    is_placed: bool = True

    @property
    def effect(self) -> Effect:
        """The likeliest."""
        return max(self.effects, key=lambda each: self.effects[each])

    @property
    def retires(self) -> float:
        """How surely the known statement holds no longer."""
        return self.chance * sum(self.effects[each] for each in RETIRES)


@dataclass(frozen=True)
class _Beside:
    """What the model says of one reading: logits of being about the known statement, of the effects, and of each token."""

    reading: Reading
    logit: float
    effects: Floats
    tags: Floats

    def with_mean_of(self, other: _Beside) -> _Beside:
        """The same reading, the logits that both have as their mean."""
        effects = np.mean((self.effects, other.effects), axis=0)
        return replace(self, logit=(self.logit + other.logit) / 2, effects=effects)


class Linker:
    """One loaded model; any number of threads may ask it."""

    def __init__(self, model: Path | None = None) -> None:
        """The file is looked at, and loaded for the first message. Raises ModelFault where it is missing or another."""
        self._model = TrainedModel(model or MODEL)

    def read(
        self, said: Utterance, known: Sequence[Known] = (), drop: float = 1.0
    ) -> tuple[Understood, list[Link]]:
        """The message by itself, and beside each known statement, in their order.

        Beside what is known it is read with the last message before it, and beside the likeliest of that once more with all of
        the talk; what is told of these is the mean of both. One that surely keeps nothing, at `drop`, is read beside none.
        What is longer than can be read at once is read in pieces of whole sentences: it is the piece that keeps most, and
        of each known statement the piece is told that is most surely about it.
        """
        pieces = self._pieces(said.text)
        if len(pieces) == 1:
            return self._read(said, known, drop)
        read = [
            (
                start,
                *self._read(replace(said, text=said.text[start:end]), known if at < _PIECES else (), drop),
            )
            for at, (start, end) in enumerate(pieces)
        ]
        links = [[_moved(each, start) for each in found] for start, _, found in read if found]
        of_each = zip(*links, strict=True)
        alone = min((each for _, each, _ in read), key=lambda each: each.keeps_nothing)
        return alone, [max(some, key=lambda each: each.chance) for some in of_each]

    def _pieces(self, text: str) -> list[Span]:
        """Where the pieces of a text stand that can be read at once; a sentence is not parted."""
        length = self._model.reader.length
        if length(text) <= MESSAGE:
            return [(0, len(text))]
        found: list[Span] = []
        for start, end in places(text):
            if found and length(text[found[-1][0] : end]) <= MESSAGE:
                found[-1] = (found[-1][0], end)
            else:
                found.append((start, end))
        return found or [(0, len(text))]

    def _read(self, said: Utterance, known: Sequence[Known], drop: float) -> tuple[Understood, list[Link]]:
        [first] = self._model.reader.read(said, [None])
        alone = _understood(self._model.run(first))
        if alone.keeps_nothing >= drop:
            return alone, []
        found = self._beside(replace(said, before=said.before[-1:]), known)
        if len(said.before) > 1:
            places = sorted(range(len(known)), key=lambda each: -found[each].logit)[:_READ_TWICE]
            again = self._beside(said, [known[each] for each in places])
            for place, each in zip(places, again, strict=True):
                found[place] = each.with_mean_of(found[place])
        chances = _of_one([each.logit for each in found])
        return alone, [_link(each, chance) for each, chance in zip(found, chances, strict=True)]

    def _beside(self, said: Utterance, known: Sequence[Known]) -> list[_Beside]:
        """What the model says of the message beside each known statement."""
        readings = self._model.reader.read(said, known)
        rows = ((each, self._model.run(each)) for each in readings)
        return [_Beside(each, float(row[0]), row[1], row[4]) for each, row in rows]


@cache
def opened(model: Path | None = None) -> Linker:
    """The linker of this process for a file; the packaged one without."""
    return Linker(model)


def _moved(link: Link, by: int) -> Link:
    """The link of a piece, with its value where it stands in the whole message."""
    return replace(link, value=(link.value[0] + by, link.value[1] + by)) if link.value and by else link


def _understood(row: tuple[Floats, ...]) -> Understood:
    return Understood({act: float(chance) for act, chance in zip(Act, softmax(row[2]), strict=True)})


def _of_one(logits: Sequence[float]) -> list[float]:
    """The chance of each, beside that of none, whose logit is 0."""
    return [float(each) for each in softmax(np.array([*logits, 0.0], np.float32))[:-1]]


def _link(beside: _Beside, chance: float) -> Link:
    marked = softmax(beside.tags)
    effects = softmax(beside.effects)
    return Link(
        chance,
        {effect: float(chance) for effect, chance in zip(LEARNT, effects, strict=True)},
        _best(_spans(marked, beside.reading.message)),
        _best(_spans(marked, beside.reading.known)),
    )


def _spans(marked: Floats, places: Sequence[tuple[int, int, int]]) -> list[tuple[Span, float]]:
    """The spans of a text that are marked, each with how surely it begins."""
    found: list[tuple[Span, float]] = []
    at = 0
    while at < len(places):
        token, start, end = places[at]
        chance = float(marked[token, _VALUE])
        at += 1
        if chance < _LEAST:
            continue
        while at < len(places) and _goes_on(marked[places[at][0]], places[at][1] == end):
            end = places[at][2]
            at += 1
        found.append(((start, end), chance))
    return found


def _goes_on(marks: Floats, is_same_word: bool) -> bool:
    return is_same_word or int(np.argmax(marks)) == _VALUE + 1


def _best(spans: Sequence[tuple[Span, float]]) -> Span | None:
    return max(spans, key=lambda each: each[1])[0] if spans else None
