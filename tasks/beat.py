"""The beat's scheduler: keeps nothing on disk, and goes on when the clock is set back.

Slots in Neo4j decide what is due, so a schedule that is lost, or two beats at once, do no harm.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Any

from celery.beat import Scheduler

from graph_memory.jobs.heartbeat import Pulse

log = logging.getLogger(__name__)

_SET_BACK_SECONDS = 2.0


class SteadyScheduler(Scheduler):  # type: ignore[misc]
    """Sends every entry at start, and again when wall time has fallen behind steady time.

    Entries remember when they were last sent by wall time; set back an hour, they would be silent for an
    hour.
    """

    _offset: float
    _pulse: Pulse | None = None

    def setup_schedule(self) -> None:
        super().setup_schedule()
        self._offset = _wall_offset()
        self._make_due()

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Sends what is due; answers the seconds until the next time."""
        offset = _wall_offset()
        if offset < self._offset - _SET_BACK_SECONDS:
            log.warning("clock_set_back", extra={"seconds": round(self._offset - offset, 1)})
            self._make_due()
        self._offset = offset
        wait = float(super().tick(*args, **kwargs))
        if self._pulse is None:
            self._pulse = Pulse(str(self.app.conf.broker_url))
        self._pulse.give()
        return wait

    def close(self) -> None:
        super().close()
        if self._pulse is not None:
            self._pulse.stop()

    def _make_due(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = entry.default_now() - timedelta(
                seconds=entry.schedule.run_every.total_seconds()
            )
        self._heap = None


def _wall_offset() -> float:
    return time.time() - time.monotonic()
