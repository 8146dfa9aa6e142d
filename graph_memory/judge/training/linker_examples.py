"""What the linker learns from: each message of a stream beside the statements that held then, and pairs of statements."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from graph_memory.judge.linker_input import NOBODY, Known, Utterance
from graph_memory.judge.training.attribute_values import Among, Attributes
from graph_memory.judge.training.streams import Line, Place, Said, Stream

PAIRS = Path(__file__).with_name("pairs.jsonl")
# How long a sitting lasts without a word, and how much of it stands before a message.
PAUSE = timedelta(hours=3)
CONTEXT = 4

# What a message is: what it states is to be kept, in one of four moods, or nothing is.
ACTS = ("asserted", "planned", "wished", "conditional", "asked", "joked", "chatter")
LINKS = ("repeats", "adds", "changes", "corrects", "ends", "disputes")
# A message is read beside so many that are likest to it, and those said last.
NEAREST, LATEST = 8, 4
# What is known is now and then read in the words in which it was said.
_AS_SAID = 0.4
# How long ago what is known may have been said.
_HOURS = (0.1, 5, 30, 100, 400, 2000)


@dataclass(frozen=True)
class Candidate:
    """A statement that holds, the value in it, the message that stated it, and where it stands in the stream."""

    place: Place
    statement: str
    value: str
    line: Line

    @property
    def raw(self) -> str:
        return self.line.text


@dataclass(frozen=True)
class Situation:
    """A message with all that held when it came; `links` are the outcomes by candidate."""

    stream: Stream
    number: int
    utterance: Utterance
    line: Line
    open: tuple[Candidate, ...]
    links: dict[Place, Said]


@dataclass
class Example:
    """One input and what is to be learnt of it. None and empty where nothing is."""

    utterance: Utterance
    known: Known | None
    is_linked: bool | None = None
    outcomes: tuple[str, ...] = ()
    act: str | None = None
    is_new: bool | None = None
    values: list[tuple[int, int]] = field(default_factory=list)
    times: list[tuple[int, int]] = field(default_factory=list)
    old_values: list[tuple[int, int]] = field(default_factory=list)
    has_spans: bool = False


def situations(stream: Stream) -> Iterator[Situation]:
    """Each message of a stream in its order. What was repeated holds as it was said first; what ended holds no more."""
    held: dict[Place, Candidate] = {}
    # Where a later message points to what now stands for the one it names.
    stands: dict[Place, Place] = {}
    for number, line in enumerate(stream.lines, 1):
        before = stream.lines[max(0, number - 1 - CONTEXT) : number - 1]
        said_before = tuple((each.speaker, each.text) for each in sitting(before, line))
        utterance = Utterance(line.speaker, line.text, said_before)
        links = {}
        for said in line.said:
            if said.link is not None and (place := stands.get(said.link, said.link)) in held:
                links[place] = said
        yield Situation(stream, number, utterance, line, tuple(held.values()), links)
        for index, said in enumerate(line.said, 1):
            mine = (number, index)
            old = stands.get(said.link, said.link) if said.link else None
            if said.outcome == "repeats" and old in held:
                stands[mine] = old
                continue
            if said.outcome in ("changes", "corrects", "ends"):
                held.pop(old, None)  # type: ignore[arg-type]
            held[mine] = Candidate(mine, said.statement, said.value, line)


def known_of(situation: Situation, candidate: Candidate, as_said: bool) -> Known:
    text = candidate.raw if as_said else candidate.statement
    return Known(text, candidate.line.speaker, situation.line.at - candidate.line.at)


def alone(situation: Situation) -> Example:
    """The message by itself: what it is, whether it says something new, and where its values and times stand."""
    line = situation.line
    example = Example(situation.utterance, None, has_spans=True)
    example.act = line.said[0].mood if line.said else _skipped(line)
    example.is_new = any(said.outcome == "new" for said in line.said)
    for said in line.said:
        example.values += _found(line.text, said.value)
        for span, _ in said.times:
            example.times += _found(line.text, span)
    return example


def beside(situation: Situation, candidate: Candidate, as_said: bool) -> Example:
    """The message beside something that held."""
    known = known_of(situation, candidate, as_said)
    said = situation.links.get(candidate.place)
    example = Example(situation.utterance, known, is_linked=said is not None)
    if said is None:
        return example
    example.outcomes = (said.outcome,)
    old = _found(known.text, candidate.value)
    new = _found(situation.line.text, said.value)
    if old and new and said.outcome in ("changes", "corrects", "disputes"):
        example.values, example.old_values, example.has_spans = new, old, True
    return example


def sampled(situation: Situation, likeness: Sequence[float], rng: random.Random, most: int) -> list[Example]:
    """The message by itself, beside what it is about, and beside up to `most` of the others that it would be read beside."""
    held = range(len(situation.open))
    near = sorted(held, key=lambda each: -likeness[each])[:NEAREST]
    others = [
        situation.open[each]
        for each in sorted({*near, *held[-LATEST:]})
        if situation.open[each].place not in situation.links
    ]
    chosen = rng.sample(others, min(most if situation.line.said else most // 3, len(others)))
    right = [candidate for candidate in situation.open if candidate.place in situation.links]
    return [
        alone(situation),
        *(beside(situation, each, rng.random() < _AS_SAID) for each in (*right, *chosen)),
    ]


def among(attributes: Attributes, rng: random.Random, count: int) -> list[list[Example]]:
    """Statements of attributes among others that are known, as messages: each by itself and beside all of them."""
    return [_of_attribute(each, rng, rng.choice(attributes.people)) for each in attributes.among(rng, count)]


def _of_attribute(given: Among, rng: random.Random, person: str) -> list[Example]:
    speaker = rng.choice((NOBODY, person))
    said = Utterance(speaker, given.said)
    by_itself = Example(said, None, act="asserted", is_new=given.about is None)
    ages = sorted((timedelta(hours=rng.choice(_HOURS)) for _ in given.known), reverse=True)
    return [
        by_itself,
        *(
            Example(
                said,
                Known(text, speaker, age),
                place == given.about,
                given.outcomes if place == given.about else (),
            )
            for place, (text, age) in enumerate(zip(given.known, ages, strict=True))
        ),
    ]


def sitting(before: Sequence[Line], line: Line) -> list[Line]:
    """Those of the messages before one that were said in the same sitting."""
    kept: list[Line] = []
    latest: datetime = line.at
    for each in reversed(before):
        if latest - each.at > PAUSE:
            break
        kept.insert(0, each)
        latest = each.at
    return kept


def _skipped(line: Line) -> str:
    return line.skipped if line.skipped in ("asked", "joked") else "chatter"


def _found(text: str, span: str) -> list[tuple[int, int]]:
    at = text.casefold().find(span.casefold()) if span else -1
    return [(at, at + len(span))] if at >= 0 else []
