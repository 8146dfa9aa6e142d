"""The linear policy by the numbers of its sources."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.scoring import linear
from graph_memory.scoring.columns import now_of
from graph_memory.scoring.settings import DecaySettings
from graph_memory.scoring.terms import Facts
from graph_memory.settings import Settings

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
DECAY = Settings()

ages = st.floats(0, 3000).map(lambda days: NOW - timedelta(days=days))
facts = st.builds(
    Facts,
    created_at=ages,
    last_accessed_at=st.none() | ages,
    base_importance=st.floats(0, 1),
    access_count=st.integers(0, 1000),
    confidence=st.floats(0, 1),
    critical=st.booleans(),
    feedback=st.floats(-1, 1),
)


def importance(facts: Facts, at: datetime, settings: Settings) -> float:
    """Before it decays."""
    now = now_of([facts], at, settings)
    return float(linear.before_decay(now, linear.parts(now))[0])


def score(facts: Facts, at: datetime, settings: Settings) -> float:
    return float(linear.importance(now_of([facts], at, settings))[0])


def aged(days: float, **values: object) -> Facts:
    return Facts(created_at=NOW - timedelta(days=days), **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("base", "accesses", "expected"), [(0.5, 0, 0.55), (0.5, 100, 0.85), (1.0, 100, 1.0), (0.5, 250, 0.85)]
)
def test_case_47_base_and_accesses_make_the_importance(base: float, accesses: int, expected: float) -> None:
    assert importance(aged(0, base_importance=base, access_count=accesses), NOW, DECAY) == pytest.approx(
        expected
    )


def test_case_48_tau_is_no_half_life() -> None:
    assert importance(aged(30), NOW, DECAY) == pytest.approx(0.15 + 0.2 * math.exp(-1) + 0.2, abs=1e-12)
    assert round(importance(aged(30), NOW, DECAY), 4) == 0.4236


def test_case_49_a_critical_memory_keeps_its_floor_and_does_not_decay() -> None:
    nothing = aged(365, base_importance=0.0, confidence=0.0, critical=True)
    assert score(nothing, NOW, DECAY) == 0.9
    much = aged(365, base_importance=1.0, access_count=100, confidence=1.0, critical=True)
    assert score(much, NOW, DECAY) == importance(much, NOW, DECAY)


@pytest.mark.parametrize(("days", "left"), [(10, 0.2994), (14, 0.2438), (31, 0.1019), (32, 0.0968)])
def test_case_50_what_is_left_after_idle_days(days: float, left: float) -> None:
    memory = aged(days)
    assert 0.5 * score(memory, NOW, DECAY) / importance(memory, NOW, DECAY) == pytest.approx(left, abs=1e-4)


def test_case_51_ten_daily_rescorings_equal_one_of_ten_days() -> None:
    memory = aged(0)
    daily = [score(memory, NOW + timedelta(days=day), DECAY) for day in range(1, 11)]
    fresh = importance(memory, NOW + timedelta(days=10), DECAY)
    assert daily[-1] / fresh == pytest.approx(0.5987, abs=5e-5)


def test_case_151_days_are_not_cut_to_whole_ones() -> None:
    assert importance(aged(10), NOW, DECAY) == pytest.approx(0.4933, abs=5e-5)
    assert score(aged(10), NOW, DECAY) == pytest.approx(0.2954, abs=5e-5)
    half = score(aged(10.5), NOW, DECAY)
    assert score(aged(11), NOW, DECAY) < half < score(aged(10), NOW, DECAY)


def test_an_access_is_what_idleness_counts_from() -> None:
    idle, used = aged(100), aged(100, last_accessed_at=NOW)
    assert score(used, NOW, DECAY) == pytest.approx(importance(idle, NOW, DECAY))


def test_feedback_counts_only_when_it_has_a_weight() -> None:
    praised, blamed = aged(0, feedback=1.0), aged(0, feedback=-1.0)
    assert score(praised, NOW, DECAY) == score(blamed, NOW, DECAY)
    weighty = Settings(decay=DecaySettings(feedback_weight=0.2))
    assert score(praised, NOW, weighty) == pytest.approx(0.8 * 0.55 + 0.2)
    assert score(blamed, NOW, weighty) == pytest.approx(0.8 * 0.55)


@given(facts)
def test_a_score_lies_between_0_and_1(memory: Facts) -> None:
    assert 0 <= score(memory, NOW, DECAY) <= 1


@given(facts, st.floats(0, 1000))
def test_without_use_a_score_never_rises(memory: Facts, days: float) -> None:
    assert score(memory, NOW + timedelta(days=days), DECAY) <= score(memory, NOW, DECAY) + 1e-12


@given(facts, st.floats(0, 1000))
def test_a_clock_set_back_gives_no_negative_age(memory: Facts, days: float) -> None:
    assert 0 <= score(memory, memory.created_at - timedelta(days=days), DECAY) <= 1
