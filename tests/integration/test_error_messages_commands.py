"""What is typed on the command line, and the sentence that tells what is wrong with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.errors import StackFault
from graph_memory.base.ids import new_id
from graph_memory.cli import demo
from graph_memory.settings import Settings
from tests.commands import run

pytestmark = pytest.mark.stack

NOBODY = "00000000-0000-4000-8000-000000000000"

COMMANDS = {
    "tiers --on tomorrow": "'tomorrow' is not a day; write it as 2026-03-15.",
    "jobs run promote": "has to be told what for; `graph-memory consolidate promote` asks for it.",
    "remember Ann --importance-of-ten 11": "--importance-of-ten is 11; it must be a whole number from 1 to 10.",
    "remember Ann --metadata page": "'page' is not metadata; write --metadata name=value.",
    "memories --where mood": "'mood' is not a condition; write one as in importance>=0.5 or tags~pets.",
    "memories --where created_at~2026": "created_at is not a text, so it cannot be asked for by CONTAINS; ",
    "memories --where mood=glad": "There is no field mood; there are id, text, ",
    "decay --chart decay.pdf": "A chart is a .png or .svg file, not decay.pdf.",
    "decay --chart {folder}/none/decay.png": "There is no folder {folder}/none; make it first.",
    "entity nobody": "Nothing is known by the name nobody; `graph-memory entities list` shows what is.",
    "entities show nobody": "'nobody' is not the id of an entity; ids look like ",
    "restore {file}": "{file} is a file; an export is put into an account by `graph-memory load`.",
    "subject --time-zone Mars/Olympus": "'Mars/Olympus' is not a time zone; give an IANA name",
    f"consolidate revert {NOBODY}": f"There is no run {NOBODY}",
    f"consolidate plan {NOBODY}": f"There is no run {NOBODY}",
    "load {folder}/none": "There is no file {folder}/none; name one that is there.",
    "import {folder}/none": "{folder}/none cannot be read (No such file or directory); name a file that can be.",
}  # fmt: skip

WITHOUT_ACCOUNT = {
    "jobs run polish": "There is no job 'polish'; `graph-memory jobs` lists those there are.",
    "verify --tenant nobody --anchor 3": "'3' is not an anchor; give it as `graph-memory verify` printed it",
    "bench recall --data {folder}/none": "There is nothing at {folder}/none; name a file there is.",
    "bench recall --data {folder}": "{folder} is not a file; name a file.",
    "bench recall --data {file} --fit {folder}": "{folder} is a folder; name a file in it.",
    "bench recall --data {file} --fit {folder}/none/x": "There is no folder {folder}/none; make it first.",
}


@pytest.fixture(scope="module")
def account(stack: Settings) -> str:
    """An account with one memory."""
    name = f"messages-{new_id()}"
    assert run("remember", "Ann sails.", "--observe", "--tenant", name).returncode == 0
    return name


def told(tmp_path: Path, words: str, *more: str) -> tuple[str, dict[str, str]]:
    """What a command says on standard error, and what stands for the words in braces."""
    file = tmp_path / "file.json"
    file.write_text("{}")
    places = {"folder": str(tmp_path), "file": str(file)}
    done = run(*words.format(**places).split(), *more)
    assert done.returncode == 1, done.stdout + done.stderr
    return " ".join(done.stderr.split()), places


@pytest.mark.parametrize(("words", "says"), COMMANDS.items(), ids=COMMANDS)
def test_what_a_command_cannot_do_for_an_account_is_told(
    account: str, tmp_path: Path, words: str, says: str
) -> None:
    message, places = told(tmp_path, words, "--tenant", account)
    assert says.format(**places) in message


@pytest.mark.parametrize(("words", "says"), WITHOUT_ACCOUNT.items(), ids=WITHOUT_ACCOUNT)
def test_what_a_command_cannot_do_is_told(stack: Settings, tmp_path: Path, words: str, says: str) -> None:
    message, places = told(tmp_path, words)
    assert says.format(**places) in message


@pytest.mark.parametrize("words", ["bench recall --data {file} --fit {file}", "decay --chart {folder}/a.png"])
def test_what_may_not_be_written_is_told(
    stack: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """The tests may run as root, who may do anything."""
    access = os.access

    def denied(path: Any, mode: int, **more: Any) -> bool:
        return access(path, mode, **more) and not (mode == os.W_OK and Path(path).is_relative_to(tmp_path))

    monkeypatch.setattr(os, "access", denied)
    message, _ = told(tmp_path, words)
    assert "ask its owner for the right to, or name another." in message


def test_a_sample_that_cannot_be_extracted_is_told(stack: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "start", lambda *_: None)
    monkeypatch.setattr(demo, "bring_in", lambda *_: {"error": "UNAVAILABLE: the embedder does not answer"})
    with pytest.raises(StackFault, match="The sample could not be extracted: UNAVAILABLE"):
        demo.demo()
