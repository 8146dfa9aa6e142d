"""Putting right which names mean whom: merging, splitting, renaming and deleting entities.

Each is one Change, which `undo` takes back. The mentions move with their recorded intervals, so `knownAt` before the
change sees the entities as they were; an entity's own name and type are not versioned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict, Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import check_entity_id, check_id, new_id
from graph_memory.entities.claims import move_claims
from graph_memory.entities.edits import load_entities, move_relations, rewrite_entities
from graph_memory.language import texts
from graph_memory.language.name_types import UNKNOWN
from graph_memory.language.names import key
from graph_memory.ledger.changes import PENDING, Answer, Call, Decision, Writing, carry_out
from graph_memory.memory.undo import OF_ENTITIES
from graph_memory.model.change import Operation
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

MOVE_MENTIONS = query("entities/move_mentions")
MAKE = query("entities/make")

MOST_ALIASES = 100
MOST_MEMORIES = 1000
_MAX_NAME = 200
_MAX_TYPE = 40
_MAX_REASON = 1000


@dataclass(frozen=True)
class Rename:
    """What to change of an entity; None leaves it. `aliases` are all its other names."""

    name: str | None = None
    type: str | None = None
    discriminator: str | None = None
    aliases: tuple[str, ...] | None = None


def merge_entities(service: Service, call: Call, keep_id: str, other_id: str, reason: str = "") -> Answer:
    """Makes two entities one: the kept one is mentioned wherever either was, and the other's names mean it from now on.

    The answer's value is `{id, merged, memories}`. Raises NotFound, and Conflict for an entity with itself or one that
    is an alias already.
    """
    if check_entity_id(keep_id) == check_entity_id(other_id):
        raise Conflict("An entity cannot be merged with itself.")
    why = _cleaned(reason)

    def work(writing: Writing) -> Row:
        return unite_entities(writing, keep_id, other_id, why)

    return carry_out(service, call, "mergeEntities", [keep_id, other_id, why], work)


def unite_entities(
    writing: Writing, keep_id: str, other_id: str, reason: str, confidence: float | None = None
) -> Row:
    """Merges one entity into another in the open transaction."""
    rows = load_entities(writing, [keep_id, other_id])
    keep, other = (_own(rows[id]) for id in (keep_id, other_id))
    names = {keep["key"]: keep["name"]}
    names |= _aliases(keep) | {other["key"]: other["name"]} | _aliases(other)
    names.pop(keep["key"])
    edits: dict[str, Row] = {keep_id: {"aliases": list(names.values()), "alias_keys": list(names)}}
    edits |= {id: {"alias_of": keep_id} for id in (other_id, *other["alias_ids"])}
    if keep["type"] == UNKNOWN != other["type"] and other["key"] != keep["key"]:
        edits[keep_id]["type"] = other["type"]
    known = rewrite_entities(writing, edits)
    moved = _move(writing, other_id, keep_id)
    done = _decide(writing, Operation.MERGE, "MERGE", keep_id, other_id, reason, known, moved, confidence)
    return done | {"id": keep_id, "merged": other_id}


def split_entity(
    service: Service,
    call: Call,
    id: str,
    memory_ids: Sequence[str],
    discriminator: str = "",
    name: str | None = None,
    type: str | None = None,
    reason: str = "",
) -> Answer:
    """Gives some of an entity's memories to a new one, told apart by its name, type or discriminator.

    The answer's value is `{id, split, memories}`. Raises NotFound for a memory that does not mention it, Conflict when
    another entity has that identity, Invalid when nothing tells the two apart.
    """
    wanted = list(dict.fromkeys(memory_ids))
    if not 1 <= len(wanted) <= MOST_MEMORIES:
        raise Invalid(f"Name 1 to {MOST_MEMORIES} memories that mean the new entity.", path="memoryIds")
    for each in wanted:
        check_id(each, path="memoryIds")
    given, why = check(Rename(name, type, discriminator), reason)
    check_entity_id(id)

    def work(writing: Writing) -> Row:
        old = _own(load_entities(writing, [id])[id])
        identity = {each: given.get(each, old[each]) for each in ("name", "key", "type")}
        identity["discriminator"] = given["discriminator"]
        if all(identity[each] == old[each] for each in ("key", "type", "discriminator")):
            raise Invalid(
                "Give a discriminator, name or type that tells the two apart.", path="discriminator"
            )
        [made] = writing.run(MAKE, id=new_id(), now=writing.now, **identity)
        if made["mentions"] or made["alias_of"]:
            raise Conflict(
                f"Entity {made['id']} is known by that name, type and discriminator already; "
                "give another discriminator, or merge the two."
            )
        moved = _move(writing, id, made["id"], wanted)
        if len(moved["mentions_closed"]) < len(wanted):
            lacking = sorted(set(wanted) - {memory for memory, _ in moved["mentions_closed"]})
            raise Invalid(f"Memory {lacking[0]} does not mention this entity.", path="memoryIds")
        moved["relations_moved"] = move_relations(writing, [[id, made["id"], wanted]])
        done = _decide(writing, Operation.UPDATE, "SPLIT", id, made["id"], why, moved=moved)
        return done | {"id": id, "split": made["id"]}

    body = [id, wanted, given, why]
    return carry_out(service, call, "splitEntity", body, work)


def rename_entity(service: Service, call: Call, id: str, rename: Rename, reason: str = "") -> Answer:
    """Changes name, type, discriminator or aliases. The old name becomes an alias, unless aliases are given.

    The answer's value is `{id, memories}`. Raises NotFound, Invalid, and Conflict when another entity has that identity.
    """
    given, why = check(rename, reason)
    if not given:
        raise Invalid("Nothing to change was given.", path="rename")
    check_entity_id(id)

    def work(writing: Writing) -> Row:
        old = _own(load_entities(writing, [id])[id])
        names = dict(given["aliases"]) if "aliases" in given else _aliases(old) | {old["key"]: old["name"]}
        names.pop(str(given.get("key", old["key"])), None)
        edit = {name: value for name, value in given.items() if name != "aliases"}
        edit |= {"aliases": list(names.values()), "alias_keys": list(names) or None}
        known = rewrite_entities(writing, {id: edit})
        return _decide(writing, Operation.UPDATE, "RENAME", id, None, why, known=known) | {"id": id}

    return carry_out(service, call, "renameEntity", [id, given, why], work)


def delete_entity(service: Service, call: Call, id: str, reason: str = "") -> Answer:
    """Lets no memory mention the entity any more; the memories stay. Raises NotFound."""
    check_entity_id(id)
    why = _cleaned(reason)

    return carry_out(service, call, "deleteEntity", [id, why], lambda writing: delete_in(writing, id, why))


def delete_in(writing: Writing, id: str, reason: str, confidence: float | None = None) -> Row:
    """Deletes an entity in the open transaction."""
    _own(load_entities(writing, [id])[id])
    moved = _move(writing, id, None)
    done = _decide(writing, Operation.DELETE, "DELETE", id, None, reason, None, moved, confidence)
    return done | {"id": id}


def _decide(
    writing: Writing,
    operation: Operation,
    what: str,
    target: str,
    source: str | None,
    reason: str,
    known: Row | None = None,
    moved: Row | None = None,
    confidence: float | None = None,
) -> Row:
    """Writes the Change; how many memories mention something else by it."""
    sources = [source] if source else []
    effects = {**(moved or {}), "entities": known or {}, "about": [target, *sources]}
    mentioning = {memory for memory, _ in effects.get("mentions_closed", [])}
    stating = {memory for memory, _ in effects.get("claims_closed", [])}
    decision = Decision(
        operation,
        [target],
        sources,
        reason,
        classification=f"{OF_ENTITIES}_{what}",
        confidence=confidence,
        effects=effects,
    )
    writing.decide(decision, touched=sorted(mentioning | stating))
    return {"memories": len(mentioning)}


def _move(writing: Writing, start: str, to: str | None, memories: Sequence[str] | None = None) -> Row:
    rows = writing.run(MOVE_MENTIONS, start=start, to=to, memories=memories, pending=PENDING, forever=FOREVER)
    return {
        "mentions_closed": [[row["memory"], start] for row in rows],
        "mentions_opened": [[row["memory"], to] for row in rows if row["opens"]],
        **move_claims(writing, start, to, memories),
    }


def _own(row: Row) -> Row:
    """The entity, if it is one itself."""
    if row.get("alias_of"):
        raise Conflict(
            f"Entity {row['id']} is another name of entity {row['alias_of']} already; use that one."
        )
    return row


def _aliases(row: Row) -> dict[str, str]:
    return dict(zip(row.get("alias_keys") or (), row.get("aliases") or (), strict=True))


def check(rename: Rename, reason: str = "") -> tuple[Row, str]:
    """What is given, as it is stored, `aliases` by their keys, and the reason. All that is wrong is told at once."""
    faults, made = Gathered(), Row()
    if rename.name is not None and (name := faults.of(_name, rename.name, "name")):
        made |= {"name": name, "key": key(name), "caption": name[:40]}
    if rename.type is not None:
        made["type"] = faults.of(_type, rename.type)
    if rename.discriminator is not None:
        given = rename.discriminator
        made["discriminator"] = faults.of(texts.clean, given, _MAX_NAME, "discriminator") if given else ""
    if rename.aliases is not None:
        made["aliases"] = faults.of(_aliases_of, rename.aliases)
    why = faults.of(_cleaned, reason)
    faults.refuse()
    return made, why


def _name(given: str, path: str) -> str:
    return " ".join(texts.clean(given, _MAX_NAME, path).split())


def _type(given: str) -> str:
    type = given.strip().upper()
    if not 1 <= len(type) <= _MAX_TYPE or not type.replace("_", "").isalnum():
        raise Invalid(f"type must be one word of at most {_MAX_TYPE} letters, digits or _.", path="type")
    return type


def _aliases_of(given: Sequence[str]) -> Row:
    if len(given) > MOST_ALIASES:
        raise Invalid(f"An entity has at most {MOST_ALIASES} aliases.", path="aliases")
    faults = Gathered()
    cleaned = [faults.of(_name, each, f"aliases[{place}]") for place, each in enumerate(given)]
    faults.refuse()
    return {key(each): each for each in cleaned}


def _cleaned(reason: str) -> str:
    return texts.clean(reason, _MAX_REASON, "reason") if reason else ""
