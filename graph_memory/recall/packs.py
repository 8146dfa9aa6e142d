"""Packs: what an agent should have in its prompt about a subject, as one block within a budget of tokens.

Pinned and critical memories are always in it. With a query, the others are what a search for it finds. Without one they are
chosen among the most important memories and those near the session's files and keywords, by
score = a relevance + b recency + c activation, with the weights of `pack.prioritize`. The score only chooses; lines are
ordered by kind and by when they were stored, so that the same memories always make the same block. If summaries are wanted,
the block begins with those of the communities that hold most of the chosen memories; when the budget is short, they go first.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from graph_memory.base.errors import Invalid, SystemFault
from graph_memory.base.scope import DEFAULT_SUBJECT, Scope
from graph_memory.language import pack_block
from graph_memory.language.pack_block import Injected
from graph_memory.language.texts import clean
from graph_memory.memory import community_reading
from graph_memory.memory.screening import is_in_doubt
from graph_memory.memory.trust import kinds_from
from graph_memory.model.memory import Memory, Trust
from graph_memory.models.embedders import embed_if_possible
from graph_memory.models.token_counters import TokenCounter, counter_of
from graph_memory.recall.pack_filling import Candidate, Filled, fill, line_of, line_of_summary
from graph_memory.recall.pack_versions import Difference, Version, difference, parse, version_of
from graph_memory.recall.search import search
from graph_memory.recall.settings import PackSettings, RecallSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

log = logging.getLogger(__name__)

PACK = query("recall/pack")

# Weights of relevance, recency and activation.
WEIGHTS = {"relevance": (0.5, 0.3, 0.2), "recency": (0.3, 0.5, 0.2), "activation": (0.3, 0.2, 0.5)}
# Days after which a memory is half as recent, and uses from which on it counts as used fully.
HALF_LIFE, USES = 30.0, 10
# Without vectors: what a tag or kind among the keywords counts, and a word, up to a most.
NAMED, WORD, WORDS = 0.5, 0.1, 0.5
# What stood in the earlier pack stays unless another is better by this, so that near equals do not take turns.
STAYS = 0.05
# Memories that compete for each place, and pinned or critical ones that are read at most, of each.
COMPETE, STANDING = 4, 100
MOST_SUMMARIES = 10
MOST_BUDGET = 100_000
_MOST_HINTS, _LONGEST_HINT, _LONGEST_TEXT = 100, 500, 2000
# A pack without a memory.
NOTHING = Filled("", (), (), ())


@dataclass(frozen=True)
class Wanted:
    """What a pack is made for; all may be missing. `files` and `keywords` tell what a session is about.

    `since` is the version of an earlier pack.
    """

    query: str | None = None
    files: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    budget: int | None = None
    limit: int | None = None
    min_trust: Trust | None = None
    since: str | None = None
    summaries: int | None = None


class Reason(StrEnum):
    """Why a memory was left out of a pack."""

    BUDGET = "BUDGET"
    LIMIT = "LIMIT"
    CONFIDENCE = "CONFIDENCE"
    SUSPICIOUS = "SUSPICIOUS"
    STALE = "STALE"


@dataclass(frozen=True)
class LeftOut:
    """A memory that competed and does not stand in the pack."""

    memory: Memory
    reason: Reason


@dataclass(frozen=True)
class Pack:
    """A block of memories, '' when there are none, and all that is to be told of it.

    `summaries` and `memories` are in its order.
    """

    text: str
    tokens: int
    version: str
    generated_at: datetime
    memories: tuple[Memory, ...]
    summaries: tuple[Memory, ...]
    left_out: tuple[LeftOut, ...]
    note: str | None
    difference: Difference | None


def pack(
    service: Service, scope: Scope, wanted: Wanted = Wanted(), count: TokenCounter | None = None
) -> Pack:
    """A pack of one subject's memories that hold now, in one statement, or two where something is searched for; summaries take
    three more.

    The block never counts more tokens than the budget; `count` counts in the place of the settings' counter. Raises
    Invalid, for a budget, a limit or a text out of range and for a `since` that is no version.
    """
    settings, scope = service.settings[PackSettings], scope.for_writing()
    making = _Making.of(service, wanted, count)
    if not settings.enabled:
        return making.told(NOTHING, (), "Packs are switched off (GRAPH_MEMORY_PACK_ENABLED).")
    candidates, note = _candidates(service, scope, wanted, making)
    objections = [(each, _objection(each.memory, settings)) for each in candidates]
    fit = [each for each, why in objections if why is None]
    standing = [each for each in fit if each.stands]
    others = [each for each in fit if not each.stands]
    chosen = others[: making.limit]
    summaries, unfit = _summaries(service, scope, wanted, making, chosen or standing)
    made = fill([*standing, *chosen, *summaries], making.count, making.budget, making.at)
    left = [
        *unfit,
        *(LeftOut(each.memory, Reason.BUDGET) for each in made.cut),
        *(LeftOut(each.memory, why) for each, why in objections if why is not None),
        *(LeftOut(each.memory, Reason.LIMIT) for each in others[making.limit :]),
    ]
    return making.told(made, left, note if made.text else note or _why_empty(scope, wanted, made, left))


def inject(context: str, pack: Pack) -> Injected:
    """The context with this pack in the place of an older one, else at its end; all else stays, byte for byte.

    An empty pack only takes the older one away.
    """
    return pack_block.inject(context, pack.text)


def refreshed(
    service: Service,
    scope: Scope,
    context: str,
    wanted: Wanted = Wanted(),
    count: TokenCounter | None = None,
) -> Injected:
    """The context with a fresh pack; the context as it was where packs are switched off or one cannot be made now."""
    if not service.settings[PackSettings].enabled:
        return Injected(context, replaced=False)
    try:
        return inject(context, pack(service, scope, wanted, count))
    except SystemFault as error:
        log.warning("pack_not_made", extra={"code": error.code})
        return Injected(context, replaced=False)


@dataclass(frozen=True)
class _Making:
    """A pack being made: by what it is counted, its bounds, its moment, and the pack before it."""

    count: TokenCounter
    budget: int
    limit: int
    summaries: int
    at: datetime
    earlier: Version | None

    @classmethod
    def of(cls, service: Service, wanted: Wanted, count: TokenCounter | None) -> _Making:
        settings = service.settings[PackSettings]
        budget = settings.budget if wanted.budget is None else wanted.budget
        limit = settings.limit if wanted.limit is None else wanted.limit
        most = service.settings[RecallSettings].max_limit
        for name, value, end in (("budget", budget, MOST_BUDGET), ("first", limit, most)):
            if not 1 <= value <= end:
                raise Invalid(f"{name} is {value}; it must lie between 1 and {end}.", path=name)
        summaries = settings.summaries if wanted.summaries is None else wanted.summaries
        if not 0 <= summaries <= MOST_SUMMARIES:
            raise Invalid(
                f"summaries is {summaries}; it must lie between 0 and {MOST_SUMMARIES}.", path="summaries"
            )
        earlier = None if wanted.since is None else parse(wanted.since)
        count = count or counter_of(settings.counter, settings.tokenizer)
        return cls(count, budget, limit, summaries, service.clock(), earlier)

    def told(self, made: Filled, left: Sequence[LeftOut], note: str | None) -> Pack:
        version = version_of(made.lines, {each.memory.id: each.line for each in made.chosen})
        return Pack(
            text=made.text,
            tokens=self.count(made.text) if made.text else 0,
            version=str(version),
            generated_at=self.at,
            memories=tuple(each.memory for each in made.chosen if not each.sums_up),
            summaries=tuple(each.memory for each in made.chosen if each.sums_up),
            left_out=tuple(left),
            note=note,
            difference=None if self.earlier is None else difference(self.earlier, version),
        )


def _candidates(
    service: Service, scope: Scope, wanted: Wanted, making: _Making
) -> tuple[list[Candidate], str | None]:
    """What may stand in the pack, the most wanted first, and what is to be told of how it was found."""
    asked, hints = _query(wanted), _hints(wanted)
    about = asked or " ".join(hints)[:_LONGEST_TEXT]
    compete = min(making.limit * COMPETE, service.settings[RecallSettings].max_limit)
    note, found, vector = None, list[str](), None
    if about:
        [vector] = embed_if_possible(service.embedder, [about])
        page = search(service, scope, about, vector, compete, min_trust=wanted.min_trust, is_question=False)
        found, note = [hit.memory.id for hit in page.hits], None if page.is_complete else page.note
    rows = service.read(
        scope,
        PACK,
        now=making.at,
        found=found,
        vector=vector,
        standing=STANDING,
        weighty=0 if asked else compete,
        trusted=None if wanted.min_trust is None else kinds_from(wanted.min_trust),
    )
    weights = WEIGHTS[service.settings[PackSettings].prioritize]
    before = making.earlier.prints if making.earlier else {}
    made = [_candidate(row, making.at, hints, weights, before) for row in rows]
    places = {id: place for place, id in enumerate(found)} if asked else {}
    made.sort(
        key=lambda each: (
            not each.memory.pinned,
            not each.memory.critical,
            places.get(each.memory.id, len(places)),
            -each.score,
            each.memory.id,
        )
    )
    return made, note


def _summaries(
    service: Service, scope: Scope, wanted: Wanted, making: _Making, chosen: Sequence[Candidate]
) -> tuple[list[Candidate], list[LeftOut]]:
    """The summaries of the communities that most of the chosen are in, the first of these counting most; and those unfit.

    One whose members are others by now, or say something else, may tell what no longer holds.
    """
    if not making.summaries or not chosen:
        return [], []
    places = {each.memory.id: place for place, each in enumerate(chosen)}
    weights: dict[str, float] = defaultdict(float)
    for id, community in community_reading.of_memories(service, scope, list(places)).items():
        if community is not None:
            weights[community] += 1 / (1 + places[id])
    best = sorted(weights, key=lambda id: (-weights[id], id))[: making.summaries]
    if not best:
        return [], []
    names = community_reading.by_id(service, scope, best)
    found = community_reading.summaries_of(service, scope, best)
    told = [(names[id].name, found[id]) for id in best if id in found and id in names]
    trusted = None if wanted.min_trust is None else kinds_from(wanted.min_trust)
    fit, unfit = list[Candidate](), list[LeftOut]()
    for name, summary in told:
        memory = summary.memory
        if trusted is not None and memory.source.kind not in trusted and memory.confirmed_at is None:
            continue
        why = _objection(memory, service.settings[PackSettings])
        if why is None and summary.is_stale:
            why = Reason.STALE
        if why is None:
            fit.append(Candidate(memory, line_of_summary(memory, name), sums_up=True))
        else:
            unfit.append(LeftOut(memory, why))
    return fit, unfit


def _candidate(
    row: Row, at: datetime, hints: Sequence[str], weights: tuple[float, ...], before: Mapping[str, bytes]
) -> Candidate:
    memory = Memory.from_row(row["state"])
    parts = (_relevance(memory, row["cosine"], hints), _recency(memory, at), _activation(memory))
    score = sum(weight * part for weight, part in zip(weights, parts, strict=True))
    stays = STAYS if memory.id in before else 0.0
    line = line_of(memory, ZoneInfo(row["time_zone"]), is_contested=bool(row["contested_by"]))
    return Candidate(memory, line, score + stays)


def _relevance(memory: Memory, cosine: float | None, hints: Sequence[str]) -> float:
    """How near it is to the session; how much it weighs where nothing is told of one."""
    if cosine is not None:
        return max(cosine, 0.0)
    if not hints:
        return memory.importance
    told, words = {hint.casefold() for hint in hints}, set(memory.text.casefold().split())
    named = NAMED if told & {memory.kind, *memory.tags} else 0.0
    return named + min(WORDS, WORD * len(told & words))


def _recency(memory: Memory, at: datetime) -> float:
    days = max((at - memory.updated_at).total_seconds(), 0.0) / 86_400
    return float(2 ** (-days / HALF_LIFE))


def _activation(memory: Memory) -> float:
    return min(1.0, memory.access_count / USES)


def _objection(memory: Memory, settings: PackSettings) -> Reason | None:
    if memory.confidence < settings.min_confidence:
        return Reason.CONFIDENCE
    return Reason.SUSPICIOUS if is_in_doubt(memory) else None


def _why_empty(scope: Scope, wanted: Wanted, made: Filled, left: Sequence[LeftOut]) -> str:
    if made.cut:
        return f"The budget is too small for any of {len(made.cut)} memories."
    if left:
        return f"None of {len(left)} memories may stand in a pack; each is told with its reason."
    whose = "" if scope.subject_name == DEFAULT_SUBJECT else f" of {scope.subject_name}"
    found = " that the query finds" if wanted.query else ""
    return f"Nothing is known{whose}{found}, so there is nothing to put into a prompt."


def _query(wanted: Wanted) -> str:
    return "" if wanted.query is None else clean(wanted.query, _LONGEST_TEXT, "query")


def _hints(wanted: Wanted) -> list[str]:
    """The words of keywords and of the paths of files, each once."""
    for name, given in (("keywords", wanted.keywords), ("files", wanted.files)):
        if len(given) > _MOST_HINTS:
            raise Invalid(f"{len(given)} {name} were given; at most {_MOST_HINTS} are taken.", path=name)
    hints = [clean(each, _LONGEST_HINT, "keywords") for each in wanted.keywords]
    hints += [clean(each, _LONGEST_HINT, "files") for each in wanted.files]
    words = "".join(char if char.isalnum() else " " for char in " ".join(hints)).split()
    return list(dict.fromkeys(words))
