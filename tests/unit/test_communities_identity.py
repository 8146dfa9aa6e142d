"""Which new cluster is which old community."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graph_memory.upkeep.community_identity import Members, match

partitions = st.dictionaries(st.integers(0, 30), st.integers(0, 5), min_size=1)


def members(text: str) -> Members:
    return frozenset(text)


def clusters(partition: dict[int, int]) -> list[Members]:
    groups: dict[int, set[str]] = {}
    for member, group in partition.items():
        groups.setdefault(group, set()).add(str(member))
    return [frozenset(group) for _, group in sorted(groups.items())]


def test_a_community_that_grows_keeps_its_id() -> None:
    found = match({"a": members("123")}, [members("12345")], 0.3)
    assert found.kept == ("a",)
    assert (found.ended, found.split, found.merged) == ((), 0, 0)


def test_the_larger_part_of_a_split_keeps_the_id() -> None:
    found = match({"a": members("12345678")}, [members("123"), members("45678")], 0.3)
    assert found.kept == (None, "a")
    assert found.split == 1


def test_what_took_in_two_keeps_the_id_of_the_greater() -> None:
    found = match({"a": members("123"), "b": members("45678")}, [members("12345678")], 0.3)
    assert found.kept == ("b",)
    assert (found.ended, found.merged) == (("a",), 1)


def test_a_small_overlap_is_no_continuation() -> None:
    found = match({"a": members("123456789")}, [members("9xyz")], 0.3)
    assert found.kept == (None,)
    assert found.ended == ("a",)


@given(partitions)
def test_the_same_clusters_keep_all_ids(partition: dict[int, int]) -> None:
    old = {f"c{index}": cluster for index, cluster in enumerate(clusters(partition))}
    found = match(old, list(old.values()), 0.3)
    assert found.kept == tuple(old)
    assert (found.ended, found.split, found.merged) == ((), 0, 0)


@given(partitions, partitions)
def test_every_community_is_kept_once_or_ends(before: dict[int, int], after: dict[int, int]) -> None:
    old = {f"c{index}": cluster for index, cluster in enumerate(clusters(before))}
    found = match(old, clusters(after), 0.3)
    kept = [id for id in found.kept if id]
    assert len(kept) == len(set(kept))
    assert sorted([*kept, *found.ended]) == sorted(old)


@given(partitions, partitions)
def test_the_order_of_the_old_ones_does_not_matter(before: dict[int, int], after: dict[int, int]) -> None:
    old = {f"c{index}": cluster for index, cluster in enumerate(clusters(before))}
    assert match(old, clusters(after), 0.3) == match(dict(reversed(old.items())), clusters(after), 0.3)
