"""A run of consolidation before its day: whoever looks for what is new looks at all tenants."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, ticks
from graph_memory.jobs.runs import Run
from graph_memory.store.service import Service
from graph_memory.upkeep import consolidation_triggers
from tasks import execute
from tests.apart import driver, stack
from tests.integration.test_consolidation import NEAR, coffee, keep

__all__ = ["coffee", "driver", "stack"]

pytestmark = pytest.mark.stack


def test_what_is_new_begins_a_run_before_its_day_once_an_account_is_quiet_or_full(
    service: Service, scope: Scope, clock: Any, coffee: list[str]
) -> None:
    def begun(**values: Any) -> list[Run]:
        rules = service.settings.consolidation.model_copy(update=values)  # type: ignore[attr-defined]
        ruled = replace(service, settings=service.settings.model_copy(update={"consolidation": rules}))  # type: ignore[attr-defined]
        found = consolidation_triggers.begin_wanted(ruled)
        return [run for each, run in found if each.tenant == scope.tenant]

    tenant = Scope(scope.tenant_name)
    assert begun() == [], "five are too few"
    assert begun(after_idle=5) == [], "something was written just now"
    clock.forward(seconds=1801)
    [opened] = begun(after_idle=5)
    assert begun(after_idle=5) == [], "one waits already"
    ended = execute(service, tenant, opened.id)
    assert "50" not in ended.result["because"] and "1800 seconds" in ended.result["because"]
    clock.forward(seconds=1)
    keep(service, scope, *NEAR)
    assert begun(after_new=5, pressure=1) == [], "the least interval is not over"
    clock.forward(days=2)
    [again] = begun(after_new=5)
    assert again.args["because"] == "5 memories or more are new"
    sent: list[str] = []
    job = schedule.job(schedule.CONSOLIDATE)
    ticks.tick(service, job, lambda _, to, id: sent.append(id), lambda _: [(tenant, again)])
    assert again.id in sent
