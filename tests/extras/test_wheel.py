"""The package as it is installed: all files that it reads are in it, and it works from them alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
ELSEWHERE = {"cypher": "graph_memory/_files/cypher", "graphql": "graph_memory/_files/graphql"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the repository, with the tools that are installed."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


def test_every_file_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "graph_memory", "tasks", *ELSEWHERE],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    left_out = set(settings["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"])
    files = {file for file in listed.stdout.splitlines() if (ROOT / file).is_file()} - left_out
    held = set(ZipFile(wheel).namelist())
    assert sorted(_place(file) for file in files if _place(file) not in held) == []


def test_the_installed_package_reads_its_files_and_not_the_repositorys(wheel: Path, tmp_path: Path) -> None:
    ZipFile(wheel).extractall(tmp_path)
    # As in site-packages, where a package of that name lies beside ours.
    (tmp_path / "graphql").symlink_to(Path(str(find_spec("graphql").origin)).parent)  # type: ignore[union-attr]
    code = (
        "import graph_memory; from graph_memory import samples; from graph_memory.client.exchange import document\n"
        "from graph_memory.upkeep.migrations import migrations; from graph_memory.api.schema import sdl\n"
        "print(graph_memory.__file__, len(samples.conversation().messages), len(migrations()), document('search')[:1])"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    file, messages, found, opening = told.stdout.split()
    assert Path(file).is_relative_to(tmp_path)
    assert (int(messages), int(found), opening) == (
        158,
        len(list((ROOT / "cypher/migrations").glob("V*"))),
        "#",
    )


def _place(file: str) -> str:
    first, _, rest = file.partition("/")
    return f"{ELSEWHERE[first]}/{rest}" if first in ELSEWHERE else file
