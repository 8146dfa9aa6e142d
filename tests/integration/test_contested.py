"""What a newer statement may have ended is told with it, wherever it is found, until a person has decided."""

from __future__ import annotations

import ast
import re
from datetime import timedelta
from pathlib import Path

import pytest

from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation.reviews import approve, reject
from graph_memory.jobs import schedule, slots
from graph_memory.ledger import changes
from graph_memory.ledger.changes import Call
from graph_memory.memory.screening import ALARMING
from graph_memory.memory.trust import confirm
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Source, SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action
from graph_memory.recall.pack_filling import CONTESTED
from graph_memory.recall.packs import pack
from graph_memory.recall.search import search
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from tasks import execute
from tests.conftest import Clock
from tests.integration.remembering_world import Judge, keep, says

pytestmark = pytest.mark.stack

PART = Path(__file__).parents[2] / "cypher" / "queries" / "recall" / "parts" / "contested.cypher"
OLD, NEW = "Ann works at Google.", "Ann now works at Anthropic."


def test_the_query_knows_what_alarms_and_what_nobody_stands_for() -> None:
    lists = [
        set(ast.literal_eval(each)) for each in re.findall(r"\[(?:'\w+'(?:, )?)+\]", PART.read_text("utf-8"))
    ]
    doubtful = {each.value for each in SourceKind if trust_of(each, None) is Trust.UNVERIFIED}
    assert [each for each in lists if each != {"PENDING", "EXPIRED"}] == [doubtful, doubtful, set(ALARMING)]


def _contested(service: Service, scope: Scope, moment: Moment | None = None) -> list[str]:
    """What contests the older memory, in a search for it."""
    service.system(query("system/await_fulltext"))
    found = search(service, scope, "Where does Ann work?", **({"moment": moment} if moment else {}))
    [older] = [hit for hit in found.hits if hit.memory.text == OLD]
    assert all(not hit.contested_by for hit in found.hits if hit is not older)
    return [newer.text for newer in older.contested_by]


def _asked(service: Service, scope: Scope, clock: Clock) -> str:
    """The id of a review about the two statements."""
    keep(service, scope, OLD)
    clock.forward(days=1)
    return str(keep(service, scope, NEW, Judge(Action.SUPERSEDE, 0.7)).review_id)


def test_it_is_told_until_a_person_has_decided(service: Service, scope: Scope, clock: Clock) -> None:
    review = _asked(service, scope, clock)
    assert _contested(service, scope) == [NEW]
    assert f"- {OLD} (since 2026-01-01; {CONTESTED})" in pack(service, scope).text
    assert f"- {NEW} (since 2026-01-02)" in pack(service, scope).text
    reject(service, Call(scope, "ann"), review, "she has two jobs")
    assert _contested(service, scope) == []
    assert CONTESTED not in pack(service, scope).text
    undo(service, Call(scope, "ann"), [changes.changes(service, scope)[-1]["sequence"]])
    approve(service, Call(scope, "ann"), review)
    assert [hit.memory.text for hit in search(service, scope, "Where does Ann work?").hits] == [NEW]


def test_a_review_that_nobody_decided_still_tells(service: Service, scope: Scope, clock: Clock) -> None:
    _asked(service, scope, clock)
    clock.forward(days=8)
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job("graph_memory.reviews.expire"))
    assert (execute(service, tenant, run.id).result or {})["expired"] == 1
    assert _contested(service, scope) == [NEW]


def test_the_past_is_not_contested(service: Service, scope: Scope, clock: Clock) -> None:
    _asked(service, scope, clock)
    assert _contested(service, scope, Moment(as_of=clock() - timedelta(hours=1))) == []


def test_what_nobody_stands_for_contests_nothing_said_by_a_person(
    service: Service, scope: Scope, clock: Clock
) -> None:
    keep(service, scope, OLD)
    clock.forward(days=1)
    web = keep(service, scope, NEW, Judge(Action.SUPERSEDE, 0.9), source=Source(SourceKind.WEB, "page"))
    assert (web.review_id is not None, _contested(service, scope)) == (True, [])
    confirm(service, Call(scope, "ann"), [str(web.id)])
    assert _contested(service, scope) == [NEW]


def test_what_was_itself_replaced_contests_nothing(service: Service, scope: Scope, clock: Clock) -> None:
    _asked(service, scope, clock)
    clock.forward(days=1)
    keep(
        service,
        scope,
        "Ann now works at Mistral.",
        Judge(lambda _, old: says(old, Action.SUPERSEDE if old.text == NEW else Action.COEXIST, 0.95)),
    )
    assert _contested(service, scope) == []
