"""Quarantine and hubs over GraphQL and on the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graph_memory.base.scope import Scope
from tasks import execute
from tests.integration.api_world import Api, api, key
from tests.integration.test_cli import Shell

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

WEB = {"kind": "WEB", "ref": "site", "author": "Mallory"}
JOB = "job{uuid state}"


def tenant(api: Api, key: str) -> str:
    return str(api.data(key, "{viewer{tenant}}")["tenant"])


def live(api: Api, key: str) -> set[str]:
    return {node["text"] for node in api.data(key, "{memories{nodes{text}}}")["nodes"]}


def test_a_source_goes_by_a_run_and_comes_back(api: Api, key: str) -> None:
    id = api.add(key, "The harbour is closed.", source=WEB)["uuid"]
    api.add(key, "The harbour is open.")
    given = {"sourceKind": "WEB", "author": "mallory", "since": "2020-01-01T00:00:00Z", "reason": "made up"}
    asked = api.done(key, "quarantineSource", JOB, idempotencyKey="k", **given)["job"]
    assert api.done(key, "quarantineSource", JOB, idempotencyKey="k", **given)["job"]["uuid"] == asked["uuid"]
    execute(api.service, Scope(tenant(api, key)), asked["uuid"])
    assert live(api, key) == {"The harbour is open."}
    why = api.data(key, "query($id:ID!){whyRetired(id:$id){explanation}}", id=id)["explanation"]
    assert why == "It was archived. Quarantined: made up"
    settled = {"id": asked["uuid"], "verdict": "RELEASE", "idempotencyKey": "s"}
    assert api.done(key, "settleQuarantine", "memories", **settled)["memories"] == 1
    assert api.done(key, "settleQuarantine", "memories", **settled)["replayed"]
    assert live(api, key) == {"The harbour is open.", "The harbour is closed."}


def test_what_is_upheld_is_retracted(api: Api, key: str) -> None:
    run = api.quarantined(key)
    assert api.done(key, "settleQuarantine", "memories", id=run, verdict="RETRACT")["memories"] == 1
    statuses = api.data(key, "{memories(includePast:true){nodes{status}}}")["nodes"]
    assert statuses == [{"status": "RETRACTED"}]
    assert api.refused(key, "settleQuarantine", id=run, verdict="RELEASE")[0] == "HAS_DEPENDANTS"
    api.done(key, "settleQuarantine", "memories", id=run, verdict="RELEASE", cascade=True)
    assert live(api, key) == {"The site says so."}


def test_another_tenant_neither_hides_nor_settles(api: Api, key: str) -> None:
    run, other = api.quarantined(key), api.key()
    assert api.refused(other, "settleQuarantine", id=run, verdict="RELEASE")[0] == "NOT_FOUND"
    mine = api.add(other, "The site says mine.", source=WEB)
    asked = api.done(key, "quarantineSource", JOB, sourceRef="site", reason="x")["job"]
    execute(api.service, Scope(tenant(api, key)), asked["uuid"])
    assert live(api, other) == {mine["text"]}


def test_a_key_of_one_subject_hides_that_subjects_only(api: Api) -> None:
    whole = api.key()
    name = tenant(api, whole)
    ann = api.key(name, "ann")
    api.add(whole, "Of Bob.", source=WEB, subject="bob")
    api.add(ann, "Of Ann.", source=WEB)
    asked = api.done(ann, "quarantineSource", JOB, sourceRef="site", reason="x")["job"]
    execute(api.service, Scope(name), asked["uuid"])
    assert live(api, whole) == {"Of Bob."}
    assert api.data(ann, "query($id:ID!){job(id:$id){state}}", id=asked["uuid"]) == {"state": "DONE"}


def test_a_source_must_be_named(api: Api, key: str) -> None:
    assert api.refused(key, "quarantineSource", reason="x") == ("INVALID", "input")
    assert api.refused(key, "quarantineSource", sourceRef="site", reason="")[1] == "input.reason"
    assert (
        api.refused(key, "quarantineSource", sourceRef="", sourceKind="WEB", reason="x")[1]
        == "input.sourceRef"
    )


def test_hubs_are_told_over_graphql_and_refused_out_of_range(api: Api, key: str) -> None:
    assert api.data(key, "{hubs{share memory{text}}}") == []
    assert api.code(key, "{hubs(sample:0){share}}") == "INVALID"
    assert api.code(key, "{hubs(first:101){share}}") == "INVALID"


def test_the_command_line_hides_decides_and_looks_for_hubs(api: Api, key: str, tmp_path: Path) -> None:
    api.add(key, "The harbour is closed.", source=WEB)
    shell = Shell(tenant(api, key))
    assert len(shell.data("quarantine", "--dry-run", source_ref="site")["memories"]) == 1
    said = shell.say("quarantine", "--here", source_ref="site", reason="made up")
    assert "Memories quarantined: 1; come back or freed: 0" in said
    [run] = re.findall(r"settle (\S+) --release", said)
    assert live(api, key) == set()
    assert shell.data("settle", run, "--release")["memories"] == 1
    assert live(api, key) == {"The harbour is closed."}
    asked = tmp_path / "asked.txt"
    asked.write_text("is the harbour open\n\nwho keeps bees\n", "utf-8")
    assert shell.data("hubs", queries=str(asked)) == []
