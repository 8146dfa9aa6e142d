"""`graph-memory review`: what a judge wanted and was not done by itself, decided by a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.cli import tables
from graph_memory.cli.commands import App
from graph_memory.cli.context import Context
from graph_memory.cli.ids import OR_ITS_START, IdOf
from graph_memory.cli.options import After, First, Key, Reason
from graph_memory.cli.tables import day
from graph_memory.curation import review_records
from graph_memory.curation import reviews as deciding
from graph_memory.ledger.changes import Answer, Call
from graph_memory.memory import reading as read
from graph_memory.model.memory import Memory
from graph_memory.model.review import Review, ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store import subjects
from graph_memory.store.service import Service

app = App(help="Reviews: what waits for a person, and deciding it.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(help=f"A review's id, {OR_ITS_START}."), IdOf.REVIEW]
Ids = Annotated[
    list[str],
    typer.Argument(help=f"Ids of reviews; of each all, {OR_ITS_START}.", metavar="ID"),
    IdOf.REVIEW,
]


@app.command("list")
def list_(
    status: Annotated[
        ReviewStatus | None, typer.Option(help="Only of this status; those that wait when left out.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Of every status.")] = False,
    first: First = 20,
    after: After = None,
    *,
    context: Context,
) -> None:
    """What waits, the oldest first, with both statements, and what would be said where that is another text.

    Example: graph-memory review list --subject ann
    """
    if all_ and status is not None:
        raise Invalid("Give --status or --all, not both.")
    wanted = None if all_ else status or ReviewStatus.PENDING
    scope, service = context.scope, context.service
    page = review_records.page(service, scope, first, after, wanted)
    if not page.items:
        subjects.require(service, scope)
    texts = _texts(service, scope, page.items)
    table = tables.table("id", "since", "proposal", "new", "known")
    for review in page.items:
        proposal = "LET IN" if review.is_held else f"{review.action.value} {review.confidence:.2f}"
        if review.status is not ReviewStatus.PENDING:
            proposal = f"{proposal}, {review.status.value.lower()}"
        new = texts.get(review.memory_id, "-")
        if review.text and review.text != new:
            new = f"{new}\nto be said: {review.text}"
        known = "-" if review.is_held else texts.get(review.target_id, "-")
        table.add_row(review.id, day(review.created_at), proposal, new, known)
    following = page.cursors[-1] if page.has_next else None
    whose = subjects.names_of(service, scope, [review.subject_id for review in page.items])
    items = [
        {
            **asdict(review),
            "subject": whose.get(review.subject_id, ""),
            "memory_text": texts.get(review.memory_id),
            "target_text": texts.get(review.target_id),
        }
        for review in page.items
    ]
    context.show_page(items, following, table if items else "Nothing waits.")


@app.command("show")
def show_one(id: Id, context: Context) -> None:
    """One review, with both memories side by side.

    Example: graph-memory review show 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    scope = context.scope
    review = review_records.get(context.service, scope, id)
    new, known = read.get_many(context.service, scope, [review.memory_id, review.target_id])
    data = {
        **asdict(review),
        "memory": asdict(new) if new else None,
        "target": asdict(known) if known else None,
    }
    context.show(data, "\n".join(_lines(review, new, known)))


@app.command()
def approve(
    ids: Ids,
    action: Annotated[Action | None, typer.Option(help="Do this instead of what was proposed.")] = None,
    text: Annotated[
        str | None, typer.Option(help="The text of a MERGE, or of the new memory of a SUPERSEDE, instead.")
    ] = None,
    reason: Reason = "",
    key: Key = None,
    *,
    context: Context,
) -> None:
    """Do what was proposed, or something else instead, once.

    Example: graph-memory review approve 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11 --reason "she told me"
    """
    if text is not None and len(ids) > 1:
        raise Invalid("--text is of one review; give one id with it.")
    _decide(
        context, ids, key, lambda call, id: deciding.approve(context.service, call, id, action, text, reason)
    )


@app.command()
def reject(ids: Ids, reason: Reason = "", key: Key = None, *, context: Context) -> None:
    """Leave both memories as they are.

    Example: graph-memory review reject 3f0c9f0e-8f57-4c55-9d3c-2f1c7e1f3a11
    """
    _decide(context, ids, key, lambda call, id: deciding.reject(context.service, call, id, reason))


@app.command()
def agreement(context: Context) -> None:
    """How far people agree with each judge.

    Example: graph-memory review agreement
    """
    found = review_records.agreement(context.service, context.scope)
    table = tables.table("judge", "proposal", "approved", "rejected", "edited", "expired", "agreement")
    for each in found:
        counts = (each.approved, each.rejected, each.edited, each.expired)
        rate = "-" if each.rate is None else f"{each.rate:.0%}"
        table.add_row(each.provider, each.action.value, *map(str, counts), rate)
    data = [{**asdict(each), "rate": each.rate} for each in found]
    context.show(data, table if found else "Nothing was decided yet.")


def _decide(
    context: Context,
    ids: Sequence[str],
    key: str | None,
    decide: Callable[[Call, str], tuple[Review, Answer]],
) -> None:
    """Each review by itself; an id that is none is told before the first is decided."""
    for id in ids:
        review_records.get(context.service, context.scope, id)
    rows, lines, numbers = [], [], list[list[int]]()
    for place, id in enumerate(ids):
        own = key if key is None or place == 0 else f"{key}:{place + 1}"
        call = context.call(own, review_records.scope_of(context.service, context.scope, id))
        review, answer = decide(call, id)
        made = context.changes_of(call, answer)
        rows.append({**asdict(review), "changes": made, "replayed": answer.replayed})
        lines.append(_said(review))
        numbers.append(made)
    context.show(rows if len(rows) > 1 else rows[0], "\n".join(lines))
    for each in numbers:
        context.note_undo(each)


def _said(review: Review) -> str:
    if review.status is ReviewStatus.REJECTED:
        left = "the known memory stays" if review.asks_to_forget else "both memories stay"
        return f"rejected: {'it is retracted' if review.is_held else left}"
    done = "LET IN" if review.is_held else (review.decided_action or review.action).value
    return f"{review.status.value.lower()}: {done} was done"


def _texts(service: Service, scope: Scope, reviews: list[Review]) -> dict[str, str]:
    ids = [id for review in reviews for id in (review.memory_id, review.target_id)]
    return {memory.id: memory.text for memory in read.get_many(service, scope, ids) if memory}


def _lines(review: Review, new: Memory | None, known: Memory | None) -> Iterator[str]:
    if review.is_held:
        yield f"held before it is believed: {review.hindrance}"
    else:
        yield f"{review.action.value}, confidence {review.confidence:.2f}, by {review.provider}: {review.reason}"
        yield f"  not done by itself: {review.hindrance}"
    for what, memory in (("new", new),) if review.is_held else (("new", new), ("known", known)):
        said = f"“{memory.text}”  since {day(memory.valid_from)}  {memory.id}" if memory else "erased"
        yield f"  {what:>6}: {said}"
    if review.text:
        yield f"  to be said: “{review.text}”"
    if review.status is ReviewStatus.PENDING:
        yield f"  waits until {day(review.expires_at)}"
    else:
        yield f"  {review.status.value.lower()} {day(review.decided_at)} {review.decided_by or ''} {review.note}".rstrip()
