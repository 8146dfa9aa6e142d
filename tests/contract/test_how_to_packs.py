"""The examples of docs/how-to/packs.md run, in their order, and the commands print what the page shows."""

from __future__ import annotations

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
from graph_memory.store.service import open_driver
from graph_memory.upkeep.migrations import migrate

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "packs.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIES = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|generated_at=\\?\"[^\"]*\"|^  why: .*\n", re.MULTILINE
)

pytestmark = pytest.mark.stack


def test_the_examples_of_the_page_run(stack: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    with open_driver(stack) as driver:
        migrate(driver, stack)
    tenant = f"home-{uuid.uuid4().hex[:12]}"
    blocks = BLOCK.findall(re.sub(r"\bhome\b", tenant, PAGE.read_text("utf-8")))
    for example in "".join(source for language, source in blocks if language == "console").split("$ ")[1:]:
        line, _, shown = example.partition("\n")
        answer = CliRunner().invoke(app, shlex.split(line)[1:], catch_exceptions=False)
        assert answer.exit_code == 0, (line, answer.output)
        assert VARIES.sub("", answer.stdout).strip() == VARIES.sub("", shown).strip(), line
    [source] = [source for language, source in blocks if language == "python"]
    exec(compile(source, str(PAGE), "exec"), {})
    assert capsys.readouterr().out.startswith("True [")
    with open_service(stack) as service:
        _, secret = api_keys.create(service, tenant)
    [document] = [source for language, source in blocks if language == "graphql"]
    with TestClient(create(stack)) as client:
        answer = client.post(
            "/graphql", json={"query": document}, headers={"Authorization": f"Bearer {secret}"}
        ).json()
    assert "errors" not in answer
    assert "Ann plays the cello." in answer["data"]["pack"]["text"]
