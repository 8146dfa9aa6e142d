"""A repetition is evidence: what is said again is kept as a memory of its own, merged into the one that says it already.

So its source, its date and what it lends (`lending.py`) are there as long as it is: undo takes them back, so does erasing
or quarantining its source, and where the known memory goes, the repetition can stand for itself. The text of the known
memory never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.base.ids import new_id
from graph_memory.entities.relations import relate
from graph_memory.entities.resolution import Said, mention
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.language.recognition import recognise
from graph_memory.ledger.changes import PENDING, Decision, Writing
from graph_memory.memory.lending import Lender, given_back, lent, lent_by_repeating
from graph_memory.memory.properties import MOST_TAGS, for_ledger
from graph_memory.memory.sharing import share
from graph_memory.memory.states import Edit, load, moved, require_move, rewrite
from graph_memory.model.change import Operation
from graph_memory.model.memory import EntityName, Status
from graph_memory.scoring.rescoring import rescore_some
from graph_memory.store.queries import query
from graph_memory.store.service import Row

MAKE = query("memory/add")
OPEN_LINKS = query("memory/open_links")
LENDERS = query("memory/lenders")
BORROWERS = query("memory/borrowers")
OF_SUBJECT = query("activity/of_subject")

# Why a memory changed its tier.
REPEATED, GIVEN_BACK = "REPEATED", "GIVEN_BACK"


@dataclass(frozen=True)
class Repetition:
    """What was said again: the memory that says it already, and what would be stored of it as a memory of its own.

    `confidence` and `reason` are a judge's.
    """

    known: str
    properties: Row
    message_id: str | None = None
    confidence: float | None = None
    reason: str = ""


def repeat(writing: Writing, said: Sequence[Repetition]) -> list[bool]:
    """Joins repetitions to what is known in the open transaction, with a Change each; whether each lent anything beside
    its source. Raises NotFound and IllegalMove for a memory that cannot be joined any more."""
    if not said:
        return []
    [subject] = writing.run(OF_SUBJECT)
    made = [_merged(each, subject["days"]) for each in said]
    writing.run(
        MAKE,
        rows=[
            {"id": new["id"], "key": new["id"], "properties": new, "message_id": each.message_id}
            for each, new in zip(said, made, strict=True)
        ],
    )
    return join(writing, said, made)


def join(writing: Writing, said: Sequence[Repetition], made: Sequence[Row]) -> list[bool]:
    """The same for repetitions that are stored as merged memories already: `made`, as loaded."""
    rows = load(writing, sorted({each.known for each in said}))
    for row in rows.values():
        require_move(row, Status.ARCHIVED)
    now = dict(rows)
    links, joined = list[Row](), list[Decision]()
    for each, new in zip(said, made, strict=True):
        known = now[each.known]
        lender = Lender(new, lent_by_repeating(new, known), writing.call.actor)
        others = partial(ids_of_lenders, writing, each.known)
        taken = _changed(known, lent(known, lender, others, MOST_TAGS))
        now[each.known] = {**known, **taken}
        links.append(_link(each, lender))
        joined.append(_decision(each, known, new, taken, links[-1]["id"]))
    call = writing.call
    opening = {"actor": call.actor, "run_id": call.run_id, "now": writing.now}
    writing.run(OPEN_LINKS, rows=links, pending=PENDING, forever=FOREVER, **opening)
    changed = [id for id in sorted(rows) if now[id] != rows[id]]
    rewrite(writing, rows, [Edit(id, _changed(rows[id], now[id])) for id in changed])
    if changed:
        rescore_some(writing.tx, writing.settings, changed, writing.now, REPEATED)
    for decision in joined:
        writing.decide(decision, touched=[*decision.targets, decision.sources[0]])
    return [decision.operation is Operation.UPDATE for decision in joined]


def lenders(writing: Writing, ids: Iterable[str]) -> dict[str, list[Lender]]:
    """What was merged into each of these memories and stands, oldest first."""
    found: dict[str, list[Lender]] = {id: [] for id in ids}
    for row in writing.run(LENDERS, ids=sorted(found)):
        found[row["keep"]].append(Lender(row["memory"], tuple(row["lends"]), row["by"]))
    return found


def give_back(writing: Writing, gone: Iterable[str]) -> dict[str, Row]:
    """Takes back what these memories lent, in the open transaction, and what was lent further on; what each memory had
    before, of what it has no longer. Their links to what they were merged into stand still."""
    leaving, before = set(gone), dict[str, Row]()
    level, most = set(leaving), MOST_TAGS
    while level:
        uses = {
            row["id"]: row["uses"] if level <= leaving else 0
            for row in writing.run(BORROWERS, ids=sorted(level))
            if row["id"] not in leaving
        }
        rows, lending = load(writing, sorted(uses)), lenders(writing, uses)
        edits = []
        for id, row in rows.items():
            staying = [each for each in lending[id] if each.id not in leaving]
            if values := given_back(row, staying, uses[id], most):
                edits.append(Edit(id, values))
        before |= rewrite(writing, rows, edits)
        level = {edit.id for edit in edits}
    # Only what is active has scores.
    rescore(writing, before)
    return before


def rescore(writing: Writing, ids: Iterable[str]) -> None:
    """Scores follow at once what was taken back."""
    rows = load(writing, sorted(ids))
    active = [id for id, row in rows.items() if row["status"] == Status.ACTIVE]
    if active:
        rescore_some(writing.tx, writing.settings, active, writing.now, GIVEN_BACK)


def name(writing: Writing, rows: Mapping[str, Row]) -> list[list[str]]:
    """Joins repetitions that stand for themselves from now on to what they mention; as repetitions they named nothing.
    The mentions, as the ledger keeps them."""
    said = []
    for id, row in sorted(rows.items()):
        found = recognise(writing.settings[EntitiesSettings].recogniser, row["text"])
        names = tuple(EntityName(each.name, each.key, each.type) for each in found)
        said.append(Said(id, row["text"], names, True))
    meant = mention(writing, said).meant
    relate(writing, {id: row["text"] for id, row in rows.items()}, meant, {})
    share(writing, sorted(meant))
    return sorted([id, one] for id, all_of in meant.items() for one in {each.entity_id for each in all_of})


def ids_of_lenders(writing: Writing, id: str) -> list[str]:
    """What was merged into one memory."""
    return [each.id for each in lenders(writing, [id])[id]]


def _merged(each: Repetition, days: int) -> Row:
    """A repetition as it is stored: merged from the start, so that it is never live beside what it repeats."""
    state = {"live_key": None, "holds_to": ALWAYS, "created_day": days, "unjudged": None}
    return {**each.properties, **moved(Status.MERGED), **state}


def _link(each: Repetition, lender: Lender) -> Row:
    return {
        "id": new_id(),
        "kind": "MERGED_INTO",
        "from": lender.id,
        "to": each.known,
        "confidence": 1.0 if each.confidence is None else each.confidence,
        "strength": 1.0,
        "reason": "",
        "repeats": True,
        "lends": list(lender.lends),
    }


def _decision(each: Repetition, known: Row, new: Row, taken: Row, link: str) -> Decision:
    told = ("text", "kind", "valid_from", "valid_to", "status", "state_rank")
    before = {known["id"]: for_ledger({name: known.get(name) for name in taken})} if taken else {}
    after = {known["id"]: for_ledger(taken)} if taken else {}
    return Decision(
        Operation.UPDATE if taken else Operation.NOOP,
        [known["id"]],
        sources=[new["id"], *([each.message_id] if each.message_id else [])],
        reason=each.reason,
        classification="DUPLICATE",
        confidence=each.confidence,
        # Before it, nobody believed the repetition: undone, it is none.
        before={**before, new["id"]: moved(Status.RETRACTED)},
        after={**after, new["id"]: {name: new[name] for name in told}},
        effects={"links_opened": [link]},
    )


def _changed(before: Row, after: Row) -> Row:
    return {name: value for name, value in after.items() if before.get(name) != value}
