"""The documents in graphql/operations, each carried out on the real stack."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.files import folder
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

FILES = {file.stem: file for file in (Path(str(folder("graphql"))) / "operations").glob("*.graphql")}


JANUARY, FEBRUARY = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


# Subscriptions need a stream: `test_subscriptions.py`.
FOLLOWING = {"follow-changes", "follow-run"}


@pytest.mark.parametrize("name", sorted(FILES.keys() - FOLLOWING))
def test_the_operation_is_carried_out(api: Api, key: str, name: str) -> None:
    memory = api.add(key, "Ada works at Google", validFrom=JANUARY)["id"]
    other = api.add(key, "Ada lives in Zurich", validFrom=JANUARY)["id"]
    api.link(key, memory, other, "CAUSES")
    if name == "restore-memories":
        api.data(key, "mutation($i:[ID!]!){archiveMemories(input:{ids:$i}){replayed}}", i=[memory])
    job = api.data(key, 'mutation{runJob(input:{name:"tidy"}){job{id}}}')["job"]["id"]
    review = api.review(key) if name in ("approve-review", "reject-review") else ""
    batch = api.batch(key, {"retry-batch": "cancelled"}.get(name, "submitted")) if "batch" in name else ""
    if name == "close-segment":
        api.ask(
            key,
            FILES["submit-messages"].read_text("utf-8"),
            **_variables("submit-messages", memory, other, job),
        )
    if name == "retry-messages":
        api.set_aside(key)
    if name == "revert-run":
        job = api.run_that_added(key, "A run said so.")
    if name == "community":
        job = api.community(key)
    if "-consolidation" in name or name == "consolidation-plan":
        job = api.consolidated(key, rehearses=name != "revert-consolidation")
    if name == "settle-quarantine":
        job = api.quarantined(key)
    if name in ("confirm-memories", "forget") or "webhook" in name or "api-key" in name:
        key = api.key(api.data(key, "{viewer{tenant}}")["tenant"], right=Right.ADMIN)
    if name in ("resume-webhook", "remove-webhook"):
        job = api.done(key, "addWebhook", "webhook{id}", url="https://9.9.9.9/")["webhook"]["id"]
    if name == "revoke-api-key":
        job = api.done(key, "createApiKey", "apiKey{prefix}")["apiKey"]["prefix"]
    given = _variables(name, memory, other, job, review, batch)
    if "entit" in name:
        given = _of_entities(name, memory, *api.entities(key, memory))
    answer = api.ask(key, FILES[name].read_text("utf-8"), **given)
    assert "errors" not in answer
    root = next(iter(answer["data"].values()))
    assert root is not None
    assert not (root.get("errors") if isinstance(root, dict) else None)


def _variables(
    name: str, memory: str, other: str, job: str, review: str = "", batch: str = ""
) -> dict[str, Any]:
    fact = {"text": "Ada works at Anthropic"}
    link = {"fromId": memory, "toId": other, "kind": "SUPPORTS"}
    message = {"speaker": "Ada", "at": JANUARY, "text": "I play the cello."}
    return {
        "submit-messages": {"input": {"session": "s", "messages": [message], "contextIds": [memory]}},
        "close-segment": {"input": {"session": "s"}},
        "retry-messages": {"input": {"session": "s"}},
        "segments": {},
        "subjects": {},
        "sessions": {},
        "messages": {"segment": str(uuid.uuid4())},
        "remember": {"input": {**fact, "idempotencyKey": "r"}},
        "remember-plan": {"input": fact},
        "remember-many": {"input": {"memories": [fact, {"text": "Ada plays the cello"}]}},
        "approve-review": {"input": {"id": review}},
        "batches": {},
        "cancel-batch": {"input": {"id": batch}},
        "retry-batch": {"input": {"id": batch}},
        "reject-review": {"input": {"id": review, "reason": "both hold"}},
        "add-memory": {"input": {**fact, "idempotencyKey": "a"}},
        "add-memories": {"input": {"memories": [fact, {"text": "Ada plays the cello"}]}},
        "supersede-memory": {"input": {"id": memory, "fact": fact, "validFrom": FEBRUARY}},
        "api-keys": {},
        "create-api-key": {"input": {"subject": "ann", "minutes": 10}},
        "revoke-api-key": {"input": {"prefix": job}},
        "set-subject": {"input": {"timeZone": "Europe/Berlin"}},
        "run-job": {"input": {"name": "rescore"}},
        "search": {"query": "where does Ada work"},
        "passages": {"query": "where does Ada work"},
        "why-not-returned": {"id": memory, "query": "where does Ada work"},
        "ask": {"question": "where does Ada work"},
        "surface": {"message": "Ada is late at work again", "keep": [memory]},
        "job": {"id": job},
        "attributes": {"name": "ada"},
        "communities": {"filter": {"minSize": 2}},
        "community": {"id": job},
        "job-standings": {},
        "lifecycle-plan": {},
        "subject-activity": {},
        "tier-transitions": {"job": job},
        "simulate-decay": {"policies": ["EARNING", "LINEAR"]},
        "nodes": {"ids": [memory, job]},
        "subgraph": {"ids": [memory]},
        "path": {"from": memory, "to": other},
        "browse": {"where": [{"field": "text", "operator": "CONTAINS", "value": "Google"}]},
        "diff": {"from": {"asOf": "2025-01-01T00:00:00Z"}},
        "timeline": {"from": "2025-12-01T00:00:00Z", "to": FEBRUARY},
        "archive-memories": {"input": {"ids": [memory]}},
        "restore-memories": {"input": {"ids": [memory]}},
        "retract-memories": {"input": {"ids": [memory]}},
        "confirm-memories": {"input": {"ids": [memory]}},
        "quarantine-source": {"input": {"sourceRef": "site", "reason": "doubt"}},
        "settle-quarantine": {"input": {"id": job, "verdict": "RELEASE"}},
        "hubs": {},
        "consolidate": {"input": {"dryRun": True}},
        "consolidation-plan": {"id": job},
        "promote-consolidation": {"input": {"id": job}},
        "revert-consolidation": {"input": {"id": job}},
        "pack": {"input": {"query": "where does Ada work", "budget": 500}},
        "revise-memory": {"input": {"id": memory, **fact}},
        "expire-memory": {"input": {"id": memory}},
        "merge-memories": {"input": {"keepId": memory, "otherId": other}},
        "link-memories": {"input": link},
        "link-many": {"input": {"links": [link]}},
        "unlink-memories": {"input": {**link, "kind": "CAUSES"}},
        "quarantine-memory": {"input": {"id": memory, "reason": "doubt"}},
        "undo": {"input": {"changes": [3]}},
        "revert-run": {"input": {"id": job}},
        "forget": {"input": {"ids": [memory]}},
        "erasure-check": {"texts": ["Ada works at Google"]},
        "webhooks": {},
        "add-webhook": {"input": {"url": "https://9.9.9.9/changes", "operations": ["SUPERSEDE"]}},
        "resume-webhook": {"input": {"id": job}},
        "remove-webhook": {"input": {"id": job}},
        "import-conversation": {"input": {"ref": "talk", "messages": [message]}},
    }.get(name, {"id": memory})


def _of_entities(name: str, memory: str, one: str, other: str) -> dict[str, Any]:
    return {
        "entities": {"filter": {"name": "go"}},
        "entity": {"id": one},
        "entity-proposals": {},
        "merge-entities": {"input": {"keepId": one, "otherId": other}},
        "split-entity": {"input": {"id": one, "memoryIds": [memory], "discriminator": "the other"}},
        "rename-entity": {"input": {"id": one, "name": "Lovelace", "type": "PERSON"}},
    }.get(name, {"input": {"id": one}})
