"""The words that tell which question a statement answers: works at, lives in, the favourite colour.

Two answers to one question may be far apart in meaning ("work at Google", "work at Anthropic"), but they have these words
in common.
"""

from __future__ import annotations

from graph_memory.language.analysis import read

_MOST = 5


def slots(text: str) -> dict[str, str]:
    """Up to five of them, as they are written, by their stems: not names, not values. None in other languages."""
    reading = read(text)
    if not reading.is_readable:
        return {}
    found = [(stem, word) for stem, word in reading.spelled.items() if stem not in reading.names]
    return dict(found[:_MOST])
