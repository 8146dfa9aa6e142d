"""`bench time`: random timelines, and questions on random points of both axes, against the model of the two axes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.moments import Moment
from graph_memory.bench.beliefs import MILLISECOND
from graph_memory.bench.measuring import throwaway
from graph_memory.bench.timelines import Differs, Given, Timeline
from graph_memory.store.service import Service

QUESTIONS = 2_000
TIMELINES = 8
STEPS = 45
SHOWN = 10

DAY = timedelta(days=1)
SUBJECTS = ("works at", "lives in", "drives", "plays", "reads")
OBJECTS = ("Acme", "Ghent", "Lille", "Porto", "Oslo", "Turin")
TAGS = ((), ("home",), ("home", "work"), ("work",))


def bench_time(service: Service, seed: int, told: Callable[[str], None]) -> dict[str, Any]:
    """The figures of `bench time`; see the keys in design section 14."""
    source, begun = random.Random(seed), time.perf_counter()
    mismatches, examples, asked, steps, states = 0, list[dict[str, Any]](), 0, 0, 0
    for number in range(TIMELINES):
        with throwaway(service, "time") as tenant:
            timeline = Timeline(service, tenant)
            found = _play(timeline, source)
            answered = 0 if found else QUESTIONS // TIMELINES
            for _ in range(answered):
                found += _differs(lambda: ask(timeline, source))  # noqa: B023 - called at once
            mismatches += len(found)
            examples += [{"timeline": number, "mismatch": text, "log": timeline.log} for text in found]
            asked += answered
            steps += len(timeline.log)
            states += sum(map(len, timeline.beliefs.states.values()))
        told(f"timeline {number + 1} of {TIMELINES}: {asked} questions, {mismatches} mismatches")
    return {
        "seed": seed,
        "questions": asked,
        "mismatches": mismatches,
        "timelines": TIMELINES,
        "operations": steps,
        "states": states,
        "seconds": round(time.perf_counter() - begun, 1),
        "examples": examples[:SHOWN],
    }


def _play(timeline: Timeline, source: random.Random) -> list[str]:
    """Leads store and model through random operations; what they disagreed on ends it."""
    timeline.add([_given(timeline, source) for _ in range(4)])
    for _ in range(STEPS):
        timeline.clock.forward(source.choice((0, 0, 1, 1, 2, 5)) * DAY)
        operation = source.choices(list(OPERATIONS), list(OPERATIONS.values()))[0]
        if found := _differs(lambda: operation(timeline, source)):  # noqa: B023 - called at once
            return found
    return []


def _differs(does: Callable[[], object]) -> list[str]:
    try:
        does()
    except Differs as difference:
        return [str(difference)]
    return []


def _add(timeline: Timeline, source: random.Random) -> None:
    timeline.add([_given(timeline, source) for _ in range(source.choice((1, 1, 3)))])


def _supersede(timeline: Timeline, source: random.Random) -> None:
    old = source.choice(timeline.known)
    timeline.supersede(old, _given(timeline, source, old))


def _supersede_by_existing(timeline: Timeline, source: random.Random) -> None:
    old, new = source.choice(timeline.known), source.choice(timeline.known)
    timeline.supersede(old, new, source.choice((None, _start(timeline, source, old))))


def _revise(timeline: Timeline, source: random.Random) -> None:
    name = source.choice(timeline.known)
    words, expires = (
        source.choice((None, _words(source))),
        source.choice((None, None, _day(timeline, source))),
    )
    timeline.revise(name, words, source.choice(TAGS), expires)


def _expire(timeline: Timeline, source: random.Random) -> None:
    timeline.expire(source.choice(timeline.known), source.choice((None, _day(timeline, source))))


def _move(timeline: Timeline, source: random.Random) -> None:
    names = source.sample(timeline.known, min(len(timeline.known), source.choice((1, 1, 2))))
    operation = source.choice(("ARCHIVE", "RESTORE", "RESTORE", "DELETE"))
    timeline.move(operation, names, cascade=operation == "RESTORE" and source.random() < 0.5)


def _merge(timeline: Timeline, source: random.Random) -> None:
    timeline.merge(source.choice(timeline.known), source.choice(timeline.known))


def _undo(timeline: Timeline, source: random.Random) -> None:
    changes = timeline.beliefs.changes
    latest = changes[-source.choice((3, 8, len(changes))) :]
    numbers = {source.choice(latest).number for _ in range(source.choice((1, 1, 2)))}
    timeline.undo(numbers, cascade=source.random() < 0.4)


def _repeat(timeline: Timeline, source: random.Random) -> None:  # noqa: ARG001 - one of the operations
    timeline.repeat()


OPERATIONS: Mapping[Callable[[Timeline, random.Random], None], int] = {
    _add: 3,
    _supersede: 8,
    _supersede_by_existing: 2,
    _revise: 3,
    _expire: 2,
    _move: 4,
    _merge: 2,
    _undo: 5,
    _repeat: 1,
}


def ask(timeline: Timeline, source: random.Random) -> None:
    """One question on a random point, often exactly on a boundary."""
    name, moment = source.choice(timeline.known), _moment(timeline, source)
    kind = source.choices(("version", "get", "browse", "history"), (10, 6, 3, 1))[0]
    if kind == "history":
        timeline.history(name)
    elif kind == "browse":
        timeline.browse(moment)
    else:
        getattr(timeline, kind)(name, moment)


def _moment(timeline: Timeline, source: random.Random) -> Moment:
    states = [state for states in timeline.beliefs.states.values() for state in states]
    ends = {end for state in states for end in (state.valid_from, state.valid_to, state.expires_at)}
    valid = {end for end in ends if end < FOREVER}
    recorded = {end for state in states for end in (state.recorded_from, state.recorded_to) if end < FOREVER}
    return Moment(_near(valid, timeline, source), _near(recorded, timeline, source))


def _near(boundaries: set[datetime], timeline: Timeline, source: random.Random) -> datetime | None:
    """Now, a boundary, the moment before or after one, or any time."""
    ordered = sorted(boundaries)
    any_time = ordered[0] - DAY + source.random() * (timeline.clock.now + 20 * DAY - ordered[0])
    any_time = any_time.replace(microsecond=any_time.microsecond // 1000 * 1000)
    near = source.choice(ordered) + source.choice((-MILLISECOND, timedelta(0), timedelta(0), MILLISECOND))
    return source.choice((None, any_time, near, near, near))


def _given(timeline: Timeline, source: random.Random, old: str | None = None) -> Given:
    begins = source.choice((None, _start(timeline, source, old)))
    start = begins or timeline.clock.now
    ends = source.choice((None, None, None, start + source.randint(1, 15) * DAY))
    expires = source.choice((None, None, None, start + source.randint(1, 48) * DAY))
    return Given(_words(source), begins, ends, expires)


def _start(timeline: Timeline, source: random.Random, old: str | None) -> datetime:
    """Any day around now or, for a chain, sometimes exactly where one of its versions begins."""
    if old and source.random() < 0.3:
        return timeline.beliefs.now(source.choice(timeline.beliefs.chain(old))).valid_from
    return _day(timeline, source)


def _day(timeline: Timeline, source: random.Random) -> datetime:
    return timeline.clock.now + source.randint(-40, 8) * DAY


def _words(source: random.Random) -> str:
    words = f"Ann {source.choice(SUBJECTS)} {source.choice(OBJECTS)}."
    return words.upper() if source.random() < 0.1 else words
