"""Whatever a command answers with `--json`, in any test, is as the schema in docs/reference says."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from typer import Exit
from typer.core import TyperCommand

from graph_memory import cli

SCHEMA = Path(__file__).parents[1] / "docs" / "reference" / "cli-json.schema.json"

# The class in which every command and every group calls its function.
[_, Command, *_] = TyperCommand.__mro__


class Copied:
    """Standard output, which also keeps what is written."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return self.out.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.out, name)


@contextmanager
def watched(faults: list[str]) -> Iterator[None]:
    """Looks at the answers of all commands that run meanwhile, and notes what is not as it should be."""
    plainly = Command.invoke

    def invoke(command: Any, context: Any) -> Any:
        words = words_of(command) if context.params.get("as_json") else None
        if words is None or context.invoked_subcommand:
            return plainly(command, context)
        with pytest.MonkeyPatch.context() as patch:
            copied = Copied(sys.stdout)
            patch.setattr(sys, "stdout", copied)
            try:
                return plainly(command, context)
            finally:
                if isinstance(sys.exception(), Exit | SystemExit | None):
                    faults.extend(faults_of(words, copied.text))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Command, "invoke", invoke)
        yield


def faults_of(words: str, answer: str) -> list[str]:
    """What of a command's answer is not as its schema says: the fault that says most, if there is one."""
    try:
        found = json.loads(answer)
    except ValueError:
        return [f"{words}: this is not one JSON document: {answer[:200]}"]
    fault = best_match(validator(words).iter_errors(found))
    told = [fault, *(fault.context or ())] if fault else []
    return ["; ".join(f"{words}: {each.json_path}: {each.message[:500]}" for each in told)] if told else []


@cache
def validator(words: str) -> Draft202012Validator:
    """Of the answers of one command."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    return Draft202012Validator({"$defs": schema["$defs"], **schema["properties"][words]})


def words_of(command: Any) -> str | None:
    """The words that lead to a command; None for one that only a test has."""
    function = inspect.unwrap(command.callback)
    return of_module(function.__module__).get(function)


@cache
def of_module(module: str) -> dict[Any, str]:
    """The words of each command of a module, by its function."""
    return {
        inspect.unwrap(each.callback): words
        for row in cli.COMMANDS
        if module == f"{cli.__name__}.{row.module}"
        for name in row.names
        for words, each in _with_all_inside(name, cli.loaded(name))
        if each.callback
    }


def _with_all_inside(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for inner, each in getattr(command, "commands", {}).items():
        yield f"{name} {inner}", each
