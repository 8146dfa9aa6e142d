"""The settings of memory: what each is for, its default and its rule."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graph_memory.base.sections import Count, Positive, Section, Share


class TextsSettings(Section):
    """What a memory may hold."""

    max_length: Count = Field(4000, description="Characters of a memory's text at most.")
    max_message: Count = Field(32_000, description="Characters of one message of a conversation at most.")


class ScreeningSettings(Section):
    """What is looked for in texts before they are kept, and what is done about it."""

    secrets: Literal["mask", "label", "refuse", "off"] = Field(
        "mask",
        description="Passwords, keys, tokens, card and account numbers: taken out, only labelled, refused, or let be.",
    )
    personal: Literal["mask", "label", "refuse", "off"] = Field(
        "label", description="The same for addresses of mail and numbers of telephones."
    )
    labels: bool = Field(
        True,
        description="Whether what speaks to a judge, hides characters or mixes scripts is labelled, and so changes nothing "
        "known by itself.",
    )
    adversarial: bool = Field(
        False,
        description="Whether a language model reads each statement for attacks; what it blocks waits for a person.",
    )
    block_at: Literal["low", "medium", "high", "critical"] = Field(
        "high", description="The threat from which on it blocks."
    )
    fail_closed: bool = Field(
        True, description="Whether it blocks when no model gives an answer that can be read."
    )


class PipelineSettings(Section):
    """`remember`: how a new statement is compared with what is known, and what may be done by itself."""

    enabled: bool = Field(
        True, description="Whether statements are compared at all; when off, each is only added."
    )
    candidates: int = Field(
        5, ge=1, le=20, description="Known memories that a new statement is compared with."
    )
    floor: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Raw cosine from which a memory is a candidate. Unset: that of the embedding model (MiniLM 0.45).",
    )
    shared_floor: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="The same for a memory that shares an entity. Unset: that of the embedding model (MiniLM 0.30).",
    )
    worded_floor: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="The same for a memory that has a word in common which is no name. Unset: that of the embedding model "
        "(MiniLM 0.30).",
    )
    related: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Raw cosine from which the nearest coexisting memory is linked. Unset: the model's (MiniLM 0.60).",
    )
    confidence: Share = Field(
        0.8, description="A judge is followed above this confidence; at or below it the statement coexists."
    )
    timeout: Positive = Field(
        10.0, description="Seconds to wait for judges in all; then the embedded one decides."
    )
    enable_merge: bool = Field(True, description="Whether a judge may merge two memories.")
    enable_supersede: bool = Field(
        True, description="Whether a judge may put a memory in the place of another."
    )
    inherit_max_importance: bool = Field(
        True,
        description="Whether a merged memory takes the higher importance of the two; else that of the one that is kept.",
    )


class ReviewsSettings(Section):
    """Decisions that wait for a person."""

    enabled: bool = Field(
        True, description="Whether what a judge proposes and is not done by itself is kept for a person."
    )
    expire_days: Count = Field(7, description="Days after which an undecided review expires.")
    keep_days: Count = Field(
        30,
        description="Days for which decided and expired ones are kept, and counted in the judge's agreement.",
    )
