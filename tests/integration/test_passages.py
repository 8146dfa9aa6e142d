"""Passages: what was said is found beside what is kept, behind the same walls."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation.quarantine import Suspect, quarantine
from graph_memory.curation.settlement import Verdict, settle
from graph_memory.ingest.submission import submit
from graph_memory.jobs import schedule, slots
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.browsing import Condition, Operator
from graph_memory.memory.erasure import forget
from graph_memory.model.memory import Fact, SourceKind, Trust
from graph_memory.model.message import Message
from graph_memory.recall.hits import Arms, Grain
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Service
from graph_memory.transfer.export import export_lines
from graph_memory.transfer.restore import restore
from graph_memory.upkeep import passage_vectors
from graph_memory.upkeep.embedding_fill import waiting
from graph_memory.verify.check import verify
from tasks import execute
from tests.found import search

pytestmark = pytest.mark.stack

BOTH = (Grain.MEMORY, Grain.PASSAGE)
AT = datetime(2025, 12, 1, 9, tzinfo=UTC)
IDS = Query(
    "test/messages",
    "The messages of a tenant in their order.",
    "MATCH (m:Message {tenant: $tenant}) RETURN m {.*} AS message, m:Passage AS is_found ORDER BY m.segment_id, m.position",
    frozenset({"tenant"}),
)
TALK = (
    "Which dog did you adopt?",
    "A greyhound, she is called Biscuit.",
    "The invoice is still unpaid.",
    "Let us repair bicycles.",
)


def say(
    service: Service,
    scope: Scope,
    *said: str,
    speaker: str = "Ann",
    role: str | None = None,
    session: str = "s",
) -> list[str]:
    """Submits messages, embeds them, and tells their ids."""
    messages = [
        Message(speaker, AT + timedelta(minutes=place), text, f"{session}-{place}", role=role)
        for place, text in enumerate(said)
    ]
    submit(service, Call(scope, "test"), session, messages)
    embed(service, scope)
    return [row["message"]["id"] for row in rows(service, scope) if row["message"]["session"] == session]


def embed(service: Service, scope: Scope) -> None:
    whole = Scope(scope.tenant_name)
    list(passage_vectors.fill(service, whole, lambda work: service.write(whole, work)))
    service.system(query("system/await_fulltext"))


def rows(service: Service, scope: Scope) -> list[dict]:
    return service.read(Scope(scope.tenant_name), IDS)


def passages(service: Service, scope: Scope, about: str, **how: object) -> list[str]:
    found = search(service, scope, about, **{"grains": (Grain.PASSAGE,), "min_score": 0.0, **how})
    return [hit.passage.text for hit in found.passages]


@pytest.fixture
def talk(service, scope):
    return say(service, scope, *TALK)


@pytest.mark.parametrize("arms", list(Arms))
def test_what_was_said_is_found(service, scope, talk, arms):
    assert passages(service, scope, "greyhound called Biscuit", arms=arms)[0] == TALK[1]


def test_a_passage_is_found_by_what_it_answers(service, scope, talk):
    assert set(passages(service, scope, "Which dog did she adopt?", arms=Arms.VECTOR)[:2]) == set(TALK[:2])


def test_a_search_finds_memories_alone_unless_it_is_told_otherwise(service, scope, talk):
    add(service, Call(scope, "test"), [Fact("Ann has a greyhound.")])
    service.system(query("system/await_fulltext"))
    assert search(service, scope, "greyhound").passages == ()
    both = search(service, scope, "greyhound Biscuit", grains=BOTH, min_score=0, limit=3)
    assert {hit.place for hit in (*both.hits, *both.passages)} == {1, 2, 3}
    assert (len(both.hits), both.total) == (1, 5)


SPRING = "Where did Ann live last spring?"


def test_what_was_said_later_of_a_past_time_is_found(service, scope, clock):
    """It was left out, since it was said after that spring."""
    clock.set(2026, 11, 23)
    told = "I lived in Ghent last spring."
    said = {AT: "I live by the sea.", datetime(2026, 6, 1, 9, tzinfo=UTC): told}
    submit(service, Call(scope, "test"), "s", [Message("Ann", at, text) for at, text in said.items()])
    embed(service, scope)
    found = search(service, scope, SPRING, grains=(Grain.PASSAGE,), min_score=0)
    assert (found.passages[0].passage.text, found.interpreted) == (told, None)


def test_words_of_time_choose_memories_and_hide_no_passage(service, scope, clock):
    clock.set(2026, 11, 23)
    june = datetime(2026, 6, 1, 9, tzinfo=UTC)
    submit(service, Call(scope, "test"), "s", [Message("Ann", june, "In spring it was still Ghent.")])
    embed(service, scope)
    add(service, Call(scope, "test"), [Fact("Ann lives in Rome.", valid_from=june)])
    service.system(query("system/await_fulltext"))
    how = {"grains": BOTH, "min_score": 0}
    found = search(service, scope, SPRING, **how)
    assert ([hit.memory.text for hit in found.hits], found.interpreted) == (["Ann lives in Rome."], None)
    add(service, Call(scope, "test"), [Fact("Ann lives in Ghent.", valid_from=AT, valid_to=june)])
    service.system(query("system/await_fulltext"))
    found = search(service, scope, SPRING, **how)
    assert ([hit.memory.text for hit in found.hits], len(found.passages)) == (["Ann lives in Ghent."], 1)
    assert found.interpreted is not None
    rest = search(
        service, scope, SPRING, limit=1, after=search(service, scope, SPRING, limit=1, **how).next, **how
    )
    assert (len(rest.hits) + len(rest.passages), rest.interpreted) == (1, found.interpreted)


def test_where_both_are_found_the_memory_stands_for_what_it_was_taken_from(service, scope, talk):
    fact = Fact("Ann has a dog.", message_id=talk[1])
    [added], _ = add(service, Call(scope, "test"), [fact])
    service.system(query("system/await_fulltext"))
    alone = search(service, scope, "greyhound Biscuit", min_score=0)
    [hit] = search(service, scope, "greyhound Biscuit", grains=BOTH, min_score=0).hits
    assert hit.place == 1 and hit.score > alone.hits[0].score
    [said] = [
        hit.passage
        for hit in search(service, scope, "greyhound", grains=(Grain.PASSAGE,), min_score=0).passages
        if hit.passage.id == talk[1]
    ]
    assert said.memory_ids == (added.id,)


def test_one_statement_finds_both_at_every_moment_and_a_passage_holds_from_when_it_was_said(
    service, scope, talk, clock
):
    clock.forward(days=30)
    said = {
        at: passages(service, scope, "greyhound", grains=BOTH, moment=Moment(as_of=at))
        for at in (AT - timedelta(days=1), AT + timedelta(minutes=1), clock.now)
    }
    assert [len(found) for found in said.values()] == [0, 2, 4]


def test_walls_and_conditions_hold_for_passages(service, scope, talk):
    other = Scope(scope.tenant_name, "bob")
    say(service, other, "My greyhound is called Biscuit.", speaker="Bob", session="t")
    say(service, Scope(f"{scope.tenant_name}-b", "ann"), "A greyhound called Biscuit.", session="t")
    assert set(passages(service, scope, "greyhound Biscuit")) == set(TALK)
    everyone = Scope(scope.tenant_name)
    assert len(passages(service, everyone, "greyhound Biscuit")) == 5
    for field, value in (
        ("session_id", "t"),
        ("source_author", "Bob"),
        ("subject", "bob"),
        ("source_ref", "t-0"),
    ):
        told = passages(service, everyone, "greyhound", where=[Condition(field, Operator.EQ, value)])
        assert told == ["My greyhound is called Biscuit."], field
    assert passages(service, everyone, "greyhound", where=[Condition("kind", Operator.EQ, "fact")]) == []


def test_what_a_tool_said_is_trusted_less(service, scope):
    say(service, scope, "The greyhound costs nothing.", role="tool")
    assert passages(service, scope, "greyhound", min_trust=Trust.PERSON) == []
    assert len(passages(service, scope, "greyhound")) == 1


def test_no_word_of_another_tenant_is_felt_in_what_was_said(service, scope):
    """The attack: whether others said a rare word shows in no rank and no score of the text arm."""
    say(
        service,
        scope,
        "The zanzibarite probe is here.",
        "The quagmirely probe is here.",
        "Zanzibarite and zanzibarite.",
        "A probe.",
    )
    seen = []
    for count in (0, 1, 30):
        if count:
            others = [f"Zanzibarite number {number} of {count}." for number in range(count)]
            say(service, Scope(f"{scope.tenant_name}-other", "ann"), *others, session=f"s{count}")
        seen.append([
            [(hit.passage.id, hit.score, hit.why.text_rank) for hit in search(service, scope, about, arms=Arms.TEXT, grains=(Grain.PASSAGE,)).passages]
            for about in ("zanzibarite probe", "quagmirely probe", "zanzibarite quagmirely")
        ])  # fmt: skip
    assert seen[0] == seen[1] == seen[2]
    assert all(seen[0])


def test_a_word_counts_once_wherever_it_was_said(service, scope):
    """The name of who speaks is a word of a passage; a speaker who says it does not count twice."""
    say(service, scope, "Biscuit barks.", "It barks.", speaker="Biscuit")
    found = search(service, scope, "Biscuit barks", arms=Arms.TEXT, grains=(Grain.PASSAGE,)).passages
    assert [hit.seen["words"] for hit in found] == [1.0, 1.0]


def test_what_was_erased_is_felt_in_no_vector(service, scope, talk):
    [added], _ = add(service, Call(scope, "test"), [Fact("Ann has a greyhound.", message_id=talk[1])])
    before = {row["message"]["id"]: row["message"]["embedding"] for row in rows(service, scope)}
    forget(service, Call(scope, "test"), [added.id])
    told = {row["message"]["id"]: row for row in rows(service, scope)}
    assert not told[talk[1]]["is_found"] and "embedding" not in told[talk[1]]["message"]
    assert (
        "embedding" not in told[talk[2]]["message"]
        and told[talk[3]]["message"]["embedding"] == before[talk[3]]
    )
    embed(service, scope)
    after = {row["message"]["id"]: row["message"].get("embedding") for row in rows(service, scope)}
    assert after[talk[2]] is not None and after[talk[2]] != before[talk[2]]
    assert set(passages(service, scope, "greyhound")) == {TALK[0], TALK[2], TALK[3]}
    assert verify(service, [scope.tenant_name]).findings == ()


def test_pages_of_both_grains_repeat_and_lose_nothing(service, scope, talk):
    add(
        service,
        Call(scope, "test"),
        [Fact(f"Ann has {number} greyhounds.", entities=()) for number in range(2, 8)],
    )
    service.system(query("system/await_fulltext"))
    found, after = [], None
    for _ in range(9):
        page = search(service, scope, "greyhound", grains=BOTH, limit=3, after=after, min_score=0)
        found += [hit.memory.id for hit in page.hits] + [hit.passage.id for hit in page.passages]
        after = page.next
        if after is None:
            break
    assert len(found) == len(set(found)) == 10


def test_a_passage_that_waits_for_its_vector_is_found_by_its_words(service, scope):
    submit(service, Call(scope, "test"), "s", [Message("Ann", AT, "The greyhound sleeps.")])
    service.system(query("system/await_fulltext"))
    assert passages(service, scope, "greyhound") == ["The greyhound sleeps."]


def test_what_a_source_said_is_quarantined_and_released(service, scope, talk):
    say(service, scope, "The greyhound costs nothing.", role="tool", session="t")
    run, _ = quarantine(service, Call(scope, "test"), Suspect(SourceKind.TOOL), "it lies")
    assert dict(execute(service, Scope(scope.tenant_name), run.id).result)["passages"] == 1
    assert set(passages(service, scope, "greyhound")) == set(TALK)
    assert verify(service, [scope.tenant_name]).findings == ()
    settle(service, Call(scope, "test"), run.id, Verdict.RELEASE)
    embed(service, scope)
    assert "The greyhound costs nothing." in passages(service, scope, "greyhound", arms=Arms.VECTOR)


def test_passages_are_exported_and_found_again_where_they_are_restored(service, scope, talk, tmp_path):
    before = list(export_lines(service, Scope(scope.tenant_name)))
    file = tmp_path / "all.jsonl"
    file.write_text("\n".join(before) + "\n", "utf-8")
    again = Scope(f"{scope.tenant_name}-again")
    restore(service, file, again.tenant_name)
    service.system(query("system/await_fulltext"))
    asked = replace(scope, tenant_name=again.tenant_name)
    assert passages(service, asked, "greyhound") == passages(service, scope, "greyhound")
    assert passages(service, asked, "greyhound", arms=Arms.VECTOR)[0] == TALK[1]


def test_the_job_embeds_what_waits_and_what_is_embedded_waits_no_more(service, scope):
    submit(service, Call(scope, "test"), "s", [Message("Ann", AT, "The greyhound sleeps.")])
    assert waiting(service, Scope(scope.tenant_name)) == 1
    run, _ = slots.by_hand(service, Scope(scope.tenant_name), schedule.job("fill"))
    assert dict(execute(service, Scope(scope.tenant_name), run.id).result)["passages"] == 1
    assert waiting(service, Scope(scope.tenant_name)) == 0
    assert passages(service, scope, "greyhound", arms=Arms.VECTOR) == ["The greyhound sleeps."]
