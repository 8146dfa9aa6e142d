"""The settings of the judge that needs no service."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from graph_memory.base.sections import Section


class JudgeSettings(Section):
    """The embedded judge, which compares two statements where no language model does."""

    model: Path | None = Field(
        None,
        description="A pair model's file of your own, with its card beside it; without it, the packaged one.",
    )
