"""The examples of docs/how-to/packs.md and surface.md run, in their order, and the commands print what the page shows."""

from __future__ import annotations

import re
import shlex
import uuid
from pathlib import Path
from typing import Any

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

FOLDER = Path(__file__).parents[2] / "docs" / "how-to"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIES = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|generated_at=\\?\"[^\"]*\"|^  why: .*\n", re.MULTILINE
)

pytestmark = pytest.mark.stack


Block = tuple[str, str]


def carried_out(stack: Settings, page: str) -> tuple[str, list[Block]]:
    """Runs the commands of a page in a tenant of its own; tells that, and all blocks of the page."""
    with open_driver(stack) as driver:
        migrate(driver, stack)
    tenant = f"home-{uuid.uuid4().hex[:12]}"
    text = (FOLDER / page).read_text("utf-8")
    blocks: list[Block] = BLOCK.findall(re.sub(r"\bhome\b", tenant, text))
    for example in "".join(source for language, source in blocks if language == "console").split("$ ")[1:]:
        line, _, shown = example.partition("\n")
        answer = CliRunner().invoke(app, shlex.split(line)[1:], catch_exceptions=False)
        assert answer.exit_code == 0, (line, answer.output)
        assert VARIES.sub("", answer.stdout).strip() == VARIES.sub("", shown).strip(), line
    return tenant, blocks


def answered(stack: Settings, tenant: str, blocks: list[Block]) -> Any:
    """What the GraphQL service answers to the query of a page."""
    with open_service(stack) as service:
        _, secret = api_keys.create(service, tenant)
    [document] = [source for language, source in blocks if language == "graphql"]
    with TestClient(create(stack)) as client:
        answer = client.post(
            "/graphql", json={"query": document}, headers={"Authorization": f"Bearer {secret}"}
        ).json()
    assert "errors" not in answer
    return answer["data"]


def test_the_examples_of_packs_run(stack: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    tenant, blocks = carried_out(stack, "packs.md")
    [source] = [source for language, source in blocks if language == "python"]
    exec(compile(source, "packs.md", "exec"), {})
    assert capsys.readouterr().out.startswith("True [")
    assert "Ann plays the cello." in answered(stack, tenant, blocks)["pack"]["text"]


def test_the_examples_of_surfacing_run(stack: Settings) -> None:
    tenant, blocks = carried_out(stack, "surface.md")
    found = answered(stack, tenant, blocks)["surface"]
    # The id of the page is of another store.
    assert found["letGo"] == ["55b6e7b4"]
    [allergy] = found["memories"]
    assert allergy["memory"]["text"] == "Theo is allergic to cashews."
    assert [each["links"][0]["kind"] for each in allergy["linked"]] == ["SHARES_ENTITY"]
