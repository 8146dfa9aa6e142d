"""What benchmarks say of files that they cannot read, before anything is started for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import Invalid
from graph_memory.bench import chat_questions, claim_quality
from graph_memory.cli import bench

# Each command that reads something, the option that names it, and whether that is a folder.
READING = [
    ("recall", "--data", False), ("questions", "--chats", True), ("temporal", "--phrases", False),
    ("judge", "--pairs", False), ("extraction", "--data", False), ("stories", "--data", False), ("stories", "--gold", None),
    ("statements", "--data", False), ("links", "--streams", None), ("claims", "--streams", True),
    ("worth", "--chats", True),
]  # fmt: skip
# Each command that writes a file of its user's choice, with what it needs beside it.
WRITING = [("recall", "--data", "--fit"), ("stories", "--data", "--details")]


def refusal(*words: str) -> str:
    found = CliRunner().invoke(bench.app, list(words)).exception
    assert isinstance(found, Invalid), found
    return found.message


def test_every_option_that_names_a_place_is_looked_at() -> None:
    options = {
        (command.name or command.callback.__name__, option)
        for command in bench.app.registered_commands
        if command.callback
        for option, kind in command.callback.__annotations__.items()
        if "Path" in str(kind)
    }
    told = [(command, option) for command, option, _ in READING]
    told += [(command, option) for command, _, option in WRITING]
    assert options == {(command, option.removeprefix("--")) for command, option in told}


@pytest.mark.parametrize(("command", "read", "written"), WRITING)
def test_a_file_that_cannot_be_written_is_told_before_anything_is_measured(
    command: str, read: str, written: str, tmp_path: Path
) -> None:
    (tmp_path / "data.json").write_text("[]", "utf-8")
    data = (command, read, str(tmp_path / "data.json"), written)
    missing = tmp_path / "none" / "found.json"
    assert refusal(*data, str(missing)) == f"There is no folder {missing.parent}; make it first."
    assert refusal(*data, str(tmp_path)) == f"{tmp_path} is a folder; name a file in it."


@pytest.mark.parametrize(("command", "option", "is_folder"), READING)
def test_what_is_not_there_or_of_another_kind_is_told_in_a_sentence(
    command: str, option: str, is_folder: bool | None, tmp_path: Path
) -> None:
    told = refusal(command, option, str(tmp_path / "nothing"))
    assert told.startswith(f"There is nothing at {tmp_path / 'nothing'}; name a ")
    if is_folder is not None:
        file = tmp_path / "file"
        file.write_text("", "utf-8")
        wrong = file if is_folder else tmp_path
        what = "folder" if is_folder else "file"
        assert refusal(command, option, str(wrong)) == f"{wrong} is not a {what}; name a {what}."


def test_chats_that_break_the_format_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no stream begins here\n", "utf-8")
    with pytest.raises(Invalid, match="The streams cannot be read"):
        claim_quality.bench_claims(tmp_path, (), print)
    with pytest.raises(Invalid, match="does not hold questions"):
        chat_questions._questions(tmp_path / "questions.jsonl")
    for wrong in ("[]", "{}", "nonsense"):
        (tmp_path / "questions.jsonl").write_text(wrong, "utf-8")
        with pytest.raises(Invalid, match="does not hold questions"):
            chat_questions._questions(tmp_path / "questions.jsonl")
