"""Where a ledger stood: a change's number and chain value, to be kept where nobody who writes to the store can reach.

Who may write everything can make a whole chain anew, and it fits in itself. It does not fit an anchor kept elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph_memory.errors import Invalid

_SPELLED = re.compile(r"([1-9]\d{0,17}):([0-9a-f]{64})")


@dataclass(frozen=True)
class Anchor:
    """The chain value of the change with this number."""

    sequence: int
    value: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.value}"


def read_anchor(text: str) -> Anchor:
    """An anchor as `verify` prints it, SEQUENCE:VALUE. Raises Invalid."""
    found = _SPELLED.fullmatch(text.strip())
    if not found:
        raise Invalid(
            f"{text[:90]!r} is no anchor; give it as `graph-memory verify` printed it: the number of a change, a colon "
            "and 64 hexadecimal digits.",
            path="anchor",
        )
    return Anchor(int(found[1]), found[2])
