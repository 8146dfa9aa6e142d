"""The thresholds of the pipeline: those of the embedding model, where no setting comes before them."""

from __future__ import annotations

from dataclasses import replace

from graph_memory.memory.settings import PipelineSettings
from graph_memory.models import profiles
from graph_memory.models.profiles import Profile


def profile_of(model: str, pipeline: PipelineSettings) -> Profile:
    """The profile of a model; settings come before it, and `related` holds for what carries a heading too."""
    given = {
        "candidates": pipeline.floor,
        "shared": pipeline.shared_floor,
        "worded": pipeline.worded_floor,
        "related": pipeline.related,
        "headed": pipeline.related,
    }
    return replace(profiles.of(model), **{name: value for name, value in given.items() if value is not None})
