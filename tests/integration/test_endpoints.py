"""Several servers of one kind in the order of fallback: GPT-5-nano, LM Studio, Ollama (feature 153)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.cli import providers as commands
from graph_memory.cli import remembering
from graph_memory.ingest import extract_prompt
from graph_memory.local.doctor import CHECKS, examine
from graph_memory.model.message import Message
from graph_memory.models.chat import ask
from graph_memory.models.registry import open_providers, providers, standings
from graph_memory.models.settings import ProvidersSettings
from graph_memory.models.spending import spent
from graph_memory.settings import PREFIX, load
from graph_memory.store.service import Service
from tests.integration import said_in_one
from tests.integration.test_providers import AT, KEY, MERGED, Pauses
from tests.wires import Wires, fails, says

pytestmark = pytest.mark.stack

ORDER = ("openai", "lm-studio", "ollama", "embedded")


class World:
    """OpenAI, LM Studio and Ollama, each a scripted server of its own."""

    def __init__(self, service: Service, scope: Scope, servers: dict[str, Wires], **sections: Any) -> None:
        self.scope = scope
        self.servers = servers
        endpoints = {
            name: {"base_url": f"{servers[name].url}/v1", "model": f"model of {name}"}
            for name in ("lm-studio", "ollama")
        }
        for name, more in sections.pop("endpoints", {}).items():
            endpoints[name] |= more
        asked = {"endpoints": endpoints, "order": ORDER, "attempts": 1, **sections.pop("providers", {})}
        given = {"openai": {"base_url": f"{servers['openai'].url}/v1", "api_key": KEY}, **sections}
        self.settings = load(providers=asked, **given)
        opened = providers(self.settings, Pauses())
        self.service = replace(service, settings=self.settings, providers=opened)

    def ask(self, prompt: Any = None) -> Any:
        return ask(self.service, self.scope, prompt or said_in_one.prompt(["one", "two"]), 60)

    def down(self, *names: str) -> None:
        """These fail from now on; the others answer."""
        for name, server in self.servers.items():
            server.script(fails(500) if name in names else says(MERGED))

    @property
    def states(self) -> dict[str, str]:
        return {each.name: each.state for each in standings(self.settings, self.service.providers)}


Make = Callable[..., World]


@pytest.fixture
def make(service: Service, scope: Scope) -> Iterator[Make]:
    """Makes a world; `endpoints` adds to single endpoints, other sections to the settings."""
    made: list[World] = []
    with Wires() as openai, Wires() as studio, Wires() as ollama:
        servers = {"openai": openai, "lm-studio": studio, "ollama": ollama}

        def build(**sections: Any) -> World:
            made.append(World(service, scope, servers, **sections))
            made[-1].down()
            return made[-1]

        yield build
        for world in made:
            world.service.providers.close()


def test_each_server_is_asked_when_those_before_it_fail(make: Make) -> None:
    world = make()
    answered = []
    for down in ((), ("openai",), ("openai", "lm-studio")):
        world.down(*down)
        reply = world.ask()
        answered.append((reply.provider, reply.model))
    assert answered == [
        ("openai", "gpt-5-nano"),
        ("lm-studio", "model of lm-studio"),
        ("ollama", "model of ollama"),
    ]
    assert [each.body["model"] for each in world.servers["ollama"].received] == ["model of ollama"]
    world.down(*ORDER)
    with pytest.raises(NoAnswer) as caught:
        world.ask()
    assert list(caught.value.failures) == ["openai", "lm-studio", "ollama"]


def test_a_server_that_rests_leaves_the_others_in_service(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its own breaker."""
    monkeypatch.setattr(ProvidersSettings, "failures", 2)
    world = make()
    world.down("openai", "lm-studio")
    for _ in range(2):
        world.ask()
    assert world.states == {
        "openai": "resting",
        "lm-studio": "resting",
        "ollama": "ready",
        "embedded": "ready",
    }
    world.ask()
    assert [len(world.servers[name].received) for name in ("openai", "lm-studio", "ollama")] == [2, 2, 3]


def test_a_server_keeps_its_own_limits(make: Make) -> None:
    """One call a minute for LM Studio: the second goes to the next at once, since waiting would take too long."""
    world = make(endpoints={"lm-studio": {"requests_per_minute": 1}})
    world.down("openai")
    prompt = said_in_one.prompt(["one", "two"])
    assert [ask(world.service, world.scope, prompt, 30).provider for _ in range(2)] == ["lm-studio", "ollama"]


def test_each_server_has_its_own_lines_in_the_ledger_with_the_calls_that_failed(make: Make) -> None:
    world = make()
    world.down("openai", "lm-studio")
    world.ask()
    now = world.service.clock()
    lines = spent(world.service, world.scope, now - timedelta(days=1), now + timedelta(days=1))
    found = {each.provider: (each.purpose, each.calls, each.failures, each.tokens_in) for each in lines}
    assert found == {
        "openai": ("classify", 1, 1, 0),
        "lm-studio": ("classify", 1, 1, 0),
        "ollama": ("classify", 1, 0, 100),
    }


def test_a_purpose_has_its_own_model_with_a_server(make: Make) -> None:
    world = make(providers={"purposes": {"classify": {"models": {"ollama": "the larger one"}}}})
    world.down("openai", "lm-studio")
    assert world.ask().model == "the larger one"
    for server in world.servers.values():
        server.script(says({"memories": [], "relations": []}))
    world.servers["openai"].script(fails(500))
    world.servers["lm-studio"].script(fails(500))
    assert world.ask(extract_prompt.prompt([Message("Ann", AT, "I like tea.")])).model == "model of ollama"


def test_what_a_server_takes_is_remembered_for_it_alone(make: Make) -> None:
    """Two servers may hold a model of the same name and differ in how they are asked."""
    world = make(endpoints={name: {"model": "same"} for name in ("lm-studio", "ollama")})
    refusing = fails(400, "response_format json_schema is not supported")
    world.down("openai")
    world.servers["lm-studio"].script(refusing, says(MERGED))
    world.ask()
    world.down("openai", "lm-studio")
    world.ask()
    [asked] = world.servers["ollama"].received
    assert asked.body["response_format"]["type"] == "json_schema"


def test_a_key_is_read_from_the_variable_that_is_named_and_goes_to_no_other(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDIO_KEY", "sk-studio")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-everybody")
    world = make(endpoints={"lm-studio": {"key_variable": "STUDIO_KEY"}})
    world.down("openai", "lm-studio")
    world.ask()
    sent = {name: server.received[0].headers["authorization"] for name, server in world.servers.items()}
    assert sent == {"openai": f"Bearer {KEY}", "lm-studio": "Bearer sk-studio", "ollama": "Bearer none"}
    assert "sk-studio" not in repr(world.settings)


def test_a_server_whose_key_is_missing_is_not_asked_and_the_doctor_says_so(make: Make) -> None:
    world = make(endpoints={"lm-studio": {"key_variable": "STUDIO_KEY"}})
    assert world.states["lm-studio"] == "unconfigured"
    assert [each.name for each in world.service.providers.channels] == ["openai", "ollama"]
    [found] = examine(world.settings, tuple(check for check in CHECKS if check.name == "providers"))
    assert (found.state, "lm-studio wants a key in STUDIO_KEY" in found.told) == ("fault", True)


def test_what_stands_after_the_embedded_judge_is_not_asked(make: Make) -> None:
    world = make(providers={"order": ("ollama", "embedded", "openai", "lm-studio")})
    assert [each.name for each in world.service.providers.channels] == ["ollama"]


def test_a_missing_extra_is_told_by_the_name_of_the_extra(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case 149: nobody can install a package that is called like an endpoint."""
    world = make()
    monkeypatch.setattr("graph_memory.models.registry.find_spec", lambda name: None)
    [found] = examine(world.settings, tuple(check for check in CHECKS if check.name == "providers"))
    assert "pip install -e '.[openai]'" in found.fix
    assert world.states["ollama"] == "missing_extra"


def test_the_command_line_asks_the_servers_that_the_environment_names(
    make: Make, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    servers = make().servers
    endpoints = {
        name: {"base_url": f"{servers[name].url}/v1", "model": name} for name in ("lm-studio", "ollama")
    }
    monkeypatch.setenv(f"{PREFIX}PROVIDERS_ENDPOINTS", json.dumps(endpoints))
    monkeypatch.setenv(f"{PREFIX}PROVIDERS_ORDER", '["lm-studio", "ollama"]')
    for name in endpoints:
        servers[name].script(says("yes"))
    words = ["providers", "--check", "--json", "--tenant", scope.tenant_name]
    told = json.loads(CliRunner().invoke(commands.app, words, catch_exceptions=False).stdout)["providers"]
    assert [(each["name"], each["answer"]) for each in told] == [
        ("lm-studio", "lm-studio answered, 120 tokens"),
        ("ollama", "ollama answered, 120 tokens"),
        ("embedded", None),
    ]


def test_a_call_that_failed_stands_in_the_spend_of_its_tenant_by_its_purpose(
    make: Make, monkeypatch: pytest.MonkeyPatch, scope: Scope
) -> None:
    """From `remember` to `spend` on the command line: nobody answered, the embedded judge decided, and the ledger tells."""
    server = make().servers["ollama"]
    server.script(fails(401))
    monkeypatch.setenv(
        f"{PREFIX}PROVIDERS_ENDPOINTS", json.dumps({"ollama": {"base_url": f"{server.url}/v1", "model": "m"}})
    )
    monkeypatch.setenv(f"{PREFIX}PROVIDERS_ORDER", '["ollama"]')
    for text in ("Ann works at Google.", "Ann now works at Anthropic."):
        CliRunner().invoke(remembering.app, [text, "--tenant", scope.tenant_name], catch_exceptions=False)
    words = ["spend", "--json", "--tenant"]
    told = [
        json.loads(CliRunner().invoke(commands.app, [*words, tenant], catch_exceptions=False).stdout)
        for tenant in (scope.tenant_name, f"not {scope.tenant_name}")
    ]
    [line] = told[0]["entries"]
    assert (line["provider"], line["purpose"], line["calls"], line["failures"]) == (
        "ollama",
        "classify",
        1,
        1,
    )
    assert told[1]["entries"] == []


def test_one_provider_and_one_key_is_all_that_is_needed() -> None:
    settings = load(anthropic={"api_key": KEY})
    with open_providers(settings) as opened:
        assert [each.name for each in opened.channels] == ["anthropic"]
