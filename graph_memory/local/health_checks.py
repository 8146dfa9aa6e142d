"""Asks a part how it is, in a thread of its own, so that nobody has to wait for an answer.

Whatever goes wrong while asking is an answer too: the part is not well, for this reason.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Thread

import psutil

from graph_memory.local.parts import Part, Unasked
from graph_memory.settings import Settings

# Longer than any check takes that works as it should.
LIMIT = 30.0


@dataclass(frozen=True)
class Answer:
    """Why a part is not well, None when it is. `is_silence` is False when the reason lies outside the part."""

    reason: str | None
    is_silence: bool = False


class Question:
    """Asked when it is made; the answer comes later, at the latest after LIMIT seconds."""

    def __init__(self, part: Part, settings: Settings, pid: int) -> None:
        self._part = part
        self._settings = settings
        self._pid = pid
        self._begun = time.monotonic()
        self._answer: Answer | None = None
        Thread(target=self._ask, name=f"ask {part.name}", daemon=True).start()

    @property
    def answer(self) -> Answer | None:
        """None as long as there is none."""
        if self._answer is None and time.monotonic() - self._begun > LIMIT:
            return Answer(f"asking it how it is takes longer than {LIMIT:.0f} s", is_silence=True)
        return self._answer

    def _ask(self) -> None:
        self._answer = _answer(self._part, self._settings, self._pid)


def _answer(part: Part, settings: Settings, pid: int) -> Answer:
    try:
        # Some checks do not see this: an idle process of a worker is not missed until work comes.
        stopped = ", ".join(str(each) for each in _stopped(pid))
        reason = f"stopped by a signal: process {stopped}" if stopped else part.answers(settings, pid)
    except Unasked as elsewhere:
        return Answer(str(elsewhere))
    except Exception as error:  # noqa: BLE001 - nothing that a check meets may end whoever asks
        return Answer(f"asking it how it is failed ({type(error).__name__}: {error})", is_silence=True)
    return Answer(reason, is_silence=reason is not None)


def _stopped(pid: int) -> Iterator[int]:
    """The processes of a part that are alive and stand still."""
    main = psutil.Process(pid)
    for each in (main, *main.children(recursive=True)):
        try:
            if each.status() == psutil.STATUS_STOPPED:
                yield each.pid
        except psutil.NoSuchProcess:
            continue
