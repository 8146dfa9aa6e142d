"""A tenant that was chosen stands in for the one that a command does not name."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from graph_memory.cli import using
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, TenantContext

app = App(invoke_without_command=True)


@app.callback()
def group(context: Context) -> None:
    print("group", context.tenant, context.subject)


@app.command()
def both(word: str, context: Context) -> None:
    print(word, context.tenant, context.subject)


@app.command()
def alone(context: TenantContext) -> None:
    print(context.tenant)


@app.command()
def own(subject: Annotated[str, typer.Option("--subject", "-s")] = "me", *, context: TenantContext) -> None:
    print(context.tenant, subject)


@app.command()
def everywhere(tenant: Annotated[str | None, typer.Option("--tenant", "-t")] = None) -> None:
    print(tenant)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(using, "user_config_path", lambda *_, **__: tmp_path)
    # The store of other tests knows none of these.
    monkeypatch.setattr(using, "_doubt", lambda *_: None)


def said(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout.strip()


def choose(*words: str) -> str:
    return CliRunner().invoke(using.app, list(words)).stdout


def test_what_was_chosen_is_put_in_where_nothing_is_named() -> None:
    assert said("both", "tea") == "tea default None"
    assert choose("home", "ann") == "Tenant home, subject ann, where a command names no other.\n"
    assert said("both", "tea") == "tea home ann"
    assert said("both", "-s", "bea", "tea") == "tea home bea"
    assert said("alone") == "home"
    assert choose() == "Tenant home, subject ann, where a command names no other.\n"


def test_another_tenant_on_the_command_line_has_other_subjects() -> None:
    choose("home", "ann")
    for given in (["-t", "work"], ["--tenant=work"], ["-twork"]):
        assert said("both", *given, "tea") == "tea work None"
    assert said("both", "-t", "default", "tea") == "tea default None"


def test_a_word_that_looks_like_an_option_names_no_tenant() -> None:
    choose("home", "ann")
    assert said("both", "--", "-tea") == "-tea home ann"


def test_a_group_that_is_a_command_itself_takes_what_was_chosen_and_stays_silent_above_another() -> None:
    choose("home", "ann")
    assert said() == "group home ann"
    assert said("-s", "bea") == "group home bea"
    assert said("both", "tea") == "tea home ann"


def test_a_new_choice_of_a_tenant_alone_forgets_the_subject_and_none_is_put_where_none_is_taken() -> None:
    choose("home", "ann")
    choose("work")
    assert said("both", "tea") == "tea work None"
    assert said("own") == "work me"
    assert said("everywhere") == "None"
