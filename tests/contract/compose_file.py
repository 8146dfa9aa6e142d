"""docker-compose.yml as Docker Compose itself reads it, for tests; no daemon is needed for that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PASSWORDS = {"NEO4J_PASSWORD": "not-the-real-one", "BROKER_PASSWORD": "nor-this-one"}
OURS = ("api", "worker", "worker-graph", "beat", "migrate")


def config(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What `docker compose config` says with these variables alone."""
    command = [
        str(Path(sys.executable).parent / "docker-compose"),
        "--project-directory", str(ROOT), "--env-file", os.devnull, "config", *words,
    ]  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **variables}
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)


@cache
def services() -> dict[str, Any]:
    """The services by name, with everything filled in."""
    return dict(_project()["services"])


@cache
def volumes() -> dict[str, Any]:
    """The volumes by name."""
    return dict(_project()["volumes"])


def command(service: str) -> list[str]:
    """What the container runs."""
    return [str(word) for word in services()[service]["command"]]


def health(service: str) -> list[str]:
    """What a health check runs, as a process gets it."""
    kind, *words = services()[service]["healthcheck"]["test"]
    return ["sh", "-c", *words] if kind == "CMD-SHELL" else words


@cache
def _project() -> dict[str, Any]:
    done = config("--format", "json", **PASSWORDS)
    assert done.returncode == 0, done.stderr
    # A dollar sign is printed as it would have to be written.
    return dict(json.loads(done.stdout.replace("$$", "$")))
