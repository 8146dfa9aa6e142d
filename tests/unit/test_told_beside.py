"""What a message tells beside the value that it puts into what is known is kept."""

from __future__ import annotations

import pytest

from graph_memory.ingest.told_beside import Beside, told_beside


@pytest.mark.parametrize(
    ("text", "value", "beside"),
    [
        ("Now 88. Ann is allergic to nuts.", "88", Beside(alone="Ann is allergic to nuts.")),
        ("Now 88. Sorry.", "88", Beside()),
        (
            "It's 88 now and Dr Lee said Ann must not eat grapefruit",
            "88",
            Beside(with_it="Dr Lee said Ann must not eat grapefruit."),
        ),
        ("Flour is 205 now, they blame the sea", "205", Beside()),
        ("Ann's manager is now Eva, no longer Tom.", "Eva, no longer Tom", Beside()),
        (
            "Ann takes 18 now because Ann got a kidney infection from the hospital",
            "18",
            Beside(with_it="Because Ann got a kidney infection from the hospital."),
        ),
        # Of a value that a third person tells otherwise as much as is found.
        (
            "Bev retired to Porto. Ann's is on 17 jan",
            "mine is on 17 jan",
            Beside(alone="Bev retired to Porto."),
        ),
        # A value is words of its own, and what does not hold it has put nothing in.
        ("Ann was born in 1988 in Lyon.", "88", Beside()),
        ("*88", "88", Beside()),
    ],
)
def test_what_is_told_beside_a_value(text: str, value: str, beside: Beside) -> None:
    assert told_beside(text, value, 0.2) == beside
