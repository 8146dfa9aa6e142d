"""`graph-memory changes`, `undo`, `revert`, `diff`, `timeline`: what happened, and taking it back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.base.errors import Invalid
from graph_memory.base.ids import check_id
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, When
from graph_memory.cli.ids import IdOf
from graph_memory.cli.options import After, First, Key, KnownAt, Reason, moment_of
from graph_memory.cli.tables import day
from graph_memory.ledger import changes as ledger
from graph_memory.memory import differences
from graph_memory.memory import undo as undoing
from graph_memory.model.change import Operation
from graph_memory.store import subjects
from graph_memory.store.service import Row

app = App()

Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most: 1 to 1000.")]
Cascade = Annotated[
    bool,
    typer.Option(
        "--cascade",
        help="What stands on it goes along, and a live twin of what comes back is archived; without it that is refused.",
    ),
]


@app.command()
def changes(
    after: Annotated[int, typer.Option("--after", help="The sequence number after which to begin.")] = 0,
    first: First = 50,
    last: Annotated[
        int | None, typer.Option("--last", help="Only so many of the last ones, the newest first.")
    ] = None,
    operation: Annotated[
        list[Operation] | None,
        typer.Option(help="Only what was done in this way; may be given again.", case_sensitive=False),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Only what made or changed the memory of this id."), IdOf.MEMORY
    ] = None,
    *,
    context: Context,
) -> None:
    """Every decision in its order; keep the last number and ask again for what is new.

    Example: graph-memory changes --after 120 --operation supersede, or graph-memory changes --last 10
    """
    if not 1 <= first <= 1000 or after < 0 or not 1 <= (last or 1) <= 1000:
        raise Invalid("--first and --last must lie between 1 and 1000, and --after must not be negative.")
    if last is not None and after:
        raise Invalid("Give --after or --last, not both.")
    memory = None if target is None else check_id(target, path="target")
    kinds = operation or ()
    if last is not None:
        rows, first = ledger.latest(context.service, context.scope, last, kinds, memory), last
    else:
        rows = ledger.changes(context.service, context.scope, after, first + 1, kinds, memory)
    found = rows[:first]
    table = tables.table("number", "when", "what", "memory", "text", "reason", "")
    for change in found:
        table.add_row(*_cells(change))
    context.show(found, table if found else "Nothing happened since.")
    if len(rows) > first:
        context.note(f"more: --after {found[-1]['sequence']}; the newest: --last {first}")


@app.command()
def undo(
    sequences: Annotated[
        list[int], typer.Argument(help="Sequence numbers of changes of one subject.", metavar="SEQUENCE")
    ],
    cascade: Cascade = False,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Take changes back, newest first. It is a change itself and can be taken back too.

    Example: graph-memory undo 121 --cascade
    """
    call = context.call(key, subjects.of_change(context.service, context.scope, sequences[0]))
    done, answer = undoing.undo(context.service, call, sequences, cascade, reason)
    context.show({**asdict(done), "replayed": answer.replayed}, _told(done))
    context.note_undo(context.changes_of(call, answer))


@app.command()
def revert(
    run: Annotated[str, typer.Argument(help="A run's id.")],
    cascade: Cascade = False,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Take back all that a run did to one subject.

    Example: graph-memory revert 5d0b6a52-93cf-4c0e-9a1f-6f1f0f5f7d21
    """
    call = context.call(key, subjects.of_run(context.service, context.scope, run))
    done, answer = undoing.revert(context.service, call, run, cascade, reason)
    context.show({**asdict(done), "replayed": answer.replayed}, _told(done))
    context.note_undo(context.changes_of(call, answer))


@app.command()
def diff(
    as_of: Annotated[str | None, typer.Option("--as-of", help="The first moment: when it held.")] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", help="The first moment: when it was believed.")
    ] = None,
    to_as_of: Annotated[
        str | None, typer.Option("--to-as-of", help="The second moment; now when left out.")
    ] = None,
    to_known_at: Annotated[
        str | None, typer.Option("--to-known-at", help="The second moment; now when left out.")
    ] = None,
    limit: Limit = 100,
    after: After = None,
    *,
    context: Context,
) -> None:
    """What changed between two moments.

    Example: graph-memory diff --known-at 2026-03-01
    """
    one, other = When(as_of, known_at).moment, When(to_as_of, to_known_at).moment
    found = differences.diff(context.service, context.scope, one, other, limit, after)
    lines = [f"- {memory.text}" for memory in found.ended]
    lines += [f"+ {memory.text}" for memory in found.added]
    lines += [f"~ {each.before.text}\n  {each.after.text}" for each in found.changed]
    context.show(asdict(found), "\n".join(lines) or "Nothing changed.")
    context.more(found.next)


@app.command()
def timeline(
    start: Annotated[str, typer.Argument(help="Where it begins: 2026-01-01.", metavar="FROM")],
    end: Annotated[str, typer.Argument(help="Where it ends, exclusive.", metavar="TO")],
    bucket: Annotated[
        differences.Bucket, typer.Option(help="How long a step is.")
    ] = differences.Bucket.MONTH,
    known_at: KnownAt = None,
    limit: Limit = 100,
    after: After = None,
    *,
    context: Context,
) -> None:
    """How many statements began and ended to hold, step by step.

    Example: graph-memory timeline 2026-01-01 2027-01-01
    """
    begin, until = moment_of("FROM", start), moment_of("TO", end)
    assert begin is not None
    assert until is not None
    known = moment_of("--known-at", known_at)
    steps = differences.timeline(context.service, context.scope, begin, until, bucket, known, limit, after)
    table = tables.table("from", "began", "ended")
    for step in steps.items:
        table.add_row(f"{step.start:%Y-%m-%d}", str(step.begun), str(step.ended))
    context.show(asdict(steps), table if steps.items else "Nothing began or ended then.")
    context.more(steps.next)


def _cells(change: Row) -> list[str]:
    target = change["targets"][0] if change["targets"] else ""
    state = {**((change["before"] or {}).get(target) or {}), **((change["after"] or {}).get(target) or {})}
    what = " ".join(dict.fromkeys(filter(None, (change["operation"], change["classification"]))))
    undone = "undone" if change["undone_by"] else ""
    return [
        str(change["sequence"]),
        day(change["at"]),
        what,
        target,
        str(state.get("text", "")),
        change["reason"],
        undone,
    ]


def _told(done: undoing.Undone) -> str:
    numbers = ", ".join(map(str, done.changes))
    return f"Taken back: {numbers}; memories changed: {len(done.memories)}"
