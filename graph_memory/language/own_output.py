"""What the system itself wrote: packs handed out carry a marker, and what carries it is not remembered again."""

from __future__ import annotations

import re

from graph_memory.base.errors import Invalid
from graph_memory.language import patterns

# The element that wraps every pack. It may come back cut off, so its opening alone is enough.
MARKER = "memory_consolidated_summaries"
# A pack is taken out as a whole, however long.
_WHOLE = 1_000_000
_OPENING = patterns.compile(rf"<\s*/?\s*{MARKER}\b", re.IGNORECASE)


_BLOCK = patterns.compile(
    rf"<\s*{MARKER}\b.*?(?:<\s*/\s*{MARKER}\s*>|\Z)", re.IGNORECASE | re.DOTALL, reach=_WHOLE
)
_LATE_END = patterns.compile(rf"\A.*<\s*/\s*{MARKER}\s*>", re.IGNORECASE | re.DOTALL, reach=_WHOLE)


def without_own(text: str) -> str:
    """The text without the packs in it, also where one is cut off at its end or its beginning."""
    return _LATE_END.sub("\n", _BLOCK.sub("\n", text))


def is_own(text: str) -> bool:
    """Whether this text holds something of a pack."""
    return bool(_OPENING.search(text))


def refuse_own(text: str, path: str) -> None:
    """Invalid for a text that the system handed out: remembering it would count what is known as news."""
    if is_own(text):
        raise Invalid(
            f"{path} holds memories that were handed out as a <{MARKER}> block; remember what was said, "
            "without the block.",
            path=path,
        )
