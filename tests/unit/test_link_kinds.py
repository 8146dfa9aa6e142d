"""The types of links, their aliases, and who may make them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.model.link_kinds import (
    DERIVED,
    JUDGED,
    LIFECYCLE,
    LINKABLE,
    RECORDED,
    STRUCTURAL,
    SYMMETRIC,
    LinkKind,
    kind_of,
    kinds_of,
    linkable,
    stored_as,
)

CYPHER = Path(__file__).parents[2] / "cypher"


def test_every_type_is_in_one_group():
    assert set(LinkKind) == JUDGED | STRUCTURAL | LIFECYCLE
    assert len(JUDGED) + len(STRUCTURAL) + len(LIFECYCLE) == len(LinkKind) == 18


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("causes", LinkKind.CAUSES),
        (" Causes ", LinkKind.CAUSES),
        ("contradicts", LinkKind.CONFLICTS),
        ("Related_To", LinkKind.RELATED),
        ("SEQUENTIAL", LinkKind.FOLLOWS),
    ],
)
def test_a_name_or_an_alias_is_read_in_any_case(name, kind):
    """Case 72."""
    assert kind_of(name) is kind


@pytest.mark.parametrize("name", ["", "likes", "CAUSES|RELATED", "x]->() DETACH DELETE n //", "MENTIONS"])
def test_an_unknown_type_is_refused_and_the_known_ones_are_named(name):
    with pytest.raises(Invalid, match=r"CAUSES.*SUPPORTS"):
        kind_of(name)


@pytest.mark.parametrize("kind", sorted(set(LinkKind) - LINKABLE))
def test_what_belongs_to_other_operations_is_not_made_by_hand(kind):
    with pytest.raises(Invalid, match="by hand"):
        linkable(kind)


def test_without_names_shared_entities_are_left_out():
    assert kinds_of(None) == RECORDED == set(LinkKind) - DERIVED


def test_a_conflict_is_stored_from_the_lower_id_to_the_higher():
    assert stored_as(LinkKind.CONFLICTS, "b", "a") == stored_as(LinkKind.CONFLICTS, "a", "b") == ("a", "b")
    assert stored_as(LinkKind.CAUSES, "b", "a") == ("b", "a")


def test_a_query_that_lists_link_types_lists_all_or_those_of_one_group():
    made = LINKABLE - STRUCTURAL
    groups = (LINKABLE, JUDGED, JUDGED | STRUCTURAL, made, made - SYMMETRIC)
    for file in (CYPHER / "queries").rglob("*.cypher"):
        for named in re.findall(r"\[\w*:([A-Z_]+(?:\|[A-Z_]+){3,})", file.read_text("utf-8")):
            types = set(named.split("|"))
            assert types >= RECORDED or types in groups, file.name


def test_every_recorded_type_has_its_constraints():
    text = "".join(file.read_text("utf-8") for file in (CYPHER / "migrations").glob("*.cypher"))
    for kind in RECORDED:
        assert f"[r:{kind}]-() REQUIRE (r.tenant, r.open_key)" in text
        assert f"[r:{kind}]-() REQUIRE (r.tenant, r.id, r.recorded_to)" in text
