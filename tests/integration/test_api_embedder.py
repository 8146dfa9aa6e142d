"""The model of the store's vectors over GraphQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from graph_memory.base.errors import Unavailable
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

ASKED = "{embedder{model{name provider dimension} next{name} stage waiting}}"


def test_the_model_of_the_store_and_what_waits_for_a_vector_are_told(api: Api, key: str) -> None:
    class Away:
        model, dimension = api.service.embedder.model, api.service.embedder.dimension

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            raise Unavailable("The embedder cannot be reached.")

    api.add(key, "Ada works at Google")
    found = api.data(key, ASKED)
    assert found["waiting"] == 0
    assert (found["model"]["name"], found["model"]["dimension"]) == (Away.model, Away.dimension)
    assert (found["next"], found["stage"]) == (None, None)
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    facts = [Fact("Ada lives in Zurich."), Fact("Ada plays chess.")]
    add(replace(api.service, embedder=Away()), Call(Scope(tenant, "ada"), "test"), facts)
    assert api.data(key, ASKED)["waiting"] == 2
    assert api.data(api.key(), ASKED)["waiting"] == 0


def test_a_key_of_one_subject_is_not_told_how_much_of_the_tenant_waits(api: Api) -> None:
    found = api.data(api.key(subject="ada"), ASKED)
    assert found["waiting"] is None
    assert found["model"]["name"]
