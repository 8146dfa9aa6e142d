"""The monthly job over dormant entities, on the real database; the model's wire alone is scripted."""

from __future__ import annotations

import pytest

from graph_memory.base.scope import Scope
from graph_memory.bootstrap import compose
from graph_memory.curation.entity_edits import Rename, rename_entity
from graph_memory.jobs import schedule, slots
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import entity_reading
from graph_memory.memory.undo import revert
from graph_memory.model.memory import EntityName
from graph_memory.models.registry import open_providers
from graph_memory.settings import load
from graph_memory.store.service import Service
from graph_memory.transfer.export import now_lines
from graph_memory.upkeep import entity_collection
from tasks import execute
from tests.conftest import Clock
from tests.integration.test_entities import entity, keep, person, sound
from tests.wires import Wires, says

pytestmark = pytest.mark.stack


def collect(service: Service, scope: Scope) -> tuple[str, dict[str, int]]:
    """The run's id and its counts."""
    tenant = Scope(scope.tenant_name)
    run, _ = slots.by_hand(service, tenant, schedule.job("graph_memory.entities.collect"), again=True)
    return run.id, dict(execute(service, tenant, run.id).result or {})


def similar(service: Service, scope: Scope, clock: Clock) -> tuple[str, str]:
    """A dormant Catherine Miller, and the Katherine Miller that is spoken of now."""
    old = entity(service, scope, keep(service, scope, "Catherine Miller sails.", person("Catherine Miller")))
    clock.forward(days=60)
    new = entity(service, scope, keep(service, scope, "Katherine Miller bakes.", person("Katherine Miller")))
    return old, new


def test_without_a_model_the_likely_is_proposed_and_nothing_merged(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Case 147: without a target the job keeps."""
    old, new = similar(service, scope, clock)
    before = list(now_lines(service, scope))
    _, counts = collect(service, scope)
    assert (counts["merged"], counts["proposed"], counts["kept"]) == (0, 1, 1)
    [proposal] = entity_collection.proposals(service, scope)
    assert (proposal.id, proposal.target_id) == (old, new)
    assert 0.5 < proposal.likeness < 1
    assert list(now_lines(service, scope)) == before
    assert entity_collection.proposals(service, Scope("somebody else")) == []


def test_what_bears_the_name_of_another_is_merged_and_the_run_can_be_reverted(
    service: Service, scope: Scope, clock: Clock
) -> None:
    bob = keep(service, scope, "Bob sails.", person("Bob"))
    clock.forward(days=60)
    target = entity(service, scope, keep(service, scope, "Robert bakes.", person("Robert")))
    rename_entity(service, Call(scope, "test"), target, Rename(aliases=("Bob",)))
    before = list(now_lines(service, scope))
    run, counts = collect(service, scope)
    assert (counts["merged"], counts["looked"]) == (1, 1)
    assert entity(service, scope, bob) == target
    sound(service, scope)
    revert(service, Call(scope, "test"), run)
    assert list(now_lines(service, scope)) == before


def test_signs_numbers_and_discriminators_are_never_candidates(
    service: Service, scope: Scope, clock: Clock
) -> None:
    for name in ("C", "C++", "C#", "LX 180", "LX 190"):
        keep(service, scope, f"We have {name}.", EntityName(name, name.lower(), "PRODUCT"))
    keep(service, scope, "John Smith sails.", person("John Smith", "Leeds"))
    keep(service, scope, "John Smith bakes.", person("John Smith", "York"))
    clock.forward(days=60)
    _, counts = collect(service, scope)
    assert (counts["merged"], counts["proposed"]) == (0, 0)


def test_a_model_that_is_sure_decides_and_ids_it_made_up_are_ignored(
    service: Service, scope: Scope, clock: Clock
) -> None:
    old, new = similar(service, scope, clock)
    sure = {"action": "merge", "confidence": 0.95, "reason": "a spelling"}
    with Wires() as wires:
        given = load(
            anthropic={"api_key": "test", "base_url": wires.url},
            providers={"order": ("anthropic", "embedded"), "attempts": 1},
        )
        with open_providers(given) as opened:
            asking = compose(given, service.driver, service.embedder, service.clock, providers=opened)
            wires.script(says({**sure, "target_id": "ffffffff"}))
            _, counts = collect(asking, scope)
            assert (counts["merged"], counts["kept"]) == (0, 1)
            wires.script(says("no idea"))
            assert collect(asking, scope)[1]["errors"] == 1
            wires.script(lambda asked: says({**sure, "target_id": asked.offered[0], "confidence": 0.6}))
            assert collect(asking, scope)[1]["merged"] == 0
            wires.script(lambda asked: says({**sure, "target_id": asked.offered[0]}))
            assert collect(asking, scope)[1]["merged"] == 1
            assert "Catherine Miller sails." in wires.received[-1].text
    merged = entity_reading.get(service, scope, old)
    assert (merged["alias_of"], entity_reading.get(service, scope, new)["aliases"]) == (
        new,
        ["Catherine Miller"],
    )
    assert changes(service, scope)[-1]["actor"] == "entity-collector"
    sound(service, scope)
