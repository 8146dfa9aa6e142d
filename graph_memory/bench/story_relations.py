"""Checks of how memories stand to each other, and of what must not be there.

`distinct`: two live memories, one of each. Where two people share the `name`, the entities of that name in the memories
of the one and of the other must not be the very same; `about_a` and `about_b` tell more widely than `a` and `b` which
memories speak of whom. Milder: whatever their entities.
`duplicate`: exactly one live memory says it otherwise than in a question. Milder: at least one.
`conflict`: both are live and a CONFLICTS link joins them. Milder: both are live.
`cause`: one memory, be it past by now, names both, with a word of cause in the right order or the cause before the
effect in one sentence; or links lead from the cause to the effect. Milder: both are stored.
`absent`: no live memory at all says it without a word that makes it a question, condition, denial, joke or cancellation.
`forget`: what matches is erased by id, with all that its speaker said where the pattern matches a name; then neither
question may find any. Texts of messages that still match are noted, not judged.
"""

from __future__ import annotations

from graph_memory.bench.story_evidence import (
    SUPERSEDE,
    Verdict,
    World,
    failed,
    lost,
    proposed_between,
    saying,
    show,
    sides,
    standing,
)
from graph_memory.bench.story_files import Check
from graph_memory.bench.wording import declares, excused, fold, has, jest, joined
from graph_memory.model.memory import Memory, Status
from graph_memory.recall.modes import Mode

_WIDE, _DEEP = 20, 10


def distinct(world: World, check: Check) -> Verdict:
    """Two of one name stay two."""
    a, b = saying(world, check["a"]), saying(world, check["b"])
    verdict: Verdict = {"ok": False, "evidence": sides(world, a=a, b=b)}
    if not a or not b:
        return verdict | lost(world, check["b" if a else "a"], "b" if a else "a")
    if not any(one.id != other.id for one in a for other in b):
        return verdict | failed("other", "one memory holds both")
    name = fold(check.get("name", ""))
    about_a, about_b = str(check.get("about_a", check["a"])), str(check.get("about_b", check["b"]))
    of_a, of_b = (
        (_named(world, name, about_a, about_b), _named(world, name, about_b, about_a)) if name else ({}, {})
    )
    verdict["entities"] = {"name": name, "a": sorted(of_a.values()), "b": sorted(of_b.values())}
    verdict["mild"] = True
    if of_a and set(of_a) == set(of_b):
        why = f"entity-merged: both are about the one entity {sorted(of_a.values())}"
        return verdict | failed("other", why)
    return verdict | {"ok": True}


def duplicate(world: World, check: Check) -> Verdict:
    """One live memory, however often it was said."""
    live = [memory for memory in saying(world, check["which"]) if declares(memory.text, check["which"])]
    verdict: Verdict = {
        "ok": len(live) == 1,
        "mild": bool(live),
        "count": len(live),
        "evidence": [show(world, memory) for memory in live],
    }
    if not live:
        verdict |= lost(world, check["which"], "it")
    elif len(live) > 1:
        ids = {memory.id for memory in live}
        actions = [
            each for each in proposed_between(world, ids, ids) if each in ("DUPLICATE", "MERGE", SUPERSEDE)
        ]
        kind = "review-pending" if len(actions) >= len(live) - 1 else "other"
        why = f"duplicate-kept: {len(live)} live memories say it; open reviews: {actions}"
        verdict |= failed(kind, why)
    return verdict


def conflict(world: World, check: Check) -> Verdict:
    """Both kept and marked as disagreeing."""
    a, b = saying(world, check["a"]), saying(world, check["b"])
    ids_a, ids_b = {memory.id for memory in a}, {memory.id for memory in b}
    kinds = sorted(
        {
            kind
            for start, kind, target in world.links
            if start != target
            and ((start in ids_a and target in ids_b) or (start in ids_b and target in ids_a))
        }
    )
    are_two = any(one != other for one in ids_a for other in ids_b)
    verdict: Verdict = {"ok": False, "mild": are_two, "evidence": sides(world, a=a, b=b)}
    if not a or not b:
        return verdict | lost(world, check["b" if a else "a"], "b" if a else "a")
    if not are_two:
        return verdict | failed("other", "one memory holds both")
    if "CONFLICTS" in kinds:
        return verdict | {"ok": True}
    actions = proposed_between(world, ids_a, ids_b)
    why = f"both live, not marked as disagreeing; links: {kinds}; open reviews: {actions}"
    return verdict | failed("link-missing", why)


def cause(world: World, check: Check) -> Verdict:
    """One memory, or a path, leads from the cause to the effect."""
    causes = saying(world, check["cause"], live=False)
    effects = saying(world, check["effect"], live=False)
    both = [memory for memory in causes if memory in effects and memory.status is Status.ACTIVE]
    ways = [
        f"one memory: {memory.text}"
        for memory in both
        if joined(memory.text, check["cause"], check["effect"])
    ]
    ways = ways or _paths(world, causes, effects)
    ways += _direct(world, {memory.id for memory in causes}, {memory.id for memory in effects})
    verdict: Verdict = {
        "ok": bool(ways),
        "mild": bool(causes and effects),
        "how": ways[:1],
        "evidence": sides(world, cause=causes, effect=effects),
    }
    if ways:
        return verdict
    if not (causes and effects):
        what = "effect" if causes else "cause"
        return verdict | lost(world, check[what], f"the {what}")
    why = "both named, no cause said" if both else "cause and effect are stored apart and not joined"
    return verdict | failed("link-missing", why)


def absent(world: World, check: Check) -> Verdict:
    """No live memory says it as a fact or a standing plan."""
    named = saying(world, check["which"])
    wrong = [memory for memory in named if not excused(memory.text, check["which"])]
    fine = [memory for memory in named if memory not in wrong]
    verdict: Verdict = {"ok": not wrong, "evidence": sides(world, asserts=wrong, fine=fine)}
    if wrong:
        verdict |= standing(world, wrong)
        if verdict["class"] == "not-superseded" and jest(check.get("why", "")):
            why = "a joke, question, condition or aside is kept as a fact"
            verdict |= failed("extraction-wrong-text", why)
    return verdict


def forget(world: World, check: Check) -> Verdict:
    """What matches is erased; then it is found no more."""
    source, asked = check["which"], [check["question"], check["probe"]]
    before = _found(world, source, [check["topic"], *asked], _WIDE)
    before |= {id: memory for id, memory in world.every.items() if _is_about(memory, source)}
    world.erase(list(before))
    residue = _found(world, source, asked, _DEEP)
    verdict: Verdict = {
        "ok": not residue,
        "vacuous": not before,
        "erased": [memory.text for memory in before.values()],
        "messages_left": [
            heard.text for heard in world.heard() if not heard.is_erased and has(heard.text, source)
        ],
        "evidence": [show(world, memory) for memory in residue.values()],
    }
    if residue:
        verdict |= failed("other", f"forget-residue: {len(residue)} memories still tell of it")
    return verdict


def _named(world: World, name: str, source: str, other: str) -> dict[str, str]:
    """The entities of that name in the memories about the one that do not speak of the other."""
    return {
        entity.id: entity.name
        for memory in saying(world, source)
        if not has(memory.text, other)
        for entity in world.entities(memory)
        if any(f" {name}" in f" {fold(each)}" for each in entity.names)
    }


def _paths(world: World, causes: list[Memory], effects: list[Memory]) -> list[str]:
    ids = {memory.id for memory in causes}
    return [
        f"CAUSES: {earlier.text} -> {memory.text}"
        for memory in effects
        for earlier in world.causes(memory)
        if earlier.id in ids - {memory.id}
    ]


def _direct(world: World, causes: set[str], effects: set[str]) -> list[str]:
    """The single links of other kinds that lead from a cause to an effect."""
    return [
        f"{kind}: {world.every[start].text} / {world.every[target].text if target in world.every else None}"
        for start, kind, target in world.links
        if start != target
        and (
            (kind in ("MOTIVATED_BY", "INVALIDATED_BY") and start in effects and target in causes)
            or (kind == "ENABLES" and start in causes and target in effects)
        )
    ]


def _found(world: World, source: str, questions: list[str], limit: int) -> dict[str, Memory]:
    """The hits that tell of it."""
    return {
        hit.id: hit
        for question in questions
        for mode in (Mode.STANDARD, Mode.EXHAUSTIVE)
        for hit in world.search(question, limit, mode)
        if _is_about(hit, source)
    }


def _is_about(memory: Memory, source: str) -> bool:
    return has(memory.text, source) or has(memory.source.author or "", source)
