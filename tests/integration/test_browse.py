"""Browsing by any stored field."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.browsing import Condition, Operator, Sort, browse_by
from graph_memory.model.memory import Fact, Source

pytestmark = pytest.mark.stack


@pytest.fixture
def shelf(service, scope, clock):
    facts = [
        Fact("Ann likes tea.", kind="preference", tags=("drinks",), metadata={"page": 3, "draft": True}, importance=0.2, session_id="s1"),
        Fact("Ann moved.", kind="event", importance=0.9, happens_at=datetime(2026, 1, 5, tzinfo=UTC), source=Source(ref="m7", author="Ann")),
        Fact("Bob likes tea too.", kind="preference", tags=("drinks", "bob"), metadata={"page": 4}, importance=0.5, critical=True),
    ]  # fmt: skip
    for fact in facts:
        clock.forward(minutes=1)
        add(service, Call(scope, "test"), [fact])
    return facts


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ([("kind", "EQ", "preference")], ["Bob likes tea too.", "Ann likes tea."]),
        ([("kind", "NE", "preference")], ["Ann moved."]),
        ([("kind", "IN", ["event", "plan"])], ["Ann moved."]),
        ([("importance", "GTE", 0.5)], ["Bob likes tea too.", "Ann moved."]),
        ([("importance", "LT", 0.5)], ["Ann likes tea."]),
        ([("text", "CONTAINS", "LIKES")], ["Bob likes tea too.", "Ann likes tea."]),
        ([("tags", "CONTAINS", "Bob")], ["Bob likes tea too."]),
        ([("metadata.page", "EQ", 3)], ["Ann likes tea."]),
        ([("metadata.draft", "EQ", True)], ["Ann likes tea."]),
        ([("metadata.page", "NE", 3)], ["Bob likes tea too.", "Ann moved."]),
        ([("session_id", "EQ", "s1")], ["Ann likes tea."]),
        ([("source_ref", "EQ", "m7")], ["Ann moved."]),
        ([("happens_at", "EXISTS", True)], ["Ann moved."]),
        ([("happens_at", "GT", datetime(2026, 1, 1, tzinfo=UTC))], ["Ann moved."]),
        ([("critical", "EQ", True)], ["Bob likes tea too."]),
        (
            [("kind", "EQ", "preference"), ("tags", "CONTAINS", "drinks"), ("importance", "GT", 0.3)],
            ["Bob likes tea too."],
        ),
    ],
)
def test_any_stored_field_can_be_asked_for(service, scope, shelf, conditions, found):
    asked = [Condition(field, Operator(operator), value) for field, operator, value in conditions]
    assert [memory.text for memory in browse_by(service, scope, asked).items] == found


def test_pages_follow_any_order(service, scope, shelf):
    seen, after = [], None
    for _ in range(3):
        page = browse_by(service, scope, sort=Sort("importance", descending=False), first=1, after=after)
        seen += [memory.importance for memory in page.items]
        after = page.next
    assert (seen, after) == ([0.2, 0.9, 0.987], None)


@pytest.mark.parametrize(
    "condition",
    [
        Condition("embedding", Operator.EQ, "x"), Condition("tenant", Operator.EQ, "x"), Condition("kind", Operator.EQ, 3),
        Condition("importance", Operator.GT, True), Condition("tags", Operator.EQ, "x"), Condition("metadata.page", Operator.GT, 1),
        Condition("source_kind", Operator.NE, "internet"), Condition("status", Operator.IN, ["ACTIVE", "gone"]), Condition("tier", Operator.EQ, "tepid"),
        Condition("created_at", Operator.GT, datetime(2026, 1, 1)), Condition("x' OR 1=1", Operator.EQ, "x"),  # noqa: DTZ001
    ],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_refused(service, scope, condition):
    with pytest.raises(Invalid):
        browse_by(service, scope, [condition])


@pytest.mark.parametrize(
    ("field", "value"), [("importance", 0.5), ("pinned", True), ("access_count", 1), ("created_at", "2026")]
)
def test_only_a_text_can_be_asked_for_by_what_it_contains(service, scope, shelf, field, value):
    with pytest.raises(Invalid, match="cannot be asked for by CONTAINS") as refused:
        browse_by(service, scope, [Condition(field, Operator.CONTAINS, value)])
    assert refused.value.path == "where[0].operator"


def test_a_cursor_of_another_order_is_refused(service, scope, shelf):
    page = browse_by(service, scope, first=1)
    with pytest.raises(Invalid):
        browse_by(service, scope, sort=Sort("importance"), after=page.next)
