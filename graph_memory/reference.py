"""Reference pages made from the code: `python -m graph_memory.reference` writes them, a test compares.

docs/reference/settings.md            from graph_memory/settings.py and docs/reference/setting-reasons.toml
docs/reference/cli.md                 from graph_memory/cli
docs/reference/cli-json.schema.json   from graph_memory/cli/answers
docs/reference/graph.md               from graph_memory/model/graph_schema.py
docs/reference/messages.md            from every message of an error in graph_memory
"""

from __future__ import annotations

import inspect
import json
import tomllib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, EnumType
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import annotated_types
import neomodel
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from graph_memory import cli, error_forms
from graph_memory.base.sections import Section
from graph_memory.cli import answer_schema
from graph_memory.model import graph_schema
from graph_memory.settings import ALIASES, CONFIG, PREFIX, Settings

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

_OF_THE_MACHINE = {
    "GRAPH_MEMORY_ANTHROPIC_API_KEY": "`ANTHROPIC_API_KEY` of the environment",
    "GRAPH_MEMORY_OPENAI_API_KEY": "`OPENAI_API_KEY` of the environment",
    "GRAPH_MEMORY_STACK_DATA": "`default` in the user's data folder",
    "GRAPH_MEMORY_STACK_CACHE": "the user's cache folder",
}
_STORED: Mapping[type[Any], str] = {
    neomodel.StringProperty: "text",
    neomodel.IntegerProperty: "number",
    neomodel.FloatProperty: "decimal",
    neomodel.BooleanProperty: "true or false",
    neomodel.ArrayProperty: "list",
    neomodel.JSONProperty: "JSON",
    graph_schema.Time: "time",
    graph_schema.End: "time, the end of an interval",
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
        "",
        "Some settings are also read under the names of other systems, where their own is not set: "
        + ", ".join(f"`{alias}` for {_place(path)}" for alias, path in ALIASES.items())
        + ". Names of settings that became a row of a table (`jobs.<job>`, those of the purposes of language models) are still",
        "read, and deprecated.",
        *_sections(),
    )


def cli_page() -> str:
    """Every command, with its arguments and options."""
    return _page(
        "Command line",
        "`graph-memory <command>`. Each takes `--help`. Exit codes: 0 done, 1 the caller's fault, 2 wrong usage, 3 the",
        "system's fault. With `--json`, standard output holds one JSON document and nothing else; progress goes to",
        "standard error. What each answers is described by [a JSON Schema](cli-json.schema.json), made of the types in the code:",
        "`#/properties/recall` is that of `recall`, `#/properties/review list` that of `review list`.",
        *_commands(),
    )


def graph_page() -> str:
    """Every node and relationship, with its properties."""
    return _page(
        "Graph",
        "Every node but `Tenant` and `Migration` carries `tenant`, a token made from the account's name. `subject_id` is a",
        "token too; the callers' own names stand on `Tenant` and `Subject`. Times are native, in UTC. Intervals are",
        "half-open; an open end is the year 9999 in the store and null outside.",
        "",
        "A `Memory` is also `Live` or `Past`, a `Revision` is `Past`: the search indexes are made of these two labels.",
        "",
        "Relationships are read from left to right. Those with an `open_key` are unique while they are open: one for each",
        "(from, type, to). A closed one stays, with its recorded interval.",
        *_nodes(),
        "",
        "## Relationships with properties",
        *_relationships(),
    )


def messages_page() -> str:
    """Every message of an error."""
    return _page(
        "Messages of errors",
        "What each error says, by its [code](errors.md), with `…` in the place of a value. An example is what a test was told;",
        "a message without a value is its own. A folder that a test made is called `/srv/example`.",
        "`pytest --record-errors` keeps examples for forms that lack one; a test names the few that it cannot provoke, each with",
        "the reason.",
        *error_forms.page_lines(),
    )


PAGES: Mapping[str, Callable[[], str]] = {
    "settings.md": settings_page,
    "cli.md": cli_page,
    "cli-json.schema.json": answer_schema.written,
    "graph.md": graph_page,
    "messages.md": messages_page,
}


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        FOLDER.joinpath(name).write_text(page(), "utf-8")


def _page(title: str, *lines: str) -> str:
    made = "Made from the code by `python -m graph_memory.reference`; a test compares."
    return "\n".join([f"# {title}", "", made, "", *lines]) + "\n"


def _place(path: Sequence[str]) -> str:
    name = f"`{PREFIX}{'_'.join(path[:2]).upper()}`"
    return f"`{'.'.join(path[2:])}` of {name}" if path[2:] else name


def _sections() -> Iterator[str]:
    for section, field in Settings.model_fields.items():
        kind = field.annotation
        assert isinstance(kind, type)
        assert issubclass(kind, Section)
        yield from ("", f"## {section}", "", inspect.getdoc(kind) or "", "")
        yield from ("| name | what | rule | default | reason to turn it |", "| --- | --- | --- | --- | --- |")
        yield from (_setting(section, name, each) for name, each in kind.model_fields.items())
        yield from (line for name, each in kind.model_fields.items() for line in _inside(section, name, each))


def _inside(section: str, name: str, field: FieldInfo) -> Iterator[str]:
    """What each value of a setting that holds tables is made of."""
    for kind in get_args(field.annotation):
        if isinstance(kind, type) and issubclass(kind, Section):
            full = f"{PREFIX}{section}_{name}".upper()
            yield from ("", f"Each `{kind.__name__}` of `{full}`: {inspect.getdoc(kind)}", "")
            yield from ("| name | what | rule | default |", "| --- | --- | --- | --- |")
            for inner, each in kind.model_fields.items():
                default = "required" if each.is_required() else _default(each)
                yield f"| `{inner}` | {each.description} | {_rule(each)} | {default} |"


def _setting(section: str, name: str, field: FieldInfo) -> str:
    full = f"{PREFIX}{section}_{name}".upper()
    default = _OF_THE_MACHINE.get(full) or _default(field)
    return f"| `{full}` | {field.description} | {_rule(field)} | {default} | {reasons()[section][name]} |"


@cache
def reasons() -> dict[str, dict[str, str]]:
    """Why somebody would turn each setting, by section and name."""
    return tomllib.loads(FOLDER.joinpath("setting-reasons.toml").read_text("utf-8"))


def _rule(field: FieldInfo) -> str:
    return ", ".join([_kind(field.annotation), *_bounds(field.metadata)])


def _bounds(metadata: Iterable[Any]) -> list[str]:
    return [
        f"{sign} {getattr(each, name)}"
        for each in metadata
        for kind, name, sign in _BOUNDS
        if isinstance(each, kind)
    ]


def _kind(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return "one of " + ", ".join(f"`{each}`" for each in inner)
    if isinstance(annotation, EnumType):
        return "one of " + ", ".join(f"`{each}`" for each in cast(Iterable[Any], annotation))
    if origin in (Union, types.UnionType):
        return " or ".join(_kind(each) for each in inner if each is not type(None))
    if origin is Annotated:
        return ", ".join(
            [
                _kind(inner[0]),
                *_bounds(each for field in inner[1:] for each in getattr(field, "metadata", ())),
            ]
        )
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return f"`{annotation.__name__}`"
    if origin is tuple and Ellipsis not in inner:
        return " and ".join(_kind(each) for each in inner)
    if origin is dict:
        return f"{_kind(inner[1])} for each {_kind(inner[0])}"
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
    if isinstance(value, dict):
        return f"`{json.dumps(value)}`"
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


@cache
def commands() -> dict[str, Any]:
    """Each command by the words that lead to it: `recall`, `keys create`."""
    named = ((name, cli.loaded(name)) for row in cli.COMMANDS for name in row.names)
    return dict(each for name, command in named for each in _below(name, command))


def _below(words: str, command: Any) -> Iterator[tuple[str, Any]]:
    inside = getattr(command, "commands", {})
    if not inside or command.invoke_without_command:
        yield words, command
    for name, each in inside.items():
        yield from _below(f"{words} {name}", each)


def _nodes() -> Iterator[str]:
    for kind in graph_schema.NODES:
        keys = ", ".join(f"({', '.join(key)})" for key in kind.KEYS)
        labels = ", ".join(f"`{each}`" for each in kind.__optional_labels__)
        also = f" It may also be {labels}." if labels else ""
        yield from ("", f"## {kind.__label__}", "", f"{inspect.getdoc(kind)} Unique: {keys}.{also}")
        yield from (*_properties(kind), *_outgoing(kind))


def _outgoing(kind: Any) -> Iterator[str]:
    found = kind.defined_properties(properties=False, aliases=False).values()
    named = sorted(f"`{each.definition['relation_type']}` to {_target(each)}" for each in found)
    yield from ("", f"Relationships: {', '.join(named)}.") if named else ()


def _target(relationship: Any) -> str:
    kind = relationship._raw_class
    return kind if isinstance(kind, str) else str(kind.__label__)


def _relationships() -> Iterator[str]:
    for kind in (graph_schema.Link, graph_schema.Recorded, graph_schema.Shared):
        names = sorted(name for name, model in graph_schema.relationships().items() if model is kind)
        yield from ("", f"### {', '.join(names)}", "", inspect.getdoc(kind) or "", *_properties(kind))


def _properties(kind: Any) -> Iterator[str]:
    yield from ("", "| property | type | always there |", "| --- | --- | --- |")
    for name, each in kind.defined_properties(aliases=False, rels=False).items():
        choices = getattr(each, "choices", None)
        values = f": {', '.join(f'`{value}`' for value in choices)}" if choices else ""
        stored = f"{_STORED[type(each)]}{values}"
        yield f"| `{each.get_db_property_name(name)}` | {stored} | {'yes' if each.required else ''} |"


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
