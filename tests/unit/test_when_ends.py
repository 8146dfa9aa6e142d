"""Until when a statement is of interest, from its words and the day it was said on, a Monday."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_memory.ingest.when import when
from graph_memory.language.times.tense import looks_back

MONDAY = datetime(2026, 1, 5, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("I am in Rome until Friday.", "2026-01-10"),
        ("The code works till next Sunday.", "2026-01-12"),
        ("The offer is open through 3 March.", "2026-03-04"),
        ("The offer is open until March 3, 2027.", "2027-03-04"),
        ("The pass is good until 2026-02-01.", "2026-02-02"),
        ("I am on leave for the next two weeks.", "2026-01-20"),
        ("She stays for another 3 days.", "2026-01-09"),
        ("The pool stays empty until the end of the month.", "2026-02-01"),
        ("The pool stays empty until the end of this week.", "2026-01-12"),
        ("I am away until tomorrow.", "2026-01-07"),
        ("I am away until 5 January.", "2026-01-06"),
        ("I must pay the rent by 5 January.", "2026-01-06"),
        ("The pass is good until 31 December 2150.", "2151-01-01"),
    ],
)
def test_an_end_that_was_said_is_the_end_of_its_day(text: str, end: str) -> None:
    found = when(text, MONDAY).expires_at
    assert found is not None
    assert found.isoformat() == f"{end}T00:00:00+00:00"


@pytest.mark.parametrize(
    "text",
    [
        "I live in Rome.",
        "We talked until Friday.",
        "I have lived here for two years.",
        "I wait until she comes.",
        "The pass is good until 2026-02-31.",
        "The pass is good until 31.12.9999.",
        "The pass is good until 1 June 9999.",
        "The pass is good through 12/31/9999.",
        "Send it by 9999-12-31.",
        "Open until Friday, or until Sunday.",
    ],
)
def test_what_is_past_vague_or_twofold_has_no_end(text: str) -> None:
    assert when(text, MONDAY).expires_at is None


def test_what_happened_is_told_from_what_is() -> None:
    assert looks_back("Mara found a flat in Porto.")
    assert not looks_back("Mara lives in Ghent.")
