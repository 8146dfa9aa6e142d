"""Where a ledger stood: a change's number, and one value over the ends of all its chains.

Who may write everything can make a whole chain anew, and it fits in itself. It does not fit an anchor that is kept
where nobody who writes to the store can reach.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from graph_memory.base.errors import Invalid

_SPELLED = re.compile(r"([1-9]\d{0,17}):([0-9a-f]{64})")


@dataclass(frozen=True)
class Anchor:
    """The subjects' chains as they ended with the change of this number."""

    sequence: int
    value: str

    @classmethod
    def at(cls, sequence: int, ends: Iterable[str]) -> Anchor:
        """`ends` are the last chain values of the subjects; their order does not count."""
        return cls(sequence, hashlib.sha256(">".join(sorted(ends)).encode()).hexdigest())

    def __str__(self) -> str:
        return f"{self.sequence}:{self.value}"


def read_anchor(text: str) -> Anchor:
    """An anchor as `verify` prints it, SEQUENCE:VALUE. Raises Invalid."""
    found = _SPELLED.fullmatch(text.strip())
    if not found:
        raise Invalid(
            f"{text[:90]!r} is not an anchor; give it as `graph-memory verify` printed it: the number of a change, a colon "
            "and 64 hexadecimal digits.",
            path="anchor",
        )
    return Anchor(int(found[1]), found[2])
