"""The service over HTTP on the real stack. Each test has its own tenant and sees no other's memories."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from graph_memory.api.app import create
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.batches.decisions import cancel
from graph_memory.batches.offers import record
from graph_memory.curation.quarantine import Suspect, quarantine
from graph_memory.ingest import segments, submission, tries
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.batch import Kind
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action
from graph_memory.settings import Settings
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from graph_memory.store.service import Service, open_driver
from graph_memory.upkeep.consolidation import Wish, consolidate
from graph_memory.upkeep.migrations import migrate
from graph_memory.upkeep.settings import Strategy
from tasks import execute
from tests.integration.conversation_world import said
from tests.integration.jobs_world import cypher
from tests.integration.remembering_world import Judge, keep


class Api:
    """A running service, and asking it."""

    def __init__(self, client: TestClient, service: Service) -> None:
        self.client = client
        self.service = service

    def key(
        self, tenant: str | None = None, subject: str | None = None, right: Right = Right.WRITE, *also: Right
    ) -> str:
        """A new key; of a tenant of its own when none is named."""
        return api_keys.create(self.service, tenant or f"api-{new_id()}", subject, right, also=also)[1]

    def ask(self, key: str | None, document: str, **variables: Any) -> dict[str, Any]:
        """The whole answer."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        body = json.dumps({"query": document, "variables": variables})
        answer: dict[str, Any] = self.client.post("/graphql", content=body, headers=headers).json()
        return answer

    def data(self, key: str, document: str, **variables: Any) -> Any:
        """The one root field's data, when there is no error."""
        answer = self.ask(key, document, **variables)
        assert "errors" not in answer, answer["errors"]
        [value] = answer["data"].values()
        return value

    def code(self, key: str | None, document: str, **variables: Any) -> str:
        """The code of the one top-level error."""
        answer = self.ask(key, document, **variables)
        [error] = answer.get("errors") or [{"extensions": {"code": None}}]
        return str(error["extensions"]["code"])

    def add(self, key: str, text: str, **fields: Any) -> dict[str, Any]:
        """The memory that was added."""
        payload = self.data(
            key,
            "mutation($i:AddMemoryInput!){addMemory(input:$i)"
            "{memory{id uuid text validFrom createdAt} outcome replayed errors{code message path}}}",
            i={"text": text, **fields},
        )
        assert payload["errors"] == []
        memory: dict[str, Any] = payload["memory"]
        return memory

    def supersede(self, key: str, id: str, text: str, **fields: Any) -> dict[str, Any]:
        """The new version."""
        payload = self.data(
            key,
            "mutation($i:SupersedeMemoryInput!){supersedeMemory(input:$i)"
            "{memory{id uuid text validFrom} notes replayed errors{code message path}}}",
            i={"id": id, "fact": {"text": text}, **fields},
        )
        assert payload["errors"] == [], payload["errors"]
        memory: dict[str, Any] = payload["memory"]
        return memory

    def write(self, key: str, field: str, answer: str = "", **fields: Any) -> dict[str, Any]:
        """The payload of a mutation, with `errors` and `replayed`; `answer` names what else is asked for."""
        kind = field[0].upper() + field[1:] + "Input"
        if field.endswith("Memories") and field.startswith(("archive", "retract")):
            kind = "MoveMemoriesInput"
        document = (
            f"mutation($i:{kind}!){{{field}(input:$i){{{answer} replayed errors{{code message path}}}}}}"
        )
        payload: dict[str, Any] = self.data(key, document, i=fields)
        return payload

    def done(self, key: str, field: str, answer: str = "", **fields: Any) -> dict[str, Any]:
        """The payload of a mutation that was carried out."""
        payload = self.write(key, field, answer, **fields)
        assert payload["errors"] == [], payload["errors"]
        return payload

    def refused(self, key: str, field: str, **fields: Any) -> tuple[str, str | None]:
        """Code and path of the one error of a mutation that was not."""
        [error] = self.write(key, field, **fields)["errors"]
        return error["code"], error["path"]

    def link(self, key: str, start: str, end: str, kind: str, **fields: Any) -> str:
        """The uuid of a new link."""
        made = self.done(key, "linkMemories", "link{uuid}", fromId=start, toId=end, kind=kind, **fields)
        return str(made["link"]["uuid"])

    def review(self, key: str) -> str:
        """The uuid of a review: a judge was not sure that a move to Paris ends living in Berlin."""
        scope = Scope(self.data(key, "{viewer{tenant}}")["tenant"])
        keep(self.service, scope, "Bea lives in Berlin.", valid_from=datetime(2026, 1, 1, tzinfo=UTC))
        return str(keep(self.service, scope, "Bea lives in Paris.", Judge(Action.SUPERSEDE, 0.7)).review_id)

    def entities(self, key: str, memory: str) -> list[str]:
        """The uuids of what a memory mentions, by name."""
        found = self.data(key, "query($id:ID!){memory(id:$id){entities{uuid}}}", id=memory)
        return [each["uuid"] for each in found["entities"]]

    def batch(self, key: str, status: str = "submitted") -> str:
        """The uuid of a batch that no provider was given, or that was cancelled."""
        memory = self.add(key, "A batch asks about it.")["uuid"]
        call = Call(Scope(self.data(key, "{viewer{tenant}}")["tenant"], "default"), "test")
        references = [{"memory": memory}]
        made = self.service.write(
            call.scope, lambda tx: record(self.service, tx, call, Kind.EXTRACTION, references)
        )
        if status == "cancelled":
            cancel(self.service, call, made.id)
        return made.id

    def set_aside(self, key: str, session: str = "s") -> None:
        """A session of one message, which could not be read."""
        scope = Scope(self.data(key, "{viewer{tenant}}")["tenant"], "default")
        submission.submit(self.service, Call(scope, "test"), session, said("I sail."))
        submission.close(self.service, Call(scope, "test"), session)
        [[segment], _] = segments.segments(self.service, scope, session=session)
        [[message], _] = segments.messages(self.service, scope, segment.id)
        tries.set_aside(self.service, scope, {"id": message.id}, lambda _: None)

    def last(self, key: str) -> int:
        """The sequence number of the newest change."""
        return int(self.data(key, "{changes(first:100){nodes{sequence}}}")["nodes"][-1]["sequence"])

    def consolidated(self, key: str, rehearses: bool) -> str:
        """A run that has merged what says the same, or would."""
        tenant = self.data(key, "{viewer{tenant}}")["tenant"]
        run, _ = consolidate(
            self.service,
            Call(Scope(tenant), "test"),
            Wish(rehearses=rehearses, strategy=Strategy.AGGLOMERATIVE),
        )
        return execute(self.service, Scope(tenant), run.id).id

    def quarantined(self, key: str) -> str:
        """The uuid of a run that has taken what a site said out of answers."""
        self.add(key, "The site says so.", source={"kind": "WEB", "ref": "site"})
        scope = Scope(self.data(key, "{viewer{tenant}}")["tenant"])
        run, _ = quarantine(self.service, Call(scope, "test"), Suspect(ref="site"), "doubt")
        return execute(self.service, scope, run.id).id

    def community(self, key: str) -> str:
        """The uuid of a community without members."""
        scope = Scope(self.data(key, "{viewer{tenant}}")["tenant"])
        text = (
            "CREATE (c:Community {tenant: $t, id: $id, subject_id: $s, label: 'Sailing', size: 0, "
            "created_at: datetime(), updated_at: datetime()})"
        )
        cypher(self.service, text, t=scope.tenant, id=new_id(), s=scope.of("default").subject)
        return str(cypher(self.service, "MATCH (c:Community {tenant: $t}) RETURN c.id", t=scope.tenant)[0])

    def run_that_added(self, key: str, text: str) -> str:
        """The uuid of a run that has stored this statement."""
        scope, run_id = Scope(self.data(key, "{viewer{tenant}}")["tenant"]), new_id()
        add(self.service, Call(scope, "a run", run_id=run_id), [Fact(text)])
        return run_id


@pytest.fixture(scope="module")
def api(stack: Settings) -> Iterator[Api]:
    """The service on the session's stack."""
    with open_driver(stack) as driver:
        migrate(driver, stack)
    app = create(stack)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield Api(client, app.state.open.service)


@pytest.fixture
def key(api: Api) -> str:
    """A key that may write, of a tenant of its own."""
    return api.key()


@pytest.fixture
def eraser(api: Api) -> str:
    """A key that may write and erase, of a tenant of its own."""
    return api.key(None, None, Right.WRITE, Right.ERASE)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the queries that are sent meanwhile."""
    sent: list[str] = []
    read = Service.read

    def counted(self: Service, scope: Any, statement: Any, **values: Any) -> Any:
        sent.append(statement.name)
        return read(self, scope, statement, **values)

    monkeypatch.setattr(Service, "read", counted)
    return sent
