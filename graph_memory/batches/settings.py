"""The settings of batches: what each is for, its default and its rule."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from graph_memory.base.sections import Count, Section


class BatchesSettings(Section):
    """Many questions for a language model at once."""

    use_provider: bool = Field(
        True,
        description="Whether a provider's batches are used where there are some: half the price, answered within a day. "
        "Else the same questions are asked at once.",
    )
    # Questions in one batch at most.
    size: ClassVar[int] = 1000
    # Size of one submission at most; the rest follows.
    megabytes: ClassVar[int] = 200
    concurrency: Count = Field(4, description="Questions asked side by side where there are no batches.")
