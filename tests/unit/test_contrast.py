"""What looks alike and does not say the same."""

from __future__ import annotations

import pytest

from graph_memory.judge.contrast import says_otherwise


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The alarm at the summer house in Wales is on.", "The alarm at the summer house in Wales is off."),
        ("Ann smokes ten cigarettes a day.", "Ann smoked ten cigarettes a day."),
        ("Ann likes her new job at the bank.", "Ann liked her new job at the bank."),
    ],
)
def test_a_state_or_tense_that_changed_is_no_repetition(old: str, new: str) -> None:
    assert says_otherwise(old, new)
