"""Slots, leases, runs and the reconciler on the real store."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest

import tasks
from graph_memory.base.errors import Invalid, LeaseLost, NotFound, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import leases, overview, runs, schedule, slots, ticks
from graph_memory.jobs.context import Body, Context
from graph_memory.jobs.overview import Standing
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Job, Queue
from graph_memory.jobs.settings import JobsSettings
from graph_memory.jobs.turns import take_turn
from graph_memory.model.run import Status
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from tasks import execute
from tests.apart import driver, stack

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import Clock, a_service, a_tenant, cypher, statement

__all__ = ["driver", "stack"]

pytestmark = pytest.mark.stack

PLAY = Job("graph_memory.tests.play", "does what a test says", Queue.MAINTENANCE, period="rescore")
APART = Job("graph_memory.tests.apart", "is not exclusive", Queue.INGEST, exclusive=False)
MARK = statement("MERGE (m:PlayMark {tenant: $tenant, name: $name})")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(stack: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(JobsSettings, "attempts", 3)
    with a_service(stack, clock, jobs={"lease": 1, "keep": 2}) as service:
        yield service
        cypher(service, "MATCH (r:Run) WHERE r.job STARTS WITH 'graph_memory.tests.' DELETE r")


@pytest.fixture
def scope(service: Service) -> Iterator[Scope]:
    with a_tenant(service) as scope:
        yield scope


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Body], None]:
    """Makes the test's job do something."""
    monkeypatch.setattr(schedule, "JOBS", (*schedule.JOBS, PLAY, APART))

    def set_body(body: Body) -> None:
        for job in (PLAY, APART):
            monkeypatch.setitem(tasks.BODIES, job.name, body)

    set_body(lambda _: {"played": 1})
    return set_body


def slot(service: Service) -> object:
    return slots.slot_of(service.clock(), 86_400)


def claim(service: Service, scope: Scope) -> Run | None:
    return slots.claim(service, scope, PLAY, slots.slot_of(service.clock(), 86_400))


def at_once(count: int, work: Callable[[], object]) -> list[object]:
    gate = Barrier(count)

    def one(_: int) -> object:
        gate.wait()
        return work()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def test_a_slot_is_claimed_once_however_many_try(service: Service, scope: Scope) -> None:
    claimed = [run for run in at_once(16, lambda: claim(service, scope)) if run]
    assert len(claimed) == 1
    assert len(runs.recent(service, scope, PLAY)) == 1


def test_the_next_slot_waits_until_the_last_one_is_finished(
    service: Service, scope: Scope, clock: Clock, play: object
) -> None:
    first = claim(service, scope)
    assert first
    clock.forward(days=1)
    assert claim(service, scope) is None
    execute(service, scope, first.id)
    assert claim(service, scope) is None, "it was done a moment ago"
    clock.forward(hours=12)
    assert claim(service, scope)


def test_two_tenants_have_a_slot_each(service: Service, scope: Scope) -> None:
    with a_tenant(service) as other:
        assert claim(service, scope)
        assert claim(service, other)


def test_a_lease_has_one_holder_however_many_try(service: Service, scope: Scope) -> None:
    held = [lease for lease in at_once(16, lambda: leases.take(service, scope, "some job")) if lease]
    assert len(held) == 1


def test_each_holder_has_a_higher_number_than_all_before(service: Service, scope: Scope) -> None:
    fences = []
    for _ in range(3):
        with leases.hold(service, scope, "some job", "no run") as lease:
            assert lease
            fences.append(lease.fence)
    assert fences == [1, 2, 3]


def test_a_lease_that_is_renewed_does_not_run_out(service: Service, scope: Scope) -> None:
    with leases.hold(service, scope, "some job", "no run"):
        time.sleep(1.6)
        assert leases.take(service, scope, "some job") is None
    assert leases.take(service, scope, "some job")


def test_the_lease_of_a_process_that_is_gone_can_be_taken_at_once(service: Service, scope: Scope) -> None:
    lease = leases.take(service, scope, "some job")
    assert lease
    dead = lease.owner.replace(f"/{lease.owner.split('/')[1]}/", "/999999999/")
    cypher(service, "MATCH (l:Lease {tenant: $t}) SET l.owner = $dead", t=scope.tenant, dead=dead)
    after = leases.take(service, scope, "some job")
    assert after
    assert after.fence == 2


def test_a_holder_that_was_overtaken_writes_nothing(service: Service, scope: Scope) -> None:
    run = runs.open_run(service, scope, PLAY)
    slow = leases.take(service, scope, PLAY.name)
    assert slow
    time.sleep(1.1)
    quick = leases.take(service, scope, PLAY.name)
    assert quick
    with pytest.raises(LeaseLost):
        Context(service, scope, run, slow).write(lambda tx: tx.run(MARK, name="slow"))
    Context(service, scope, run, quick).write(lambda tx: tx.run(MARK, name="quick"))
    assert cypher(service, "MATCH (m:PlayMark {tenant: $t}) RETURN m.name", t=scope.tenant) == ["quick"]
    assert slow.lost.is_set()
    assert not leases.renew(service, scope, slow)


def test_nobody_takes_a_lease_while_its_holder_writes(service: Service, scope: Scope) -> None:
    run = runs.open_run(service, scope, PLAY)
    holder = leases.take(service, scope, PLAY.name)
    assert holder
    taken: list[float] = []

    def take_it() -> None:
        while leases.take(service, scope, PLAY.name) is None:
            time.sleep(0.05)
        taken.append(time.monotonic())

    def slowly(tx: object) -> None:
        time.sleep(1.5)
        tx.run(MARK, name="slowly")  # type: ignore[attr-defined]

    with ThreadPoolExecutor(1) as pool:
        Context(service, scope, run, holder).write(lambda tx: (pool.submit(take_it), slowly(tx)))
        written = time.monotonic()
    assert taken[0] > written - 0.2


def test_a_run_ends_with_its_counts(service: Service, scope: Scope, play: Callable[[Body], None]) -> None:
    run = runs.open_run(service, scope, PLAY, args={"count": 3})

    def three(context: Context) -> dict[str, int]:
        for step in range(3):
            context.progress(step, 3, f"phase {step}")
        return {"played": context.run.args["count"]}

    play(three)
    ended = execute(service, scope, run.id)
    assert (ended.status, ended.result["played"], ended.attempts) == (Status.DONE, 3, 1)
    assert (ended.phase, ended.done, ended.total) == ("phase 2", 3, 3)
    assert ended.finished_at is not None


def test_a_run_that_has_ended_is_not_carried_out_again(
    service: Service, scope: Scope, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)
    count: list[int] = []
    play(lambda _: count.append(1) or {})
    ended = execute(service, scope, run.id)
    for _ in range(3):
        assert execute(service, scope, run.id) == ended
    assert len(count) == 1


def test_a_failing_run_is_tried_again_and_then_given_up(
    service: Service, scope: Scope, clock: Clock, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)
    secret = "Anna moved to Bern"

    def fail(_: Context) -> schedule.Result:
        raise ValueError(secret)

    play(fail)
    states = [execute(service, scope, run.id) for _ in range(3)]
    assert [state.status for state in states] == [Status.PENDING, Status.PENDING, Status.FAILED]
    assert states[-1].error == "ValueError"
    row = cypher(service, "MATCH (r:Run {tenant: $t}) RETURN properties(r) AS r", t=scope.tenant)[0]
    assert secret not in str(row)


def test_what_no_try_can_mend_fails_at_once(
    service: Service, scope: Scope, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)

    def refuse(_: Context) -> schedule.Result:
        raise Invalid("The plan has a hole.")

    play(refuse)
    assert execute(service, scope, run.id).error == "INVALID: The plan has a hole."


def test_a_run_that_kills_its_process_every_time_is_given_up(
    service: Service, scope: Scope, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)

    def die(_: Context) -> schedule.Result:
        raise KeyboardInterrupt

    play(die)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            execute(service, scope, run.id)
    assert execute(service, scope, run.id).status is Status.FAILED


def test_a_long_run_that_gets_further_each_time_is_not_given_up(
    service: Service, scope: Scope, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)
    reached: list[int] = []

    def a_step_further(context: Context) -> schedule.Result:
        reached.append(1)
        context.progress(len(reached), 8, "steps")
        if len(reached) < 8:
            raise KeyboardInterrupt
        return {}

    play(a_step_further)
    for _ in range(7):
        with pytest.raises(KeyboardInterrupt):
            execute(service, scope, run.id)
    assert execute(service, scope, run.id).status is Status.DONE


def test_a_cancelled_run_stops_at_its_next_step(
    service: Service, scope: Scope, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)

    def cancelled_meanwhile(context: Context) -> schedule.Result:
        runs.cancel(service, scope, run.id)
        context.progress(1, 2, "second half")
        raise AssertionError("it went on")

    play(cancelled_meanwhile)
    assert execute(service, scope, run.id).status is Status.CANCELLED


def test_runs_that_are_not_exclusive_go_at_once_and_leave_no_lease(
    service: Service, scope: Scope, play: Callable[[Body], None]
) -> None:
    first, second = (runs.open_run(service, scope, APART) for _ in range(2))
    gate = Barrier(2, timeout=10)
    play(lambda _: {"met": gate.wait()})
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda run: execute(service, scope, run.id), (first, second)))
    assert {run.status for run in ended} == {Status.DONE}
    assert cypher(service, "MATCH (l:Lease {tenant: $t}) RETURN l", t=scope.tenant) == []


def test_tenants_take_turns_however_many_runs_one_of_them_has(
    service: Service, clock: Clock, play: Callable[[Body], None]
) -> None:
    """Each message in the queue carries out one run, and none is left when all messages have come."""
    carried_out: list[str] = []

    def note(context: Context) -> schedule.Result:
        carried_out.append(context.scope.tenant)
        return {}

    play(note)
    with a_tenant(service) as greedy, a_tenant(service) as modest:
        sent = [(greedy, runs.open_run(service, greedy, APART)) for _ in range(4)]
        sent += [(modest, runs.open_run(service, modest, APART)) for _ in range(2)]
        for scope, run in sent:
            clock.forward(seconds=1)
            take_turn(service, scope, run.id, tasks.BODIES)
        assert carried_out[:4].count(modest.tenant) == 2
        assert len(carried_out) == 6
        assert all(runs.get(service, scope, run.id).status is Status.DONE for scope, run in sent)


def test_a_run_of_another_tenant_is_not_found(service: Service, scope: Scope) -> None:
    run = runs.open_run(service, scope, PLAY)
    with a_tenant(service) as other, pytest.raises(NotFound):
        runs.get(service, other, run.id)


def test_a_tick_sends_every_tenant_its_slot_once(service: Service, scope: Scope, play: object) -> None:
    with a_tenant(service) as other:
        sent: list[str] = []
        for _ in range(2):
            ticks.tick(service, PLAY, lambda job, scope, run: sent.append(scope.tenant_name))
        assert sent.count(scope.tenant_name) == 1
        assert sent.count(other.tenant_name) == 1


def test_one_tenants_failure_does_not_stop_the_others(service: Service, scope: Scope, play: object) -> None:
    with a_tenant(service) as other:
        sent: list[str] = []

        def publish(job: Job, to: Scope, run: str) -> None:
            if to.tenant_name == min(scope.tenant_name, other.tenant_name):
                raise RuntimeError("this tenant is broken")
            sent.append(to.tenant_name)

        ticks.tick(service, PLAY, publish)
        assert max(scope.tenant_name, other.tenant_name) in sent


def reconciled(service: Service, scope: Scope) -> int:
    """How many runs of this tenant the reconciler sends."""
    sent: list[str] = []
    ticks.reconcile(service, lambda job, to, run: sent.append(to.tenant_name))
    return sent.count(scope.tenant_name)


def test_the_reconciler_sends_what_never_started_ever_more_rarely(
    service: Service, scope: Scope, clock: Clock, play: object
) -> None:
    runs.open_run(service, scope, PLAY)
    pauses = []
    for _ in range(4):
        waited = 0
        while not reconciled(service, scope):
            clock.forward(minutes=1)
            waited += 1
        pauses.append(waited)
    assert pauses == [1, 2, 4, 8]


def test_the_reconciler_leaves_alone_what_somebody_holds(
    service: Service, scope: Scope, clock: Clock, play: Callable[[Body], None]
) -> None:
    run = runs.open_run(service, scope, PLAY)
    seen: list[int] = []

    def look(_: Context) -> schedule.Result:
        clock.forward(minutes=5)
        seen.append(reconciled(service, scope))
        raise KeyboardInterrupt

    play(look)
    with pytest.raises(KeyboardInterrupt):
        execute(service, scope, run.id)
    assert seen == [0]
    assert reconciled(service, scope) == 1


def test_a_run_that_could_not_be_sent_is_sent_when_the_broker_is_back(
    service: Service, scope: Scope, clock: Clock, play: object
) -> None:
    runs.open_run(service, scope, PLAY)
    clock.forward(minutes=5)

    def away(job: Job, to: Scope, run: str) -> None:
        raise Unavailable

    assert ticks.reconcile(service, away) == 0
    assert reconciled(service, scope) == 1


def test_two_reconcilers_send_a_run_once(service: Service, scope: Scope, clock: Clock, play: object) -> None:
    runs.open_run(service, scope, PLAY)
    clock.forward(minutes=5)
    assert sum(at_once(8, lambda: reconciled(service, scope))) == 1  # type: ignore[arg-type]


def test_a_job_by_hand_takes_the_slot_unless_it_is_wanted_again(
    service: Service, scope: Scope, play: object
) -> None:
    first, is_new = slots.by_hand(service, scope, PLAY)
    assert is_new
    execute(service, scope, first.id)
    same, is_new = slots.by_hand(service, scope, PLAY)
    assert (same.id, is_new) == (first.id, False)
    again, is_new = slots.by_hand(service, scope, PLAY, again=True)
    assert is_new
    assert again.slot is None
    assert execute(service, scope, again.id).status is Status.DONE


def test_x10_a_run_by_hand_at_the_end_of_its_slot_is_not_followed_at_once_by_the_next(
    service: Service, scope: Scope, clock: Clock
) -> None:
    job = schedule.job("tidy")
    clock.at = slots.slot_of(clock.at, 86_400) + timedelta(hours=23)
    by_hand, _ = slots.by_hand(service, scope, job)
    execute(service, scope, by_hand.id)
    clock.forward(hours=2)
    slot = slots.slot_of(clock.at, 86_400)
    assert slots.claim(service, scope, job, slot) is None
    assert slots.by_hand(service, scope, job)[0].id == by_hand.id
    clock.forward(hours=11)
    assert slots.claim(service, scope, job, slot) is not None


def test_tidying_keeps_the_newest_runs(service: Service, scope: Scope, clock: Clock) -> None:
    tidy = schedule.job("tidy")
    for _ in range(5):
        run, _ = slots.by_hand(service, scope, tidy)
        execute(service, scope, run.id)
        clock.forward(days=1)
    run, _ = slots.by_hand(service, scope, tidy)
    assert execute(service, scope, run.id).result["removed"] == 1
    assert len(runs.recent(service, scope, tidy)) == 3


def test_tidying_keeps_runs_whose_changes_can_be_taken_back(
    service: Service, scope: Scope, clock: Clock
) -> None:
    archive, tidy, ids = schedule.job("archive"), schedule.job("tidy"), []
    for _ in range(5):
        run, _ = slots.by_hand(service, scope, archive)
        ids.append(execute(service, scope, run.id).id)
        clock.forward(days=1)
    cypher(
        service,
        "CREATE (:Change {tenant: $t, id: $run, run_id: $run, sequence: 1})",
        t=scope.tenant,
        run=ids[1],
    )
    run, _ = slots.by_hand(service, scope, tidy)
    execute(service, scope, run.id)
    kept = {run.id for run in runs.recent(service, scope, archive)}
    assert kept == {ids[1], *ids[3:]}


def test_the_overview_tells_state_and_lag(service: Service, scope: Scope, clock: Clock) -> None:
    tidy = schedule.job("tidy")

    def standing() -> tuple[str, timedelta]:
        return next((item.state, item.lag) for item in overview.overview(service, scope) if item.job == tidy)

    assert standing()[0] == "never"
    run, _ = slots.by_hand(service, scope, tidy)
    assert standing()[0] == "waiting"
    execute(service, scope, run.id)
    assert standing() == ("ok", timedelta(0))
    clock.forward(days=3)
    state, lag = standing()
    assert state == "late"
    assert lag > timedelta(days=1)


def test_every_run_of_a_job_counts_so_a_failed_one_is_made_good_again(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tidy = schedule.job("tidy")

    def standing() -> Standing:
        return next(item for item in overview.overview(service, scope) if item.job == tidy)

    with monkeypatch.context() as broken:
        broken.setitem(tasks.BODIES, tidy.name, refuse)
        planned, _ = slots.by_hand(service, scope, tidy)
        execute(service, scope, planned.id)
    assert (standing().state, standing().failures, standing().succeeded_at) == ("failed", 1, None)
    clock.forward(minutes=1)
    again, _ = slots.by_hand(service, scope, tidy, again=True)
    assert execute(service, scope, again.id).status is Status.DONE
    found = standing()
    assert (found.state, found.latest and found.latest.id, found.succeeded_at) == ("ok", again.id, clock.at)
    assert found.failures == 1


def test_a_new_tenant_lags_no_longer_than_it_is_known(service: Service, scope: Scope, clock: Clock) -> None:
    cypher(service, "MATCH (t:Tenant {id: $t}) SET t.created_at = $now", t=scope.tenant, now=clock.at)
    clock.forward(seconds=5)
    standings = {each.job.name: each for each in overview.overview(service, scope)}
    assert all(each.lag <= timedelta(seconds=5) for each in standings.values())
    assert {each.state for each in standings.values()} == {"never"}
    clock.forward(minutes=5)
    due = next(each for each in overview.overview(service, scope) if each.job.name.endswith(".due"))
    assert due.state == "late", "a beat would have asked"


def test_the_summary_and_the_list_agree_with_each_tenants_own_view(
    service: Service, scope: Scope, clock: Clock
) -> None:
    run, _ = slots.by_hand(service, scope, schedule.job("tidy"))
    execute(service, scope, run.id)
    runs.open_run(service, scope, schedule.job("rescore"))
    mine = {brief.job.name: brief for name, brief in overview.briefs(service) if name == scope.tenant_name}
    for each in overview.overview(service, scope):
        brief = mine[each.job.name]
        assert (brief.state, brief.due_at, brief.lag, brief.succeeded_at) == (
            each.state, each.due_at, each.lag, each.succeeded_at,
        )  # fmt: skip
    tenants = ticks.tenants(service)
    for summary in overview.summaries(service):
        assert sum(summary.states.values()) == len(tenants)
    assert mine["graph_memory.jobs.tidy"].state == "ok"
    assert mine["graph_memory.scoring.rescore"].state == "waiting"


def test_a_job_with_period_0_is_off_and_still_runs_by_hand(stack: Settings, clock: Clock) -> None:
    with a_service(stack, clock, jobs={"periods": {"tidy": "off"}}) as service, a_tenant(service) as scope:
        tidy = schedule.job("tidy")
        assert ticks.tick(service, tidy, lambda job, to, run: pytest.fail("it was sent")) == 0
        standing = next(item for item in overview.overview(service, scope) if item.job == tidy)
        assert (standing.state, standing.due_at, standing.period) == ("off", None, None)
        run, _ = slots.by_hand(service, scope, tidy)
        assert (run.slot, execute(service, scope, run.id).status) == (None, Status.DONE)


def test_one_switch_puts_all_forgetting_to_rest(stack: Settings, clock: Clock) -> None:
    with a_service(stack, clock, jobs={"forgetting": False}) as service, a_tenant(service) as scope:
        off = {each.job.name for each in overview.overview(service, scope) if each.state == "off"}
        assert off == {"graph_memory.scoring.rescore", "graph_memory.lifecycle.archive"}


def test_tidying_keeps_the_newest_of_each_status_also_of_runs_without_a_slot(
    service: Service, scope: Scope, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    due, tidy = schedule.job("due"), schedule.job("tidy")

    def ended(again: bool) -> str:
        clock.forward(minutes=5)
        run, _ = slots.by_hand(service, scope, due, again)
        return execute(service, scope, run.id).id

    done = [ended(again=True) for _ in range(4)]
    with monkeypatch.context() as broken:
        broken.setitem(tasks.BODIES, due.name, refuse)
        failed = [ended(again=False) for _ in range(4)]
    run, _ = slots.by_hand(service, scope, tidy)
    assert execute(service, scope, run.id).result["removed"] == 4
    assert {run.id for run in runs.recent(service, scope, due)} == {*done[2:], *failed[2:]}


def test_a_job_that_has_to_be_told_what_for_is_refused_before_there_is_a_run(
    service: Service, scope: Scope
) -> None:
    job = schedule.job(schedule.QUARANTINE)
    with pytest.raises(Invalid, match="`graph-memory quarantine` asks for it"):
        slots.by_hand(service, scope, job)
    assert runs.recent(service, scope, job) == []


def refuse(_: Context) -> schedule.Result:
    raise Invalid("It cannot be done.")
