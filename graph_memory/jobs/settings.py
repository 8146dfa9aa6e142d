"""The settings of jobs: what each is for, its default and its rule."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field, field_validator

from graph_memory.base.sections import Count, Period, Section

# Seconds between two runs of each job that the beat makes due, and between the looks of what stands beside the jobs.
PERIODS: Mapping[str, int] = {
    "rescore": 86_400,
    "archive": 86_400,
    "restore": 300,
    "communities": 86_400,
    "consolidate": 604_800,
    "reweigh": 86_400,
    "due": 60,
    "compact": 86_400,
    "fill": 300,
    "sweep": 300,
    "expire_reviews": 3600,
    "collect_entities": 2_592_000,
    "poll_extraction": 60,
    "poll_relationships": 60,
    "retry_batches": 21_600,
    "purge_batches": 86_400,
    "tidy": 86_400,
    "verify": 86_400,
    "webhooks": 5,
    "reconcile": 60,
}


def _number(given: object) -> object:
    return 0 if given == "off" else given


class JobsSettings(Section):
    """How often the beat makes each job due, and how jobs hold their lease."""

    forgetting: bool = Field(
        True,
        description="Whether the beat rescores and archives at all. Off: scores and tiers stay, nothing is archived by rule.",
    )
    periods: dict[str, Annotated[Period, BeforeValidator(_number)]] = Field(
        dict(PERIODS),
        description="Seconds between two runs of a job, by its name; 0 or `off` switches it off. What is not named keeps its "
        "default. `webhooks` is how often is looked for changes to send, `reconcile` how often runs are taken up again whose "
        "worker was lost; that one cannot be switched off.",
    )
    keep: Count = Field(100, description="Ended runs that are kept of each job, tenant and status.")
    lease: Count = Field(
        60,
        description="Seconds a job's lease holds without being renewed: the sooner a lost worker's run is taken over, the less "
        "a paused one may lag.",
    )
    # Tries of one run that get no further, before it counts as failed.
    attempts: ClassVar[int] = 5

    @field_validator("periods")
    @classmethod
    def _of_jobs(cls, given: dict[str, int]) -> dict[str, int]:
        """What is given over what is usual."""
        for name in given:
            if name not in PERIODS:
                near = get_close_matches(name, PERIODS, n=1, cutoff=0)[0]
                raise ValueError(
                    f"there is no job {name}; did you mean {near}? There are {', '.join(sorted(PERIODS))}"
                )
        if given.get("reconcile") == 0:
            raise ValueError("reconcile cannot be switched off: what a lost worker leaves would stay undone")
        return {**PERIODS, **given}
