"""Days of activity, and accesses that are counted behind the answer."""

from __future__ import annotations

import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.errors import Invalid, NotFound, Unavailable
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger import activity
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.recall.access import Accesses, counting
from graph_memory.scoring.rescoring import rescore_tenant
from graph_memory.store.service import Service
from tests.found import search

sys.path.insert(0, str(Path(__file__).parent))

from jobs_world import cypher

pytestmark = pytest.mark.stack


def added(service: Service, scope: Scope, *texts: str) -> list[str]:
    found, _ = add(service, Call(scope, "test"), [Fact(text) for text in texts])
    return [str(each.id) for each in found]


def stored(service: Service, scope: Scope, id: str) -> dict[str, Any]:
    [row] = cypher(
        service,
        "MATCH (m:Memory {tenant: $t, id: $id}) RETURN m {.*, embedding: null} AS m",
        t=scope.tenant,
        id=id,
    )
    return dict(row)


def days(service: Service, scope: Scope) -> int:
    return activity.of_subject(service, scope).days


def with_access(service: Service, **values: Any) -> Service:
    access = service.settings.access.model_copy(update=values)
    return replace(service, settings=service.settings.model_copy(update={"access": access}))


def test_case_36_a_day_of_activity_is_counted_once_per_date_of_the_person(
    service: Service, scope: Scope, clock: Any
) -> None:
    activity.set_time_zone(service, Call(scope, "test"), "America/New_York")
    start = days(service, scope)
    clock.now = datetime(2026, 3, 4, 4, 59, tzinfo=UTC)
    added(service, scope, "It is 23:59 in New York.")
    clock.now = datetime(2026, 3, 4, 5, 1, tzinfo=UTC)
    added(service, scope, "It is 00:01 in New York.")
    added(service, scope, "And again on the same date.")
    assert days(service, scope) - start == 2
    assert activity.of_subject(service, scope).last_active_on == "2026-03-04"


def test_the_day_that_has_25_hours_and_the_one_that_has_23_are_one_day_each(
    service: Service, scope: Scope, clock: Any
) -> None:
    activity.set_time_zone(service, Call(scope, "test"), "Europe/Berlin")
    counted = []
    for first in (datetime(2026, 3, 28, 22, 30, tzinfo=UTC), datetime(2026, 10, 24, 21, 30, tzinfo=UTC)):
        before = days(service, scope)
        for hours in (0, 1, 12, 23, 24, 25):
            clock.now = first + timedelta(hours=hours)
            added(service, scope, f"Written at {clock.now}.")
        counted.append(days(service, scope) - before)
    # From 23:30 on, 25 hours later it is 01:30 of the third date in spring, and 23:30 of the second in autumn.
    assert counted == [3, 2]


def test_a_clock_that_is_set_back_counts_no_day_twice(service: Service, scope: Scope, clock: Any) -> None:
    added(service, scope, "First.")
    clock.forward(days=1)
    added(service, scope, "Second.")
    clock.forward(days=-1)
    added(service, scope, "Third.")
    assert days(service, scope) == 2


def test_reading_by_id_and_what_a_run_writes_are_no_activity(
    service: Service, scope: Scope, clock: Any
) -> None:
    [id] = added(service, scope, "Ann has a cat.")
    clock.forward(days=1)
    add(service, Call(scope, "extractor", run_id="a run"), [Fact("Ann has a dog.")])
    assert reading.get(service, scope, id) is not None
    assert days(service, scope) == 1
    assert stored(service, scope, id)["access_count"] == 0


def test_a_time_zone_that_nobody_knows_is_refused(service: Service, scope: Scope) -> None:
    for name in ("Mars/Olympus", "../etc/passwd", "", "Europe"):
        with pytest.raises(Invalid, match="time zone"):
            activity.set_time_zone(service, Call(scope, "test"), name)
    with pytest.raises(NotFound):
        activity.of_subject(service, scope)


def test_a_memory_remembers_the_day_of_activity_it_was_made_on(
    service: Service, scope: Scope, clock: Any
) -> None:
    for day in range(3):
        [id] = added(service, scope, f"Statement {day}.")
        assert stored(service, scope, id)["created_day"] == day + 1
        clock.forward(days=5)


def test_case_46_a_search_counts_its_primaries_once(service: Service, scope: Scope, clock: Any) -> None:
    ids = added(service, scope, "Ann likes green tea.", "Ann likes black tea.", "Ann likes white tea.")
    [other] = added(service, scope, "The car is parked in Oslo.")
    clock.forward(days=2)
    with counting(service) as accesses:
        page = search(service, scope, "which tea does Ann like", limit=3)
        found = [hit.memory.id for hit in page.hits]
        accesses.note(scope, [*found, *found])
    assert sorted(found) == sorted(ids)
    for id in ids:
        row = stored(service, scope, id)
        assert (row["access_count"], row["last_accessed_at"].to_native()) == (1, clock.now)
        assert (row["created_day"], row["accessed_day"]) == (1, 2)
    assert stored(service, scope, other)["access_count"] == 0
    assert days(service, scope) == 2


def test_a_question_that_nothing_answers_uses_nothing(service: Service, scope: Scope) -> None:
    ids = added(service, scope, "Ann likes green tea.", "The car is parked in Oslo.")
    with counting(service) as accesses:
        page = search(service, scope, "What is the capital of Mongolia?")
        accesses.note(scope, [hit.memory.id for hit in page.hits])
    assert page.hits == ()
    assert [stored(service, scope, id)["access_count"] for id in ids] == [0, 0]


def test_case_29_the_score_of_an_access_is_stored_with_it(service: Service, scope: Scope, clock: Any) -> None:
    [id] = added(service, scope, "Ann likes tea.")
    for _ in range(60):
        clock.forward(days=1)
        with counting(service) as accesses:
            accesses.note(scope, [])
    rescore_tenant(service, scope, clock.now)
    before = stored(service, scope, id)
    with counting(service) as accesses:
        accesses.note(scope, [id])
    after = stored(service, scope, id)
    assert 0 <= before["importance"] < after["importance"] <= 1
    assert (before["tier"], after["tier"]) == ("WARM", "HOT")


def test_case_28_a_holiday_ages_nothing(service: Service, scope: Scope, clock: Any) -> None:
    [id] = added(service, scope, "Ann likes tea.")
    rescore_tenant(service, scope, clock.now)
    before = stored(service, scope, id)["importance"]
    clock.forward(days=14)
    rescore_tenant(service, scope, clock.now)
    assert stored(service, scope, id)["importance"] == before


def test_case_33_the_first_access_of_a_fresh_memory_does_not_lower_it(service: Service, scope: Scope) -> None:
    [id] = added(service, scope, "Ann likes tea.")
    start = stored(service, scope, id)["importance"]
    with counting(service) as accesses:
        accesses.note(scope, [id])
    assert stored(service, scope, id)["importance"] >= start


def test_what_nobody_asked_for_and_what_is_past_count_no_access(
    service: Service, scope: Scope, clock: Any
) -> None:
    [id, linked] = added(service, scope, "Ann likes tea.", "Ann liked coffee.")
    clock.forward(days=1)
    with counting(service) as accesses:
        accesses.note(scope, [id], is_automatic=True)
        accesses.note(scope, [id], moment=Moment(as_of=clock.now - timedelta(hours=1)))
        accesses.note(scope, [], linked=[linked])
    assert [stored(service, scope, each)["access_count"] for each in (id, linked)] == [0, 0]
    assert days(service, scope) == 2
    with counting(with_access(service, count_automatic=True, count_linked=True)) as accesses:
        accesses.note(scope, [id], [linked], is_automatic=True)
    assert [stored(service, scope, each)["access_count"] for each in (id, linked)] == [1, 1]
    with counting(with_access(service, count=False)) as accesses:
        accesses.note(scope, [id])
    assert stored(service, scope, id)["access_count"] == 1


def test_f14_accesses_that_are_written_at_once_are_all_counted(service: Service, scope: Scope) -> None:
    ids = added(service, scope, "Ann likes tea.", "Ann likes milk.")

    def one(_: int) -> None:
        with counting(service) as accesses:
            accesses.note(scope, ids)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(64)))
    assert [stored(service, scope, id)["access_count"] for id in ids] == [64, 64]
    assert days(service, scope) == 1


def test_a_database_that_is_away_costs_no_answer_and_the_counts_are_written_later(
    service: Service, scope: Scope, caplog: pytest.LogCaptureFixture
) -> None:
    [id] = added(service, scope, "Ann likes tea.")
    away = Away(service)
    accesses = Accesses(away)  # type: ignore[arg-type]
    with caplog.at_level(logging.WARNING):
        accesses.note(scope, [id])
        assert accesses.flush() == 0
    assert "accesses_not_written" in caplog.text
    accesses.note(scope, [id])
    away.is_away = False
    assert accesses.flush() == 1
    accesses.close()
    assert stored(service, scope, id)["access_count"] == 2


def test_what_waits_is_bounded(service: Service, scope: Scope, caplog: pytest.LogCaptureFixture) -> None:
    accesses = Accesses(with_access(service, waiting=2, seconds=3600))
    ids = added(service, scope, "One.", "Two.", "Three.")
    for _ in range(2):
        accesses.note(scope, sorted(ids))
    with caplog.at_level(logging.WARNING):
        accesses.close()
    assert sorted(stored(service, scope, id)["access_count"] for id in ids) == [0, 2, 2]
    assert "accesses_dropped" in caplog.text


def test_an_access_of_another_tenants_memory_counts_nothing(service: Service, scope: Scope) -> None:
    [id] = added(service, scope, "Ann likes tea.")
    with counting(service) as accesses:
        accesses.note(Scope("test-somebody-else", "ann"), [id])
    assert stored(service, scope, id)["access_count"] == 0


class Away:
    """A service whose database cannot be reached until it can."""

    def __init__(self, service: Service) -> None:
        self._service, self.is_away = service, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._service, name)

    def write(self, *arguments: Any) -> Any:
        if self.is_away:
            raise Unavailable("Neo4j cannot be reached.")
        return self._service.write(*arguments)
