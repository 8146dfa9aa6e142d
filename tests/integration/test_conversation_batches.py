"""What is asked about conversations overnight: both stages over Message Batches, with processes that end in between."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.base.scope import Scope
from graph_memory.batches import records
from graph_memory.jobs import runs, schedule
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life
from graph_memory.model.batch import Batch, Kind, Status
from graph_memory.store.service import Service, open_driver
from tasks import execute
from tests.conftest import Clock
from tests.integration.batches_world import World, a_world
from tests.integration.conversation_world import coexisting, found, live, tied, told
from tests.wires import Ended, Wires, fails, says

pytestmark = pytest.mark.stack

YESTERDAY = datetime(2025, 12, 31, 9, tzinfo=UTC)
TALK = {
    "I live in Lyon.": "Ann lives in Lyon.",
    "I play the cello.": "Ann plays the cello.",
    "My sister bakes bread.": "Ann's sister bakes bread.",
    "I fear thunderstorms.": "Ann fears thunderstorms.",
    "I collect old maps.": "Ann collects old maps.",
}
BROKEN, COOK = "Ann broke her left arm.", "Ben cooks for everybody this month."

Restart = Callable[[], World]


@pytest.fixture
def wires() -> Iterator[Wires]:
    with Wires() as started:
        started.script(lambda asked: says({"verdicts": coexisting(asked)}))
        yield started


@pytest.fixture
def restart(service: Service, scope: Scope, wires: Wires) -> Iterator[Restart]:
    """A new process, as far as the service goes: another driver, other providers, nothing remembered but the store."""
    with ExitStack() as opened:

        def fresh() -> World:
            driver = opened.enter_context(open_driver(service.settings))
            world = opened.enter_context(a_world(replace(service, driver=driver), scope, wires, "anthropic"))
            return world.with_settings(conversations={"chunk": 1, "link_candidates": 20})

        yield fresh


def say(world: World, *texts: str) -> Batch:
    """The batch of the questions about a session in which this was said."""
    before = {batch.id for batch in pending(world)}
    told(world.service, world.scope, *texts, session=f"s{uuid.uuid4()}", at=YESTERDAY)
    [batch] = [batch for batch in pending(world) if batch.id not in before]
    return batch


def pending(world: World, kind: Kind = Kind.EXTRACTION) -> list[Batch]:
    return [world.batch(id) for id, _ in records.pending(world.service, world.scope, [kind])]


def asked_about(wires: Wires, submission: int = 0) -> dict[str, str]:
    """By what was said, the custom id of the question about it."""
    given = {}
    for request in wires.batches[submission].requests:
        shown = str(request["params"]["messages"][-1]["content"]).partition("\nMESSAGES\n")[2]
        given |= {text: request["custom_id"] for text in TALK if text in shown}
    return given


def good(ids: Mapping[str, str], *texts: str) -> dict[str, Any]:
    """The right answer to the questions about these, or all."""
    return {ids[text]: {"memories": [found(TALK[text], 0)]} for text in texts or ids}


def known(world: World) -> list[str]:
    return sorted(memory.text for memory in live(world.service, world.scope))


def written(world: World) -> list[str]:
    """What both stages did: whatever was applied twice shows."""
    rows = changes(world.service, world.scope, first=1000)
    ours = [row for row in rows if row["actor"] in ("extractor", "linker")]
    return sorted(
        f"LINK {row['classification']}" if row["actor"] == "linker" else row["operation"]
        for row in ours
        if row["operation"] != "LINK" or row["actor"] == "linker"
    )


def test_answers_come_in_any_order_after_a_restart_and_each_is_applied_once(
    restart: Restart, wires: Wires
) -> None:
    """F16: some errored, expired and cancelled, one twice with another answer, one that nobody asked."""
    texts = list(TALK)
    batch = say(restart(), *texts)
    ids = asked_about(wires)
    assert (batch.items, len(ids), batch.status) == (5, 5, Status.SUBMITTED)
    restart().poll()
    assert known(restart()) == []
    ends = {
        ids[texts[2]]: Ended("errored"),
        ids[texts[3]]: Ended("expired"),
        ids[texts[4]]: Ended("canceled"),
    }
    foreign = {str(uuid.uuid4()): {"memories": [found("Ann lives nowhere.", 0)]}}
    wires.batches[0].end({**foreign, **good(ids, *texts[:2]), **ends}, in_order=False)
    wires.batches[0].lines.append(next(line for line in wires.batches[0].lines if "Lyon" in line).replace(
        "Lyon", "Nantes"
    ))  # fmt: skip
    for _ in range(2):
        restart().poll()
    world = restart()
    stood = world.batch(batch.id)
    assert known(world) == sorted(TALK[text] for text in texts[:2])
    assert (stood.status, stood.applied, stood.waiting) == (Status.FAILED, 2, 3)
    assert (
        stood.reason == "2 of 5 questions were answered and applied; the others: api_error, canceled, expired"
    )

    restart().job("retry")
    restart().poll()
    assert sorted(asked_about(wires, 1)) == sorted(texts[2:])
    wires.batches[1].end(good(asked_about(wires, 1)))
    for _ in range(2):
        restart().poll()
    assert restart().batch(batch.id).status is Status.COMPLETED
    assert known(restart()) == sorted(TALK.values())
    assert written(restart()) == ["ADD"] * 5


def test_the_second_stage_is_asked_routed_and_applied_by_its_own_job_across_restarts(
    restart: Restart, wires: Wires
) -> None:
    batch = two_stages(restart(), wires)
    restart().poll()
    assert restart().batch(batch.id).status is Status.COMPLETED
    [second] = pending(restart(), Kind.RELATIONSHIP)
    linked(wires, 1)
    restart().poll()
    assert restart().batch(second.id).status is Status.SUBMITTED
    for _ in range(2):
        restart().job("poll_relationships")
    assert restart().batch(second.id).status is Status.COMPLETED
    assert written(restart()) == ["ADD", "ADD", "LINK SUPPORTS"]


@pytest.mark.parametrize("point", ["before_apply", "between", "after_apply"])
def test_a_worker_that_dies_while_it_applies_what_was_extracted_doubles_nothing(
    restart: Restart, wires: Wires, point: str
) -> None:
    """Between reading results and applying them, between both stages, and before it is noted that it was applied."""
    batch = two_stages(restart(), wires)
    assert restart().dying_poll(point, "poll_extraction") == 137
    for _ in range(2):
        restart().poll()
    assert restart().batch(batch.id).status is Status.COMPLETED
    assert known(restart()) == [BROKEN, COOK]
    assert len(wires.batches) == 2
    linked(wires, 1)
    restart().job("poll_relationships")
    assert written(restart()) == ["ADD", "ADD", "LINK SUPPORTS"]


@pytest.mark.parametrize("point", ["before_apply", "after_apply"])
def test_a_worker_that_dies_while_it_links_doubles_nothing(
    restart: Restart, wires: Wires, point: str
) -> None:
    two_stages(restart(), wires)
    restart().poll()
    [second] = pending(restart(), Kind.RELATIONSHIP)
    linked(wires, 1)
    assert restart().dying_poll(point, "poll_relationships") == 137
    for _ in range(2):
        restart().job("poll_relationships")
    assert restart().batch(second.id).status is Status.COMPLETED
    assert written(restart()) == ["ADD", "ADD", "LINK SUPPORTS"]


@pytest.mark.parametrize("point", ["before_submit", "after_submit"])
def test_a_worker_that_dies_while_it_asks_asks_once(restart: Restart, wires: Wires, point: str) -> None:
    held = restart().with_settings(providers={"daily_cap": 0.0})
    batch = say(held, *TALK)
    assert wires.batches == []
    assert restart().dying_poll(point, "poll_extraction") == 137
    restart().poll()
    wires.batches[0].end(good(asked_about(wires)))
    for _ in range(2):
        restart().poll()
    assert (restart().batch(batch.id).status, len(wires.batches)) == (Status.COMPLETED, 1)
    assert written(restart()) == ["ADD"] * 5


def test_what_a_person_rejects_while_the_worker_is_dead_does_not_confuse_the_second_stage(
    restart: Restart, wires: Wires
) -> None:
    """The hints of a statement belong to it also when the one before it is no longer counted."""
    answer = [
        found("Ann owns a parrot.", 0),
        found(BROKEN, 0, links=[tied("CAUSES", place=2)]),
        found(COOK, 1),
    ]
    two_stages(restart(), wires, answer)
    assert restart().dying_poll("between", "poll_extraction") == 137
    world = restart()
    [parrot] = [memory for memory in live(world.service, world.scope) if "parrot" in memory.text]
    life.retract(world.service, Call(world.scope, "ann"), [parrot.id], "it is not mine")
    restart().poll()
    [second] = pending(restart(), Kind.RELATIONSHIP)
    linked(wires, 1)
    restart().job("poll_relationships")
    assert restart().batch(second.id).status is Status.COMPLETED
    assert "LINK SUPPORTS" in written(restart())


def test_a_batch_expires_after_a_day_there_and_two_days_here_and_is_asked_again(
    restart: Restart, wires: Wires, clock: Clock
) -> None:
    """Case 142, and the job that comes every six hours."""
    first, second = say(restart(), "I live in Lyon."), say(restart(), "I play the cello.")
    wires.batches[1].expires_at = "2026-02-01T09:00:00Z"
    restart().poll()
    clock.forward(hours=24.1)
    restart().poll()
    stood = [restart().batch(each.id).status for each in (first, second)]
    assert stood == [Status.EXPIRED, Status.SUBMITTED]
    clock.forward(hours=24)
    restart().poll()
    assert restart().batch(second.id).status is Status.EXPIRED
    assert restart().job("retry").result["retried"] == 2
    restart().poll()
    assert len(wires.batches) == 4
    for batch in wires.batches[2:]:
        batch.expires_at = "2026-02-01T09:00:00Z"
        batch.end(good(asked_about(wires, wires.batches.index(batch))))
    for _ in range(2):
        restart().poll()
    assert known(restart()) == ["Ann lives in Lyon.", "Ann plays the cello."]


def test_three_passing_faults_fail_it_and_the_job_puts_it_back_in_line(
    restart: Restart, wires: Wires
) -> None:
    """Case 142, each fault in another process."""
    batch = say(restart(), "I live in Lyon.")
    for fault in (fails(500), fails(529), fails(503)):
        assert restart().batch(batch.id).status is Status.SUBMITTED
        wires.interruptions = [fault]
        restart().poll()
    assert restart().batch(batch.id).status is Status.FAILED
    wires.batches[0].end(good(asked_about(wires)))
    restart().job("retry")
    for _ in range(2):
        restart().poll()
    stood = restart().batch(batch.id)
    assert (stood.status, len(wires.batches)) == (Status.COMPLETED, 1)
    assert known(restart()) == ["Ann lives in Lyon."]


def test_what_came_to_nothing_is_read_by_rules_and_a_late_answer_adds_nothing(
    restart: Restart, wires: Wires, clock: Clock
) -> None:
    batch = say(restart(), "I live in Lyon.")
    ids = asked_about(wires)
    wires.batches[0].end({ids["I live in Lyon."]: Ended("errored")})
    restart().poll()
    clock.forward(hours=73)
    world = restart()
    whole = Scope(world.scope.tenant_name)
    sweep = runs.open_run(world.service, whole, schedule.job("graph_memory.understanding.sweep"))
    execute(world.service, whole, sweep.id)
    for run in runs.recent(world.service, whole):
        if run.job == schedule.EXTRACT and not run.is_finished:
            execute(world.service, world.scope, run.id)
    assert known(restart()) == ["Ann lives in Lyon."]
    restart().job("retry")
    restart().poll()
    wires.batches[1].expires_at = "2026-02-01T09:00:00Z"
    wires.batches[1].end({ids["I live in Lyon."]: {"memories": [found("Ann has a home in Lyon.", 0)]}})
    for _ in range(2):
        restart().poll()
    assert restart().batch(batch.id).status is Status.COMPLETED
    assert known(restart()) == ["Ann lives in Lyon."]


def two_stages(world: World, wires: Wires, answer: list[dict[str, Any]] | None = None) -> Batch:
    """A batch whose one question is answered by two statements, the first of which hints at the second."""
    whole = world.with_settings(conversations={"chunk": 40, "link_candidates": 20})
    batch = say(whole, "I broke my left arm.", "Ben cooks for everybody this month.")
    [request] = wires.batches[0].requests
    given = answer or [found(BROKEN, 0, links=[tied("CAUSES", place=1)]), found(COOK, 1)]
    wires.batches[0].end({request["custom_id"]: {"memories": given}})
    return batch


def linked(wires: Wires, submission: int) -> None:
    """Answers the questions of the second stage: the one that hints supports the other."""
    answers = {}
    for request in wires.batches[submission].requests:
        shown = str(request["params"]["messages"][-1]["content"])
        assert BROKEN in shown.partition("\nOTHERS\n")[0]
        [other] = [line[1:9] for line in shown.splitlines() if line.startswith("[") and line[9:10] == "]"]
        link = {"id": other, "type": "SUPPORTS", "confidence": 0.9, "reason": "He cooks since she cannot."}
        answers[request["custom_id"]] = {"links": [link]}
    wires.batches[submission].end(answers)
