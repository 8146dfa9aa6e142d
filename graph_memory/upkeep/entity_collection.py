"""The monthly job over entities that few memories mention and nothing new: what is one is merged, the rest proposed.

Without a language model only names that are each other's alias already are merged; every other pair is a proposal,
which nobody has to act on: `proposals` computes them anew, and `mergeEntities` carries one out. With a model each
dormant entity is one question, and keeping is the answer to every doubt. All that the job does can be reverted by run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Conflict, NoAnswer, NotFound
from graph_memory.base.scope import Scope
from graph_memory.curation.entity_edits import delete_in, unite_entities
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.entities.similarity import Named, Pair, candidates, is_certain
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.language.name_types import UNKNOWN
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.memory.entity_reading import memories_of
from graph_memory.memory.reading import get_many
from graph_memory.model.purpose import Purpose
from graph_memory.models.chat import ask, has_models, use_of
from graph_memory.models.embedders import embed_if_possible
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import entity_prompt as asking_about
from graph_memory.upkeep.entity_prompt import Judged, Shown

# An entity that more memories mention is never looked at.
_MOST_LINKS = 5
# How many dormant entities are embedded and compared in one batch.
_AT_ONCE = 50
SUBJECTS = query("entities/dormant_subjects")
NAMED = query("entities/named")
TOGETHER = query("entities/together")
CLOSED = query("entities/closed")

ACTOR = "entity-collector"
# Of one subject so many entities are compared, the most mentioned ones.
MOST_NAMED = 5000
MOST_PROPOSALS = 200
# A model must be surer than this, as everywhere where something is changed by itself.
SURE = 0.8
_TEXTS = 5


@dataclass(frozen=True)
class Proposal:
    """An entity that may be the same as another; `likeness` lies between 0 and 1."""

    id: str
    name: str
    target_id: str
    target_name: str
    likeness: float


@dataclass(frozen=True)
class Dormant:
    """An entity that nothing new mentions, and what it may be."""

    entity: Named
    pairs: tuple[Pair, ...]
    certain: Named | None


def run(context: Context) -> dict[str, int]:
    """The job: how many entities were looked at, merged, deleted, kept and proposed, and how many asked in vain.

    `closed` counts the entities that no memory mentions any more; they are kept for reads of the past.
    """
    service, counts = (
        context.service,
        Counter[str](looked=0, merged=0, deleted=0, kept=0, proposed=0, errors=0),
    )
    done = 0
    for scope in _subjects(service, context.scope, context.at):
        gone: set[str] = set()
        for dormant in _dormant(service, scope, context.at):
            context.progress(done, done + 1, "collect")
            done += 1
            counts["looked"] += 1
            if dormant.entity.id not in gone:
                counts.update(_decide(context, scope, dormant, gone))
    counts["closed"] = service.read(context.scope, CLOSED)[0]["closed"]
    return dict(counts)


def proposals(service: Service, scope: Scope) -> list[Proposal]:
    """What the job would leave to a person, the likeliest first; nothing is written."""
    at = service.clock()
    found = [
        Proposal(
            dormant.entity.id,
            dormant.entity.name,
            pair.candidate.id,
            pair.candidate.name,
            round(pair.likeness, 4),
        )
        for subject in _subjects(service, scope, at)
        for dormant in _dormant(service, subject, at)
        for pair in dormant.pairs[:1]
    ]
    return sorted(found, key=lambda each: (-each.likeness, each.id))[:MOST_PROPOSALS]


def _subjects(service: Service, scope: Scope, at: datetime) -> list[Scope]:
    limits = service.settings[EntitiesSettings]
    before = at - timedelta(days=limits.dormant_days)
    rows = service.read(scope, SUBJECTS, before=before, most=_MOST_LINKS)
    return [scope.of(row["name"]) for row in rows]


def _dormant(service: Service, scope: Scope, at: datetime) -> Iterator[Dormant]:
    """The dormant entities of a subject that have candidates or are certainly another, in batches."""
    limits = service.settings[EntitiesSettings]
    before = at - timedelta(days=limits.dormant_days)
    rows = [row["entity"] for row in service.read(scope, NAMED, limit=MOST_NAMED)]
    known = _embedded(service, [_named(row) for row in rows], _AT_ONCE)
    dormant = [
        each
        for each, row in zip(known, rows, strict=True)
        if each.link_count <= _MOST_LINKS and row["last_seen"] < before
    ]
    for start in range(0, len(dormant), _AT_ONCE):
        batch = dormant[start : start + _AT_ONCE]
        together: dict[str, dict[str, int]] = {}
        for row in service.read(scope, TOGETHER, ids=[each.id for each in batch], forever=FOREVER):
            together.setdefault(row["id"], {})[row["other"]] = row["together"]
        for each in batch:
            pairs = candidates(each, known, together.get(each.id, {}))
            same = [other for other in known if other.id != each.id and is_certain(each, other)]
            certain = same[0] if len(same) == 1 and _fits(each, same[0]) else None
            yield Dormant(each, tuple(pairs), certain)


def _decide(context: Context, scope: Scope, dormant: Dormant, gone: set[str]) -> dict[str, int]:
    """What becomes of one; `gone` learns what was merged or deleted, and what it was merged into stays."""
    if dormant.certain is not None and dormant.certain.id not in gone:
        return _merge(context, scope, dormant, gone, (dormant.certain.id, "both have one name", 1.0))
    pairs = [pair for pair in dormant.pairs if pair.candidate.id not in gone]
    if not pairs:
        return {"kept": 1}
    if not has_models(context.service):
        return {"kept": 1, "proposed": 1}
    try:
        judged = _judged(context.service, scope, dormant.entity, [pair.candidate for pair in pairs])
    except NoAnswer:
        return {"kept": 1, "errors": 1}
    if judged.action == "keep" or judged.confidence <= SURE:
        return {"kept": 1}
    if judged.action == "delete":
        id = dormant.entity.id
        sure = judged.confidence
        return _carry_out(
            context, scope, id, gone, lambda writing: delete_in(writing, id, judged.reason, sure), "deleted"
        )
    into = (str(judged.target_id), judged.reason, judged.confidence)
    return _merge(context, scope, dormant, gone, into)


def _merge(
    context: Context, scope: Scope, dormant: Dormant, gone: set[str], into: tuple[str, str, float]
) -> dict[str, int]:
    """`into` names the entity that stays, why, and how surely."""
    target, reason, confidence = into
    id = dormant.entity.id
    return _carry_out(
        context,
        scope,
        id,
        gone,
        lambda writing: unite_entities(writing, target, id, reason, confidence),
        "merged",
    )


def _judged(service: Service, scope: Scope, entity: Named, known: Sequence[Named]) -> Judged:
    found = memories_of(service, scope, [each.id for each in (entity, *known)], _TEXTS)
    ids = {id: [memory for memory, _ in each[:_TEXTS]] for id, each in found.items()}
    wanted = sorted({memory for each in ids.values() for memory in each})
    texts = {memory.id: memory.text for memory in get_many(service, scope, wanted) if memory}

    def shown(each: Named) -> Shown:
        told = tuple(texts[id] for id in ids.get(each.id, ()) if id in texts)
        return Shown(each.id, each.name, each.type, told)

    within = use_of(service.settings, Purpose.REVIEW).timeout
    question = asking_about.prompt(shown(entity), [shown(each) for each in known])
    return ask(service, scope, question, within).answer


def _carry_out(
    context: Context,
    scope: Scope,
    id: str,
    gone: set[str],
    work: Callable[[Writing], Row],
    word: str,
) -> dict[str, int]:
    call = Call(scope, ACTOR, key=f"{context.run.id}:{id}", run_id=context.run.id)

    def fenced(writing: Writing) -> Row:
        leases.check(writing.tx, context.lease)
        return work(writing)

    try:
        carry_out(context.service, call, "collectEntity", [id], fenced)
    except (Conflict, NotFound):
        # Somebody changed one of them meanwhile: what was judged is no longer there.
        return {"kept": 1}
    gone.add(id)
    return {word: 1}


def _embedded(service: Service, known: Sequence[Named], size: int) -> list[Named]:
    vectors: list[list[float] | None] = []
    for start in range(0, len(known), size):
        vectors += embed_if_possible(service.embedder, [each.name for each in known[start : start + size]])
    return [
        replace(each, vector=tuple(vector) if vector else None)
        for each, vector in zip(known, vectors, strict=True)
    ]


def _named(row: Row) -> Named:
    names = ("id", "name", "key", "type", "discriminator", "link_count")
    return Named(**{name: row[name] for name in names}, alias_keys=tuple(row["alias_keys"] or ()))


def _fits(one: Named, other: Named) -> bool:
    return one.type == other.type or UNKNOWN in (one.type, other.type)
