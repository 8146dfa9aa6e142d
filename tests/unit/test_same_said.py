"""Which memories are proven to say the same, and how clusters are made of vectors alone."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from graph_memory.bench.consolidate_bench import generated
from graph_memory.ingest.same_said import Group, Prover, fault_of
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.models.fence import Offered
from graph_memory.upkeep import consolidate_prompt
from graph_memory.upkeep.clusters import Cluster
from graph_memory.upkeep.near_pairs import NEAREST, across
from graph_memory.upkeep.vector_clusters import Vectors, agglomerated, sized

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONGEST = 2000


def row(text: str, **fields: Any) -> dict[str, Any]:
    plain = {
        "text": text, "content_hash": hashlib.sha256(text.encode()).hexdigest(), "kind": "fact", "valid_from": AT,
        "valid_to": AT, "heading": "", "source_kind": "user", "metadata": "{}",
    }  # fmt: skip
    return {**plain, "id": plain["content_hash"], **fields}


def groups(*texts: str, **fields: Any) -> list[Group]:
    return Prover(EmbeddedJudge(), 0.95, LONGEST).groups([row(text, **fields) for text in texts])


@pytest.mark.parametrize(
    ("texts", "merged"),
    [
        (("Ann has a dog.", "Ann has a dog called Rex."), None),
        (("Ann's flight leaves on 3 May.", "Ann's flight to Oslo leaves on 3 May at 07:40."), None),
        (("Ann lives in Ghent.", "Ann lives in Ghent now."), None),
    ],
)
def test_what_says_the_same_is_one_group(texts: tuple[str, str], merged: str | None) -> None:
    [group] = groups(*texts)
    assert group.text == (merged or max(texts, key=len))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann has 2 dogs.", "Ann has 3 dogs."),
        ("Ann takes 100 mg in the morning.", "Ann takes 100 mg in the evening."),
        ("Ann's flight leaves on 3 May.", "Ann's flight leaves on 4 May."),
        ("Ann likes fish.", "Ann does not like fish."),
        ("Ann lives in Paris.", "Ben lives in Paris."),
        ("Ann lives in Paris.", "Ann lives in Lyon."),
        ("Ann has a sister.", "Ann has a brother."),
        ("Ann loves tea.", "Ann hates tea."),
        ("Anna wohnt in Bern.", "Anna arbeitet in Bern."),
    ],
)
def test_what_differs_in_one_value_is_no_group(one: str, other: str) -> None:
    assert groups(one, other) == []


def test_a_preference_turned_round_is_no_group_in_any_words() -> None:
    turned = "Ann prefers to be texted rather than called."
    for told in (
        "Ann prefers to be called rather than texted.",
        "Ann would rather get a phone call than a text.",
    ):
        assert groups(turned, told) == []
    assert groups("Ann prefers tea to coffee.", "Ann would rather have coffee than tea.") == []


def test_events_are_counted_by_themselves() -> None:
    assert groups("Ann went for a swim.", "Ann really went for a swim.", kind="event") == []


def test_no_two_groups_of_the_bench_are_put_together() -> None:
    made = [each for each in generated(240) if each.subject == "ann"]
    group_of = {each.text: each.group for each in made}
    found = groups(*group_of)
    pairs = [pair for group in found for pair in combinations([row["text"] for row in group.members], 2)]
    assert len(pairs) > 10
    assert [pair for pair in pairs if group_of[pair[0]] != group_of[pair[1]]] == []


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("Theo's knee is much better. Theo ran five kilometres yesterday.", None),
        ("Theo's knee is better. Theo ran yesterday.", "the text has other values than the memories"),
        (
            "Theo's knee is much better. Theo walked five kilometres yesterday.",
            "the text loses words of a memory",
        ),
    ],
)
def test_that_somebody_asked_and_somebody_answered_may_be_left_out(told: str, fault: str | None) -> None:
    answered = 'Asked "How is the knee?", Theo answered: Much better. Theo ran five kilometres yesterday.'
    assert fault_of(told, [row(answered)], LONGEST) == fault


def test_where_something_lies_may_be_said_with_another_small_word() -> None:
    member = row("You find the key beneath the flowerpot.")
    assert fault_of("You find the key underneath the flowerpot.", [member], LONGEST) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Ann pays 40 euros each month to Theo in Oslo.", None),
        ("Ann pays Theo in Oslo each month.", "loses a number"),
        ("Ann pays 40 euros in Oslo each month.", "loses a number or a name"),
        ("Ann pays 40 euros to Theo in Oslo.", "loses words"),
        ("Ann pays 40 euros each month to Theo and Ben in Oslo.", "no memory says"),
        ("Ann does not pay 40 euros each month to Theo in Oslo.", "denies"),
        ("Ann pays 40 euros each month to Theo in Oslo from 3 May on.", "no memory says"),
        ("", "empty"),
    ],
)
def test_a_text_that_loses_or_makes_up_something_is_told(text: str, fault: str | None) -> None:
    members = [row("Ann pays 40 euros each month."), row("Ann pays 40 euros to Theo in Oslo.")]
    told = fault_of(text, members, LONGEST)
    assert told is None if fault is None else fault in str(told)


ONE, TWO, THREE = (f"{letter * 8}-0000-4000-8000-000000000000" for letter in "abc")


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("no", 0),
        ("Yes.", 0),
        ("[]", 0),
        ('{"groups": []}', 0),
        (
            '{"ids": ["aaaaaaaa", "bbbbbbbb"], "should_consolidate": true, "consolidated_text": "x", "reasoning": ""}',
            1,
        ),
        ('{"should_consolidate": true, "consolidated_text": "x"}', 1),
        ('{"should_consolidate": "true", "consolidated_text": "x"}', 0),
        ('{"should_consolidate": true, "consolidated_text": " "}', 0),
        ('{"ids": ["aaaaaaaa", "ffffffff"], "should_consolidate": true, "consolidated_text": "x"}', 0),
        ('{"ids": ["aaaaaaaa"], "should_consolidate": true, "consolidated_text": "x"}', 0),
    ],
)
def test_a_proposal_is_one_only_when_it_is_clear(answer: str, count: int) -> None:
    """Case 106; a bare yes has no text."""
    assert len(consolidate_prompt.read(answer, Offered([ONE, TWO, THREE]))) == count


def vectors(*sizes: int) -> Vectors:
    """So many memories round each of some directions."""
    source = np.random.default_rng(7)
    centres = source.normal(size=(len(sizes), 32))
    rows = np.concatenate(
        [centre + 0.1 * source.normal(size=(size, 32)) for centre, size in zip(centres, sizes, strict=True)]
    )
    units = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return Vectors(tuple(f"m{at:03}" for at in range(len(units))), units)


@pytest.mark.parametrize(
    ("size", "most", "parts"), [(25, 20, 2), (21, 20, 2), (41, 20, 3), (20, 20, 1), (5, 4, 2)]
)
def test_a_cluster_that_is_too_large_is_split_and_loses_none(size: int, most: int, parts: int) -> None:
    """Case 110."""
    found = vectors(size)
    split = sized(found, Cluster(frozenset(found.ids), "", found.ids[0]), most)
    assert len(split) == parts
    assert sorted(id for part in split for id in part.members) == list(found.ids)
    assert all(2 <= len(part.members) <= most for part in split)


def test_average_linkage_finds_what_lies_together_in_any_order() -> None:
    found = vectors(6, 4, 1)
    clusters = agglomerated(found, 0.85, 2)
    assert [sorted(each.members) for each in clusters] == [
        [f"m{at:03}" for at in range(6)],
        [f"m{at:03}" for at in range(6, 10)],
    ]


def test_what_lies_near_in_another_cluster_is_looked_at_once_with_each() -> None:
    found = vectors(3, 3, 1)
    one, other, alone = found.ids[:3], found.ids[3:6], found.ids[6]
    halves = [Cluster(frozenset(ids), "", ids[0]) for ids in ((one[0], *other[:2]), (*one[1:], other[2]))]
    around = across(found, halves, set(found.ids), 0.85)
    pairs = [frozenset((each.id, near)) for each in around for near in each.near]
    assert sorted(map(sorted, pairs)) == sorted(
        sorted(pair)
        for pair in ((one[0], one[1]), (one[0], one[2]), (other[0], other[2]), (other[1], other[2]))
    )
    assert alone not in {id for pair in pairs for id in pair}
    assert [each.id for each in across(found, halves, {other[2]}, 0.85)] == [other[2]]
    assert across(found, [Cluster(frozenset(found.ids), "", alone)], set(found.ids), -1.0) == []


def test_only_the_nearest_are_looked_at_and_memories_in_no_cluster_with_one_another() -> None:
    found = vectors(30)
    around = across(found, [], {found.ids[4]}, 0.5)
    alike = np.round(found.rows @ found.rows[4], 5)
    nearest = sorted(set(range(30)) - {4}, key=lambda place: (-alike[place], place))[:NEAREST]
    assert [each.near for each in around] == [tuple(found.ids[place] for place in nearest)]


@pytest.mark.parametrize(("members", "coherence"), [(1, 0.9), (2, 1.1), (2, -0.1)])
def test_one_memory_is_no_cluster(members: int, coherence: float) -> None:
    """Case 102."""
    with pytest.raises(ValueError, match="no cluster"):
        Cluster(frozenset(f"m{at}" for at in range(members)), "", "m0", coherence)
