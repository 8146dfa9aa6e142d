"""What a search can be asked, with the descriptions of the schema."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graph_memory.recall.hits import Arms, Grain
from graph_memory.recall.modes import Mode

_PLAIN = "What to look for, in plain words."

Query = Annotated[str | None, strawberry.argument(description=_PLAIN)]
Words = Annotated[str, strawberry.argument(description=_PLAIN)]
Wanted = Annotated[str, strawberry.argument(description="What is looked for, in plain words.")]
Vector = Annotated[
    list[float] | None,
    strawberry.argument(description="Its embedding by the same model, instead of or beside the text."),
]
Reach = Annotated[Mode, strawberry.argument(description="How far the search reaches.")]
WhichArms = Annotated[Arms, strawberry.argument(description="Which arms search.")]
MinSimilarity = Annotated[
    float | None,
    strawberry.argument(
        description="Cosine below which what is found by meaning alone is left out; counted up to the next "
        "twentieth, unless the key has the right to admin."
    ),
]
MinScore = Annotated[
    float | None,
    strawberry.argument(
        description="Score below which a memory is left out, counted up to the next hundredth, unless the key has the "
        "right to admin. Missing: the service's default, which only holds where meaning and words both search."
    ),
]
Grains = Annotated[
    list[Grain] | None,
    strawberry.argument(
        description="What is found: memories, what was said, or both in one order. A passage from which a memory was "
        "taken that is found too is left out. Missing: memories."
    ),
]
Automatic = Annotated[
    bool | None,
    strawberry.argument(
        description="Whether nobody asked: a program fills a prompt. Such a recall counts no access by default. "
        "Missing: so with the mode REFLEXIVE."
    ),
]
