"""Remembering and reviews over GraphQL, with the default judge and embedder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graph_memory.base.files import folder
from graph_memory.models.registry import open_providers
from graph_memory.settings import load
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api, key
from tests.wires import Wires, fails

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

REMEMBER = (folder("graphql") / "operations" / "remember.graphql").read_text("utf-8")
REVIEWS = (folder("graphql") / "operations" / "reviews.graphql").read_text("utf-8")
JANUARY = "2026-01-01T00:00:00Z"


def test_a_statement_takes_the_place_of_an_older_one(api: Api, key: str) -> None:
    """Case 84 with the default embedder and judge."""
    api.data(key, REMEMBER, input={"text": "Ann works at Google.", "validFrom": JANUARY})
    told = api.data(key, REMEMBER, input={"text": "Ann now works at Anthropic."})
    assert told["errors"] == []
    assert (told["outcome"]["operation"], told["outcome"]["classification"]) == ("SUPERSEDE", "SUPERSEDE")
    assert told["outcome"]["trace"][0] == "PENDING"
    assert told["outcome"]["trace"][-1] == "COMMITTED"
    assert told["target"]["text"] == "Ann works at Google."
    assert told["target"]["validTo"] == told["memory"]["validFrom"]
    [candidate] = told["candidates"]
    assert candidate["action"] == "SUPERSEDE"
    assert round(candidate["similarity"], 2) == candidate["similarity"]


def test_the_same_key_answers_the_same(api: Api, key: str) -> None:
    given = {"text": "Ann works at Google.", "idempotencyKey": "k"}
    first, again = (api.data(key, REMEMBER, input=given) for _ in range(2))
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert first["outcome"] == again["outcome"]
    assert api.refused(key, "remember", **{**given, "text": "Another."})[0] == "IDEMPOTENCY_MISMATCH"


def test_what_the_system_handed_out_is_refused_with_its_place(api: Api, key: str) -> None:
    text = "<memory_consolidated_summaries version='x'>Ann works at Google."
    assert api.refused(key, "remember", text=text) == ("INVALID", "input.text")


def test_an_observer_gets_candidates_and_acts_itself(api: Api, key: str) -> None:
    old = api.data(key, REMEMBER, input={"text": "Ann works at Google.", "validFrom": JANUARY})["memory"]
    told = api.data(key, REMEMBER, input={"text": "Ann now works at Anthropic.", "mode": "OBSERVE"})
    assert told["outcome"]["operation"] == "ADD"
    [candidate] = told["candidates"]
    assert (candidate["memory"]["id"], candidate["action"]) == (old["id"], None)
    api.done(key, "supersedeMemory", id=old["id"], byId=told["memory"]["id"])
    assert [each["text"] for each in api.data(key, "{memories(first:5){nodes{text}}}")["nodes"]] == [
        "Ann now works at Anthropic."
    ]


def test_a_review_shows_both_sides_and_is_decided_once(api: Api, key: str) -> None:
    id = api.review(key)
    [review] = api.data(key, REVIEWS)["nodes"]
    assert (review["target"]["text"], review["memory"]["text"]) == (
        "Bea lives in Berlin.",
        "Bea lives in Paris.",
    )
    assert (review["action"], review["confidence"]) == ("SUPERSEDE", 0.7)
    found = api.data(key, "query($i:ID!){node(id:$i){id ... on Review{uuid}}}", i=review["id"])
    assert found["uuid"] == id
    done = api.done(key, "approveReview", "review{status decidedAction}", id=id)
    assert done["review"] == {"status": "APPROVED", "decidedAction": "SUPERSEDE"}
    assert api.refused(key, "rejectReview", id=id)[0] == "CONFLICT"
    assert api.data(key, REVIEWS)["nodes"] == []
    [told] = api.data(key, "{reviewAgreement{provider action approved rate}}")
    assert told == {"provider": "scripted", "action": "SUPERSEDE", "approved": 1, "rate": 1.0}


def test_what_changed_since_is_told_by_its_code(api: Api, key: str) -> None:
    id = api.review(key)
    [review] = api.data(key, REVIEWS)["nodes"]
    api.done(key, "archiveMemories", ids=[review["target"]["id"]])
    assert api.refused(key, "approveReview", id=id)[0] == "OUTDATED"


def test_another_tenants_review_is_not_there(api: Api, key: str) -> None:
    id, stranger = api.review(key), api.key()
    assert api.refused(stranger, "approveReview", id=id)[0] == "NOT_FOUND"
    assert api.data(stranger, REVIEWS)["nodes"] == []


PLAN = (folder("graphql") / "operations" / "remember-plan.graphql").read_text("utf-8")
MANY = (folder("graphql") / "operations" / "remember-many.graphql").read_text("utf-8")
TEXTS = "{memories(first:20){nodes{text}}}"


def texts(api: Api, key: str) -> list[str]:
    return [each["text"] for each in api.data(key, TEXTS)["nodes"]]


def test_a_plan_says_what_would_be_done_and_writes_nothing(api: Api, key: str) -> None:
    api.data(key, REMEMBER, input={"text": "Ann works at Google.", "validFrom": JANUARY})
    last = api.last(key)
    given = {"text": "Ann now works at Anthropic."}
    plan = api.data(key, PLAN, input=given)
    assert (plan["outcome"]["operation"], plan["outcome"]["classification"]) == ("SUPERSEDE", "SUPERSEDE")
    assert plan["target"]["text"] == "Ann works at Google."
    assert [each["action"] for each in plan["candidates"]] == ["SUPERSEDE"]
    assert (texts(api, key), api.last(key)) == (["Ann works at Google."], last)
    done = api.data(key, REMEMBER, input=given)["outcome"]
    assert {name: done[name] for name in plan["outcome"]} == plan["outcome"]


def test_a_plan_of_an_observer_shows_candidates_without_a_verdict(api: Api, key: str) -> None:
    api.data(key, REMEMBER, input={"text": "Ann works at Google.", "validFrom": JANUARY})
    plan = api.data(key, PLAN, input={"text": "Ann now works at Anthropic.", "mode": "OBSERVE"})
    assert [each["action"] for each in plan["candidates"]] == [None]
    assert plan["target"] is None


def test_a_key_that_may_only_read_asks_no_language_model(api: Api, key: str) -> None:
    """What a model is asked costs money, which who may only read must not spend."""
    tenant = api.data(key, "{viewer{tenant}}")["tenant"]
    api.data(key, REMEMBER, input={"text": "Ann works at Google.", "validFrom": JANUARY})
    with Wires() as wires:
        wires.script(fails(401))
        settings = load(openai={"base_url": f"{wires.url}/v1", "api_key": "sk-x"})
        given = {"text": "Ann now works at Anthropic."}
        with open_providers(settings) as opened:
            mine = replace(api.service, settings=settings, providers=opened)
            held, api.client.app.state.open = api.client.app.state.open, None  # type: ignore[attr-defined]
            try:
                api.client.app.state.open = replace(held, service=mine)  # type: ignore[attr-defined]
                reader = api.key(tenant, right=Right.READ)
                assert api.data(reader, PLAN, input=given)["outcome"]["provider"] == "embedded"
                assert wires.received == []
                api.data(key, PLAN, input=given)
                assert len(wires.received) == 1
            finally:
                api.client.app.state.open = held  # type: ignore[attr-defined]


def test_many_are_remembered_in_their_order_each_in_view_of_those_before(api: Api, key: str) -> None:
    memories = [
        {"text": "Ann works at Google.", "validFrom": JANUARY},
        {"text": "Ann plays the cello."},
        {"text": "Ann now works at Anthropic."},
        {"text": "Ann plays the cello."},
    ]
    done = api.data(key, MANY, input={"memories": memories, "idempotencyKey": "m"})
    assert done["errors"] == []
    assert [each["outcome"]["operation"] for each in done["results"]] == ["ADD", "ADD", "SUPERSEDE", "UPDATE"]
    assert done["results"][2]["target"]["text"] == "Ann works at Google."
    again = api.data(key, MANY, input={"memories": memories, "idempotencyKey": "m"})
    assert again["replayed"]
    assert [each["memory"] for each in again["results"]] == [each["memory"] for each in done["results"]]


def test_a_fault_in_one_of_many_names_its_place_and_stores_nothing(api: Api, key: str) -> None:
    memories = [{"text": "Ann sails."}, {"text": "Ann rows.", "confidence": 2.0}]
    assert api.refused(key, "rememberMany", memories=memories) == ("INVALID", "input.memories[1].confidence")
    given = [{"text": "Ann rows.", "metadata": [1]}]
    assert api.refused(key, "rememberMany", memories=given) == ("INVALID", "input.memories[0].metadata")
    assert texts(api, key) == []


@pytest.mark.parametrize("count", [0, 101])
def test_none_or_too_many_are_refused(api: Api, key: str, count: int) -> None:
    memories = [{"text": f"Ann has {number} boats."} for number in range(count)]
    assert api.refused(key, "rememberMany", memories=memories) == ("INVALID", "input.memories")


def test_names_may_be_given_instead_of_being_found(api: Api, key: str) -> None:
    asked = "mutation($i:RememberInput!){remember(input:$i){memory{entities{name type}} errors{code path}}}"
    named = [{"name": "the blue boat", "type": "thing"}, {"name": "Ann", "type": "PERSON"}]
    done = api.data(key, asked, i={"text": "Ann sails the blue boat.", "entities": named})
    found = {(each["name"], each["type"]) for each in done["memory"]["entities"]}
    assert found == {("the blue boat", "THING"), ("Ann", "PERSON")}
    done = api.data(key, asked, i={"text": "Ben rows the red boat.", "entities": []})
    assert done["memory"]["entities"] == []
    wrong = [{"name": "Ann", "type": "a person"}]
    assert api.refused(key, "remember", text="Ann rows.", entities=wrong) == (
        "INVALID",
        "input.entities[0].type",
    )
