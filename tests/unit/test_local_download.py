from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from rich.console import Console

from graph_memory.base.errors import StackFault
from graph_memory.local import download
from graph_memory.local.artefacts import Artefact
from graph_memory.local.download import fetch
from graph_memory.local.progress import Progress, Silent

BODY = bytes(range(256)) * 2000


class Repository(ThreadingHTTPServer):
    """A Maven repository of one file, which can break off, change the file or lack it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.ranges: list[str | None] = []
        self.breaks = 0
        self.body: bytes | None = BODY


class Handler(BaseHTTPRequestHandler):
    server: Repository

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.ranges.append(wanted)
        if self.server.body is None:
            self.send_error(404)
            return
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        rest = self.server.body[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        if self.server.breaks:
            self.server.breaks -= 1
            self.wfile.write(rest[: len(rest) // 2])
        else:
            self.wfile.write(rest)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with Repository() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        config = tmp_path / "jgo.conf"
        config.write_text(f"[repositories]\nhere = http://127.0.0.1:{server.server_port}\n")
        monkeypatch.setenv("JGO_CONFIG_FILE", str(config))
        monkeypatch.setattr(download, "WAITS", (0, 0, 0, 0))
        yield server
        server.shutdown()
        thread.join()


def artefact(body: bytes = BODY) -> Artefact:
    return Artefact("org.some", "part", "1", "part-1.jar", hashlib.sha256(body).hexdigest(), len(body), "lib")


def test_an_artefact_is_fetched_once(repository: Repository, tmp_path: Path):
    for _ in range(2):
        fetch([artefact()], tmp_path, Silent())
    assert artefact().cached(tmp_path).read_bytes() == BODY
    assert repository.ranges == [None]


def test_a_broken_download_goes_on_where_it_ended(repository: Repository, tmp_path: Path):
    repository.breaks = 1
    fetch([artefact()], tmp_path, Silent())
    assert artefact().cached(tmp_path).read_bytes() == BODY
    assert repository.ranges[0] is None
    assert (repository.ranges[1] or "").startswith("bytes=")


def test_a_damaged_file_is_named_and_fetched_again(repository: Repository, tmp_path: Path):
    fetch([artefact()], tmp_path, Silent())
    path = artefact().cached(tmp_path)
    path.write_bytes(b"x" * len(BODY))
    console = Console(record=True, quiet=False, file=(tmp_path / "out").open("w"))
    fetch([artefact()], tmp_path, Progress(console))
    assert path.read_bytes() == BODY
    assert "part-1.jar is damaged" in console.export_text().replace("\n", "")
    console.file.close()


def test_a_file_that_is_not_the_locked_one_is_never_used(repository: Repository, tmp_path: Path):
    repository.body = b"y" * len(BODY)
    with pytest.raises(StackFault, match=r"part-1\.jar arrived 4 times with another checksum"):
        fetch([artefact()], tmp_path, Silent())
    assert not artefact().cached(tmp_path).exists()


def test_a_file_that_no_repository_has_is_named(repository: Repository, tmp_path: Path):
    repository.body = None
    with pytest.raises(StackFault, match=r"part-1\.jar could not be found"):
        fetch([artefact()], tmp_path, Silent())


def test_a_network_that_stays_broken_ends_with_advice(repository: Repository, tmp_path: Path):
    repository.breaks = 100
    with pytest.raises(StackFault, match=r"check the network and run the command again"):
        fetch([artefact()], tmp_path, Silent())
