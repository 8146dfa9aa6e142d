"""So many requests and tokens a minute and no more: two buckets that refill steadily."""

from __future__ import annotations

from threading import Lock

from graph_memory.base.stopwatch import Watch

_MINUTE = 60.0


class Bucket:
    """Holds up to `capacity`, refilled in a minute. What is known only afterwards may overdraw it, by a minute at most."""

    def __init__(self, watch: Watch, capacity: float) -> None:
        self._watch = watch
        self.capacity = float(capacity)
        self._level = self.capacity
        self._at = watch.now()

    def wait_for(self, amount: float) -> float:
        """Seconds until so much is there; more than the bucket holds is there when it is full."""
        self._refill()
        missing = min(amount, self.capacity) - self._level
        return max(0.0, missing * _MINUTE / self.capacity)

    def take(self, amount: float) -> None:
        self._refill()
        self._level = max(-self.capacity, min(self.capacity, self._level - amount))

    def _refill(self) -> None:
        now = self._watch.now()
        self._level = min(self.capacity, self._level + (now - self._at) * self.capacity / _MINUTE)
        self._at = now


class Limiter:
    """Keeps to the limits of one provider, and to the pause that it asked for."""

    def __init__(self, watch: Watch, requests: int, tokens: int) -> None:
        self._watch = watch
        self._lock = Lock()
        self._requests = Bucket(watch, requests)
        self._tokens = Bucket(watch, tokens)
        self._paused_until = float("-inf")

    def enter(self, tokens: int) -> float:
        """0 when the call may go out now, and is counted; else the seconds after which to ask again."""
        with self._lock:
            wait = max(
                self._paused_until - self._watch.now(),
                self._requests.wait_for(1),
                self._tokens.wait_for(tokens),
            )
            if wait > 0:
                return wait
            self._requests.take(1)
            self._tokens.take(tokens)
            return 0.0

    def correct(self, tokens: int) -> None:
        """Takes what a call used beyond what was counted for it; gives back when negative."""
        with self._lock:
            self._tokens.take(tokens)

    def pause(self, seconds: float) -> None:
        """Lets nothing through for so long."""
        with self._lock:
            self._paused_until = max(self._paused_until, self._watch.now() + seconds)
