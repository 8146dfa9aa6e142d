"""A backup of a real local stack is put back as it was; what is damaged is refused and changes nothing."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from graph_memory import local
from graph_memory.base.errors import StackFault
from graph_memory.local import state
from graph_memory.local.backup import MANIFEST, backup, restore_store
from graph_memory.local.consistency import check_files
from graph_memory.local.ports import free_ports
from graph_memory.local.progress import Silent
from graph_memory.settings import PREFIX, Settings, load
from graph_memory.store.addresses import addresses
from graph_memory.store.stack_folder import claim


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A stack of this test alone, stopped at its end."""
    for name in ("NEO4J_URI", "NEO4J_PASSWORD", "NEO4J_USER", "BROKER_URL"):
        monkeypatch.delenv(f"{PREFIX}{name}", raising=False)
    bolt, http, broker, api = free_ports(4)
    ports = {"bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    settings = load(stack={"data": tmp_path / "stack", "heap_mb": 512, "pagecache_mb": 64, **ports})
    yield settings
    local.stop(settings)


def names(settings: Settings, made: str | None = None) -> list[str]:
    at = addresses(settings)
    with neo4j.GraphDatabase.driver(at.neo4j_uri, auth=(at.neo4j_user, at.neo4j_password)) as driver:
        if made:
            driver.execute_query("CREATE (:Note {name: $name})", name=made)
        return [
            row["name"]
            for row in driver.execute_query("MATCH (n:Note) RETURN n.name AS name ORDER BY name").records
        ]


@pytest.mark.stack
@pytest.mark.long
def test_a_store_comes_back_as_it_was(own: Settings, tmp_path: Path) -> None:
    path = tmp_path / "store.tar.gz"
    local.start(own, ["neo4j"])
    names(own, made="before")
    copy = backup(own, path)
    assert copy.files > 10
    assert path.stat().st_mode & 0o077 == 0
    assert names(own, made="after") == ["after", "before"], "it runs again after the backup"

    with pytest.raises(StackFault, match="runs"):
        restore_store(own, path)
    with pytest.raises(StackFault, match="runs"):
        check_files(own, Silent())
    local.stop(own)
    assert check_files(own, Silent()) is None

    damaged = tmp_path / "damaged.tar.gz"
    content = bytearray(gzip.decompress(path.read_bytes()))
    content[len(content) // 2] ^= 0xFF
    damaged.write_bytes(gzip.compress(bytes(content), 1))
    with pytest.raises(StackFault, match="nothing was changed"):
        restore_store(own, damaged)
    path.with_name("cut.tar.gz").write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(StackFault, match="nothing was changed"):
        restore_store(own, path.with_name("cut.tar.gz"))

    aside = restore_store(own, path)
    assert aside is not None
    assert (aside / "data" / "databases").is_dir()
    local.start(own, ["neo4j"])
    assert names(own) == ["before"]


def packed(path: Path, manifest: object, **members: bytes) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in {MANIFEST: json.dumps(manifest).encode(), **members}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


@pytest.mark.parametrize(
    ("manifest", "members", "told"),
    [
        ({}, {}, "not a backup"),
        ({"format": "graph-memory-store", "version": 99, "files": {}}, {}, "another version"),
        ({"format": "graph-memory-store", "files": {"../../outside": "0"}}, {}, "does not belong there"),
        ({"format": "graph-memory-store", "files": {"/outside": "0"}}, {}, "does not belong there"),
    ],
)
def test_what_is_no_backup_is_refused(
    own: Settings, tmp_path: Path, manifest: object, members: dict[str, bytes], told: str
) -> None:
    claim(own.stack.data)
    with pytest.raises(StackFault, match=told):
        restore_store(own, packed(tmp_path / "odd.tar.gz", manifest, **members))
    assert not (own.stack.data / "neo4j" / "data").exists()
    assert state.read(own.stack.data) is None


def test_a_file_that_is_no_archive_is_refused(own: Settings, tmp_path: Path) -> None:
    path = tmp_path / "text.tar.gz"
    path.write_text("this is no archive")
    with pytest.raises(StackFault, match="cannot be read as a backup"):
        restore_store(own, path)


def test_without_a_store_there_is_nothing_to_save(own: Settings, tmp_path: Path) -> None:
    with pytest.raises(StackFault, match="no store"):
        backup(own, tmp_path / "store.tar.gz")


def test_a_server_of_its_own_is_not_ours_to_save(own: Settings, tmp_path: Path) -> None:
    elsewhere = own.model_copy(
        update={"neo4j": own.neo4j.model_copy(update={"uri": "bolt://elsewhere:7687"})}
    )
    with pytest.raises(StackFault, match="GRAPH_MEMORY_NEO4J_URI"):
        backup(elsewhere, tmp_path / "store.tar.gz")
