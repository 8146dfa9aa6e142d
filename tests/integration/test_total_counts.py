"""What is on all pages of a list together: counted for every list, behind the same walls, only when it is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from graph_memory.base.ids import new_id
from tests.integration.api_world import Api, api, statements

__all__ = ["api", "statements"]

pytestmark = pytest.mark.stack

JANUARY, FEBRUARY, MARCH = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"

# By what is asked: how many the account has, and how many of them are ada's.
COUNTS = {
    'memories(includePast:true,kind:"visit")': (2, 1),
    'memories(kind:"visit",asOf:"2026-01-15T00:00:00Z")': (2, 1),
    'entities(filter:{name:"gra"})': (2, 1),
    "reviews(status:null)": (0, 0),
    "changes": (8, 5),
    "changes(operations:[SUPERSEDE])": (1, 1),
    "changes(target:$memory)": (1, 1),
    "history(id:$memory)": (3, 3),
    "sessions": (3, 2),
    "segments": (3, 2),
    'segments(session:"chat",status:OPEN)': (2, 1),
    "messages(segment:$segment)": (3, 3),
    "subjects": (3, 1),
    "batches": (1, 0),
    "batches(status:FAILED)": (0, 0),
    "communities": (1, 0),
    'communities(filter:{name:"sewing"})': (0, 0),
    f'timeline(from:"{JANUARY}",to:"{MARCH}",bucket:DAY)': (2, 2),
    f'timeline(from:"{JANUARY}",to:"{MARCH}",bucket:YEAR)': (1, 1),
    f'timeline(from:"{FEBRUARY}",to:"{MARCH}",knownAt:"{JANUARY}")': (0, 0),
}


@pytest.fixture(scope="module")
def world(api: Api) -> dict[str, Any]:
    """An account of three subjects, with a key of it, one of ada alone, and one of another account."""
    tenant = f"counts-{new_id()}"
    key, ada = api.key(tenant), api.key(tenant, "ada")
    met = {"kind": "visit", "entities": [{"name": "Grace"}], "validFrom": JANUARY}
    old = api.add(key, "Ada met Grace in Paris", subject="ada", **met)
    api.supersede(key, old["id"], "Ada met Grace in Rome", subject="ada", validFrom=FEBRUARY)
    api.add(key, "Bob met Grace", subject="bob", **met)
    said = [{"speaker": "ada", "at": JANUARY, "text": f"Number {number}."} for number in range(3)]
    sent = api.done(key, "submitMessages", "segmentUuid", session="chat", subject="ada", messages=said)
    api.done(key, "submitMessages", session="later", subject="ada", messages=said[:1])
    api.done(key, "submitMessages", session="chat", subject="bob", messages=said[:1])
    api.batch(key)
    api.community(key)
    return {
        "keys": (key, ada, api.key()),
        "variables": {"memory": old["id"], "segment": sent["segmentUuid"]},
    }


def _asked(field: str, first: int, what: str) -> str:
    name, _, rest = field.partition("(")
    taken = {"$memory": "ID!", "$segment": "UUID!"}
    given = ",".join(f"{each}:{kind}" for each, kind in taken.items() if each in rest)
    return (
        f"query{f'({given})' if given else ''}{{{name}(first:{first}{',' + rest if rest else ')'}{{{what}}}}}"
    )


@pytest.mark.parametrize("field", COUNTS)
def test_as_many_are_counted_as_come_on_all_pages_behind_the_walls(
    api: Api, world: dict[str, Any], field: str
) -> None:
    counted, listed = [], []
    for key in world["keys"]:
        given = {name: each for name, each in world["variables"].items() if f"${name}" in field}
        page = api.data(key, _asked(field, 1, "totalCount"), **given)
        whole = api.data(key, _asked(field, 100, "nodes{__typename}"), **given)
        counted.append(page["totalCount"] if page else 0)
        listed.append(len(whole["nodes"]) if whole else 0)
    assert counted == listed == [*COUNTS[field], 0]


@pytest.mark.parametrize("field", COUNTS)
def test_nothing_is_counted_unless_it_is_asked_for_and_then_in_one_statement(
    api: Api, world: dict[str, Any], statements: list[str], field: str
) -> None:
    given = {name: each for name, each in world["variables"].items() if f"${name}" in field}
    sent = []
    for what in ("nodes{__typename}", "nodes{__typename} totalCount"):
        statements.clear()
        api.data(world["keys"][0], _asked(field, 1, what), **given)
        sent.append(list(statements))
    plain, counting = sent
    # A history is read whole, so that it is known how long it is.
    assert len(counting) - len(plain) == (0 if field.startswith("history") else 1)
    assert not any("count" in name for name in plain)
