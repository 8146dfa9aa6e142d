"""The settings of batches: what each is for, its default and its rule."""

from __future__ import annotations

from pydantic import Field

from graph_memory.base.sections import Count, Positive, Section


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
    faults: Count = Field(3, description="Passing faults in a row after which a batch has failed.")
    tries: Count = Field(3, description="Answers without use after which a question is given up.")
    retries: int = Field(
        4, ge=0, description="Times that the job puts a failed or expired batch back in line."
    )
    timeout: Positive = Field(
        300.0,
        description="Seconds without progress after which a batch whose answers are applied has failed.",
    )
    provider_hours: Positive = Field(
        24.0, description="Hours after which a batch has expired whose provider names no time of its own."
    )
    expire_hours: Positive = Field(
        48.0, description="Hours after its submission after which any batch has expired."
    )
    keep_hours: Positive = Field(48.0, description="Hours for which batches at their end are kept.")
