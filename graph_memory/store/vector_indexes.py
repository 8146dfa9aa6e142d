"""The vector indexes: made with the size of the store's vectors and the filters that the searches name."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from graph_memory.store.queries import Query, query

INDEXES = query("system/space_indexes")
DROP_INDEX = query("system/space_drop_index")
LIVE = query("system/space_live")
PAST = query("system/space_past")
PASSAGE = query("system/space_passage")
LIVE_NEXT = query("system/space_live_next")
PAST_NEXT = query("system/space_past_next")
PASSAGE_NEXT = query("system/space_passage_next")

# The vector indexes by name, each with the statement that makes it.
MAIN = {"memory_live": LIVE, "memory_past": PAST, "passage": PASSAGE}
NEXT = {"memory_live_next": LIVE_NEXT, "memory_past_next": PAST_NEXT, "passage_next": PASSAGE_NEXT}

_PROPERTY = re.compile(r"n\.(\w+)")
_POLL_SECONDS = 1.0

System = Callable[..., list[dict[str, Any]]]


def fit(system: System, dimension: int) -> None:
    """Makes the indexes of a store without vectors anew when they are for vectors of another size."""
    found = {row["name"]: row["dimension"] for row in system(INDEXES)}
    for name, index in MAIN.items():
        if name in found and found[name] != dimension:
            system(DROP_INDEX, name=name)
            system(index, options=options(dimension))


def complete(system: System) -> None:
    """Makes those indexes that are missing beside others, for vectors of the same size: they came with a newer version."""
    found = {row["name"]: row["dimension"] for row in system(INDEXES)}
    for made in (MAIN, NEXT):
        sizes = {found[name] for name in made if name in found}
        for name in made.keys() - found.keys() if sizes else ():
            system(made[name], options=options(max(sizes)))


def refit(system: System, told: Callable[[str], None] = lambda _: None) -> list[str]:
    """Makes those indexes anew that filter by other properties than the searches name, and waits until they are filled.

    Each keeps the size of its vectors. Says which those were; a second time none.
    """
    made = MAIN | NEXT
    anew = [row for row in system(INDEXES) if row["filters"] != _filters(made[row["name"]])]
    for row in anew:
        system(DROP_INDEX, name=row["name"])
        system(made[row["name"]], options=options(row["dimension"]))
    while filling := [row for row in system(INDEXES) if row["state"] == "POPULATING"]:
        told(", ".join(f"{row['name']}: {row['filled']:.0f} % filled" for row in filling))
        time.sleep(_POLL_SECONDS)
    return [row["name"] for row in anew]


def _filters(index: Query) -> list[str]:
    """By what an index filters, as the statement that makes it says."""
    return _PROPERTY.findall(index.text.partition("WITH [")[2].partition("]")[0])


def options(dimension: int) -> dict[str, Any]:
    """How a vector index is made."""
    return {"indexConfig": {"vector.dimensions": dimension, "vector.similarity_function": "cosine"}}
