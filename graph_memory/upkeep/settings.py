"""The settings of upkeep: what each is for, its default and its rule."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from graph_memory.base.sections import Count, NonNegative, Positive, Section, Share


class Strategy(StrEnum):
    """How memories are clustered before a judge looks at them."""

    GDS_LEIDEN = "gds_leiden"
    HUB_KNN = "hub_knn"
    AGGLOMERATIVE = "agglomerative"


class LedgerSettings(Section):
    """The record of every decision."""

    retention_days: Count = Field(
        90, description="Days after which what a change did can no longer be undone; that it was done stays."
    )


class CommunitiesSettings(Section):
    """Clusters of memories that say related things, found by GDS."""

    similarity: float = Field(
        0.4, ge=-1, le=1, description="Raw cosine from which two memories are joined by an edge."
    )
    min_size: int = Field(3, ge=2, description="Members at least.")
    # Memories of a subject below which all of it is clustered again when anything changed.
    whole_below: ClassVar[int] = 5000
    # Share of a larger subject's memories that may change before all of it is clustered again; until then
    # only what changed is given its place.
    drift: ClassVar[float] = 0.1
    asked: Count = Field(
        200, description="Summaries that a language model is asked for in one run; the next one goes on."
    )
    gamma: Positive = Field(1.0, description="Leiden's resolution; higher gives smaller communities.")
    grain: Count = Field(
        45,
        description="Memories of a subject beyond which the resolution grows with their number, so that communities do not grow "
        "with their subject.",
    )


class ConsolidationSettings(Section):
    """Merging memories that say the same. `consolidate` in `jobs.periods` tells how often, and 0 switches it off."""

    strategy: Literal["gds_leiden", "hub_knn", "agglomerative"] = Field(
        "gds_leiden",
        description="How memories are clustered: `gds_leiden` by the graph library, `hub_knn` around what is used most, "
        "`agglomerative` by average linkage of vectors.",
    )
    similarity: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Raw cosine from which two memories are looked at together. Unset, that of the embedding model.",
    )
    # Leiden's resolution; higher gives smaller clusters.
    gamma: ClassVar[float] = 1.0
    entity_weight: NonNegative = Field(
        0.0,
        description="Weight of edges between memories that share entities; 0 leaves them out; gds_leiden.",
    )
    # Members of a cluster at least.
    min_size: ClassVar[int] = 2
    max_size: int = Field(20, ge=4, description="Members at most; a larger cluster is split, and loses none.")
    cap_least: Count = Field(50, description="Memories that a planned run may merge, however few there are.")
    cap_share: Share = Field(
        0.01, description="Share of an account's live memories that a planned run may merge."
    )
    min_interval: int = Field(
        86_400, ge=0, description="Seconds after a run before which the beat does not begin another."
    )
    after_new: int = Field(
        500,
        ge=0,
        description="New memories of an account from which a run begins before its day, however busy it is; 0 never.",
    )
    after_idle: int = Field(
        50,
        ge=0,
        description="New memories from which one begins once nothing has been written for a while; 0 never.",
    )
    idle: Count = Field(1800, description="Seconds without a write that make an account idle.")
    pressure: int = Field(
        100_000,
        ge=0,
        description="Live memories of an account from which anything new is enough, as search and clustering grow slower "
        "with them; 0 never.",
    )


class RefinementSettings(Section):
    """Long memories that are split into statements, or said in fewer words. A bound of 0 is none."""

    chars: int = Field(60, ge=0, description="Characters from which a memory is looked at.")
    accesses: int = Field(5, ge=0, description="Accesses from which it is: what nobody reads may stay long.")
    # Days that it must be old.
    age: ClassVar[int] = 7
    # Days for which it must not have changed.
    stable: ClassVar[int] = 30
    # Days after one look before the next.
    cooldown: ClassVar[int] = 30
    # Looks without a result after which it is left as it is.
    rejections: ClassVar[int] = 3
    candidates: Count = Field(
        20, description="Memories of a subject that a language model is asked about in one run."
    )
    split_original: Literal["keep", "archive"] = Field(
        "keep",
        description="What becomes of a memory that was split: it stays active, for its whole context, or is archived.",
    )
    trim_original: Literal["keep", "archive"] = Field(
        "archive", description="What becomes of a memory that is said in fewer words."
    )
