"""The code of the tutorial and of the README runs, on the real stack, in a tenant of its own."""

from __future__ import annotations

import json
import re
import shlex
import uuid
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from graph_memory.api.app import create
from graph_memory.bootstrap import open_service
from graph_memory.cli import app
from graph_memory.settings import Settings
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from graph_memory.store.service import open_driver
from graph_memory.upkeep.migrations import migrate

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial" / "first-memories.md"
README = ROOT / "README.md"
TENANT = "first-steps"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def blocks(stack: Settings) -> list[tuple[str, str]]:
    """The page's code in order, with a fresh tenant in the place of the page's own."""
    with open_driver(stack) as driver:
        migrate(driver, stack)
    fresh = f"{TENANT}-{uuid.uuid4().hex[:12]}"
    return BLOCK.findall(PAGE.read_text("utf-8").replace(TENANT, fresh))


@pytest.fixture(scope="module")
def tenant(blocks: list[tuple[str, str]]) -> str:
    found = re.search(rf"{TENANT}-\w+", str(blocks))
    assert found is not None
    return found[0]


def _of(language: str, blocks: list[tuple[str, str]]) -> list[str]:
    return [source for name, source in blocks if name == language]


def test_the_commands_run(blocks: list[tuple[str, str]]) -> None:
    lines = [
        line
        for source in _of("sh", blocks)
        for line in source.splitlines()
        if line.startswith("graph-memory ")
    ]
    assert len(lines) >= 3
    for line in lines:
        answer = CliRunner().invoke(app, shlex.split(line)[1:])
        assert answer.exit_code == 0, (line, answer.output, answer.exception)
    assert "Ann works at Google." in answer.output


def test_the_python_runs(blocks: list[tuple[str, str]]) -> None:
    sources = _of("python", blocks)
    assert len(sources) > 5
    held: dict[str, object] = {}
    for source in sources:
        exec(compile(source, str(PAGE), "exec"), held)


def test_the_readme_runs(
    blocks: list[tuple[str, str]], tenant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [_, source] = _of("python", BLOCK.findall(README.read_text("utf-8").replace("my-agents", tenant)))
    exec(compile(source, str(README), "exec"), {})
    assert "Ann prefers tea." in capsys.readouterr().out


def test_graphql_answers_what_the_page_shows(
    blocks: list[tuple[str, str]], stack: Settings, tenant: str
) -> None:
    [document], [shown] = _of("graphql", blocks), _of("json", blocks)
    with open_service(stack) as service:
        _, secret = api_keys.create(service, tenant, right=Right.WRITE)
    with TestClient(create(stack)) as client:
        headers = {"Authorization": f"Bearer {secret}"}
        answer = client.post("/graphql", json={"query": document}, headers=headers).json()
    assert answer["data"] == json.loads(shown)
