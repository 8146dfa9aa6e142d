"""An answer of the service as the type that tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from graph_memory.client.answers.listed import Page

T = TypeVar("T")


def read(kind: type[T], value: Any) -> T:
    """A value of an answer as this type."""
    return cast(T, _value(kind, value))


def _value(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Page:
        return _page(inner[0], value)
    if origin in (Union, UnionType):
        return None if value is None else _value(next(each for each in inner if each is not NoneType), value)
    if origin is tuple:
        return tuple(_value(inner[0], each) for each in value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    return _object(kind, value) if is_dataclass(kind) else value


def spelled(name: str) -> str:
    """A name as GraphQL spells it: `valid_from` is `validFrom`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(each.capitalize() for each in rest)


def _page(kind: Any, value: Mapping[str, Any]) -> Page[Any]:
    info = value["pageInfo"]
    nodes = tuple(_value(kind, row) for row in value["nodes"])
    return Page(nodes, info["hasNextPage"], info["endCursor"])


def _object(kind: Any, value: Mapping[str, Any]) -> Any:
    return kind(
        **{
            name: _value(hint, value[place])
            for name, place, hint, is_optional in shape(kind)
            if place in value or not is_optional
        }
    )


@cache
def shape(kind: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    """Each field of a result: its name, its place in the answer, its type, and whether it may be missing there."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, spelled(each.name), hints[each.name], each.default is not MISSING)
        for each in fields(cast(Any, kind))
    )
