"""The daily rescoring: importance by the policy, retention and tier of every active memory, in one go.

One job for what the sources split in two (stale memories, and those near a date of theirs): all are computed, and only
what changed is written. Superseded memories are among them, so that their tier drops by itself.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.jobs.context import Context
from graph_memory.scoring import tier_moves as recording
from graph_memory.scoring.facts import Known, facts_of
from graph_memory.scoring.scores import TIERS, Scores, Tier, as_stored, checked, scores_of
from graph_memory.scoring.settings import DecaySettings
from graph_memory.scoring.terms import Policy, constants, epoch_ms
from graph_memory.scoring.tier_moves import Move
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Row, Service, Transaction

log = logging.getLogger(__name__)

EARNING = query("scoring/rescore_earning")
LINEAR = query("scoring/rescore_linear")
RETENTION = query("scoring/rescore_retention")
REACHED = query("scoring/reached")
REACH = query("scoring/reach")
NEXT_PAGE = query("scoring/page")
ACTIVITY = query("scoring/activity")
HUBS = query("scoring/hubs")
WRITE = query("scoring/write")
HOLDS = query("scoring/holds")

# Memories of one statement; it commits in smaller batches. Bounds what one statement answers, and how long it takes.
# A statement computes in one thread of the server, so that `decay.concurrency` of them are carried out side by side.
PAGE = 10_000

# How far two clocks may be apart before a moment that lies ahead is a mistake.
SKEW = timedelta(minutes=10)

_FIRST = ""

RESCORE = {Policy.EARNING: EARNING, Policy.LINEAR: LINEAR, Policy.RETENTION: RETENTION}

Told = Callable[["Rescored"], None]


@dataclass
class Rescored:
    """What a rescoring did: memories computed, written, and moved to another tier."""

    rescored: int = 0
    changed: int = 0
    moved: Counter[tuple[Tier, Tier]] = field(default_factory=Counter)
    moves: list[Move] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """As a run keeps it: `hot_to_warm` and the like beside the totals."""
        pairs = {f"{was}_to_{now}".lower(): count for (was, now), count in sorted(self.moved.items())}
        total = {"rescored": self.rescored, "changed": self.changed, "moved": self.moved.total()}
        return {**total, **pairs}


def rescore(context: Context) -> dict[str, int]:
    """The job: scores as of the run's moment; its changes of tier are kept on the run.

    A run of no slot, which somebody asked for again, is carried out in any case. Its batches need no fence: an overtaken
    holder writes what its successor would. The run's end is fenced.
    """
    service, scope, run = context.service, context.scope, context.run.id
    kept = recording.of_run(service, scope, run)

    def told(so_far: Rescored) -> None:
        context.progress(so_far.rescored, so_far.rescored, "rescore")
        if so_far.moves:
            recording.keep(context, (kept + so_far.moves)[: service.settings[DecaySettings].kept_moves])

    context.progress(0, 1, "rescore")
    is_asked_again = context.run.slot is None
    return rescore_tenant(service, scope, context.at, told, is_forced=is_asked_again).counts()


def rescore_tenant(
    service: Service,
    scope: Scope,
    at: datetime,
    told: Told | None = None,
    policy: Policy | None = None,
    *,
    is_forced: bool = False,
) -> Rescored:
    """Writes the scores of every active memory as of `at`, and says what that did.

    Nothing when the tenant has been rescored as of that moment or a later one, unless it is forced. A later one that
    has not come yet, by our clock or the database's, is a clock's mistake and counts for nothing. Interrupted, it begins
    again and finds what it wrote unchanged.
    """
    done, decay = Rescored(), service.settings[DecaySettings]
    reached = {"at": at, "now": max(service.clock(), at), "skew_ms": SKEW // timedelta(milliseconds=1)}
    if not is_forced and any(row["is_reached"] for row in service.read(scope, REACHED, **reached)):
        return done
    statement = RESCORE[policy or Policy(decay.policy)]
    service.batches(
        scope,
        HOLDS,
        grace_days=decay.expiry_grace_days,
        critical_overrides_expiry=decay.critical_overrides_expiry,
        batch=decay.batch,
    )
    sizes = {"batch": decay.batch, "concurrency": decay.concurrency}
    values = {**_values(service, scope, statement), **sizes, "at_ms": epoch_ms(at)}

    def carry_out(page: _Page) -> Row:
        [row] = service.batches(scope, statement, after=page.after, until=page.until, **values)
        return {**row, "rescored": page.active}

    with ThreadPoolExecutor(decay.concurrency) as pool:
        for pages in _groups(_pages(service, scope), decay.concurrency):
            for row in pool.map(carry_out, pages):
                _add(done, row, at, decay.kept_moves)
            if told is not None:
                told(done)
    service.write(scope, lambda tx: tx.run(REACH, **reached))
    return done


def rescore_some(
    tx: Transaction, settings: Sections, ids: Iterable[str], at: datetime, reason: str
) -> dict[str, Scores]:
    """Scores of named memories of the transaction's scope as of `at`, written in that transaction.

    For accesses and for changes of what scores follow from: `reason` says which. Changes of tier are kept on the run of
    their day. A memory whose facts cannot be scored is left as it is and logged.
    """
    known = facts_of(tx.run, tx.scope, list(ids))
    found = _scored(known, at, settings)
    rows = [{"id": id, **as_stored(each)} for id, each in sorted(found.items())]
    if rows:
        tx.run(WRITE, rows=rows)
    moved = [
        Move(id, known[id].tier, each.tier, reason, each.retention, at)
        for id, each in sorted(found.items())
        if each.tier is not known[id].tier
    ]
    if moved:
        recording.keep_of_day(tx, settings, moved, at)
    return found


def _scored(known: Mapping[str, Known], at: datetime, settings: Sections) -> dict[str, Scores]:
    """All at once; one by one where one cannot be scored."""
    try:
        found = scores_of(checked([each.facts for each in known.values()], at, settings))
        return dict(zip(known, found, strict=True))
    except Invalid as error:
        if len(known) > 1:
            apart = [_scored({id: each}, at, settings) for id, each in known.items()]
            return {id: scored for each in apart for id, scored in each.items()}
        log.warning("not_scored", extra={"memory": next(iter(known)), "part": error.path})
        return {}


def _values(service: Service, scope: Scope, statement: Query) -> Mapping[str, Any]:
    """The constants that a statement names, and what it reads of persons and links."""
    activity = {row["id"]: row["days"] for row in service.read(scope, ACTIVITY)}
    values: dict[str, Any] = {**constants(service.settings), "activity": activity}
    if "links" in statement.parameters:
        values["links"] = {row["id"]: row["links"] for row in service.read(scope, HUBS)}
    return {name: value for name, value in values.items() if name in statement.parameters}


@dataclass(frozen=True)
class _Page:
    """Memories whose ids lie after one and up to another, and how many of them are active."""

    after: str
    until: str
    active: int


def _pages(service: Service, scope: Scope) -> Iterator[_Page]:
    after, is_full = _FIRST, True
    while is_full:
        [row] = service.read(scope, NEXT_PAGE, after=after, size=PAGE)
        is_full = row["memories"] == PAGE
        if row["active"]:
            yield _Page(after, row["id"], row["active"])
        after = row["id"]


def _groups(pages: Iterator[_Page], size: int) -> Iterator[list[_Page]]:
    while group := list(islice(pages, size)):
        yield group


def _add(done: Rescored, row: Row, at: datetime, most: int) -> None:
    done.rescored += row["rescored"]
    done.changed += row["changed"]
    for move in row["moves"]:
        was, now = TIERS[move["was"]], TIERS[move["rank"]]
        done.moved[was, now] += 1
        if len(done.moves) < most:
            done.moves.append(Move(move["id"], was, now, reason_of(was, now), move["score"], at))


def reason_of(was: Tier, now: Tier) -> str:
    """Why a memory changed its tier, in one word."""
    return "FADED" if TIERS.index(now) > TIERS.index(was) else "REVIVED"
