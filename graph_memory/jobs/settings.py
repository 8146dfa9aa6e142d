"""The settings of jobs: what each is for, its default and its rule."""

from __future__ import annotations

from pydantic import Field

from graph_memory.base.sections import Count, Period, Section


class JobsSettings(Section):
    """How often each job of the beat is due, in seconds (0 switches it off), and how jobs hold their lease."""

    forgetting: bool = Field(
        True,
        description="Whether the beat rescores and archives at all. Off: scores and tiers stay, nothing is archived by rule.",
    )
    rescore: Period = Field(86_400, description="Rescoring of importance, retention and tiers.")
    communities: Period = Field(86_400, description="Community detection.")
    consolidate: Period = Field(604_800, description="Merging memories that say the same.")
    archive: Period = Field(86_400, description="Archiving by rule.")
    restore: Period = Field(300, description="Bringing back what was archived and is used again.")
    tidy: Period = Field(86_400, description="Removing runs that nobody will ask for again.")
    verify: Period = Field(86_400, description="Checking the invariants of the store.")
    collect_entities: Period = Field(2_592_000, description="Looking for entities that are one.")
    webhooks: Period = Field(5, description="Looking whether there are changes for webhooks.")
    keep: Count = Field(100, description="Ended runs that are kept of each job, tenant and status.")
    reconcile: Count = Field(60, description="Taking up unfinished runs whose lease has run out.")
    max_tick: Count = Field(300, description="Beat asks at least this often whether a job is due.")
    lease: Count = Field(60, description="Seconds a job's lease holds without being renewed.")
    attempts: Count = Field(
        5, description="Tries of one run that get no further, before it counts as failed."
    )
