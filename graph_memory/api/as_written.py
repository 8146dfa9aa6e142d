"""What an error calls a value: the argument that the caller wrote, whatever the domain calls it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphql import GraphQLArgument, GraphQLInputObjectType, get_named_type

from graph_memory.base.errors import UserError
from graph_memory.base.field_names import in_graphql

Arguments = Mapping[str, GraphQLArgument]


def name_as_written(fault: UserError, arguments: Arguments, renames: Mapping[str, str]) -> None:
    """Gives the error, or each that it tells of, the caller's names.

    `renames` turn names of the domain into the argument's or the input's; "" is the input itself.
    """
    for each in fault.each:
        if each.path is not None:
            path = written(each.path, arguments, renames)
            each.message, each.path = _renamed(each.message, each.path, path), path


def written(path: str, arguments: Arguments, renames: Mapping[str, str]) -> str:
    """The place of a value: an argument, or what lies in the one input that has such a field."""
    for old in sorted(renames, key=len, reverse=True):
        if re.match(rf"{re.escape(old)}(?!\w)", path):
            path = (renames[old] + path.removeprefix(old)).removeprefix(".")
            break
    path = in_graphql(path)
    head = re.split(r"[.\[]", path)[0]
    if head in arguments:
        return path
    inputs = [name for name, taken in arguments.items() if not head or head in _fields(taken)]
    return f"{inputs[0]}.{path}".rstrip(".") if len(inputs) == 1 else path


def _fields(taken: GraphQLArgument) -> Mapping[str, object]:
    kind = get_named_type(taken.type)
    return kind.fields if isinstance(kind, GraphQLInputObjectType) else {}


def _renamed(message: str, old: str, new: str) -> str:
    """A message that names a value as the caller did. A plain word, such as `id`, is a name at its beginning only."""
    if re.search(r"[.\[]", old) and old in message:
        return message.replace(old, new)
    last = re.split(r"[.\]]", old)[-1]
    return (
        re.sub(rf"^(?:{re.escape(old)}|{re.escape(last)})(?!\w)", lambda _: new, message) if last else message
    )
