"""Packs: what an agent should have in its prompt about a subject, as one block within a budget of tokens.

What is pinned or critical always stands in it. The rest is what a search for the query finds; without one what scores
best of what weighs most and of what is near the files and keywords of the session:
score = a relevance + b recency + c activation, by weights of `pack.prioritize`. Scores choose, and never order: lines
stand by kind and by when they were stored, so that the same memories make the same block.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from graph_memory.base.errors import Invalid, SystemFault
from graph_memory.base.scope import DEFAULT_SUBJECT, Scope
from graph_memory.language import pack_block
from graph_memory.language.pack_block import Injected, block_of, escaped
from graph_memory.language.texts import clean
from graph_memory.memory.screening import ALARMING
from graph_memory.memory.trust import kinds_from
from graph_memory.model.memory import Memory, Trust
from graph_memory.models.embedders import embed_if_possible
from graph_memory.models.token_counters import TokenCounter, counter_of
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
MOST_BUDGET = 100_000
_MOST_HINTS, _LONGEST_HINT, _LONGEST_TEXT = 100, 500, 2000
_ALWAYS = "Always"
_TRUNCATED = "More is known than fits here; search for it."


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


class Reason(StrEnum):
    """Why a memory was left out of a pack."""

    BUDGET = "BUDGET"
    LIMIT = "LIMIT"
    CONFIDENCE = "CONFIDENCE"
    SUSPICIOUS = "SUSPICIOUS"


@dataclass(frozen=True)
class LeftOut:
    """A memory that competed and does not stand in the pack."""

    memory: Memory
    reason: Reason


@dataclass(frozen=True)
class Pack:
    """A block of memories, '' when there are none, and all that is to be told of it. `memories` are in its order."""

    text: str
    tokens: int
    version: str
    generated_at: datetime
    memories: tuple[Memory, ...]
    left_out: tuple[LeftOut, ...]
    note: str | None
    difference: Difference | None


def pack(service: Service, scope: Scope, wanted: Wanted = Wanted()) -> Pack:
    """A pack of one subject's memories that hold now, in one statement, or two where something is searched for.

    The block never counts more tokens than the budget. Raises Invalid, for a budget, a limit or a text out of range and
    for a `since` that is no version.
    """
    settings, scope = service.settings[PackSettings], scope.for_writing()
    made = _Making.of(service, wanted)
    earlier = None if wanted.since is None else parse(wanted.since)
    if not settings.enabled:
        return made.empty("Packs are switched off (GRAPH_MEMORY_PACK_ENABLED).", (), earlier)
    candidates, note = _candidates(service, scope, wanted, made, earlier)
    fit = [each for each in candidates if _objection(each.memory, settings) is None]
    standing = [each for each in fit if each.stands]
    others = [each for each in fit if not each.stands]
    left = [
        LeftOut(each.memory, why) for each in candidates if (why := _objection(each.memory, settings))
    ] + [LeftOut(each.memory, Reason.LIMIT) for each in others[made.limit :]]
    return made.filled([*standing, *others[: made.limit]], left, note, earlier, _what(scope, wanted))


def inject(context: str, pack: Pack) -> Injected:
    """The context with this pack in the place of an older one, else at its end; all else stays, byte for byte.

    An empty pack only takes the older one away.
    """
    return pack_block.inject(context, pack.text)


def refreshed(service: Service, scope: Scope, context: str, wanted: Wanted = Wanted()) -> Injected:
    """The context with a fresh pack; the context as it was where packs are switched off or one cannot be made now."""
    if not service.settings[PackSettings].enabled:
        return Injected(context, replaced=False)
    try:
        return inject(context, pack(service, scope, wanted))
    except SystemFault as error:
        log.warning("pack_not_made", extra={"code": error.code})
        return Injected(context, replaced=False)


@dataclass(frozen=True)
class _Candidate:
    memory: Memory
    line: str
    score: float

    @property
    def stands(self) -> bool:
        return self.memory.pinned or self.memory.critical


@dataclass(frozen=True)
class _Making:
    """A pack being made."""

    count: TokenCounter
    budget: int
    limit: int
    at: datetime

    @classmethod
    def of(cls, service: Service, wanted: Wanted) -> _Making:
        settings = service.settings[PackSettings]
        budget = settings.budget if wanted.budget is None else wanted.budget
        limit = settings.limit if wanted.limit is None else wanted.limit
        most = service.settings[RecallSettings].max_limit
        for name, value, end in (("budget", budget, MOST_BUDGET), ("first", limit, most)):
            if not 1 <= value <= end:
                raise Invalid(f"{name} is {value}; it must lie between 1 and {end}.", path=name)
        return cls(counter_of(settings.counter, settings.tokenizer), budget, limit, service.clock())

    def filled(
        self,
        candidates: Sequence[_Candidate],
        left: list[LeftOut],
        note: str | None,
        earlier: Version | None,
        what: str,
    ) -> Pack:
        """As many of the candidates as the budget holds; those first that come first. `what` they are about."""
        chosen, is_cut = list(candidates), not self._fits(candidates, is_cut=False)
        if is_cut:
            chosen = []
            for each in candidates:
                if self._fits([*chosen, each], is_cut=True):
                    chosen.append(each)
        cut = [each for each in candidates if each not in chosen]
        left = [*(LeftOut(each.memory, Reason.BUDGET) for each in cut), *left]
        if not chosen:
            return self.empty(note or _why_empty(what, self.budget, left), left, earlier)
        ordered = sorted(chosen, key=_place)
        lines = _lines(ordered, is_cut=is_cut)
        text = block_of(lines, self.at)
        version = version_of(lines, {each.memory.id: each.line for each in chosen})
        return self._told(text, version, [each.memory for each in ordered], left, note, earlier)

    def empty(self, note: str, left: Sequence[LeftOut], earlier: Version | None) -> Pack:
        return self._told("", version_of([], {}), [], left, note, earlier)

    def _told(
        self,
        text: str,
        version: Version,
        memories: Sequence[Memory],
        left: Sequence[LeftOut],
        note: str | None,
        earlier: Version | None,
    ) -> Pack:
        return Pack(
            text=text,
            tokens=self.count(text) if text else 0,
            version=str(version),
            generated_at=self.at,
            memories=tuple(memories),
            left_out=tuple(left),
            note=note,
            difference=None if earlier is None else difference(earlier, version),
        )

    def _fits(self, chosen: Sequence[_Candidate], *, is_cut: bool) -> bool:
        """Whether the whole block does, counted as it would be handed out."""
        text = block_of(_lines(sorted(chosen, key=_place), is_cut=is_cut), self.at)
        return self.count(text) <= self.budget


def _candidates(
    service: Service, scope: Scope, wanted: Wanted, making: _Making, earlier: Version | None
) -> tuple[list[_Candidate], str | None]:
    """What may stand in the pack, the most wanted first, and what is to be told of how it was found."""
    asked, hints = _query(wanted), _hints(wanted)
    about = asked or " ".join(hints)[:_LONGEST_TEXT]
    compete = min(making.limit * COMPETE, service.settings[RecallSettings].max_limit)
    note, found, vector = None, list[str](), None
    if about:
        [vector] = embed_if_possible(service.embedder, [about])
        page = search(service, scope, about, vector, compete, min_trust=wanted.min_trust)
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
    before = earlier.prints if earlier else {}
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


def _candidate(
    row: Row, at: datetime, hints: Sequence[str], weights: tuple[float, ...], before: Mapping[str, bytes]
) -> _Candidate:
    memory = Memory.from_row(row["state"])
    parts = (_relevance(memory, row["cosine"], hints), _recency(memory, at), _activation(memory))
    score = sum(weight * part for weight, part in zip(weights, parts, strict=True))
    stays = STAYS if memory.id in before else 0.0
    return _Candidate(memory, _line(memory, ZoneInfo(row["time_zone"])), score + stays)


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
    # What may be an order to whoever reads it comes into a prompt only once a person stands for it.
    if ALARMING & set(memory.labels) and memory.confirmed_at is None:
        return Reason.SUSPICIOUS
    return None


def _place(each: _Candidate) -> tuple[bool, str, datetime, str]:
    memory = each.memory
    return (not each.stands, "" if each.stands else memory.kind, memory.created_at, memory.id)


def _lines(ordered: Sequence[_Candidate], *, is_cut: bool) -> list[str]:
    return [*_grouped(ordered), *([_TRUNCATED] if is_cut else [])]


def _grouped(ordered: Sequence[_Candidate]) -> Iterator[str]:
    group = None
    for each in ordered:
        named = _ALWAYS if each.stands else escaped(each.memory.kind).capitalize()
        if named != group:
            yield f"## {named}"
            group = named
        yield each.line


def _line(memory: Memory, zone: ZoneInfo) -> str:
    """The memory on one line, with the days since which it holds and on which it happens; what is unverified says so."""
    told = [f"since {memory.valid_from.astimezone(zone):%Y-%m-%d}"]
    if memory.happens_at is not None:
        told.append(f"on {memory.happens_at.astimezone(zone):%Y-%m-%d}")
    if memory.trust is Trust.UNVERIFIED:
        told.append(f"unverified, from {memory.source.kind}")
    return f"- {escaped(memory.text)} ({'; '.join(told)})"


def _why_empty(what: str, budget: int, left: Sequence[LeftOut]) -> str:
    cut = sum(each.reason is Reason.BUDGET for each in left)
    if cut:
        return f"A budget of {budget} tokens is too small for any of {cut} memories."
    if left:
        return f"None of {len(left)} memories may stand in a pack; each is told with its reason."
    return f"Nothing is known{what}, so there is nothing to put into a prompt."


def _what(scope: Scope, wanted: Wanted) -> str:
    whose = "" if scope.subject_name in (None, DEFAULT_SUBJECT) else f" of {scope.subject_name}"
    return f"{whose} that the query finds" if wanted.query else whose


def _query(wanted: Wanted) -> str:
    return "" if wanted.query is None else clean(wanted.query, _LONGEST_TEXT, "query")


def _hints(wanted: Wanted) -> list[str]:
    """The words of keywords and of the paths of files, each once."""
    for name, given in (("keywords", wanted.keywords), ("files", wanted.files)):
        if len(given) > _MOST_HINTS:
            raise Invalid(f"{len(given)} {name} were given; {_MOST_HINTS} are taken at most.", path=name)
    hints = [clean(each, _LONGEST_HINT, "keywords") for each in wanted.keywords]
    hints += [clean(each, _LONGEST_HINT, "files") for each in wanted.files]
    words = "".join(char if char.isalnum() else " " for char in " ".join(hints)).split()
    return list(dict.fromkeys(words))
