"""The settings of entities: what each is for, its default and its rule."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graph_memory.base.sections import Count, Section


class EntitiesSettings(Section):
    """How names are found in a text."""

    recogniser: Literal["rule", "spacy"] = Field(
        "rule",
        description="rule: by capital letters and known names. spacy: also by a trained model, which knows types; "
        "the extra `ner`.",
    )
    dormant_days: Count = Field(
        45,
        description="An entity that nothing new has mentioned for so many days is looked at by the monthly job.",
    )
    dormant_links: Count = Field(5, description="An entity that more memories mention is never looked at.")
    merge_cosine: float = Field(
        0.75, ge=0, le=1, description="Two names whose vectors are nearer than this may be one."
    )
    merge_likeness: float = Field(
        0.85, ge=0, le=1, description="Two names that are spelled more alike than this may be one."
    )
    merge_overlap: float = Field(
        0.3, ge=0, le=1, description="Two names that share more of their memories than this may be one."
    )
    merge_candidates: Count = Field(
        5, description="The best candidates that each dormant entity is compared with."
    )
    batch: Count = Field(50, description="Dormant entities that are compared and embedded at once.")
