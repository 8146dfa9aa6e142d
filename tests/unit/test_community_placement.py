"""Where a memory that changed belongs, among communities that stay as they are."""

from __future__ import annotations

from graph_memory.upkeep.community_placement import Changed, Known, Near, place_changed

KNOWN = {
    "food": Known(frozenset("abcd"), "a", "Food"),
    "work": Known(frozenset("wxyz"), "w", "Work"),
}


def near(*found: tuple[str, float, str | None]) -> tuple[Near, ...]:
    return tuple(Near(*each) for each in found)


def test_a_new_memory_joins_the_community_that_weighs_most_among_its_nearest() -> None:
    new = Changed("n", "new", near(("a", 0.7, "food"), ("w", 0.8, "work"), ("b", 0.6, "food")))
    found = place_changed(KNOWN, [new], set(), 3)
    assert [each.members for each in found] == [frozenset("abcdn"), frozenset("wxyz")]
    assert [each.label for each in found] == ["Food", "Work"]


def test_what_says_something_else_leaves_its_community_and_what_is_gone_is_gone() -> None:
    moved = Changed("a", "other", near(("x", 0.9, "work")))
    found = place_changed(KNOWN, [moved], {"b"}, 2)
    assert [each.members for each in found] == [frozenset("cd"), frozenset("wxyza")]
    assert found[0].central_id == "c"
    assert [each.members for each in place_changed(KNOWN, [moved], {"b"}, 3)] == [frozenset("wxyza")]


def test_memories_near_to_no_community_make_one_of_their_own() -> None:
    fresh = [
        Changed("1", "one", near(("2", 0.8, None), ("old", 0.7, None))),
        Changed("2", "two", near(("1", 0.8, None))),
        Changed("3", "alone", ()),
    ]
    [*_, made] = place_changed(KNOWN, fresh, set(), 3)
    assert (made.members, made.label) == (frozenset({"1", "2", "old"}), "one")


def test_the_order_in_which_communities_are_known_does_not_matter() -> None:
    new = [Changed("n", "new", near(("a", 0.7, "food"), ("w", 0.7, "work")))]
    assert place_changed(KNOWN, new, set(), 3) == place_changed(dict(reversed(KNOWN.items())), new, set(), 3)
