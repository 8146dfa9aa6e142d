"""RetentionSettings and tiers by the numbers of their sources."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from graph_memory.base.errors import Misconfigured
from graph_memory.scoring import retention as keeping
from graph_memory.scoring.columns import now_of, single
from graph_memory.scoring.scores import (
    NO_RULE,
    RULES,
    TIERS,
    Rule,
    Tier,
    explained,
    rules,
    scores,
    standing,
    tier_of,
)
from graph_memory.scoring.settings import DecaySettings, RetentionSettings, TiersSettings
from graph_memory.scoring.terms import Facts, Policy
from graph_memory.settings import Settings, load

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
USUAL = Settings()

facts = st.builds(
    Facts,
    created_at=st.floats(-10, 3000).map(lambda days: NOW - timedelta(days=days)),
    base_importance=st.floats(0, 1),
    access_count=st.integers(0, 100),
    kind=st.sampled_from(["fact", "decisions", "progress"]),
    critical=st.booleans(),
    pinned=st.booleans(),
    expires_at=st.none() | st.floats(-10, 10).map(lambda days: NOW + timedelta(days=days)),
    superseded_at=st.none() | st.floats(-10, 10).map(lambda days: NOW + timedelta(days=days)),
)


def retention(facts: Facts, at: datetime, settings: Settings) -> float:
    return float(keeping.retention(now_of([facts], at, settings))[0])


def parts(facts: Facts, at: datetime, settings: Settings) -> dict[str, float]:
    return single(keeping.parts(now_of([facts], at, settings)))


def activation(count: int, settings: RetentionSettings) -> float:
    return float(keeping.activation(np.array([count]), settings)[0])


def rule_of(facts: Facts, at: datetime, settings: Settings) -> Rule | None:
    [rule] = standing(now_of([facts], at, settings), Policy(settings.decay.policy)).rule
    return None if rule == NO_RULE else RULES[rule]


def aged(days: float, kind: str, **values: object) -> Facts:
    return Facts(created_at=NOW - timedelta(days=days), kind=kind, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "days", "kept", "tier"),
    [
        ("decisions", 0, 0.8, Tier.HOT),
        ("decisions", 30, 0.6, Tier.HOT),
        ("decisions", 31, 0.5954, Tier.WARM),
        ("decisions", 60, 0.5, Tier.WARM),
        ("progress", 0, 0.6, Tier.HOT),
        ("progress", 30, 0.4, Tier.WARM),
        ("progress", 60, 0.3, Tier.WARM),
        ("progress", 61, 0.2977, Tier.COLD),
        ("progress", 3650, 0.2, Tier.COLD),
    ],
)
def test_cases_37_and_38_retention_and_tier(kind: str, days: float, kept: float, tier: Tier) -> None:
    memory = aged(days, kind)
    assert retention(memory, NOW, USUAL) == pytest.approx(kept, abs=5e-5)
    assert scores(memory, NOW, USUAL).tier is tier


@pytest.mark.parametrize(
    ("kind", "days", "kept", "tier"),
    [
        ("decisions", 0, 0.16, Tier.COLD),
        ("progress", 0, 0.12, Tier.COLD),
        ("progress", 30, 0.08, Tier.ARCHIVED),
    ],
)
def test_case_39_a_superseded_memory(kind: str, days: float, kept: float, tier: Tier) -> None:
    memory = aged(days, kind, superseded_at=NOW)
    assert retention(memory, NOW, USUAL) == pytest.approx(kept)
    assert scores(memory, NOW, USUAL).tier is tier


def test_a_memory_that_will_be_superseded_is_not_yet() -> None:
    memory = aged(0, "decisions", superseded_at=NOW + timedelta(days=1))
    assert retention(memory, NOW, USUAL) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("count", "expected"), [(0, 0), (1, 0.2277), (5, 0.5885), (10, 0.7876), (20, 1), (40, 1)]
)
def test_case_40_activation(count: int, expected: float) -> None:
    assert activation(count, USUAL.retention) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (3, 0.3), (10, 1), (40, 1)])
def test_x49_activation_by_boost(count: int, expected: float) -> None:
    assert activation(count, RetentionSettings(activation="boost")) == pytest.approx(expected)


def test_case_41_recalled_today_is_as_new() -> None:
    assert parts(aged(365, "fact", last_accessed_at=NOW), NOW, USUAL)["recency"] == 1.0


def test_a_kind_has_its_half_life_and_its_worth() -> None:
    quick = Settings(retention=RetentionSettings(half_lives={"quick": 1.0}, worths={"quick": 0.25}))
    found = parts(aged(1, "quick", base_importance=0.1), NOW, quick)
    assert found["recency"] == pytest.approx(0.5)
    assert found["worth"] == 0.25
    assert parts(aged(1, "quick", base_importance=0.9), NOW, quick)["worth"] == 0.9


def test_critical_does_not_fade_pinned_stays_hot_and_neither_outlives_its_end() -> None:
    """X28."""
    critical, pinned = aged(900, "fact", critical=True), aged(900, "fact", pinned=True)
    assert scores(critical, NOW, USUAL).retention == 0.9
    assert scores(pinned, NOW, USUAL).tier is Tier.HOT
    assert scores(replace(critical, superseded_at=NOW), NOW, USUAL).retention == pytest.approx(0.18)
    for memory in (critical, pinned):
        assert scores(replace(memory, expires_at=NOW - timedelta(days=1)), NOW, USUAL).tier is Tier.ARCHIVED


@given(facts)
def test_case_42_a_score_lies_between_0_and_1_and_the_tier_is_that_of_what_is_stored(memory: Facts) -> None:
    found = scores(memory, NOW, USUAL)
    assert 0 <= found.retention <= 1 and 0 <= found.importance <= 1
    assert found.tier is tier_of(found.retention, USUAL)


@given(st.floats(0, 1), st.floats(0, 1))
def test_case_42_tiers_are_monotone_in_retention(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert TIERS.index(tier_of(low, USUAL)) >= TIERS.index(tier_of(high, USUAL))


@given(facts, st.floats(0, 500))
def test_without_use_retention_never_rises(memory: Facts, days: float) -> None:
    later = retention(memory, NOW + timedelta(days=days), USUAL)
    assert later <= retention(memory, NOW, USUAL) + 1e-12


@pytest.mark.parametrize(("archive", "warm", "hot"), [(0.3, 0.3, 0.6), (0.1, 0.6, 0.6), (0.7, 0.3, 0.6)])
def test_case_43_tiers_must_be_in_order(archive: float, warm: float, hot: float) -> None:
    with pytest.raises(ValidationError, match="so a tier would be empty"):
        TiersSettings(archive_threshold=archive, warm=warm, hot=hot)


def test_case_43_it_is_told_at_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_TIERS_ARCHIVE_THRESHOLD", "0.3")
    with pytest.raises(Misconfigured, match=r"archive_threshold 0\.3 < warm 0\.3 < hot 0\.6 does not hold"):
        load()


def test_tables_of_kinds_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_RETENTION_HALF_LIVES", '{"news": 2}')
    assert load().retention.half_lives == {"news": 2.0}


def test_case_52_what_a_rule_archives() -> None:
    linear = Settings(decay=DecaySettings(policy="linear"))
    memory = Facts(created_at=NOW)

    def ruled(memory: Facts, importance: float) -> Rule | None:
        now, hot = now_of([memory], NOW, linear), np.array([0])
        [rule] = rules(now, np.array([importance]), hot, Policy.LINEAR)
        return None if rule == NO_RULE else RULES[rule]

    assert ruled(memory, 0.1) is None
    assert ruled(memory, 0.0999) is Rule.IMPORTANCE
    assert ruled(replace(memory, critical=True), 0.05) is None


def test_supersession_alone_archives_nothing_and_expiry_does() -> None:
    """X2, case 26."""
    old = aged(90, "progress", superseded_at=NOW)
    assert scores(old, NOW, USUAL).tier is Tier.ARCHIVED
    assert rule_of(old, NOW, USUAL) is None
    gone = aged(0, "fact", expires_at=NOW - timedelta(seconds=1), critical=True)
    assert rule_of(gone, NOW, USUAL) is Rule.EXPIRED


@pytest.mark.parametrize("policy", list(Policy))
def test_the_terms_of_a_score_tell_its_inputs(policy: Policy) -> None:
    weighty = Settings(decay=DecaySettings(feedback_weight=0.1))
    memory = aged(10, "decisions", access_count=3, critical=True, pinned=True)
    told = explained(memory, NOW, weighty, policy)
    assert told.scores == scores(memory, NOW, weighty, policy)
    names = [term.name for term in (*told.importance_terms, *told.retention_terms)]
    assert {"recency", "worth", "feedback", "critical", "pinned"} <= set(names)
    assert any(
        "3 accesses" in term.explanation or "3 of 100" in term.explanation for term in told.importance_terms
    )
