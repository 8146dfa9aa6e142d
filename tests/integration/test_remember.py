"""`remember` on the real database: cases C7."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from threading import Barrier

import pytest

from graph_memory.base.errors import IdempotencyMismatch, Invalid
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.curation.entity_edits import merge_entities
from graph_memory.curation.reviews import approve
from graph_memory.ingest.outcome import Mode
from graph_memory.ingest.pipeline import plan, remember, remember_many, remember_together
from graph_memory.ingest.rounds import Asked
from graph_memory.ingest.trace import State
from graph_memory.ledger import changes
from graph_memory.ledger.activity import set_time_zone
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading as read
from graph_memory.memory.entity_reading import page
from graph_memory.memory.erasure import forget
from graph_memory.memory.settings import PipelineSettings, ReviewsSettings
from graph_memory.memory.undo import undo
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service
from graph_memory.verify import verify
from tests.conftest import Clock
from tests.integration.remembering_world import Judge, keep, live, says

pytestmark = pytest.mark.stack


def _with(service: Service, **given: object) -> Service:
    """The service with other settings of the pipeline."""
    settings = service.settings.model_copy(update={"pipeline": PipelineSettings(**given)})
    return replace(service, settings=settings)


def test_a_statement_that_nothing_comes_near_is_added_without_a_judge(service: Service, scope: Scope) -> None:
    """Case 87."""
    judge = Judge()
    keep(service, scope, "Ann enjoys hiking in the mountains.", judge)
    outcome = keep(service, scope, "The invoice for the printer was paid.", judge)
    assert judge.calls == []
    assert (outcome.operation, outcome.classification, outcome.review_id) == (Operation.ADD, None, None)
    assert outcome.trace[-3:] == (State.NO_MATCH, State.ADDING, State.COMMITTED)


def test_a_newer_duplicate_touches_and_an_older_one_does_nothing(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Case 83: one node; the text never changes."""
    first = keep(service, scope, "User prefers dark mode.")
    clock.forward(days=1)
    newer = keep(service, scope, "User likes dark theme.", Judge(Action.DUPLICATE))
    assert (newer.operation, newer.id, newer.classification) == (
        Operation.UPDATE,
        first.id,
        Action.DUPLICATE,
    )
    [memory] = live(service, scope)
    assert (memory.text, memory.access_count, memory.last_accessed_at) == (
        "User prefers dark mode.",
        1,
        clock.now,
    )
    old = clock.now.replace(year=2025)
    older = keep(service, scope, "User likes the dark theme.", Judge(Action.DUPLICATE), valid_from=old)
    assert (older.operation, older.trace[-1]) == (Operation.NOOP, State.SKIPPED)
    assert live(service, scope)[0].access_count == 1
    told = [change["operation"] for change in changes.changes(service, scope)]
    assert told == ["ADD", "UPDATE", "NOOP"]


def test_a_new_version_retires_the_old_one_and_shares_its_chain(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Cases 84, 91 and 92."""
    first = keep(service, scope, "Ann works at Google.")
    clock.forward(days=31)
    outcome = keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE))
    assert (outcome.operation, outcome.target_id) == (Operation.SUPERSEDE, first.id)
    [current] = live(service, scope)
    assert (current.id, current.chain_id) == (outcome.id, first.id)
    old, _ = read.history(service, scope, str(outcome.id))[-2:]
    assert (old.memory.id, old.superseded_by, old.memory.valid_to) == (first.id, outcome.id, clock.now)
    [change] = [each for each in changes.changes(service, scope) if each["operation"] == "SUPERSEDE"]
    assert (change["confidence"], change["reason"]) == (0.9, "the test says so")


@pytest.mark.parametrize(
    ("known", "told", "starts"),
    [
        ("The fee is 90 euros.", "From June the fee is 95 euros.", (6, 1)),
        ("Ola lives in Oslo.", "Ola is moving to Bergen on 1 February.", (2, 1)),
        ("The fee is 90 euros.", "The fee is 95 euros now.", None),
        ("Ola's exam is on 3 February 2026.", "Ola's exam is on 5 February 2026.", None),
    ],
)
def test_what_is_told_ahead_leaves_the_present_as_it_is(
    service: Service,
    scope: Scope,
    clock: Clock,
    known: str,
    told: str,
    starts: tuple[int, int] | None,
) -> None:
    """A judge that acts by itself retires the known one from then on; an appointment is another at once."""
    old = keep(service, scope, known)
    clock.forward(days=1)
    said_at = clock()
    new = keep(service, scope, told, Judge(Action.SUPERSEDE))
    before, after = (read.get(service, scope, str(each.id)) for each in (old, new))
    assert before is not None
    assert after is not None
    assert after.valid_from == (datetime(2026, *starts, tzinfo=UTC) if starts else said_at)
    assert before.valid_to == after.valid_from
    assert [memory.text for memory in live(service, scope)] == [known if starts else told]


def test_a_third_version_is_attached_to_the_head(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 90, and no fork as in case 100: only what is live is a candidate."""
    texts = [
        "The team deploys on Fridays.",
        "The team now deploys on Mondays.",
        "The team now deploys daily.",
    ]
    ids = []
    for text in texts:
        ids.append(keep(service, scope, text, Judge(Action.SUPERSEDE)).id)
        clock.forward(days=30)
    assert [memory.id for memory in live(service, scope)] == [ids[2]]
    found = read.version(service, scope, str(ids[0]), Moment(clock.now.replace(month=1, day=15)))
    assert found is not None
    assert found.text == texts[0]


def test_a_merge_keeps_the_id_and_both_facts(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 85."""
    first = keep(
        service,
        scope,
        "User has a dog.",
        tags=("pets",),
        importance=0.4,
        source=Source(SourceKind.USER, "turn-1"),
    )
    clock.forward(days=1)
    judge = Judge(Action.MERGE, text="User has a dog named Max.")
    outcome = keep(service, scope, "The dog is named Max.", judge, tags=("names",), importance=0.7)
    assert (outcome.operation, outcome.id) == (Operation.MERGE, first.id)
    assert outcome.text == "User has a dog named Max."
    [memory] = live(service, scope)
    assert (memory.id, memory.text, memory.tags) == (first.id, "User has a dog named Max.", ("names", "pets"))
    assert (memory.base_importance, memory.access_count) == (0.7, 1)
    [merged] = [
        link for link in read.links_of(service, scope, [memory.id])[memory.id] if link.kind == "MERGED_INTO"
    ]
    told = read.get(service, scope, merged.from_id)
    assert told is not None
    assert told.text == "The dog is named Max."


def test_a_merge_without_a_text_of_the_judge_keeps_both_texts(service: Service, scope: Scope) -> None:
    keep(service, scope, "User has a dog.")
    outcome = keep(service, scope, "The dog is named Max.", Judge(Action.MERGE))
    assert outcome.text == "User has a dog. The dog is named Max."


@pytest.mark.parametrize(
    "text", ["User has a dog.", "User has a dog named Rex or Max.", "User has 2 dogs, one named Max."]
)
def test_a_merged_text_that_loses_or_makes_up_a_value_is_refused(
    service: Service, scope: Scope, text: str
) -> None:
    """Case 101: it falls back to coexistence, and a person is asked."""
    keep(service, scope, "User has a dog.")
    outcome = keep(service, scope, "The dog is named Max.", Judge(Action.MERGE, text=text))
    assert (outcome.operation, outcome.classification) == (Operation.ADD, Action.COEXIST)
    assert outcome.proposed is Action.MERGE
    assert outcome.review_id
    assert len(live(service, scope)) == 2


@pytest.mark.parametrize("text", ["User has a dog named Max.\0", "User has a dog named Max.\ud800", "\u200b"])
def test_a_merged_text_that_may_not_be_stored_is_left_to_a_person(
    service: Service, scope: Scope, text: str
) -> None:
    keep(service, scope, "User has a dog.")
    outcome = keep(service, scope, "The dog is named Max.", Judge(Action.MERGE, text=text))
    assert (outcome.classification, outcome.proposed) == (Action.COEXIST, Action.MERGE)
    assert len(live(service, scope)) == 2


def test_a_judges_merged_text_is_cleaned_and_screened_like_any_other(service: Service, scope: Scope) -> None:
    keep(service, scope, "User has a dog.")
    said = "  User has a dog named Max,\x07 my password is hunter2!x.  "
    outcome = keep(service, scope, "The dog is named Max.", Judge(Action.MERGE, text=said))
    assert outcome.text is not None and outcome.text.startswith("User has a dog named Max, my password is ")
    assert "hunter2" not in outcome.text and outcome.text == outcome.text.strip()


def test_what_coexists_is_related(service: Service, scope: Scope) -> None:
    """Case 86: two nodes and a related link of strength 0.8, which says why."""
    first = keep(service, scope, "User enjoys hiking.")
    outcome = keep(service, scope, "User went hiking last weekend.")
    assert (outcome.operation, outcome.classification) == (Operation.ADD, Action.COEXIST)
    [link] = read.links_of(service, scope, [str(outcome.id)])[str(outcome.id)]
    assert (link.kind, link.from_id, link.to_id, link.strength) == ("RELATED", outcome.id, first.id, 0.8)
    assert link.reason
    added = changes.changes(service, scope)[1]
    assert (added["operation"], added["classification"]) == ("ADD", "COEXIST")


def test_weeks_later_the_store_of_vectors_has_moved(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 152."""
    first = keep(service, scope, "The team stores vectors in Pinecone.")
    clock.forward(days=21)
    outcome = keep(service, scope, "They moved the vectors to pgvector.", Judge(Action.SUPERSEDE))
    assert outcome.target_id == first.id
    retired = read.get(service, scope, str(first.id))
    assert retired is not None
    assert retired.valid_to == clock.now


@pytest.mark.parametrize("confidence", [0.8, 0.5])
def test_a_doubtful_verdict_coexists_and_waits_for_a_person(
    service: Service, scope: Scope, confidence: float
) -> None:
    """Case 89: 0.8 itself is not enough."""
    first = keep(service, scope, "Ann works at Google.")
    outcome = keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE, confidence))
    assert (outcome.operation, outcome.proposed) == (Operation.ADD, Action.SUPERSEDE)
    review = review_records.get(service, scope, str(outcome.review_id))
    assert (review.action, review.memory_id, review.target_id) == (Action.SUPERSEDE, outcome.id, first.id)
    assert (review.confidence, review.provider) == (confidence, "scripted")
    assert len(live(service, scope)) == 2


def test_just_above_the_threshold_it_is_done(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 89: 0.81."""
    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)
    outcome = keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE, 0.81))
    assert outcome.operation is Operation.SUPERSEDE


def test_with_reviews_off_nobody_is_asked(service: Service, scope: Scope) -> None:
    off = replace(
        service, settings=service.settings.model_copy(update={"reviews": ReviewsSettings(enabled=False)})
    )
    keep(off, scope, "Ann works at Google.")
    outcome = keep(off, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE, 0.5))
    assert (outcome.proposed, outcome.review_id) == (Action.SUPERSEDE, None)
    assert review_records.page(service, scope, status=None).items == []


def test_an_undecided_judge_flags_the_statement(service: Service, scope: Scope) -> None:
    """Case 88: what could not be read is coexistence of low confidence, and told so; there is nothing to ask a person."""
    keep(service, scope, "Ann works at Google.")
    judge = Judge(Action.COEXIST, 0.0, abstained=True)
    outcome = keep(service, scope, "Ann now works at Anthropic.", judge)
    assert (outcome.classification, outcome.confidence, outcome.review_id) == (Action.COEXIST, 0.0, None)
    assert outcome.reason.startswith("Undecided")


@pytest.mark.parametrize(
    ("action", "switch", "new"),
    [
        (Action.SUPERSEDE, "enable_supersede", "Ann now works at Anthropic."),
        (Action.MERGE, "enable_merge", "Ann works at Google as a chemist."),
    ],
)
def test_what_is_switched_off_is_downgraded_and_recorded(
    service: Service, scope: Scope, action: Action, switch: str, new: str
) -> None:
    """Cases 94 and 95."""
    off = _with(service, **{switch: False})
    keep(off, scope, "Ann works at Google.")
    outcome = keep(off, scope, new, Judge(action))
    assert (outcome.operation, outcome.classification, outcome.proposed) == (
        Operation.ADD,
        Action.COEXIST,
        action,
    )
    assert outcome.review_id is None
    added = changes.changes(service, scope)[1]
    assert switch in added["reason"]
    assert added["classification"] == "COEXIST"


def test_with_the_pipeline_off_statements_are_only_added(service: Service, scope: Scope) -> None:
    judge, off = Judge(Action.SUPERSEDE), _with(service, enabled=False)
    keep(off, scope, "Ann works at Google.", judge)
    keep(off, scope, "Ann now works at Anthropic.", judge)
    keep(off, scope, "Please forget where Ann works.", judge)
    assert judge.calls == []
    assert len(live(service, scope)) == 3


NEAR_TWINS = [
    ("Her next trip leads to Argentina.", "Her next trip leads to Armenia."),
    ("The server runs PostgreSQL 16.", "The server runs PostgreSQL 18."),
    ("The meeting takes place on Thursday.", "The meeting takes place on Friday."),
    ("The feature works on Windows.", "The feature does not work on Windows."),
]


@pytest.mark.parametrize("action", [Action.DUPLICATE, Action.MERGE])
@pytest.mark.parametrize(("old", "new"), NEAR_TWINS)
def test_no_verdict_drops_or_merges_a_changed_value(
    service: Service, scope: Scope, action: Action, old: str, new: str
) -> None:
    """However sure the judge is, both stay, and a person is asked."""
    keep(service, scope, old)
    outcome = keep(service, scope, new, Judge(action, 1.0))
    assert (outcome.operation, outcome.proposed) == (Operation.ADD, action)
    assert outcome.review_id
    assert {memory.text for memory in live(service, scope)} == {old, new}


def test_a_web_page_retires_nothing_that_the_user_said(service: Service, scope: Scope, clock: Clock) -> None:
    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)
    web = Source(SourceKind.WEB)
    outcome = keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE, 1.0), source=web)
    assert (outcome.operation, outcome.proposed) == (Operation.ADD, Action.SUPERSEDE)
    review = review_records.get(service, scope, str(outcome.review_id))
    assert "trusted less" in review.hindrance


def test_what_the_system_handed_out_is_not_remembered(service: Service, scope: Scope) -> None:
    pack = '<memory_consolidated_summaries version="1a2b3c4d">\nAnn works at Google.'
    with pytest.raises(Invalid, match="handed out"):
        keep(service, scope, pack)
    assert live(service, scope) == []


def test_all_candidates_are_judged_in_one_call_and_the_best_verdict_wins(
    service: Service, scope: Scope
) -> None:
    """Case 93."""
    keep(service, scope, "User enjoys hiking in the Alps.")
    known = keep(service, scope, "User enjoys long hikes.")

    def rule(new: Statement, old: Statement) -> Verdict:
        return says(old, Action.DUPLICATE if old.id == known.id else Action.COEXIST)

    judge = Judge(rule)
    outcome = keep(service, scope, "User enjoys hiking.", judge)
    assert judge.calls == [2]
    assert (outcome.classification, outcome.id) == (Action.DUPLICATE, known.id)
    assert len(outcome.candidates) == 2


def test_links_lead_to_the_memories_that_the_judge_named(service: Service, scope: Scope) -> None:
    """Case 74."""
    texts = {
        "Ann moved to Berlin for her job.": LinkKind.CAUSES,
        "Ann likes living in Berlin.": LinkKind.SUPPORTS,
        "Ann pays a high rent in Berlin.": LinkKind.MOTIVATED_BY,
    }
    ids = {keep(service, scope, text).id: kind for text, kind in texts.items()}

    def rule(new: Statement, old: Statement) -> Verdict:
        return says(old, Action.COEXIST, link=ids[old.id])

    outcome = keep(service, scope, "Ann looks for a flat in Berlin.", Judge(rule))
    found = read.links_of(service, scope, [str(outcome.id)])[str(outcome.id)]
    assert {link.to_id: link.kind for link in found if link.from_id == outcome.id} == {
        str(id): kind.value for id, kind in ids.items()
    }


def test_a_link_leads_from_the_known_memory_where_the_judge_says_so(service: Service, scope: Scope) -> None:
    known = keep(service, scope, "The ferry to Texel was cancelled.")

    def rule(new: Statement, old: Statement) -> Verdict:
        return says(old, Action.COEXIST, link=LinkKind.CAUSES, link_from_candidate=True)

    outcome = keep(service, scope, "Ann missed the party on Texel when the ferry was cancelled.", Judge(rule))
    [link] = read.links_of(service, scope, [str(outcome.id)])[str(outcome.id)]
    assert (link.kind, link.from_id, link.to_id) == ("CAUSES", known.id, outcome.id)
    assert [(each.link, each.link_from_candidate) for each in outcome.candidates] == [(LinkKind.CAUSES, True)]


def test_the_embedded_judge_links_a_cause_that_was_told_before(service: Service, scope: Scope) -> None:
    known = keep(service, scope, "The freezer broke down at night.")
    fact = Fact("The soup spoiled because the freezer broke down.")
    outcome, _ = remember(service, Call(scope, "test"), fact)
    found = read.links_of(service, scope, [str(outcome.id)])[str(outcome.id)]
    assert ("CAUSES", known.id, outcome.id) in {(link.kind, link.from_id, link.to_id) for link in found}


def test_an_alias_shares_the_entity_that_it_names(service: Service, scope: Scope) -> None:
    """What was said of New York City is compared with what is said of NYC, once both are one."""
    city, nyc = (EntityName(name, name.lower(), "GPE") for name in ("New York City", "NYC"))
    strict, judge = _with(service, floor=0.99, shared_floor=-1.0, worded_floor=1.0), Judge()
    keep(strict, scope, "Bread is dear in New York City.", entities=(city,))
    keep(strict, scope, "It snowed in NYC.", judge, entities=(nyc,))
    assert judge.calls == []
    [one] = page(service, scope, "New York City").items
    [other] = page(service, scope, "NYC").items
    merge_entities(service, Call(scope, "test"), one["id"], other["id"])
    outcome = keep(strict, scope, "The trams of NYC are slow.", judge, entities=(nyc,))
    assert (judge.calls, len(outcome.candidates)) == ([2], 2)
    keep(strict, scope, "Ghent has trams.", judge, entities=(EntityName("Ghent", "ghent", "GPE"),))
    assert judge.calls == [2]


def test_two_statements_of_one_call_share_an_entity_by_any_of_its_names(
    service: Service, scope: Scope
) -> None:
    city, nyc, ghent = (EntityName(name, name.lower(), "GPE") for name in ("New York City", "NYC", "Ghent"))
    strict, judge = _with(service, floor=0.99, shared_floor=-1.0, worded_floor=1.0), Judge()
    keep(strict, scope, "It rains in New York City.", entities=(city,))
    keep(strict, scope, "It snowed in NYC.", entities=(nyc,))
    [one] = page(service, scope, "New York City").items
    [other] = page(service, scope, "NYC").items
    merge_entities(service, Call(scope, "test"), one["id"], other["id"])
    facts = [
        Fact("The trams of NYC are slow.", entities=(nyc,)),
        Fact("Bread is dear in New York City.", entities=(city,)),
        Fact("Ghent has trams.", entities=(ghent,)),
    ]
    asked = Asked(Call(scope, "test"), "three", lambda writing, outcomes: len(outcomes))
    remember_together(strict, asked, facts, judge)
    assert judge.calls == [2, 3]


def test_what_shares_an_entity_is_a_candidate_below_the_floor(service: Service, scope: Scope) -> None:
    keep(service, scope, "The team stores its embeddings in Pinecone.")
    judge = Judge()
    strict = _with(service, floor=0.99, shared_floor=0.0, worded_floor=1.0)
    keep(strict, scope, "Pinecone raised its prices.", judge)
    keep(strict, scope, "Somebody raised prices.", judge)
    assert judge.calls == [1]


def test_a_caller_that_judges_itself_gets_the_candidates(service: Service, scope: Scope) -> None:
    first = keep(service, scope, "Ann works at Google.")
    judge = Judge(Action.SUPERSEDE)
    fact = Fact("Ann now works at Anthropic.")
    outcome, _ = remember(service, Call(scope, "test"), fact, Mode.OBSERVE, judge)
    assert judge.calls == []
    assert (outcome.operation, outcome.classification) == (Operation.ADD, Action.COEXIST)
    [candidate] = outcome.candidates
    assert (candidate.id, candidate.action) == (first.id, None)
    assert candidate.cosine > 0.5
    assert len(live(service, scope)) == 2


def test_a_plan_writes_nothing(service: Service, scope: Scope) -> None:
    first = keep(service, scope, "Ann works at Google.")
    before = changes.changes(service, scope)
    outcome = plan(service, scope, Fact("Ann now works at Anthropic."), classify=Judge(Action.SUPERSEDE))
    assert (outcome.operation, outcome.id, outcome.target_id) == (Operation.SUPERSEDE, None, first.id)
    assert changes.changes(service, scope) == before


def test_a_repeated_key_answers_the_same_and_asks_no_judge_again(service: Service, scope: Scope) -> None:
    keep(service, scope, "Ann works at Google.")
    call, judge = Call(scope, "test", key="k"), Judge(Action.SUPERSEDE, 0.6)
    fact = Fact("Ann now works at Anthropic.")
    first, answer = remember(service, call, fact, classify=judge)
    again, repeated = remember(service, call, fact, classify=judge)
    assert first == again
    assert (answer.replayed, repeated.replayed) == (False, True)
    assert judge.calls == [1]
    with pytest.raises(IdempotencyMismatch):
        remember(service, call, Fact("Something else."), classify=judge)


def test_many_facts_see_one_another_and_are_embedded_at_once(
    service: Service, scope: Scope, clock: Clock
) -> None:
    batches: list[int] = []

    class Counting:
        model, dimension = service.embedder.model, service.embedder.dimension

        def embed(self, texts: list[str]) -> list[list[float]]:
            batches.append(len(texts))
            return service.embedder.embed(texts)

    counting = replace(service, embedder=Counting())
    facts = [
        Fact("Ann works at Google.", valid_from=clock.now.replace(year=2024)),
        Fact("The printer is broken."),
        Fact("Ann now works at Anthropic.", valid_from=clock.now.replace(year=2025)),
    ]
    judge = Judge(Action.SUPERSEDE)
    outcomes = remember_many(counting, Call(scope, "test", key="many"), facts, classify=judge)
    assert [outcome.operation for outcome, _ in outcomes] == [
        Operation.ADD,
        Operation.ADD,
        Operation.SUPERSEDE,
    ]
    assert outcomes[2][0].target_id == outcomes[0][0].id
    assert batches == [3]
    assert judge.calls == [1]


def test_undo_of_a_verdict_leaves_both(service: Service, scope: Scope, clock: Clock) -> None:
    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)
    keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE))
    last = changes.changes(service, scope)[-1]
    undo(service, Call(scope, "test"), [last["sequence"]])
    assert len(live(service, scope)) == 2


def test_a_fault_in_the_writing_leaves_nothing(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 97."""
    keep(service, scope, "Ann works at Google.")
    clock.forward(days=1)
    before = live(service, scope), changes.changes(service, scope)

    def fails(*_: object) -> None:
        raise RuntimeError("injected")

    monkeypatch.setattr(changes, "_seal", fails)
    with pytest.raises(RuntimeError, match="injected"):
        keep(service, scope, "Ann now works at Anthropic.", Judge(Action.SUPERSEDE))
    assert (live(service, scope), changes.changes(service, scope)) == before


def test_two_who_store_the_same_at_once_make_one_node(service: Service, scope: Scope) -> None:
    """Case 99, with 32 writers."""
    start = Barrier(32)

    def store(_: int) -> Operation:
        start.wait()
        return keep(service, scope, "Ann prefers tea.", Judge(Action.DUPLICATE)).operation

    with ThreadPoolExecutor(32) as pool:
        done = sorted(pool.map(store, range(32)))
    assert done == ["ADD"] + ["UPDATE"] * 31
    assert len(live(service, scope)) == 1


def test_two_contradictions_judged_at_the_same_moment_do_not_both_stay_live(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Neither sees the other when it looks; under the lock the later one does, and is judged again."""
    ready = Barrier(2)

    def rule(new: Statement, old: Statement) -> Verdict:
        is_other = any(city in old.text and city not in new.text for city in ("Berlin", "Paris"))
        return says(old, Action.SUPERSEDE if is_other else Action.COEXIST)

    keep(service, scope, "Ann lives somewhere near a river.")

    class Together(Judge):
        def __call__(self, *given: object, **more: object) -> object:  # type: ignore[override]
            if not self.calls:
                ready.wait()
            return super().__call__(*given, **more)  # type: ignore[arg-type]

    def store(text: str, year: int) -> Operation:
        at = clock.now.replace(year=year)
        return keep(service, scope, text, Together(rule), valid_from=at).operation

    low = _with(service, floor=0.2)
    service = low
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(store, "Ann lives in Berlin.", 2024)
        other = pool.submit(store, "Ann lives in Paris.", 2025)
        done = {one.result(), other.result()}
    assert Operation.SUPERSEDE in done
    told = {memory.text for memory in live(service, scope)}
    assert ("Ann lives in Berlin." in told) != ("Ann lives in Paris." in told)


def test_thirty_two_writers_of_one_subject_leave_the_store_whole(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Versions of one truth from many threads: one is current, the rest is its history."""
    start = Barrier(32)

    def store(number: int) -> str:
        start.wait()
        at = clock.now.replace(year=2020).replace(day=1 + number % 28, month=1 + number // 28)
        text = f"The team has {number + 100} members now."
        return str(keep(service, scope, text, Judge(Action.SUPERSEDE), valid_from=at).id)

    with ThreadPoolExecutor(32) as pool:
        ids = set(pool.map(store, range(32)))
    assert len(ids) == 32
    report = verify(service, [scope.tenant_name])
    assert {name: found for name, found in report.violations.items() if found} == {}


def test_erasing_a_candidate_takes_the_words_of_its_review(service: Service, scope: Scope) -> None:
    first = keep(service, scope, "Ann works at Google.")
    judge = Judge(Action.MERGE, 0.6, text="Ann works at Google as a chemist.")
    outcome = keep(service, scope, "Ann works as a chemist.", judge)
    forget(service, Call(scope, "test"), [str(first.id)])
    review = review_records.get(service, scope, str(outcome.review_id))
    assert (review.text, review.reason, review.status) == (None, "", "EXPIRED")


def test_every_way_of_a_statement_is_legal(service: Service, scope: Scope, clock: Clock) -> None:
    """Case 96, as it really was walked."""
    keep(service, scope, "Ann works at Google.")
    for action in Action:
        clock.forward(days=1)
        trace = keep(
            service, scope, f"Ann works at Google, they say on day {clock.now.day}.", Judge(action)
        ).trace
        assert trace[0] is State.PENDING
        assert trace[-1] in (State.COMMITTED, State.SKIPPED)


def test_a_question_is_no_fact_until_somebody_lets_it_in(service: Service, scope: Scope) -> None:
    call = Call(scope, "test")
    outcome, _ = remember(service, call, Fact("Do I have any appointments this week?"))
    assert outcome.is_held
    assert outcome.review_id is not None
    assert live(service, scope) == []
    approve(service, call, outcome.review_id)
    assert [each.text for each in live(service, scope)] == ["Do I have any appointments this week?"]


def test_a_statement_has_the_times_of_its_words_in_the_zone_of_its_person(
    service: Service, scope: Scope, clock: Clock
) -> None:
    call = Call(scope, "test")
    set_time_zone(service, call, "America/Los_Angeles")
    clock.set(2026, 1, 2, 3)
    remember(service, call, Fact("I saw the dentist yesterday."))
    remember(service, call, Fact("The parking permit is valid until 10 January."))
    given = datetime(2026, 3, 1, tzinfo=UTC)
    remember(service, call, Fact("I meet my sister tomorrow.", happens_at=given))
    told = {each.text: (each.happens_at, each.expires_at) for each in live(service, scope)}
    assert told == {
        "I saw the dentist yesterday.": (datetime(2025, 12, 31, tzinfo=UTC), None),
        "The parking permit is valid until 10 January.": (None, datetime(2026, 1, 11, 8, tzinfo=UTC)),
        "I meet my sister tomorrow.": (given, None),
    }
