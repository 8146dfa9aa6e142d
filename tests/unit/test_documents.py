"""Parsed documents are kept for the memory that they take, however many there are."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from graphql import parse

from graph_memory.api.documents import Documents
from graph_memory.api.schema import make_schema
from graph_memory.base.settings import ApiSettings

HOSTILE: dict[str, Callable[[int], str]] = {
    "one long string": lambda n: f'{{memory(id:"{n}' + "x" * 60_000 + '\U0001f600"){id}}',
    "many tokens": lambda n: f"{{a{n}:nodes(ids:[" + "1 " * 3900 + "]){id}}",
    "small": lambda n: f"{{a{n}:version}}",
    "spaces": lambda n: f"{{a{n}:version}}" + " " * 60_000,
    "comments": lambda n: f"{{a{n}:version}}#" + "\U0001f600" * 60_000,
}


@pytest.mark.parametrize("document", HOSTILE.values(), ids=HOSTILE)
def test_what_is_kept_takes_no_more_than_is_allowed(document: Callable[[int], str]) -> None:
    documents = Documents(2_000_000)
    tracemalloc.start()
    try:
        for number in range(4):
            text = document(number)
            documents.keep(text, parse(text, max_tokens=4000))
        del text
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 2_500_000


def test_the_one_that_was_asked_for_last_stays() -> None:
    one, two, three = "{version}", "{viewer{tenant}}", "{a:version}"
    documents = Documents(9_000)
    documents.keep(one, parse(one))
    documents.keep(two, parse(two))
    assert documents.get(one)
    documents.keep(three, parse(three))
    assert documents.get(one)
    assert documents.get(two) is None


def test_a_document_that_is_too_long_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(*_: Any, **__: Any) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr("strawberry.schema.schema.parse", parsed)
    assert _codes("{version" + " " * 65_536 + "}") == ["TOO_COMPLEX"]


def test_a_known_document_is_still_held_to_its_cost_and_its_operation() -> None:
    schema = make_schema(ApiSettings(max_cost=50))
    costly = "query($n:Int){memories(first:$n){nodes{id}}}"
    assert _codes(costly, schema, n=99) == ["TOO_COSTLY"]
    assert _codes(costly, schema, n=99) == ["TOO_COSTLY"]
    several = "query a{__typename} query b{__typename}"
    assert _codes(several, schema, operation="a") == []
    assert _codes(several, schema) == ["INVALID_DOCUMENT"]


def test_a_refused_document_is_refused_again() -> None:
    schema = make_schema()
    for _ in range(2):
        assert _codes("{nothing}", schema) == [None]
        assert _codes("{" + " ".join(f"a{i}:version" for i in range(31)) + "}", schema) == ["TOO_COMPLEX"]


def _codes(text: str, schema: Any = None, operation: str | None = None, **variables: Any) -> list[Any]:
    context = SimpleNamespace(cost=None, operation=None, is_stream=False, root_field=None)
    asked = (schema or make_schema()).execute(
        text, variables, context_value=context, operation_name=operation
    )
    return [(error.extensions or {}).get("code") for error in asyncio.run(asked).errors or ()]
