"""What calls of language models took: a `Spend` for each tenant, day, provider, model and purpose, and the daily cap.

Counts of one question are written together. When the store does not take them, they wait and go with the next.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING

from graph_memory.base.errors import GraphMemoryError, Invalid
from graph_memory.base.stopwatch import SystemWatch, Watch
from graph_memory.models.settings import ProvidersSettings
from graph_memory.store.queries import query

if TYPE_CHECKING:
    from graph_memory.base.scope import Scope
    from graph_memory.store.service import Row, Service

# Share of the cap from which the log and `spend` warn.
_NEAR = 0.8
log = logging.getLogger(__name__)

NOTE = query("providers/note")
TOTAL = query("providers/total")
SPENT = query("providers/spent")

_KNOWN_FOR = 60.0
_MOST_WAITING = 1000
_MILLION = 1_000_000
# What providers take off for batches.
BATCH_SHARE = 0.5


@dataclass(frozen=True)
class Calls:
    """Calls of one kind. `left_out` names settings that the model does not take."""

    provider: str
    model: str
    purpose: str
    calls: int = 1
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    left_out: tuple[str, ...] = ()
    is_batch: bool = False


@dataclass(frozen=True)
class Spend:
    """What one day took. `cost` is in US dollars; `unpriced` counts the calls of models without a price, counted as free."""

    day: datetime
    provider: str
    model: str
    purpose: str
    calls: int
    failures: int
    tokens_in: int
    tokens_out: int
    cost: float
    unpriced: int
    left_out: tuple[str, ...]


@dataclass
class _Total:
    day: datetime
    cost: float
    at: float
    warned: bool = False


class Spending:
    """The day's costs of each tenant, known for a minute at most, and what still waits to be written."""

    def __init__(self, watch: Watch | None = None) -> None:
        self._watch = watch or SystemWatch()
        self._lock = Lock()
        self._totals: dict[str, _Total] = {}
        self._waiting: dict[str, list[Row]] = {}

    def today(self, service: Service, scope: Scope) -> float:
        """US dollars that the tenant's calls have cost today (UTC), as of the last minute."""
        day = day_of(service.clock())
        known = self._totals.get(scope.tenant)
        if known is None or known.day != day or self._watch.now() - known.at > _KNOWN_FOR:
            cost = float(service.read(scope, TOTAL, day=day)[0]["cost"])
            with self._lock:
                warned = known is not None and known.day == day and known.warned
                known = self._totals[scope.tenant] = _Total(day, cost, self._watch.now(), warned)
        return known.cost

    def is_capped(self, service: Service, scope: Scope, model: str) -> bool:
        """Whether the tenant may not ask this model again today. A model without a price is never capped."""
        bounds = service.settings[ProvidersSettings]
        return any(price_of(bounds, model) or ()) and self.today(service, scope) >= bounds.daily_cap

    def note(self, service: Service, scope: Scope, calls: Iterable[Calls]) -> None:
        """Counts calls, in one write; never fails the work."""
        day, bounds = day_of(service.clock()), service.settings[ProvidersSettings]
        with self._lock:
            rows = [*self._waiting.pop(scope.tenant, []), *(_row(each, day, bounds) for each in calls)]
        if not rows:
            return
        try:
            found = service.write(scope, lambda tx: tx.run(NOTE, rows=rows, day=day, now=service.clock()))
        except Exception as error:  # noqa: BLE001 - counting must not lose an answer that was paid for
            code = error.code if isinstance(error, GraphMemoryError) else type(error).__name__
            log.warning("spend_not_noted", extra={"rows": len(rows), "code": code})
            with self._lock:
                self._waiting.setdefault(scope.tenant, []).extend(rows[:_MOST_WAITING])
            return
        self._know(scope, day, float(found[0]["cost"]), bounds)

    def _know(self, scope: Scope, day: datetime, cost: float, bounds: ProvidersSettings) -> None:
        with self._lock:
            known = self._totals.get(scope.tenant)
            warned = known is not None and known.day == day and known.warned
            is_high = bounds.daily_cap > 0 and cost >= _NEAR * bounds.daily_cap
            self._totals[scope.tenant] = _Total(day, cost, self._watch.now(), warned or is_high)
        if is_high and not warned:
            log.warning(
                "spend_near_cap",
                extra={"tenant": scope.tenant, "cost": round(cost, 4), "cap": bounds.daily_cap},
            )


class CapLevel(StrEnum):
    """How the day's cost stands to its cap."""

    BELOW = "below"
    NEAR = "near"
    REACHED = "reached"


@dataclass(frozen=True)
class CapState:
    """Today's cost beside its cap, in US dollars."""

    today: float
    cap: float
    state: CapLevel


def cap_state(service: Service, scope: Scope) -> CapState:
    """How the tenant's cost of today stands to the cap."""
    bounds = service.settings[ProvidersSettings]
    today = service.providers.spending.today(service, scope)
    is_near = today >= _NEAR * bounds.daily_cap
    below = CapLevel.NEAR if is_near else CapLevel.BELOW
    state = CapLevel.REACHED if today >= bounds.daily_cap else below
    return CapState(today, bounds.daily_cap, state)


def spent(service: Service, scope: Scope, start: datetime, end: datetime) -> list[Spend]:
    """What the tenant's calls took from the day of `start` to before `end`, newest day first.

    Raises Invalid when it ends before it begins.
    """
    if end < start:
        raise Invalid(
            f"from is {start:%Y-%m-%d %H:%M}, which is later than to, {end:%Y-%m-%d %H:%M}; swap them.",
            path="from",
        )
    rows = service.read(scope, SPENT, start=day_of(start), end=end)
    return [Spend(**{**row["spend"], "left_out": tuple(row["spend"]["left_out"])}) for row in rows]


def day_of(at: datetime) -> datetime:
    """The beginning of its day, in UTC."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def price_of(bounds: ProvidersSettings, model: str) -> tuple[float, float] | None:
    """US dollars for a million tokens in and out, by the longest name that the model's begins with; None if unknown."""
    prices: Mapping[str, tuple[float, float]] = bounds.prices
    names: Sequence[str] = sorted((name for name in prices if model.startswith(name)), key=len)
    return prices[names[-1]] if names else None


def _row(calls: Calls, day: datetime, bounds: ProvidersSettings) -> Row:
    price = price_of(bounds, calls.model)
    each_in, each_out = price or (0.0, 0.0)
    cost = (calls.tokens_in * each_in + calls.tokens_out * each_out) / _MILLION
    return {
        "day": day,
        "provider": calls.provider,
        "model": calls.model,
        "purpose": calls.purpose,
        "calls": calls.calls,
        "failures": calls.failures,
        "tokens_in": calls.tokens_in,
        "tokens_out": calls.tokens_out,
        "cost": cost * (BATCH_SHARE if calls.is_batch else 1.0),
        "unpriced": 0 if price else calls.calls,
        "left_out": list(calls.left_out),
    }
