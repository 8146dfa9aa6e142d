"""What the system itself wrote: packs handed out carry a marker, and what carries it is not remembered again.

A pack never holds a tag of its own marker inside (`pack_block.escaped`), so the first end after a beginning is its end.
"""

from __future__ import annotations

import re

from graph_memory.base.errors import Invalid
from graph_memory.language import patterns

# The element that wraps every pack. It may come back cut off, so one of its tags alone is enough.
MARKER = "memory_consolidated_summaries"
# A tag is taken as a whole, however long; it may itself be cut.
_TAG = patterns.compile(rf"<\s*(?P<end>/?)\s*{MARKER}\b[^<>]*>?", re.IGNORECASE, reach=1_000_000)


def without_own(text: str) -> str:
    """The text without the packs in it, each in its place a newline; the same text where there is none.

    A pack that is cut off reaches to the end of the text, or begins where the pack before it ended: in doubt words are
    taken for a pack's, since what is known must not come back as news.
    """
    kept, since, is_inside = list[str](), 0, False
    for tag in _TAG.finditer(text):
        if tag["end"]:
            since, is_inside = tag.end(), False
        elif not is_inside:
            kept.append(text[since : tag.start()])
            is_inside = True
    if not is_inside:
        kept.append(text[since:])
    return "\n".join(kept) if kept else "\n"


def is_own(text: str) -> bool:
    """Whether this text holds something of a pack."""
    return bool(_TAG.search(text))


def refuse_own(text: str, path: str) -> None:
    """Invalid for a text that the system handed out: remembering it would count what is known as news."""
    if is_own(text):
        raise Invalid(
            f"{path} holds memories that were handed out as a <{MARKER}> block; remember what was said, "
            "without the block.",
            path=path,
        )
