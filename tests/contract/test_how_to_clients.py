"""The examples for Python and for agents run as the README and their pages show them, against a running service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from graphql import build_schema, parse, validate
from mcp import Client as Agent
from mcp import StdioServerParameters

from graph_memory.api.schema import sdl
from graph_memory.settings import PREFIX
from tests.integration.served import Served, key_folder, served

__all__ = ["key_folder", "served"]

ROOT = Path(__file__).parents[2]
# The accounts of the pages.
TENANTS = ("home", "five-minutes")
# A block that is marked `notest` names an address of the reader's own.
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.stack


@pytest.fixture
def tenant(key_folder: Path) -> str:
    """In the place of the page's own."""
    return f"home-{uuid.uuid4().hex[:12]}"


def _blocks(page: str, language: str, tenant: str) -> list[str]:
    text = (ROOT / page).read_text("utf-8")
    for name in TENANTS:
        text = text.replace(f'"{name}"', f'"{tenant}"')
    return [source for found, source in BLOCK.findall(text) if found == language]


def test_the_first_five_lines_of_the_readme_run(tenant: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = _blocks("README.md", "python", tenant)[0]
    assert len([line for line in first.splitlines() if line]) == 5
    exec(compile(first, "README.md", "exec"), {})
    assert "Porto" in capsys.readouterr().out


def test_the_page_of_the_python_client_runs(tenant: str, capsys: pytest.CaptureFixture[str]) -> None:
    held: dict[str, object] = {}
    for source in _blocks("docs/how-to/python-client.md", "python", tenant):
        exec(compile(source, "python-client.md", "exec"), held)
    told = capsys.readouterr().out
    assert "DONE" in told
    assert "SUPERSEDE" in told
    assert "NOT_FOUND" in told


def test_the_python_of_the_page_of_surfacing_runs(tenant: str, capsys: pytest.CaptureFixture[str]) -> None:
    held: dict[str, Any] = {}
    [source] = _blocks("docs/how-to/surface.md", "python", tenant)
    begin, loop = source.split("kept = []\n")
    exec(compile(begin, "surface.md", "exec"), held)
    held["memory"].add("Theo is allergic to cashews.")
    exec(compile("kept = []\n" + loop, "surface.md", "exec"), held)
    # It came up with the first message and was kept with the second.
    assert capsys.readouterr().out.count("Theo is allergic to cashews.") == 2
    assert [each.is_kept for each in held["mind"]] == [True]


def test_the_five_minutes_of_python_run(tenant: str, capsys: pytest.CaptureFixture[str]) -> None:
    held: dict[str, object] = {}
    for source in _blocks("docs/tutorial/python.md", "python", tenant):
        exec(compile(source, "python.md", "exec"), held)
    assert "Ann lives in Lyon." in capsys.readouterr().out


def test_the_five_minutes_of_an_agent_run(tenant: str, capsys: pytest.CaptureFixture[str]) -> None:
    [source] = _blocks("docs/tutorial/mcp-agent.md", "python", tenant)
    ours = {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    started = source.replace(
        'command="graph-memory", args=[', 'command=python, env=ours, args=["-m", "graph_memory", '
    )
    assert started != source
    exec(compile(started, "mcp-agent.md", "exec"), {"python": sys.executable, "ours": ours})
    assert "Ann is allergic to penicillin. - said by user" in capsys.readouterr().out


def test_the_five_minutes_of_a_frontend_show_what_the_page_sends(tenant: str) -> None:
    sent = " ".join((ROOT / "docs/examples/frontend/page.js").read_text("utf-8").split())
    shown = _blocks("docs/tutorial/graphql-frontend.md", "graphql", tenant)
    assert len(shown) == 3
    schema = build_schema(sdl())
    for document in shown:
        assert " ".join(document.split()) in sent
        assert validate(schema, parse(document)) == []


def test_the_python_of_the_page_of_agents_runs(
    served: Served, tenant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEY", served.key("ann", tenant=tenant))
    [source] = _blocks("docs/how-to/mcp.md", "python", tenant)
    exec(compile(source.replace("http://127.0.0.1:8420", served.url), "mcp.md", "exec"), {})
    assert "Ann prefers tea." in capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "docs/how-to/mcp.md", "docs/tutorial/mcp-agent.md"])
def test_what_the_page_tells_an_agent_to_start_offers_the_tools_that_it_lists(page: str, tenant: str) -> None:
    [shown] = [each for each in _blocks(page, "json", tenant) if "mcpServers" in each]
    row = json.loads(shown)["mcpServers"]["memory"]
    assert row["command"] == "graph-memory"
    ours = {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "graph_memory", *row["args"]], env=ours
    )

    async def tools() -> set[str]:
        async with Agent(started) as agent:
            return {tool.name for tool in (await agent.list_tools()).tools}

    listed = re.findall(r"^\| `(memory_\w+)`", (ROOT / "docs/how-to/mcp.md").read_text("utf-8"), re.MULTILINE)
    assert asyncio.run(tools()) == set(listed)
    assert len(listed) == 13
