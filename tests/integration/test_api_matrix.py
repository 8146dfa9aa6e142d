"""Two accounts that hold the same, word for word: what one asks for, by every field and argument, shows nothing of the other.

The documents are made from the schema, so that a new field or argument is tried as soon as it is there.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    get_named_type,
    is_leaf_type,
    is_list_type,
    is_required_argument,
    is_required_input_field,
)
from graphql.type import get_nullable_type

from graph_memory.api.global_ids import to_global
from graph_memory.api.schema import make_schema
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api
from tests.integration.conversation_world import told
from tests.integration.jobs_world import cypher
from tests.integration.policies import OTHER_THINGS, POLICIES, Policy, carries_text

__all__ = ["api"]

pytestmark = pytest.mark.stack

SCHEMA = make_schema()._schema
assert SCHEMA.query_type is not None
assert SCHEMA.mutation_type is not None
READS = SCHEMA.query_type.fields
WRITES = SCHEMA.mutation_type.fields

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORD = re.compile(r"[A-Za-z0-9+/=_-]{16,}")
# What has to be given, where a name of its kind would not do.
_VALUES: dict[str, Any] = {
    "ConditionInput.field": "kind", "ConditionInput.value": "fact", "SetSubjectInput.timeZone": "Europe/Berlin",
    "AddWebhookInput.url": "https://9.9.9.9/", "ReviseMemoryInput.kind": "fact", "QuarantineSourceInput.sourceRef": "nobody",
    "Query.timeline.to": "2026-04-01T00:00:00Z", "LinkInput.kind": "CAUSES", "LinkMemoriesInput.kind": "CAUSES",
    "UnlinkMemoriesInput.kind": "CAUSES",
}  # fmt: skip
# What asks for one of several things needs one, though none of them is required.
_ALSO: dict[str, dict[str, Any]] = {
    "Query.search": {"query": "Where does Ann live?"},
    "Query.surface": {"message": "Ann plays in Lyon tonight."},
    "SupersedeMemoryInput": {"fact": {"text": "Ann lives in Rome."}},
    "ReviseMemoryInput": {"text": "Ann lives in Lyon, by the river."},
    "ConsolidateInput": {"dryRun": True},
    "SetSubjectInput": {"timeZone": "Europe/Berlin"},
    "QuarantineMemoryInput": {"reason": "doubt"},
    "SplitEntityInput": {"discriminator": "another"},
    "RenameEntityInput": {"discriminator": "another"},
    "CreateApiKeyInput": {"minutes": 5},
    "RunJobInput": {"name": "tidy"},
}
# And what of it names things is given like what is required.
_ALSO_NAMED: dict[str, tuple[str, ...]] = {
    "UnlinkMemoriesInput": ("fromId", "toId", "kind"),
    "ForgetInput": ("ids",),
}
# What is named in the place of others.
_INSTEAD: dict[str, tuple[str, ...]] = {
    "UnlinkMemoriesInput.link": ("fromId", "toId", "kind"),
    "SupersedeMemoryInput.byId": ("fact",),
}
# What a key of one subject may not do for that one either.
_OF_THE_WHOLE_ACCOUNT = ("addWebhook", "createApiKey")


@dataclass
class Account:
    """An account with one of everything, and a key that may do all in it."""

    tenant: str
    key: str
    things: dict[str, str]
    cursors: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def accounts(api: Api) -> tuple[Account, Account]:
    """Two that hold the same."""
    return _inhabited(api, f"one-{new_id()}"), _inhabited(api, f"other-{new_id()}")


@pytest.fixture(scope="module")
def mine(accounts: tuple[Account, Account]) -> Account:
    return accounts[0]


@pytest.fixture(scope="module")
def theirs(accounts: tuple[Account, Account]) -> Account:
    return accounts[1]


def _inhabited(api: Api, tenant: str) -> Account:
    key = api.key(tenant, None, Right.ADMIN)
    call = Call(Scope(tenant, "default"), "test")
    start = datetime(2026, 1, 1, tzinfo=UTC)
    facts = [Fact(text, valid_from=start) for text in ("Ann lives in Lyon.", "Ann plays the cello in Lyon.")]
    ids = [added.id for added in add(api.service, call, facts)[0]]
    link = api.link(key, ids[0], ids[1], "CAUSES")
    old = api.add(key, "Ann works at Google.", validFrom="2026-01-01T00:00:00Z")
    api.supersede(key, old["id"], "Ann works at Anthropic.")
    entity = api.entities(key, ids[0])[0]
    told(api.service, call.scope, "I live in Ghent.", "I have a cat called Momo.", session="chat", at=start)
    things = {
        "memory": ids[0],
        "memory 2": ids[1],
        "link": link,
        "entity": entity,
        "review": api.review(key),
        "community": api.community(key),
        "plan": api.consolidated(key, rehearses=True),
        "job": api.run_that_added(key, "A run said so."),
        "batch": api.batch(key),
        "webhook": api.done(key, "addWebhook", "webhook{uuid}", url="https://9.9.9.9/")["webhook"]["uuid"],
        "prefix": api.done(key, "createApiKey", "apiKey{prefix}")["apiKey"]["prefix"],
        "segment": api.data(key, "{segments{nodes{uuid}}}")["nodes"][0]["uuid"],
    }
    return Account(tenant, key, things)


def _held(api: Api, account: Account) -> set[str]:
    """Every id that stands in the store for this account, of things and of links between them."""
    tenant = Scope(account.tenant).tenant
    nodes = cypher(api.service, "MATCH (n {tenant: $t}) RETURN collect(properties(n))", t=tenant)[0]
    links = cypher(api.service, "MATCH ({tenant: $t})-[r]->() RETURN collect(properties(r))", t=tenant)[0]
    found = set(_UUID.findall(json.dumps([nodes, links], default=str)))
    assert len(found) > 30
    return found | {account.things["prefix"], account.tenant}


def _shown(answer: Any) -> set[str]:
    """Every id in an answer, also those inside of global ids and cursors."""
    text = json.dumps(answer)
    inside = []
    for word in _WORD.findall(text):
        try:
            inside.append(base64.urlsafe_b64decode(word.replace("+", "-").replace("/", "_")).decode("utf-8"))
        except (binascii.Error, ValueError):
            continue
    return set(_UUID.findall(" ".join([text, *inside])))


def _leaks(api: Api, answer: Any, account: Account) -> set[str]:
    held = _held(api, account)
    return (_shown(answer) & held) | {
        each for each in held if not _UUID.fullmatch(each) and each in str(answer)
    }


# --- documents, made from the schema --------------------------------------------------------------------------------------


def _selection(kind: Any, levels: int) -> str:
    """All that a thing tells, and so many levels of what hangs on it."""
    named = get_named_type(kind)
    if is_leaf_type(named):
        return ""
    if not isinstance(named, GraphQLObjectType | GraphQLInterfaceType):
        return "{__typename}"
    parts = ["__typename"]
    for name, each in named.fields.items():
        if is_leaf_type(get_named_type(each.type)):
            parts.append(f"{name}{_sized(each)}")
        elif levels and not any(is_required_argument(argument) for argument in each.args.values()):
            parts.append(f"{name}{_sized(each)}{_selection(each.type, levels - 1)}")
    if isinstance(named, GraphQLInterfaceType):
        parts += [f"...on {each.name}{{id}}" for each in SCHEMA.get_implementations(named).objects]
    return f"{{{' '.join(parts)}}}"


def _sized(given: GraphQLField) -> str:
    return "(first:2)" if "first" in given.args else ""


def _document(name: str, values: dict[str, Any], levels: int = 2) -> tuple[str, dict[str, Any]]:
    """A question for one root field with what it has to be given, as variables."""
    kind = "query" if name in READS else "mutation"
    root = (READS | WRITES)[name]
    values = _ALSO.get(f"Query.{name}", {}) | values
    given = {
        argument: values.get(argument, _needed(f"{SCHEMA.query_type.name}.{name}", argument, each, values))  # type: ignore[union-attr]
        for argument, each in root.args.items()
        if argument in values or is_required_argument(each)
    }
    heads = ", ".join(f"${each}: {root.args[each].type}" for each in given)
    places = ", ".join(f"{each}: ${each}" for each in given)
    arguments = f"({places})" if given else ""
    document = f"{kind}{f'({heads})' if heads else ''} {{ {name}{arguments}{_selection(root.type, levels)} }}"
    return document, given


def _is_thing(name: str, given: GraphQLArgument | GraphQLInputField) -> bool:
    return carries_text(given) and POLICIES[name] is Policy.THING


def _needed(owner: str, name: str, given: GraphQLArgument | GraphQLInputField, things: dict[str, Any]) -> Any:
    """A value for something that has to be given."""
    kind = get_named_type(given.type)
    if isinstance(kind, GraphQLInputObjectType):
        value: Any = _input(kind, things)
    elif _is_thing(name, given):
        value = _thing(f"{owner}.{name}", name, things)
    elif kind.name in ("Int", "Float"):
        value = 1
    elif kind.name == "Boolean":
        value = True
    elif kind.name == "DateTime":
        value = _VALUES.get(f"{owner}.{name}", "2026-03-01T00:00:00Z")
    elif hasattr(kind, "values"):
        value = _VALUES.get(f"{owner}.{name}", next(iter(kind.values)))
    else:
        value = _VALUES.get(f"{owner}.{name}", "Lyon")
    return [value] if is_list_type(get_nullable_type(given.type)) else value


def _input(kind: GraphQLInputObjectType, things: dict[str, Any]) -> dict[str, Any]:
    needed = {
        name: _needed(kind.name, name, each, things)
        for name, each in kind.fields.items()
        if is_required_input_field(each) or name in _ALSO_NAMED.get(kind.name, ())
    }
    return needed | _ALSO.get(kind.name, {})


def _thing(place: str, name: str, things: dict[str, Any]) -> str:
    """A thing of the right sort; of two that an input names the second is another one."""
    sort = OTHER_THINGS.get(place, "memory")
    if sort == "memory" and name in ("toId", "to", "otherId"):
        sort = "memory 2"
    value = str(things[sort])
    return to_global("Memory", value) if place in ("Query.node.id", "Query.nodes.ids") else value


def _inputs(root: GraphQLField) -> Iterator[tuple[tuple[str, ...], str, GraphQLInputField]]:
    """The way to each field below the arguments of a root, and the name of the input that it is a field of."""
    for name, argument in root.args.items():
        kind = get_named_type(argument.type)
        if isinstance(kind, GraphQLInputObjectType):
            yield from _below((name,), kind)


def _below(
    way: tuple[str, ...], kind: GraphQLInputObjectType
) -> Iterator[tuple[tuple[str, ...], str, GraphQLInputField]]:
    for name, each in kind.fields.items():
        yield (*way, name), kind.name, each
        inner = get_named_type(each.type)
        if isinstance(inner, GraphQLInputObjectType) and inner is not kind:
            yield from _below((*way, name), inner)


def _put(values: Any, way: tuple[str, ...], value: Any) -> None:
    """Sets what lies at the end of a way, through lists of one."""
    for step in way[:-1]:
        values = values.setdefault(step, {})
        values = values[0] if isinstance(values, list) else values
    values[way[-1]] = [value] if isinstance(values.get(way[-1]), list) else value


NAMING = [
    (name, way, kind)
    for name, root in WRITES.items()
    for way, kind, each in _inputs(root)
    if _is_thing(way[-1], each)
]
NAMING_READS = [
    (name, argument)
    for name, root in READS.items()
    for argument, each in root.args.items()
    if _is_thing(argument, each)
]
WALLED = [(name, ("subject",)) for name, root in READS.items() if "subject" in root.args] + [
    (name, way) for name, root in (READS | WRITES).items() for way, _, _ in _inputs(root) if way[-1] == "subject"
]  # fmt: skip
PAGED = [name for name, root in READS.items() if "after" in root.args]
# Whose ids nobody has: secrets of an account beside its memories are for its admins, and another sort of id is asked for.
MISSING = "00000000-0000-4000-8000-000000000000"
NO_PREFIX = "zzzzzzzz"


def _named(name: str, sort: str) -> str:
    return NO_PREFIX if sort == "prefix" else MISSING


# --- what is tried --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READS)
def test_whatever_is_read_shows_ones_own_and_nothing_of_the_twin(
    api: Api, mine: Account, theirs: Account, name: str
) -> None:
    """Every field of every answer, two levels down."""
    document, given = _document(name, dict(mine.things))
    answer = api.ask(mine.key, document, **given)
    assert not answer.get("errors"), answer["errors"]
    assert _leaks(api, answer, theirs) == set()


def test_the_answers_hold_what_was_put_there(api: Api, mine: Account) -> None:
    """So that the test before this one has something to find."""
    shown = set()
    for name in READS:
        document, given = _document(name, dict(mine.things))
        shown |= _shown(api.ask(mine.key, document, **given))
    assert {each for name, each in mine.things.items() if name != "prefix"} <= shown
    assert len(shown & _held(api, mine)) > 30


@pytest.mark.parametrize(("name", "argument"), NAMING_READS)
def test_what_is_anothers_is_read_as_what_is_missing(
    api: Api, mine: Account, theirs: Account, name: str, argument: str
) -> None:
    is_many = is_list_type(get_nullable_type(READS[name].args[argument].type))
    answers = []
    for things in (theirs.things, dict.fromkeys(theirs.things, MISSING)):
        value = _thing(f"Query.{name}.{argument}", argument, things)
        document, given = _document(name, {**mine.things, argument: [value] if is_many else value})
        answer = api.ask(mine.key, document, **given)
        answer.pop("extensions")
        # The id that was asked for may be said again; nothing else differs.
        answers.append(json.dumps(answer).replace(value, "*"))
    assert answers[0] == answers[1]
    assert _leaks(api, answers[0], theirs) == set()


@pytest.mark.parametrize(
    ("name", "way", "kind"), NAMING, ids=[".".join((name, *way)) for name, way, _ in NAMING]
)
def test_what_is_anothers_is_changed_as_what_is_missing(
    api: Api, mine: Account, theirs: Account, name: str, way: tuple[str, ...], kind: str
) -> None:
    before = _state(api, theirs)
    answers = []
    for things in (theirs.things, dict.fromkeys(theirs.things, MISSING) | {"prefix": NO_PREFIX}):
        # A world of its own for each try, so that the first changes nothing for the second.
        own = _inhabited_lightly(api)
        _, given = _document(name, dict(own.things))
        value = _thing(f"{kind}.{way[-1]}", way[-1], things)
        _put(given, way, value)
        for other in _INSTEAD.get(f"{kind}.{way[-1]}", ()):
            del given["input"][other]
        document = _document(name, dict(own.things), 0)[0].replace("__typename", "errors{code}")
        answer = api.ask(own.key, document, **given)
        answer.pop("extensions")
        assert _leaks(api, answer, theirs) == set()
        # What is made in a try has an id of its own.
        answers.append(_UUID.sub("*", json.dumps(answer)))
    assert answers[0] == answers[1]
    # It was looked for: of what is split off each has to mention the entity, whether or not it is there.
    assert '"INVALID"' not in answers[0] or (name, way[-1]) == ("splitEntity", "memoryIds")
    assert _state(api, theirs) == before


@pytest.mark.parametrize(("name", "way"), WALLED, ids=[".".join((name, *way)) for name, way in WALLED])
def test_a_bound_key_is_refused_any_other_subject(
    api: Api, mine: Account, bound: str, name: str, way: tuple[str, ...]
) -> None:
    """And not its own, so that it is for the subject's sake that it is refused."""
    codes = []
    for subject in ("default", "ada"):
        document, given = _document(name, dict(mine.things), 0)
        if way == ("subject",):
            document, given = _document(name, {**mine.things, "subject": subject}, 0)
        else:
            _put(given, way, subject)
        codes.append(api.code(bound, document, **given))
    assert codes == ["FORBIDDEN", "FORBIDDEN" if name in _OF_THE_WHOLE_ACCOUNT else "None"]


@pytest.mark.parametrize("name", PAGED)
def test_the_place_in_anothers_list_shows_nothing_of_theirs(
    api: Api, mine: Account, theirs: Account, name: str
) -> None:
    document, given = _document(name, {**theirs.things, "first": 1})
    cursors = re.findall(
        r'"(?:cursor|endCursor)": "([^"]+)"', json.dumps(api.ask(theirs.key, document, **given))
    )
    for cursor in cursors[:1]:
        document, given = _document(name, {**mine.things, "after": cursor})
        answer = api.ask(mine.key, document, **given)
        assert _leaks(api, answer["data"], theirs) == set()
        assert {each["extensions"]["code"] for each in answer.get("errors", ())} <= {"INVALID"}


@pytest.mark.parametrize("name", [*READS, *WRITES])
def test_an_expired_key_is_refused_as_one_that_never_was(
    api: Api, mine: Account, expired: str, name: str
) -> None:
    document, given = _document(name, dict(mine.things), 0)
    answers = [api.ask(key, document, **given) for key in (expired, "gm_aaaaaaaa_" + "a" * 43)]
    assert [[fault["extensions"] for fault in each["errors"]] for each in answers] == [
        [{"code": "UNAUTHENTICATED"}]
    ] * 2


def test_guesses_are_answered_alike(api: Api, mine: Account, theirs: Account) -> None:
    document = "query($id:ID!){memory(id:$id){text}}"
    told_ = {json.dumps(api.ask(mine.key, document, id=id)["data"]) for id in (theirs.things["memory"], *(new_id() for _ in range(50)))}  # fmt: skip
    assert told_ == {'{"memory": null}'}


@pytest.fixture(scope="module")
def bound(api: Api, mine: Account) -> str:
    """A key of another subject of the same account, with every right that a bound one may have."""
    return api.key(mine.tenant, "ada", Right.ADMIN)


@pytest.fixture(scope="module")
def expired(api: Api, mine: Account) -> str:
    made, secret = api_keys.create(api.service, mine.tenant, right=Right.ADMIN, minutes=1)
    text = "MATCH (k:ApiKey {id: $id}) SET k.expires_at = datetime() - duration('PT1M') RETURN k.id"
    assert cypher(api.service, text, id=made.id) == [made.id]
    return secret


def _inhabited_lightly(api: Api) -> Account:
    """An account of its own with memories and an entity, and ids of nothing for what else is named."""
    tenant = f"light-{new_id()}"
    key = api.key(tenant, None, Right.ADMIN)
    one, two = (api.add(key, text)["uuid"] for text in ("Ann lives in Lyon.", "Ann plays the cello."))
    entity = api.entities(key, one)[0]
    things = {
        **dict.fromkeys(
            ("link", "review", "community", "plan", "job", "batch", "webhook", "segment"), MISSING
        )
    }
    return Account(
        tenant, key, {**things, "memory": one, "memory 2": two, "entity": entity, "prefix": NO_PREFIX}
    )


def _state(api: Api, account: Account) -> Any:
    """All that an account holds, but for when its key was last used."""
    text = (
        "MATCH (n {tenant: $t}) WITH n ORDER BY elementId(n) "
        "RETURN collect([labels(n), properties(n)]) AS all"
    )
    return json.dumps(cypher(api.service, text, t=Scope(account.tenant).tenant), default=str)
