"""The settings of base: what each is for, its default and its rule."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from graph_memory.base.sections import Section


class LogSettings(Section):
    """Logs: ids, counts and times, never the text of a memory."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="Lowest level that is written."
    )
    format: Literal["json", "text"] = Field("json", description="One JSON object a line, or text for people.")
