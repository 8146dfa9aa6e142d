"""Batches over GraphQL: reading them, what a person may do, and that nobody sees another's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

CANCEL = "mutation($i:ID!){cancelBatch(input:{id:$i}){batch{id status reason} replayed errors{code message}}}"
RETRY = "mutation($i:ID!){retryBatch(input:{id:$i}){batch{id status} errors{code message}}}"
LIST = "query($s:BatchStatus,$f:Int,$a:String){batches(status:$s,first:$f,after:$a){nodes{uuid status items waiting} pageInfo{hasNextPage endCursor}}}"


def listed(api: Api, key: str, **variables: Any) -> list[str]:
    return [each["uuid"] for each in api.data(key, LIST, **variables)["nodes"]]


def test_batches_are_listed_newest_first_by_status_and_in_pages(api: Api, key: str) -> None:
    first = api.batch(key, "cancelled")
    api.data(key, 'mutation{runJob(input:{name:"tidy"}){replayed}}')
    assert listed(api, key, s="CANCELLED") == [first]
    assert listed(api, key, s="SUBMITTED") == []
    page = api.data(key, LIST, f=1)
    assert (page["nodes"][0]["items"], page["nodes"][0]["waiting"]) == (1, 1)
    assert listed(api, key, f=1, a=page["pageInfo"]["endCursor"]) == []


def test_a_status_outside_the_six_is_refused(api: Api, key: str) -> None:
    """Case 141."""
    assert "errors" in api.ask(key, "{batches(status:DONE){nodes{id}}}")


def test_a_batch_is_found_by_its_global_id(api: Api, key: str) -> None:
    batch = api.batch(key)
    [node] = api.data(key, "{batches{nodes{id uuid}}}")["nodes"]
    found = api.data(key, "query($i:ID!){node(id:$i){... on Batch{uuid kind}}}", i=node["id"])
    assert found == {"uuid": batch, "kind": "EXTRACTION"}


def test_a_batch_is_cancelled_put_back_in_line_and_cancelled_no_more_at_its_end(api: Api, key: str) -> None:
    batch = api.batch(key)
    assert api.data(key, CANCEL, i=batch)["batch"]["status"] == "CANCELLED"
    [error] = api.data(key, CANCEL, i=batch)["errors"]
    assert error["code"] == "ILLEGAL_MOVE"
    assert api.data(key, RETRY, i=batch)["batch"]["status"] == "SUBMITTED"


def test_nobody_sees_or_moves_the_batch_of_another(api: Api, key: str) -> None:
    """Case 142: another tenant, and another subject of the same tenant."""
    batch = api.batch(key)
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    for stranger in (api.key(), api.key(tenant, "ben")):
        assert listed(api, stranger) == []
        for document in (CANCEL, RETRY):
            [error] = api.data(stranger, document, i=batch)["errors"]
            assert error["code"] == "NOT_FOUND"
    assert listed(api, key) == [batch]
