"""The Python client against the real service over HTTP."""

from __future__ import annotations

import asyncio
import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest

from graph_memory import AsyncClient, Client, connect
from graph_memory.api.global_ids import to_global
from graph_memory.base import errors
from graph_memory.base.scope import Scope
from graph_memory.model.verdict import Action
from graph_memory.store.api_keys import Right
from tests.integration.remembering_world import Judge, keep
from tests.integration.served import Served, key_folder, served

__all__ = ["key_folder", "served"]

pytestmark = pytest.mark.stack

JANUARY, FEBRUARY = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


def test_what_is_remembered_is_found_corrected_undone_and_forgotten(served: Served) -> None:
    with Client(served.url, served.key(None, Right.ERASE), subject="ann") as client:
        kept = client.remember("Ann works at Google.", valid_from=JANUARY, tags=["job"]).memory
        assert kept is not None
        newer = client.supersede(kept.id, "Ann works at Anthropic.", valid_from=FEBRUARY, reason="She moved.")
        assert newer.memory is not None
        assert newer.superseded is not None
        assert newer.superseded.valid_to == FEBRUARY

        [now, *_] = client.search("Where does Ann work?")
        [then, *_] = client.search("Where does Ann work?", as_of=datetime(2026, 1, 15, tzinfo=UTC))
        assert (now.memory.text, then.memory.text) == ("Ann works at Anthropic.", "Ann works at Google.")
        assert [former.text for former in now.predecessors] == ["Ann works at Google."]
        assert [state.memory.text for state in client.history(kept.id) if not state.memory.is_revision] == [
            "Ann works at Google.",
            "Ann works at Anthropic.",
        ]
        assert [link.kind for link in client.memory(newer.memory.id).links] == ["SUPERSEDES"]
        assert [each.memory.id for each in client.neighbours(kept.id, direction="IN")] == [newer.memory.id]

        last = list(client.changes())[-1]
        assert last.operation == "SUPERSEDE"
        assert client.undo([last.sequence]).undone == (last.sequence,)
        assert [each.operation for each in client.changes(after=last.sequence)] == ["UNDO"]
        assert client.memory(kept.id).valid_to is None

        assert client.forget([kept.id], reason="She asked.").certificate.memories == 1
        with pytest.raises(errors.NotFound):
            client.memory(kept.id)


def test_what_hardly_answers_is_found_where_no_score_is_too_low(served: Served) -> None:
    question = "What is the capital of Mongolia?"
    with Client(served.url, served.key(), subject="ann") as client:
        client.add("Ann works at Anthropic.")
        assert list(client.search(question)) == []
        assert [hit.memory.text for hit in client.search(question, min_score=0)] == [
            "Ann works at Anthropic."
        ]


def test_whose_memories_there_are_and_what_lies_around_one_are_told(served: Served) -> None:
    with Client(served.url, served.key()) as client:
        rain, flood = (client.add(text, subject="ann").memory for text in ("It rains.", "It floods."))
        assert rain is not None
        assert flood is not None
        client.link(rain.id, flood.id, "CAUSES")
        client.add("Bob sails.", subject="bob")
        assert [(str(each), each.memories) for each in client.subjects()] == [("ann", 2), ("bob", 1)]
        around = client.subgraph(rain.uuid)
        assert {each.uuid for each in around.nodes} == {rain.uuid, flood.uuid}
        [edge] = [each for each in around.edges if each.kind == "CAUSES"]
        assert edge.from_ is not None
        assert edge.from_.uuid == rain.uuid
        table = client.memories().to_pandas()
        assert sorted(table["text"]) == ["Bob sails.", "It floods.", "It rains."]


def test_a_write_whose_answer_was_lost_is_sent_again_and_done_once(served: Served) -> None:
    lost: list[str] = []

    class Losing(httpx2.HTTPTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = super().handle_request(request)
            if not lost:
                lost.append("the first answer")
                raise httpx2.ReadError("the line went dead")
            return answer

    with Client(served.url, served.key(), transport=Losing()) as client:
        done = client.remember("Ann plays the cello.")
        assert done.replayed is True
        assert [each.operation for each in client.changes()] == ["ADD"]
        assert [each.text for each in client.memories()] == ["Ann plays the cello."]


def test_messages_become_memories_when_their_session_is_closed(served: Served) -> None:
    with Client(served.url, served.key("ann"), subject="ann") as client:
        said = [
            {"role": "user", "content": "I live in Lyon.", "at": JANUARY},
            {"role": "assistant", "content": "Lyon is lovely.", "at": "2026-01-01T00:00:05Z"},
        ]
        open_ = client.add_messages(said, user="Ann", session="chat-7")
        assert (open_.stored, open_.job) == (2, None)
        taken = client.add_messages(
            [{"role": "user", "content": "I play the cello.", "at": "2026-01-01T00:01:00Z"}],
            user="Ann",
            session="chat-7",
            wait=60,
        )
        assert taken.job is not None
        assert taken.job.state == "DONE"
        assert {"Ann lives in Lyon.", "Ann plays the cello."} <= {each.text for each in client.memories()}


def test_messages_that_were_read_before_are_not_read_again(served: Served) -> None:
    with Client(served.url, served.key(), subject="ann") as client:
        said = [{"role": "user", "content": "I live in Lyon.", "at": JANUARY, "ref": "turn-1"}]
        first = client.add_messages(said, user="Ann", session="chat-8", wait=60)
        assert first.job is not None
        again = client.add_messages(said, user="Ann", session="chat-8", wait=60)
        assert (again.stored, again.job) == (0, None)


def test_a_session_is_closed_once_and_again_without_harm(served: Served) -> None:
    with Client(served.url, served.key("ann")) as client:
        client.add_messages([{"role": "user", "content": "I live in Lyon."}], user="Ann", session="chat-9")
        closed = client.close_session("chat-9", wait=60)
        assert closed.job is not None
        assert closed.job.state == "DONE"
        again = client.close_session("chat-9", wait=60)
        assert (again.segment_uuid, again.messages, again.job) == (closed.segment_uuid, 0, None)
        with pytest.raises(errors.NotFound):
            client.close_session("chat-10")


def test_a_review_is_listed_and_decided(served: Served) -> None:
    tenant = f"reviews-{served.key()[3:11]}"
    with Client(served.url, served.key(tenant=tenant)) as client:
        review = _review(served, tenant)
        [waiting] = client.reviews()
        assert (waiting.id, waiting.status, waiting.action) == (review, "PENDING", "SUPERSEDE")
        assert waiting.target is not None
        assert waiting.target.text == "Bea lives in Berlin."
        settled = client.reject_review(waiting.id, reason="She has two flats.").review
        assert settled is not None
        assert settled.status == "REJECTED"
        assert len(client.reviews()) == 0
        with pytest.raises(errors.Conflict):
            client.approve_review(waiting.id)


def test_a_key_s_walls_are_the_client_s(served: Served) -> None:
    with Client(served.url, served.key("ann", right=Right.READ)) as client:
        assert (client.viewer().subject, client.viewer().rights) == ("ann", ("READ",))
        with pytest.raises(errors.Forbidden, match="write"):
            client.remember("Ann prefers tea.")
        with pytest.raises(errors.Forbidden, match="bound to the subject"):
            client.search("tea", subject="bob")
    with Client(served.url, "gm_wrong") as client, pytest.raises(errors.Unauthenticated):
        client.search("tea")


def test_the_async_client_asks_the_same_service(served: Served) -> None:
    async def asking() -> list[str]:
        async with AsyncClient(served.url, served.key(), subject="ann") as client:
            said = ("Ann plays the cello.", "Ann lives in Lyon.", "Ann owns a boat.")
            await asyncio.gather(*[client.remember(each) for each in said])
            assert [each.operation async for each in client.changes()].count("ADD") == len(said)
            return [hit.memory.text for hit in await client.search("Which instrument does Ann play?")]

    assert asyncio.run(asking())[0] == "Ann plays the cello."


def test_connect_makes_a_key_and_keeps_it_for_its_owner_alone(served: Served, key_folder: Path) -> None:
    tenant = f"connect-{served.key()[3:11]}"
    with connect(tenant, "ann") as client:
        assert (client.viewer().tenant, client.viewer().subject) == (tenant, "ann")
        client.remember("Ann prefers tea.")
    file = key_folder / "client-keys.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = json.loads(file.read_text("utf-8"))
    with connect(tenant, "ann") as client, pytest.raises(errors.Forbidden):
        client.forget(whole_subject=True)
    assert json.loads(file.read_text("utf-8")) == kept

    file.write_text(json.dumps(dict.fromkeys(kept, "gm_aaaaaaaa_" + "A" * 43)), "utf-8")
    with connect(tenant, "ann") as client:
        assert [each.text for each in client.memories()] == ["Ann prefers tea."]
    with connect(tenant, "ann", may_forget=True) as client:
        assert client.forget(whole_subject=True).certificate.memories == 1


def _review(served: Served, tenant: str) -> str:
    """The id of a review: a judge was not sure that a move to Paris ends living in Berlin."""
    scope = Scope(tenant)
    keep(served.service, scope, "Bea lives in Berlin.", valid_from=JANUARY)
    unsure = keep(served.service, scope, "Bea lives in Paris.", Judge(Action.SUPERSEDE, 0.7))
    return to_global("Review", str(unsure.review_id))


def test_a_key_that_is_bound_says_whose_messages_they_are(served: Served) -> None:
    with Client(served.url, served.key("ann")) as client:
        assert client.add_messages([{"role": "user", "content": "I live in Lyon."}], user="Ann", wait=60).job
        assert [each.text for each in client.memories()] == ["Ann lives in Lyon."]
        with pytest.raises(errors.Forbidden, match="bound to the subject 'ann'"):
            client.search("Lyon", subject="Ann")
