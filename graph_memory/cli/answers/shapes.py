"""Shapes that are made of others: what commands add to the domain's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, make_dataclass
from typing import Any, ClassVar, get_type_hints


class Open:
    """A shape that has more than its fields."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "allow"}


def also(name: str, kind: type[Any], without: tuple[str, ...] = (), /, **more: Any) -> type[Any]:
    """A shape with the fields of another, but for some, and more."""
    hints = get_type_hints(kind, include_extras=True)
    kept = {each.name: hints[each.name] for each in fields(kind) if each.name not in without}
    return make_dataclass(name, list({**kept, **more}.items()), namespace={"__doc__": kind.__doc__})


def written(kind: type[Any]) -> type[Any]:
    """What a command that writes answers: also whether it is the answer of an earlier call with the same key."""
    return also(f"{kind.__name__}Written", kind, replayed=bool)


def changed(kind: type[Any]) -> type[Any]:
    """The same of a command that changes memories: also the numbers of its changes, which `undo` takes."""
    return also(f"{kind.__name__}Changed", kind, changes=list[int], replayed=bool)


def page(kind: type[Any]) -> type[Any]:
    """One page of a list, with the cursor after which the next one begins."""
    parts: list[tuple[str, Any]] = [("items", many(kind)), ("next", str | None)]
    return make_dataclass(f"PageOf{kind.__name__}", parts, namespace={"__doc__": page.__doc__})


def many(kind: Any) -> Any:
    """A list of that."""
    return list[kind]
