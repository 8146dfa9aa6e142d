"""The examples of docs/how-to/remember.md run, in their order, and the commands print what the page shows."""

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

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "remember.md"
TENANT = "home"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def tenant(stack: Settings) -> str:
    """In the place of the page's own; all examples are about one."""
    with open_driver(stack) as driver:
        migrate(driver, stack)
    return f"{TENANT}-{uuid.uuid4().hex[:12]}"


def _blocks(tenant: str, *languages: str) -> list[str]:
    text = re.sub(rf"\b{TENANT}\b", tenant, PAGE.read_text("utf-8"))
    return [source for language, source in BLOCK.findall(text) if language in languages]


def _told(lines: list[str]) -> list[str]:
    """What is compared: every id is like every other, and a judge may find other words."""
    shown = [ID.sub("ID", line).rstrip() for line in lines]
    return [line for line in shown if line and not line.startswith("  why: ")]


def test_the_commands_print_what_the_page_shows(tenant: str) -> None:
    [lines] = _blocks(tenant, "text")
    for block in _blocks(tenant, "console"):
        for example in block.split("$ ")[1:]:
            line, *shown = example.splitlines()
            command, _, file = line.partition(" < ")
            answer = CliRunner().invoke(
                app, shlex.split(command)[1:], input=lines if file else None, catch_exceptions=False
            )
            assert answer.exit_code == 0, (line, answer.output)
            assert _told(answer.stdout.splitlines()) == _told(shown), line


def test_the_python_runs(tenant: str, capsys: pytest.CaptureFixture[str]) -> None:
    [source] = _blocks(tenant, "python")
    exec(compile(source, str(PAGE), "exec"), {})
    assert capsys.readouterr().out.startswith("ADD ")


def test_graphql_takes_what_the_page_sends(stack: Settings, tenant: str) -> None:
    with open_service(stack) as service:
        _, secret = api_keys.create(service, tenant, right=Right.WRITE)
    given = {name: value for source in _blocks(tenant, "json") for name, value in json.loads(source).items()}
    with TestClient(create(stack)) as client:
        for document in _blocks(tenant, "graphql"):
            answer = client.post(
                "/graphql",
                json={"query": document, "variables": given},
                headers={"Authorization": f"Bearer {secret}"},
            ).json()
            assert "errors" not in answer
            [field] = answer["data"].values()
            assert not field.get("errors")
