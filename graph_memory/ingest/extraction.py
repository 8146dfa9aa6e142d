"""Extracting what is worth keeping from stored messages, and remembering it: compared with what is known, judged, linked.

With a language model it is asked, in batches; without one the linker and the rules read every message here. A message is
marked in the transaction that stores its memories, so that an interrupted run goes on where it stopped and nothing is
extracted twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC
from zoneinfo import ZoneInfo

from graph_memory.base.scope import Scope
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.ingest import chunks, message_reading, tries
from graph_memory.ingest.causes_told import Cause
from graph_memory.ingest.message_reading import Read, Reader
from graph_memory.ingest.orders import held
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.pipeline import remember_together
from graph_memory.ingest.receipt import as_message
from graph_memory.ingest.rejections import rejected
from graph_memory.ingest.restatement import unless_repeated
from graph_memory.ingest.rounds import Asked
from graph_memory.ingest.rules import cut, heading
from graph_memory.ingest.settings import ConversationsSettings
from graph_memory.ingest.talk import Told
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.language.recognition import recognise
from graph_memory.ledger.activity import zone_of
from graph_memory.ledger.changes import Call, Writing
from graph_memory.memory.links import make
from graph_memory.memory.screening import inherited
from graph_memory.memory.settings import ScreeningSettings, TextsSettings
from graph_memory.model.change import Operation
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind
from graph_memory.model.message import Message
from graph_memory.models.chat import has_models
from graph_memory.store.limiter import Pace
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

# Messages that the rules extract in one transaction.
AT_ONCE = 100
# Tries to read a message, the later ones alone, after which it is set aside with the reason.
MOST_TRIES = 3
SUBJECTS = query("understanding/waiting_subjects")
WAITING = query("understanding/waiting")
UNEXTRACTED = query("understanding/unextracted")
MARK = query("understanding/mark_extracted")
CLOSE = query("understanding/close_segments")

# Earlier messages of the sitting that are shown to the rules beside each one.
CONTEXT = 4
READER = Reader()


@dataclass(frozen=True)
class Extracted:
    """How many messages were read, how many statements they held, and what became of those.

    `added` counts what is stored beside what was known, `superseded` what took the place of something, `merged` what
    went into another; `reviews` are questions to a person; `dropped` were not worth keeping to a model (`capture.py`).
    """

    messages: int = 0
    statements: int = 0
    added: int = 0
    duplicates: int = 0
    superseded: int = 0
    merged: int = 0
    reviews: int = 0
    dropped: int = 0

    def __add__(self, other: Extracted) -> Extracted:
        return Extracted(*(mine + its for mine, its in zip(_counts(self), _counts(other), strict=True)))


class Overtaken(Exception):  # noqa: N818 - it is no error
    """Another run has extracted some of these messages meanwhile."""


def run(context: Context, reader: Reader = READER) -> Result:
    """The job: extracts what the subject of the run has stored; of a run that names none, what all have."""
    if "subject" in context.run.args:
        return _of_subject(context, context.scope.of(context.run.args["subject"]), reader)
    total: Counter[str] = Counter()
    rows = context.service.read(context.scope, SUBJECTS)
    for row in rows:
        total.update(_of_subject(context, context.scope.of(row["subject"]), reader))
    return {**total, "subjects": len(rows)}


def _of_subject(context: Context, scope: Scope, reader: Reader) -> dict[str, int]:
    if has_models(context.service) and not context.run.args.get("by_rules"):
        return chunks.ask_pending(context, scope)
    waiting = context.service.read(scope, WAITING)[0]["messages"]
    extracted = extract_pending(
        context.service,
        scope,
        context.run.id,
        progress=lambda done: context.progress(done, waiting, "extract"),
        fence=lambda writing: leases.check(writing.tx, context.lease),
        reader=reader,
    )
    return asdict(extracted)


def extract_pending(
    service: Service,
    scope: Scope,
    run_id: str,
    progress: Callable[[int], None] = lambda done: None,
    fence: Callable[[Writing], None] = lambda writing: None,
    reader: Reader = READER,
) -> Extracted:
    """Extracts by rules every message of the subject that waits for it, some in each transaction, fewer in a crowd.

    A message that cannot be read in several tries is set aside with the reason, so that it keeps no other waiting.
    `progress` is told the messages done; `fence` runs first in each transaction and may refuse it.
    """
    total = Extracted()
    progress(0)
    pace = Pace(service.gate, scope.tenant, AT_ONCE)
    while rows := service.read(scope, UNEXTRACTED, limit=pace.rows(), context=CONTEXT):
        rows = tries.in_hand(rows, run_id)
        if tries.tries_of(rows[0], run_id) >= MOST_TRIES:
            tries.set_aside(service, scope, rows[0]["message"], fence)
            continue
        with tries.tried(service, scope, rows, run_id):
            total += _batch(service, scope, run_id, rows, fence, pace, reader)
        progress(total.messages)
    return total


def mark(writing: Writing, ids: Sequence[str]) -> None:
    """Marks messages as extracted; Overtaken when some are already."""
    if len(writing.run(MARK, ids=list(ids), now=writing.now)) != len(ids):
        raise Overtaken


def counted(messages: int, outcomes: Sequence[Outcome]) -> Extracted:
    """What became of the statements."""
    done = Counter(outcome.operation for outcome in outcomes)
    return Extracted(
        messages=messages,
        statements=len(outcomes),
        added=done[Operation.ADD],
        duplicates=done[Operation.NOOP] + done[Operation.UPDATE],
        superseded=done[Operation.SUPERSEDE],
        merged=done[Operation.MERGE],
        reviews=sum(outcome.review_id is not None for outcome in outcomes),
    )


def is_source(service: Service, message: Message) -> bool:
    """Whether what it says is extracted. One that was erased, or only a pack of ours, says nothing."""
    if not (message.text or message.caption):
        return False
    return message.is_of_person or service.settings[ConversationsSettings].assistants


def source_of(row: Row, author: str | None) -> Source:
    """The source of what a stored message says."""
    kind = SourceKind(row.get("source_kind") or SourceKind.IMPORT)
    return Source(kind, row.get("ref") or row["id"], author)


def _batch(
    service: Service,
    scope: Scope,
    run_id: str,
    rows: Sequence[Row],
    fence: Callable[[Writing], None],
    pace: Pace,
    reader: Reader,
) -> Extracted:
    """Reads messages one after the other, each in view of what those before it left; a transaction each."""
    done, silent, zone = Extracted(), list[Row](), zone_of(service, scope.for_writing())
    for number, row in enumerate(rows, 1):
        silent.append(row)
        if is_source(service, as_message(row["message"])) or number == len(rows):
            done += _message(service, scope, run_id, silent, fence, pace, zone, reader)
            silent = []
    return done


def _message(
    service: Service,
    scope: Scope,
    run_id: str,
    rows: Sequence[Row],
    fence: Callable[[Writing], None],
    pace: Pace,
    zone: ZoneInfo,
    reader: Reader,
) -> Extracted:
    """Keeps what the last of these messages states; the others are of nobody whose words are kept."""
    row = rows[-1]
    is_read = is_source(service, as_message(row["message"]))
    read = reader.read(service, scope, row, zone) if is_read else Read()
    most = service.settings[TextsSettings].max_length
    # The message keeps all of what is longer than a memory may be.
    told = [
        replace(each, statement=replace(each.statement, text=cut(each.statement.text, most)[0]))
        for each in read.told
    ]
    wrong = rejected(service, scope, [each.statement.text for each in told])
    told = [each for each in told if each.statement.text not in wrong]
    facts = [_fact(service, row, each) for each in told]
    found = reader.causes(service, told, read)
    ids = [each["message"]["id"] for each in rows]
    segments = sorted({each["message"]["segment_id"] for each in rows})

    def begin(writing: Writing) -> None:
        pace.begun()
        fence(writing)
        mark(writing, ids)

    def end(writing: Writing, outcomes: Sequence[Outcome]) -> dict[str, int]:
        _join(writing, found, outcomes)
        writing.run(CLOSE, segments=segments, now=writing.now)
        return asdict(counted(len(ids), outcomes))

    # Whichever run reads it, what comes of a message is of the run that was opened for its segment.
    call = Call(scope, "extractor", key=f"{run_id}:{ids[0]}", run_id=row["run"] or run_id)
    request = Asked(call, ids, end, "extract", begin, pace.sent)
    judged, hurried = (message_reading.judged(told, otherwise) for otherwise in reader.judges())
    about = [each.verdict.candidate if each.verdict else each.about for each in told]
    told_in = [each.told_in for each in told]
    # What the linker takes for more than a repetition is none for looking like one.
    more = {each.statement.text for each in told if each.tells_more}
    try:
        answer = remember_together(
            service, request, facts, unless_repeated(judged, more), hurried, about, told_in
        )
    except Overtaken:
        return Extracted()
    return Extracted(**answer.value)


def _join(writing: Writing, found: Sequence[Cause], outcomes: Sequence[Outcome]) -> None:
    """Links what led to what; not what this very message retired, nor what it merely said again."""
    retired = {each.target_id for each in outcomes if each.operation is not Operation.ADD}
    made = (Operation.ADD, Operation.SUPERSEDE)
    rows = [
        each.row(id)
        for each in found
        if (id := outcomes[each.place].id)
        and outcomes[each.place].operation in made
        and each.known not in retired
    ]
    if rows:
        make(writing, rows)


def _fact(service: Service, row: Row, told: Told) -> Fact:
    message, statement = row["message"], told.statement
    said = [message, *row["before"]]
    people = {each["speaker"] for each in said}
    texts = [each["text"] for each in said]
    found = recognise(service.settings[EntitiesSettings].recogniser, statement.text, people, beside=texts)
    fact = Fact(
        text=statement.text,
        kind=statement.kind,
        happens_at=statement.happens_at,
        expires_at=statement.expires_at,
        valid_from=(told.valid_from or statement.said_at).astimezone(UTC),
        said_at=statement.said_at,
        heading=heading(statement.speaker, statement.said_at),
        session_id=message["segment_id"],
        source=source_of(message, statement.speaker),
        entities=tuple(EntityName(name.name, name.key, name.type) for name in found),
        message_id=message["id"],
        labels=inherited(service.settings[ScreeningSettings], [message["text"]]),
    )
    return held(fact) if told.is_order else fact


def _counts(extracted: Extracted) -> tuple[int, ...]:
    return tuple(asdict(extracted).values())
