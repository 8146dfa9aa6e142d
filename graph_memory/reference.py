"""Reference pages made from the code: `python -m graph_memory.reference` writes them, a test compares.

docs/reference/settings.md   from graph_memory/settings.py
docs/reference/cli.md        from graph_memory/cli
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, EnumType
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union, cast, get_args, get_origin

import annotated_types
import typer
import typer.main
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from graph_memory import cli
from graph_memory.settings import CONFIG, PREFIX, Section, Settings

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

_OF_THE_MACHINE = {
    "GRAPH_MEMORY_STACK_DATA": "`default` in the user's data folder",
    "GRAPH_MEMORY_STACK_CACHE": "the user's cache folder",
}
_BOUNDS: tuple[tuple[type[Any], str, str], ...] = (
    (annotated_types.Ge, "ge", "≥"),
    (annotated_types.Gt, "gt", ">"),
    (annotated_types.Le, "le", "≤"),
    (annotated_types.Lt, "lt", "<"),
)


def settings_page() -> str:
    """Every setting, with its rule and default."""
    return _page(
        "Settings",
        f"A setting is read from the environment under the name below, else from the TOML file that `{CONFIG}` names,",
        "with one table for each section:",
        "",
        "```toml",
        "[stack]",
        "bolt_port = 7688",
        "```",
        "",
        "An empty table cell means that there is no default. Lists are written as JSON in the environment. Values that",
        "break a rule and names that do not exist are all told at once, before anything starts.",
        *_sections(),
    )


def cli_page() -> str:
    """Every command, with its arguments and options."""
    return _page(
        "Command line",
        "`graph-memory <command>`. Each takes `--help`. Exit codes: 0 done, 1 the caller's fault, 2 wrong usage, 3 the",
        "system's fault. With `--json`, standard output holds one JSON document and nothing else; progress goes to",
        "standard error.",
        *_commands(),
    )


PAGES: Mapping[str, Callable[[], str]] = {"settings": settings_page, "cli": cli_page}


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        FOLDER.joinpath(f"{name}.md").write_text(page(), "utf-8")


def _page(title: str, *lines: str) -> str:
    made = "Made from the code by `python -m graph_memory.reference`; a test compares."
    return "\n".join([f"# {title}", "", made, "", *lines]) + "\n"


def _sections() -> Iterator[str]:
    for section, field in Settings.model_fields.items():
        kind = field.annotation
        assert isinstance(kind, type)
        assert issubclass(kind, Section)
        yield from ("", f"## {section}", "", inspect.getdoc(kind) or "", "")
        yield from ("| name | what | rule | default |", "| --- | --- | --- | --- |")
        yield from (_setting(section, name, each) for name, each in kind.model_fields.items())


def _setting(section: str, name: str, field: FieldInfo) -> str:
    full = f"{PREFIX}{section}_{name}".upper()
    return f"| `{full}` | {field.description} | {_rule(field)} | {_OF_THE_MACHINE.get(full) or _default(field)} |"


def _rule(field: FieldInfo) -> str:
    bounds = [
        f"{sign} {getattr(each, name)}"
        for each in field.metadata
        for kind, name, sign in _BOUNDS
        if isinstance(each, kind)
    ]
    return ", ".join([_kind(field.annotation), *bounds])


def _kind(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return "one of " + ", ".join(f"`{each}`" for each in inner)
    if origin in (Union, types.UnionType):
        return " or ".join(_kind(each) for each in inner if each is not type(None))
    if origin is tuple:
        return f"list of {_kind(inner[0])}s"
    names = {
        str: "text",
        int: "number",
        float: "decimal",
        bool: "`true` or `false`",
        Path: "path",
        SecretStr: "secret",
    }
    return names[annotation]


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is None:
        return ""
    spelled = (
        {True: "true", False: "false", (): "[]"}.get(value, value)
        if isinstance(value, bool | tuple)
        else value
    )
    return f"`{spelled}`"


def _commands() -> Iterator[str]:
    for name, command in sorted(commands().items()):
        yield from (
            "",
            f"## {name}",
            "",
            inspect.cleandoc(command.help or "").partition("Example:")[0].strip(),
        )
        example = inspect.cleandoc(command.help or "").partition("Example:")[2].strip()
        yield from ("", "```sh", example, "```") if example else ()
        rows = [_parameter(each) for each in command.params if each.name != "help"]
        yield from (
            ("", "| argument or option | what | default |", "| --- | --- | --- |", *rows) if rows else ()
        )


def commands() -> dict[str, Any]:
    """Each command by the words that lead to it: `recall`, `keys create`."""
    return dict(_below(typer.main.get_command(application()), ()))


def application() -> typer.Typer:
    """The command line with all its commands, apart from the one that `main` fills as needed."""
    root = typer.Typer()
    root.callback()(lambda: None)
    for row in cli.COMMANDS:
        root.add_typer(import_module(f"{cli.__name__}.{row.module}").app, name=row.group)
    return root


def _below(group: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        here = (*words, name)
        if not hasattr(command, "commands"):
            yield " ".join(here), command
            continue
        if command.invoke_without_command:
            yield " ".join(here), command
        yield from _below(command, here)


def _parameter(parameter: Any) -> str:
    is_argument = parameter.param_type_name == "argument"
    name = parameter.name.upper() if is_argument else ", ".join(parameter.opts)
    default = "required" if parameter.required else _shown(parameter.default)
    return f"| `{name}` | {parameter.help}{_choices(parameter.type_descriptor.annotation)} | {default} |"


def _choices(annotation: Any) -> str:
    if not isinstance(annotation, EnumType):
        return ""
    values = [each.value for each in cast(type[Enum], annotation)]
    return f" One of `{'`, `'.join(values)}`."


def _shown(default: Any) -> str:
    if default in (None, False, "", []) or callable(default):
        return ""
    return f"`{getattr(default, 'value', default)}`"


if __name__ == "__main__":
    main()
