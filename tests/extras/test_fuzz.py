"""The running service is asked what nobody thought of: it answers every time, and no fault is its own."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from graphql.language import ast
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_memory.api.global_ids import to_global
from graph_memory.base.files import folder
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.links import link
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import EntityName, Fact
from graph_memory.store.api_keys import Right
from tests.integration.served import Served, served

__all__ = ["served"]

CASES = 500
# One asks after the other, so that nobody is in the way.
OUR_FAULT = {"INTERNAL", "OVERLOADED", "TOOK_TOO_LONG", "UNAVAILABLE"}

pytestmark = pytest.mark.stack


def test_whatever_is_asked_is_answered(served: Served) -> None:
    tenant, outcomes = f"fuzz-{uuid.uuid4().hex[:8]}", Counter[str]()
    known = _world(served, Scope(tenant, "ann"))
    for name, values in _scalars(known).items():
        schemathesis.graphql.scalar(name, values.map(lambda value: ast.StringValueNode(value=value)))
    schema = schemathesis.graphql.from_path(Path(str(folder("graphql"))) / "schema.graphql")
    schema.config.update(base_url=f"{served.url}/graphql")
    headers = {"Authorization": f"Bearer {served.key(None, right=Right.ADMIN, tenant=tenant)}"}

    @settings(max_examples=CASES, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=schema.as_strategy())
    def asked(case: Any) -> None:
        response = case.call(headers=headers, timeout=20)
        answer = response.json()
        codes = {error["extensions"]["code"] for error in answer.get("errors") or []}
        outcomes[" ".join(sorted(codes)) or "ANSWERED"] += 1
        assert response.status_code < 500, (case.body, answer)
        assert not codes & OUR_FAULT, (case.body, answer)

    asked()
    assert outcomes["ANSWERED"] > CASES / 3, f"most was refused before it was looked at: {outcomes}"


def _world(served: Served, scope: Scope) -> list[str]:
    """Some memories that hang together; their ids."""
    call, ann = Call(scope, "test"), EntityName("Ann", "ann", "PERSON")
    facts = [Fact("Ann lives in Lyon.", entities=(ann,)), Fact("Ann got a post in Porto.", entities=(ann,))]
    lyon, post = (each.id for each in add(served.service, call, facts)[0])
    moved, _ = supersede(served.service, call, lyon, Fact("Ann lives in Porto.", entities=(ann,)))
    link(served.service, call, post, moved.new, "causes")
    return [lyon, post, moved.new]


def _scalars(known: list[str]) -> dict[str, st.SearchStrategy[str]]:
    """What is not a GraphQL scalar by itself; and ids, of which half are of something."""
    ids = st.sampled_from([*known, *(to_global("Memory", id) for id in known)])
    times = st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat)
    return {"ID": ids | st.text(), "UUID": st.uuids().map(str), "DateTime": times, "JSON": st.text()}
