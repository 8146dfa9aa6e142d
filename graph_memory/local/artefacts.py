"""The server's parts as data: what `neo4j.lock.json` names, and where each lies in the cache."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

LOCK = "neo4j.lock.json"


@dataclass(frozen=True)
class Artefact:
    """One jar: its Maven coordinate, its checksum and size, and the folder of the server it belongs in."""

    group: str
    artifact: str
    version: str
    file: str
    sha256: str
    size: int
    target: Literal["lib", "plugins"]

    @property
    def path(self) -> str:
        """Where a Maven repository keeps it."""
        return "/".join([*self.group.split("."), self.artifact, self.version, self.file])

    def cached(self, cache_folder: Path) -> Path:
        """Where the cache keeps it: under its checksum, so that two versions never meet."""
        return cache_folder / "artefacts" / self.sha256[:16] / self.file


@cache
def locked() -> tuple[Artefact, ...]:
    """Every part of the server, as the lock file names them."""
    return tuple(Artefact(**row) for row in json.loads(_lock())["artefacts"])


@cache
def digest() -> str:
    """Changes when any part does; names the assembled server's folder."""
    return hashlib.sha256(_lock().encode()).hexdigest()[:12]


@cache
def versions() -> dict[str, str]:
    """The versions of Neo4j and GDS that are locked."""
    found: dict[str, str] = json.loads(_lock())["versions"]
    return found


@cache
def _lock() -> str:
    return files(__package__).joinpath(LOCK).read_text("utf-8")
