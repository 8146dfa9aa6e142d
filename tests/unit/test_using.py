"""A tenant that was chosen stands in for the one that a command does not name."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from graph_memory.cli import loaded, using


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(using, "user_config_path", lambda *_, **__: tmp_path)


def choose(*words: str) -> str:
    return CliRunner().invoke(using.app, list(words)).stdout


def test_what_was_chosen_is_put_in_where_nothing_is_named() -> None:
    assert using.with_chosen(loaded("recall"), ["tea"]) == ["tea"]
    assert choose("home", "ann") == "Tenant home, subject ann, where a command names no other.\n"
    chosen = ["--tenant", "home", "--subject", "ann"]
    assert using.with_chosen(loaded("recall"), ["tea"]) == [*chosen, "tea"]
    assert using.with_chosen(loaded("recall"), ["-s", "bea", "tea"]) == [
        "--tenant",
        "home",
        "-s",
        "bea",
        "tea",
    ]
    assert using.with_chosen(loaded("show"), ["id"]) == ["--tenant", "home", "id"]
    assert choose() == "Tenant home, subject ann, where a command names no other.\n"


def test_another_tenant_on_the_command_line_has_other_subjects() -> None:
    choose("home", "ann")
    for given in (["-t", "work"], ["--tenant=work"], ["-twork"]):
        assert using.with_chosen(loaded("recall"), given) == given


def test_a_new_choice_of_a_tenant_alone_forgets_the_subject_and_none_is_put_where_none_is_taken() -> None:
    choose("home", "ann")
    choose("work")
    assert using.with_chosen(loaded("recall"), ["tea"]) == ["--tenant", "work", "tea"]
    assert using.with_chosen(loaded("up"), []) == []
