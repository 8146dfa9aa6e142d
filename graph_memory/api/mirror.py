"""One object made after another: what both spell alike is taken over."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made", bound="DataclassInstance")


def mirror(made: type[Made], source: Any, /, **others: Any) -> Made:
    """A `made` with the values that `source` has under the same names, tuples as lists; `others` are given here."""
    names = [each.name for each in fields(made) if each.init and each.name not in others]
    same = {name: getattr(source, name) for name in names}
    return made(
        **{name: list(each) if isinstance(each, tuple) else each for name, each in same.items()}, **others
    )
