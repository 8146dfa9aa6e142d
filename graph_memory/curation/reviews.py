"""A person decides a review: approve, reject, or something else. Each is applied once, and a Change in the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.base.errors import Conflict, Invalid, NotFound, Outdated
from graph_memory.base.ids import check_id
from graph_memory.curation import review_records
from graph_memory.ingest.told_ahead import told_ahead
from graph_memory.ledger.activity import zone_in
from graph_memory.ledger.changes import Answer, Call, Decision, Writing, carry_out, check_reason
from graph_memory.memory.holding import let_in, put_aside, turn_away
from graph_memory.memory.life import reword, reworded
from graph_memory.memory.merge import unite
from graph_memory.memory.merged_text import merged_text
from graph_memory.memory.properties import properties_of
from graph_memory.memory.reading import get_many
from graph_memory.memory.review_states import rewrite_reviews
from graph_memory.memory.states import load, require_move
from graph_memory.memory.supersession import join_chain
from graph_memory.memory.trust import require_no_alarm, vouch
from graph_memory.memory.undo import APPROVAL
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.model.review import Review, ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

LOAD = query("reviews/load")
# What is read of either memory of a review: whether it says the same, and whether it is live.
_SIDES = {"memory": ("says_the_same", "is_live"), "target": ("target_says_the_same", "target_is_live")}


def approve(
    service: Service,
    call: Call,
    id: str,
    action: Action | None = None,
    text: str | None = None,
    note: str = "",
    may_vouch: bool = True,
) -> tuple[Review, Answer]:
    """Does what was proposed, or another `action`, or with another `text`; those two make it EDITED.

    `may_vouch`: who approves stands for the new memory, as with `confirm`; an agent cannot. Without it raises LessTrusted where
    what nobody stands for would retire what is trusted more, and Forbidden where screening warned of its text.

    `text` is what a MERGE leads to, or what the new memory of a SUPERSEDE says; without it the proposed one, where there is
    one. DUPLICATE makes the new memory part of the known one, whose text stays. A memory that is held becomes live.
    FORGET retracts the known memory that an order is about; COEXIST lets the order in, as a fact.
    Raises NotFound, Conflict for one that was decided already, Outdated when one of the memories has changed or is no
    longer live, LiveTwin when its words are live already, Invalid for a merged text that loses a number or a name.
    """
    review = review_records.get(service, call.scope.for_writing(), id)
    wanted = action or review.action
    check_text(wanted, text)
    is_edited = wanted is not review.action or text is not None
    status = ReviewStatus.EDITED if is_edited else ReviewStatus.APPROVED
    why = check_reason(note)
    if review.is_held and wanted is not Action.COEXIST:
        raise Invalid(
            "This review holds a statement back: approve it without an action to let it in, or reject it.",
            path="action",
        )
    _check_order(review, wanted)
    said = text if text is not None or is_edited else review.text
    worded: Row | None = None
    if wanted is Action.MERGE:
        worded = _merged(service, call, review, said)
    elif wanted is Action.SUPERSEDE and said is not None:
        worded = reworded(service, call, review.memory_id, said)

    def work(writing: Writing) -> Row:
        found = _pending(writing, id)
        noted = _note(writing, review, status, wanted, why)
        if review.is_held or (review.asks_to_forget and wanted is Action.COEXIST):
            let_in(writing, review.memory_id, why or review.hindrance)
        elif review.asks_to_forget:
            _require_standing(found, ["target"])
            put_aside(writing, review.target_id, why or review.reason)
        else:
            _require_standing(found)
            _act(writing, review, wanted, worded, why or review.reason, may_vouch)
        writing.add_effects(reviews=noted)
        return {"id": review.id, "status": status.value, "action": wanted.value}

    answer = carry_out(service, call, APPROVAL, [id, action, text, note], work)
    return review_records.get(service, call.scope.for_writing(), id), answer


def check_text(action: Action, text: str | None) -> None:
    """Raises Invalid for a text that the action has no use for."""
    if text is not None and action not in (Action.MERGE, Action.SUPERSEDE):
        raise Invalid("A text can be given for a MERGE or a SUPERSEDE only.", path="text")


def reject(service: Service, call: Call, id: str, note: str = "") -> tuple[Review, Answer]:
    """Leaves everything as it is: both memories stay, one that is held is retracted.

    Raises NotFound, Conflict for one that was decided already.
    """
    review = review_records.get(service, call.scope.for_writing(), id)
    why = check_reason(note)

    def work(writing: Writing) -> Row:
        _pending(writing, id)
        status, action = ReviewStatus.REJECTED, Action.COEXIST
        noted = _note(writing, review, status, action, why)
        if review.is_held:
            turn_away(writing, review.memory_id, why)
        else:
            sources = [review.target_id]
            writing.decide(
                Decision(Operation.NOOP, [review.memory_id], sources, why, classification="REVIEW_REJECTED")
            )
        writing.add_effects(reviews=noted)
        return {"id": review.id, "status": status.value, "action": action.value}

    answer = carry_out(service, call, "rejectReview", [id, note], work)
    return review_records.get(service, call.scope.for_writing(), id), answer


def _pending(writing: Writing, id: str) -> Row:
    rows = writing.run(LOAD, id=check_id(id, "review"))
    if not rows:
        raise NotFound(f"There is no review {id}, or it belongs to someone else.")
    review = Review.from_row(rows[0]["review"])
    if review.is_closed_by_itself:
        raise Outdated(f"Review {id} is closed. {review.note}")
    if review.status is not ReviewStatus.PENDING:
        raise Conflict(f"Review {id} is {review.status.lower()} already; nothing is left to decide.")
    return rows[0]


def _check_order(review: Review, wanted: Action) -> None:
    """Raises Invalid where an order to forget is to do something else, or something else to forget."""
    if review.asks_to_forget and wanted not in (Action.FORGET, Action.COEXIST):
        raise Invalid(
            "This review asks to forget a memory: approve it without an action, let the order in as a fact with COEXIST, "
            "or reject it.",
            path="action",
        )
    if wanted is Action.FORGET and not review.asks_to_forget:
        raise Invalid("Nobody asked to forget anything; to forget the memory, retract it.", path="action")


def _require_standing(found: Row, sides: Sequence[str] = tuple(_SIDES)) -> None:
    for side in sides:
        same, live = (found[each] for each in _SIDES[side])
        if not (same and live):
            what = "has changed" if live else "is no longer live"
            id = found["review"][f"{side}_id"]
            raise Outdated(f"Memory {id} {what} since this was proposed; reject the review, or decide anew.")


def _act(
    writing: Writing, review: Review, action: Action, worded: Row | None, reason: str, may_vouch: bool
) -> None:
    """`worded` is what the text of a merge leads to, or the new words of what takes the known memory's place."""
    rows = load(writing, [review.target_id, review.memory_id])
    target, new = rows[review.target_id], rows[review.memory_id]
    if action is Action.SUPERSEDE and worded is not None:
        reword(writing, review.memory_id, worded, reason)
    if action is not Action.COEXIST and may_vouch:
        # What a person lets take another's place, or go into it, that person stands for.
        vouch(writing, [review.memory_id], reason)
    elif action is not Action.COEXIST:
        require_no_alarm(new)
    if action is Action.SUPERSEDE:
        start = told_ahead(new, target, zone_in(writing))
        join_chain(writing, review.target_id, review.memory_id, start, reason, review.confidence)
        return
    if action is Action.COEXIST:
        sources = [review.target_id]
        writing.decide(
            Decision(Operation.NOOP, [review.memory_id], sources, reason, classification=action.value)
        )
        return
    require_move(new, Status.MERGED)
    unite(writing, target, new, worded or {"text": target["text"]}, reason, (action.value, review.confidence))


def _note(writing: Writing, review: Review, status: ReviewStatus, action: Action, note: str) -> Row:
    """Before anything is done, as a review that waits is closed when one of its memories ends; for the ledger."""
    decided = {
        "status": status.value,
        "decided_at": writing.now,
        "decided_by": writing.call.actor,
        "decided_action": action.value,
        "note": note,
    }
    return rewrite_reviews(writing, {review.id: decided})


def _merged(service: Service, call: Call, review: Review, text: str | None) -> Row:
    """What the merged text leads to; without one, both texts."""
    scope = call.scope.for_writing()
    target, new = get_many(service, scope, [review.target_id, review.memory_id])
    if target is None or new is None:
        raise Outdated("One of the memories is gone since this was proposed; reject the review.")
    merged = merged_text(service.settings, target.text, new.text, text).or_refuse()
    return properties_of(service, merged, target.heading)
