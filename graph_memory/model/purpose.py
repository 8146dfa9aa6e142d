"""What language models are asked for."""

from __future__ import annotations

from enum import StrEnum


class Purpose(StrEnum):
    """What a model is asked for. Each has a section of that name in the settings."""

    EXTRACT = "extract"
    CLASSIFY = "classify"
    REVIEW = "review"
    SCREEN = "screen"
    ASK = "ask"
    SUMMARISE = "summarise"
