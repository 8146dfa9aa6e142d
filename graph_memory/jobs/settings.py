"""The settings of jobs: what each is for, its default and its rule."""

from __future__ import annotations

from pydantic import Field

from graph_memory.base.sections import Count, Period, Positive, Section


class JobsSettings(Section):
    """How often each job of the beat is due, in seconds (0 switches it off), and how jobs hold their lease."""

    forgetting: bool = Field(
        True,
        description="Whether the beat rescores and archives at all. Off: scores and tiers stay, nothing is archived by rule.",
    )
    rescore: Period = Field(86_400, description="Rescoring of importance, retention and tiers.")
    communities: Period = Field(86_400, description="Community detection.")
    consolidate: Period = Field(604_800, description="Merging memories that say the same.")
    reweigh: Period = Field(86_400, description="Weighing anew which memories share entities.")
    compact: Period = Field(86_400, description="Emptying changes that are past their retention.")
    archive: Period = Field(86_400, description="Archiving by rule.")
    restore: Period = Field(300, description="Bringing back what was archived and is used again.")
    fill: Period = Field(
        300, description="Embedding what was said, and what was stored while the embedder failed."
    )
    due: Period = Field(60, description="Moving what the clock has made live or past.")
    tidy: Period = Field(86_400, description="Removing runs that nobody will ask for again.")
    verify: Period = Field(86_400, description="Checking the invariants of the store.")
    sweep: Period = Field(300, description="Closing segments of conversations that are idle.")
    collect_entities: Period = Field(2_592_000, description="Looking for entities that are one.")
    expire_reviews: Period = Field(3600, description="Expiring reviews that nobody decided.")
    poll_extraction: Period = Field(60, description="Asking how batches of extraction stand.")
    poll_relationships: Period = Field(
        60, description="Asking how batches of relationships, and all others, stand."
    )
    retry_batches: Period = Field(21_600, description="Putting failed and expired batches back in line.")
    purge_batches: Period = Field(86_400, description="Removing batches that ended some time ago.")
    webhooks: Period = Field(5, description="Looking whether there are changes for webhooks.")
    keep: Count = Field(100, description="Ended runs that are kept of each job, tenant and status.")
    reconcile: Count = Field(60, description="Taking up unfinished runs whose lease has run out.")
    max_tick: Count = Field(300, description="Beat asks at least this often whether a job is due.")
    lease: Count = Field(60, description="Seconds a job's lease holds without being renewed.")
    attempts: Count = Field(
        5, description="Tries of one run that get no further, before it counts as failed."
    )
    backoff: Positive = Field(
        10.0, description="Seconds before the second try of a run that failed; each next waits twice as long."
    )
