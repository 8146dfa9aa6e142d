"""The terms of a score come to the score; and a memory has the same scores alone as among others."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.base.errors import Invalid
from graph_memory.base.sections import Section
from graph_memory.scoring.columns import Now, columns, now_of
from graph_memory.scoring.retention import Parts
from graph_memory.scoring.scores import TIERS, explained, raw, scores, standing
from graph_memory.scoring.settings import (
    ArchiveSettings,
    DecaySettings,
    EarningSettings,
    LinearSettings,
    RetentionSettings,
)
from graph_memory.scoring.terms import Facts, Operation, Policy, Term, arithmetic, epoch_ms, total
from graph_memory.settings import Settings

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)

moments = st.integers(-20 * 86_400, 900 * 86_400).map(lambda seconds: NOW - timedelta(seconds=seconds))
near = st.none() | moments | st.integers(-20, 20).map(lambda day: NOW + timedelta(days=day))
facts = st.builds(
    Facts,
    created_at=moments,
    last_accessed_at=st.none() | moments,
    base_importance=st.floats(0, 1),
    access_count=st.integers(0, 1000),
    confidence=st.floats(0, 1),
    kind=st.sampled_from(["fact", "decisions", "quick"]),
    critical=st.booleans(),
    pinned=st.booleans(),
    feedback=st.floats(-1, 1),
    happens_at=near,
    expires_at=near,
    activity_days=st.integers(0, 80),
    created_day=st.integers(0, 60),
    accessed_day=st.none() | st.integers(0, 60),
    hub_links=st.integers(0, 14),
    superseded_at=st.none() | moments,
)


def exact(policy: Section) -> Section:
    return policy.model_copy(update={"rounding": 12})


variants = st.builds(
    Settings,
    decay=st.builds(
        DecaySettings,
        clock=st.sampled_from(["policy", "activity", "calendar"]),
        feedback_weight=st.sampled_from([0.0, 0.1, 1.0]),
        expiry_grace_days=st.sampled_from([0.0, 5.0]),
        critical_overrides_expiry=st.booleans(),
    ),
    earning=st.builds(EarningSettings, newness=st.sampled_from([0.0, 2.0])).map(exact),
    linear=st.just(exact(LinearSettings())),
    retention=st.builds(
        RetentionSettings,
        activation=st.sampled_from(["log", "boost"]),
        superseded_penalty=st.sampled_from([0.2, 1.0]),
        half_lives=st.just({"quick": 3.0}),
    ).map(exact),
    archive=st.builds(
        ArchiveSettings,
        expired=st.booleans(),
        importance=st.booleans(),
        tier=st.booleans(),
        after_days=st.sampled_from([0.0, 100.0]),
    ),
)


@given(facts, variants, st.sampled_from(list(Policy)))
def test_the_told_terms_come_to_the_score(memory: Facts, settings: Settings, policy: Policy) -> None:
    told = explained(memory, NOW, settings, policy)
    assert total(told.importance_terms) == pytest.approx(told.scores.importance, abs=1e-9)
    assert total(told.retention_terms) == pytest.approx(told.scores.retention, abs=1e-9)


@given(facts, variants, st.sampled_from(list(Policy)))
def test_without_the_rounding_they_come_to_the_formula(
    memory: Facts, settings: Settings, policy: Policy
) -> None:
    told = explained(memory, NOW, settings, policy).importance_terms
    assert told[-1].operation is Operation.ROUNDS
    assert total(told[:-1]) == pytest.approx(float(raw(now_of([memory], NOW, settings), policy)[0]), abs=1e-9)


@given(facts, st.sampled_from(list(Policy)))
def test_the_line_ends_with_the_stored_score(memory: Facts, policy: Policy) -> None:
    told = explained(memory, NOW, Settings(), policy)
    assert told.importance_line.endswith(f" = {told.scores.importance:g}")
    assert told.retention_line.endswith(f" = {told.scores.retention:g}")


def test_the_line_reads_from_left_to_right() -> None:
    terms = [
        Term("a", 0.5, ""),
        Term("b", -0.25, ""),
        Term("c", 2.0, "", Operation.MULTIPLIES),
        Term("d", 0.5, ""),
        Term("e", 0.5, "", Operation.MULTIPLIES),
        Term("f", 0.6, "", Operation.FLOOR),
        Term("g", 1.0, "", Operation.SIGMOID),
        Term("h", 3, "", Operation.ROUNDS),
    ]
    assert arithmetic(terms) == "round(sigmoid(max(((0.5 - 0.25) × 2 + 0.5) × 0.5, 0.6)), 3) = 0.646"


@given(
    st.lists(facts, min_size=1, max_size=20),
    variants,
    st.sampled_from(list(Policy)),
    st.integers(0, 400 * 86_400),
    st.integers(0, 50),
)
def test_a_memory_has_the_same_scores_alone_as_among_others(
    memories: list[Facts], settings: Settings, policy: Policy, later: int, active: int
) -> None:
    at = NOW + timedelta(seconds=later)
    found = standing(Now(columns(memories, settings), epoch_ms(at), settings, active), policy)
    for place, memory in enumerate(memories):
        then = replace(memory, activity_days=memory.activity_days + active)
        one, alone = scores(then, at, settings, policy), standing(now_of([then], at, settings), policy)
        assert found.importance[place] == pytest.approx(one.importance, abs=1e-9)
        assert found.retention[place] == pytest.approx(one.retention, abs=1e-9)
        # A tier may be another one only where the retention lies on its edge.
        if min(abs(one.retention - edge) for edge in (0.6, 0.3, 0.1)) > 1e-9:
            assert TIERS[found.rank[place]] is one.tier
            assert found.rule[place] == alone.rule[0]


def test_columns_of_nothing_are_empty() -> None:
    found = standing(now_of([], NOW, Settings()), Policy.EARNING)
    assert np.size(found.rank) == 0


@pytest.mark.parametrize("name", ["recency", "activation", "worth", "superseded", "expiry"])
@pytest.mark.parametrize("value", [-0.001, 1.001, float("nan")])
def test_case_42_a_factor_outside_its_range_is_an_error(name: str, value: float) -> None:
    sound = {each.name: np.ones(2) for each in fields(Parts)}
    Parts(**sound).check()
    with pytest.raises(Invalid, match=f"The {name} of a retention is {value:g}"):
        Parts(**{**sound, name: np.array([1.0, value])}).check()


def test_case_42_facts_out_of_range_are_an_error_and_no_score() -> None:
    with pytest.raises(Invalid, match="worth"):
        scores(Facts(created_at=NOW, base_importance=1.5), NOW, Settings())


@pytest.mark.parametrize(
    ("age", "low", "high"), [(0, 0.9, 1.0), (30, 0.4, 0.6), (90, 0.0, 0.2), (-5, 1.0, 1.0)]
)
def test_case_59_recency_by_a_half_life_of_30_days(age: int, low: float, high: float) -> None:
    """Of what lies ahead the age is 0."""
    alone = Settings(retention=RetentionSettings(recency_weight=1.0, activation_weight=0.0, worth_weight=0.0))
    memory = Facts(created_at=NOW - timedelta(days=age))
    kept = scores(memory, NOW, alone).retention
    assert low <= kept <= high
    assert age not in (0, -5) or kept == 1.0
