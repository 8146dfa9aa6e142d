"""The earning policy by the numbers of its sources. Days are calendar days here, so that a date says the age."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.scoring import earning
from graph_memory.scoring.columns import now_of, single
from graph_memory.scoring.scores import scores
from graph_memory.scoring.settings import DecaySettings, EarningSettings
from graph_memory.scoring.terms import Facts, Policy
from graph_memory.settings import Settings

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
CALENDAR = Settings(decay=DecaySettings(clock="calendar"))
BARE = Settings(decay=DecaySettings(clock="calendar"), earning=EarningSettings(newness=0.0))
EARNING = EarningSettings()


def aged(age: float, idle: float | None = None, **values: object) -> Facts:
    used = None if idle is None else NOW - timedelta(days=idle)
    return Facts(created_at=NOW - timedelta(days=age), last_accessed_at=used, **values)  # type: ignore[arg-type]


def importance(facts: Facts, at: datetime, settings: Settings) -> float:
    return float(earning.importance(now_of([facts], at, settings))[0])


def parts(facts: Facts, at: datetime, settings: Settings) -> dict[str, float]:
    return single(earning.parts(now_of([facts], at, settings)))


def hub(*links: int) -> list[float]:
    return list(earning.hub(np.array(links, dtype=float), EARNING))


def event(ahead: float, settings: EarningSettings = EARNING) -> float:
    return float(earning.event(np.array([ahead]), settings)[0])


def stored(facts: Facts, settings: Settings = BARE) -> float:
    return scores(facts, NOW, settings, Policy.EARNING).importance


def test_case_19_a_new_memory_without_grace() -> None:
    assert stored(aged(0)) == 0.119


@pytest.mark.parametrize(("age", "expected"), [(0, 0.5), (7, 0.247), (15, 0.12), (16, 0.119)])
def test_case_19_a_new_memory_has_its_grace(age: float, expected: float) -> None:
    assert stored(aged(age), CALENDAR) == expected


def test_case_19_with_the_slower_recency(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EarningSettings, "recency_rate", 0.015)
    assert stored(aged(7), CALENDAR) == 0.263


@pytest.mark.parametrize(
    ("accesses", "age", "idle", "expected"), [(1, 0, 0, 0.42), (5, 7, 0, 0.707), (10, 30, 0, 0.574), (10, 20, 20, 0.299), (10, 60, 60, 0.129)]
)  # fmt: skip
def test_cases_20_to_22_accesses_earn_and_idleness_loses(
    accesses: int, age: float, idle: float, expected: float
) -> None:
    assert stored(aged(age, idle, access_count=accesses)) == expected


def test_cases_21_and_22_momentum() -> None:
    assert parts(aged(20, 20, access_count=10), NOW, BARE)["effective"] == pytest.approx(3.585, abs=5e-4)
    assert pytest.approx(0.046, abs=5e-4) == 0.95**60


@pytest.mark.parametrize(
    ("links", "expected"), [(0, 0), (1, 0.04), (5, 0.2), (10, 0.4), (11, 0.419), (20, 0.5333), (30, 0.6), (110, 0.7333)]
)  # fmt: skip
def test_case_23_hubs(links: int, expected: float) -> None:
    assert hub(links) == [pytest.approx(expected, abs=5e-5)]


@given(st.integers(0, 100_000))
def test_case_23_each_link_adds_and_all_stay_below(links: int) -> None:
    one, more = hub(links, links + 1)
    assert one < more < 0.8


@pytest.mark.parametrize(
    ("happens", "expected"), [(0.5, 0.828), (3, 0.664), (10, 0.536), (20, 0.447), (-30, 0.139)]
)
def test_case_24_the_factors_of_an_event(happens: float, expected: float) -> None:
    facts = aged(30, 0, access_count=5, happens_at=NOW + timedelta(days=happens))
    assert stored(facts) == expected


@pytest.mark.parametrize(
    ("ahead", "expected"),
    [(0.5, 2.0), (1, 2.0), (3, 1.5), (7, 1.5), (10, 1.2), (14, 1.2), (20, 1.0), (0, 0.8), (-7, 0.45), (-14, 0.1), (-30, 0.1)],
)  # fmt: skip
def test_case_25_before_and_after_an_event(ahead: float, expected: float) -> None:
    assert event(ahead) == pytest.approx(expected)


def test_what_tells_of_no_time_is_neither_more_nor_less() -> None:
    assert event(float("nan")) == 1.0


def test_x30_the_legacy_start_can_be_chosen() -> None:
    assert event(0, EarningSettings(past_start=0.9)) == 0.9


def test_case_26_expired_is_nothing_and_grace_trails_off() -> None:
    assert stored(aged(0, expires_at=NOW - timedelta(seconds=1), access_count=50)) == 0.0
    gracious = Settings(decay=DecaySettings(expiry_grace_days=5.0))
    assert parts(aged(0, expires_at=NOW - timedelta(days=2.5)), NOW, gracious)["expiry"] == 0.5
    assert parts(aged(0, expires_at=NOW - timedelta(days=5)), NOW, gracious)["expiry"] == 0.0


def test_case_27_recency() -> None:
    assert parts(aged(33, 33), NOW, BARE)["recency"] == pytest.approx(0.5025, abs=5e-5)


def test_case_28_a_holiday_does_not_age() -> None:
    usual = Settings()
    facts = Facts(created_at=NOW, activity_days=40, created_day=30, accessed_day=35, access_count=3)
    later = NOW + timedelta(days=14)
    assert importance(facts, NOW, usual) == importance(facts, later, usual)
    assert importance(replace(facts, activity_days=41), later, usual) < importance(facts, later, usual)


@given(st.floats(0, 1), st.floats(0, 300))
def test_case_33_a_first_access_never_lowers_below_the_start(base: float, age: float) -> None:
    start = max(stored(aged(0, base_importance=base), CALENDAR), 0.0)
    fresh = aged(0, 0, base_importance=base, access_count=1)
    assert stored(fresh, CALENDAR) >= start
    assert start == pytest.approx(min(max(base, 0.119), 0.999), abs=1e-3)
    used = aged(age, 0, base_importance=base, access_count=1)
    assert stored(used, CALENDAR) >= stored(aged(age, base_importance=base), CALENDAR)


def test_a_critical_memory_keeps_its_floor_until_it_expires() -> None:
    """X28."""
    facts = aged(900, critical=True)
    assert stored(facts) == 0.9
    gone = replace(facts, expires_at=NOW - timedelta(days=1))
    assert stored(gone) == 0.0
    stubborn = Settings(decay=DecaySettings(critical_overrides_expiry=True))
    assert stored(gone, stubborn) == 0.9


@given(
    st.floats(0, 3000),
    st.none() | st.floats(0, 3000),
    st.integers(0, 10_000),
    st.floats(0, 1),
    st.integers(0, 500),
)
def test_case_35_always_between_0_and_1_with_three_decimals(
    age: float, idle: float | None, accesses: int, base: float, links: int
) -> None:
    found = stored(aged(age, idle, access_count=accesses, base_importance=base, hub_links=links), CALENDAR)
    assert 0 <= found <= 1
    assert found == round(found, 3)


@given(st.floats(0, 400), st.integers(0, 50), st.floats(0, 1), st.floats(0, 400))
def test_without_use_it_never_rises(age: float, accesses: int, base: float, later: float) -> None:
    facts = aged(age, access_count=accesses, base_importance=base)
    then = importance(facts, NOW + timedelta(days=later), CALENDAR)
    assert then <= importance(facts, NOW, CALENDAR) + 1e-12
