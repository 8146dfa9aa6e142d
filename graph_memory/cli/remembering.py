"""`graph-memory remember`: one statement, or one a line from standard input; what was done, why, and how to take it back."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

from graph_memory.base.errors import Invalid
from graph_memory.base.field_names import in_graphql
from graph_memory.base.ids import new_id
from graph_memory.cli.commands import App, Shared
from graph_memory.cli.context import ACTOR, Context
from graph_memory.cli.facts import entity_of, facts_of_lines, metadata_of
from graph_memory.cli.options import moment_of
from graph_memory.ingest import pipeline
from graph_memory.ingest.outcome import Mode, Outcome, as_data
from graph_memory.ledger import changes as ledger
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading, validation
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact, Source, SourceKind
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service

app = App()

STDIN = "-"
# Statements that are embedded and looked up together.
BATCH = 50


@dataclass
class Said(Shared):
    """A statement's own options."""

    kind: Annotated[str, typer.Option(help="One word: fact, preference, decision, ...")] = "fact"
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeat for more.")] = None
    metadata: Annotated[list[str] | None, typer.Option(help="name=value; repeat for more.")] = None
    entity: Annotated[
        list[str] | None,
        typer.Option(
            help="Whom or what it mentions: Ann or Ann:PERSON; repeat for more. Found in the text when left out."
        ),
    ] = None
    importance: Annotated[float, typer.Option(help="How much it matters, 0 to 1.")] = 0.5
    confidence: Annotated[float, typer.Option(help="How sure its source is, 0 to 1.")] = 1.0
    of_ten: Annotated[
        int | None, typer.Option("--importance-of-ten", help="How much it matters, 1 to 10, instead.")
    ] = None
    critical: Annotated[bool, typer.Option("--critical", help="Its importance keeps above a floor.")] = False
    pinned: Annotated[bool, typer.Option("--pinned", help="It always stays near at hand.")] = False
    source: Annotated[SourceKind, typer.Option(help="What kind of source it comes from.")] = SourceKind.USER
    source_ref: Annotated[
        str | None, typer.Option(help="Your own name for the source, as a page's address.")
    ] = None
    author: Annotated[str | None, typer.Option(help="Who said it.")] = None
    session: Annotated[str | None, typer.Option(help="Your session in which it was said.")] = None
    heading: Annotated[str, typer.Option(help="Speaker, date or title: embedded before the text.")] = ""
    valid_from: Annotated[str | None, typer.Option(help="Since when it holds; now when left out.")] = None
    valid_to: Annotated[str | None, typer.Option(help="Until when it holds, exclusive.")] = None
    happens: Annotated[
        str | None, typer.Option("--happens-at", "--happens", help="When what it tells of takes place.")
    ] = None
    expires: Annotated[
        str | None, typer.Option("--expires-at", "--expires", help="When it stops being of use.")
    ] = None

    def fact(self, text: str) -> Fact:
        """The statement with all that is told of it."""
        return Fact(
            text,
            kind=self.kind,
            tags=tuple(self.tag or ()),
            metadata=metadata_of(self.metadata or ()),
            entities=tuple(map(entity_of, self.entity)) if self.entity else None,
            importance=self.importance
            if self.of_ten is None
            else validation.of_ten(self.of_ten, "--importance-of-ten"),
            confidence=self.confidence,
            critical=self.critical,
            pinned=self.pinned,
            source=Source(self.source, self.source_ref, self.author),
            session_id=self.session,
            heading=self.heading,
            valid_from=moment_of("--valid-from", self.valid_from),
            valid_to=moment_of("--valid-to", self.valid_to),
            happens_at=moment_of("--happens-at", self.happens),
            expires_at=moment_of("--expires-at", self.expires),
        )


@app.command()
def remember(
    text: Annotated[
        str,
        typer.Argument(
            help="The statement to keep; - for one a line from standard input: text, or JSON as GraphQL's FactInput."
        ),
    ],
    context: Context,
    said: Said,
    observe: Annotated[
        bool, typer.Option("--observe", help="Only store it, and show what it could be compared with.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    key: Annotated[str | None, typer.Option(help="Idempotency key: the same key stores once.")] = None,
) -> None:
    """Remember a statement: it is added, merged, put in place of an older one, or here already.

    Example: graph-memory remember "Ann prefers tea." --subject ann
    """
    fact = said.fact(text)
    mode = Mode.OBSERVE if observe else Mode.DECIDE
    call = Call(context.scope, ACTOR, key, said.session)
    if text == STDIN:
        refuse = partial(_refuse, context.service)
        facts = facts_of_lines(sys.stdin, fact, "Standard input", refuse)
        _many(context, call, facts, mode, dry_run)
    else:
        _one(context, call, fact, mode, dry_run)


def _one(context: Context, call: Call, fact: Fact, mode: Mode, dry_run: bool) -> None:
    service, scope = context.service, call.scope
    with _the_only_one():
        if dry_run:
            outcome, replayed, changes = pipeline.plan(service, scope, fact, mode), False, list[int]()
        else:
            outcome, answer = pipeline.remember(service, call, fact, mode)
            replayed = answer.replayed
            changes = ledger.changes_of(service, scope.for_writing(), answer.request_id)
        ids = [id for id in (outcome.id, outcome.target_id) if id]
        texts = {each.id: each.text for each in reading.get_many(service, scope, ids) if each}
    data = {**as_data(outcome), "changes": changes, "replayed": replayed}
    words = told(outcome, texts, changes, context.named)
    context.show(data, ("Nothing was written.\n" if dry_run else "") + words)


def _refuse(service: Service, fact: Fact) -> None:
    """Raises what is wrong with the values of a line, as JSON spells them. Names are not looked for: that takes longest."""
    try:
        with _the_only_one():
            validation.check(service, replace(fact, entities=()), "facts[0]")
    except Invalid as fault:
        raise Invalid(in_graphql(fault.message), path=fault.path) from None


@contextmanager
def _the_only_one() -> Iterator[None]:
    """Faults of the one statement that was typed do not count it."""
    try:
        yield
    except Invalid as fault:
        raise Invalid(fault.message.replace("facts[0].", ""), path=fault.path) from None


def _many(context: Context, call: Call, facts: Sequence[Fact], mode: Mode, dry_run: bool) -> None:
    """All lines as the doings of one run, so that one command takes them all back."""
    if not facts:
        raise Invalid("Standard input has no line with a statement.")
    run = new_id()
    if dry_run:
        done = [(outcome, False) for outcome in pipeline.plan_many(context.service, call.scope, facts, mode)]
    else:
        done = list(_kept(context.service, call, run, facts, mode))
    counts = Counter("replayed" if replayed else _called(outcome) for outcome, replayed in done)
    rows = [{**as_data(outcome), "replayed": replayed} for outcome, replayed in done]
    written = not dry_run and any(not replayed for _, replayed in done)
    data = {"counts": dict(counts), "run": run if written else None, "statements": rows}
    context.show(data, "\n".join(_summary(counts, run if written else None, dry_run, context.named)))


def _kept(
    service: Service, call: Call, run: str, facts: Sequence[Fact], mode: Mode
) -> Iterator[tuple[Outcome, bool]]:
    """Each outcome, and whether it is the answer of an earlier request, behind a bar on standard error."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=len(facts))
        start = 1
        for some in _pieces(facts):
            key = None if call.key is None else call.key if start == 1 else f"{call.key}:{start}"
            own = Call(call.scope, call.actor, key, call.session_id, run)
            for outcome, answer in pipeline.remember_many(service, own, some, mode):
                yield outcome, answer.replayed
            start += len(some)
            bar.update(task, completed=start - 1)


def _pieces(facts: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
    return (facts[at : at + BATCH] for at in range(0, len(facts), BATCH))


_WORDS: Mapping[str, str] = {
    "added": "added",
    "beside": "added beside what is known",
    "known": "here already",
    "merged": "merged into what is known",
    "superseding": "in place of older ones",
    "held": "waiting for a person",
    "erased": "left out, since they were erased before",
    "replayed": "remembered by an earlier call with this key",
}


def _called(outcome: Outcome) -> str:
    # A plan has no review yet; only what is held has a reason without having been compared.
    if outcome.is_held or (outcome.id is None and outcome.operation is Operation.ADD and outcome.reason):
        return "held" if outcome.classification is None else "beside"
    if outcome.classification is None:
        return "erased" if outcome.operation is Operation.NOOP else "added"
    return {
        Action.COEXIST: "beside",
        Action.DUPLICATE: "known",
        Action.MERGE: "merged",
        Action.SUPERSEDE: "superseding",
    }[outcome.classification]


def _summary(counts: Mapping[str, int], run: str | None, dry_run: bool, named: str) -> Iterator[str]:
    if dry_run:
        yield "Nothing was written. It would be:"
    total = sum(counts.values())
    yield f"{total:,} {'statement' if total == 1 else 'statements'}"
    yield from (f"  {counts[name]:,} {words}" for name, words in _WORDS.items() if counts.get(name))
    if run is not None:
        yield f"  to take all of it back: graph-memory revert {run}{named}"


def told(outcome: Outcome, texts: dict[str, str], changes: Sequence[int], named: str) -> str:
    """An outcome in words; `texts` are those of the memories that it names, `changes` the sequence numbers of its own.

    `named` is the option that names its tenant in another command.
    """
    return "\n".join(_lines(outcome, texts, changes, named))


def _lines(outcome: Outcome, texts: dict[str, str], changes: Sequence[int], named: str) -> Iterator[str]:
    yield _done(outcome, texts) if changes else _planned(outcome, texts)
    if outcome.reason and outcome.proposed is None:
        sure = f", confidence {outcome.confidence:.2f}" if outcome.confidence is not None else ""
        yield f"  why: {outcome.reason}{_by(outcome)}{sure}"
    if outcome.proposed is not None:
        yield f"  {outcome.reason}{_by(outcome)}"
    if outcome.review_id:
        yield f"  a person may decide: graph-memory review show {outcome.review_id}{named}"
    if changes and outcome.operation is not Operation.NOOP:
        yield f"  to take it back: graph-memory undo {' '.join(map(str, changes))}{named}"


def _done(outcome: Outcome, texts: dict[str, str]) -> str:
    target = texts.get(outcome.target_id or "", outcome.target_id or "")
    if outcome.proposed is Action.FORGET:
        return "Not kept as something that is known: it asks to forget."
    if outcome.operation is Operation.SUPERSEDE:
        return f"Kept as a new version: {outcome.id}\n  instead of: “{target}”"
    if outcome.operation is Operation.MERGE:
        return f"Merged into {outcome.id}\n  it now says: “{outcome.text}”"
    if outcome.classification is Action.DUPLICATE:
        return f"It is here already: {outcome.id}\n  as: “{texts.get(outcome.id or '', '')}”"
    if outcome.id is None:
        return "Nothing was kept."
    beside = " beside what is known" if outcome.classification is Action.COEXIST else ""
    return f"Kept{beside}: {outcome.id}"


def _planned(outcome: Outcome, texts: dict[str, str]) -> str:
    target = texts.get(outcome.target_id or "")
    called = outcome.classification.value if outcome.classification else "ADD"
    return f"It would be: {called}" + (f" of “{target}”" if target else "")


def _by(outcome: Outcome) -> str:
    return f" (judge: {outcome.provider})" if outcome.provider and outcome.provider != "none" else ""
