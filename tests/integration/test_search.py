"""Search on the real indexes: walls, time, both arms, what is retired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from graph_memory.base.errors import Invalid
from graph_memory.base.ids import new_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation.entity_edits import Rename, rename_entity
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.browsing import Condition, Operator
from graph_memory.memory.erasure import forget
from graph_memory.memory.life import Revision, retract, revise
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind, Trust
from graph_memory.recall.absence import Absence, why_not_returned
from graph_memory.recall.hits import Arms, Grain
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import UNANSWERED, _Asked
from graph_memory.recall.text_question import wording
from graph_memory.store.protocols import Embedder
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.found import reading, search

pytestmark = pytest.mark.stack

RAW_TEXT = Query(
    "test/raw_text",
    "The memories that the full-text index finds for a query as it stands.",
    "CALL db.index.fulltext.queryNodes('memory_live_text', '+tenant:' + $tenant + ' ' + $terms, {limit: $limit}) "
    "YIELD node RETURN node.text AS text",
    frozenset({"tenant", "terms", "limit"}),
)


def keep(service: Service, scope: Scope, *facts: Fact) -> list[str]:
    ids = [added.id for added in add(service, Call(scope, "test"), facts)[0]]
    service.system(query("system/await_fulltext"))
    return ids


def texts(service: Service, scope: Scope, about: str, **how: object) -> list[str]:
    return [hit.memory.text for hit in search(service, scope, about, **how).hits]  # type: ignore[arg-type]


@pytest.fixture
def pets(service, scope):
    return keep(
        service, scope, Fact("Ann adopted a greyhound called Biscuit."), Fact("Ann repairs old bicycles."),
        Fact("The invoice INV-20417 is unpaid."),
    )  # fmt: skip


def test_meaning_is_found_without_shared_words(service, scope, pets):
    assert (
        texts(service, scope, "Which dog does she own?", arms=Arms.VECTOR)[0]
        == "Ann adopted a greyhound called Biscuit."
    )


def test_words_are_found_that_mean_nothing(service, scope, pets):
    assert texts(service, scope, "INV-20417", arms=Arms.TEXT) == ["The invoice INV-20417 is unpaid."]


def test_both_arms_are_told(service, scope, pets):
    hit = search(service, scope, "greyhound").hits[0]
    assert (hit.why.vector_rank, hit.why.text_rank) == (1, 1)


def test_what_is_retired_is_not_returned_but_comes_along(service, scope, clock):
    [old] = keep(service, scope, Fact("Ann lives in Ghent."))
    clock.set(2026, 5, 1)
    supersede(service, Call(scope, "test"), old, Fact("Ann lives in Porto."), reason="she moved")
    service.system(query("system/await_fulltext"))
    hits = search(service, scope, "Where does Ann live?").hits
    assert [hit.memory.text for hit in hits] == ["Ann lives in Porto."]
    assert [(before.id, before.reason) for before in hits[0].predecessors] == [(old, "she moved")]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"arms": Arms.VECTOR},
        {"grains": list(Grain)},
        {"mode": Mode.DEEP},
        {"mode": Mode.DEEP, "grains": list(Grain)},
        {"moment": Moment(as_of=datetime(2026, 5, 1, tzinfo=UTC))},
        {"moment": Moment(as_of=datetime(2026, 5, 1, tzinfo=UTC)), "grains": list(Grain)},
    ],
)
def test_what_was_corrected_has_never_held(service, scope, clock, asked):
    since = datetime(2026, 4, 1, tzinfo=UTC)
    [old] = keep(service, scope, Fact("Ann's budget is 4000 euros.", valid_from=since))
    clock.set(2026, 5, 1)
    supersede(service, Call(scope, "test"), old, Fact("Ann's budget is 4500 euros."), since, "she misspoke")
    service.system(query("system/await_fulltext"))
    [hit] = search(service, scope, "What is Ann's budget?", **asked).hits
    assert (hit.memory.text, hit.predecessors) == ("Ann's budget is 4500 euros.", ())


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"arms": Arms.VECTOR},
        {"grains": list(Grain)},
        {"mode": Mode.DEEP},
        {"moment": Moment(as_of=datetime(2026, 5, 1, tzinfo=UTC))},
    ],
)
def test_what_held_before_a_corrected_version_is_told_as_before(service, scope, clock, asked):
    since = datetime(2026, 4, 1, tzinfo=UTC)
    [first] = keep(service, scope, Fact("Ann's budget is 3000 euros."))
    clock.set(2026, 5, 1)
    call = Call(scope, "test")
    wrong, _ = supersede(service, call, first, Fact("Ann's budget is 4000 euros."), since, "she told me")
    again, _ = supersede(service, call, wrong.new, Fact("Ann's budget is 4400 euros."), since, "she misspoke")
    supersede(service, call, again.new, Fact("Ann's budget is 4500 euros."), since, "again")
    service.system(query("system/await_fulltext"))
    hit = search(service, scope, "What is Ann's budget?", **asked).hits[0]
    assert hit.memory.text == "Ann's budget is 4500 euros."
    [before] = hit.predecessors
    assert (before.text, before.until) == ("Ann's budget is 3000 euros.", since)


@pytest.mark.parametrize(
    "asked",
    [{}, {"grains": list(Grain)}, {"mode": Mode.DEEP}, {"mode": Mode.DEEP, "grains": list(Grain)}],
)
def test_what_was_true_before_is_told_as_it_was_known_then(service, scope, clock, asked):
    """It was told in the words of now, and not at all where it was retracted since."""
    budget, dog = keep(service, scope, Fact("Ann's budget is 4000 euros."), Fact("Ann's dog is Biscuit."))
    clock.set(2026, 3, 1)
    call = Call(scope, "test")
    supersede(service, call, budget, Fact("Ann's budget is 4500 euros."), reason="raised")
    supersede(service, call, dog, Fact("Ann's dog is Rusty."))
    clock.set(2026, 4, 1)
    known = Moment(known_at=clock())
    clock.set(2026, 5, 1)
    revise(service, call, budget, Revision("Ann's budget is 3900 euros, before taxes."))
    retract(service, call, [dog])
    service.system(query("system/await_fulltext"))

    def before(about, **more):
        [former] = search(service, scope, about, moment=known, **asked, **more).hits[0].predecessors
        return former.id, former.text, former.until, former.reason

    raised = datetime(2026, 3, 1, tzinfo=UTC)
    assert before("What is Ann's budget?") == (budget, "Ann's budget is 4000 euros.", raised, "raised")
    assert before("Which dog does Ann have?") == (dog, "Ann's dog is Biscuit.", raised, "")


@pytest.mark.parametrize("arms", list(Arms))
def test_a_past_moment_finds_what_was_true_and_believed_then(service, scope, clock, arms):
    [old] = keep(service, scope, Fact("Ann lives in Ghent."))
    clock.set(2026, 5, 1)
    supersede(
        service,
        Call(scope, "test"),
        old,
        Fact("Ann lives in Porto.", valid_from=datetime(2026, 4, 1, tzinfo=UTC)),
    )
    service.system(query("system/await_fulltext"))
    april, march = datetime(2026, 4, 10, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)
    asked = {
        "true in March": Moment(as_of=march),
        "true in April": Moment(as_of=april),
        "true in April, believed in April": Moment(april, april),
        "before anything": Moment(known_at=datetime(2025, 1, 1, tzinfo=UTC)),
    }
    seen = {
        name: texts(service, scope, "Ann lives", moment=moment, arms=arms) for name, moment in asked.items()
    }
    assert seen == {
        "true in March": ["Ann lives in Ghent."],
        "true in April": ["Ann lives in Porto."],
        "true in April, believed in April": ["Ann lives in Ghent."],
        "before anything": [],
    }


def test_why_nothing_is_found_before_there_was_anything(service, scope, clock):
    def note(where=scope, **moment):
        page = search(service, where, "Where does Ann live?", moment=Moment(**moment))
        assert page.hits == ()
        return page.note

    assert note() == f"Nothing is remembered of subject {scope.subject_name} yet."
    keep(service, scope, Fact("Ann lives in Ghent.", valid_from=datetime(2026, 1, 5, tzinfo=UTC)))
    begun = clock()
    long_ago = datetime(2025, 1, 1, tzinfo=UTC)
    kept = f"the first memory was kept on {begun:%Y-%m-%d at %H:%M} UTC."
    assert note(known_at=long_ago) == f"Nothing was known yet on 2025-01-01 at 00:00 UTC: {kept}"
    held = "the first of it holds since 2026-01-05 at 00:00 UTC."
    assert (
        note(as_of=long_ago) == f"Nothing that is remembered was true yet on 2025-01-01 at 00:00 UTC: {held}"
    )
    other = Scope(scope.tenant_name, "nobody")
    assert note(other) == note(other, as_of=long_ago) == "Nothing is remembered of subject nobody yet."
    assert note(Scope(scope.tenant_name + "-none")).startswith(
        f"Nothing is remembered of tenant {scope.tenant_name}-none"
    )


def test_what_begins_later_is_not_found_yet(service, scope, clock):
    keep(service, scope, Fact("The office moves to Lille.", valid_from=datetime(2026, 9, 1, tzinfo=UTC)))
    assert texts(service, scope, "office") == []
    clock.set(2026, 9, 2)
    assert texts(service, scope, "office") == ["The office moves to Lille."]


def test_twins_in_two_tenants_and_subjects_never_meet(service, scope):
    """Identical texts and vectors; case 62 in small: the others' are just as near."""
    others = [Scope(scope.tenant_name + "-b", "ann"), Scope(scope.tenant_name, "bob")]
    own = keep(service, scope, Fact("A canary sings."))
    for other in others:
        keep(service, other, *[Fact(f"A canary sings. {number}") for number in range(30)])
    for arms in Arms:
        assert [
            hit.memory.id for hit in search(service, scope, "canary sings", arms=arms, limit=5).hits
        ] == own
    everyone = search(service, Scope(scope.tenant_name), "canary sings", limit=50).hits
    assert len(everyone) == 31


def test_no_word_of_another_tenant_is_felt(service, scope):
    """The attack: whether others store a rare word shows in no rank and no score of the text arm."""
    keep(
        service, scope, Fact("The zanzibarite probe is here."), Fact("The quagmirely probe is here."),
        Fact("A zanzibarite and another zanzibarite."), Fact("A probe."),
    )  # fmt: skip
    seen = []
    for count in (0, 1, 29):
        others = [Fact(f"Zanzibarite number {number} of {count}.", entities=()) for number in range(count)]
        if others:
            keep(service, Scope(f"{scope.tenant_name}-other", "ann"), *others)
        seen.append([
            [(hit.memory.id, hit.score, hit.why.text_rank) for hit in search(service, scope, about, arms=Arms.TEXT).hits]
            for about in ("zanzibarite probe", "quagmirely probe", "zanzibarite quagmirely")
        ])  # fmt: skip
    assert seen[0] == seen[1] == seen[2]
    assert all(seen[0])


def test_each_word_is_asked_for_as_the_index_keeps_it(service, scope):
    texts = (
        "Nationalities hopping, relational hoping: Vietnamization agreed with oscillators.",
        "O'Neill's INV-20417 cost 3.5 or 1,000 in the U.S.A. at happier generalizations and controlling skies.",
        "\u732b\u304c\u597d\u304d \u30ab\u30bf\u30ab\u30ca Stra\u00dfe \u0436\u0438\u0442\u044c na\u00efve dying ponies flies singing employees university",
    )  # fmt: skip
    keep(service, scope, *[Fact(text, entities=()) for text in texts])
    for text in texts:
        for word in text.split():
            if not wording(word).terms:
                continue
            found = service.read(Scope(scope.tenant_name), RAW_TEXT, terms=f"+{wording(word).terms}", limit=9)
            assert text in [row["text"] for row in found], word


def test_words_that_are_in_every_text_match_nothing(service, scope, pets):
    assert texts(service, scope, "the of and", arms=Arms.TEXT) == []


def test_an_entity_is_found_by_a_name_that_the_memory_does_not_hold(service, scope):
    keep(
        service, scope,
        *[Fact(f"Bob put box {number} into the cellar.", entities=()) for number in range(70)],
        Fact("The Spaghetti Harvest 3000 rattles.", entities=(EntityName("Spaghetti Harvest 3000", "spaghetti harvest 3000", "UNKNOWN"),)),
    )  # fmt: skip
    [entity] = [each["entity"] for each in service.read(scope, query("entities/named"), limit=5)]
    rename_entity(service, Call(scope, "test"), entity["id"], Rename(aliases=("Old Betsy",)))
    best = search(service, scope, "What is wrong with old betsy?", min_score=0).hits[0]
    assert best.memory.text == "The Spaghetti Harvest 3000 rattles."
    assert best.seen["entity"] > 0 and best.seen["words"] == 0


def test_a_name_is_known_in_all_subjects_of_an_account(service, scope):
    """Only where one subject was named were entities asked."""
    keep(
        service, scope, *[Fact(f"Bob put box {number} into the cellar.", entities=()) for number in range(70)]
    )
    harvest = EntityName("Spaghetti Harvest 3000", "spaghetti harvest 3000", "UNKNOWN")
    for name, text in {
        "bob": "The Spaghetti Harvest 3000 rattles.",
        "cay": "The Spaghetti Harvest 3000 is new.",
    }.items():
        keep(service, Scope(scope.tenant_name, name), Fact(text, entities=(harvest,)))
    bob, whole = Scope(scope.tenant_name, "bob"), Scope(scope.tenant_name)
    [entity] = [each["entity"] for each in service.read(bob, query("entities/named"), limit=5)]
    rename_entity(service, Call(bob, "test"), entity["id"], Rename(aliases=("Old Betsy",)))

    def named(scope, about):
        found = search(service, scope, about, min_score=0, limit=100).hits
        return {hit.memory.text for hit in found if hit.seen["entity"] > 0}

    assert named(whole, "What is wrong with old betsy?") == {"The Spaghetti Harvest 3000 rattles."}
    assert len(named(whole, "What of the Spaghetti Harvest 3000?")) == 2
    assert len(named(bob, "What of the Spaghetti Harvest 3000?")) == 1
    assert named(scope, "What of the Spaghetti Harvest 3000, old betsy?") == set()
    assert named(Scope(new_id()), "What is wrong with old betsy?") == set()


def test_a_score_means_the_same_whatever_else_is_found(service, scope, pets):
    [alone], several = (
        search(service, scope, "Which greyhound did Ann adopt?", limit=limit, min_score=0).hits
        for limit in (1, 3)
    )
    assert alone.score == several[0].score
    assert all(0 < hit.score < 1 and -1 <= hit.similarity <= 1 for hit in several)
    assert [hit.score for hit in several] == sorted((hit.score for hit in several), reverse=True)


def test_what_scores_too_little_is_left_out(service, scope, pets):
    found = search(service, scope, "Which greyhound did Ann adopt?", min_score=0).hits
    between = (found[0].score + found[1].score) / 2
    assert [
        hit.memory.id
        for hit in search(service, scope, "Which greyhound did Ann adopt?", min_score=between).hits
    ] == [found[0].memory.id]
    with pytest.raises(Invalid):
        search(service, scope, "greyhound", min_score=1.1)


def test_a_question_that_nothing_answers_finds_nothing(service, scope, pets):
    assert search(service, scope, "What is the capital of Mongolia?").hits == ()


def test_what_was_just_kept_answers_though_the_index_of_words_is_behind(service, scope, monkeypatch):
    """By its meaning alone this one hardly answers; the full-text index may follow a write a moment later."""
    keep(service, scope, Fact("Ann works at Google."))
    found = _Asked._rows
    asked: list[int] = []

    def behind(self: _Asked, *given: object) -> list[dict[str, Any]]:
        rows = found(self, *given)  # type: ignore[arg-type]
        asked.append(len(rows))
        if len(asked) == 1:
            rows[0] |= {"text_rank": None, "likeliest": rows[0]["likeliest"] | {"words": 0.0}}
            assert self._is_unanswered(rows)
        return rows

    monkeypatch.setattr(_Asked, "_rows", behind)
    unread = reading(service, 0)
    assert texts(unread, scope, "where does Ann work") == ["Ann works at Google."]
    assert asked == [1, 1]


@pytest.mark.parametrize("about", ["Good morning! How are you?", "What is Theo's favourite film?"])
def test_neither_common_words_nor_a_name_are_an_answer_and_why_is_told(service, scope, about):
    ids = keep(
        service, scope, Fact("Theo bought a lock for 95 euros this morning."), Fact("A good rule. Dana climbs next week."),
        Fact("Restaurants still make Theo tired, Theo likes it best when friends cook at home."),
    )  # fmt: skip
    page = search(service, scope, about)
    assert (page.hits, page.note) == ((), UNANSWERED)
    assert {hit.memory.id for hit in search(service, scope, about, min_score=0).hits} == set(ids)
    told = why_not_returned(service, scope, ids[0], about)
    assert told.reason is Absence.BELOW_SCORE and told.explanation.startswith(UNANSWERED)
    assert why_not_returned(service, scope, ids[0], about, min_score=0).reason is Absence.RETURNED


@pytest.mark.parametrize(
    ("about", "wanted"),
    [
        ("What's my favourite drink?", "User loves oat flat whites."),
        ("Any dietary restrictions?", "Ann is vegetarian."),
        ("Who is her boss?", "Ann reports to Maria."),
        ("How do I get to the office?", "Ann commutes by bike to the studio."),
    ],
)
def test_a_statement_is_an_answer_though_it_shares_no_word_with_the_question(service, scope, about, wanted):
    keep(
        service, scope, Fact("User loves oat flat whites."), Fact("Ann is vegetarian."), Fact("Ann reports to Maria."),
        Fact("Ann commutes by bike to the studio."), Fact("Bob drives a red Fiat Panda."),
    )  # fmt: skip
    assert texts(service, scope, about)[:1] == [wanted]


def test_a_name_in_the_question_does_not_bury_what_another_person_said(service, scope):
    keep(
        service, scope,
        *[Fact(f"{text}", source=Source(SourceKind.USER, author="Ann")) for text in ("Hello there.", "It rains.", "Fine.")],
        Fact("Ann's sister plays the cello.", source=Source(SourceKind.USER, author="Bob")),
    )  # fmt: skip
    assert texts(service, scope, "What does Ann's sister play?")[0] == "Ann's sister plays the cello."


def test_what_was_said_beside_a_hit_lifts_it(service, scope):
    at = [datetime(2026, 1, 1, 8, minute, tzinfo=UTC) for minute in range(3)]
    keep(
        service, scope,
        Fact("Did the marathon in Bruges go well?", valid_from=at[0], session_id="s"),
        Fact("I had to stop after ten kilometres.", valid_from=at[1], session_id="s"),
        Fact("I had to stop after ten minutes.", valid_from=at[0], session_id="other"),
    )  # fmt: skip
    found = texts(service, scope, "What happened at the marathon in Bruges?", min_score=0)
    assert found.index("I had to stop after ten kilometres.") < found.index(
        "I had to stop after ten minutes."
    )


def test_naming_who_said_it_lifts_what_they_said(service, scope):
    for author in ("Ann", "Bob"):
        keep(service, scope, Fact(f"{author} likes walking.", source=Source(SourceKind.USER, author=author)))
    assert texts(service, scope, "What does Bob like?")[0] == "Bob likes walking."


@pytest.mark.parametrize(
    "about",
    [
        "+must -not",
        "a AND (b OR",
        "tenant:x^9",
        "*",
        "\"'`;--",
        "[a TO",
        "~ ^ :",
        "🙂",
        "MATCH (n) RETURN n",
        "x" * 2000,
    ],
)
def test_no_syntax_breaks_a_search(service, scope, pets, about):
    assert len(search(service, scope, about).hits) <= 10


@pytest.mark.parametrize(
    ("about", "how"),
    [
        ("", {}),
        ("  ", {}),
        ("x" * 2001, {}),
        ("a\0", {}),
        ("ok", {"limit": 0}),
        ("ok", {"limit": 101}),
        (None, {}),
        (None, {"vector": [1.0]}),
    ],
)
def test_a_bad_question_is_refused(service, scope, about, how):
    """Case 61."""
    with pytest.raises(Invalid):
        search(service, scope, about, **how)


def test_nothing_found_is_an_empty_page(service, scope):
    page = search(service, scope, "anything")
    assert page.hits == () and page.is_complete


def test_a_limit_is_kept(service, scope, pets):
    assert len(search(service, scope, "Ann", limit=2).hits) == 2


def test_by_vector_alone_only_the_cosine_counts(service, scope):
    at = [datetime(2026, 1, 1, minute=minute, tzinfo=UTC) for minute in (0, 1)]
    keep(
        service, scope, Fact("Did the marathon in Bruges go well?", valid_from=at[0], session_id="s"),
        Fact("I had to stop after ten kilometres.", valid_from=at[1], session_id="s"),
    )  # fmt: skip
    hits = search(service, scope, "the marathon in Bruges", arms=Arms.VECTOR).hits
    exact = [
        float(np.dot(*service.embedder.embed(["the marathon in Bruges", hit.memory.text]))) for hit in hits
    ]
    assert [hit.similarity for hit in hits] == pytest.approx(exact, abs=1e-5)
    assert [hit.why.vector_rank for hit in hits] == [1, 2]


def test_by_vector_alone_what_is_too_far_is_left_out(service, scope, pets):
    found = search(service, scope, "Which dog does she own?", arms=Arms.VECTOR, min_similarity=0.99)
    assert found.hits == ()


def where(field: str, value: object, operator: Operator = Operator.EQ) -> Condition:
    return Condition(field, operator, value)


CHOICES = [
    ([where("kind", "preference")], {"tea"}),
    ([where("tags", "hot", Operator.CONTAINS)], {"tea", "coffee"}),
    ([where("tags", ["hot", "cold"], Operator.IN)], {"tea", "coffee", "juice"}),
    ([where("tags", "hot", Operator.CONTAINS), where("tags", "black", Operator.CONTAINS)], {"coffee"}),
    ([where("entity", "Lisbon")], {"juice"}),
    ([where("session_id", "s1")], {"coffee"}),
    ([where("source_ref", "page-7")], {"juice"}),
    ([where("source_kind", ["web", "tool"], Operator.IN)], {"juice"}),
    ([where("source_kind", "WEB")], {"juice"}),
    ([where("source_kind", "WEB", Operator.NE)], {"tea", "coffee", "water"}),
    ([where("status", "active"), where("source_kind", "we", Operator.CONTAINS)], {"juice"}),
    ([where("confidence", 0.5, Operator.GTE)], {"tea", "coffee"}),
    ([where("base_importance", 0.8, Operator.GT)], {"tea"}),
    ([where("metadata.page", 3)], {"coffee"}),
    ([where("tier", "HOT")], {"tea", "coffee", "juice", "water"}),
    ([where("valid_from", datetime(2025, 6, 1, tzinfo=UTC), Operator.LT)], {"coffee"}),
    ([where("subject", ["bob"], Operator.IN)], {"water"}),
    ([where("subject", ["ann", "bob"], Operator.IN)], {"tea", "coffee", "juice", "water"}),
]


@pytest.fixture
def drinks(service, scope):
    keep(
        service, scope,
        Fact("Ann drinks tea.", kind="preference", tags=("hot",), importance=0.9),
        Fact("Ann drinks coffee.", tags=("hot", "black"), metadata={"page": 3}, session_id="s1", valid_from=datetime(2025, 1, 1, tzinfo=UTC)),
        Fact("Ann drinks juice.", tags=("cold",), confidence=0.4, source=Source(SourceKind.WEB, "page-7"), entities=(EntityName("Lisbon", "lisbon"),)),
    )  # fmt: skip
    keep(service, Scope(scope.tenant_name, "bob"), Fact("Bob drinks water.", confidence=0.3, entities=()))
    return Scope(scope.tenant_name)


@pytest.mark.parametrize("how", [{}, {"arms": Arms.VECTOR}, {"mode": Mode.DEEP}, {"arms": Arms.TEXT}])
def test_a_search_keeps_to_its_conditions(service, drinks, how):
    for conditions, wanted in CHOICES:
        found = texts(service, drinks, "What do they drink?", where=conditions, min_score=0, **how)
        assert {text.rstrip(".").split()[-1] for text in found} == wanted, conditions


def test_few_that_meet_the_conditions_are_found_among_many_that_are_nearer(service, scope):
    """Case 62 for conditions: the index alone would have read nearer ones only."""
    near = [Fact(f"The canary sings song {number}.", entities=()) for number in range(400)]
    far = Fact("The tax office wrote again.", tags=("odd",), entities=())
    keep(service, scope, *near, far)
    found = search(
        service, scope, "canary sings", where=[where("tags", "odd", Operator.CONTAINS)], min_score=0
    )
    assert [hit.memory.text for hit in found.hits] == [far.text]


@pytest.mark.parametrize("how", [{}, {"arms": Arms.VECTOR}, {"mode": Mode.DEEP}])
def test_pages_of_a_search_repeat_and_lose_nothing(service, scope, how):
    keep(service, scope, *[Fact(f"The canary sings song {number}.", entities=(), valid_from=datetime(2025, 1, 1, minute=number, tzinfo=UTC)) for number in range(40)])  # fmt: skip
    found, after = [], None
    while len(found) < 60:
        page = search(service, scope, "canary sings", limit=7, after=after, min_score=0, **how)
        found += [hit.memory.id for hit in page.hits]
        after = page.next
        if after is None:
            break
    assert len(found) == len(set(found)) == page.total == 40
    with pytest.raises(Invalid):
        search(
            service,
            scope,
            "another question",
            limit=7,
            after=search(service, scope, "canary", limit=7, min_score=0).next,
        )


class Inexact:
    """An embedder that gives another last bit each time, as servers do that compute several texts at once."""

    def __init__(self, exact: Embedder) -> None:
        self.model, self.dimension = exact.model, exact.dimension
        self._exact, self._times = exact, 0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self._times += 1
        return [[first + self._times * 1e-7, *rest] for first, *rest in self._exact.embed(texts)]


@pytest.mark.parametrize("how", [{}, {"arms": Arms.VECTOR}])
def test_pages_follow_though_the_embedder_is_not_exact(service, scope, how):
    keep(service, scope, *[Fact(f"The canary sings song {number}.", entities=()) for number in range(9)])
    inexact = replace(service, embedder=Inexact(service.embedder))
    page = search(inexact, scope, "canary sings", limit=5, min_score=0, **how)
    behind = search(inexact, scope, " canary sings ", limit=5, min_score=0, after=page.next, **how)
    assert len({hit.memory.id for hit in (*page.hits, *behind.hits)}) == 9


def test_a_cursor_is_of_the_vector_that_was_given(service, scope):
    keep(service, scope, *[Fact(f"The canary sings song {number}.", entities=()) for number in range(9)])
    one, other = service.embedder.embed(["canary", "song"])
    page = search(service, scope, vector=one, limit=5, min_score=0)
    assert len(search(service, scope, vector=one, limit=5, min_score=0, after=page.next).hits) == 4
    with pytest.raises(Invalid, match="another search"):
        search(service, scope, vector=other, limit=5, min_score=0, after=page.next)


def test_a_page_goes_on_where_it_was_though_the_memory_that_ended_it_is_gone(service, scope):
    keep(service, scope, *[Fact(f"The canary sings song {number}.", entities=()) for number in range(9)])
    page = search(service, scope, "canary sings", limit=4, min_score=0)
    rest = [hit.memory.id for hit in search(service, scope, "canary sings", limit=9, min_score=0).hits][4:]
    forget(service, Call(scope, "test"), [page.hits[-1].memory.id])
    behind = search(service, scope, "canary sings", limit=9, min_score=0, after=page.next)
    assert [hit.memory.id for hit in behind.hits] == rest


def test_why_a_memory_was_not_returned_is_told(service, scope, clock):
    about = "Where does Ann live?"
    [old, cat, web] = keep(
        service, scope, Fact("Ann lives in Ghent."), Fact("The cat is asleep.", entities=()),
        Fact("Ann lives in a tent.", source=Source(SourceKind.WEB)),
    )  # fmt: skip
    [later] = keep(service, scope, Fact("Ann lives in Rome.", valid_from=datetime(2027, 1, 1, tzinfo=UTC)))
    clock.set(2026, 5, 1)
    new = supersede(service, Call(scope, "test"), old, Fact("Ann lives in Porto."))[0].new
    service.system(query("system/await_fulltext"))
    of_web = [where("source_kind", "web")]
    told = [
        why_not_returned(service, scope, id, about, **how)
        for id, how in (
            (new, {}), (old, {}), (old, {"mode": Mode.DEEP}), (later, {}), (cat, {}), (web, {"limit": 1}), (web, {"min_trust": Trust.PERSON}),
            (new, {"where": of_web}), ("0" * 8 + "-0000-0000-0000-" + "0" * 12, {}),
        )
    ]  # fmt: skip
    assert [each.reason for each in told] == [
        Absence.RETURNED, Absence.RETIRED, Absence.RETURNED, Absence.NOT_YET, Absence.BELOW_SCORE, Absence.BELOW_PAGE, Absence.TRUST,
        Absence.CONDITIONS, Absence.NOT_FOUND,
    ]  # fmt: skip
    below = told[4]
    assert below.score is not None and below.score < 0.03 and below.rank == 3 and below.seen["words"] == 0
    foreign = why_not_returned(service, Scope(scope.tenant_name, "bob"), new, about)
    assert foreign == told[-1]


def test_a_question_how_things_stood_is_answered_as_of_then_and_says_so(
    service: Service, scope: Scope, clock: Clock
) -> None:
    clock.set(2026, 11, 23)
    add(
        service,
        Call(scope, "test"),
        [
            Fact(
                "Ana works at Quillmark.",
                valid_from=datetime(2025, 1, 7, tzinfo=UTC),
                valid_to=datetime(2026, 6, 1, tzinfo=UTC),
            ),
            Fact("Ana works at Larkfield.", valid_from=datetime(2026, 6, 1, tzinfo=UTC)),
        ],
    )
    service.system(query("system/await_fulltext"))
    then = search(service, scope, "Where did Ana work last spring?")
    assert [hit.memory.text for hit in then.hits] == ["Ana works at Quillmark."]
    assert then.interpreted is not None
    assert then.interpreted.phrase == "last spring"
    now = search(service, scope, "Where does Ana work?")
    assert (now.hits[0].memory.text, now.interpreted) == ("Ana works at Larkfield.", None)
    given = search(service, scope, "Where did Ana work last spring?", moment=Moment(clock()))
    assert given.interpreted is None


def test_what_began_to_hold_later_comes_first_where_a_question_asks_how_things_are(service, scope):
    """Not in its score: it is no likelier to be about it. Of how things were the words alone decide."""
    begins = {800: datetime(2025, 1, 1, tzinfo=UTC), 900: datetime(2025, 6, 1, tzinfo=UTC)}
    facts = [Fact(f"Ann's rent is {rent} euros.", valid_from=at) for rent, at in begins.items()]
    keep(service, scope, *facts, Fact("Ann likes tea.", valid_from=begins[900]))
    now = search(service, scope, "How much is Ann's rent?").hits
    assert [hit.memory.text for hit in now[:2]] == [facts[1].text, facts[0].text]
    assert (now[0].seen["recent"], now[1].seen["recent"]) == (1.0, 0.0)
    then = search(service, scope, "How much was Ann's rent?").hits
    assert {hit.seen["recent"] for hit in then} == {0.0}
    unread = search(reading(service, 0), scope, "How much is Ann's rent?").hits
    assert unread[0].score == pytest.approx(unread[1].score, abs=0.01)
