"""The first that are found, read once more: a small model reads the question beside each, word by word, which tells more than the
likeness of their vectors and the words that they share.
"""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.judge import answering
from graph_memory.store.service import Row

# What the logit of the model counts beside that of the search, tried on conversations that it has not learnt from
# (docs/explanation/recall.md).
WEIGHT = 2.0
# The least that counts: what answers nothing at all is not told apart by how little it does.
LEAST = -4.0
# The logit from which on what was read is an answer, however little the search by itself would make of it.
ANSWERS = 1.5
READS = "reads"


def reread(question: str, rows: Sequence[Row]) -> list[Row]:
    """The rows of a search with what the model has read in each: `seen.reads`, the logit that it answers, at least LEAST.

    What bears another name than the question gives it is not read. Raises ModelFault where the model's file is missing or
    another.
    """
    texts = [(place, text) for place, row in enumerate(rows) for text in _texts_of(row)]
    reads: dict[int, float] = {}
    for (place, _), read in zip(
        texts, answering.opened().read(question, [text for _, text in texts]), strict=True
    ):
        reads[place] = max(read, reads.get(place, LEAST))
    return [
        row | {"seen": row["seen"] | ({READS: reads[place]} if place in reads else {})}
        for place, row in enumerate(rows)
    ]


def _texts_of(row: Row) -> list[str]:
    """What is read: the memory and, where that was found too, what it was taken from."""
    if _is_named_otherwise(row):
        return []
    return [_text_of(row), *([row["heard"]] if row["heard"] else [])]


def _is_named_otherwise(row: Row) -> bool:
    """Whether it was found by a name that it does not hold: the model cannot know that, so it does not read it."""
    return bool(row["seen"].get("entity")) and not row["seen"].get("words")


def _text_of(row: Row) -> str:
    """What is read: with who said it, where it stands as it was said."""
    said, state = row["said"], row["state"]
    if said is not None:
        shown = f" [shares {row['picture']}]" if row["picture"] else ""
        return f"{said['speaker']}: {said['text']}{shown}"
    text, speaker = str(state["text"]), state["source_author"] if state["heading"] else None
    return f"{speaker}: {text}" if speaker and speaker not in text else text
