"""Adding, superseding and reading back, on the real database."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.base.errors import (
    BadId,
    Conflict,
    Forbidden,
    IdempotencyMismatch,
    Invalid,
    LiveTwin,
    NotFound,
)
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import reading
from graph_memory.memory.addition import Outcome, add
from graph_memory.memory.retirement import why_retired
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import EntityName, Fact
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack


def day(month: int, date: int, year: int = 2026) -> datetime:
    return datetime(year, month, date, tzinfo=UTC)


def keep(service: Service, scope: Scope, *texts: str, **fields: object) -> list[str]:
    facts = [Fact(text, **fields) for text in texts]  # type: ignore[arg-type]
    return [added.id for added in add(service, Call(scope, "test"), facts)[0]]


def test_adding_nothing_answers_nothing(service, scope):
    """Case 1."""
    assert add(service, Call(scope, "test"), [])[0] == []


def test_facts_get_ids_in_their_order(service, scope):
    """Case 2."""
    ids = keep(service, scope, "Ann has a dog.", "Ann has a cat.")
    assert [memory.text for memory in reading.get_many(service, scope, ids)] == [
        "Ann has a dog.",
        "Ann has a cat.",
    ]


def test_a_memory_carries_what_was_given_and_what_is_known_of_it(service, scope):
    """Case 10."""
    fact = Fact(
        "Ann prefers tea.", kind="preference", tags=(" Go ", "go", "API"), metadata={"page": 3}, confidence=0.7,
        importance=0.4, entities=(EntityName("Ann", "ann", "PERSON"),),
    )  # fmt: skip
    [added], _ = add(service, Call(scope, "test"), [fact])
    memory = reading.get(service, scope, added.id)
    assert (memory.kind, memory.tags, memory.metadata, memory.confidence) == (
        "preference",
        ("api", "go"),
        {"page": 3},
        0.7,
    )
    assert memory.valid_from == memory.created_at == memory.recorded_from == service.clock()
    assert memory.valid_to is None and memory.recorded_to is None and memory.chain_id == memory.id
    assert [entity["name"] for entity in reading.entities_of(service, scope, [added.id])[added.id]] == ["Ann"]


@pytest.mark.parametrize(
    ("fact", "path"),
    [
        (Fact(""), "text"),
        (Fact("  \n "), "text"),
        (Fact("x" * 4001), "text"),
        (Fact("a\0b"), "text"),
        (Fact("half \ud800 a pair"), "text"),
        (Fact("ok", confidence=1.1), "confidence"),
        (Fact("ok", confidence=math.nan), "confidence"),
        (Fact("ok", importance=-0.1), "importance"),
        (Fact("ok", kind="two words"), "kind"),
        (Fact("ok", valid_from=datetime(2026, 1, 1)), "valid_from"),  # noqa: DTZ001 - naive on purpose
        (
            Fact(
                "ok", valid_from=datetime(2026, 2, 1, tzinfo=UTC), valid_to=datetime(2026, 1, 1, tzinfo=UTC)
            ),
            "valid_to",
        ),
        (
            Fact(
                "ok", valid_from=datetime(2026, 2, 1, tzinfo=UTC), valid_to=datetime(2026, 2, 1, tzinfo=UTC)
            ),
            "valid_to",
        ),
        (Fact("ok", valid_to=datetime(2026, 1, 1, 9, tzinfo=UTC)), "valid_to"),
        (Fact("ok", expires_at=datetime(2026, 1, 1, 9, tzinfo=UTC)), "expires_at"),
        (
            Fact(
                "ok", valid_from=datetime(2026, 2, 1, tzinfo=UTC), expires_at=datetime(2026, 1, 9, tzinfo=UTC)
            ),
            "expires_at",
        ),
        (Fact("ok", vector=(1.0,) * 383), "vector"),
        (Fact("ok", vector=(math.nan,) * 384), "vector"),
        (Fact("ok", vector=(0.0,) * 384), "vector"),
        (Fact("ok", vector=(1e100,) * 384), "vector"),
        (Fact("ok", metadata={"deep": {"er": 1}}), "metadata"),
        (Fact("ok", heading="\ud800"), "heading"),
    ],
)
def test_a_bad_fact_is_refused_with_its_place_and_nothing_is_stored(service, scope, fact, path):
    """Cases 8 and 9: the good fact beside it is not stored either."""
    with pytest.raises(Invalid) as caught:
        add(service, Call(scope, "test"), [Fact("A good one."), fact])
    assert path in caught.value.path
    assert reading.browse(service, scope).items == []
    assert changes(service, scope) == []


def test_a_text_too_long_is_told_both_lengths(service, scope):
    with pytest.raises(Invalid, match=r"4001.*4000"):
        keep(service, scope, "x" * 4001)


@pytest.mark.parametrize(
    "text",
    [
        "quotes \" and ` and ' too",
        "MATCH (n) DETACH DELETE n //",
        "+must -not [a TO b] AND OR (c)^2~ *?:\\/",
        "naïve 日本語 🙂 ﷽ \u202e rtl",
    ],
)
def test_any_text_is_stored_exactly(service, scope, text):
    [id] = keep(service, scope, text)
    assert reading.get(service, scope, id).text == text


def test_the_same_statement_is_live_once(service, scope):
    [first] = keep(service, scope, "Ann likes tea.")
    [again, other], _ = add(service, Call(scope, "test"), [Fact("ann  likes TEA"), Fact("Ann likes coffee.")])
    assert (again.id, again.outcome) == (first, Outcome.DUPLICATE)
    assert other.outcome is Outcome.ADDED


def test_the_same_statement_twice_in_one_call_is_stored_once(service, scope):
    ids = keep(service, scope, "Ann likes tea.", "Ann likes tea.")
    assert ids[0] == ids[1]
    assert len(reading.browse(service, scope).items) == 1


def test_a_statement_may_return_after_it_ended(service, scope, clock):
    [first] = keep(service, scope, "Ann lives in Ghent.", valid_to=day(2, 1))
    clock.set(2026, 3, 1)
    [second] = keep(service, scope, "Ann lives in Ghent.")
    assert second != first
    assert why_retired(service, scope, first).is_retired


def test_the_same_key_stores_once_and_answers_the_same(service, scope):
    call = Call(scope, "test", key="k-1")
    first, once = add(service, call, [Fact("Ann has a bike.")])
    second, twice = add(service, call, [Fact("Ann has a bike.")])
    assert (first, once.replayed, twice.replayed) == (second, False, True)
    assert len(changes(service, scope)) == 1


def test_the_same_key_with_another_body_is_refused(service, scope):
    add(service, Call(scope, "test", key="k-1"), [Fact("Ann has a bike.")])
    with pytest.raises(IdempotencyMismatch):
        add(service, Call(scope, "test", key="k-1"), [Fact("Ann has a car.")])


def test_google_and_anthropic(service, scope, clock):
    """The example of design section 4."""
    [google] = keep(service, scope, "Ann works at Google.")
    clock.set(2026, 3, 15)
    done, _ = supersede(
        service,
        Call(scope, "test"),
        google,
        Fact("Ann works at Anthropic.", valid_from=day(2, 1)),
        reason="new job",
    )
    clock.set(2026, 3, 20)
    for id in (google, done.new):
        assert (
            reading.version(service, scope, id, Moment(day(2, 10), day(3, 1))).text == "Ann works at Google."
        )
        assert (
            reading.version(service, scope, id, Moment(day(2, 10), day(3, 16))).text
            == "Ann works at Anthropic."
        )
        assert reading.version(service, scope, id, Moment(as_of=day(1, 20))).text == "Ann works at Google."
        assert reading.version(service, scope, id).text == "Ann works at Anthropic."
    assert reading.get(service, scope, done.new, Moment(known_at=day(3, 1))) is None


def test_a_chain_answers_at_every_moment_from_any_member(service, scope, clock):
    """Cases 90 and 91."""
    [first] = keep(service, scope, "The plan is free.")
    clock.set(2026, 2, 1)
    second = supersede(service, Call(scope, "test"), first, Fact("The plan is basic."))[0].new
    clock.set(2026, 3, 15)
    third = supersede(service, Call(scope, "test"), second, Fact("The plan is pro."))[0].new
    for id in (first, second, third):
        seen = [
            reading.version(service, scope, id, Moment(as_of=moment))
            for moment in (day(1, 15), day(2, 1), day(3, 14), day(3, 20))
        ]
        assert [memory.text for memory in seen] == [
            "The plan is free.", "The plan is basic.", "The plan is basic.", "The plan is pro.",
        ]  # fmt: skip
        assert reading.version(service, scope, id, Moment(as_of=day(12, 31, 2025))) is None
        current = [
            state.memory for state in reading.history(service, scope, id) if not state.memory.is_revision
        ]
        assert [memory.id for memory in current] == [first, second, third]


def test_a_version_learnt_late_enters_the_middle(service, scope, clock):
    [first] = keep(service, scope, "Ann lives in Ghent.")
    clock.set(2026, 6, 1)
    third = supersede(service, Call(scope, "test"), first, Fact("Ann lives in Porto."))[0].new
    clock.set(2026, 7, 1)
    late = Fact("Ann lives in Lille.", valid_from=day(3, 1), valid_to=day(8, 1))
    done, _ = supersede(service, Call(scope, "test"), third, late)
    assert "cut" in done.notes[0]
    seen = [
        reading.version(service, scope, first, Moment(as_of=moment)).text
        for moment in (day(2, 1), day(4, 1), day(6, 2))
    ]
    assert seen == ["Ann lives in Ghent.", "Ann lives in Lille.", "Ann lives in Porto."]
    chain = {(link.from_id, link.to_id) for link in reading.links_of(service, scope, [done.new])[done.new]}
    assert chain == {(done.new, first), (third, done.new)}


def test_the_same_moment_is_a_correction(service, scope, clock):
    [wrong] = keep(service, scope, "Ann's flat has three rooms.")
    clock.set(2026, 2, 1)
    done, _ = supersede(
        service,
        Call(scope, "test"),
        wrong,
        Fact("Ann's flat has four rooms.", valid_from=day(1, 1) + timedelta(hours=9)),
    )
    assert (
        reading.version(service, scope, wrong, Moment(as_of=day(1, 10))).text == "Ann's flat has four rooms."
    )
    corrected = reading.get(service, scope, wrong)
    assert corrected.valid_from == corrected.valid_to
    told = "It was believed until 1 February 2026, then it was corrected: “Ann's flat has four rooms.” takes its place."
    assert why_retired(service, scope, wrong).explanation == told
    states = {state.memory.text: state.is_corrected for state in reading.history(service, scope, wrong)}
    assert states == {"Ann's flat has three rooms.": True, "Ann's flat has four rooms.": False}
    assert changes(service, scope)[-1]["classification"] == "CORRECTION"
    assert (
        reading.version(service, scope, done.new, Moment(day(1, 10), day(1, 20))).text
        == "Ann's flat has three rooms."
    )


def test_a_supersession_dated_ahead_leaves_the_old_one_live_until_then(service, scope, clock):
    [old] = keep(service, scope, "The office is in Ghent.")
    supersede(service, Call(scope, "test"), old, Fact("The office is in Lille.", valid_from=day(9, 1)))
    assert reading.version(service, scope, old).text == "The office is in Ghent."
    clock.set(2026, 9, 1)
    assert reading.version(service, scope, old).text == "The office is in Lille."


def test_superseding_an_old_version_makes_no_fork(service, scope, clock):
    """Case 100."""
    [first] = keep(service, scope, "v1")
    clock.forward(days=1)
    second = supersede(service, Call(scope, "test"), first, Fact("v2"))[0].new
    clock.forward(days=1)
    third = supersede(service, Call(scope, "test"), first, Fact("v3"))[0].new
    links = reading.links_of(service, scope, [first, second, third])
    assert {(link.from_id, link.to_id) for found in links.values() for link in found} == {
        (second, first),
        (third, second),
    }


def test_nothing_supersedes_its_own_chain(service, scope, clock):
    [first] = keep(service, scope, "v1")
    clock.forward(days=1)
    second = supersede(service, Call(scope, "test"), first, Fact("v2"))[0].new
    for old, new in ((first, first), (first, second), (second, first)):
        with pytest.raises(Conflict):
            supersede(service, Call(scope, "test"), old, new)


def test_what_has_other_versions_or_is_not_there_is_refused_by_its_id(service, scope, clock):
    first, other = keep(service, scope, "v1", "w1")
    clock.forward(days=1)
    second = supersede(service, Call(scope, "test"), first, Fact("v2"))[0].new
    with pytest.raises(
        Conflict, match=f"Memory {second} has other versions already.*Undo the change SUPERSEDE"
    ):
        supersede(service, Call(scope, "test"), other, second)
    missing = new_id()
    for old, new in ((missing, other), (other, missing)):
        with pytest.raises(NotFound, match=f"There is no memory {missing}"):
            supersede(service, Call(scope, "test"), old, new)


def test_superseding_by_an_existing_memory_keeps_its_own_start(service, scope, clock):
    old, new = (
        keep(service, scope, "Ann drives a Fiat."),
        keep(service, scope, "Ann drives a Volvo.", valid_from=day(5, 1)),
    )
    clock.set(2026, 6, 1)
    supersede(service, Call(scope, "test"), old[0], new[0])
    assert reading.get(service, scope, old[0]).valid_to == day(5, 1)
    assert reading.get(service, scope, new[0]).chain_id == old[0]


def test_superseding_by_what_is_live_already_names_the_holder(service, scope):
    [old, twin] = keep(service, scope, "Ann drives a Fiat.", "Ann drives a Volvo.")
    with pytest.raises(LiveTwin) as caught:
        supersede(service, Call(scope, "test"), old, Fact("Ann drives a Volvo."))
    assert caught.value.holder == twin
    assert reading.version(service, scope, old).text == "Ann drives a Fiat."


def test_a_failed_supersession_leaves_nothing(service, scope):
    keep(service, scope, "v1")
    before = changes(service, scope)
    with pytest.raises(NotFound):
        supersede(service, Call(scope, "test"), new_id(), Fact("v2"))
    assert changes(service, scope) == before
    assert len(reading.browse(service, scope, include_past=True).items) == 1


def test_why_retired_tells_the_reason_the_time_and_who(service, scope, clock):
    [old] = keep(service, scope, "Vectors are in Pinecone.")
    clock.set(2026, 4, 1)
    done, _ = supersede(
        service, Call(scope, "anna"), old, Fact("Vectors are in pgvector."), reason="the price rose"
    )
    retirement = why_retired(service, scope, old)
    assert (retirement.by.id, retirement.reason, retirement.actor, retirement.at) == (
        done.new,
        "the price rose",
        "anna",
        day(4, 1),
    )
    assert "1 April 2026" in retirement.explanation
    assert changes(service, scope)[retirement.change_sequence - 1]["operation"] == "SUPERSEDE"
    assert not why_retired(service, scope, done.new).is_retired


def test_foreign_and_missing_are_the_same_answer(service, scope):
    [id] = keep(service, scope, "A secret.")
    stranger, neighbour = Scope("someone-else-" + new_id(), "ann"), Scope(scope.tenant_name, "bob")
    for other in (stranger, neighbour):
        assert reading.get(service, other, id) is None
        assert reading.version(service, other, id) is None
        assert reading.browse(service, other, include_past=True).items == []
        assert reading.entities_of(service, other, [id]) == reading.links_of(service, other, [id]) == {}
        for refused in (
            lambda other=other: reading.history(service, other, id),
            lambda other=other: why_retired(service, other, id),
        ):
            with pytest.raises(NotFound) as caught:
                refused()
            assert "belongs to someone else" in caught.value.message
        with pytest.raises(NotFound):
            supersede(service, Call(other, "test"), id, Fact("mine now"))


def test_a_bound_scope_cannot_leave_its_subject(scope):
    with pytest.raises(Forbidden):
        Scope(scope.tenant_name, "ann", is_bound=True).of("bob")


@pytest.mark.parametrize(
    "id", ["", "x", "' OR 1=1", "../../etc", "0" * 36, "3F0C9F0E-8F57-4C55-9D3C-2F1C7E1F3A11"]
)
def test_an_id_that_is_none_is_refused(service, scope, id):
    with pytest.raises(BadId):
        reading.get(service, scope, id)


def test_pages_neither_skip_nor_repeat_while_others_write(service, scope, clock):
    for number in range(7):
        clock.forward(seconds=1)
        keep(service, scope, f"fact {number}")
    seen, after = [], None
    while True:
        page = reading.browse(service, scope, first=3, after=after)
        seen += [memory.text for memory in page.items]
        clock.forward(seconds=1)
        keep(service, scope, f"written meanwhile {len(seen)}")
        after = page.next
        if after is None:
            break
    assert [text for text in seen if text.startswith("fact")] == [
        f"fact {number}" for number in reversed(range(7))
    ]


@pytest.mark.parametrize("after", ["", "nonsense", "e30=", "W10="])
def test_a_cursor_that_is_not_ours_is_refused(service, scope, after):
    with pytest.raises(Invalid):
        reading.browse(service, scope, after=after)


def test_a_past_moment_shows_what_was_known_then(service, scope, clock):
    keep(service, scope, "early", valid_from=day(1, 1))
    clock.set(2026, 5, 1)
    keep(service, scope, "late", valid_from=day(1, 1))
    texts = [
        memory.text for memory in reading.browse(service, scope, moment=Moment(known_at=day(3, 1))).items
    ]
    assert texts == ["early"]
