"""Conversations as a list: what is one, in which order they come, and who sees them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from graph_memory import Client
from graph_memory.api.global_ids import to_global
from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.cli import app as command_line
from graph_memory.ingest import submission
from graph_memory.ingest.sessions import cursor_of, sessions
from graph_memory.ledger.changes import Call
from graph_memory.memory.erasure import forget
from graph_memory.memory.undo import revert
from graph_memory.store.api_keys import Right
from graph_memory.store.service import Service
from tasks import execute
from tests.conftest import Clock
from tests.integration.api_world import Api, api, key, statements
from tests.integration.conversation_world import MONDAY, closed, live, said, told
from tests.integration.served import Served, served

__all__ = ["api", "key", "served", "statements"]

pytestmark = pytest.mark.stack

DOCUMENT = """
query($n: Int!, $a: String, $s: String) {
  sessions(first: $n, after: $a, subject: $s) {
    nodes { name subject isOpen segmentCount messageCount extractedCount startedAt endedAt
            firstMessage { text memories { text } } lastMessage { text } }
    pageInfo { hasNextPage endCursor }
  }
}
"""


def _submitted(service: Service, scope: Scope, session: str, *texts: str, days: int = 0) -> None:
    at = MONDAY + timedelta(days=days)
    submission.submit(service, Call(scope, "test"), session, said(*texts, at=at))


def test_the_segments_of_a_session_are_one_conversation(service: Service, scope: Scope) -> None:
    told(service, scope, "I live in Lyon.", "Good morning.", session="chat")
    _submitted(service, scope, "chat", "I play the cello.", days=2)
    [found] = sessions(service, scope).items
    assert (found.name, found.is_open, found.segments, found.messages, found.extracted) == (
        "chat",
        True,
        2,
        3,
        2,
    )
    assert (found.started_at, found.ended_at) == (MONDAY, MONDAY + timedelta(days=2))
    assert found.first is not None
    assert found.last is not None
    assert (found.first.message.text, found.last.message.text) == ("I live in Lyon.", "I play the cello.")
    assert len(found.first.memory_ids) == 1
    closed(service, scope, "chat")
    assert not sessions(service, scope).items[0].is_open


def test_sessions_come_latest_begun_first_and_a_page_stays_where_it_was(
    service: Service, scope: Scope
) -> None:
    # Two that began at the same moment, and one of another subject under the same name.
    other = Scope(scope.tenant_name, "ben")
    for session, days in (("old", 0), ("twin a", 1), ("twin b", 1), ("new", 2)):
        _submitted(service, scope, session, "Hello.", days=days)
    _submitted(service, other, "new", "Hello, this is Ben.", days=3)
    whole = Scope(scope.tenant_name)
    names, after = [], None
    for _ in range(5):
        page = sessions(service, whole, 1, after)
        [item] = page.items
        names.append((item.name, item.subject))
        after = cursor_of(item)
        # What is begun meanwhile moves no page.
        _submitted(service, whole.of("late"), f"later {new_id()}", "Hello.", days=9)
    mine = scope.for_writing().subject_name
    assert names == [("new", "ben"), ("new", mine), ("twin b", mine), ("twin a", mine), ("old", mine)]
    assert not page.has_next
    assert [each.name for each in sessions(service, scope).items] == ["new", "twin b", "twin a", "old"]
    for wrong in ("nonsense", "", cursor_of(page.items[0])[:-4]):
        with pytest.raises(Invalid):
            sessions(service, scope, 1, wrong)


def test_an_erased_message_is_counted_and_has_no_words(service: Service, scope: Scope) -> None:
    told(service, scope, "I live in Lyon.", session="chat")
    forget(service, Call(scope, "test"), ids=[sessions(service, scope).items[0].first.memory_ids[0]])
    [found] = sessions(service, scope).items
    assert found.messages == 1
    assert found.first is not None
    assert (found.first.is_erased, found.first.message.text) == (True, "")


def test_sessions_are_asked_over_graphql_each_by_who_may_see_them(api: Api, statements: list[str]) -> None:
    tenant = f"sessions-{new_id()}"
    whole = Scope(tenant)
    told(api.service, whole.of("ann"), "I live in Lyon.", session="chat")
    for number, cat in enumerate(("Momo", "Tiger", "Minka", "Felix", "Luna")):
        at = MONDAY + timedelta(days=number + 1)
        told(api.service, whole.of("ben"), f"I have a cat called {cat}.", session=f"chat {number}", at=at)
    key = api.key(tenant)
    counts = []
    for first in (2, 5):
        statements.clear()
        page = api.data(key, DOCUMENT, n=first)
        counts.append(len(statements))
    assert counts[0] == counts[1]
    assert [each["name"] for each in page["nodes"]] == [f"chat {number}" for number in (4, 3, 2, 1, 0)]
    assert all(each["firstMessage"]["memories"] for each in page["nodes"])
    rest = api.data(key, DOCUMENT, n=5, a=page["pageInfo"]["endCursor"])
    [last] = rest["nodes"]
    assert (last["subject"], last["messageCount"], last["extractedCount"]) == ("ann", 1, 1)
    assert last["firstMessage"] == {"text": "I live in Lyon.", "memories": [{"text": "Ann lives in Lyon."}]}
    assert api.data(key, DOCUMENT, n=5, s="ann")["nodes"] == rest["nodes"]
    ann = api.key(tenant, "ann")
    assert api.data(ann, DOCUMENT, n=5)["nodes"] == rest["nodes"]
    assert api.code(ann, DOCUMENT, n=5, s="ben") == "FORBIDDEN"
    assert api.data(api.key(), DOCUMENT, n=5)["nodes"] == []


def test_a_subject_is_a_node(api: Api, statements: list[str]) -> None:
    tenant = f"nodes-{new_id()}"
    key = api.key(tenant)
    for name in ("ann", "ben"):
        api.add(key, f"{name} sails.", subject=name)
    ann, ben = api.data(key, "{subjects{nodes{id name}}}")["nodes"]
    document = "query($ids:[ID!]!){nodes(ids:$ids){id __typename ... on Subject{name memories}}}"
    missing = to_global("Subject", Scope(tenant, "nobody").subject)
    statements.clear()
    found = api.data(key, document, ids=[ben["id"], missing, ann["id"]])
    assert len(statements) == 1
    assert found == [
        {"id": ben["id"], "__typename": "Subject", "name": "ben", "memories": 1},
        None,
        {"id": ann["id"], "__typename": "Subject", "name": "ann", "memories": 1},
    ]
    # Neither another account nor a key of another subject sees it.
    for other in (api.key(), api.key(tenant, "ann")):
        assert api.data(other, document, ids=[ben["id"]]) == [None]
    for wrong in (to_global("Subject", new_id()), to_global("Memory", Scope(tenant, "ann").subject)):
        assert api.code(key, document, ids=[wrong]) == "BAD_ID"


def test_sessions_are_listed_by_the_client_and_on_the_command_line(served: Served) -> None:
    tenant = f"sessions-{new_id()}"
    scope = Scope(tenant, "ann")
    told(served.service, scope, "I live in Lyon.", "I have a [red] boat.", session="chat")
    with Client(served.url, served.key(right=Right.READ, tenant=tenant), subject="ann") as client:
        [found] = client.sessions()
        assert (str(found), found.message_count, found.is_open) == ("chat", 2, False)
        assert found.last_message is not None
        assert found.last_message.text == "I have a [red] boat."
        [segment] = client.segments(session=found.name)
        assert segment.message_count == 2
    shown = CliRunner().invoke(command_line, ["sessions", "--tenant", tenant])
    assert "I live in Lyon." in shown.stdout
    listed = json.loads(CliRunner().invoke(command_line, ["sessions", "-t", tenant, "--json"]).stdout)
    assert [(each["name"], each["messages"]) for each in listed["items"]] == [("chat", 2)]


def test_what_was_set_aside_is_read_again_by_the_client_and_on_the_command_line(
    served: Served, api: Api, key: str
) -> None:
    """Over GraphQL it is an operation of `test_api_operations.py`."""
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    api.set_aside(key)
    listed = json.loads(CliRunner().invoke(command_line, ["sessions", "-t", tenant, "--json"]).stdout)
    assert [(each["left_out"], each["set_aside"]) for each in listed["items"]] == [(1, 1)]
    with Client(served.url, key) as client:
        [session] = client.sessions()
        assert (session.left_out_count, session.set_aside_count) == (1, 1)
        [segment] = client.segments()
        [message] = client.messages(segment.uuid, left_out=True)
        assert (message.set_aside or "").startswith("Every try to read it ended")
        assert client.retry_messages("s").messages == 1
        assert list(client.messages(segment.uuid, left_out=True)) == []
        with pytest.raises(NotFound, match="Session 's' has no message that was set aside"):
            client.retry_messages("s")
    api.set_aside(key, "t")
    shown = CliRunner().invoke(command_line, ["retry", "t", "-t", tenant, "--here", "--json"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["messages"] == 1


def test_what_comes_of_a_session_is_of_the_run_that_was_opened_for_it(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Whichever run reads it: to take back the run takes back that session and no other."""
    _submitted(service, scope, "a", "I play the cello.")
    _submitted(service, scope, "b", "I live in Lyon.", days=2)
    first, second = (submission.close(service, Call(scope, "test"), name).run_id for name in ("a", "b"))
    execute(service, scope, second)
    execute(service, scope, first)
    clock.forward(days=10)
    revert(service, Call(scope, "test"), first)
    assert [each.text for each in live(service, scope)] == ["Ann lives in Lyon."]
