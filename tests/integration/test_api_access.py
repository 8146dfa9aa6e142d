"""Who may ask what. The table is made from the schema, so that a new field cannot be forgotten."""

from __future__ import annotations

import pytest
from graphql import GraphQLField, get_named_type, is_leaf_type

from graph_memory.api.schema import make_schema
from graph_memory.base.ids import new_id
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api, eraser, key

__all__ = ["api", "eraser", "key"]

pytestmark = pytest.mark.stack

SCHEMA = make_schema()._schema

MISSING, OTHER = "00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-000000000001"

# A value for each argument that has to be given.
GIVEN = {
    "id": '"00000000-0000-4000-8000-000000000000"',
    "node": '"TWVtb3J5OjAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMA=="',
    "ids": "[]",
    "addMemory": '{text: "x"}',
    "addMemories": '{memories: [{text: "x"}]}',
    "supersedeMemory": '{id: "00000000-0000-4000-8000-000000000000", fact: {text: "x"}}',
    "runJob": '{name: "rescore"}',
    "reviseMemory": f'{{id: "{MISSING}", text: "x"}}',
    "archiveMemories": f'{{ids: ["{MISSING}"]}}',
    "restoreMemories": f'{{ids: ["{MISSING}"]}}',
    "retractMemories": f'{{ids: ["{MISSING}"]}}',
    "confirmMemories": f'{{ids: ["{MISSING}"]}}',
    "expireMemory": f'{{id: "{MISSING}"}}',
    "mergeMemories": f'{{keepId: "{MISSING}", otherId: "{OTHER}"}}',
    "linkMemories": f'{{fromId: "{MISSING}", toId: "{OTHER}", kind: CAUSES}}',
    "linkMany": f'{{links: [{{fromId: "{MISSING}", toId: "{OTHER}", kind: CAUSES}}]}}',
    "unlinkMemories": f'{{fromId: "{MISSING}", toId: "{OTHER}", kind: CAUSES}}',
    "quarantineMemory": f'{{id: "{MISSING}", reason: "doubt"}}',
    "quarantineSource": '{sourceRef: "x", reason: "doubt"}',
    "consolidate": "{dryRun: true}",
    "promoteConsolidation": f'{{id: "{MISSING}"}}',
    "revertConsolidation": f'{{id: "{MISSING}"}}',
    "settleQuarantine": f'{{id: "{MISSING}", verdict: RELEASE}}',
    "undo": "{changes: [999999]}",
    "revertRun": f'{{id: "{MISSING}"}}',
    "forget": f'{{ids: ["{MISSING}"]}}',
    "remember": '{text: "x"}',
    "rememberMany": '{memories: [{text: "x"}]}',
    "rememberPlan": '{text: "x"}',
    "approveReview": f'{{id: "{MISSING}"}}',
    "rejectReview": f'{{id: "{MISSING}"}}',
    "mergeEntities": f'{{keepId: "{MISSING}", otherId: "{OTHER}"}}',
    "splitEntity": f'{{id: "{MISSING}", memoryIds: ["{OTHER}"], discriminator: "x"}}',
    "renameEntity": f'{{id: "{MISSING}", name: "Grace"}}',
    "deleteEntity": f'{{id: "{MISSING}"}}',
    "submitMessages": '{session: "x", messages: [{speaker: "Ann", at: "2026-01-01T00:00:00Z", text: "Hello."}]}',
    "closeSegment": '{session: "x"}',
    "retryMessages": '{session: "x"}',
    "setSubject": '{timeZone: "Europe/Berlin"}',
    "cancelBatch": f'{{id: "{MISSING}"}}',
    "retryBatch": f'{{id: "{MISSING}"}}',
    "pack": '{query: "x"}',
    "addWebhook": '{url: "https://192.0.2.1/changes"}',
    "resumeWebhook": f'{{id: "{MISSING}"}}',
    "removeWebhook": f'{{id: "{MISSING}"}}',
    "createApiKey": "{minutes: 5}",
    "revokeApiKey": '{prefix: "aaaaaaaa"}',
    "importConversation": '{ref: "x", messages: [{speaker: "Ann", at: "2026-01-01T00:00:00Z", text: "Hello."}]}',
}
# For fields that have to be given more than ids, or whose `from` and `to` are no memories.
OF_FIELD = {
    "passages": 'query: "x"',
    "whyNotReturned": 'query: "x"',
    "ask": 'question: "x"',
    "surface": 'message: "x"',
    "erasureCheck": 'texts: ["x"]',
    "messages": f'segment: "{MISSING}"',
    "tierTransitions": f'job: "{MISSING}"',
    "diff": 'from: {asOf: "2026-01-01T00:00:00Z"}',
    "timeline": 'from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z"',
    "path": f'from: "{MISSING}", to: "{OTHER}"',
}
# For admins alone.
FOR_ADMINS = {
    "webhooks", "addWebhook", "resumeWebhook", "removeWebhook", "apiKeys", "createApiKey", "revokeApiKey",
}  # fmt: skip
# What names a memory that is not there.
NAMING = sorted(
    GIVEN.keys()
    - {
        "id",
        "node",
        "ids",
        "addMemory",
        "addMemories",
        "remember",
        "rememberMany",
        "runJob",
        "importConversation",
    }
    - {
        "pack",
        "rememberPlan",
        "submitMessages",
        "closeSegment",
        "retryMessages",
        "setSubject",
        "confirmMemories",
        "quarantineSource",
        "consolidate",
    }
    - FOR_ADMINS
)


def _document(kind: str, name: str, field: GraphQLField) -> str:
    values = [
        f"{arg}: {GIVEN.get(name, GIVEN.get(arg))}" for arg in field.args if arg in ("id", "ids", "input")
    ]
    values += [OF_FIELD[name]] if name in OF_FIELD else []
    arguments = f"({', '.join(values)})" if values else ""
    below = "" if is_leaf_type(get_named_type(field.type)) else "{__typename}"
    return f"{kind}{{{name}{arguments}{below}}}"


assert SCHEMA.query_type is not None
assert SCHEMA.mutation_type is not None
READS = {name: _document("query", name, field) for name, field in SCHEMA.query_type.fields.items()}
WRITES = {name: _document("mutation", name, field) for name, field in SCHEMA.mutation_type.fields.items()}
ALL = READS | WRITES


@pytest.fixture(scope="module")
def revoked(api: Api) -> str:
    made, secret = api_keys.create(api.service, "revoked", right=Right.ADMIN)
    api_keys.revoke(api.service, made.prefix)
    return secret


@pytest.mark.parametrize("document", ALL.values(), ids=ALL)
def test_nothing_is_answered_without_a_valid_key(api: Api, revoked: str, document: str) -> None:
    told = []
    for presented in (None, "gm_aaaaaaaa_" + "a" * 43, "nonsense", revoked[:-1] + "-", revoked):
        answer = api.ask(presented, document)
        assert answer["extensions"].keys() == {"requestId"}
        assert answer["data"] is None
        [fault] = answer["errors"]
        assert fault["extensions"] == {"code": "UNAUTHENTICATED"}
        told.append(fault["message"])
    # Only to who has the whole of it is a key known that was revoked.
    assert told[1] == told[2] == told[3]
    assert "revoked" in told[4]
    assert not any("revoked" in each for each in told[:4])


def test_the_status_is_401_without_a_valid_key(api: Api) -> None:
    response = api.client.post("/graphql", json={"query": "{version}"})
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("document", WRITES.values(), ids=WRITES)
def test_a_read_key_writes_nothing(api: Api, document: str) -> None:
    assert api.code(api.key(right=Right.READ), document) == "FORBIDDEN"


def test_a_write_key_erases_nothing_until_it_is_given_the_right_by_name(api: Api) -> None:
    tenant = f"erasing-{new_id()}"
    writer = api.key(tenant)
    id = api.add(writer, "Ada's code is 4711.")["id"]
    document = "mutation($i:ForgetInput!){forget(input:$i){certificate{memories} errors{code}}}"
    for given in ({"ids": [id]}, {"wholeSubject": True}):
        assert api.code(writer, document, i=given) == "FORBIDDEN"
    assert api.data(writer, "query($id:ID!){memory(id:$id){text}}", id=id) is not None
    eraser = api.key(tenant, None, Right.WRITE, Right.ERASE)
    assert api.data(eraser, document, i={"ids": [id]}) == {"certificate": {"memories": 1}, "errors": []}


@pytest.mark.parametrize("name", sorted(READS.keys() - FOR_ADMINS))
def test_a_read_key_reads(api: Api, name: str) -> None:
    key = api.key(right=Right.READ)
    assert api.code(key, READS[name]) in ("None", "INVALID")


@pytest.mark.parametrize("name", sorted(FOR_ADMINS))
def test_webhooks_and_keys_are_for_admins_alone(api: Api, eraser: str, name: str) -> None:
    assert api.code(eraser, ALL[name]) == "FORBIDDEN"


@pytest.mark.parametrize("name", NAMING)
def test_what_is_not_there_cannot_be_changed(api: Api, eraser: str, name: str) -> None:
    document = WRITES[name].replace("{__typename}", "{errors{code}}")
    assert api.data(eraser, document) == {"errors": [{"code": "NOT_FOUND"}]}


@pytest.mark.parametrize("name", NAMING)
def test_anothers_memory_cannot_be_changed(api: Api, eraser: str, name: str) -> None:
    other = api.key()
    foreign, mine = api.add(other, "Someone else's")["uuid"], api.add(eraser, "Mine")["uuid"]
    document = WRITES[name].replace("{__typename}", "{errors{code}}")
    document = document.replace(MISSING, foreign).replace(OTHER, mine)
    assert api.data(eraser, document) == {"errors": [{"code": "NOT_FOUND"}]}
    found = api.data(other, "query($id:ID!){memory(id:$id){status validTo links{kind}}}", id=foreign)
    assert found == {"status": "ACTIVE", "validTo": None, "links": []}


@pytest.mark.parametrize("name", sorted(set(NAMING) - {"undo", "revertRun"}))
def test_a_bound_key_cannot_change_anothers_memory(api: Api, name: str) -> None:
    tenant = f"bound-{api.key()[3:11]}"
    whole, ada = api.key(tenant), api.key(tenant, "ada", Right.WRITE, Right.ERASE)
    bobs = api.add(whole, "Bob's own", subject="bob")["uuid"]
    own = api.add(ada, "Ada's own")["uuid"]
    document = WRITES[name].replace("{__typename}", "{errors{code}}")
    document = document.replace(MISSING, bobs).replace(OTHER, own)
    assert api.data(ada, document) == {"errors": [{"code": "NOT_FOUND"}]}


ABOUT_ONE = [
    "neighbours(id:$id){truncated}",
    "causes(id:$id){truncated}",
    "consequences(id:$id){truncated}",
    "impact(id:$id){truncated}",
    "linkStatistics(id:$id){total}",
    "subgraph(ids:[$id]){truncated}",
    "path(from:$id,to:$id){truncated}",
]


@pytest.mark.parametrize("field", ABOUT_ONE)
def test_nobody_walks_from_or_to_anothers_memory(api: Api, key: str, field: str) -> None:
    foreign = api.add(api.key(), "Someone else's")["id"]
    for id in (foreign, MISSING):
        assert api.data(key, f"query($id:ID!){{{field}}}", id=id) is None


def test_a_key_stops_working_when_it_is_revoked(api: Api) -> None:
    made, secret = api_keys.create(api.service, "soon-revoked")
    api_keys.revoke(api.service, made.prefix)
    assert api.code(secret, "{version}") == "UNAUTHENTICATED"


@pytest.mark.parametrize("field", ["memory(id:$id){id}", "memoryVersion(id:$id){id}", "node(id:$id){id}"])
@pytest.mark.parametrize("hops", ["history(id:$id){nodes{reason}}", "whyRetired(id:$id){explanation}"])
def test_anothers_memory_is_as_if_it_were_not_there(api: Api, key: str, field: str, hops: str) -> None:
    foreign = api.add(api.key(), "Someone else's")["id"]
    missing = "TWVtb3J5OjAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMA=="
    for document in (f"query($id:ID!){{{field}}}", f"query($id:ID!){{{hops}}}"):
        answers = [api.ask(key, document, id=id) for id in (foreign, missing)]
        assert answers[0]["data"] == answers[1]["data"]
        assert "errors" not in answers[0]
        assert next(iter(answers[0]["data"].values())) is None


def test_anothers_memory_cannot_be_superseded_nor_supersede(api: Api, key: str) -> None:
    foreign = api.add(api.key(), "Someone else's")["id"]
    mine = api.add(key, "Mine")["id"]
    document = "mutation($i:SupersedeMemoryInput!){supersedeMemory(input:$i){errors{code}}}"
    for given in ({"id": foreign, "fact": {"text": "x"}}, {"id": mine, "byId": foreign}):
        assert api.data(key, document, i=given) == {"errors": [{"code": "NOT_FOUND"}]}


def test_a_bound_key_keeps_to_its_subject(api: Api) -> None:
    tenant = f"bound-{api.key()[3:11]}"
    whole, ada = api.key(tenant), api.key(tenant, "ada")
    api.add(ada, "Ada's own")
    bobs = api.add(whole, "Bob's own", subject="bob")["id"]
    listed = api.data(ada, "{memories{nodes{text}}}")
    assert listed == {"nodes": [{"text": "Ada's own"}]}
    assert api.data(ada, "query($id:ID!){memory(id:$id){text}}", id=bobs) is None
    assert api.code(ada, '{memories(subject:"bob"){nodes{text}}}') == "FORBIDDEN"
    assert api.code(ada, 'mutation{addMemory(input:{text:"x",subject:"bob"}){replayed}}') == "FORBIDDEN"
    assert [
        hit["memory"]["text"] for hit in api.data(ada, '{search(query:"own"){hits{memory{text}}}}')["hits"]
    ] == ["Ada's own"]
    assert {change["actor"] for change in api.data(ada, "{changes{nodes{actor}}}")["nodes"]} == {
        f"key:{ada[3:11]}"
    }


def test_a_key_of_the_tenant_sees_all_subjects_and_can_ask_for_one(api: Api, key: str) -> None:
    for name in ("ada", "bob"):
        api.add(key, f"{name}'s own", subject=name)
    assert len(api.data(key, "{memories{nodes{text}}}")["nodes"]) == 2
    assert api.data(key, '{memories(subject:"bob"){nodes{text}}}') == {"nodes": [{"text": "bob's own"}]}


def test_a_bound_key_runs_no_jobs_of_the_tenant(api: Api) -> None:
    ada = api.key(subject="ada")
    assert api.code(ada, WRITES["runJob"]) == "FORBIDDEN"
    assert api.code(ada, READS["jobs"]) == "FORBIDDEN"


def test_equal_texts_of_two_tenants_never_meet(api: Api) -> None:
    one, other = api.key(), api.key()
    mine = api.add(one, "The canary sings at dawn")
    theirs = api.add(other, "The canary sings at dawn")
    assert mine["uuid"] != theirs["uuid"]
    answer = api.ask(
        one,
        '{search(query:"canary"){hits{memory{uuid entities{uuid} links{uuid}}}}'
        " memories{nodes{uuid}} changes{nodes{targets sequence}}}",
    )
    assert theirs["uuid"] not in str(answer)
    assert mine["uuid"] in str(answer)
    assert len(answer["data"]["changes"]["nodes"]) == 1


def test_the_viewer_is_the_key(api: Api) -> None:
    tenant = f"viewer-{api.key()[3:11]}"
    key = api.key(tenant, "ada")
    assert api.data(key, "{viewer{tenant subject actor rights}}") == {
        "tenant": tenant,
        "subject": "ada",
        "actor": f"key:{key[3:11]}",
        "rights": ["READ", "WRITE"],
    }
