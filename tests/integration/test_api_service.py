"""The service around the schema: health, the page at /, origins, logs, overload, settings."""

from __future__ import annotations

import logging
import re
import threading
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr
from starlette.testclient import TestClient
from structlog.contextvars import get_contextvars

from graph_memory import __version__
from graph_memory.api import health
from graph_memory.api.app import create
from graph_memory.api.schema import sdl
from graph_memory.base.errors import Unavailable
from graph_memory.base.ids import new_id
from graph_memory.memory import reading
from graph_memory.settings import Settings
from graph_memory.store import api_keys
from graph_memory.store.service import Service
from tests.integration.api_world import Api, api, key

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack


def test_it_tells_that_it_lives_and_what_it_is(api: Api) -> None:
    assert api.client.get("/livez").json() == {"status": "ok"}
    assert api.client.get("/version").json() == {"name": "graph-memory", "version": __version__}


def test_it_is_ready_when_every_part_is(api: Api) -> None:
    response = api.client.get("/readyz")
    assert response.status_code == 200
    assert response.json()["parts"] == {"database": "ok", "migrations": "ok", "broker": "ok"}


def test_it_is_not_ready_when_a_part_is_not(stack: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(service: Service) -> None:
        raise Unavailable("no broker at redis://:password@host")

    monkeypatch.setitem(health._CHECKS, "broker", broken)
    with TestClient(create(stack)) as client:
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["parts"]["broker"] == "UNAVAILABLE"
    assert response.json()["parts"]["database"] == "ok"
    assert "password" not in response.text


def test_a_broker_that_is_not_there_is_named(stack: Settings) -> None:
    gone = stack.model_copy(update={"broker": stack.broker.model_validate({"url": "redis://127.0.0.1:9/0"})})
    with TestClient(create(gone)) as client:
        response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["parts"]["broker"] == "UNAVAILABLE"


def test_the_page_asks_nothing_of_other_servers(api: Api) -> None:
    response = api.client.get("/")
    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert not [word for word in ("src=", "href=", "@import", "url(") if word in response.text]


def test_graphiql_is_served_whole_from_the_package(stack: Settings) -> None:
    browser = {"Accept": "text/html,*/*;q=0.8"}
    with TestClient(create(_with_api(stack, graphiql=True))) as client:
        page = client.get("/graphql", headers=browser)
        named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        answers = [client.get(each) for each in named]
        unpacked = client.get(named[0], headers={"Accept-Encoding": "identity"})
        assert "by POST" in client.get("/graphql").json()["errors"][0]["message"]
        assert client.get("/graphql/assets/..%2Fquery_page.py").status_code == 404
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert 'id="key"' in page.text
    assert [each.status_code for each in answers] == [200] * len(named)
    assert unpacked.content == answers[0].content
    assert all(each.startswith("/graphql/assets/") for each in named)


def test_without_the_page_a_get_is_told_what_to_do(api: Api) -> None:
    response = api.client.get("/graphql", headers={"Accept": "text/html"})
    assert response.status_code == 405
    [error] = response.json()["errors"]
    assert "by POST" in error["message"]
    assert "GRAPH_MEMORY_API_GRAPHIQL" in error["message"]
    assert api.client.get("/graphql/assets/page.js").status_code == 404
    assert api.client.put("/graphql").json()["errors"][0]["message"].startswith("This path is not served")


def test_the_schema_can_be_fetched_unless_it_is_kept_back(api: Api, stack: Settings) -> None:
    assert api.client.get("/graphql/schema").text == sdl()
    with TestClient(create(_with_api(stack, introspection=False, graphiql=True))) as client:
        assert client.get("/graphql/schema").status_code == 404
        assert client.get("/graphql", headers={"Accept": "text/html"}).status_code == 405


def test_no_origin_may_call_by_default(api: Api) -> None:
    response = api.client.post(
        "/graphql", json={"query": "{version}"}, headers={"Origin": "https://evil.example"}
    )
    assert "access-control-allow-origin" not in response.headers


def test_named_origins_may_call(stack: Settings) -> None:
    named = _with_api(stack, origins=("https://app.example",))
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
    }
    with TestClient(create(named)) as client:
        mine = client.options("/graphql", headers={"Origin": "https://app.example", **asked})
        other = client.options("/graphql", headers={"Origin": "https://evil.example", **asked})
    assert mine.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-origin" not in other.headers
    assert (other.status_code, other.json()["errors"][0]["message"]) == (
        403,
        "Pages of 'https://evil.example' are not let in; GRAPH_MEMORY_API_ORIGINS names those that are.",
    )


def test_the_log_has_ids_and_times_and_no_text(api: Api, key: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="graph_memory"):
        api.ask(
            key,
            "mutation Keep($t:String!){addMemory(input:{text:$t}){errors{code}}}",
            t="the canary text that must not be logged",
        )
        api.ask(key, "mutation Keep($t:String!){addMemory(input:{text:$t}){errors{code}}}", t=" ")
    kept, refused = [record for record in caplog.records if record.message == "request"]
    assert kept.operation == "Keep"  # type: ignore[attr-defined]
    assert kept.ms > 0  # type: ignore[attr-defined]
    assert refused.codes == ["INVALID"]  # type: ignore[attr-defined]
    told = repr([vars(record) for record in caplog.records])
    assert "canary" not in told
    assert key not in told


def test_an_unforeseen_error_shows_no_trace(
    api: Api, key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("MATCH (n) canary")

    monkeypatch.setattr(reading, "browse", broken)
    answer = api.ask(key, "{memories{nodes{id}}}")
    [error] = answer["errors"]
    assert error["extensions"]["code"] == "INTERNAL"
    assert "canary" not in str(answer)
    logged = [record for record in caplog.records if record.message == "unforeseen error"]
    assert [record.error_id for record in logged] == [error["extensions"]["errorId"]]  # type: ignore[attr-defined]
    assert "canary" not in repr([vars(record) for record in caplog.records])


def test_a_request_that_takes_too_long_is_ended(stack: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def slow(*_: Any, **__: Any) -> Any:
        release.wait(10)

    with TestClient(create(_with_api(stack, timeout=0.3))) as client:
        client.app.state.open.keyring.resolve(secret := _secret(client))  # type: ignore[attr-defined]
        monkeypatch.setattr(reading, "browse", slow)
        headers = {"Authorization": f"Bearer {secret}"}
        answer = client.post("/graphql", json={"query": "{memories{nodes{id}}}"}, headers=headers).json()
        release.set()
    assert answer["errors"][0]["extensions"]["code"] == "TOOK_TOO_LONG"


def test_without_introspection_nothing_of_the_schema_is_told(stack: Settings) -> None:
    with TestClient(create(_with_api(stack, introspection=False))) as client:
        headers = {"Authorization": f"Bearer {_secret(client)}"}
        for document in ("{__schema{types{name}}}", '{__type(name:"Memory"){name}}', "{memorie{id}}"):
            text = client.post("/graphql", json={"query": document}, headers=headers).text
            assert "INVALID_DOCUMENT" in text
            assert "memories" not in text
            assert "Did you mean" not in text


def _secret(client: TestClient) -> str:
    return api_keys.create(client.app.state.open.service, "service")[1]  # type: ignore[attr-defined]


def _with_api(settings: Settings, **changed: Any) -> Settings:
    return settings.model_copy(update={"api": settings.api.model_copy(update=changed)})


METRICS_KEY = "for-prometheus-alone"


def test_metrics_tell_names_and_numbers_to_who_has_their_key(stack: Settings) -> None:
    with TestClient(create(_with_api(stack, metrics_key=SecretStr(METRICS_KEY)))) as client:
        service = client.app.state.open.service  # type: ignore[attr-defined]
        tenant = f"secret-tenant-{new_id()}"
        api = Api(client, service)
        key = api.key(tenant)
        api.add(key, "the canary text that no metric may tell")
        asked = 'query Canary{search(query:"canary",first:1){hits{score}}}'
        api.ask(key, asked)
        api.ask(key, 'query Canary{memory(id:"nonsense"){id}}')
        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers={"Authorization": "Bearer x"}).status_code == 401
        page = client.get("/metrics", headers={"Authorization": f"Bearer {METRICS_KEY}"})
    told = page.text
    samples = {
        f"{each.name}{sorted(each.labels.values())}": each.value
        for family in text_string_to_metric_families(told)
        for each in family.samples
    }
    assert samples["graph_memory_requests_total['addMemory', 'ok']"] == 1
    assert samples["graph_memory_requests_total['ok', 'search']"] == 1
    assert samples["graph_memory_requests_total['BAD_ID', 'memory']"] == 1
    assert samples["graph_memory_request_seconds_count['search']"] == 1
    assert samples["graph_memory_store_up[]"] == 1
    assert sum(value for name, value in samples.items() if name.startswith("graph_memory_memories[")) >= 1
    assert any(name.startswith("graph_memory_job_lag_seconds[") for name in samples)
    assert samples["graph_memory_subscriptions[]"] == 0
    assert "canary" not in told.lower()
    assert tenant not in told
    assert key not in told


def test_without_a_key_in_the_settings_there_are_no_metrics(api: Api) -> None:
    assert api.client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_an_id_that_a_request_brings_goes_through_log_and_answer(
    api: Api, key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    headers = {"Authorization": f"Bearer {key}", "X-Request-Id": "from-the-proxy-7"}
    seen: list[Any] = []
    browse = reading.browse
    monkeypatch.setattr(reading, "browse", lambda *a, **k: seen.append(get_contextvars()) or browse(*a, **k))
    with caplog.at_level(logging.INFO, logger="graph_memory"):
        answer = api.client.post("/graphql", json={"query": "{memories{nodes{id}}}"}, headers=headers)
        forged = api.client.get("/livez", headers={"X-Request-Id": "a b{}"})
    assert answer.headers["x-request-id"] == "from-the-proxy-7"
    assert answer.json()["extensions"]["requestId"] == "from-the-proxy-7"
    assert [each["request_id"] for each in seen] == ["from-the-proxy-7"]
    assert caplog.records[0].request_id == "from-the-proxy-7"  # type: ignore[attr-defined]
    assert forged.headers["x-request-id"] != "a b{}"
