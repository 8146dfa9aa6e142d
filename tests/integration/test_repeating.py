"""What is said again is evidence: it lends what it brings, and gives it back when it goes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graph_memory.base.scope import Scope
from graph_memory.curation.quarantine import Suspect, quarantine
from graph_memory.curation.review_records import page as reviews
from graph_memory.curation.settlement import Verdict, settle
from graph_memory.ledger import changes
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.memory.addition import add
from graph_memory.memory.erasure import forget
from graph_memory.memory.life import Revision, revise
from graph_memory.memory.properties import MOST_TAGS
from graph_memory.memory.reading import browse
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Fact, Memory, Source, SourceKind, Status
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from graph_memory.transfer.export import now_lines
from graph_memory.verify import verify
from tasks import execute
from tests.integration.remembering_world import Judge, keep, live

pytestmark = pytest.mark.stack

SAME = Judge(Action.DUPLICATE)
MARCH, JUNE = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
SENT = {"importance": 0.9, "critical": True, "pinned": True, "tags": ("tea", "taste"), "expires_at": JUNE}


def said(service: Service, scope: Scope, ref: str, text: str = "Ann likes tea.", **fields: Any) -> str:
    """The id of the memory that says it now, by an agent of that name."""
    source = Source(SourceKind.AGENT, ref)
    outcome = keep(service, scope, text, SAME, **{"source": source, **fields})
    assert outcome.id
    return outcome.id


def get(service: Service, scope: Scope, id: str) -> Memory:
    """The memory, which is there."""
    [memory] = reading.get_many(service, scope, [id])
    assert memory is not None
    return memory


def lent(memory: Memory) -> tuple[Any, ...]:
    return memory.base_importance, memory.critical, memory.pinned, memory.tags, memory.expires_at


def test_a_repetition_gives_what_it_brings_and_counts_as_use(
    service: Service, scope: Scope, clock: Any
) -> None:
    id = said(service, scope, "a", importance=0.3, tags=("drink",), expires_at=MARCH)
    before = get(service, scope, id)
    clock.forward(days=2)
    assert said(service, scope, "b", "Ann enjoys tea.", **SENT) == id
    now = get(service, scope, id)
    assert lent(now) == (0.9, True, True, ("drink", "taste", "tea"), JUNE)
    assert (now.text, now.access_count, now.last_accessed_at) == ("Ann likes tea.", 1, clock.now)
    assert now.importance > before.importance
    told = changes.changes(service, scope)[-1]
    assert (told["operation"], told["classification"], told["targets"]) == ("UPDATE", "DUPLICATE", [id])
    assert (told["before"][id]["base_importance"], told["after"][id]["base_importance"]) == (0.3, 0.9)
    [joined] = told["sources"]
    again = get(service, scope, joined)
    assert (again.text, again.status, again.source.ref) == ("Ann enjoys tea.", Status.MERGED, "b")
    undo(service, Call(scope, "ann"), [told["sequence"]])
    back = get(service, scope, id)
    assert (lent(back), back.access_count) == (lent(before), 0)
    assert back.importance < now.importance
    undo(service, Call(scope, "ann"), [told["sequence"] + 1])
    assert lent(get(service, scope, id)) == lent(now)
    assert not violations(service, scope)


def test_an_older_or_less_trusted_repetition_adds_its_source_only(
    service: Service, scope: Scope, clock: Any
) -> None:
    id = said(service, scope, "a", importance=0.3)
    before = get(service, scope, id)
    said(service, scope, "b", "Ann enjoys tea.", valid_from=datetime(2025, 1, 1, tzinfo=UTC), **SENT)
    said(service, scope, "w", source=Source(SourceKind.WEB, "w"), **SENT)
    now = get(service, scope, id)
    assert (lent(now), now.access_count) == (lent(before), 0)
    found = browse(service, scope, include_past=True).items
    assert {each.source.ref for each in found} == {"a", "b", "w"}


def test_tags_stay_within_their_limit_and_no_expiry_sent_changes_none(service: Service, scope: Scope) -> None:
    most = MOST_TAGS
    own, more = [tuple(f"{part}{number:02}" for number in range(most)) for part in ("a", "b")]
    id = said(service, scope, "a", tags=own, expires_at=MARCH)
    said(service, scope, "b", tags=more)
    now = get(service, scope, id)
    assert (now.tags, now.expires_at) == (own, MARCH)


def test_what_a_source_lent_is_given_back_when_it_is_erased(
    service: Service, scope: Scope, clock: Any
) -> None:
    call = Call(scope, "ann")
    id = said(service, scope, "a", importance=0.3, tags=("drink",))
    said(service, scope, "b", **SENT)
    said(service, scope, "c", "Ann enjoys tea.", importance=0.6, tags=("hot",))
    forget(service, call, source_ref="b")
    now = get(service, scope, id)
    assert (lent(now), now.access_count) == ((0.6, False, False, ("drink", "hot"), None), 1)
    text = "".join(str(change) for change in changes.changes(service, scope))
    assert "taste" not in text
    revise(service, call, id, Revision(importance=0.2))
    forget(service, call, source_ref="c")
    assert get(service, scope, id).base_importance == 0.2
    assert not violations(service, scope)


def test_a_repetition_stands_for_itself_when_the_first_source_is_erased(
    service: Service, scope: Scope
) -> None:
    said(service, scope, "a", critical=True)
    said(service, scope, "b", importance=0.6)
    said(service, scope, "c", importance=0.7)
    forget(service, Call(scope, "ann"), source_ref="a")
    [now] = live(service, scope)
    assert (now.text, now.source.ref, now.critical) == ("Ann likes tea.", "b", False)
    assert now.base_importance == 0.7
    assert not violations(service, scope)


def test_quarantine_takes_back_what_was_lent_and_release_gives_it_again(
    service: Service, scope: Scope
) -> None:
    id = said(service, scope, "a", importance=0.3)
    said(service, scope, "b", **SENT)
    before, lines = get(service, scope, id), list(now_lines(service, scope))
    call = Call(scope, "ann")
    run, _ = quarantine(service, call, Suspect(ref="b"), "doubted")
    execute(service, Scope(scope.tenant_name), run.id)
    now = get(service, scope, id)
    assert (now.status, now.base_importance, now.critical, now.tags) == (Status.ACTIVE, 0.3, False, ())
    settle(service, call, run.id, Verdict.RELEASE)
    assert lent(get(service, scope, id)) == lent(before)
    assert list(now_lines(service, scope)) == lines
    assert not violations(service, scope)


def test_a_merge_keeps_dates_stays_within_the_limit_of_tags_and_gives_back(
    service: Service, scope: Scope
) -> None:
    most = MOST_TAGS
    own, more = [tuple(f"{part}{number:02}" for number in range(most)) for part in ("a", "b")]
    source = Source(SourceKind.USER, "m")
    first = keep(service, scope, "Ann has a dog.", tags=own, importance=0.4)
    merged = keep(
        service, scope, "Ann's dog is called Max.", Judge(Action.MERGE), tags=more, importance=0.8, critical=True,
        happens_at=MARCH, expires_at=JUNE, source=source,
    )  # fmt: skip
    assert first.id == merged.id
    assert merged.id
    now = get(service, scope, merged.id)
    assert (now.happens_at, now.expires_at, now.tags) == (MARCH, JUNE, own)
    revise(service, Call(scope, "ann"), merged.id, Revision(tags=now.tags))
    forget(service, Call(scope, "ann"), source_ref="m")
    back = get(service, scope, merged.id)
    assert (back.text, back.base_importance, back.critical) == ("Ann has a dog.", 0.4, False)
    assert (back.happens_at, back.expires_at, back.access_count) == (None, None, 0)
    assert not violations(service, scope)


def test_links_that_a_rule_made_hinder_no_undo_and_go_and_come_with_it(
    service: Service, scope: Scope
) -> None:
    keep(service, scope, "Ann plays the violin in an orchestra.")
    told = [change["sequence"] for change in changes.changes(service, scope)]
    keep(service, scope, "Ann plays the violin in an orchestra in Ghent.", Judge(Action.COEXIST))
    made = changes.changes(service, scope)[-1]
    assert made["operation"] == "LINK"
    undo(service, Call(scope, "ann"), told)
    assert [memory.text for memory in live(service, scope)] == [
        "Ann plays the violin in an orchestra in Ghent."
    ]
    undone = changes.changes(service, scope)[-1]
    assert len(undone["effects"]["links_closed"]) == 1
    undo(service, Call(scope, "ann"), [undone["sequence"]])
    assert len(live(service, scope)) == 2
    assert len(changes.changes(service, scope)[-1]["effects"]["links_opened"]) == 1


def test_a_judge_that_cannot_decide_leaves_nothing_to_decide(service: Service, scope: Scope) -> None:
    keep(service, scope, "Ann likes tea with milk.")
    outcome = keep(service, scope, "Ann likes tea with lemon.", Judge(Action.COEXIST, 0.4, abstained=True))
    assert outcome.review_id is None
    assert not reviews(service, scope).items
    added = [change for change in changes.changes(service, scope) if change["operation"] == "ADD"][-1]
    assert "abstained" in added["reason"]


def test_a_kind_is_one_word_in_either_number(service: Service, scope: Scope) -> None:
    facts = [Fact(f"Rule {kind}.", kind=kind) for kind in ("decision", "decisions", "insights", "progress")]
    made, _ = add(service, Call(scope, "ann"), facts)
    memories = [get(service, scope, each.id or "") for each in made]
    assert [each.kind for each in memories] == ["decision", "decision", "insight", "progress"]
    assert memories[0].retention == memories[1].retention
    assert len(browse(service, scope, kind="decisions").items) == 2


def violations(service: Service, scope: Scope) -> dict[str, Any]:
    """What `verify` finds in the tenant."""
    found = verify(service, [scope.tenant_name]).violations
    return {code: count for code, count in found.items() if count}
