"""Filling a pack and comparing two: for any memories, any budget and any counter."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.base.errors import Invalid
from graph_memory.base.ids import derived_id
from graph_memory.language.pack_block import block_of, digest_of, escaped
from graph_memory.model.memory import Memory
from graph_memory.models.token_counters import TokenCounter, by_characters, counter_of
from graph_memory.recall.pack_filling import TRUNCATED, Candidate, fill
from graph_memory.recall.pack_versions import difference, parse, version_of

DAY = datetime(2026, 3, 1, 9, tzinfo=UTC)
ROW = {
    "memory_id": None, "subject_id": "s", "caption": "", "heading": "", "tags": [], "metadata": "{}", "status": "ACTIVE",
    "confidence": 1.0, "importance": 0.5, "base_importance": 0.5, "tier": "HOT", "access_count": 0, "valid_from": DAY,
    "valid_to": None, "recorded_from": DAY, "recorded_to": None, "updated_at": DAY, "chain_id": "c", "source_kind": "user",
}  # fmt: skip


def candidate(number: int, text: str, kind: str, pinned: bool, hours: int) -> Candidate:
    memory = Memory.from_row(
        ROW
        | {"id": derived_id(str(number)), "text": text, "kind": kind, "pinned": pinned, "critical": False}
        | {"created_at": DAY - timedelta(hours=hours)}
    )
    return Candidate(memory, f"- {escaped(text)}")


def capricious(text: str) -> int:
    """A counter by which a longer text may be fewer tokens."""
    return len(text) // 8 + hashlib.sha256(text.encode()).digest()[0]


CANDIDATES = st.lists(
    st.tuples(st.text(max_size=120), st.sampled_from(["fact", "plan", "a<b"]), st.booleans(), st.integers(0, 9)),
    max_size=6,
).map(lambda rows: [candidate(number, *row) for number, row in enumerate(rows)])  # fmt: skip
COUNTERS: list[TokenCounter] = [by_characters, counter_of("minilm"), capricious, len]


@given(CANDIDATES, st.integers(1, 400), st.sampled_from(COUNTERS), st.randoms())
def test_the_block_keeps_to_the_budget_and_stands_in_one_order(
    candidates: list[Candidate], budget: int, count: TokenCounter, random: st.DataObject
) -> None:
    made = fill(candidates, count, budget, DAY)
    assert not made.text or count(made.text) <= budget
    assert len(made.chosen) + len(made.cut) == len(candidates)
    assert bool(made.text) == bool(made.chosen)
    assert (TRUNCATED in made.lines) == bool(made.chosen and made.cut) or count is capricious
    shuffled = list(made.chosen)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fill(shuffled, len, 10**6, DAY).chosen == made.chosen


def one_by_one(candidates: list[Candidate], count: TokenCounter, budget: int) -> list[Candidate]:
    """What fits where the whole block is counted for each candidate."""
    chosen: list[Candidate] = []
    for each in candidates:
        more = fill([*chosen, each], len, 10**6, DAY).lines
        if count(block_of([*more, TRUNCATED], DAY)) <= budget:
            chosen.append(each)
    return chosen


WORDS = st.text(st.sampled_from("words of many lengths, 1234 üñ- "), max_size=120)
MANY = st.lists(
    st.tuples(WORDS, st.sampled_from(["fact", "plan"]), st.booleans(), st.integers(0, 9)), min_size=5, max_size=30
).map(lambda rows: [candidate(number, *row) for number, row in enumerate(rows)])  # fmt: skip


@given(MANY, st.integers(80, 400), st.sampled_from([by_characters, counter_of("minilm"), len]))
def test_lines_that_are_added_up_fill_a_block_as_lines_counted_together(
    candidates: list[Candidate], budget: int, count: TokenCounter
) -> None:
    made, plain = fill(candidates, count, budget, DAY), one_by_one(candidates, count, budget)
    if made.cut and plain:
        known = count(block_of([*fill(plain, len, 10**6, DAY).lines, TRUNCATED], DAY))
        assert count(made.text) >= known - 4


@pytest.mark.parametrize("budget", [1000, 10_000, 30_000])
def test_a_large_pack_is_counted_a_few_times_over_and_not_for_each_memory(budget: int) -> None:
    """A budget of 100,000 took 25 s of a processor."""
    read = 0

    def count(text: str) -> int:
        nonlocal read
        read += len(text)
        return by_characters(text)

    candidates = [candidate(at, f"{'word ' * (60 + at % 7)}{at}", "fact", False, at) for at in range(400)]
    made = fill(candidates, count, budget, DAY)
    assert budget - 100 < by_characters(made.text) <= budget
    assert read < 10 * sum(len(each.line) for each in candidates)


def test_characters_are_counted_up() -> None:
    assert [by_characters("x" * length) for length in (0, 1, 4, 5)] == [0, 1, 1, 2]
    assert counter_of("minilm")("word " * 1000) == 1000


LINES = st.dictionaries(st.integers(0, 9).map(lambda number: derived_id(str(number))), st.text(max_size=9))


@given(LINES, LINES)
def test_a_version_tells_what_changed_since(old: dict[str, str], new: dict[str, str]) -> None:
    before, now = (version_of(list(each.values()), each) for each in (old, new))
    assert str(parse(str(before))) == str(before)
    assert before.digest == digest_of(list(old.values()))
    found = difference(parse(str(before)), now)
    assert set(found.added) == new.keys() - old.keys()
    assert set(found.removed) == old.keys() - new.keys()
    assert set(found.changed) == {id for id in new.keys() & old.keys() if new[id] != old[id]}
    assert difference(before, before).is_same


@given(st.text(max_size=40))
def test_what_is_no_version_is_refused(given: str) -> None:
    with pytest.raises(Invalid):
        parse(f"x{given}")
