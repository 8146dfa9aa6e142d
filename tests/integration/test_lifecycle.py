"""Archiving by rule, bringing back by use, erasing where it is allowed."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.errors import IllegalMove, NotFound, Unavailable
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, slots
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.browsing import Condition, Operator, Sort, browse_by
from graph_memory.memory.links import link
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import revert
from graph_memory.model.memory import Fact
from graph_memory.model.memory import Status as MemoryStatus
from graph_memory.model.run import Status
from graph_memory.recall.absence import Absence, why_not_returned
from graph_memory.recall.access import counting
from graph_memory.recall.modes import Mode
from graph_memory.scoring.scores import Rule
from graph_memory.store.service import Service
from graph_memory.upkeep.migrations import migrations, values
from graph_memory.upkeep.planning import Step, plan, statuses
from tasks import execute
from tests.found import search

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import cypher

pytestmark = pytest.mark.stack

START = datetime(2026, 1, 1, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
def later(clock: Any) -> None:
    """Slots begin at midnight; memories are made in the morning before."""
    clock.now = START


def with_rules(service: Service, **sections: dict[str, Any]) -> Service:
    given = {
        name: getattr(service.settings, name).model_copy(update=values) for name, values in sections.items()
    }
    return replace(service, settings=service.settings.model_copy(update=given))


def added(service: Service, scope: Scope, *facts: Fact) -> list[str]:
    found, _ = add(service, Call(scope, "test"), facts)
    return [str(each.id) for each in found]


def ran(service: Service, scope: Scope, name: str = "archive", again: bool = True) -> Run:
    run, _ = slots.by_hand(service, Scope(scope.tenant_name), schedule.job(name), again)
    ended = execute(service, Scope(scope.tenant_name), run.id)
    assert ended.status is Status.DONE, ended.error
    return ended


def status(service: Service, scope: Scope, id: str) -> str:
    found = reading.get(service, scope, id)
    return found.status.value if found else "GONE"


def stored(service: Service, scope: Scope, id: str) -> dict[str, Any]:
    [row] = cypher(
        service, "MATCH (m:Memory {tenant: $t, id: $id}) RETURN m {.*} AS m", t=scope.tenant, id=id
    )
    return dict(row)


def faint(text: str, **values: Any) -> Fact:
    """Worth so little that it comes down to the last tier in half a year."""
    return Fact(text, **{"importance": 0.1, **values})


def test_case_26_what_has_expired_is_archived_by_the_next_run(
    service: Service, scope: Scope, clock: Any
) -> None:
    end = START + timedelta(days=3)
    fresh, gone, critical = added(
        service,
        scope,
        Fact("The parcel comes today.", expires_at=end + timedelta(seconds=1)),
        Fact("The shop is closed today.", expires_at=end - timedelta(seconds=1)),
        Fact("The code of the gate is 42.", expires_at=end - timedelta(seconds=1), critical=True),
    )
    clock.now = end
    ended = ran(service, scope)
    assert {"archived": 2, "scanned": 3, "left": 0, "errors": 0}.items() <= ended.result.items()
    assert [status(service, scope, id) for id in (fresh, gone, critical)] == [
        "ACTIVE",
        "ARCHIVED",
        "ARCHIVED",
    ]
    [*_, change] = [each for each in changes(service, scope) if each["operation"] == "ARCHIVE"]
    assert (change["classification"], change["actor"], change["run_id"]) == ("EXPIRED", "lifecycle", ended.id)
    assert "importance 0" in change["reason"]
    graceful = with_rules(service, decay={"expiry_grace_days": 5.0, "critical_overrides_expiry": True})
    life.restore(graceful, Call(scope, "test"), [gone, critical])
    clock.now = end + timedelta(days=2.5)
    assert ran(graceful, scope).result["archived"] == 0


def test_case_52_thresholds_are_exact_and_critical_and_pinned_ones_stay(
    service: Service, scope: Scope
) -> None:
    linear = with_rules(service, decay={"policy": "linear"}, retention={"worth_weight": 1.0})
    ids = added(
        service,
        scope,
        *(Fact(f"Statement {n}.", confidence=0.0, importance=0.5) for n in range(2)),
        Fact("Critical.", confidence=0.0, critical=True),
        Fact("Pinned.", confidence=0.0, pinned=True),
    )
    exact, below = ids[:2]
    text = "MATCH (m:Memory {tenant: $t, id: $id}) SET m.base_importance = $base, m.created_at = $at"
    # Old enough that age adds nothing, used just now: the sum is 0.3 of what was assigned.
    for id, base in ((exact, 1 / 3), (below, 0.333), (ids[2], 0.0), (ids[3], 0.0)):
        cypher(service, text, t=scope.tenant, id=id, base=base, at=START - timedelta(days=4000))
        cypher(
            service,
            "MATCH (m:Memory {tenant: $t, id: $id}) SET m.last_accessed_at = $at",
            t=scope.tenant,
            id=id,
            at=START,
        )
    due = plan(linear, scope).due
    assert [(each.id, each.rule, each.importance) for each in due] == [(below, Rule.IMPORTANCE, 0.0999)]
    assert ran(linear, scope).result["archived"] == 1
    assert [status(service, scope, id) for id in ids] == ["ACTIVE", "ARCHIVED", "ACTIVE", "ACTIVE"]


def test_cases_53_and_55_what_a_rule_archived_is_restored_exactly(
    service: Service, scope: Scope, clock: Any
) -> None:
    [id] = added(service, scope, faint("Ann once saw a heron.", tags=("birds",), metadata={"place": "Oslo"}))
    before = stored(service, scope, id)
    clock.forward(days=300)
    run = ran(service, scope)
    assert status(service, scope, id) == "ARCHIVED"
    assert stored(service, scope, id)["archived_at"].to_native() == clock.now
    assert [hit for hit in search(service, scope, "heron").hits if hit.memory.id == id] == []
    assert ran(service, scope).result["archived"] == 0
    revert(service, Call(scope, "test"), run.id)
    after = stored(service, scope, id)
    same = ("text", "tags", "metadata", "embedding", "kind", "valid_from", "chain_id", "live_key", "status")
    assert [after[name] for name in same] == [before[name] for name in same]
    assert after["archived_at"] is None if "archived_at" in after else True
    assert search(service, scope, "heron").hits[0].memory.id == id


def test_case_54_only_known_moves_are_made(service: Service, scope: Scope) -> None:
    call, [id] = Call(scope, "test"), added(service, scope, Fact("Ann has a cat."))
    with pytest.raises(IllegalMove):
        life.restore(service, call, [id])
    life.archive(service, call, [id])
    with pytest.raises(IllegalMove):
        life.archive(service, call, [id])
    life.restore(service, call, [id])
    life.retract(service, call, [id])
    life.restore(service, call, [id])
    assert status(service, scope, id) == "ACTIVE"
    with pytest.raises(NotFound):
        life.restore(service, call, ["3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11"])


def test_each_rule_has_its_own_switch(service: Service, scope: Scope, clock: Any) -> None:
    added(service, scope, faint("Old."), Fact("Expired.", expires_at=START + timedelta(days=1)))
    clock.forward(days=300)
    for rules, expected in (
        ({}, {Rule.EXPIRED, Rule.TIER}),
        ({"tier": False}, {Rule.EXPIRED}),
        ({"expired": False}, {Rule.TIER}),
        ({"tier": False, "expired": False}, set()),
        ({"tier": False, "expired": False, "after_days": 299.0}, {Rule.AGE}),
    ):
        found = plan(with_rules(service, archive=rules), scope)
        assert {due.rule for due in found.due} == expected


def test_a_superseded_memory_is_hidden_by_its_tier_and_not_archived(
    service: Service, scope: Scope, clock: Any
) -> None:
    [old] = added(service, scope, faint("Ann lives in Oslo."))
    clock.forward(days=1)
    supersede(service, Call(scope, "test"), old, Fact("Ann lives in Bergen.", importance=0.9))
    clock.forward(days=200)
    ran(service, scope, "rescore")
    assert stored(service, scope, old)["tier"] == "ARCHIVED"
    assert ran(service, scope).result["archived"] == 0
    linear = with_rules(service, decay={"policy": "linear"}, linear={"archive_at": 0.9})
    clock.forward(days=1)
    ran(linear, scope, "rescore")
    ran(linear, scope)
    assert status(service, scope, old) == "ACTIVE"
    page = search(service, scope, "Where does Ann live?", mode=Mode.DEEP)
    assert old in {hit.memory.id for hit in page.hits}


def found_at(service: Service, scope: Scope, moment: Moment, mode: Mode = Mode.STANDARD) -> set[str]:
    page = search(service, scope, "Where does Ann live?", moment=moment, mode=mode)
    return {hit.memory.id for hit in page.hits}


def test_a_past_moment_is_answered_whatever_rule_put_the_memory_away_since(
    service: Service, scope: Scope, clock: Any
) -> None:
    """Decay, expiry and supersession hide from then on; a person and a merge hide for all times."""
    faded, expired, old, hidden = added(
        service,
        scope,
        faint("Ann lives in Lille."),
        Fact("Ann lives in a tent.", expires_at=START + timedelta(days=20)),
        Fact("Ann lives in Oslo.", importance=0.9),
        Fact("Ann lives on the moon.", importance=0.9),
    )
    then = Moment(as_of=START + timedelta(days=5))
    clock.forward(days=10)
    supersede(service, Call(scope, "test"), old, Fact("Ann lives in Bergen.", importance=0.9))
    clock.forward(days=290)
    life.archive(service, Call(scope, "test"), [hidden])
    own = with_rules(service, supersession={"visibility": "archive"})
    assert ran(own, scope).result["archived"] >= 3
    assert {status(service, scope, id) for id in (faded, expired, old)} == {"ARCHIVED"}
    assert {stored(service, scope, id)["archive_rule"] for id in (faded, expired, old)} >= {
        "EXPIRED",
        "SUPERSEDED",
    }
    assert found_at(service, scope, then) == {faded, expired, old}
    assert found_at(service, scope, then, Mode.DEEP) == {faded, expired, old}
    assert hidden in found_at(service, scope, then, Mode.EXHAUSTIVE)
    version = reading.version(service, scope, old, then)
    assert version is not None and version.id == old
    assert {each.id for each in reading.browse(service, scope, moment=then).items} == {faded, expired, old}
    assert expired in found_at(service, scope, Moment(), Mode.DEEP)
    assert not {faded, old, hidden} & found_at(service, scope, Moment(), Mode.DEEP)
    assert not {faded, expired, old} & found_at(service, scope, Moment(as_of=clock.now))
    fills_the_same(service, scope)


def test_why_it_was_not_found_at_a_past_moment_is_no_status_or_tier_of_today(
    service: Service, scope: Scope, clock: Any
) -> None:
    expired, cold, hidden = added(
        service,
        scope,
        Fact("Ann lives in a tent.", expires_at=START + timedelta(days=20)),
        Fact("Ann lives in Oslo."),
        Fact("Ann lives on the moon."),
    )
    then = Moment(as_of=START + timedelta(days=5))
    clock.forward(days=300)
    life.archive(service, Call(scope, "test"), [hidden])
    ran(service, scope)
    assert status(service, scope, expired) == "ARCHIVED"
    is_cold = "MATCH (m:Memory {tenant: $t, id: $id}) SET m.tier = 'COLD', m.tier_rank = 2 RETURN m.tier AS m"
    cypher(service, is_cold, t=scope.tenant, id=cold)

    def why(id: str, moment: Moment) -> Absence:
        of_web = [Condition("source_kind", Operator.EQ, "web")]
        found = why_not_returned(
            service, scope, id, "Where does Ann live?", None, moment, Mode.REFLEXIVE, where=of_web
        )
        return found.reason

    assert [why(id, Moment()) for id in (expired, cold)] == [Absence.RETIRED, Absence.TIER]
    assert [why(id, then) for id in (expired, cold)] == [Absence.CONDITIONS] * 2
    assert why(hidden, then) is Absence.RETIRED


def fills_the_same(service: Service, scope: Scope) -> None:
    """What the migration makes of a store from before is what the code has written."""
    states = "MATCH (m:Memory|Revision {tenant: $t}) "
    told = states + "RETURN m {.id, .holds_to, .archive_rule, .state_rank} AS m ORDER BY m.id"
    before = cypher(service, told, t=scope.tenant)
    undone = "SET m.holds_to = null, m.archive_rule = null, m.state_rank = CASE m.status WHEN 'ARCHIVED' THEN 1 ELSE m.state_rank END"
    cypher(service, states + undone, t=scope.tenant)
    [fill] = [each for each in migrations() if each.name == "holds_to"]
    with service.driver.session() as session:
        for statement in fill.statements:
            session.run(statement, values(service.settings)).consume()
    assert cypher(service, told, t=scope.tenant) == before


def test_a_run_archives_no_more_than_its_cap_and_the_lowest_first(
    service: Service, scope: Scope, clock: Any
) -> None:
    own = with_rules(service, archive={"cap_least": 2, "batch": 1})
    ids = added(service, scope, *(faint(f"Statement {n}.", importance=0.01 * n) for n in range(1, 6)))
    added(service, scope, *(Fact(f"Expired {n}.", expires_at=START + timedelta(hours=1)) for n in range(4)))
    clock.forward(days=300)
    assert {"archived": 6, "left": 3}.items() <= ran(own, scope).result.items()
    assert [status(service, scope, id) for id in ids] == [
        "ARCHIVED",
        "ARCHIVED",
        "ACTIVE",
        "ACTIVE",
        "ACTIVE",
    ]
    assert {"archived": 2, "left": 1}.items() <= ran(own, scope).result.items()


def test_case_56_ages_move_one_step_at_a_time_and_erase_only_where_that_is_allowed(
    service: Service, scope: Scope, clock: Any
) -> None:
    ages = {"after_days": 30.0, "retract_after_days": 180.0, "delete_after_days": 365.0, "tier": False}
    rules = with_rules(service, archive=ages)
    [old] = added(service, scope, Fact("Said long ago."))
    clock.forward(days=60)
    [young] = added(service, scope, Fact("Said lately."))
    clock.forward(days=10)
    assert ran(rules, scope).result["archived"] == 1
    assert [status(service, scope, id) for id in (old, young)] == ["ARCHIVED", "ACTIVE"]
    clock.forward(days=30)
    assert ran(rules, scope).result["retracted"] == 0
    clock.forward(days=100)
    assert ran(rules, scope).result["retracted"] == 1
    # An active one is never retracted by its age, however old.
    assert [status(service, scope, id) for id in (old, young)] == ["RETRACTED", "ARCHIVED"]
    clock.forward(days=200)
    assert ran(rules, scope).result["deleted"] == 0
    allowed = with_rules(service, archive={**ages, "enable_delete": True})
    assert plan(allowed, scope).counts() == {"scanned": 0, "delete": 1, "left": 0}
    assert ran(allowed, scope).result["deleted"] == 1
    assert [status(service, scope, id) for id in (old, young)] == ["GONE", "RETRACTED"]
    assert changes(service, scope)[-1]["operation"] == "ERASE"


def test_nothing_is_erased_or_retracted_by_default(service: Service, scope: Scope, clock: Any) -> None:
    [id] = added(service, scope, faint("Said long ago."))
    for _ in range(3):
        clock.forward(days=3000)
        ended = ran(service, scope)
        assert (ended.result["retracted"], ended.result["deleted"]) == (0, 0)
    assert status(service, scope, id) == "ARCHIVED"


def test_case_57_a_rehearsal_counts_and_changes_nothing(service: Service, scope: Scope, clock: Any) -> None:
    added(
        service,
        scope,
        faint("Old."),
        Fact("Expired.", expires_at=START + timedelta(hours=1)),
        Fact("Ann has a cat."),
    )
    clock.forward(days=300)
    before = changes(service, scope)
    found = plan(service, scope)
    assert found.counts() == {"scanned": 3, "archive": 2, "by_expired": 1, "by_tier": 1, "left": 0}
    assert {each.step for each in found.due} == {Step.ARCHIVE}
    assert changes(service, scope) == before


def test_case_57_a_store_that_cannot_be_read_is_an_error_of_the_run_and_no_exception(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    added(service, scope, Fact("Ann has a cat."))

    def away(*_: Any) -> None:
        raise Unavailable("Neo4j cannot be reached.")

    monkeypatch.setattr("graph_memory.upkeep.archiving.plan", away)
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job("archive"))
    ended = execute(service, tenant, run.id)
    assert (ended.status, ended.error) == (Status.PENDING, "UNAVAILABLE: Neo4j cannot be reached.")


def test_case_58_stale_ones_come_lowest_first_and_statuses_are_counted(
    service: Service, scope: Scope, clock: Any
) -> None:
    low, high = added(service, scope, Fact("Low.", importance=0.2), Fact("High.", importance=0.8))
    clock.forward(days=10)
    [young] = added(service, scope, Fact("Young.", importance=0.1))
    conditions = [Condition("created_at", Operator.LT, START + timedelta(days=1))]
    page = browse_by(service, scope, conditions, Sort("importance", False), 10)
    assert [memory.id for memory in page.items] == [low, high]
    conditions.append(Condition("importance", Operator.GT, 0.5))
    assert [
        memory.id for memory in browse_by(service, scope, conditions, Sort("importance", False), 10).items
    ] == [high]
    life.archive(service, Call(scope, "test"), [young])
    found = statuses(service, scope)
    assert (found[MemoryStatus.ACTIVE], found[MemoryStatus.ARCHIVED], sum(found.values())) == (2, 1, 3)


def test_what_was_used_after_the_plan_was_made_stays(
    service: Service, scope: Scope, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    used, unused = added(service, scope, faint("Used."), faint("Unused."))
    clock.forward(days=300)

    def used_meanwhile(*given: Any) -> Any:
        found = plan(*given)
        with counting(service) as accesses:
            accesses.note(scope, [used])
        return found

    monkeypatch.setattr("graph_memory.upkeep.archiving.plan", used_meanwhile)
    assert {"archived": 1, "skipped": 1}.items() <= ran(service, scope).result.items()
    assert [status(service, scope, id) for id in (used, unused)] == ["ACTIVE", "ARCHIVED"]


def test_what_faded_comes_back_when_it_is_used_or_linked_to(
    service: Service, scope: Scope, clock: Any
) -> None:
    recalled, linked, other = added(
        service, scope, faint("A heron."), faint("A stork."), Fact("Ann counts birds.")
    )
    clock.forward(days=300)
    assert ran(service, scope).result["archived"] == 2
    assert reading.get(service, scope, recalled) is not None
    assert ran(service, scope, "restore").result.items() >= {"restored": 0, "kept": 0}.items()
    with counting(service) as accesses:
        found = [hit.memory.id for hit in search(service, scope, "heron", limit=1, mode=Mode.EXHAUSTIVE).hits]
        assert found == [recalled]
        accesses.note(scope, found)
    link(service, Call(scope, "test"), other, linked, "RELATED")
    assert ran(service, scope, "restore").result.items() >= {"restored": 2, "kept": 0}.items()
    assert [status(service, scope, id) for id in (recalled, linked)] == ["ACTIVE", "ACTIVE"]
    row = stored(service, scope, recalled)
    assert (row["tier"], row["access_count"], row.get("wanted_at")) == ("WARM", 1, None)
    assert search(service, scope, "heron").hits[0].memory.id == recalled
    back = [each for each in changes(service, scope) if each["operation"] == "RESTORE"]
    assert {each["classification"] for each in back} == {"USED"}
    # Both were used just now: neither is archived again by the next run.
    assert plan(service, scope).due == ()
    assert stored(service, scope, linked)["access_count"] == 0


def test_what_a_person_brought_back_is_not_archived_again_by_the_next_run(
    service: Service, scope: Scope, clock: Any
) -> None:
    [id] = added(service, scope, faint("A heron."))
    clock.forward(days=300)
    ran(service, scope)
    clock.forward(days=1)
    life.restore(service, Call(scope, "test"), [id])
    assert ran(service, scope).result["archived"] == 0
    clock.forward(days=300)
    assert ran(service, scope).result["archived"] == 1


def test_what_expired_or_was_archived_by_hand_does_not_come_back_by_use(
    service: Service, scope: Scope, clock: Any
) -> None:
    ids = added(
        service,
        scope,
        Fact("By hand."),
        Fact("Expired.", expires_at=START + timedelta(hours=1)),
        faint("Retracted."),
    )
    life.archive(service, Call(scope, "test"), [ids[0]])
    clock.forward(days=300)
    ran(service, scope)
    life.retract(service, Call(scope, "test"), [ids[2]])
    with counting(service) as accesses:
        accesses.note(scope, ids)
    assert ran(service, scope, "restore").result.items() >= {"restored": 0, "kept": 2}.items()
    assert [status(service, scope, id) for id in ids] == ["ARCHIVED", "ARCHIVED", "RETRACTED"]


def test_what_is_live_again_elsewhere_stays_archived_and_the_ledger_says_so(
    service: Service, scope: Scope, clock: Any
) -> None:
    [old] = added(service, scope, faint("Ann saw a heron."))
    clock.forward(days=300)
    ran(service, scope)
    [twin] = added(service, scope, faint("Ann saw a heron."))
    for _ in range(2):
        with counting(service) as accesses:
            accesses.note(scope, [old])
        assert ran(service, scope, "restore").result["kept"] == 1
    noted = [each for each in changes(service, scope) if each["classification"] == "LIVE_TWIN"]
    assert [(each["targets"], each["sources"]) for each in noted] == [([old], [twin])]
    assert status(service, scope, old) == "ARCHIVED"


def test_nothing_comes_back_by_itself_where_that_is_off(service: Service, scope: Scope, clock: Any) -> None:
    own = with_rules(service, archive={"auto_restore": False})
    [id] = added(own, scope, faint("A heron."))
    clock.forward(days=300)
    ran(own, scope)
    with counting(own) as accesses:
        accesses.note(scope, [id])
    assert ran(own, scope, "restore").result.items() >= {"restored": 0, "kept": 0}.items()
    assert status(own, scope, id) == "ARCHIVED"


def test_subjects_are_archived_each_under_its_own_lock_and_runs_write_no_activity(
    service: Service, scope: Scope, clock: Any
) -> None:
    other = Scope(scope.tenant_name, "bob")
    [one], [two] = added(service, scope, faint("A heron.")), added(service, other, faint("A heron."))
    clock.forward(days=300)
    assert ran(service, scope).result["archived"] == 2
    assert [status(service, each, id) for each, id in ((scope, one), (other, two))] == [
        "ARCHIVED",
        "ARCHIVED",
    ]
    active = "MATCH (s:Subject {tenant: $t}) RETURN s.activity_days"
    assert cypher(service, active, t=scope.tenant) == [1, 1]
    assert {each["subject_id"] for each in changes(service, Scope(scope.tenant_name))} == {
        scope.subject,
        other.subject,
    }


def test_a_run_by_hand_does_what_the_plan_has_just_told(service: Service, scope: Scope, clock: Any) -> None:
    """Reckoned at the start of its slot, it would leave what has expired since midnight."""
    [id] = added(service, scope, Fact("The parcel comes today.", expires_at=START + timedelta(days=3)))
    clock.now = START + timedelta(days=3, hours=1)
    told = plan(service, Scope(scope.tenant_name))
    assert [due.id for due in told.due] == [id]
    ended = ran(service, scope, again=False)
    assert ended.at == clock.now
    assert ended.result["archived"] == 1
    # It has claimed its slot all the same.
    _, is_new = slots.by_hand(service, Scope(scope.tenant_name), schedule.job("archive"))
    assert not is_new
