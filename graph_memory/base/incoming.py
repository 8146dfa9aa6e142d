"""What comes in as JSON: read, checked by a pydantic model, and its faults told by field and rule, all at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from graph_memory.base.errors import Invalid

Model = TypeVar("Model", bound="Incoming")
Value = TypeVar("Value")

_SHOWN = 60
# What Python says of JSON, in words for people; the place is told beside it.
_OF_JSON = {
    "Expecting value": "a value is missing",
    "Expecting property name enclosed in double quotes": "the name of a field in double quotes is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Unterminated string starting at": "a text begins that does not end",
    "Invalid control character at": "a control character stands, which is written as \\n or \\u000a",
    "Extra data": "something follows the end",
}
_RULES = {
    "missing": "is missing",
    "string_type": "must be text",
    "string_unicode": "holds half of a surrogate pair, so it is not valid Unicode",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "datetime_type": "must be a time",
    "bool_parsing": "must be true or false",
    **dict.fromkeys(("int_parsing", "int_from_float"), "must be a whole number"),
    "float_parsing": "must be a number",
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "must be an object"),
}
_BOUNDS = {
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "too_short": "must hold {min_length} or more",
    "too_long": "must hold {max_length} or fewer",
}


class Incoming(BaseModel):
    """A model of what comes in: nothing beside its fields, no value of another type; JSON spells `valid_to` validTo."""

    model_config = ConfigDict(extra="forbid", strict=True, alias_generator=to_camel)


def json_object(text: str) -> dict[str, Any]:
    """The JSON object that a text is; Invalid says why it is none."""
    try:
        found = json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        told = not_json(error)
        raise Invalid(f"this is not JSON: {told}") from None
    except (ValueError, RecursionError):
        raise Invalid(
            "this is not JSON that can be read: a number is too long or the brackets are too deep"
        ) from None
    if not isinstance(found, dict):
        raise Invalid('this is not a JSON object, as in {"text": "Ann sails."}')
    return found


def not_json(error: json.JSONDecodeError) -> str:
    """What is wrong with a text that is not JSON, and where."""
    place = (
        f"character {error.colno}" if error.lineno == 1 else f"character {error.colno} of line {error.lineno}"
    )
    return f"at {place} {_OF_JSON.get(error.msg, 'there is something that does not belong there')}"


def check(model: type[Model], given: Any, path: str = "") -> Model:
    """What is given by the names of JSON, or inside of it as attributes, as the model.

    Invalid tells all faults, each below `path`.
    """
    try:
        return model.model_validate(given, from_attributes=True)
    except ValidationError as error:
        found = faults_of(error, model)
        below = f"{path}." if path else ""
        told = "; ".join(f"{field} {rule}" for field, rule in found)
        faults = [Invalid(f"{below}{field} {rule}.", path=f"{below}{field}") for field, rule in found]
        raise (Invalid.together(faults, f"{below}{told}.") if len(faults) > 1 else faults[0]) from None


def rule(checked: Callable[[Value, str], Value]) -> AfterValidator:
    """A check of ours, which takes a value and its name and raises Invalid, as the rule of a field."""

    def applied(value: Value) -> Value:
        try:
            return checked(value, "")
        except Invalid as error:
            raise ValueError(error.message) from None

    return AfterValidator(applied)


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[tuple[str, str]]:
    """The field of each fault as it was typed, as in `entities[0].name`, and the rule that it breaks."""
    return [(_spelled(item["loc"]), _rule(item, model)) for item in error.errors(include_url=False)]


def _rule(item: Any, model: type[BaseModel]) -> str:
    kind, expected = item["type"], item.get("ctx", {}).get("expected", "")
    if kind == "value_error":
        return str(item["ctx"]["error"]).strip(" .")
    if kind == "extra_forbidden":
        return f"is unknown; known are {', '.join(_fields(model, item['loc'][:-1]))}"
    if kind in ("enum", "literal_error"):
        choices = expected.replace("'", "").replace(" or ", ", ")
        return f"must be one of {choices}, and is {str(item['input'])[:_SHOWN]!r}"
    if bound := _BOUNDS.get(kind):
        return bound.format(**item["ctx"])
    return _RULES.get(kind, str(item["msg"]))


def _spelled(place: tuple[int | str, ...]) -> str:
    told = "".join(f"[{each}]" if isinstance(each, int) else f".{each[:_SHOWN]}" for each in place)
    return told.removeprefix(".")


def _fields(model: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """What the object at a place of a model may hold."""
    named = {field.alias or name: field for name, field in model.model_fields.items()}
    steps = [step for step in place if isinstance(step, str)]
    if not steps:
        return list(named)
    [inner] = _models_in(named[steps[0]].annotation)
    return _fields(inner, tuple(steps[1:]))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for each in get_args(annotation) for model in _models_in(each)]


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise Invalid(f"the field {name[:_SHOWN]} is given twice; leave one of them out")
        if any("\ud800" <= char <= "\udfff" for char in name):
            raise Invalid("the name of a field holds half of a surrogate pair, so it is not valid Unicode")
        fields[name] = value
    return fields
