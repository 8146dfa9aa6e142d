"""What language models are asked for."""

from __future__ import annotations

from enum import StrEnum


class Purpose(StrEnum):
    """What a model is asked for. `providers.purposes` has a row for each that is to be asked otherwise than usual."""

    EXTRACT = "extract"
    CLASSIFY = "classify"
    REVIEW = "review"
    SCREEN = "screen"
    ASK = "ask"
    SUMMARISE = "summarise"
