"""Every error has a code, and every code a line in the reference."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import GraphQLArgument, GraphQLError, build_schema

from graph_memory import error_forms
from graph_memory.api import faults
from graph_memory.api.as_written import name_as_written, written
from graph_memory.api.faults import AT_THE_TOP, ErrorCode, formatted
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


_LANGGRAPH = "langgraph is an optional part, which is not installed where examples are kept"
_TORCH = "sentence-transformers is an optional part, which is not installed where examples are kept; tests/extras meets it"

# The forms with a value that no test can provoke where examples are kept, and why.
UNPROVOKED = {
    "… is not a comparison of a filter; there are $eq, $ne, $gt, $gte, $lt and $lte.": _LANGGRAPH,
    "… is not an operation of a store; there are GetOp, PutOp, SearchOp and ListNamespacesOp.": _LANGGRAPH,
    "The model … gives … numbers, GRAPH_MEMORY_EMBEDDER_DIMENSION says ….": _TORCH,
    "sentence-transformers cannot load …; name a folder or a model with GRAPH_MEMORY_EMBEDDER_MODEL.": _TORCH,
    "The copy has … nodes and … relationships, the store … and …; the store stays as it was. Stop what writes to it and "
    "try again.": "a server would have to lose what was written to it, or somebody to write to a server that nobody knows of",
}

# What does not belong into a sentence: words of Python, a plural in brackets or after one, a point too many.
BLEMISHES = re.compile(
    r"(?<!\.)\b[A-Z]\w+(?:Error|Exception)\b|<class|Traceback|\(s\)|\.\.$|\b1 [a-z]+s (?:were|are)\b|\b(?<!here )is no (?!longer)[a-z]"
)


def test_every_form_with_a_value_has_an_example() -> None:
    kept = error_forms.examples()
    lacking = {
        form
        for code, forms in error_forms.forms().items()
        for form in forms
        if error_forms.VALUE in form and form not in kept.get(code, {})
    }
    told = "run pytest --record-errors with a test that provokes it"
    assert sorted(lacking - UNPROVOKED.keys()) == [], told
    assert sorted(UNPROVOKED.keys() - lacking) == [], "it has an example, or is told no more"


def test_no_example_has_what_does_not_belong_into_a_sentence() -> None:
    told = [message for kept in error_forms.examples().values() for message in kept.values()]
    assert [message for message in told if BLEMISHES.search(message)] == []


def test_a_folder_of_a_test_is_shown_by_one_name_and_others_are_not_shown() -> None:
    for made in ("/tmp/pytest-of-ann/pytest-3/test_x0", "/dev/shm/pytest-of-ann/shared-of-pytest-3"):
        told = error_forms.shown(f"There is no store in {made}/stack yet.")
        assert told == "There is no store in /srv/example/stack yet."
        assert error_forms.is_fit_to_show(told)
    assert not error_forms.is_fit_to_show("There is no store in /home/ann/stack yet.")


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


INPUT = build_schema(
    "type Query{a:Int} input One{text:String fact:Fact ids:[ID!] name:String} input Fact{text:String validFrom:String}"
)
TAKEN = {"input": GraphQLArgument(INPUT.type_map["One"])}  # type: ignore[arg-type]


def test_a_fault_names_the_argument_in_which_its_value_lies() -> None:
    renames = {"facts[0]": "fact", "facts": "ids", "id": "ids", "revision": ""}
    told = {
        "facts[0].valid_from": "input.fact.validFrom", "facts[3]": "input.ids[3]", "id": "input.ids", "ids[2]": "input.ids[2]",
        "revision": "input", "revision.text": "input.text", "name": "input.name", "input.name": "input.name",
        "elsewhere": "elsewhere",
    }  # fmt: skip
    assert {path: written(path, TAKEN, renames) for path in told} == told


def test_a_long_message_is_cut() -> None:
    assert len(formatted(GraphQLError("x" * 10_000))["message"]) <= 500


def test_a_message_names_the_value_of_the_input_and_leaves_the_words_of_the_sentence() -> None:
    faults = [
        errors.BadId("This is the id of a Memory; the id of an Entity is needed.", path="id"),
        errors.NotFound("There is no name nope.", path="name"),
        errors.Invalid("name is empty.", path="name"),
        errors.Invalid("text must be short.", path="facts[0].text"),
        errors.Invalid("The facts[0].text is too long.", path="facts[0].text"),
    ]
    name_as_written(errors.Invalid.together(faults), TAKEN, {"facts[0]": ""})
    assert [each.message for each in faults] == [
        "This is the id of a Memory; the id of an Entity is needed.",
        "There is no name nope.",
        "input.name is empty.",
        "input.text must be short.",
        "The input.text is too long.",
    ]


def test_faults_of_a_file_are_counted_in_words_that_fit() -> None:
    assert "has a broken line, nothing" in str(errors.InvalidFile("a.txt", [(1, "empty")]))
    assert "has 2 broken lines, nothing" in str(errors.InvalidFile("a.txt", [(1, "empty"), (2, "empty")]))
