"""Extracting what is worth keeping from stored messages: one memory for each statement, in batches.

A message is marked in the transaction that stores its memories, so that an interrupted run goes on where it stopped
and nothing is extracted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from graph_memory.ledger import Call, Writing, carry_out
from graph_memory.memory import add as adding
from graph_memory.memory.model import EntityName, Fact, Source, SourceKind
from graph_memory.queries import query
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope
from graph_memory.understanding import entities
from graph_memory.understanding.extraction import Statement, extract, heading
from graph_memory.understanding.receiving import as_message

UNEXTRACTED = query("understanding/unextracted")
MARK = query("understanding/mark_extracted")
CLOSE = query("understanding/close_segments")

# Earlier messages of the sitting that are shown to the extractor beside each one.
CONTEXT = 4


@dataclass(frozen=True)
class Extracted:
    """How many messages were read, how many statements they held, and what became of those."""

    messages: int
    statements: int
    added: int
    duplicates: int

    def __add__(self, other: Extracted) -> Extracted:
        return Extracted(
            self.messages + other.messages,
            self.statements + other.statements,
            self.added + other.added,
            self.duplicates + other.duplicates,
        )


def extract_pending(
    service: Service,
    scope: Scope,
    run_id: str,
    progress: Callable[[int, str], None] = lambda done, phase: None,
    fence: Callable[[Writing], None] = lambda writing: None,
) -> Extracted:
    """Extracts every message of the subject that has not been, `settings.ingest.batch` at a time.

    `progress` is told the messages done and the phase; `fence` runs first in each transaction and may refuse it.
    """
    total = Extracted(0, 0, 0, 0)
    while rows := service.read(scope, UNEXTRACTED, limit=service.settings.ingest.batch, context=CONTEXT):
        total += _batch(service, scope, run_id, rows, fence)
        progress(total.messages, "extract")
    return total


def _batch(
    service: Service, scope: Scope, run_id: str, rows: Sequence[Row], fence: Callable[[Writing], None]
) -> Extracted:
    facts = [fact for row, statement in _statements(rows) for fact in [_fact(row, statement)]]
    prepared = adding.prepare(service, scope.subject or "", facts)
    done = [row["message"]["id"] for row in rows]

    def work(writing: Writing) -> list[dict[str, str]]:
        fence(writing)
        outcomes = adding.write(writing, prepared)
        writing.run(MARK, ids=done, now=writing.now)
        writing.run(CLOSE, segments=sorted({row["message"]["segment_id"] for row in rows}), now=writing.now)
        return outcomes

    call = Call(scope, "extractor", key=f"{run_id}:{done[0]}:{len(done)}", run_id=run_id)
    outcomes = carry_out(service, call, "extract", done, work).value
    added = sum(outcome["outcome"] == adding.Outcome.ADDED for outcome in outcomes)
    return Extracted(len(rows), len(facts), added, len(facts) - added)


def _statements(rows: Sequence[Row]) -> Iterator[tuple[Row, Statement]]:
    for _, sitting in groupby(rows, key=lambda row: row["message"]["segment_id"]):
        for row in sitting:
            before = [as_message(earlier) for earlier in row["before"]]
            for statement in extract(as_message(row["message"]), before):
                yield row, statement


def _fact(row: Row, statement: Statement) -> Fact:
    message = row["message"]
    people = {message["speaker"], *(earlier["speaker"] for earlier in row["before"])}
    found = entities.mentions(statement.text, people)
    return Fact(
        text=statement.text,
        kind=statement.kind,
        happens_at=statement.happens_at,
        valid_from=statement.said_at,
        heading=heading(statement.speaker, statement.said_at),
        session_id=message["segment_id"],
        source=Source(SourceKind.IMPORT, message["ref"] or message["id"], statement.speaker),
        entities=tuple(EntityName(name.name, name.key, name.type) for name in found),
        message_id=message["id"],
    )
