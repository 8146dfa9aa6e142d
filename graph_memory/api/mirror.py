"""One object made after another: what both spell alike is taken over."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made", bound="DataclassInstance")


def mirror(made: type[Made], source: Any, /, **others: Any) -> Made:
    """A `made` with the values that `source` has under the same names, tuples as lists; `others` are given here."""
    same = {name: getattr(source, name) for name in _names(made) if name not in others}
    return made(
        **{name: list(each) if isinstance(each, tuple) else each for name, each in same.items()}, **others
    )


@cache
def _names(made: type[DataclassInstance]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(made) if each.init)
