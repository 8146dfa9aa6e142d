from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from graph_memory.base.errors import StackFault, Unavailable
from graph_memory.local.database import OWN, configuration
from graph_memory.store import stack_folder
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import SECRETS, STACK, claim, read_secrets


def test_a_claimed_folder_keeps_its_passwords(tmp_path: Path):
    data = tmp_path / "stack"
    assert claim(data) == claim(data) == read_secrets(data)


def test_passwords_are_for_their_owner_alone(tmp_path: Path):
    data = tmp_path / "stack"
    secrets = claim(data)
    assert stat.S_IMODE((data / SECRETS).stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert secrets.neo4j_password not in repr(secrets)


def test_a_folder_with_other_things_is_refused_and_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(StackFault, match="GRAPH_MEMORY_STACK_DATA"):
        claim(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_of_a_newer_version_is_refused(tmp_path: Path):
    claim(tmp_path)
    (tmp_path / STACK).write_text('{"layout": 99}')
    with pytest.raises(StackFault, match="newer version"):
        claim(tmp_path)


def test_a_folder_of_an_earlier_version_is_brought_forward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    secrets = claim(tmp_path)
    seen: list[Path] = []
    monkeypatch.setattr(stack_folder, "LAYOUT", 2)
    monkeypatch.setattr(stack_folder, "STEPS", {1: seen.append})
    assert claim(tmp_path) == secrets
    assert seen == [tmp_path]
    assert json.loads((tmp_path / STACK).read_text()) == {"layout": 2}


def test_without_a_stack_the_message_says_what_to_do(tmp_path: Path):
    with pytest.raises(Unavailable, match="graph-memory up"):
        read_secrets(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"neo4j_password": "x"}'])
def test_broken_passwords_are_named(tmp_path: Path, content: str):
    claim(tmp_path)
    (tmp_path / SECRETS).write_text(content)
    with pytest.raises(StackFault, match=r"secrets\.json cannot be read"):
        read_secrets(tmp_path)


def test_neo4j_browser_is_kept_from_calling_others(tmp_path: Path):
    stack = StackSettings(data=tmp_path / "stack", host="127.0.0.1")
    claim(stack.data)
    rows = configuration(stack, tmp_path).splitlines()
    [policy] = [row for row in rows if "content_security_policy" in row]
    assert policy.endswith("connect-src 'self' ws: wss: http://127.0.0.1:* http://localhost:*")
    assert {"client.allow_telemetry=false", "dbms.usage_report.enabled=false"} <= set(rows)


def test_rows_of_an_operator_take_the_place_of_ours(tmp_path: Path):
    stack = StackSettings(data=tmp_path / "stack")
    claim(stack.data)
    (stack.data / "neo4j" / OWN).write_text("# ours\ndb.transaction.timeout = 5s\n\ndbms.max_databases=3\n")
    rows = configuration(stack, tmp_path).splitlines()
    assert [row for row in rows if row.startswith("db.transaction.timeout")] == ["db.transaction.timeout=5s"]
    assert "dbms.max_databases=3" in rows
    assert "# ours" not in rows
