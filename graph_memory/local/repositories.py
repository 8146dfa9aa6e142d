"""Where artefacts come from: the repositories of the user's jgo settings, else jgo's own default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jgo.maven import MavenContext

TIMEOUT = 60


def context(repo_cache: Path) -> MavenContext:
    """A Maven without Java."""
    from jgo.config import GlobalSettings
    from jgo.maven import MavenContext, PythonResolver

    repositories = GlobalSettings.load().repositories or None
    return MavenContext(
        resolver=PythonResolver(), repo_cache=repo_cache, remote_repos=repositories, timeout=TIMEOUT
    )


def roots(repo_cache: Path) -> tuple[str, ...]:
    """The addresses to ask, in order."""
    return tuple(address.rstrip("/") for address in context(repo_cache).remote_repos.values())
