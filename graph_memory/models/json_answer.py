"""JSON out of what a model said: in fences, with prose around it, with small slips. It is never trusted further."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from graph_memory.language import patterns

MAX_LENGTH = 200_000

_TRAILING_COMMA = patterns.compile(r",(\s*[\]}])")
_DECODER = json.JSONDecoder()

Answer = TypeVar("Answer", bound=BaseModel)


class Unreadable(ValueError):  # noqa: N818 - named by what is wrong
    """There is no answer in what the model said."""


def value(text: str) -> Any:
    """The JSON value in a text; None for an empty one. Unreadable when there is none, or the text is too long.

    Taken as they are: a value alone, in a fence, or with prose around it. Repaired: commas before a closing bracket.
    """
    if len(text) > MAX_LENGTH:
        raise Unreadable(f"the answer has {len(text):,} characters")
    if not text.strip():
        return None
    for candidate in (text.strip(), *_fenced(text), *_from_brackets(text)):
        for spelled in (candidate, _TRAILING_COMMA.sub(r"\1", candidate)):
            try:
                found, _ = _DECODER.raw_decode(spelled)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict | list):
                return found
    raise Unreadable("the answer holds no JSON")


def parts(text: str, key: str) -> list[Any]:
    """The items of a list, however it was given: bare, under `key`, or as one object alone; [] for an empty answer.

    Of a list that was cut off, the items before the cut.
    """
    try:
        found = value(text)
    except Unreadable:
        found = _before_the_cut(text)
    if isinstance(found, dict):
        found = found.get(key, [found] if found else [])
    if found is None:
        return []
    if not isinstance(found, list):
        raise Unreadable(f"{key} is no list")
    return found


def answer(kind: type[Answer], text: str) -> Answer:
    """The answer as its model wants it; Unreadable names the fields that do not fit, never their values."""
    found = value(text)
    if not isinstance(found, Mapping):
        raise Unreadable("the answer is no object")
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        places = sorted({".".join(map(str, each["loc"])) for each in error.errors(include_input=False)})
        raise Unreadable(f"these fields do not fit: {', '.join(places)[:200]}") from None


def _fenced(text: str) -> list[str]:
    """What stands between the first fence and the next, without the word behind the fence."""
    _, _, inside = text.partition("```")
    word, _, body = inside.partition("\n")
    found, fence, _ = body.partition("```")
    return [found.strip()] if fence and word.strip().lower() in ("", "json") else []


def _from_brackets(text: str) -> list[str]:
    """The text from its first opening brackets on."""
    starts = sorted(at for at in (text.find("{"), text.find("[")) if at > 0)
    return [text[at:] for at in starts]


def _before_the_cut(text: str) -> list[Any]:
    if len(text) > MAX_LENGTH or "[" not in text:
        raise Unreadable("the answer holds no JSON")
    at, found = text.index("[") + 1, []
    while True:
        at = patterns.compile(r"[\s,]*").match(text, at).end()  # type: ignore[union-attr]
        try:
            item, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(item)
    if not found:
        raise Unreadable("the answer breaks off before its first item")
    return found
