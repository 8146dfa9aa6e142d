"""The settings of batches: what each is for, its default and its rule."""

from __future__ import annotations

from pydantic import Field

from graph_memory.base.sections import Count, Section


class BatchesSettings(Section):
    """Many questions for a language model at once."""

    use_provider: bool = Field(
        True,
        description="Whether a provider's batches are used where there are some: half the price, answered within a day. "
        "Else the same questions are asked at once.",
    )
    size: int = Field(1000, ge=1, le=100_000, description="Questions in one batch at most.")
    megabytes: int = Field(200, ge=1, le=256, description="Size of one submission at most; the rest follows.")
    concurrency: Count = Field(4, description="Questions asked side by side where there are no batches.")
