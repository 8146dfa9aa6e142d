"""The server's folder, made of links into the cache: `lib/` and `plugins/`, the same for every stack."""

from __future__ import annotations

import os
from pathlib import Path

from graph_memory.local.artefacts import Artefact, digest, locked
from graph_memory.local.class_archive import archive_file
from graph_memory.local.download import fetch, is_intact
from graph_memory.local.locks import only_one
from graph_memory.local.progress import Progress


def assemble(cache: Path, progress: Progress) -> Path:
    """The folder of the locked server; every file in it was just compared with its checksum.

    A class archive fits only the very files it was made from, so one that is left from before goes.
    """
    home = server_home(cache)
    if not damaged(cache):
        return home
    fetch(locked(), cache, progress)
    with only_one(cache / "assemble.lock"):
        for each in damaged(cache):
            _link(each.cached(cache), home / each.target / each.file)
        archive_file(cache).unlink(missing_ok=True)
    return home


def server_home(cache: Path) -> Path:
    """Named by the lock file's digest, so that another version gets another folder."""
    return cache / f"neo4j-{digest()}"


def damaged(cache: Path) -> list[Artefact]:
    """The parts of the server that are missing from its folder or differ from the lock file."""
    home = server_home(cache)
    return [each for each in locked() if not is_intact(each, home / each.target / each.file)]


def _link(source: Path, target: Path) -> None:
    """Puts the file there at once, so that a running server never sees half of one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    try:
        os.link(source, fresh)
    except OSError:
        fresh.symlink_to(source)
    fresh.replace(target)
