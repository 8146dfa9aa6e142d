"""`graph-memory revise`, `archive`, `restore`, `retract`, `confirm`, `expire`, `merge`, `forget`: changing what is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.scope import Scope
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context, TenantContext
from graph_memory.cli.ids import OR_ITS_START, IdOf
from graph_memory.cli.options import Id, Key, Reason, moment_of
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import erasure as forgetting
from graph_memory.memory import life, reading
from graph_memory.memory import merge as merging
from graph_memory.memory.trust import Verdict
from graph_memory.memory.trust import confirm as trusting
from graph_memory.model.memory import Memory
from graph_memory.store import subjects
from graph_memory.store.service import Service

app = App()

Ids = Annotated[
    list[str],
    typer.Argument(help=f"Ids of memories of one subject; of each all, {OR_ITS_START}.", metavar="ID"),
    IdOf.MEMORY,
]

Move = Callable[[Service, Call, Sequence[str], str], Answer]


@app.command()
def revise(
    id: Id,
    text: Annotated[str | None, typer.Argument(help="The statement, said better.")] = None,
    kind: Annotated[str | None, typer.Option(help="Another kind.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="All its tags; repeat for more.")] = None,
    confidence: Annotated[float | None, typer.Option(help="How sure it is, 0 to 1.")] = None,
    importance: Annotated[float | None, typer.Option(help="How much it matters, 0 to 1.")] = None,
    critical: Annotated[
        bool | None, typer.Option("--critical/--not-critical", help="Whether it keeps above a floor.")
    ] = None,
    pinned: Annotated[
        bool | None, typer.Option("--pinned/--not-pinned", help="Whether it always stays near at hand.")
    ] = None,
    feedback: Annotated[
        float | None, typer.Option(min=-1, max=1, help="1: it helped, -1: it was of no use, 0: nothing.")
    ] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Change a memory in place; what it said before stays in history.

    Example: graph-memory revise 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 "Ann has a dog named Max." --pinned
    """
    tags = tuple(tag) if tag is not None else None
    marks = {"critical": critical, "pinned": pinned, "feedback": feedback}
    revision = life.Revision(text, kind, tags, None, confidence, importance, **marks)  # type: ignore[arg-type]
    call = context.call_on(id, key)
    answer = life.revise(context.service, call, id, revision, reason)
    memory = _one(context.service, call, id)
    context.show_done(call, answer, asdict(memory), f"{memory.id}  {memory.text}")


@app.command()
def archive(ids: Ids, reason: Reason = "", key: Key = None, *, context: Context) -> None:
    """Take memories out of every answer; `restore` brings them back.

    Example: graph-memory archive 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --reason "long unused"
    """
    _move(context, life.archive, ids, reason, key)


@app.command("revive", hidden=True, deprecated=True)
@app.command()
def restore(
    ids: Ids,
    cascade: Annotated[
        bool,
        typer.Option(
            "--cascade", help="A live memory of the same words is archived; without it that is refused."
        ),
    ] = False,
    expires_at: Annotated[
        str | None, typer.Option(help="A new end for all of them; needed by what has expired.")
    ] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Bring archived or retracted memories back as they were.

    Example: graph-memory restore 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    for id in ids:
        if Path(id).is_file():
            raise Invalid(
                f"{id} is a file; an export is put into an account by `graph-memory load`.", path="ids"
            )
    end = moment_of("--expires-at", expires_at)
    _move(context, partial(life.restore, cascade=cascade, expires_at=end), ids, reason, key)


@app.command()
def retract(ids: Ids, reason: Reason = "", key: Key = None, *, context: Context) -> None:
    """Say that memories should never have been believed; they stay in history only.

    Example: graph-memory retract 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --reason "another Ann"
    """
    _move(context, life.retract, ids, reason, key)


@app.command()
def confirm(
    ids: Ids,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="Take back an earlier confirmation instead.")
    ] = False,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Stand for what a tool, an agent or the web has said, or for what reads like an order.

    From then on it is trusted as a person's word.
    Example: graph-memory confirm 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --reason "checked in the handbook"
    """
    verdict = Verdict.WITHDRAW if withdraw else Verdict.CONFIRM
    _move(context, partial(trusting, verdict=verdict), ids, reason, key)


@app.command()
def expire(
    id: Id,
    at: Annotated[str | None, typer.Option("--at", help="When it ends to hold; now when left out.")] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """End the time in which a memory holds.

    Example: graph-memory expire 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --at 2026-06-30
    """
    end = moment_of("--at", at)
    call = context.call_on(id, key)
    answer = life.expire(context.service, call, id, end, reason)
    memory = _one(context.service, call, id)
    context.show_done(call, answer, asdict(memory), f"{id} holds until {memory.valid_to}")


@app.command()
def merge(
    keep: Annotated[str, typer.Argument(help="The id of the memory that is kept."), IdOf.MEMORY],
    other: Annotated[str, typer.Argument(help="The id of the memory that goes into it."), IdOf.MEMORY],
    text: Annotated[
        str | None, typer.Option(help="What the kept one says then; both texts when left out.")
    ] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Make two memories one, with text, tags, links and mentions of both.

    Example: graph-memory merge 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 91b2d7a4-5c1e-4f0a-8d3b-6a7e2c9f0b15
    """
    call = context.call_on(keep, key)
    merged, answer = merging.merge(context.service, call, keep, other, text, reason)
    context.show_done(call, answer, asdict(merged), f"{merged.id}  {merged.text}")


@app.command()
def forget(
    ids: Annotated[
        list[str] | None, typer.Argument(help=f"Ids of memories; of each all, {OR_ITS_START}."), IdOf.MEMORY
    ] = None,
    source: Annotated[str | None, typer.Option(help="Or all that came from this source.")] = None,
    whole_subject: Annotated[
        bool, typer.Option("--whole-subject", help="Or everything of the subject.")
    ] = False,
    reason: Reason = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would go; erase nothing.")] = False,
    check: Annotated[
        list[str] | None,
        typer.Option(help="Erase nothing; look whether this text is still gone. Repeat for more."),
    ] = None,
    key: Key = None,
    *,
    context: TenantContext,
    subject: Annotated[
        str | None,
        typer.Option(
            "--subject",
            "-s",
            help="Whose memories, inside the tenant; `default` when left out, and all of them for --check.",
        ),
    ] = None,
) -> None:
    """Erase memories for ever, with all that holds their text. There is no undo.

    Example: graph-memory forget 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --subject ann --yes
    """
    if sum((bool(ids), source is not None, whole_subject, bool(check))) != 1:
        raise Invalid("Give ids, --source, --whole-subject or --check, and only one of these.")
    whose, service = Scope(context.tenant, subject), context.service
    scope = whose if check else whose.for_writing()
    subjects.require(service, scope)
    if check:
        _check_gone(context, scope, check)
        return
    if dry_run or not yes:
        reached = forgetting.reached(service, scope, ids or (), source, whole_subject)
        rows = [memory for memory in reading.get_many(service, scope, reached) if memory is not None]
        told = [_goes(memory, ids or (), source) for memory in rows]
        if dry_run:
            context.show([asdict(memory) for memory in rows], "\n".join([*told, "Nothing was erased."]))
            return
        _confirm(told)
    call = context.call(key, scope)
    certificate, answer = forgetting.forget(service, call, ids or (), source, whole_subject, reason)
    data = {**asdict(certificate), "replayed": answer.replayed}
    told = [f"Memories erased: {certificate.memories}; request {certificate.request_id}"]
    context.show(
        data,
        "\n".join([*told, "The database cannot answer for:", *(f"  {each}" for each in certificate.beyond)]),
    )


def _check_gone(context: TenantContext, scope: Scope, texts: Sequence[str]) -> None:
    """Ends with 1 when a memory says one of the texts."""
    found = forgetting.still_there(context.service, context.call(scope=scope), texts)
    told = "\n".join(["Still there:", *found]) if found else "No memory says it."
    context.show({"is_gone": not found, "found": found}, told)
    if found:
        raise typer.Exit(1)


def _move(context: Context, move: Move, ids: Sequence[str], reason: str, key: str | None) -> None:
    call = context.call_on(ids[0], key)
    answer = move(context.service, call, ids, reason)
    found = [_one(context.service, call, id) for id in answer.value["ids"]]
    rows = [
        {"id": memory.id, "status": memory.status.value, "trust": memory.trust.value, "text": memory.text}
        for memory in found
    ]
    lines = [f"{row['status'].lower()}: {row['id']}  {row['text']}" for row in rows]
    context.show_done(call, answer, {"memories": rows}, "\n".join(lines))


def _one(service: Service, call: Call, id: str) -> Memory:
    found = reading.get(service, call.scope.for_writing(), id)
    if found is None:
        raise NotFound(f"There is no memory {id}, or it belongs to someone else.")
    return found


def _goes(memory: Memory, ids: Sequence[str], source: str | None) -> str:
    """A memory that would be erased, as people read it, and whether it was made of what is named."""
    is_named = memory.id in ids if ids else source in (None, memory.source.ref)
    return f"{memory.id}  {memory.text}{'' if is_named else '  (goes along, made of what is named)'}"


def _confirm(told: Sequence[str]) -> None:
    if not sys.stdin.isatty():
        raise typer.BadParameter("Nobody can be asked here; give --yes to erase for ever.")
    typer.echo("\n".join(told), err=True)
    typer.confirm(f"Erase {len(told)} memories for ever?", abort=True, err=True)
