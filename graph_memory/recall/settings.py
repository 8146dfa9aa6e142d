"""The settings of recall: what each is for, its default and its rule."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from graph_memory.base.sections import Count, Section, Share
from graph_memory.models.token_counters import Counting


class RecallSettings(Section):
    """Search."""

    limit: int = Field(10, ge=1, le=100, description="Hits when nobody says how many.")
    max_limit: int = Field(100, ge=1, le=1000, description="Hits at most.")
    # Neighbours fetched for each hit wanted; exact rescoring among them makes up for the index's rounding.
    overfetch: ClassVar[int] = 4
    # Neighbours fetched at least.
    min_fetch: ClassVar[int] = 60
    # Taken off the similarity of cold memories in the default mode, so that only clearly nearer ones come
    # first.
    cold_handicap: ClassVar[float] = 0.1
    min_score: float = Field(
        0.003,
        ge=0,
        le=1,
        description="Score below which nothing is answered, nor counts as used, where meaning and words are asked together.",
    )
    min_answered: float = Field(
        0.029,
        ge=0,
        le=1,
        description="Chance that a question has an answer, by the likeliest that is found, below which nothing is returned; it "
        "counts where meaning and words are asked together and nobody names a least score.",
    )
    reread: int = Field(
        24,
        ge=0,
        le=100,
        description="So many of the first that are found are read once more beside the question by a small model, which tells "
        "who comes first; 0 reads none.",
    )
    min_similarity: float = Field(
        -1.0, ge=-1, le=1, description="Raw cosine below which a hit of the vector arm alone is left out."
    )


class SurfacingSettings(Section):
    """Surfacing: what comes to mind for a message, though nobody has asked for it."""

    enabled: bool = Field(True, description="Whether memories surface; switched off, none ever does.")
    min_similarity: float = Field(
        0.4, ge=-1, le=1, description="Raw cosine of message and memory below which it does not surface."
    )
    min_importance: Share = Field(
        0.3,
        description="Importance below which a memory of weight 0 does not surface; the more its hit weighs, the less is needed.",
    )
    # Hops to the linked memories that are brought along.
    depth: ClassVar[int] = 2
    # Confidence below which a link brings nothing along.
    min_confidence: ClassVar[float] = 0.6


class AccessSettings(Section):
    """Recalls count as accesses, which scores are made of; they are written behind the answer."""

    count: bool = Field(True, description="Whether a recall counts as an access of what it answers.")
    count_linked: bool = Field(
        False, description="Whether memories that are brought along with a hit count as well."
    )
    count_automatic: bool = Field(
        False,
        description="Whether recalls that nobody asked for, made to fill a prompt, count; so memories keep themselves alive.",
    )
    # Memories from which on accesses are written at once.
    batch: ClassVar[int] = 500
    # Seconds after which they are written at the latest.
    seconds: ClassVar[float] = 2.0
    # Memories whose accesses wait at most; others are not counted until they are written.
    waiting: ClassVar[int] = 10_000


class PackSettings(Section):
    """Packs: blocks of memories that are put into a prompt."""

    enabled: bool = Field(True, description="Whether packs are made; switched off, every pack is empty.")
    budget: Count = Field(2000, description="Tokens of a whole block when nobody says how many.")
    limit: int = Field(
        10, ge=1, le=100, description="Memories at most beside those that are pinned or critical."
    )
    min_confidence: Share = Field(0.7, description="Confidence below which a memory is left out.")
    summaries: int = Field(
        0,
        ge=0,
        le=10,
        description="Summaries of communities at most with which a pack begins. An extract repeats its members' words, so they "
        "are worth their tokens where a language model writes them.",
    )
    prioritize: Literal["relevance", "recency", "activation"] = Field(
        "relevance", description="What weighs most where memories compete for their places."
    )
    counter: Counting = Field(
        "characters",
        description="What tokens are counted with: a quarter of the characters, the embedder's own tokenizer, or the one of "
        "`tokenizer`.",
    )
    tokenizer: Path | None = Field(
        None, description="A `tokenizer.json` of your model, for the counter `file`."
    )

    @model_validator(mode="after")
    def _file_is_named(self) -> PackSettings:
        if self.counter == "file" and self.tokenizer is None:
            raise ValueError("counter is file, so tokenizer must name a tokenizer.json")
        return self
