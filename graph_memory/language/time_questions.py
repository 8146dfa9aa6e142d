"""Questions that ask how things stood at a past time: "Where did Ana work last spring?".

Only those about a state are read so: what somebody did last spring was told later, what was so last spring held then.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

from graph_memory.language import sentences
from graph_memory.language.english import PARTICIPLES, words_of
from graph_memory.language.stems import stem
from graph_memory.language.texts import normalised
from graph_memory.language.times.resolver import Means, resolve

_ASKS = words_of("who whose what which where how was were did")
# Verbs of a state, which last: their forms are told by the stem.
_STATES = frozenset(
    map(
        stem,
        words_of(
            "live stay reside work own cost earn weigh belong drive use study rent pay like love prefer hate need"
        ),
    )
)
# What is asked of a few days is mostly what happened in them; so is what was in a month, as "what was her big moment in may".
_LONG, _LONGEST = timedelta(days=28), timedelta(days=80)
_EVENTS = PARTICIPLES | {"born"}


@dataclass(frozen=True)
class AsOf:
    """The moment at which a question is to be answered, and the words that tell it."""

    as_of: datetime
    phrase: str


def as_of_question(question: str, asked_at: datetime, zone: tzinfo) -> AsOf | None:
    """For a question how things stood at one past time ("Where did I live in May 2023?"), the middle of that time; else None."""
    words = sentences.words(normalised(question))
    if not words or words[0] not in _ASKS or not _asks_for_a_state(words):
        return None
    times = resolve(question, asked_at, zone, way=-1)
    if len(times) != 1 or times[0].means not in (Means.AT, Means.BETWEEN):
        return None
    begins, ends = times[0].begins, times[0].ends
    if (
        not begins
        or not ends
        or ends > asked_at
        or ends - begins < (_LONGEST if words[0] == "what" else _LONG)
    ):
        return None
    return AsOf(begins + (ends - begins) / 2, times[0].span.text)


def _asks_for_a_state(words: list[str]) -> bool:
    if "did" in words:
        told = words[words.index("did") :]
        return any(stem(word) in _STATES and before != "to" for before, word in pairwise(told))
    was = next((at for at, word in enumerate(words) if word in ("was", "were")), None)
    if was is None:
        return False
    return not any(
        word in _EVENTS or (word.endswith(("ing", "ed")) and stem(word) not in _STATES)
        for word in words[was + 1 :]
    )
