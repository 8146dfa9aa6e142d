"""What a section of the settings is. Each package has its own; `graph_memory.settings` joins them.

A capability asks for its section by the class: `service.settings[RecallSettings].limit`.
"""

from __future__ import annotations

from typing import Annotated, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Port = Annotated[int, Field(ge=1, le=65535)]
Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
Period = Annotated[int, Field(ge=0)]
NonNegative = Annotated[float, Field(ge=0)]


class Section(BaseModel):
    """Some settings that belong together."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)


S = TypeVar("S", bound=Section)


class Sections(Protocol):
    """All settings of a process, as the capabilities see them: each its own section."""

    def __getitem__(self, section: type[S]) -> S:
        """The section of this class."""
        ...
