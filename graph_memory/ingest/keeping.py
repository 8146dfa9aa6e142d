"""Which of the new statements of a message become memories, by what they tell somebody who reads them alone.

Praise, thanks and remarks tell nothing and are left out; so are questions, unless they surely tell something too. A statement
that leaves a part open stays with the one before it where both together leave less open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.ingest.rules import MAX_LENGTH
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import Told
from graph_memory.ingest.when import When
from graph_memory.judge.worth import COMPLETE, Worth, opened
from graph_memory.language.coverage import is_readable
from graph_memory.language.sentences import asks

# What ends as a question tells something beside it from this chance on.
ASKED = 0.5
# By so much more it must be told by both together.
GAINED = 0.2


def kept(told: Sequence[Told], states_surely: bool, settings: LinkerSettings) -> list[Told]:
    """The statements of a message that are kept, in their order.

    `states_surely` tells that the message states something in the talk around it: then the statement that tells most is kept
    whatever it tells alone. What is about a known memory is kept, and so is what is not English, which the model cannot read.
    """
    found = _together(told, settings)
    tell = [each for each in found if each.verdict or each.told_in or _tells(each.statement.text, settings)]
    if tell or not found or not states_surely:
        return tell
    return [max(found, key=lambda each: _worth(each.statement.text).tells)]


def _tells(text: str, settings: LinkerSettings) -> bool:
    least = max(settings.worth, ASKED) if asks(text) else settings.worth
    return not is_readable(text) or _worth(text).tells >= least


def _worth(text: str) -> Worth:
    return opened().read(text)


def _together(told: Sequence[Told], settings: LinkerSettings) -> list[Told]:
    found: list[Told] = []
    for each in told:
        both = _both(found[-1], each, settings) if found else None
        if both:
            found[-1] = both
        else:
            found.append(each)
    return found


def _both(one: Told, other: Told, settings: LinkerSettings) -> Told | None:
    """Both as one statement; None where each stands for itself, or where both are about a time."""
    text = f"{one.statement.text} {other.statement.text}"
    is_new = one.verdict is None and other.verdict is None and not (one.told_in or other.told_in)
    if not is_new or (_is_timed(one) and _is_timed(other)) or len(text) > MAX_LENGTH or not is_readable(text):
        return None
    alone = _worth(other.statement.text)
    if alone.tells < settings.worth or alone.complete >= COMPLETE:
        return None
    if _worth(text).complete < max(COMPLETE, alone.complete + GAINED):
        return None
    timed = other if _is_timed(other) else one
    statement = replace(timed.statement, text=text, kind=one.statement.kind)
    return replace(timed, statement=statement, tells_more=one.tells_more or other.tells_more)


def _is_timed(told: Told) -> bool:
    statement = told.statement
    return told.when != When() or bool(told.valid_from or statement.happens_at or statement.expires_at)
