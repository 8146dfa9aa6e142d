"""The Dockerfile: a linter takes it, what it copies is there and is enough, what it installs is locked."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from tests.contract.compose_file import ROOT, command, health, services

TEXT = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text("utf-8"))
LINES = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = sorted(PROJECT["optional-dependencies"])
LOCKS = ROOT / "requirements"
PIN = re.compile(r"^([a-z0-9.-]+)==([^ \\;]+)(?: ; [^\\]*)? \\$", re.MULTILINE)


def test_the_linter_finds_nothing() -> None:
    linter = str(Path(sys.executable).parent / "hadolint")
    done = subprocess.run([linter, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_both_stages_stand_on_one_pinned_python() -> None:
    images = [line.split()[1] for line in LINES if line.startswith("FROM ")]
    [image] = set(images)
    assert len(images) == 2
    [version] = re.findall(r"^python:(\d+\.\d+\.\d+)-slim-\w+$", image)
    assert version in SpecifierSet(PROJECT["requires-python"])


def test_what_is_copied_is_sent_to_the_builder() -> None:
    for source in _copied():
        files = [ROOT / source] if (ROOT / source).is_file() else list((ROOT / source).rglob("*.*"))
        sent = [each for each in files if _is_sent(each.relative_to(ROOT).as_posix())]
        assert sent, source


@pytest.mark.parametrize(
    "kept_back", [".env", "service.env", ".git/config", "tests/conftest.py", ".venv/bin/python"]
)
def test_nothing_else_is_sent_to_the_builder(kept_back: str) -> None:
    assert not _is_sent(kept_back)


@pytest.mark.long
def test_the_wheel_is_built_from_what_is_copied(tmp_path: Path) -> None:
    for source in _copied():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, tmp_path / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, tmp_path / source)
    [build] = re.findall(r"-m (hatchling build [^&]*)", TEXT)
    subprocess.run([sys.executable, "-m", *build.split()], cwd=tmp_path, check=True, capture_output=True)
    [wheel] = (tmp_path / "wheels").glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    assert {"tasks/beat.py", "graph_memory/api/app.py", "graph_memory/_files/graphql/schema.graphql"} <= held
    assert "graph_memory/_files/cypher/queries/system/canary.cypher" in held


def test_every_extra_has_its_lock() -> None:
    assert {each.name for each in LOCKS.glob("extra-*.lock")} == {f"extra-{name}.lock" for name in EXTRAS}


@pytest.mark.parametrize("name", ["service", *(f"extra-{name}" for name in EXTRAS)])
def test_the_lock_fits_the_project_and_what_is_tested(name: str) -> None:
    pins = _pins(name)
    wanted = [
        *PROJECT["dependencies"],
        *PROJECT["optional-dependencies"].get(name.removeprefix("extra-"), []),
    ]
    for row in map(Requirement, wanted):
        assert pins[row.name.lower()] in row.specifier, f"run `make lock`: {row}"
    tested = {**_pins("dev"), **_pins("service")}
    assert {pin: version for pin, version in pins.items() if tested.get(pin, version) != version} == {}


def test_the_build_is_locked_too() -> None:
    [backend] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    assert f"hatchling=={_pins('build')['hatchling']}" == backend
    assert TEXT.count("pip install") == TEXT.count("--require-hashes -r") + TEXT.count("--no-deps --no-index")


def test_it_runs_as_nobody_in_particular() -> None:
    [user] = [line.split()[1] for line in LINES if line.startswith("USER ")]
    assert user == "10001:10001"
    assert f"--uid {user.split(':')[0]}" in TEXT


def test_it_serves_and_is_checked_as_in_compose() -> None:
    *_, last = LINES
    assert json.loads(last.removeprefix("CMD ")) == command("api")
    [check] = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", TEXT, re.MULTILINE)
    assert json.loads(check) == health("api")


def test_the_build_argument_is_the_one_of_compose() -> None:
    arguments = [line.split()[1].partition("=")[0] for line in LINES if line.startswith("ARG ")]
    assert list(services()["api"]["build"]["args"]) == arguments == ["EXTRAS"]


def _copied() -> list[str]:
    lines = [line.split()[1:-1] for line in LINES if line.startswith("COPY ") and "--from" not in line]
    return [word.rstrip("/") for words in lines for word in words]


def _is_sent(path: str) -> bool:
    """The last line of .dockerignore that fits decides."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        if not line or line.startswith("#"):
            continue
        parents = [path, *(parent.as_posix() for parent in Path(path).parents)]
        names = [Path(each).name for each in parents] if "**/" in line else []
        if any(fnmatch(each, pattern) for each in [*parents, *names]):
            sent = line.startswith("!")
    return sent


def _pins(name: str) -> dict[str, str]:
    found = dict(PIN.findall((LOCKS / f"{name}.lock").read_text("utf-8")))
    assert found
    return found
