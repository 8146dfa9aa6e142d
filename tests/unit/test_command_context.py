"""What commands share: where their options stand, how they answer, and how long the service is open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from graph_memory.base.errors import Invalid
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, PlainContext, When

Own = Annotated[str, typer.Option("--own")]


@dataclass
class Mine(PlainContext):
    as_json: Annotated[bool, typer.Option("--json", help="Mine.")] = False


@dataclass
class Held(PlainContext):
    """Tells what becomes of its service."""

    @contextmanager
    def open(self) -> Iterator[Any]:
        print("open")
        try:
            yield object()
        finally:
            print("close")


def params(app: typer.Typer) -> list[str]:
    return [
        each.name or "" for each in typer.main.get_command(app).params if "completion" not in str(each.name)
    ]


def test_the_options_stand_where_the_context_stands_and_json_is_the_last() -> None:
    app = App()

    @app.command()
    def told(context: Context, own: Own = "", *, at: When) -> None: ...

    assert params(app) == ["tenant", "subject", "own", "as_of", "known_at", "as_json"]


def test_a_context_of_ones_own_may_say_otherwise_what_an_option_is() -> None:
    app = App()

    @app.command()
    def told(context: Mine) -> None: ...

    [param] = [each for each in typer.main.get_command(app).params if each.name == "as_json"]
    assert getattr(param, "help", "") == "Mine."


def test_people_get_the_drawing_and_what_comes_after_it_and_machines_json_alone() -> None:
    app = App()

    @app.command()
    def told(context: PlainContext) -> None:
        context.show_page([{"at": datetime(2026, 3, 15, tzinfo=UTC)}], "c7", "drawn")
        context.note("a note")
        context.note(None)

    assert CliRunner().invoke(app, []).stdout == "drawn\nmore: --after c7\na note\n"
    found = json.loads(CliRunner().invoke(app, ["--json"]).stdout)
    assert found == {"items": [{"at": "2026-03-15T00:00:00+00:00"}], "next": "c7"}


@pytest.mark.parametrize("words", [["--use"], ["--use", "--fail"]])
def test_the_service_is_opened_once_when_it_is_asked_for_and_closed_however_the_command_ends(
    words: list[str],
) -> None:
    app = App()

    @app.command()
    def told(context: Held, use: bool = False, fail: bool = False) -> None:
        print("begin")
        if use:
            assert context.service is context.service
        if fail:
            raise Invalid("no")

    assert CliRunner().invoke(app, words).stdout.split() == ["begin", "open", "close"]
    assert CliRunner().invoke(app, []).stdout.split() == ["begin"]


def test_a_moment_that_cannot_be_read_names_its_option() -> None:
    with pytest.raises(Invalid, match="--known-at: soon"):
        assert When(known_at="soon").moment
