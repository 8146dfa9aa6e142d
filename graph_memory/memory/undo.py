"""Undo: takes back one change, or all of a run, newest first. What came later on the same memories refuses it by name.

An undo is itself a change with its own before and after, so it can be undone by the same means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Erased, HasDependants, IllegalMove, NotFound, PastRetention
from graph_memory.base.scope import Scope
from graph_memory.entities.edits import move_relations, rewrite_entities
from graph_memory.ledger import changes as ledger
from graph_memory.ledger.changes import (
    PENDING,
    Answer,
    Call,
    Decision,
    Writing,
    carry_out,
    check_reason,
    number,
    opened,
    rehearse,
)
from graph_memory.memory.links import BY_HAND
from graph_memory.memory.properties import for_ledger, from_ledger
from graph_memory.memory.review_states import rewrite_reviews, settle_reviews
from graph_memory.memory.states import Edit, give_way, load, moved, rewrite, twins
from graph_memory.model.change import CONSOLIDATE, Operation
from graph_memory.model.memory import Status
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.scoring.terms import SCORED
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

OF_CHANGES = query("memory/undo_changes")
OF_RUN = query("memory/undo_run")
DEPENDANTS = query("memory/undo_dependants")
LINKS_OF = query("memory/open_links_of")
CLAIMS_OF = query("claims/open")
MARK = query("memory/undo_mark")
CLOSE_LINKS = query("memory/undo_close_links")
REOPEN_LINKS = query("memory/undo_reopen_links")
CLOSE_MENTIONS = query("memory/undo_close_mentions")
REOPEN_MENTIONS = query("memory/undo_reopen_mentions")

# What a change about entities is called in the ledger, so that it is joined to those it names.
OF_ENTITIES = "ENTITY"
# What the request of an approved review is called in the ledger.
APPROVAL = "approveReview"


@dataclass(frozen=True)
class Undone:
    """The sequence numbers that were taken back, newest first, and the memories that changed by it."""

    changes: tuple[int, ...]
    memories: tuple[str, ...]


def undo(
    service: Service, call: Call, sequences: Sequence[int], cascade: bool = False, reason: str = ""
) -> tuple[Undone, Answer]:
    """Takes back changes of one subject. With `cascade` what depends on them goes along, and a memory that became
    live with the same words meanwhile is archived; undoing the undo makes it live again. What an approved review did is
    taken back as a whole: with its change go those that the approval made before, and the answer names them.

    Raises NotFound, IllegalMove for what was undone already, Erased for an erasure and what was erased, HasDependants,
    PastRetention, LiveTwin.
    """
    wanted, why = sorted(set(sequences), reverse=True), check_reason(reason)
    places = ledger.sequences(service, call.scope, wanted)

    def work(writing: Writing) -> Row:
        found = _acts(writing, places.values())
        missing = set(wanted) - {number(writing.scope, change) for change in found}
        if missing:
            raise NotFound(f"There is no change {min(missing)}, or it belongs to someone else.")
        return _undo(writing, found, cascade, why)

    answer = carry_out(service, call, "undo", [wanted, cascade, reason], work)
    return Undone(tuple(answer.value["changes"]), tuple(answer.value["memories"])), answer


def revert(
    service: Service, call: Call, run_id: str, cascade: bool = False, reason: str = ""
) -> tuple[Undone, Answer]:
    """Takes back all that a run did to one subject."""
    why = check_reason(reason) or f"run {run_id} was reverted"
    work = partial(_revert, run_id, cascade, why)
    answer = carry_out(service, call, "revert", [run_id, cascade, reason], work)
    return Undone(tuple(answer.value["changes"]), tuple(answer.value["memories"])), answer


def check_revert(service: Service, call: Call, run_id: str, cascade: bool = False) -> None:
    """Raises what `revert` would raise now, and changes nothing."""
    rehearse(service, call, partial(_revert, run_id, cascade, ""))


def _revert(run_id: str, cascade: bool, reason: str, writing: Writing) -> Row:
    found = [opened(row["change"]) for row in writing.run(OF_RUN, run_id=run_id)]
    if not found:
        raise NotFound(f"Run {run_id} changed nothing here, or all of it is undone already.")
    return _undo(writing, found, cascade, reason)


def _acts(writing: Writing, sequences: Iterable[int]) -> list[Row]:
    """The changes with these places in the ledger, each with what belongs to the same act."""
    rows = writing.run(OF_CHANGES, sequences=list(sequences), approval=APPROVAL)
    return [opened(row["change"]) for row in rows]


def _undo(writing: Writing, found: list[Row], cascade: bool, reason: str) -> Row:
    for change in found:
        if change["operation"] == Operation.ERASE:
            raise Erased(f"Change {number(writing.scope, change)} has erased for ever; it cannot be undone.")
        _require_undoable(writing.scope, change)
    wanted = _with_dependants(writing, found, cascade)
    wanted.sort(key=lambda change: change["sequence"], reverse=True)
    plan = plan_of(wanted)
    _take_links_along(writing, plan)
    ids = sorted(plan.states)
    rows = load(writing, ids)
    edits = [_edit(rows[id], plan.states[id]) for id in ids]
    if cascade:
        retired = twins(writing, rows, edits)
        rows |= {twin["id"]: twin for twin in retired.values()}
        edits += [give_way(writing, twin, id) for id, twin in retired.items()]
        ids = sorted(rows)
    # What waits again may ask about what ends by this.
    reviews = rewrite_reviews(writing, plan.reviews)
    before = rewrite(writing, rows, edits)
    if plan.reviews:
        settle_reviews(writing, sorted(plan.anchors))
    known = rewrite_entities(writing, plan.entities)
    effects, ends, sayers = turn_back(writing, plan)
    _rescore(writing, rows, edits)
    about = sorted(plan.about)
    moved_back = move_relations(writing, [[to, start, ids] for start, to, ids in plan.relations])
    sequences = [change["sequence"] for change in wanted]
    decision = Decision(
        Operation.UNDO,
        targets=ids,
        sources=sorted({*ends, *about} - set(ids)),
        reason=reason,
        classification=OF_ENTITIES if about else None,
        before={id: for_ledger(values) for id, values in before.items()},
        after={edit.id: for_ledger(edit.set) for edit in edits},
        effects={
            **effects,
            "undoes": sequences,
            "entities": known,
            "about": about,
            "relations_moved": moved_back,
            "reviews": reviews,
        },
    )
    writing.decide(decision, touched=sorted({*ids, *ends, *sayers}))
    writing.run(MARK, sequences=sequences, by=writing.request_id, released=_released(wanted))
    return {"changes": [number(writing.scope, change) for change in wanted], "memories": ids}


def _rescore(writing: Writing, rows: Mapping[str, Row], edits: Sequence[Edit]) -> None:
    """Scores follow at once what they are made of, where that came back."""
    scored = [
        edit.id
        for edit in edits
        if SCORED & edit.set.keys() and {**rows[edit.id], **edit.set}["status"] == Status.ACTIVE
    ]
    if scored:
        rescore_some(writing.tx, writing.settings, scored, writing.now, "UNDONE")


@dataclass
class Plan:
    """The net of taking back several changes: the state each memory and entity returns to, and links and mentions to
    turn back. `about` are the entities that were decided about, `reviews` those that stand again as they did."""

    states: dict[str, Row]
    close_links: set[str]
    reopen_links: set[str]
    close_mentions: set[tuple[str, str]]
    reopen_mentions: set[tuple[str, str]]
    added: set[str]
    anchors: set[str]
    entities: dict[str, Row]
    about: set[str]
    relations: list[list[Any]]
    reviews: dict[str, Row]


def plan_of(changes: Sequence[Row]) -> Plan:
    """What taking back these changes comes to; they come newest first, with their payload."""
    plan = Plan({}, set(), set(), set(), set(), set(), set(), {}, set(), [], {})
    for change in changes:
        plan.anchors.update(change["targets"], change["sources"])
        for id, values in change["before"].items():
            plan.states.setdefault(id, {}).update(from_ledger(values))
        if change["operation"] == Operation.ADD and change["classification"] != "CONVERSATION":
            for id in change["targets"]:
                plan.states.setdefault(id, {}).update(moved(Status.RETRACTED))
                plan.added.add(id)
        if change["classification"] == CONSOLIDATE:
            plan.added.update(change["targets"])
        effects = change["effects"]
        for id, known in effects.get("entities", {}).items():
            plan.entities.setdefault(id, {}).update(known["before"])
        for id, noted in effects.get("reviews", {}).items():
            plan.reviews.setdefault(id, {}).update(from_ledger(noted["before"]))
        plan.about.update(effects.get("about", []))
        plan.relations.extend(reversed(effects.get("relations_moved", [])))
        _fold(
            plan.close_links,
            plan.reopen_links,
            effects.get("links_opened", []),
            effects.get("links_closed", []),
        )
        # A claim is closed and opened as a link is; its change may name the entity and not the memory.
        claims = {name: effects.get(name, []) for name in ("claims_opened", "claims_closed")}
        plan.anchors.update(memory for pairs in claims.values() for memory, _ in pairs)
        _fold(plan.close_links, plan.reopen_links, *([id for _, id in pairs] for pairs in claims.values()))
        opened_mentions = [(one, other) for one, other in effects.get("mentions_opened", [])]
        closed_mentions = [(one, other) for one, other in effects.get("mentions_closed", [])]
        _fold(plan.close_mentions, plan.reopen_mentions, opened_mentions, closed_mentions)
    return plan


def _fold(close: set[Any], reopen: set[Any], opened_then: Sequence[Any], closed_then: Sequence[Any]) -> None:
    """One earlier change more is taken back: what a later one did to the same link cancels out."""
    for item in opened_then:
        reopen.discard(item) if item in reopen else close.add(item)
    for item in closed_then:
        close.discard(item) if item in close else reopen.add(item)


def _take_links_along(writing: Writing, plan: Plan) -> None:
    """The links and claims of what nobody will have said: those made by hand are undone with it, the others follow here."""
    if plan.added:
        plan.close_links |= {row["link"] for row in writing.run(LINKS_OF, ids=sorted(plan.added))}
        plan.close_links |= {row["claim"] for row in writing.run(CLAIMS_OF, ids=sorted(plan.added))}


def turn_back(writing: Writing, plan: Plan) -> tuple[Row, set[str], set[str]]:
    """What was opened and closed by it, for the ledger, the memories at the ends of those links, and those that
    mention."""
    anchors = sorted(plan.anchors)
    closed = writing.run(CLOSE_LINKS, anchors=anchors, ids=sorted(plan.close_links), pending=PENDING)
    reopened = writing.run(
        REOPEN_LINKS, anchors=anchors, ids=sorted(plan.reopen_links), pending=PENDING, forever=FOREVER
    )
    unsaid = writing.run(
        CLOSE_MENTIONS,
        pairs=[list(pair) for pair in sorted(plan.close_mentions)],
        added=sorted(plan.added),
        pending=PENDING,
    )
    said = writing.run(
        REOPEN_MENTIONS,
        pairs=[list(pair) for pair in sorted(plan.reopen_mentions)],
        forever=FOREVER,
        pending=PENDING,
    )
    effects = {
        "links_opened": _links(reopened),
        "links_closed": _links(closed),
        "claims_opened": _claims(reopened),
        "claims_closed": _claims(closed),
        "mentions_opened": [[row["memory"], row["entity"]] for row in said],
        "mentions_closed": [[row["memory"], row["entity"]] for row in unsaid],
    }
    ends = {end for row in (*closed, *reopened) for end in row["ends"]}
    return effects, ends, {row["memory"] for row in (*said, *unsaid)}


def _links(rows: Sequence[Row]) -> list[str]:
    return [row["id"] for row in rows if len(row["ends"]) > 1]


def _claims(rows: Sequence[Row]) -> list[list[str]]:
    """Those that a single memory has: what it states."""
    return [[row["ends"][0], row["id"]] for row in rows if len(row["ends"]) == 1]


def _edit(row: Row, values: Mapping[str, Any]) -> Edit:
    hash = values.get("content_hash")
    return Edit(row["id"], dict(values), vector_of=hash if hash and hash != row["content_hash"] else None)


def _with_dependants(writing: Writing, found: list[Row], cascade: bool) -> list[Row]:
    """The changes and, with `cascade`, all that depends on them; HasDependants names those when it is not given."""
    wanted = {change["sequence"]: change for change in found}
    while True:
        released = _released(list(wanted.values()))
        rows = writing.run(DEPENDANTS, sequences=sorted(wanted), released=released, by_hand=BY_HAND)
        later = {
            change["sequence"]: change
            for row in rows
            if _depends(change := opened(row["change"]), row["sequence"])
        }
        if not later:
            return list(wanted.values())
        if not cascade:
            raise HasDependants(
                [
                    f"{number(writing.scope, change)} ({change['operation']})"
                    for _, change in sorted(later.items())
                ]
            )
        later |= {change["sequence"]: change for change in _acts(writing, later)}
        for sequence, change in later.items():
            _require_undoable(writing.scope, change, is_released=sequence in released)
        wanted |= later


def _depends(change: Row, sequence: int) -> bool:
    """Whether a later change stands on this one. An undo of what came later only cancels out with it."""
    if change["operation"] != Operation.UNDO:
        return True
    undoes = (change["effects"] or {}).get("undoes", [])
    return any(each <= sequence for each in undoes)


def _require_undoable(scope: Scope, change: Row, is_released: bool = False) -> None:
    """`is_released`: an undo of it is being undone, so it stands again."""
    if change["undone_by"] is not None and not is_released:
        raise IllegalMove(
            f"Change {number(scope, change)} was undone already; undo that undo to have it back."
        )
    if change.get("erased_at") is not None and change["effects"] is None:
        raise Erased(f"Change {number(scope, change)} cannot be undone: what it changed was erased for ever.")
    if change["before"] is None or change["effects"] is None:
        raise PastRetention(
            f"Change {number(scope, change)} is past its retention: what it changed is no longer kept."
        )


def _released(changes: Sequence[Row]) -> list[int]:
    """What the undone undos had taken back stands again, unless it is undone now."""
    again = {
        number
        for change in changes
        if change["operation"] == Operation.UNDO
        for number in change["effects"]["undoes"]
    }
    return sorted(again - {change["sequence"] for change in changes})
