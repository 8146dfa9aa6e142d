"""Real pages in a real Chromium: Neo4j Browser with our files, and the example page of another origin; and TypeScript."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import neo4j
import pytest

from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.links import link
from graph_memory.memory.supersession import supersede
from graph_memory.model.memory import EntityName, Fact
from graph_memory.settings import Settings
from graph_memory.store.addresses import addresses
from graph_memory.store.browser_files import packed, saved
from tests.integration.served import Served, serving

ROOT = Path(__file__).parents[2]
WEB = ROOT / "tests" / "web"
PAGE = ROOT / "docs" / "examples" / "frontend"
# Where pictures are written when somebody wants to look at them, as for the documentation.
PICTURES = os.environ.get("WEB_PICTURES")

pytestmark = pytest.mark.stack


def look(script: str, **given: Any) -> Any:
    done = subprocess.run(
        ["node", f"{script}.mjs", json.dumps(given)],
        cwd=WEB,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """The example page, as another server serves it."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(PAGE)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def served(stack: Settings, driver: neo4j.Driver, origin: str) -> Iterator[Served]:
    """The service, which lets the page's origin call, as `GRAPH_MEMORY_API_ORIGINS` does."""
    named = stack.api.model_copy(update={"origins": (origin,), "graphiql": True})
    with serving(stack.model_copy(update={"api": named})) as running:
        yield running


@dataclass(frozen=True)
class Told:
    """A story of two people, in a tenant of its own."""

    scope: Scope
    newest: str


@pytest.fixture(scope="module")
def told(served: Served) -> Told:
    service, call = served.service, Call(Scope(f"web-{uuid.uuid4().hex[:8]}", "mara-and-theo"), "test")
    facts = [
        _fact("Mara lives in Ghent.", (2026, 1), "Mara", "Ghent"),
        _fact("Theo is allergic to cashews.", (2026, 1), "Theo"),
        _fact("Theo and Mara cook on Sundays.", (2026, 2), "Mara", "Theo"),
        _fact("A hospital in Porto offered Mara a post.", (2026, 4), "Mara", "Porto"),
    ]
    ghent, _, _, offer = (each.id for each in add(service, call, facts)[0])
    antwerp = _fact("Mara lives in Antwerp, near the station.", (2026, 3), "Mara", "Antwerp")
    moved, _ = supersede(service, call, ghent, antwerp, valid_from=antwerp.valid_from, reason="She moved.")
    porto = _fact("Mara lives in Porto, in a flat by the river.", (2026, 5), "Mara", "Porto")
    again, _ = supersede(service, call, moved.new, porto, valid_from=porto.valid_from, reason="Her new post.")
    link(service, call, offer, again.new, "causes")
    return Told(call.scope, again.new)


def test_neo4j_browser_shows_a_chain_in_our_style(stack: Settings, served: Served, told: Told) -> None:
    at = addresses(stack)
    by_name = {each.name: each.text for each in saved()}
    chosen = {"tenant": told.scope.tenant_name, "words": "flat by the river"}
    seen = look(
        "neo4j_browser",
        address=f"http://{stack.stack.host}:{stack.stack.http_port}/browser/",
        bolt=at.neo4j_uri.partition("//")[2],
        user=at.neo4j_user,
        password=at.neo4j_password,
        api=served.url,
        file=list(packed()),
        parameters=chosen,
        queries={"chain": by_name["03-chain"], "first-look": by_name["01-first-look"]},
        pictures=PICTURES,
    )
    assert ":params" in seen["guided"]
    assert seen["called"] == []
    assert len(seen["favourites"]) == len(saved()) + 1
    drawn = seen["answers"]["chain"]
    assert drawn["nodes"] >= 3
    assert {"Mara", "Porto"} <= set(drawn["captions"])
    assert {"#2F6DB5", "#C9D3DF", "#E58A2E"} <= set(drawn["colours"]), (
        "live, past and entity, each in its colour"
    )
    assert {"mara-and-theo", "Theo"} <= set(seen["answers"]["first-look"]["captions"])


def test_a_page_of_another_origin_searches_and_draws_and_follows(
    served: Served, told: Told, origin: str
) -> None:
    key = served.key("mara-and-theo", tenant=told.scope.tenant_name)
    body = {"query": 'mutation { addMemory(input: {text: "Mara swims, TURN."}) { errors { code } } }'}
    seen = look(
        "frontend",
        address=f"{origin}/index.html?api={served.url}",
        api=f"{served.url}/graphql",
        key=key,
        question="Where does Mara live?",
        write={
            "method": "POST",
            "headers": {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
            "body": json.dumps(body),
        },
        picture=f"{PICTURES}/frontend.png" if PICTURES else None,
    )
    assert seen["faults"] == []
    assert seen["hits"][0] == "Mara lives in Porto, in a flat by the river."
    assert seen["circles"] >= 3
    assert "supersedes" in seen["lines"]
    assert any(each.startswith("ADD") for each in seen["changes"])


def test_the_page_says_what_is_wrong_with_a_key(served: Served, origin: str) -> None:
    address = f"{origin}/index.html?api={served.url}"
    seen = look("frontend", address=address, key="gm_nobody", question="Who?", refused=True)
    assert "key" in seen["note"].lower()


def test_graphiql_says_whose_key_it_uses(served: Served) -> None:
    keys = [served.key("ann", tenant="graphiql"), "gm_nobody"]
    without, used, wrong = look("graphiql", address=f"{served.url}/graphql", keys=keys)
    assert without.startswith("Without a key nothing is answered")
    assert used == "The key is of graphiql, ann."
    assert wrong.startswith("No API key of this service")


def test_types_are_made_of_the_operations_and_hold() -> None:
    done = subprocess.run(
        ["node", "types.mjs"], cwd=WEB, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _fact(text: str, month: tuple[int, int], *names: str) -> Fact:
    people = ("Mara", "Theo")
    entities = tuple(
        EntityName(each, each.lower(), "PERSON" if each in people else "PLACE") for each in names
    )
    return Fact(text, valid_from=datetime(*month, 1, tzinfo=UTC), entities=entities)
