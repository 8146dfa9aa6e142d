"""Documents that are named by their hash: which are known, which are refused, and that they are kept within bounds."""

from __future__ import annotations

import asyncio
import json
import logging
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from graphql import GraphQLError

from graph_memory.api.schema import make_schema
from graph_memory.api.trusted import KnownDocuments
from graph_memory.base.errors import Misconfigured
from graph_memory.base.settings import ApiSettings
from graph_memory.client.exchange import document

MINE = "query Mine { version }"


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def named(text: str) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": hash_of(text)}}


def refused(known: KnownDocuments, query: str | None, extensions: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(GraphQLError) as told:
        known.text_of(query, extensions)
    return told.value.message, str((told.value.extensions or {})["code"])


def test_a_document_is_known_by_its_hash_once_it_was_sent_with_it() -> None:
    known = KnownDocuments(ApiSettings())
    assert refused(known, None, named(MINE)) == ("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
    assert known.text_of(MINE, named(MINE)) == MINE
    assert known.text_of(None, named(MINE)) == MINE
    assert known.text_of(MINE, None) == MINE


def test_a_hash_of_something_else_and_what_is_no_hash_are_refused() -> None:
    known = KnownDocuments(ApiSettings())
    assert refused(known, "{ version }", named(MINE))[1] == "INVALID_DOCUMENT"
    for odd in (1, "x", {}, {"version": 2, "sha256Hash": hash_of(MINE)}, {"version": 1, "sha256Hash": "AB"}):
        assert refused(known, MINE, {"persistedQuery": odd})[1] == "INVALID_DOCUMENT"
    assert refused(known, None, named(MINE))[1] == "PERSISTED_QUERY_NOT_FOUND"


def test_what_is_kept_is_bounded_and_what_was_not_asked_for_longest_goes_first() -> None:
    known = KnownDocuments(ApiSettings().model_copy(update={"persisted_cache": 1000}))
    texts = [f"query Q{number} {{ version }}" + " " * 100 for number in range(20)]
    for text in texts:
        known.text_of(text, named(text))
        known.text_of(texts[0], named(texts[0]))
        assert known.text_of(None, named(texts[0])) == texts[0]
    assert refused(known, None, named(texts[1]))[1] == "PERSISTED_QUERY_NOT_FOUND"
    huge = "{ version }" + " " * 2000
    assert known.text_of(huge, named(huge)) == huge
    assert refused(known, None, named(huge))[1] == "PERSISTED_QUERY_NOT_FOUND"
    off = KnownDocuments(ApiSettings().model_copy(update={"persisted_cache": 0}))
    assert off.text_of(MINE, named(MINE)) == MINE
    assert refused(off, None, named(MINE)) == ("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED")


@pytest.mark.parametrize("form", ["folder", "file"])
def test_the_operations_of_this_project_and_of_the_operator_are_trusted(tmp_path: Path, form: str) -> None:
    where = tmp_path if form == "folder" else tmp_path / "documents.json"
    if form == "folder":
        tmp_path.joinpath("mine.graphql").write_text(MINE + "\n")
    else:
        where.write_text(json.dumps({"any id": MINE}))
    known = KnownDocuments(ApiSettings(trusted="enforce", trusted_documents=where))
    for text in (MINE, document("viewer"), document("viewer").strip()):
        assert known.text_of(None, named(text)) == text
        known.check(text, None)
    with pytest.raises(GraphQLError, match="Only trusted documents"):
        known.check("{ version }", None)
    assert refused(known, None, named("{ version }"))[1] == "PERSISTED_QUERY_NOT_FOUND"
    known.text_of("{ version }", named("{ version }"))
    assert refused(known, None, named("{ version }"))[1] == "PERSISTED_QUERY_NOT_FOUND", (
        "nothing else is kept"
    )


def test_a_place_without_documents_is_told_when_the_service_starts(tmp_path: Path) -> None:
    tmp_path.joinpath("odd.json").write_text("[1]")
    tmp_path.joinpath("text.json").write_text("query {")
    for name in ("missing", "odd.json", "text.json"):
        with pytest.raises(Misconfigured, match="GRAPH_MEMORY_API_TRUSTED_DOCUMENTS"):
            KnownDocuments(ApiSettings(trusted="log", trusted_documents=tmp_path / name))


@pytest.mark.parametrize(("mode", "data"), [("off", True), ("log", True), ("enforce", False)])
def test_each_operation_passes_by_the_setting(
    mode: Any, data: bool, caplog: pytest.LogCaptureFixture
) -> None:
    schema = make_schema(ApiSettings(trusted=mode))
    context = SimpleNamespace(is_stream=False, cost=None, operation=None, require=lambda right: None)
    with caplog.at_level(logging.WARNING):
        answer: Any = asyncio.run(schema.execute("{ version secret: __typename }", context_value=context))
    assert (answer.data is not None) == data
    assert [record.getMessage() for record in caplog.records] == ["untrusted document"] * (mode == "log")
    assert "secret" not in repr(
        [vars(record) for record in caplog.records if record.name.startswith("graph")]
    )
    if not data:
        assert answer.errors[0].extensions == {"code": "UNTRUSTED_DOCUMENT"}
