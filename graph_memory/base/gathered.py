"""Faults of one request, told all at once instead of one at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from graph_memory.base.errors import BadId, Invalid, UserError

# What is given at once may be wrong a thousand times in the same way.
MOST = 100

Given = ParamSpec("Given")
Value = TypeVar("Value")


class Gathered:
    """What checks refuse; `refuse` raises all of it."""

    def __init__(self) -> None:
        self.faults: list[UserError] = []

    def of(self, check: Callable[Given, Value], *args: Given.args, **kwargs: Given.kwargs) -> Value:
        """What a check answers. Where it refuses it is None, and `refuse` has to come before anybody looks at it."""
        try:
            return check(*args, **kwargs)
        except (Invalid, BadId) as fault:
            self.faults.extend(fault.each)
            return cast(Value, None)

    def refuse(self) -> None:
        """Raises what was refused, at most a hundred faults of it; nothing where all was well."""
        if len(self.faults) == 1:
            raise self.faults[0]
        if self.faults:
            raise Invalid.together(self.faults[:MOST])
