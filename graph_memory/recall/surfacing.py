"""Surfacing: the memories that should come to mind for a message, though nobody has asked for them.

A search finds what is near it. What matters too little is left out, the less so the nearer it is; what is new stands a
little ahead of its weight. What an agent keeps in mind from earlier messages, and what is pinned, comes before that. With
each of these come the memories that its links lead to. Nothing is remembered between calls: an agent names what it keeps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.language.texts import clean
from graph_memory.memory.reading import Link
from graph_memory.memory.screening import is_in_doubt
from graph_memory.memory.settings import TextsSettings
from graph_memory.memory.traversal import link_from
from graph_memory.memory.trust import kinds_from
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Memory, Trust
from graph_memory.models.embedders import embed_if_possible
from graph_memory.recall.access import Accesses
from graph_memory.recall.hits import Hit, Page
from graph_memory.recall.search import MAX_QUERY, search
from graph_memory.recall.settings import RecallSettings, SurfacingSettings
from graph_memory.scoring.settings import DecaySettings, SupersessionSettings
from graph_memory.scoring.terms import Policy, by_activity, clamped, days
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

SURFACE = query("recall/surface")

# What a link of each kind is worth, and one of another kind.
WORTHS = {
    LinkKind.CONFLICTS: 1.0,
    LinkKind.INVALIDATED_BY: 1.0,
    LinkKind.SUPERSEDES: 0.9,
    LinkKind.CAUSES: 0.8,
    LinkKind.MOTIVATED_BY: 0.8,
    LinkKind.INSTANCE_OF: 0.7,
    LinkKind.SHARES_ENTITY: 0.4,
    "OTHER": 0.5,
}
# What the importance of a linked memory counts in its score; that of the one that led to it counts the rest.
OF_LINKED = 0.7
# Memories of an answer when nobody says how many, and those that each of them brings along at most.
MEMORIES, LINKED = 8, 2
# Links that are followed from a memory, and linked memories that compete for its places.
FAN_OUT, COMPETE = 10, 10
# So many hits for each place are looked at, since some matter too little.
OVERSAMPLE = 2
# Places at most for what is kept or pinned, and those that are left for what the message brings up.
PINNED, FRESH = 6, 2
# Of more kept memories than these, the best few stay.
CROWDED, STAY = 15, 7
MOST_KEPT = 100
# A new memory with few entities stands ahead by this, until so many days; then by less and less.
DEBUT, NEW_UNTIL, KNOWN_FROM, FEW_ENTITIES = 0.15, 7.0, 10.0, 2
# What no longer holds, where a search finds that at all.
ENDED = 0.3
# So many links count half.
_HALF_LINKS = 5
_SHORTEST, _LONGEST = 8, 36
_SIGNS = frozenset("0123456789abcdef-")


@dataclass(frozen=True)
class Linked:
    """A memory that links lead to, the links on the way to it (one or two), and how much it matters there, 0 to 1."""

    memory: Memory
    score: float
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Surfaced:
    """A memory that comes to mind, and those that its links bring along.

    `score` is that of a search; None where the message does not bring it up and it is only kept. `is_new` tells that it
    stands ahead of its score.
    """

    memory: Memory
    score: float | None
    similarity: float | None
    is_kept: bool
    is_new: bool
    linked: tuple[Linked, ...]


@dataclass(frozen=True)
class Mind:
    """What comes to mind, what is kept or pinned first. `let_go` are those of `keep` that need not be named again."""

    memories: tuple[Surfaced, ...]
    let_go: tuple[str, ...]
    note: str | None


def surface(
    service: Service,
    scope: Scope,
    message: str | None = None,
    vector: Sequence[float] | None = None,
    keep: Sequence[str] = (),
    limit: int = MEMORIES,
    moment: Moment = NOW,
    min_trust: Trust | None = None,
) -> Mind:
    """What should come to mind for a message or its vector, in one statement, or two where there is anything.

    `keep` names memories from earlier calls that stay in mind, by their ids or the first eight signs of them. Raises Invalid
    where neither message nor vector is given, for a limit out of range, and as `search` does.
    """
    settings = service.settings[SurfacingSettings]
    if not settings.enabled:
        return Mind((), (), "Surfacing is switched off (GRAPH_MEMORY_SURFACING_ENABLED).")
    most, starts = service.settings[RecallSettings].max_limit, _starts(keep)
    if not 1 <= limit <= most:
        raise Invalid(f"first is {limit}; it must lie between 1 and {most}.", path="first")
    spoken, cut = _spoken(service, message)
    if spoken is None and vector is None:
        raise Invalid("Give a message or its vector.", path="message")
    if spoken is not None and vector is None:
        [vector] = embed_if_possible(service.embedder, [spoken])
    page = _found(service, scope, spoken, vector, limit, moment, min_trust)
    found = {hit.memory.id: hit for hit in page.hits if _comes(hit, settings)}
    rows = _rows(service, scope, list(found), sorted(starts), vector, moment, min_trust)
    candidates = [_candidate(service, row, found.get(row["id"]), moment) for row in rows]
    kept, gone = _crowded([each for each in candidates if each.starts])
    known = {start for each in kept for start in each.starts}
    shown = _chosen([each for each in candidates if each not in gone], limit)
    return Mind(
        memories=_with_linked(shown),
        let_go=tuple(dict.fromkeys(named for named in keep if _start(named) not in known)),
        note=" ".join(filter(None, (page.note, cut))) or None,
    )


def note(
    accesses: Accesses, scope: Scope, mind: Mind, moment: Moment = NOW, is_automatic: bool = True
) -> None:
    """Notes the response: who keeps a memory uses it; what came up by itself counts as something that nobody asked for."""
    kept = [each.memory.id for each in mind.memories if each.is_kept]
    others = [each.memory.id for each in mind.memories if not each.is_kept]
    linked = [brought.memory.id for each in mind.memories for brought in each.linked]
    accesses.note(scope, kept, (), moment)
    accesses.note(scope, others, linked, moment, is_automatic)


@dataclass(frozen=True)
class _Candidate:
    """What may be shown, and what it is ranked by. `starts` are the names under which it is kept."""

    shown: Surfaced
    starts: tuple[str, ...]
    rank: float
    hold: float
    linked: tuple[Linked, ...]

    @property
    def is_pinned(self) -> bool:
        return bool(self.starts) or self.shown.memory.pinned


def _spoken(service: Service, message: str | None) -> tuple[str | None, str | None]:
    """The message as it is searched for, and what is to be told of that: of a long one its end, where it says what it wants."""
    if message is None:
        return None, None
    whole = clean(message, service.settings[TextsSettings].max_message, "message")
    if len(whole) <= MAX_QUERY:
        return whole, None
    return clean(whole[-MAX_QUERY:], MAX_QUERY, "message"), f"Its last {MAX_QUERY} characters were looked at."


def _starts(keep: Sequence[str]) -> set[str]:
    if len(keep) > MOST_KEPT:
        raise Invalid(f"{len(keep)} memories were named to keep; at most {MOST_KEPT} are taken.", path="keep")
    return {start for start in map(_start, keep) if start is not None}


def _start(named: str) -> str | None:
    """How the id of a memory that is named begins; None for what names none."""
    start = named.strip().lower()
    return start if _SHORTEST <= len(start) <= _LONGEST and _SIGNS.issuperset(start) else None


def _found(
    service: Service,
    scope: Scope,
    spoken: str | None,
    vector: Sequence[float] | None,
    limit: int,
    moment: Moment,
    min_trust: Trust | None,
) -> Page:
    return search(
        service,
        scope,
        spoken,
        vector,
        min(limit * OVERSAMPLE, service.settings[RecallSettings].max_limit),
        moment,
        min_similarity=service.settings[SurfacingSettings].min_similarity,
        min_trust=min_trust,
        is_question=False,
    )


def _comes(hit: Hit, settings: SurfacingSettings) -> bool:
    """Whether a hit comes to mind: near enough, and of some importance or weight, so that no old truth is lost."""
    memory = hit.memory
    if is_in_doubt(memory) or (hit.similarity is not None and hit.similarity < settings.min_similarity):
        return False
    least = settings.min_importance * (1.0 - hit.weight)
    return memory.pinned or memory.critical or memory.importance >= least


def _rows(
    service: Service,
    scope: Scope,
    found: Sequence[str],
    starts: Sequence[str],
    vector: Sequence[float] | None,
    moment: Moment,
    min_trust: Trust | None,
) -> list[Row]:
    if not found and not starts:
        return []
    settings, now = service.settings[SurfacingSettings], service.clock()
    as_of, known_at = moment.at(now)
    return service.read(
        scope,
        SURFACE,
        ids={"found": found, "kept": starts},
        vector=vector,
        as_of=as_of,
        known_at=known_at,
        is_past=moment.is_past(now),
        trusted=None if min_trust is None else kinds_from(min_trust),
        depth=settings.depth,
        min_confidence=settings.min_confidence,
        weights=WORTHS,
        of_linked=OF_LINKED,
        fan_out=FAN_OUT,
        most=COMPETE,
        brings=service.settings[SupersessionSettings].visibility in ("demote", "active"),
    )


def _candidate(service: Service, row: Row, hit: Hit | None, moment: Moment) -> _Candidate:
    memory = hit.memory if hit else Memory.from_row(row["state"])
    now = service.clock()
    ahead = debut(_age(service, row, memory, now), row["entities"])
    links = row["links"] + row["entities"]
    shown = Surfaced(
        memory,
        hit.score if hit else None,
        hit.similarity if hit else row["cosine"],
        is_kept=bool(row["starts"]),
        is_new=ahead > 0,
        linked=(),
    )
    holds = memory.holds_to is None or memory.holds_to > moment.at(now)[0]
    return _Candidate(
        shown,
        tuple(row["starts"]),
        rank=(hit.weight if hit else 0.0) * (1.0 if holds else ENDED) + ahead,
        hold=memory.importance + max(row["cosine"] or 0.0, 0.0) + links / (links + _HALF_LINKS),
        linked=tuple(_linked(each) for each in row["linked"]),
    )


def _linked(row: Mapping[str, Any]) -> Linked:
    return Linked(Memory.from_row(row["state"]), row["score"], tuple(map(link_from, row["links"])))


def _age(service: Service, row: Row, memory: Memory, now: datetime) -> float:
    """Days since it was made, by the clock that importance goes by."""
    policy = Policy(service.settings[DecaySettings].policy)
    return row["days"] if by_activity(policy, service.settings) else days(memory.created_at, now)


def debut(age: float, entities: int) -> float:
    """How far a memory of so many days and entities stands ahead of its score."""
    if entities >= FEW_ENTITIES:
        return 0.0
    return DEBUT * clamped((KNOWN_FROM - age) / (KNOWN_FROM - NEW_UNTIL))


def _crowded(kept: Sequence[_Candidate]) -> tuple[list[_Candidate], list[_Candidate]]:
    """Those of the kept that stay, and those that go: what is in doubt, and of very many all but the best."""
    fit = [each for each in kept if not is_in_doubt(each.shown.memory)]
    ordered = sorted(fit, key=lambda each: (-each.hold, each.shown.memory.id))
    stay = ordered[:STAY] if len(ordered) > CROWDED else ordered
    return stay, [each for each in kept if each not in stay]


def _chosen(candidates: Sequence[_Candidate], limit: int) -> list[_Candidate]:
    """Those that are shown: what is kept or pinned, then what the message brings up, some of which has its place in any case."""
    pinned = sorted(
        (each for each in candidates if each.is_pinned), key=lambda each: (-each.hold, each.shown.memory.id)
    )
    fresh = sorted(
        (each for each in candidates if not each.is_pinned),
        key=lambda each: (-each.rank, each.shown.memory.id),
    )
    pinned = pinned[: min(PINNED, limit - min(FRESH, len(fresh), limit - 1))]
    return [*pinned, *fresh[: limit - len(pinned)]]


def _with_linked(shown: Sequence[_Candidate]) -> tuple[Surfaced, ...]:
    """Each with the best that its links bring along; every memory is shown once, where it matters most."""
    taken = {each.shown.memory.id for each in shown}
    brought: dict[int, list[Linked]] = {place: [] for place in range(len(shown))}
    competing = [(-linked.score, place, linked) for place, each in enumerate(shown) for linked in each.linked]
    for _, place, linked in sorted(competing, key=lambda each: (*each[:2], each[2].memory.id)):
        id = linked.memory.id
        if id not in taken and len(brought[place]) < LINKED and not is_in_doubt(linked.memory):
            taken.add(id)
            brought[place].append(linked)
    return tuple(replace(each.shown, linked=tuple(brought[place])) for place, each in enumerate(shown))
