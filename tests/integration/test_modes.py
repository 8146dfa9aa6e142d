"""How far a recall reaches: tiers, what was superseded, what was put away."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from graph_memory.ledger import Call
from graph_memory.memory.add import add
from graph_memory.memory.life import archive, retract
from graph_memory.memory.model import Fact
from graph_memory.memory.supersede import supersede
from graph_memory.moments import Moment
from graph_memory.queries import query
from graph_memory.recall.modes import Mode
from graph_memory.recall.search import Arms, search
from graph_memory.scoring.scores import TIERS, Tier
from graph_memory.service import Service
from graph_memory.tenancy import Scope

pytestmark = pytest.mark.stack

WRITE = query("scoring/write")


def put(service: Service, scope: Scope, id: str, tier: Tier) -> None:
    row = {"id": id, "importance": 0.5, "retention": 0.5, "tier": tier.value, "tier_rank": TIERS.index(tier)}
    service.write(scope, lambda tx: tx.run(WRITE, rows=[row]))


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
    assert "1 of these are cold" in (page.note or "")
    assert search(service, scope, "What do the bees need?", limit=2).note is None


@pytest.mark.parametrize("arms", [Arms.VECTOR, Arms.HYBRID])
def test_a_cold_memory_that_is_clearly_nearer_comes_first(service: Service, scope: Scope, arms: Arms) -> None:
    others = [Fact(f"She bought {count} jars of honey.") for count in range(3, 15)]
    [[cold, *_], _] = add(service, Call(scope, "test"), [Fact("She is allergic to peanuts."), *others])
    assert cold.id
    put(service, scope, cold.id, Tier.COLD)
    page = search(service, scope, "Which foods is she allergic to?", limit=5, arms=arms)
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
    """X2: demote, hide and active. Whatever is set, DEEP finds it, and so does the time at which it held."""
    [[old], _] = add(service, Call(scope, "test"), [Fact("The bees live behind the barn.")])
    before = clock.now
    clock.forward(days=10)
    supersede(service, Call(scope, "test"), str(old.id), Fact("The bees live beside the pond."))
    clock.forward(days=10)
    question = "Where do the bees live?"
    found = {}
    for visibility in ("demote", "hide", "active"):
        recall = service.settings.recall.model_copy(update={"superseded": visibility})
        own = replace(service, settings=service.settings.model_copy(update={"recall": recall}))
        hits = search(own, scope, question).hits
        found[visibility] = (len(hits), sum(len(hit.predecessors) for hit in hits))
        assert len(search(own, scope, question, mode=Mode.DEEP).hits) == 2
        assert [hit.memory.id for hit in search(own, scope, question, moment=Moment(before)).hits] == [old.id]
    assert found["demote"] == (1, 1)
    assert found["hide"] == (1, 0)
    assert found["active"][0] == 2
