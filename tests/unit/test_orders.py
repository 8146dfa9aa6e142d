"""Orders to forget, told from all else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_memory.ingest.orders import Parted, marked, meant, parted
from graph_memory.judge.linker import Link
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Effect

DATA = Path(__file__).parents[1] / "data" / "orders"


def test_orders_of_a_hand_that_was_not_learnt_from_are_mostly_found() -> None:
    """Measured: 125 of 160, and 8 of 240 that are none; most of those are near misses."""
    lines = [json.loads(line) for line in (DATA / "fz.jsonl").read_text("utf-8").splitlines()]
    found = [(line["forget"], bool(parted(line["text"]).order)) for line in lines]
    assert len(lines) == 400
    assert sum(is_order and is_found for is_order, is_found in found) >= 112
    assert sum(is_found and not is_order for is_order, is_found in found) <= 12


@pytest.mark.parametrize(
    ("text", "order", "rest"),
    [
        ("Please forget my salary.", "Please forget my salary.", ""),
        ("I live in Leeds now. Please forget my salary.", "Please forget my salary.", "I live in Leeds now."),
        ("I forgot my keys.  Again.", "", "I forgot my keys.  Again."),
        ("Vergiss bitte mein Gehalt.", "", "Vergiss bitte mein Gehalt."),
    ],
)
def test_an_order_is_parted_from_the_rest(text: str, order: str, rest: str) -> None:
    assert parted(text) == Parted(order, rest)


def test_a_statement_that_is_nothing_but_an_order_is_held() -> None:
    facts = [
        Fact("Please forget my salary."),
        Fact("I live in Leeds now. Please forget my salary."),
        Fact("I live in Leeds."),
    ]
    assert [each.asks_to_forget for each in marked(facts)] == [True, False, False]
    held = Fact("Please forget my salary.", held="capture: confidence 0.60")
    assert marked([held]) == [held]


def _link(chance: float) -> Link:
    return Link(chance, {Effect.REPEATS: 1.0}, None, None)


@pytest.mark.parametrize(
    ("chances", "place"), [([], None), ([0.05, 0.01], None), ([0.2, 0.4], 1), ([0.2, 0.2, 0.15], None)]
)
def test_an_order_is_about_what_the_linker_says_if_it_says_so(
    chances: list[float], place: int | None
) -> None:
    assert meant([_link(each) for each in chances]) == place
