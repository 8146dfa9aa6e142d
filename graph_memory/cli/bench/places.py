"""Files and folders that a benchmark is given. Nothing is started before it is known that they will do."""

from __future__ import annotations

import os
from pathlib import Path

from graph_memory.base.errors import Invalid


def file(path: Path | None) -> Path | None:
    """A file that can be read; Invalid for anything else."""
    return _readable(path, path is None or path.is_file(), "file")


def folder(path: Path | None) -> Path | None:
    """The same of a folder."""
    return _readable(path, path is None or path.is_dir(), "folder")


def files(paths: list[Path]) -> list[Path]:
    """The same of files and folders."""
    for path in paths:
        _readable(path, path.is_file() or path.is_dir(), "file or folder")
    return paths


def to_write(path: Path | None) -> Path | None:
    """A file that can be written, in a folder that is there; Invalid for anything else."""
    if path is not None:
        if path.is_dir():
            raise Invalid(f"{path} is a folder; name a file in it.", path="path")
        if not path.parent.is_dir():
            raise Invalid(f"There is no folder {path.parent}; make it first.", path="path")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise Invalid(
                f"You may not write {path}; ask its owner for the right to, or name another.", path="path"
            )
    return path


def _readable(path: Path | None, is_right: bool, what: str) -> Path | None:
    if path is not None and not path.exists():
        raise Invalid(f"There is nothing at {path}; name a {what} there is.", path="path")
    if not is_right:
        raise Invalid(f"{path} is not a {what}; name a {what}.", path="path")
    return path
