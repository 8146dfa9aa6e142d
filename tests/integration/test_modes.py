"""How far a recall reaches: tiers, what was superseded, what was put away."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.memory import reading
from graph_memory.memory.addition import add, prepare, write
from graph_memory.memory.life import Revision, archive, retract, revise
from graph_memory.memory.reading import links_of
from graph_memory.memory.retirement import why_retired
from graph_memory.memory.sharing import shared_of
from graph_memory.memory.supersession import join_chain, supersede
from graph_memory.model.memory import EntityName, Fact
from graph_memory.recall.hits import Arms
from graph_memory.recall.modes import Mode
from graph_memory.scoring.rescoring import rescore_tenant
from graph_memory.scoring.scores import TIERS, Tier
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep.due import RETIRE_DUE
from tests.found import search

pytestmark = pytest.mark.stack

WRITE = query("scoring/write")


def put(service: Service, scope: Scope, id: str, tier: Tier) -> None:
    row = {"id": id, "importance": 0.5, "retention": 0.5, "tier": tier.value, "tier_rank": TIERS.index(tier)}
    service.write(scope, lambda tx: tx.run(WRITE, rows=[row]))


def with_settings(service: Service, **sections: dict[str, Any]) -> Service:
    given = {
        name: getattr(service.settings, name).model_copy(update=values) for name, values in sections.items()
    }
    return replace(service, settings=service.settings.model_copy(update=given))


def texts(service: Service, scope: Scope, mode: Mode, arms: Arms = Arms.HYBRID, limit: int = 10) -> set[str]:
    page = search(service, scope, "What do the bees need?", limit=limit, arms=arms, mode=mode)
    return {hit.memory.text for hit in page.hits}


@pytest.fixture
def tiers(service: Service, scope: Scope) -> dict[Tier, str]:
    """One memory in each tier."""
    said = {tier: f"The bees need {tier.value.lower()} water." for tier in TIERS}
    for tier, text in said.items():
        [[added], _] = add(service, Call(scope, "test"), [Fact(text)])
        assert added.id
        put(service, scope, added.id, tier)
    return said


@pytest.mark.parametrize("arms", [Arms.VECTOR, Arms.HYBRID])
def test_each_mode_reaches_its_tiers(
    service: Service, scope: Scope, tiers: dict[Tier, str], arms: Arms
) -> None:
    """Case 45. The page of STANDARD is full with two, so it has no reason to reach further."""
    assert texts(service, scope, Mode.REFLEXIVE, arms) == {tiers[Tier.HOT]}
    assert texts(service, scope, Mode.STANDARD, arms, limit=2) == {tiers[Tier.HOT], tiers[Tier.WARM]}
    assert texts(service, scope, Mode.DEEP, arms) == {
        tiers[tier] for tier in (Tier.HOT, Tier.WARM, Tier.COLD)
    }
    assert texts(service, scope, Mode.EXHAUSTIVE, arms) == set(tiers.values())


def test_words_keep_to_the_tiers_too(service: Service, scope: Scope, tiers: dict[Tier, str]) -> None:
    page = search(service, scope, "bees water", arms=Arms.TEXT, mode=Mode.REFLEXIVE)
    assert [hit.memory.text for hit in page.hits] == [tiers[Tier.HOT]]


def test_standard_fills_its_page_with_cold_memories_and_says_so(
    service: Service, scope: Scope, tiers: dict[Tier, str]
) -> None:
    page = search(service, scope, "What do the bees need?", limit=3)
    assert {hit.memory.text for hit in page.hits} == {
        tiers[each] for each in (Tier.HOT, Tier.WARM, Tier.COLD)
    }
    assert page.is_complete
    assert "1 of these is cold" in (page.note or "")
    assert search(service, scope, "What do the bees need?", limit=2).note is None


@pytest.mark.parametrize("arms", [Arms.VECTOR, Arms.HYBRID])
def test_a_cold_memory_that_is_clearly_nearer_comes_first(service: Service, scope: Scope, arms: Arms) -> None:
    others = [Fact(f"She bought {count} jars of honey.") for count in range(3, 15)]
    [[cold, *_], _] = add(service, Call(scope, "test"), [Fact("She is allergic to peanuts."), *others])
    assert cold.id
    put(service, scope, cold.id, Tier.COLD)
    page = search(service, scope, "Which foods is she allergic to?", limit=5, arms=arms, min_score=0)
    assert page.hits[0].memory.id == cold.id
    assert len(page.hits) == 5


def test_deep_finds_what_was_superseded_and_exhaustive_what_was_put_away(
    service: Service, scope: Scope
) -> None:
    call = Call(scope, "test")
    begun = service.clock() - timedelta(days=90)
    [[old, away, wrong], _] = add(
        service,
        call,
        [
            Fact("The bees stand in the garden.", valid_from=begun),
            Fact("The bees stand beside the old barn.", valid_from=begun),
            Fact("The bees stand on the moon.", valid_from=begun),
        ],
    )
    assert old.id and away.id and wrong.id
    supersede(service, call, old.id, Fact("The bees stand on the roof."), service.clock() - timedelta(days=5))
    archive(service, call, [away.id])
    retract(service, call, [wrong.id])

    def found(mode: Mode, moment: Moment | None = None) -> set[str]:
        page = search(service, scope, "Where do the bees stand?", mode=mode, moment=moment or Moment())
        return {hit.memory.text for hit in page.hits}

    assert found(Mode.STANDARD) == {"The bees stand on the roof."}
    assert found(Mode.DEEP) == {"The bees stand on the roof.", "The bees stand in the garden."}
    assert found(Mode.EXHAUSTIVE) == {*found(Mode.DEEP), "The bees stand beside the old barn."}
    month = Moment(as_of=service.clock() - timedelta(days=30))
    assert "The bees stand on the roof." not in found(Mode.EXHAUSTIVE, month)
    assert "The bees stand in the garden." in found(Mode.EXHAUSTIVE, month)


def test_what_was_corrected_never_held_and_is_not_found_deep_down(service: Service, scope: Scope) -> None:
    call, begun = Call(scope, "test"), service.clock() - timedelta(days=9)
    [[old], _] = add(service, call, [Fact("The bees came from Italy.", valid_from=begun)])
    assert old.id
    supersede(service, call, old.id, Fact("The bees came from Slovenia."), begun)
    page = search(service, scope, "Where did the bees come from?", mode=Mode.EXHAUSTIVE)
    assert [hit.memory.text for hit in page.hits] == ["The bees came from Slovenia."]


def test_what_was_superseded_comes_along_or_is_hidden_or_is_found(
    service: Service, scope: Scope, clock
) -> None:
    """X2: demote, hide, active and archive. Whatever is set, DEEP finds it, and so does the time at which it held."""
    [[old], _] = add(service, Call(scope, "test"), [Fact("The bees live behind the barn.")])
    before = clock.now
    clock.forward(days=10)
    supersede(service, Call(scope, "test"), str(old.id), Fact("The bees live beside the pond."))
    clock.forward(days=10)
    question = "Where do the bees live?"
    found = {}
    for visibility in ("demote", "hide", "active", "archive"):
        own = with_settings(service, supersession={"visibility": visibility})
        hits = search(own, scope, question).hits
        found[visibility] = (len(hits), sum(len(hit.predecessors) for hit in hits))
        assert len(search(own, scope, question, mode=Mode.DEEP).hits) == 2
        assert [hit.memory.id for hit in search(own, scope, question, moment=Moment(before)).hits] == [old.id]
    assert found["demote"] == (1, 1)
    assert found["hide"] == found["archive"] == (1, 0)
    assert found["active"][0] == 2


SALE = "The bees are on sale until Friday."


def asked(service: Service, scope: Scope, mode: Mode = Mode.STANDARD, **more: Any) -> set[str]:
    page = search(service, scope, "Are the bees on sale?", mode=mode, **more)
    return {hit.memory.text for hit in page.hits}


@pytest.mark.parametrize("arms", list(Arms))
def test_what_has_expired_is_past_at_once_and_not_gone(
    service: Service, scope: Scope, clock, arms: Arms
) -> None:
    """No job has to run: the moment itself makes it past. It is found deep down, and before its end."""
    end = clock.now + timedelta(days=3)
    [[sale], _] = add(service, Call(scope, "test"), [Fact(SALE, expires_at=end)])
    before = Moment(as_of=clock.now)
    clock.now = end - timedelta(milliseconds=1)
    assert asked(service, scope, arms=arms) == {SALE}
    for moves_first in (False, True):
        clock.now = end
        if moves_first:
            service.write(scope, lambda tx: tx.run(RETIRE_DUE, now=clock.now, limit=10))
        assert asked(service, scope, arms=arms) == asked(service, scope, Mode.REFLEXIVE, arms=arms) == set()
        assert asked(service, scope, Mode.DEEP, arms=arms) == {SALE}
        assert asked(service, scope, arms=arms, moment=before) == {SALE}
    assert reading.browse(service, scope).items == []
    assert [each.id for each in reading.browse(service, scope, moment=before).items] == [sale.id]
    assert reading.version(service, scope, str(sale.id)) is None
    assert why_retired(service, scope, str(sale.id)).explanation == "It expired on 4 January 2026."
    [[again], _] = add(service, Call(scope, "test"), [Fact(SALE)])
    assert again.id != sale.id and asked(service, scope, arms=arms) == {SALE}


def test_grace_and_a_critical_mark_put_the_end_off(service: Service, scope: Scope, clock) -> None:
    end = clock.now + timedelta(days=1)
    own = with_settings(service, decay={"expiry_grace_days": 2.0, "critical_overrides_expiry": True})
    [[sale, code], _] = add(
        own,
        Call(scope, "test"),
        [Fact(SALE, expires_at=end), Fact("The bees are on sale at gate 42.", expires_at=end, critical=True)],
    )
    clock.now = end + timedelta(days=1)
    assert len(asked(own, scope)) == 2
    clock.now = end + timedelta(days=2)
    assert asked(own, scope) == {"The bees are on sale at gate 42."}
    revise(own, Call(scope, "test"), str(code.id), Revision(critical=False))
    assert asked(own, scope) == set()
    revise(own, Call(scope, "test"), str(sale.id), Revision(expires_at=clock.now))
    assert asked(own, scope) == {SALE}


def test_another_grace_counts_from_the_next_rescoring_on(service: Service, scope: Scope, clock) -> None:
    end = clock.now + timedelta(days=1)
    add(service, Call(scope, "test"), [Fact(SALE, expires_at=end)])
    own = with_settings(service, decay={"expiry_grace_days": 2.0})
    rescore_tenant(own, Scope(scope.tenant_name), clock.now)
    clock.now = end + timedelta(days=1)
    assert asked(own, scope) == {SALE}


def test_superseding_leaves_no_stale_figures(service: Service, scope: Scope, clock) -> None:
    """At once: the old one goes down, the new one shares its entities, the link is as sure as the judge was."""
    ghent = EntityName("Ghent", "ghent", "PLACE")
    [[old, beside], _] = add(
        service,
        Call(scope, "test"),
        [Fact("The bees live in Ghent.", entities=(ghent,)), Fact("Ghent is warm.", entities=(ghent,))],
    )
    clock.forward(days=1)
    new = Fact("The bees live near Ghent.", entities=(ghent,))
    done, _ = supersede(service, Call(scope, "test"), str(old.id), new)
    was, now = reading.get_many(service, scope, [str(old.id), done.new])
    assert was is not None and now is not None
    assert (was.tier, now.tier) == ("COLD", "HOT") and was.retention is not None and was.retention < 0.3
    assert [each.id for each in shared_of(service, scope, [done.new])[done.new]] == [beside.id]

    prepared = prepare(service, scope.for_writing().subject or "", [Fact("The bees live in Lier.")])

    def judged(writing: Writing) -> Any:
        [last] = write(writing, prepared)
        return join_chain(writing, done.new, str(last["id"]), None, "They moved.", 0.83)

    head = carry_out(service, Call(scope, "test"), "judged", [], judged).value["new"]
    links = links_of(service, scope, [head, done.new])
    assert [each.confidence for each in links[head]] == [0.83]
    assert sorted(each.confidence for each in links[done.new]) == [0.83, 1.0]
