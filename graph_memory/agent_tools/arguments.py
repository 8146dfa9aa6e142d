"""What tools are given: its types with their checks, and how all that is wrong with it is told at once."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from pydantic import AfterValidator, Field, ValidationError, ValidationInfo

from graph_memory.base.errors import GraphMemoryError, Invalid, UserError
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import check_id
from graph_memory.base.incoming import faults_of
from graph_memory.client.sending import moment

Value = TypeVar("Value")

MOST = 50


class Refused(ValueError):  # noqa: N818 - named by what happened
    """A fault of ours, as pydantic carries it."""

    def __init__(self, fault: UserError) -> None:
        super().__init__(fault.message)
        self.fault = fault


def checked(check: Callable[[str, Value], object]) -> AfterValidator:
    """A check of ours, which takes the name of an argument and its value, as the rule of a type."""

    def applied(value: Value, info: ValidationInfo) -> Value:
        try:
            check(str(info.field_name), value)
        except UserError as fault:
            raise Refused(fault) from None
        return value

    return AfterValidator(applied)


def _is_said(name: str, value: str) -> None:
    if not value.strip():
        raise Invalid(f"{name} is empty.", path=name)


def _is_memory(name: str, value: str) -> None:
    try:
        is_global = b64decode(value, validate=True).startswith(b"Memory:")
    except ValueError:
        is_global = False
    if not is_global:
        check_id(value, path=name)


def _are_memories(name: str, values: Sequence[str]) -> None:
    faults = Gathered()
    for place, value in enumerate(values):
        faults.of(_is_memory, f"{name}[{place}]", value)
    faults.refuse()


def _is_moment(name: str, value: str | None) -> None:
    if value is not None:
        moment(name, value)


Text = Annotated[str, checked(_is_said)]
Id = Annotated[str, checked(_is_memory), Field(description="The memory's id, as another tool has told it.")]
Ids = Annotated[
    list[str],
    Field(min_length=1, max_length=MOST, description="The memories' ids."),
    checked(_are_memories),
]
Limit = Annotated[int, Field(ge=1, le=MOST, description="How many at most.")]
When = Annotated[
    str | None,
    checked(_is_moment),
    Field(
        description="A past or coming moment with its offset, as 2026-03-15T09:00:00Z, or a day, as 2026-03-15."
    ),
]


class CheckedTool(Tool):
    """A tool that takes its own arguments and no others."""

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self.parameters["additionalProperties"] = False

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """Carries it out, or tells every fault of its arguments."""
        faults = [*self._unknown(arguments), *self._broken(arguments)]
        if faults:
            raise ToolError(f"Error executing tool {self.name}: {told(Invalid.together(faults))}")
        return await super().run(arguments, context, convert_result)

    def _unknown(self, arguments: Mapping[str, Any]) -> Iterator[UserError]:
        known = {name.replace("_", "").casefold(): name for name in self.parameters["properties"]}
        for name in arguments:
            if name not in known.values():
                near = get_close_matches(name.replace("_", "").casefold(), known, n=1)
                hint = (
                    f"did you mean {known[near[0]]}?" if near else f"there are {', '.join(known.values())}."
                )
                yield Invalid(f"There is no argument {name[:60]} of {self.name}; {hint}", path=name)

    def _broken(self, arguments: dict[str, Any]) -> Iterator[UserError]:
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            rules = faults_of(error, self.fn_metadata.arg_model)
            for item, (name, rule) in zip(error.errors(include_url=False), rules, strict=True):
                refused = item.get("ctx", {}).get("error")
                if isinstance(refused, Refused):
                    yield from refused.fault.each
                else:
                    yield Invalid(f"{name} {rule}.", path=name)


def told(error: GraphMemoryError) -> str:
    """An error in its own words with its code, for the model to read and act on; each of several on its line."""
    faults = error.each if isinstance(error, UserError) else (error,)
    return "\n".join(f"{fault.code}: {fault.message}" for fault in faults)
