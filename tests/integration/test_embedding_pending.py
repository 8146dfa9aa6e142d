"""While the embedder fails nothing is lost: memories are saved, found by their words, and embedded later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graph_memory.base.errors import BadVector, SystemFault, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.ingest.outcome import Mode
from graph_memory.ingest.pipeline import remember, remember_many
from graph_memory.jobs import schedule, slots
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import addition, life
from graph_memory.memory import reading as read
from graph_memory.memory.life import Revision
from graph_memory.memory.merge import merge
from graph_memory.memory.undo import undo
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact, Source, SourceKind
from graph_memory.model.verdict import Action
from graph_memory.recall.hits import Arms
from graph_memory.store.protocols import Embedder
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep import embedding_fill
from graph_memory.verify.check import verify
from tasks import execute
from tests.conftest import Clock
from tests.found import search
from tests.integration.conversation_world import MONDAY, told

pytestmark = pytest.mark.stack

AWAIT = query("system/await_fulltext")


class Failing:
    """An embedder that is down while it is told to be; it counts how often it is asked."""

    def __init__(self, embedder: Embedder, fault: SystemFault | None) -> None:
        self._embedder, self.fault = embedder, fault
        self.model, self.dimension = embedder.model, embedder.dimension
        self.asked: list[int] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(len(texts))
        if self.fault:
            raise self.fault
        return self._embedder.embed(texts)


@pytest.fixture(params=[Unavailable("down"), BadVector("nan")], ids=["down", "nonsense"])
def down(service: Service, request: pytest.FixtureRequest) -> Service:
    """The service with an embedder that fails."""
    return replace(service, embedder=Failing(service.embedder, request.param))


def filled(service: Service, scope: Scope) -> int:
    whole = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, whole, schedule.job(schedule.FILL), again=True)
    return int(execute(service, whole, run.id).result["embedded"])


def vectors(service: Service, scope: Scope) -> dict[str, tuple[str, bool, bool]]:
    records, _, _ = service.driver.execute_query(
        "MATCH (s:Memory|Revision {tenant: $t}) RETURN s.text AS text, s.embedding_model AS model, "
        "s.embedding IS NULL AS bare, s.unembedded IS NOT NULL AS waits",
        t=scope.tenant,
        database_=service.settings.neo4j.database,
    )
    return {row["text"]: (row["model"], row["bare"], row["waits"]) for row in records}


def test_a_memory_is_saved_and_found_by_its_words_and_embedded_later(
    service: Service, down: Service, scope: Scope
) -> None:
    """F17."""
    call = Call(scope, "test")
    [added], _ = addition.add(down, call, [Fact("Ann keeps bees in Bergen.")])
    assert vectors(service, scope) == {"Ann keeps bees in Bergen.": ("PENDING", True, True)}
    service.system(AWAIT)
    page = search(service, scope, "bees")
    assert [hit.memory.id for hit in page.hits] == [added.id]
    assert not search(service, scope, "bees", arms=Arms.VECTOR).hits
    assert verify(service, [scope.tenant_name]).violations["I13"] == 0

    assert embedding_fill.waiting(service, Scope(scope.tenant_name)) == 1
    assert filled(service, scope) == 1
    assert embedding_fill.waiting(service, Scope(scope.tenant_name)) == 0
    assert vectors(service, scope) == {"Ann keeps bees in Bergen.": (service.embedder.model, False, False)}
    [hit] = search(service, scope, "who is a beekeeper?", arms=Arms.VECTOR).hits
    assert hit.memory.id == added.id


def test_a_search_goes_on_with_words_and_says_so(service: Service, down: Service, scope: Scope) -> None:
    """F17."""
    addition.add(service, Call(scope, "test"), [Fact("Ann keeps bees.")])
    service.system(AWAIT)
    page = search(down, scope, "bees")
    assert [hit.memory.text for hit in page.hits] == ["Ann keeps bees."]
    assert not page.is_complete
    assert "words alone" in (page.note or "")
    with pytest.raises(SystemFault):
        search(down, scope, "bees", arms=Arms.VECTOR)


def test_a_new_text_never_keeps_the_vector_of_the_old_one(
    service: Service, down: Service, scope: Scope
) -> None:
    call = Call(scope, "test")
    [added], _ = addition.add(service, call, [Fact("Ann keeps bees.")])
    life.revise(down, call, added.id or "", Revision(text="Ann keeps goats."))
    assert vectors(service, scope) == {
        "Ann keeps bees.": (service.embedder.model, False, False),
        "Ann keeps goats.": ("PENDING", True, True),
    }
    undo(service, call, [_last(service, scope)])
    assert vectors(service, scope)["Ann keeps bees."] == (service.embedder.model, False, False)
    assert verify(service, [scope.tenant_name]).violations["I13"] == 0


def test_a_state_that_waits_is_embedded_also_when_it_has_become_a_former_one(
    service: Service, down: Service, scope: Scope
) -> None:
    call = Call(scope, "test")
    [added], _ = addition.add(down, call, [Fact("Ann keeps bees.")])
    life.revise(service, call, added.id or "", Revision(text="Ann keeps goats."))
    assert filled(service, scope) == 1
    assert {model for model, _, _ in vectors(service, scope).values()} == {service.embedder.model}


def test_what_is_merged_meanwhile_waits_too(service: Service, down: Service, scope: Scope) -> None:
    call = Call(scope, "test")
    added, _ = addition.add(service, call, [Fact("Ann keeps bees."), Fact("Ann has a garden.")])
    merge(down, call, added[0].id or "", added[1].id or "")
    assert filled(service, scope) == 1
    assert verify(service, [scope.tenant_name]).violations["I13"] == 0


def test_the_job_embeds_in_batches_and_fails_while_the_embedder_does(service: Service, scope: Scope) -> None:
    settings = service.settings.model_copy(
        update={"embedder": service.settings.embedder.model_copy(update={"batch": 4})}
    )
    failing = Failing(service.embedder, Unavailable("down"))
    down = replace(service, settings=settings, embedder=failing)
    addition.add(down, Call(scope, "test"), [Fact(f"Ann has {number} bees.") for number in range(10)])
    assert failing.asked == [10]
    whole = Scope(scope.tenant_name)
    run, _ = slots.by_hand(down, whole, schedule.job(schedule.FILL), again=True)
    assert "down" in (execute(down, whole, run.id).error or "")
    assert embedding_fill.waiting(service, whole) == 10
    failing.fault, failing.asked = None, []
    assert filled(down, scope) == 10
    assert failing.asked == [4, 4, 2]


def said_while_down(down: Service, scope: Scope, *texts: str, **more: Any) -> list[str]:
    """Ids of what was remembered while nothing could be embedded."""
    found = remember_many(down, Call(scope, "test"), [Fact(text, **more) for text in texts])
    assert [outcome.operation for outcome, _ in found] == [Operation.ADD] * len(texts)
    return [str(outcome.id) for outcome, _ in found]


def run_of_filling(service: Service, scope: Scope) -> Run:
    whole = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, whole, schedule.job(schedule.FILL), again=True)
    return execute(service, whole, run.id)


def texts_now(service: Service, scope: Scope) -> set[str]:
    return {each.text for each in read.browse(service, scope, 100).items}


def test_a_change_that_was_said_meanwhile_is_judged_when_it_has_its_vector_and_can_be_undone(
    service: Service, down: Service, scope: Scope, clock: Clock
) -> None:
    """F17."""
    outcome, _ = remember(service, Call(scope, "test"), Fact("Ann works at Google."))
    clock.forward(days=30)
    [new] = said_while_down(down, scope, "Ann no longer works at Google, she now works at Anthropic.")
    assert len(texts_now(service, scope)) == 2
    run = run_of_filling(service, scope)
    assert (run.result["embedded"], run.result["judged"]) == (1, 1), run.error
    assert [each.id for each in read.browse(service, scope, 10).items] == [new]
    assert verify(service, [scope.tenant_name]).findings == ()
    of_run = [row["sequence"] for row in changes(service, scope) if row["run_id"] == run.id]
    undo(service, Call(scope, "test"), of_run)
    assert {each.id for each in read.browse(service, scope, 10).items} == {outcome.id, new}
    assert run_of_filling(service, scope).result["judged"] == 0


def test_what_was_said_again_meanwhile_becomes_part_of_what_was_known(
    service: Service, down: Service, scope: Scope, clock: Clock
) -> None:
    outcome, _ = remember(service, Call(scope, "test"), Fact("Ann lives in the old part of Lyon."))
    clock.forward(days=30)
    said_while_down(down, scope, "Ann is living in the old part of Lyon.")
    filled(service, scope)
    assert [each.id for each in read.browse(service, scope, 10).items] == [outcome.id]
    assert verify(service, [scope.tenant_name]).findings == ()


def test_of_two_that_wait_the_later_one_is_compared_with_the_earlier(
    service: Service, down: Service, scope: Scope, clock: Clock
) -> None:
    [old] = said_while_down(down, scope, "Ann works at Google.")
    clock.forward(days=30)
    [new] = said_while_down(down, scope, "Ann no longer works at Google, she now works at Anthropic.")
    assert run_of_filling(service, scope).result["judged"] == 2
    assert [each.id for each in read.browse(service, scope, 10).items] == [new]
    assert life_of(service, scope, old) == "ACTIVE"


def test_what_is_told_ahead_leaves_the_present_as_it_is(
    service: Service, down: Service, scope: Scope, clock: Clock
) -> None:
    old = str(remember(service, Call(scope, "test"), Fact("Ann works at Google."))[0].id)
    clock.forward(days=30)
    [new] = said_while_down(
        down, scope, "From June on Ann no longer works at Google, she works at Anthropic."
    )
    assert run_of_filling(service, scope).result["judged"] == 1
    before, after = read.get_many(service, scope, [old, new])
    assert before is not None
    assert after is not None
    assert before.valid_to == after.valid_from == datetime(2026, 6, 1, tzinfo=UTC)


def test_what_is_doubtful_stands_beside_and_is_asked_about(
    service: Service, down: Service, scope: Scope
) -> None:
    """Nothing is retired below the threshold, nor for a source that is trusted less."""
    remember(service, Call(scope, "test"), Fact("Ann works at Google."))
    web = Source(SourceKind.WEB)
    said_while_down(down, scope, "Ann no longer works at Google, she now works at Anthropic.", source=web)
    assert run_of_filling(service, scope).result["judged"] == 1
    assert len(texts_now(service, scope)) == 2
    [review] = review_records.page(service, scope, first=10).items
    assert review.action is Action.SUPERSEDE


def test_what_was_said_in_talk_is_judged_with_the_caution_of_talk(
    service: Service, down: Service, scope: Scope, clock: Clock
) -> None:
    clock.set(2026, 3, 1)
    told(service, scope, "I live in Lyon.", "I ran a marathon in Nice.")
    later = MONDAY + timedelta(days=20)
    told(down, scope, "I no longer live in Lyon.", "I ran a marathon in Metz.", session="t", at=later)
    assert len(texts_now(service, scope)) == 4
    assert run_of_filling(service, scope).result["judged"] == 2
    assert texts_now(service, scope) == {
        "Ann lives in Lyon.",
        "Ann no longer lives in Lyon.",
        "Ann ran a marathon in Nice.",
        "Ann ran a marathon in Metz.",
    }


def test_what_was_added_as_it_is_or_only_observed_is_not_judged(
    service: Service, down: Service, scope: Scope
) -> None:
    addition.add(service, Call(scope, "test"), [Fact("Ann works at Google.")])
    addition.add(down, Call(scope, "test"), [Fact("Ann no longer works at Google, she works at Anthropic.")])
    remember(down, Call(scope, "test"), Fact("Ann left Google for good."), Mode.OBSERVE)
    run = run_of_filling(service, scope)
    assert (run.result["embedded"], run.result["judged"]) == (2, 0)
    assert len(texts_now(service, scope)) == 3


def test_a_run_that_was_cut_off_before_it_judged_is_made_up_for(
    service: Service, down: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    said_while_down(down, scope, "Ann works at Google.")
    whole = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, whole, schedule.job(schedule.FILL), again=True)

    def dies(*_: Any) -> int:
        raise Unavailable("cut off")

    with monkeypatch.context() as patch:
        patch.setattr(embedding_fill, "judge_pending", dies)
        assert "cut off" in (execute(service, whole, run.id).error or "")
    assert embedding_fill.waiting(service, whole) == 0
    again = execute(service, whole, run.id)
    assert (again.result["embedded"], again.result["judged"]) == (0, 1), again.error


def life_of(service: Service, scope: Scope, id: str) -> str:
    [memory] = read.get_many(service, scope, [id])
    assert memory is not None
    return str(memory.status)


def _last(service: Service, scope: Scope) -> int:
    records, _, _ = service.driver.execute_query(
        "MATCH (c:Change {tenant: $t}) RETURN max(c.sequence) AS last",
        t=scope.tenant,
        database_=service.settings.neo4j.database,
    )
    return int(records[0]["last"])
