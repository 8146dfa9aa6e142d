"""Extracting what is worth keeping from stored messages: one memory for each statement, in batches.

A message is marked in the transaction that stores its memories, so that an interrupted run goes on where it stopped
and nothing is extracted twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.jobs.names import Result
from graph_memory.ledger import Call, Writing, carry_out
from graph_memory.memory import add as adding
from graph_memory.memory.model import EntityName, Fact, Source, SourceKind
from graph_memory.queries import query
from graph_memory.queueing import Pace
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope
from graph_memory.understanding import entities
from graph_memory.understanding.extraction import Statement, extract, heading
from graph_memory.understanding.receiving import as_message

WAITING = query("understanding/waiting")
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


def run(context: Context) -> Result:
    """The job: extracts what the subject of the run has stored."""
    scope = context.scope.of(context.run.args["subject"])
    waiting = context.service.read(scope, WAITING)[0]["messages"]
    extracted = extract_pending(
        context.service,
        scope,
        context.run.id,
        progress=lambda done: context.progress(done, waiting, "extract"),
        fence=lambda writing: leases.check(writing.tx, context.lease),
    )
    return asdict(extracted)


def extract_pending(
    service: Service,
    scope: Scope,
    run_id: str,
    progress: Callable[[int], None] = lambda done: None,
    fence: Callable[[Writing], None] = lambda writing: None,
) -> Extracted:
    """Extracts every message of the subject that has not been, `settings.ingest.batch` at a time, fewer in a crowd.

    `progress` is told the messages done; `fence` runs first in each transaction and may refuse it.
    """
    total = Extracted(0, 0, 0, 0)
    progress(0)
    pace = Pace(service.gate, scope.tenant, service.settings.ingest.batch)
    while rows := service.read(scope, UNEXTRACTED, limit=pace.rows(), context=CONTEXT):
        total += _batch(service, scope, run_id, rows, fence, pace)
        progress(total.messages)
    return total


def _batch(
    service: Service,
    scope: Scope,
    run_id: str,
    rows: Sequence[Row],
    fence: Callable[[Writing], None],
    pace: Pace,
) -> Extracted:
    prepared = adding.prepare(
        service, scope.subject or "", [_fact(row, item) for row, item in _statements(rows)]
    )
    ids = [row["message"]["id"] for row in rows]

    def work(writing: Writing) -> dict[str, int]:
        pace.begun()
        fence(writing)
        fresh = {row["id"] for row in writing.run(MARK, ids=ids, now=writing.now)}
        outcomes = adding.write(writing, [item for item in prepared if item.message_id in fresh])
        writing.run(CLOSE, segments=sorted({row["message"]["segment_id"] for row in rows}), now=writing.now)
        kinds = Counter(outcome["outcome"] for outcome in outcomes)
        return asdict(
            Extracted(len(fresh), len(outcomes), kinds[adding.Outcome.ADDED], kinds[adding.Outcome.DUPLICATE])
        )

    pace.sent()
    call = Call(scope, "extractor", key=f"{run_id}:{ids[0]}", run_id=run_id)
    return Extracted(**carry_out(service, call, "extract", ids, work).value)


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
        source=Source(SourceKind.IMPORT, message.get("ref") or message["id"], statement.speaker),
        entities=tuple(EntityName(name.name, name.key, name.type) for name in found),
        message_id=message["id"],
    )
