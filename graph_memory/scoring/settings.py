"""The settings of scoring: what each is for, its default and its rule."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from graph_memory.base.sections import Count, NonNegative, Positive, Section, Share
from graph_memory.model.kinds import singular

# How far weights may add up to something else than 1: a third is not written exactly.
_WHOLE = 1e-6


class SupersessionSettings(Section):
    """What becomes of a memory that another has superseded."""

    visibility: Literal["demote", "hide", "active", "archive"] = Field(
        "demote",
        description="demote: what was superseded comes along with what took its place, and is found by DEEP and EXHAUSTIVE. "
        "hide: it does not come along. active: STANDARD finds it too, and what has ended. archive: it does not come along, "
        "and the daily rules archive it. A past moment has what held then, whichever is set.",
    )


class DecaySettings(Section):
    """What all scoring policies share: which one makes the importance, by which clock, and how it is written."""

    policy: Literal["earning", "linear", "retention"] = Field(
        "earning",
        description="What makes a memory's importance: earned by use, a weighted sum, or its retention.",
    )
    clock: Literal["policy", "activity", "calendar"] = Field(
        "policy",
        description="Ages in days of activity of the person or in calendar days; policy: activity for earning, else calendar.",
    )
    feedback_weight: Share = Field(
        0.0, description="Weight of what people said of it; above 0 all else shrinks in proportion."
    )
    # The scores of a critical memory are never below this.
    critical_floor: ClassVar[float] = 0.9
    critical_overrides_expiry: bool = Field(
        False,
        description="Whether a critical memory stays current and keeps its scores after it has expired.",
    )
    expiry_grace_days: float = Field(
        0.0,
        ge=0,
        le=36_525,
        description="Days in which an expired memory is still current while its scores trail off; 0: it ends at once.",
    )
    # Memories rescored in one transaction.
    batch: ClassVar[int] = 5000
    concurrency: Count = Field(
        1,
        description="Statements of a rescoring at once; more are quicker, and searches wait longer meanwhile.",
    )
    # Changes of tier that a run keeps one by one; all of them are counted.
    kept_moves: ClassVar[int] = 1000


class EarningSettings(Section):
    """The `earning` policy: importance is earned by use and links, and lost by not being used."""

    rate: float = Field(
        0.95, gt=0, le=1, description="Share of its accesses that counts after each idle day."
    )
    baseline: Positive = Field(0.02, description="Accesses a day that count as usual.")
    # Days that a memory counts as old at least.
    min_age: ClassVar[float] = 7.0
    # Weight of the rate of access.
    value_weight: ClassVar[float] = 0.8
    # How fast idle days tell: 1 / (1 + rate idle).
    recency_rate: ClassVar[float] = 0.03
    # The sum that makes an importance of a half.
    centre: ClassVar[float] = 2.0
    # What each of the first links adds.
    hub_link: ClassVar[float] = 0.04
    # How many links are the first ones.
    hub_links: ClassVar[int] = 10
    # What the next link adds.
    hub_slope: ClassVar[float] = 0.02
    # How fast further links add less.
    hub_curve: ClassVar[float] = 0.05
    newness: float = Field(
        2.0,
        ge=0,
        description="Grace of a new memory of importance 0.5; others have what makes them start as they were assigned. 0: none.",
    )
    # What of that grace is lost each day.
    newness_rate: ClassVar[float] = 0.133
    # Factor on the last day before the event that a memory tells of.
    day_factor: ClassVar[float] = 2.0
    # Factor in the last week before that event.
    week_factor: ClassVar[float] = 1.5
    # Factor in the last two weeks before it.
    fortnight_factor: ClassVar[float] = 1.2
    past_start: float = Field(0.8, ge=0, description="Factor right after what it tells of.")
    # Factor when the event is `past_days` ago or longer.
    past_end: ClassVar[float] = 0.1
    # Days in which the factor goes from `past_start` to `past_end`.
    past_days: ClassVar[float] = 14.0
    # Decimals that are stored.
    rounding: ClassVar[int] = 3
    archive_at: Share = Field(
        0.001, description="An importance at or below this is archived; only what has expired comes so low."
    )


class LinearSettings(Section):
    """The `linear` policy: base, access, recency and confidence weighted and added, times rate^idle days."""

    base_weight: Share = Field(0.3, description="Weight of the assigned importance.")
    access_weight: Share = Field(0.3, description="Weight of how often it was recalled.")
    recency_weight: Share = Field(0.2, description="Weight of its age.")
    confidence_weight: Share = Field(0.2, description="Weight of its confidence.")
    # Recalls that count as the most.
    max_access: ClassVar[int] = 100
    recency_tau_days: Positive = Field(
        30.0, description="Days after which the age term is 1/e; not a half-life."
    )
    rate: float = Field(0.95, gt=0, le=1, description="Factor for each idle day.")
    # Decimals that are stored.
    rounding: ClassVar[int] = 4
    archive_at: Share = Field(0.1, description="An importance below this is archived.")

    @model_validator(mode="after")
    def _is_whole(self) -> LinearSettings:
        _require_whole(
            base_weight=self.base_weight,
            access_weight=self.access_weight,
            recency_weight=self.recency_weight,
            confidence_weight=self.confidence_weight,
        )
        return self


class RetentionSettings(Section):
    """How well a memory is kept: recency, activation and worth weighted and added. Its tier follows from this."""

    recency_weight: Share = Field(0.4, description="Weight of how lately it was made or recalled.")
    activation_weight: Share = Field(0.2, description="Weight of how often it was recalled.")
    worth_weight: Share = Field(
        0.4, description="Weight of what it is worth: as assigned, or as its kind is."
    )
    half_life_days: Positive = Field(30.0, description="Days after which the recency has halved.")
    half_lives: dict[str, Positive] = Field(
        {}, description="Half-lives in days of single kinds of memories, instead of that."
    )
    worths: dict[str, Share] = Field(
        {
            "decisions": 1.0, "learnings": 0.9, "patterns": 0.85, "retrospective": 0.8, "inception": 0.7,
            "blockers": 0.7, "research": 0.6, "elicitation": 0.6, "progress": 0.5, "reviews": 0.5,
        },
        description="What memories of a kind are worth at least; other kinds are worth what was assigned.",
        validate_default=True,
    )  # fmt: skip
    activation: Literal["log", "boost"] = Field(
        "log", description="How recalls add up: by their logarithm, or activation_boost for each."
    )
    # Recalls that count as the most by the logarithm.
    saturation: ClassVar[int] = 20
    # What each recall adds with boost.
    activation_boost: ClassVar[float] = 0.1
    superseded_penalty: Share = Field(0.2, description="Factor for a memory that another has superseded.")
    # Decimals that are stored, and compared to the tiers.
    rounding: ClassVar[int] = 3

    @field_validator("half_lives", "worths", mode="after")
    @classmethod
    def _in_both_numbers(cls, given: dict[str, float]) -> dict[str, float]:
        """Kinds are kept in the singular; what was stored before may be spelled as here."""
        return {**given, **{singular(kind): value for kind, value in given.items()}}

    @model_validator(mode="after")
    def _is_whole(self) -> RetentionSettings:
        _require_whole(
            recency_weight=self.recency_weight,
            activation_weight=self.activation_weight,
            worth_weight=self.worth_weight,
        )
        return self


class TiersSettings(Section):
    """From which retention on a memory is hot, warm or cold; what is below the last is in tier ARCHIVED."""

    hot: Share = Field(0.6, description="Retention from which a memory is HOT.")
    warm: Share = Field(0.3, description="Retention from which it is WARM.")
    archive_threshold: Share = Field(
        0.1, description="Retention from which it is COLD; below it is ARCHIVED."
    )

    @model_validator(mode="after")
    def _in_order(self) -> TiersSettings:
        if not self.archive_threshold < self.warm < self.hot:
            raise ValueError(
                f"archive_threshold {self.archive_threshold:g} < warm {self.warm:g} < hot {self.hot:g} does not hold, "
                "so a tier would be empty"
            )
        return self


class ArchiveSettings(Section):
    """What is archived by rule, brought back by use, and, only if allowed, deleted."""

    expired: bool = Field(True, description="Rule: archive what has expired, after its days of grace.")
    importance: bool = Field(
        True, description="Rule: archive what has come down to the policy's archive_at; earning or linear."
    )
    tier: bool = Field(True, description="Rule: archive what has come down to the tier ARCHIVED.")
    after_days: NonNegative = Field(
        0.0, description="Rule: archive what was made so many days ago; 0: age alone archives nothing."
    )
    retract_after_days: NonNegative = Field(
        0.0, description="Rule: retract what is archived and was made so many days ago; 0: never."
    )
    delete_after_days: NonNegative = Field(
        0.0, description="Rule: erase what is retracted and was made so many days ago; 0: never."
    )
    enable_delete: bool = Field(
        False,
        description="Whether that rule may erase at all; a person may by the right `erase`. There is no undo; the ledger "
        "keeps that it was done.",
    )
    cap_share: Share = Field(
        0.01,
        description="Share of a tenant's active memories that one run archives at most, expired ones aside.",
    )
    cap_least: Count = Field(50, description="Memories that one run may archive in any case.")
    batch: Count = Field(100, description="Memories archived in one transaction.")
    auto_restore: bool = Field(
        True, description="Whether what faded away comes back when it is recalled or linked to."
    )


def _require_whole(**weights: float) -> None:
    """Weights that share out one score add up to 1, or it would leave [0, 1] or never fill it."""
    if abs(sum(weights.values()) - 1.0) > _WHOLE:
        told = " + ".join(f"{name} {weight:g}" for name, weight in weights.items())
        raise ValueError(f"{told} is {sum(weights.values()):g}; these weights must add up to 1")
