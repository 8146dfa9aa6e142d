"""The documents in graphql/operations, each carried out on the real stack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graph_memory.files import folder
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

FILES = {file.stem: file for file in (Path(str(folder("graphql"))) / "operations").glob("*.graphql")}


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_operation_is_carried_out(api: Api, key: str, name: str) -> None:
    memory = api.add(key, "Ada works at Google", validFrom="2026-01-01T00:00:00Z")
    job = api.data(key, 'mutation{runJob(input:{name:"tidy"}){job{id}}}')["job"]
    answer = api.ask(key, FILES[name].read_text("utf-8"), **_variables(name, memory["id"], job["id"]))
    assert "errors" not in answer
    root = next(iter(answer["data"].values()))
    assert root is not None
    assert not (root.get("errors") if isinstance(root, dict) else None)


def _variables(name: str, memory: str, job: str) -> dict[str, Any]:
    fact = {"text": "Ada works at Anthropic"}
    return {
        "add-memory": {"input": {**fact, "idempotencyKey": "a"}},
        "add-memories": {"input": {"memories": [fact, {"text": "Ada plays the cello"}]}},
        "supersede-memory": {"input": {"id": memory, "fact": fact, "validFrom": "2026-02-01T00:00:00Z"}},
        "run-job": {"input": {"name": "rescore"}},
        "search": {"query": "where does Ada work"},
        "job": {"id": job},
        "nodes": {"ids": [memory, job]},
    }.get(name, {"id": memory})
