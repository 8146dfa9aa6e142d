"""The settings of entities: what each is for, its default and its rule."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graph_memory.base.sections import Count, Section


class EntitiesSettings(Section):
    """How names are found in a text."""

    recogniser: Literal["rule", "spacy"] = Field(
        "rule",
        description="rule: by capital letters and known names. spacy: also by a trained model, which knows types.",
    )
    dormant_days: Count = Field(
        45,
        description="An entity that nothing new has mentioned for so many days is looked at by the monthly job.",
    )
