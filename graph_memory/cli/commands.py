"""Commands of which one parameter may stand for several options, as a command's context does.

The options stand on the command line in the place of that parameter, `--json` last of all.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import fields
from difflib import get_close_matches
from functools import wraps
from typing import Any, get_type_hints

import typer
from typer.core import TyperGroup
from typer.models import CommandFunctionType

from graph_memory.cli.ids import IdOf
from graph_memory.cli.using import chosen

_TAKE_AWAY = frozenset(
    {"archive", "delete", "forget", "quarantine", "remove", "restore-store", "retract", "rewrite-store"}
)
_NEARLY = 0.9
# What is asked for by other words elsewhere.
_MEANT = {
    "accept": "approve",
    "add": "remember",
    "decline": "reject",
    "edit": "revise",
    "find": "recall",
    "get": "show",
    "list": "memories",
    "query": "recall",
    "reviews": "review",
    "start": "up",
    "stop": "down",
    "store": "remember",
    "update": "revise",
}


class Group(TyperGroup):
    """For a word that is no command: those that are meant by it, or spelled like it.

    What takes memories away is named for nearly the same word alone.
    """

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**{**attributes, "suggest_commands": False})

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        word = args[0]
        if self.get_command(ctx, word) is None and word[:1] != "-" and not ctx.resilient_parsing:
            near = ", ".join(repr(each) for each in self._near(word))
            ctx.fail(f"No such command {word!r}." + (f" Did you mean {near}?" if near else ""))
        return super().resolve_command(ctx, args)

    def _near(self, word: str) -> list[str]:
        listed = [name for name, command in self.commands.items() if not command.hidden]
        spelled = get_close_matches(word, [each for each in listed if each in _TAKE_AWAY], cutoff=_NEARLY)
        spelled += get_close_matches(word, [each for each in listed if each not in _TAKE_AWAY])
        meant = _MEANT.get(word)
        return [meant] if meant in listed else spelled


class App(typer.Typer):
    """Commands of which one parameter may stand for several options."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**{"cls": Group, **attributes})

    def command(
        self, name: str | None = None, **attributes: Any
    ) -> Callable[[CommandFunctionType], CommandFunctionType]:
        register = super().command(name, **attributes)
        return lambda function: _also(function, register)

    def callback(self, **attributes: Any) -> Callable[[CommandFunctionType], CommandFunctionType]:
        register = super().callback(**attributes)
        return lambda function: _also(function, register)


class Shared:
    """Options of several commands: a dataclass, with a field for each. What is held is let go when the command ends."""

    held: ExitStack


class Finding(Shared):
    """Finds what an id on the command line means."""

    def whole(self, of: IdOf, given: str) -> str:
        """The id that is given, or that begins so."""
        raise NotImplementedError


def _also(function: CommandFunctionType, register: Callable[..., Any]) -> CommandFunctionType:
    """Registers a function as a command, and is that function: other code may call it as it is written."""
    register(_with_options(function))
    return function


def _with_options(function: Callable[..., Any]) -> Callable[..., None]:
    """The function as Typer takes it: with an option for each field of what its parameters share, and whole ids."""
    own = inspect.signature(function, eval_str=True).parameters
    shared = {name: each.annotation for name, each in own.items() if _is_shared(each.annotation)}
    ids = {name: of for name, each in own.items() if (of := _id_of(each.annotation))}

    @wraps(function)
    def command(called: typer.Context, **values: Any) -> None:
        if called.invoked_subcommand is not None:
            return
        values |= _left_out(called, values)
        with ExitStack() as held:
            for name, kind in shared.items():
                values[name] = kind(**{each.name: values.pop(each.name) for each in fields(kind)})
                values[name].held = held
            for finding in [each for each in values.values() if ids and isinstance(each, Finding)]:
                values |= {name: _whole(finding, of, values[name]) for name, of in ids.items()}
            function(**values)

    options = [each for name in own for each in (_options(shared[name]) if name in shared else [own[name]])]
    options.sort(key=lambda each: each.name == "as_json")
    called = inspect.Parameter("called", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [called, *(each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in options)]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _id_of(annotation: Any) -> IdOf | None:
    return next((each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, IdOf)), None)


def _whole(finding: Finding, of: IdOf, given: str | list[str] | None) -> str | list[str] | None:
    if isinstance(given, list):
        return [finding.whole(of, each) for each in given]
    return given if given is None else finding.whole(of, given)


def _is_shared(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Shared)


def _options(kind: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
        )
        for each in fields(kind)
    ]


def _left_out(called: typer.Context, values: dict[str, Any]) -> dict[str, str]:
    """What `graph-memory use` has chosen, where the command names no tenant. Another tenant has other subjects."""

    def is_usual(name: str, usual: str | None) -> bool:
        source = called.get_parameter_source(name)
        return name in values and values[name] == usual and source is not None and source.name == "DEFAULT"

    if not is_usual("tenant", "default"):
        return {}
    told = chosen()
    taken = ("tenant", "subject") if is_usual("subject", None) else ("tenant",)
    return {name: told[name] for name in taken if name in told} if "tenant" in told else {}
