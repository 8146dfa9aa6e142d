"""What `graph-memory demo` shows of a conversation that was taken in: all of it is asked of the running service."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape

from graph_memory import samples
from graph_memory.base.scope import Scope
from graph_memory.client import Client
from graph_memory.client.answers import Memory, Review
from graph_memory.ledger import changes as ledger
from graph_memory.memory import community_reading, entity_reading, reading
from graph_memory.memory.retirement import why_retired
from graph_memory.model.change import Operation
from graph_memory.scoring.forecast import Day, simulate_decay
from graph_memory.store.service import Service

console = Console(highlight=False, soft_wrap=True)

# The kinds of statement that are shown by their most important one; the others are plain facts.
_KINDS = ("plan", "decision", "preference")
_PAGE, _NAMES, _CHANGES, _DAYS, _BARS, _BAR, _SUMMARY = 100, 10, 3, 120, 3, 40, 300
# How a tier is drawn, in colour and without.
_TIERS = {
    "hot": ("red", "█"),
    "warm": ("yellow", "▓"),
    "cold": ("blue", "▒"),
    "archived_tier": ("bright_black", "░"),
}


def understood(service: Service, scope: Scope) -> None:
    """Who and what the conversation is about, and the most important statement of each kind."""
    head("What was understood")
    names = sorted(_entities(service, scope), key=lambda each: -each[1])[:_NAMES]
    told("Who and what", ", ".join(f"{name} ({count})" for name, count in names))
    for kind in _KINDS:
        kept = reading.browse(service, scope, _PAGE, kind=kind).items
        if kept:
            first = max(kept, key=lambda each: each.importance)
            told(
                f"{_counted(len(kept), kind)}, the most important one",
                f"{first.text}  [since {first.valid_from:%-d %B %Y}]",
            )


def changed(service: Service, scope: Scope) -> None:
    """What a later message made untrue, as the service saw it by itself."""
    found = ledger.changes(service, scope, first=_PAGE, operations=[Operation.SUPERSEDE])
    seen = [each for each in found if each["actor"] == "extractor"]
    head(f"What changed, seen by itself: {len(seen)}; nothing is lost")
    retired = [id for change in seen for id in change["sources"]]
    # What was forgotten since is not there to be told.
    for memory in filter(None, reading.get_many(service, scope, retired)[:_CHANGES]):
        told(f"no longer “{memory.text}”", why_retired(service, scope, memory.id).explanation)


def decisions(client: Client) -> None:
    """What the service was not sure of. The person who decides one of them is one who has read the conversation."""
    waiting = list(client.reviews(first=_PAGE))
    decided = list(client.reviews(first=_PAGE, status="APPROVED"))
    head(
        f"Where it was not sure it changed nothing and left it to a person: {_counted(len(waiting), 'proposal')}"
    )
    review = _known_right([*waiting, *decided])
    if review is None or review.memory is None or review.target is None:
        return
    why = f"{review.confidence:.2f} sure: {review.hindrance or review.reason}"
    told(f"{review.action.lower()} “{review.target.text}”", f"by “{review.memory.text}”  [{why}]")
    if review.status == "PENDING":
        client.approve_review(review.id)
        told(
            "decided", "approved; this demo plays the person, who does it with `graph-memory review approve`"
        )
    else:
        told("decided", "approved, when this demo ran before")


def questions(client: Client) -> None:
    """Questions and what is found first; then one for a day of the past, and times that a memory proves."""
    wanted = samples.tour()
    head("Questions, in anybody's words")
    for item in wanted.questions:
        hits = client.search(item.question).hits
        told(item.question, _since(hits[0].memory) if hits else "nothing was found")
    past = client.search(wanted.past.question, as_of=wanted.past.at).hits
    told(
        f"{wanted.past.question} On {wanted.past.at:%-d %B %Y}",
        _since(past[0].memory) if past else "nothing was known",
    )
    for question in wanted.times:
        answer = client.ask(question)
        told(question, f"{answer.answer}  [{answer.reasoning}]" if answer.answer else answer.note or "")


def community(service: Service, scope: Scope) -> None:
    """The largest community, with its summary."""
    found = community_reading.page(service, scope, _PAGE).items
    if not found:
        return
    largest = max(found, key=lambda each: (each.size, each.id))
    summary = community_reading.summaries_of(service, scope, [largest.id]).get(largest.id)
    head(f"What it is about: {len(found)} communities; the largest has {largest.size} memories")
    if summary is None:
        told("named", largest.name)
        return
    by = "an extract" if summary.is_extractive else f"summed up by {summary.written_by}"
    told(f"{largest.name}, {by}", textwrap.shorten(summary.memory.text, _SUMMARY, placeholder=" ..."))


def forecast(service: Service, scope: Scope) -> None:
    """How the tiers fill and empty if nobody asks any more."""
    [found] = simulate_decay(service, scope, _DAYS)
    legend = "  ".join(f"[{colour}]{mark}[/] {_tier(name)}" for name, (colour, mark) in _TIERS.items())
    head(f"What would be forgotten if nobody asked for {_DAYS} days; nothing is deleted", f"   {legend}")
    for each in found.summary[:: _DAYS // _BARS]:
        counts = ", ".join(f"{getattr(each, name)} {_tier(name)}" for name in _TIERS)
        console.print(f"  day {each.day:>3}  {_bar(each)}  [dim]{counts}[/]")


def pack(client: Client) -> None:
    """The block that an agent's prompt would begin with."""
    wanted = samples.tour().pack
    found = client.pack(wanted.query, budget=wanted.budget)
    head(f"A pack for a prompt, of {wanted.budget} tokens at most: {wanted.query}")
    for line in found.text.splitlines():
        console.print(f"  [dim]{escape(line)}[/]")


def head(text: str, more: str = "") -> None:
    """A headline."""
    console.print(f"\n[bold]{escape(text)}[/]{more}")


def told(what: str, text: str) -> None:
    """One thing, and what the service says of it; what stands in brackets at its end is of less weight."""
    said, bracket, rest = text.partition("  [")
    faint = f"  [dim]({escape(rest.removesuffix(']'))})[/]" if bracket else ""
    colon = "" if what.endswith("?") else ":"
    console.print(f"  [cyan]{escape(what)}[/]{colon} {escape(said)}{faint}")


def _since(memory: Memory) -> str:
    return f"{memory.text}  [since {memory.valid_from:%-d %B %Y}]"


def _entities(service: Service, scope: Scope) -> Iterator[tuple[str, int]]:
    page = entity_reading.page(service, scope, first=_PAGE)
    for each in page.items:
        yield each["name"], each["link_count"]


def _known_right(reviews: list[Review]) -> Review | None:
    """The surest review that proposes what the sample's readers know to be so."""
    pairs = {(change.old, change.new) for change in samples.tour().supersessions}
    right = [
        each
        for each in reviews
        if each.memory and each.target and (each.target.source.ref, each.memory.source.ref) in pairs
    ]
    return max(right, key=lambda each: each.confidence, default=None)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _tier(name: str) -> str:
    return name.partition("_")[0]


def _bar(day: Day) -> str:
    drawn = [(getattr(day, name), colour, mark) for name, (colour, mark) in _TIERS.items()]
    most = max(1, sum(count for count, _, _ in drawn))
    return "".join(
        f"[{colour}]{mark * max(round(_BAR * count / most), count > 0)}[/]" for count, colour, mark in drawn
    )
