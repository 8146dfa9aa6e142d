"""One change that takes memories out of answers, with what they did to others: what they had retired comes back.

A version leaves its chain, and the one that it had ended holds on. What was merged with a suspect goes back to what it
said before; where that is no longer possible, because it was changed since, it goes into quarantine as well, and what
else was merged into it stands for itself again. Where the words of what would come back are live already, nothing
comes back, because nothing is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import new_id
from graph_memory.curation.chain_mending import Return, Version, returns
from graph_memory.entities.claims import read_again
from graph_memory.entities.relations import relate_again
from graph_memory.ledger.changes import PENDING, Decision, Writing, opened
from graph_memory.memory.lending import USES, Lender, accounted, given_back
from graph_memory.memory.live_keys import live_key
from graph_memory.memory.properties import MOST_TAGS, for_ledger, from_ledger
from graph_memory.memory.repetition import lenders, name, rescore
from graph_memory.memory.states import LOAD, Edit, load, moved, restored, rewrite, twins
from graph_memory.memory.supersession import JOIN
from graph_memory.memory.undo import CLOSE_LINKS, plan_of, turn_back
from graph_memory.model.change import Operation
from graph_memory.model.memory import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row

CHAINS = query("quarantine/chains")
MERGES = query("quarantine/merges")

QUARANTINE = "QUARANTINE"


@dataclass
class _Containment:
    """What one change will do: the suspects, the new properties of each memory, and links to open and close."""

    rows: dict[str, Row]
    suspects: set[str]
    sets: dict[str, Row] = field(default_factory=dict)
    merges: list[Row] = field(default_factory=list)
    lenders: dict[str, list[Lender]] = field(default_factory=dict)
    returns: list[Return] = field(default_factory=list)


def contain(writing: Writing, ids: Sequence[str], run_id: str, reason: str) -> Row:
    """Takes these memories out of answers in the open transaction, as one Change; how many were taken, and how many
    memories of others came back or were changed by that. Those that are gone or in quarantine already are left out."""
    rows = {row["memory"]["id"]: row["memory"] for row in writing.run(LOAD, ids=list(ids))}
    due = {id for id, row in rows.items() if row.get("quarantined_by") is None and _is_there(row)}
    if not due:
        return {"quarantined": 0, "returned": 0}
    away = moved(Status.ARCHIVED, archived_at=writing.now, archive_reason=f"Quarantined: {reason}")
    found = _worked_out(writing, rows, due, {**away, "quarantined_by": run_id})
    _write(writing, found, reason)
    return {
        "quarantined": len(found.suspects),
        "returned": len([id for id in found.sets if id not in found.suspects]),
    }


def _worked_out(writing: Writing, rows: dict[str, Row], due: set[str], away: Row) -> _Containment:
    while True:
        found = _Containment(rows, set(due))
        _take_in_tainted(writing, found)
        _take_apart(found)
        _mend_chains(writing, found)
        _hide(found, away)
        held = _live_elsewhere(writing, found)
        stuck = {row["keep"] for row in found.merges} & held
        if not stuck:
            _leave_out(found, held)
            return found
        # What a memory would say without the suspects is live elsewhere; what it says now must go all the same.
        due = found.suspects | stuck


def _take_in_tainted(writing: Writing, found: _Containment) -> None:
    """Finds the merges of the suspects; a memory that cannot be freed of a suspect's words becomes one."""
    while True:
        found.merges = writing.run(MERGES, ids=sorted(found.suspects))
        _load(writing, found, [row[end] for row in found.merges for end in ("other", "keep")])
        found.lenders = lenders(writing, {row["keep"] for row in found.merges})
        tainted = {
            row["keep"]
            for row in found.merges
            if row["keep"] not in found.suspects and _freed(found, row["keep"]) is None
        }
        if not tainted:
            return
        found.suspects |= tainted


def _take_apart(found: _Containment) -> None:
    """What innocents say without the suspects merged into them; innocents that were merged into suspects stand again."""
    for row in found.merges:
        # What gets its own words back may come out of a merged memory by the same change.
        if row["keep"] not in found.suspects:
            freed = _freed(found, row["keep"]) or {}
            found.sets[row["keep"]] = {**found.sets.get(row["keep"], {}), **freed}
        elif row["other"] not in found.suspects:
            found.sets[row["other"]] = {**found.sets.get(row["other"], {}), **restored()}


def _freed(found: _Containment, keep: str) -> Row | None:
    """What a memory gets back as its merges with suspects are undone, newest first, and what they lent it is taken back;
    None where that cannot be told."""
    now, back = dict(found.rows[keep]), Row()
    known = accounted(now)
    for row in found.merges:
        if row["keep"] != keep or row["other"] not in found.suspects or row["repeats"]:
            continue
        change = opened(row["change"]) if row["change"] else None
        if change is None or change["before"] is None:
            return None
        before, after = from_ledger(change["before"][keep]), from_ledger(change["after"][keep])
        if after.get("content_hash") != now["content_hash"]:
            return None
        former = {
            name: before[name]
            for name, value in after.items()
            if now.get(name) == value and name not in known and name not in (USES, "lent")
        }
        now, back = {**now, **former}, {**back, **former}
    lending = found.lenders[keep]
    staying = [each for each in lending if each.id not in found.suspects]
    uses = sum(USES in each.lends for each in lending if each.id in found.suspects)
    return {**back, **given_back(found.rows[keep], staying, uses, MOST_TAGS)}


def _mend_chains(writing: Writing, found: _Containment) -> None:
    versions = [Version(**row) for row in writing.run(CHAINS, ids=sorted(found.suspects))]
    found.returns = returns(versions, found.suspects)
    chains = {version.id: version.chain for version in versions}
    _load(writing, found, [each.id for each in found.returns])
    for each in found.returns:
        found.sets.setdefault(each.id, {})["valid_to"] = each.until
        for id in each.leaving:
            # A chain is named after its first version; if that one leaves, the others keep the name.
            found.sets.setdefault(id, {})["chain_id"] = id if id != chains[id] else new_id()


def _hide(found: _Containment, away: Row) -> None:
    inside = {row["other"] for row in found.merges if row["keep"] in found.suspects}
    for id in found.suspects:
        # What is merged into a suspect is out of answers already, and stays part of it.
        mark = {"quarantined_by": away["quarantined_by"]} if id in inside else away
        found.sets[id] = {**found.sets.get(id, {}), **mark}


def _live_elsewhere(writing: Writing, found: _Containment) -> set[str]:
    """Those whose words are live already, or come back twice by this change."""
    held = set(twins(writing, found.rows, list(_edits(found))))
    keys = set[str]()
    for id in sorted(found.sets.keys() - found.suspects - held):
        after = {**found.rows[id], **found.sets[id]}
        key = live_key(
            after["kind"], after["text"], after.get("happens_at"), after["valid_from"], writing.now
        )
        if key in keys:
            held.add(id)
        keys.add(key)
    return held


def _leave_out(found: _Containment, held: set[str]) -> None:
    for each in found.returns:
        if each.id in held:
            for id in each.leaving:
                found.sets[id].pop("chain_id", None)
    found.returns = [each for each in found.returns if each.id not in held]
    found.merges = [row for row in found.merges if not held & {row["keep"], row["other"]}]
    for id in held:
        found.sets.pop(id, None)


def _write(writing: Writing, found: _Containment, reason: str) -> None:
    edits = list(_edits(found))
    before = rewrite(writing, found.rows, edits)
    effects, ends = _turn_links(writing, found)
    for edit in edits:
        if edit.vector_of is not None:
            relate_again(writing, edit.id)
    taken = sorted(found.suspects)
    rescore(writing, found.sets.keys() - found.suspects)
    repeated = {row["other"] for row in found.merges if row["repeats"] and row["keep"] in found.suspects}
    alone = sorted((repeated - found.suspects) & found.sets.keys())
    effects["mentions_opened"] += name(writing, {id: found.rows[id] for id in alone})
    again = [*(edit.id for edit in edits if edit.vector_of is not None), *alone]
    effects |= {kind: [*effects.get(kind, []), *done] for kind, done in read_again(writing, again).items()}
    decision = Decision(
        Operation.ARCHIVE,
        targets=taken,
        sources=sorted((ends | found.sets.keys()) - found.suspects),
        reason=reason,
        classification=QUARANTINE,
        before={id: for_ledger(values) for id, values in before.items()},
        after={edit.id: for_ledger(edit.set) for edit in edits},
        effects=effects,
    )
    writing.decide(decision, touched=sorted({*found.sets, *ends}))


def _turn_links(writing: Writing, found: _Containment) -> tuple[Row, set[str]]:
    """Turns back what the merges did to links and mentions, closes the links of what leaves, and joins what is left."""
    apart = [
        row for row in found.merges if (row["keep"] in found.suspects) != (row["other"] in found.suspects)
    ]
    undone = [opened(row["change"]) for row in apart if row["change"]]
    plan = plan_of([change for change in undone if change["before"] is not None])
    effects, ends, sayers = turn_back(writing, plan)
    links = {link for each in found.returns for link in each.links} | {row["link"] for row in apart}
    closed = writing.run(CLOSE_LINKS, anchors=sorted(found.sets), ids=sorted(links), pending=PENDING)
    joined = [
        {
            "id": new_id(),
            "from": each.newer,
            "to": each.id,
            "reason": "",
            "open_key": f"{each.newer}>{each.id}",
        }
        for each in found.returns
        if each.newer is not None
    ]
    writing.run(
        JOIN,
        rows=joined,
        pending=PENDING,
        forever=FOREVER,
        now=writing.now,
        actor=writing.call.actor,
        run_id=writing.call.run_id,
    )
    effects["links_closed"] += [row["id"] for row in closed]
    effects["links_opened"] += [row["id"] for row in joined]
    more = {end for row in closed for end in row["ends"]} | {row["from"] for row in joined}
    return effects, ends | sayers | more


def _edits(found: _Containment) -> Iterable[Edit]:
    for id, values in sorted(found.sets.items()):
        hash = values.get("content_hash")
        has_other_text = hash is not None and hash != found.rows[id]["content_hash"]
        yield Edit(id, values, vector_of=hash if has_other_text else None)


def _load(writing: Writing, found: _Containment, ids: Iterable[str]) -> None:
    missing = sorted(set(ids) - found.rows.keys())
    found.rows.update(load(writing, missing) if missing else {})


def _is_there(row: Mapping[str, Any]) -> bool:
    return bool(row["status"] != Status.RETRACTED)
