from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_memory import __version__
from graph_memory.cli import COMMANDS, loaded
from tests.commands import run


def test_a_folder_without_a_stack_is_told_so(tmp_path: Path):
    done = run("status", GRAPH_MEMORY_STACK_DATA=str(tmp_path / "none"))
    assert done.returncode == 3
    assert "`graph-memory up` starts it" in done.stdout
    assert not (tmp_path / "none").exists()


def test_status_for_machines_is_one_object(tmp_path: Path):
    done = run("status", "--json", GRAPH_MEMORY_STACK_DATA=str(tmp_path))
    assert json.loads(done.stdout) == {
        "data": str(tmp_path),
        "running": False,
        "ready": False,
        "supervisor_pid": None,
        "fault": None,
        "parts": [],
    }


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["up", "--only", "flower"], 1, "error: There is no part called flower"),
        (["logs", "flower"], 1, "error: There is no log of flower"),
        (["up", "--colour"], 2, "No such option: --colour"),
        (["fly"], 2, "No such command 'fly'"),
    ],
)
def test_mistakes_are_told_in_one_line_with_their_code(
    tmp_path: Path, words: list[str], code: int, said: str
):
    done = run(*words, GRAPH_MEMORY_STACK_DATA=str(tmp_path))
    assert done.returncode == code
    assert said in done.stderr


def test_a_wrong_setting_is_a_system_fault(tmp_path: Path):
    done = run("down", GRAPH_MEMORY_STACK_BOLT_PORT="banana")
    assert done.returncode == 3
    assert "GRAPH_MEMORY_STACK_BOLT_PORT" in done.stderr


def test_down_without_a_stack_does_no_harm(tmp_path: Path):
    done = run("down", GRAPH_MEMORY_STACK_DATA=str(tmp_path / "none"))
    assert done.returncode == 0
    assert "Nothing runs" in done.stdout


def test_every_command_shows_an_example():
    for name in next(row.names for row in COMMANDS if row.module == "stack"):
        assert f"Example: graph-memory {name}" in run(name, "--help").stdout


def test_the_version_is_told():
    assert run("--version").stdout == f"{__version__}\n"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("get", "'show'"),
        ("reviews", "'review'"),
        ("find", "'recall'"),
        ("archve", "'archive'"),
        ("forgt", "'forget'"),
        ("memorys", "'memories'"),
    ],
)
def test_a_word_that_is_no_command_is_told_what_it_may_mean(word: str, meant: str):
    said = run(word, "x").stderr
    assert f"No such command '{word}'." in said
    assert f"Did you mean {meant}" in said


@pytest.mark.parametrize("word", ["get", "force", "reach", "extract", "merge-all"])
def test_no_command_that_takes_memories_away_is_suggested_for_another_word(word: str):
    assert not {"forget", "archive", "retract", "delete"} & set(
        run(word, "x").stderr.replace("'", " ").replace("?", " ").split()
    )


def test_a_group_knows_what_its_commands_are_called_elsewhere():
    assert "Did you mean 'approve'?" in run("review", "accept", "x").stderr


def test_search_is_recall():
    assert loaded("search").callback.__name__ == "recall"
    assert "`search` is the same" in run("recall", "--help").stdout
