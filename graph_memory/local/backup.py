"""A copy of the local stack's store in one file: Neo4j's data and the passwords that open it, each with its checksum.

The store is stopped meanwhile, because files that are written to cannot be copied as they were at one time.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from graph_memory.base.clock import system_clock
from graph_memory.base.errors import StackFault
from graph_memory.local import state
from graph_memory.local.artefacts import versions
from graph_memory.local.consistency import require_local, require_stopped
from graph_memory.local.control import start, stop
from graph_memory.local.locks import only_one
from graph_memory.local.progress import Progress, Silent
from graph_memory.settings import Settings
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import LAYOUT, SECRETS, claim, is_claimed

FORMAT, VERSION = "graph-memory-store", 1
MANIFEST = "manifest.json"
STORE = "neo4j/data"
_CHUNK = 1 << 20
_QUICK = 1


@dataclass(frozen=True)
class Copy:
    """What a backup holds: its files, their bytes, and what the file itself takes."""

    files: int
    bytes: int
    packed: int


def backup(settings: Settings, path: Path, progress: Progress | None = None) -> Copy:
    """Writes a backup; a running stack is stopped for it and started again, whatever happens."""
    progress = progress or Silent()
    require_local(settings, "be backed up")
    data = settings[StackSettings].data
    if not is_claimed(data) or not (data / STORE / "databases").is_dir():
        raise StackFault(f"There is no store in {data} yet; `graph-memory up` makes one.")
    if path.resolve().is_relative_to(data.resolve()):
        raise StackFault("A backup belongs outside the folder that it saves; name another place.")
    with _stopped(settings, progress):
        progress.say(f"Copying {data / STORE}")
        return _pack(data, path)


def restore_store(settings: Settings, path: Path, progress: Progress | None = None) -> Path | None:
    """Puts a backup in the place of the store. Where the store so far was put aside; None if there was none.

    Raises StackFault for a running stack and for an archive that is damaged, incomplete or of another version;
    the present store is then as it was.
    """
    progress = progress or Silent()
    require_stopped(settings, "restore its store")
    data = settings[StackSettings].data
    claim(data)
    with only_one(data / "run" / "up.lock"):
        require_stopped(settings, "restore its store")
        fresh = data / "neo4j" / f".restoring-{os.getpid()}"
        try:
            progress.say(f"Checking and unpacking {path}")
            _unpack(path, fresh)
            return _exchange(data, fresh)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def _stopped(settings: Settings, progress: Progress) -> Iterator[None]:
    told = state.read(settings[StackSettings].data)
    ran = [part.name for part in told.parts] if told and told.is_running() else []
    stop(settings, progress)
    try:
        with only_one(settings[StackSettings].data / "run" / "up.lock"):
            yield
    finally:
        if ran:
            start(settings, ran, progress)


def _pack(data: Path, path: Path) -> Copy:
    files = sorted(each for each in (data / STORE).rglob("*") if each.is_file() and not each.is_symlink())
    files.append(data / SECRETS)
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "layout": LAYOUT,
        "neo4j": versions()["neo4j"],
        "made_at": system_clock().isoformat(),
        "files": {each.relative_to(data).as_posix(): _digest(each) for each in files},
    }
    fresh = path.with_name(f".{path.name}.part")
    try:
        with (
            os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw,
            tarfile.open(fileobj=raw, mode="w:gz", compresslevel=_QUICK) as archive,
        ):
            _add_manifest(archive, manifest)
            for each in files:
                archive.add(each, each.relative_to(data).as_posix(), recursive=False)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return Copy(len(files), sum(each.stat().st_size for each in files), path.stat().st_size)


def _add_manifest(archive: tarfile.TarFile, manifest: dict[str, object]) -> None:
    content = json.dumps(manifest, indent=1).encode()
    entry = tarfile.TarInfo(MANIFEST)
    entry.size, entry.mode = len(content), 0o600
    archive.addfile(entry, io.BytesIO(content))


def _unpack(path: Path, target: Path) -> None:
    """Every file of the manifest, compared with its checksum, and nothing else."""
    try:
        with tarfile.open(path, mode="r|gz") as archive:
            members = iter(archive)
            wanted = _manifest(archive, next(members, None))
            for member in members:
                if wanted.pop(member.name, None) != _extract(archive, member, target):
                    raise StackFault(
                        f"{path} is damaged: {member.name} is not what was saved; nothing was changed."
                    )
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise StackFault(f"{path} cannot be read as a backup ({error}); nothing was changed.") from error
    if wanted:
        missing = "a file is" if len(wanted) == 1 else f"{len(wanted)} files are"
        raise StackFault(f"{path} is damaged: {missing} missing; nothing was changed.")


def _manifest(archive: tarfile.TarFile, member: tarfile.TarInfo | None) -> dict[str, str]:
    source = archive.extractfile(member) if member and member.name == MANIFEST and member.isfile() else None
    try:
        row = json.loads(source.read()) if source else {}
        files = {_safe(name): str(digest) for name, digest in row["files"].items()}
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise StackFault("This is not a backup of graph-memory; nothing was changed.") from error
    if (row.get("format"), row.get("version"), row.get("layout")) != (FORMAT, VERSION, LAYOUT):
        raise StackFault("This backup was made by another version of graph-memory; nothing was changed.")
    if row.get("neo4j") != versions()["neo4j"]:
        raise StackFault(
            f"This backup is of Neo4j {row.get('neo4j')}, this stack runs {versions()['neo4j']}; nothing was changed."
        )
    return files


def _safe(name: str) -> str:
    """A name that stays inside the folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not (name == SECRETS or path.is_relative_to(STORE)):
        raise StackFault(f"This backup holds {name!r}, which does not belong there; nothing was changed.")
    return name


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path) -> str:
    source = archive.extractfile(member) if member.isfile() else None
    if source is None:
        raise StackFault(f"This backup holds {member.name!r}, which is not a file; nothing was changed.")
    place = target / _safe(member.name)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest = hashlib.sha256()
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for chunk in _chunks(source):
            digest.update(chunk)
            file.write(chunk)
    return digest.hexdigest()


def _exchange(data: Path, fresh: Path) -> Path | None:
    """Two renames for each: the old aside, the new in its place."""
    aside = data / "neo4j" / f"before-restore-{system_clock():%Y%m%dT%H%M%S}"
    had = (data / STORE).exists()
    if had:
        aside.mkdir(mode=0o700)
        (data / STORE).rename(aside / "data")
        shutil.copy2(data / SECRETS, aside / SECRETS)
    (fresh / STORE).rename(data / STORE)
    (fresh / SECRETS).replace(data / SECRETS)
    return aside if had else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _chunks(source: IO[bytes]) -> Iterator[bytes]:
    while chunk := source.read(_CHUNK):
        yield chunk
