"""Every error has a code, and every code a line in the reference."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import GraphQLError

from graph_memory import error_forms
from graph_memory.api import faults
from graph_memory.api.faults import AT_THE_TOP, ErrorCode, formatted, user_error
from graph_memory.api.fields import under_input
from graph_memory.base import errors

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "errors.md"
OF_THE_API = (
    faults.SYNTAX,
    faults.INVALID_DOCUMENT,
    faults.TOO_COMPLEX,
    faults.TOO_COSTLY,
    faults.UNTRUSTED_DOCUMENT,
    faults.PERSISTED_QUERY_NOT_FOUND,
    faults.PERSISTED_QUERY_NOT_SUPPORTED,
    faults.INTERNAL,
)


def _classes(root: type[errors.GraphMemoryError]) -> Iterator[type[errors.GraphMemoryError]]:
    for each in root.__subclasses__():
        if each.__module__ == errors.__name__:
            yield each
            yield from _classes(each)


def test_the_reference_lists_every_code_and_no_other() -> None:
    listed = re.findall(r"^\| `([A-Z_]+)` \|", REFERENCE.read_text("utf-8"), re.MULTILINE)
    known = [each.code for each in _classes(errors.GraphMemoryError) if each.code != "ERROR"]
    assert sorted(listed) == sorted([*known, *OF_THE_API])


def test_the_reference_says_what_the_error_says() -> None:
    told = REFERENCE.read_text("utf-8")
    for each in _classes(errors.GraphMemoryError):
        if each.code != "ERROR":
            assert f"| `{each.code}` | {(inspect.getdoc(each) or '').strip()} |" in told, each.code


def test_every_code_that_can_be_data_is_in_the_schema() -> None:
    top = {each.code for each in AT_THE_TOP}
    known = {each.code for each in _classes(errors.UserError)} - top
    assert {each.value for each in ErrorCode} == known


def test_every_example_has_the_form_that_it_stands_for() -> None:
    for code, kept in error_forms.examples().items():
        for form, message in kept.items():
            assert form in error_forms.forms()[code], f"{form} is told no more; run pytest --record-errors"
            assert error_forms.pattern(form).fullmatch(message), form


# What is wrong with a line of a file: it stands after the line's number, in a longer message.
OF_LINES = {
    "this is not JSON that can be read: a number is too long or the brackets are too deep",
    'this is not a JSON object, as in {"text": "Ann sails."}',
    "the field … is given twice; leave one of them out",
    "the name of a field holds half of a surrogate pair, so it is not valid Unicode",
    "must stand on one line",
}


def test_every_message_is_a_whole_sentence() -> None:
    told = {form for each in error_forms.forms().values() for form in each} - OF_LINES
    assert len(told) > 300
    assert [form for form in told if not form.endswith((".", error_forms.VALUE))] == []


def test_codes_are_used_once() -> None:
    codes = [each.code for each in _classes(errors.GraphMemoryError) if each.code != "ERROR"]
    assert len(codes) == len(set(codes))


def test_an_unforeseen_error_is_told_by_an_id_alone(caplog: pytest.LogCaptureFixture) -> None:
    cause = ValueError("the secret text of a memory")
    told = formatted(GraphQLError(str(cause), original_error=cause))
    assert told["extensions"]["code"] == "INTERNAL"
    assert "secret" not in repr(told)
    assert "secret" not in repr([vars(record) for record in caplog.records])
    assert told["extensions"]["errorId"] == caplog.records[0].error_id  # type: ignore[attr-defined]


def test_the_operators_faults_keep_their_code() -> None:
    told = formatted(GraphQLError("x", original_error=errors.Unavailable()))
    assert told["extensions"]["code"] == "UNAVAILABLE"


def test_a_fault_names_the_input_value_as_the_client_wrote_it() -> None:
    fault = errors.Invalid("wrong", path="facts[3].valid_from")
    assert user_error(fault, (("facts", "input.memories"),)).path == "input.memories[3].validFrom"


def test_a_long_message_is_cut() -> None:
    assert len(formatted(GraphQLError("x" * 10_000))["message"]) <= 500


def test_a_message_names_the_value_of_the_input_and_leaves_the_words_of_the_sentence() -> None:
    renames = under_input("id", "name", text="text")
    told = {
        user_error(fault, renames).message
        for fault in (
            errors.BadId("This is the id of a Memory; the id of an Entity is needed.", path="id"),
            errors.NotFound("There is no name nope.", path="name"),
            errors.Invalid("name is empty.", path="name"),
            errors.Invalid("The facts[0].text is too long.", path="facts[0].text"),
        )
    }
    assert told == {
        "This is the id of a Memory; the id of an Entity is needed.",
        "There is no name nope.",
        "input.name is empty.",
        "The facts[0].text is too long.",
    }


def test_faults_of_a_file_are_counted_in_words_that_fit() -> None:
    assert "has a broken line, nothing" in str(errors.InvalidFile("a.txt", [(1, "empty")]))
    assert "has 2 broken lines, nothing" in str(errors.InvalidFile("a.txt", [(1, "empty"), (2, "empty")]))
