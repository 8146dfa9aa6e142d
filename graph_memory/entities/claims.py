"""Claims: what a memory states of which thing. `(Memory)-[:STATES {value}]->(Attribute)-[:OF]->(Entity)`, one a memory.

Attributes belong to their entity for ever; what moves is the claim, when entities are merged or split, when a text is
changed, and when a memory takes the place of another and states the same attribute. A claim has an id and a recorded
interval as a link has, so that the ledger names what was opened and closed, and undo takes it back with the links.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import new_id
from graph_memory.entities.resolution import Meant
from graph_memory.language.claim_reading import OVER, ReadClaim, ValueKind, read_claim, restated, succeeding
from graph_memory.language.names import key
from graph_memory.ledger.changes import PENDING, Writing
from graph_memory.model.claim import SELF, SELF_NAME, Polarity
from graph_memory.store.queries import query
from graph_memory.store.service import Row

STATE = query("claims/state")
OPEN = query("claims/open")
CLOSE = query("claims/close")
MOVE = query("claims/move")
TEXTS = query("claims/texts")
MAKE = query("entities/make")

_SAID = ("value", "value_kind", "unit", "polarity")


def claim(
    writing: Writing, read: Mapping[str, ReadClaim], meant: Mapping[str, Sequence[Meant]]
) -> list[list[str]]:
    """Lets memories state what was read in them, where it is known of whom; `[memory, claim]` of each."""
    own = _self(writing, read.values())
    rows = (_row(own, id, each, meant.get(id, ())) for id, each in sorted(read.items()))
    return _state(writing, [row for row in rows if row is not None])


def read_again(writing: Writing, ids: Sequence[str]) -> Row:
    """Reads the claims of memories as their texts are now, in the open transaction; what was done, for the ledger."""
    known = {row["memory"]: row for row in writing.run(OPEN, ids=list(ids))}
    told_now = writing.run(TEXTS, ids=list(ids), forever=FOREVER)
    read_now = {told["id"]: read for told in told_now if (read := read_claim(told["text"])) is not None}
    own, rows = _self(writing, read_now.values()), dict[str, Row]()
    for told in told_now:
        names = [Meant(name, each["id"]) for each in told["mentioned"] for name in each["names"]]
        read, was = read_now.get(told["id"]), known.get(told["id"])
        row = _row(own, told["id"], read, names) if read else None
        if was is not None and was["inherited"]:
            row = _kept(was, row, told["text"])
        if row is not None:
            rows[told["id"]] = row
    stale = [id for id in known if id not in rows or _is_other(known[id], rows[id])]
    closed = _close(writing, stale)
    opened = _state(writing, [row for id, row in sorted(rows.items()) if id not in known or id in stale])
    return {"claims_closed": closed, "claims_opened": opened}


def inherit(writing: Writing, old: str, new: str, text: str) -> Row:
    """Lets what takes a memory's place state the same attribute, where its text has a value for it; for the ledger."""
    known = {row["memory"]: row for row in writing.run(OPEN, ids=[old, new])}
    if old not in known or text.startswith(OVER):
        return {}
    own = known.get(new)
    if own is not None and _is_of_one(own, known[old]):
        return {}
    row = _inherited(known[old], succeeding(_read_of(known[old]), _read_of(own) if own else None, text), new)
    if row is None:
        return {}
    closed = _close(writing, [new])
    return {"claims_closed": closed, "claims_opened": _state(writing, [row])}


def move_claims(writing: Writing, start: str, to: str | None, memories: Sequence[str] | None = None) -> Row:
    """What is stated of one entity, by some memories or all, is stated of another, or of none; for the ledger."""
    moved = writing.run(MOVE, start=start, to=to, memories=memories, pending=PENDING)
    rows = [{**_again(row), "memory_id": row["memory"]} for row in moved if row["entity_id"] is not None]
    closed = [[row["memory"], row["closed"]] for row in moved]
    return {"claims_closed": closed, "claims_opened": _state(writing, rows)}


def _row(own: str | None, id: str, read: ReadClaim, meant: Iterable[Meant]) -> Row | None:
    """A claim to open; None where nobody knows of whom it is. `own` is the subject's own entity."""
    entity = own if read.thing is None else _named(read.thing, meant)
    if entity is None:
        return None
    return {
        "memory_id": id,
        "entity_id": entity,
        "key": key(read.attribute),
        "name": read.attribute,
        **_said(read),
        "inherited": None,
    }


def _said(read: ReadClaim) -> Row:
    return {
        "value": read.value,
        "value_kind": read.kind.value,
        "unit": read.unit or None,
        "polarity": (Polarity.DENIED if read.is_denied else Polarity.AFFIRMED).value,
    }


def _read_of(row: Row) -> ReadClaim:
    is_denied = row["polarity"] == Polarity.DENIED
    kind = ValueKind(row["value_kind"])
    return ReadClaim(row["entity_id"], row["name"], row["value"], kind, row["unit"] or "", is_denied)


def _named(thing: str, meant: Iterable[Meant]) -> str | None:
    wanted = key(thing)
    same = {each.entity_id for each in meant if wanted == key(each.name) or wanted in each.keys}
    return same.pop() if len(same) == 1 else None


def _self(writing: Writing, read: Iterable[ReadClaim]) -> str | None:
    """The subject's own entity, or what it is another name of; None where nothing is said of it."""
    if all(each.thing is not None for each in read):
        return None
    [made] = writing.run(
        MAKE,
        id=new_id(),
        type=SELF,
        key=key(SELF_NAME),
        discriminator="",
        name=SELF_NAME,
        now=writing.now,
    )
    return str(made["alias_of"] or made["id"])


def _kept(was: Row, own: Row | None, text: str) -> Row | None:
    """The claim of a memory that took another's place, with what its new text has for it."""
    if own is not None and _is_of_one(own, was):
        return {**_again(own), "memory_id": was["memory"]}
    return _inherited(was, restated(_read_of(was), _read_of(own) if own else None, text), was["memory"])


def _inherited(old: Row, said: ReadClaim | None, id: str) -> Row | None:
    return None if said is None else {**_again(old), **_said(said), "memory_id": id, "inherited": True}


def _is_of_one(own: Row, other: Row) -> bool:
    return bool((own["entity_id"], own["key"]) == (other["entity_id"], other["key"]))


def _again(row: Row) -> Row:
    told = {name: row[name] for name in ("entity_id", "key", "name", *_SAID)}
    return {**told, "inherited": row["inherited"] or None}


def _is_other(known: Row, row: Row) -> bool:
    return any(known[name] != row[name] for name in ("entity_id", "key", *_SAID))


def _close(writing: Writing, ids: Sequence[str]) -> list[list[str]]:
    if not ids:
        return []
    return [[row["memory"], row["claim"]] for row in writing.run(CLOSE, ids=list(ids), pending=PENDING)]


def _state(writing: Writing, rows: Sequence[Row]) -> list[list[str]]:
    if not rows:
        return []
    made = [{**row, "id": new_id(), "attribute_id": new_id()} for row in rows]
    return [
        [row["memory"], row["claim"]]
        for row in writing.run(STATE, rows=made, pending=PENDING, forever=FOREVER)
    ]
