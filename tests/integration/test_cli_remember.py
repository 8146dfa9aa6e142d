"""`graph-memory remember`: all that a statement may carry, and many from standard input."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory.api.remembering import FactInput
from graph_memory.base.errors import IdempotencyMismatch, Invalid, InvalidFile
from graph_memory.base.scope import Scope
from graph_memory.cli import ledger, remembering
from graph_memory.cli.facts import entity_of, facts_of_lines
from graph_memory.memory import reading
from graph_memory.memory.statement import Statement
from graph_memory.model.memory import Fact, SourceKind, Trust
from graph_memory.store.service import Service

pytestmark = pytest.mark.stack


def say(scope: Scope, *words: str, given: str | None = None) -> str:
    told = ["remember", *words, "--tenant", scope.tenant_name, "--subject", "ann"]
    # With one command typer knows it without its name.
    done = CliRunner().invoke(remembering.app, told[1:], input=given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def data(scope: Scope, *words: str, given: str | None = None) -> Any:
    return json.loads(say(scope, *words, "--json", given=given))


def live(service: Service, scope: Scope) -> list[str]:
    """What is live by the machine's clock, which the command goes by."""
    today = replace(service, clock=lambda: datetime.now(UTC))
    return sorted(each.text for each in reading.browse(today, scope, 100).items)


def test_a_statement_takes_all_that_graphql_takes(service: Service, scope: Scope) -> None:
    words = (
        "--kind preference --tag Tea --metadata room=kitchen --entity Ann:PERSON --importance 0.9 --confidence 0.7 "
        "--critical --pinned --source web --source-ref page-7 --author Ben --session s1 --heading Tuesday "
        "--valid-from 2026-01-01T00:00:00Z --valid-to 2099-01-01T00:00:00Z --happens 2026-05-01T10:00:00Z "
        "--expires 2098-01-01T00:00:00Z"
    )
    id = data(scope, "Ann prefers tea.", *words.split())["id"]
    memory = reading.get(service, scope, id)
    assert memory is not None
    assert (memory.kind, memory.tags, dict(memory.metadata)) == ("preference", ("tea",), {"room": "kitchen"})
    assert (memory.base_importance, memory.confidence, memory.critical, memory.pinned) == (
        0.9,
        0.7,
        True,
        True,
    )
    source = memory.source
    assert (source.kind, source.ref, source.author) == (SourceKind.WEB, "page-7", "Ben")
    assert memory.trust is Trust.UNVERIFIED
    assert (memory.session_id, memory.heading) == ("s1", "Tuesday")
    times = (memory.valid_from, memory.valid_to, memory.happens_at, memory.expires_at)
    assert [each.year for each in times if each] == [2026, 2099, 2026, 2098]
    [entity] = reading.entities_of(service, scope, [id])[id]
    assert (entity["name"], entity["type"]) == ("Ann", "PERSON")


def test_lines_are_remembered_in_their_order_and_summed_up(service: Service, scope: Scope) -> None:
    lines = (
        '{"text": "Ann works at Google.", "validFrom": "2026-01-01T00:00:00Z", "source": {"kind": "user", "ref": "l1"}}\n'
        "\n"
        "Ann plays the cello.\n"
        "Ann now works at Anthropic.\n"
        "Ann plays the cello.\n"
    )
    planned = say(scope, "-", "--dry-run", given=lines)
    assert "Nothing was written. It would be:" in planned
    assert "1 in place of older ones" in planned
    assert live(service, scope) == []
    told = say(scope, "-", given=lines)
    assert told.splitlines()[:5] == [
        "4 statements",
        "  1 added",
        "  1 added beside what is known",
        "  1 here already",
        "  1 in place of older ones",
    ]
    assert live(service, scope) == ["Ann now works at Anthropic.", "Ann plays the cello."]
    [line] = [line for line in told.splitlines() if "graph-memory revert" in line]
    run = line.partition("graph-memory revert ")[2].split()[0]
    CliRunner().invoke(
        ledger.app, ["revert", run, "--tenant", scope.tenant_name, "--subject", "ann"], catch_exceptions=False
    )
    assert live(service, scope) == []


def test_options_hold_for_every_line_that_says_nothing_else(service: Service, scope: Scope) -> None:
    lines = 'Ann sails.\n{"text": "Ben rows.", "kind": "rumour", "importance": 0.1, "tags": ["boats"]}\n'
    rows = data(scope, "-", "--source", "import", "--importance", "0.8", "--kind", "hobby", given=lines)[
        "statements"
    ]
    first, second = (reading.get(service, scope, row["id"]) for row in rows)
    assert first is not None
    assert second is not None
    assert (first.kind, first.base_importance, first.source.kind) == ("hobby", 0.8, SourceKind.IMPORT)
    assert (second.kind, second.base_importance, second.source.kind) == ("rumour", 0.1, SourceKind.IMPORT)
    assert second.tags == ("boats",)


def test_broken_lines_are_all_named_and_nothing_is_stored(service: Service, scope: Scope) -> None:
    lines = 'Ann sails.\n{"text": "x"\n{"txt": "x"}\n{"kind": "fact"}\n{"text": "x", "importance": "high"}\n'
    with pytest.raises(InvalidFile) as caught:
        say(scope, "-", given=lines)
    assert [line for line, _ in caught.value.faults] == [2, 3, 4, 5]
    assert live(service, scope) == []


def test_values_that_break_a_rule_are_told_beside_lines_that_cannot_be_read(
    service: Service, scope: Scope
) -> None:
    lines = (
        'Ann sails.\n{"text": "", "importance": 9}\n{"text": "x"\n'
        '{"text": "x", "validFrom": "2026-03-01T00:00:00Z", "validTo": "2026-02-01T00:00:00Z"}\n'
    )
    with pytest.raises(InvalidFile) as caught:
        say(scope, "-", given=lines)
    empty, unread, turned = caught.value.faults
    assert empty == (2, "text is empty. importance is 9.0; it must lie between 0 and 1.")
    assert unread[0] == 3
    assert turned == (4, "validTo lies before validFrom.")
    assert live(service, scope) == []


def test_more_lines_than_one_piece_go_on_under_the_same_key(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "BATCH", 2)
    names = ("cello", "harp", "oboe", "tuba", "lute")
    lines = "".join(f"Ann owns a {name}.\n" for name in names)
    half = "".join(f"Ann owns a {name}.\n" for name in names[:3])
    assert data(scope, "-", "--key", "k", given=half)["counts"].get("replayed") is None
    again = data(scope, "-", "--key", "k", given=lines)
    assert [row["replayed"] for row in again["statements"]] == [True, True, True, False, False]
    assert len({row["id"] for row in again["statements"]}) == 5
    with pytest.raises(IdempotencyMismatch):
        say(scope, "-", "--key", "k", given="Ann owns a drum.\n")


def test_nothing_on_standard_input_is_told(scope: Scope) -> None:
    with pytest.raises(Invalid, match="no line with a statement"):
        say(scope, "-", given="\n \n")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"text": 7}', "text must be text"),
        ('{"text": "x", "tags": "a"}', "tags must be a list"),
        ('{"text": "x", "pinned": 1}', "pinned must be true or false"),
        ('{"text": "x", "importance": true}', "importance must be a number"),
        ('{"text": "x", "validFrom": "soon"}', "validFrom soon is neither a date nor a time"),
        ('{"text": "x", "source": {"kind": "god"}}', "source.kind must be one of user, .* 'god'"),
        ('{"text": "x", "source": {"who": "Ann"}}', "source.who is unknown; known are kind, ref, author"),
        ('{"text": "x", "entities": [{"name": ""}]}', r"entities\[0\].name is empty"),
        (
            '{"kind": 7, "entities": [{"name": "Ann", "type": "a b"}, 3]}',
            r"text is missing; kind must be text; entities\[0\].type must be one word .*; entities\[1\] must be an object",
        ),
        (
            '{"text": "x", "importanceOfTen": 11}',
            "importanceOfTen is 11; it must be a whole number from 1 to 10",
        ),
        ('{"text": "x", "text": "y"}', "the field text is given twice"),
        ('{"text": "x", "\\ud800": 1}', "the name of a field holds half of a surrogate pair"),
        ("{" * 5000, "this is not JSON"),
    ],
)
def test_a_fault_in_a_line_says_what_it_is(line: str, fault: str) -> None:
    with pytest.raises(InvalidFile, match=fault):
        facts_of_lines([line], Fact(""), "Standard input", lambda _: None)


def test_a_line_has_the_words_of_graphql() -> None:
    assert set(Statement.model_fields) == {field.name for field in fields(FactInput)}


def test_what_is_null_in_a_line_is_as_if_it_were_not_there() -> None:
    [fact] = facts_of_lines(
        ['{"text": "x", "kind": null}'], Fact("", kind="hobby"), "Standard input", lambda _: None
    )
    assert fact == Fact("x", kind="hobby")


@pytest.mark.parametrize(
    ("given", "name", "type_"),
    [("Ann:PERSON", "Ann", "PERSON"), ("std::vector", "std::vector", "UNKNOWN"), ("Ann", "Ann", "UNKNOWN")],
)
def test_an_entity_may_have_its_type_after_a_colon(given: str, name: str, type_: str) -> None:
    assert (entity_of(given).name, entity_of(given).type) == (name, type_)
