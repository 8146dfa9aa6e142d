"""The statements in a model's answer: what it says of each, in our terms.

The answer is repaired where that loses nothing: an unknown outcome is none, an unknown type of link, an id that was not
offered or a tie to nothing is dropped, a confidence that is none is .9. What is no statement is dropped as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from graph_memory.entities.relations import type_of
from graph_memory.ingest.capture import Factors
from graph_memory.language.enough_said import says_enough
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Relates
from graph_memory.model.verdict import Effect
from graph_memory.models import json_answer
from graph_memory.models.fence import Offered
from graph_memory.models.redaction import HIDDEN

DEFAULT_CONFIDENCE = 0.9
# What a statement is worth where the answer does not say.
USUAL = 0.5

_OLDEST, _LATEST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
_MOST_KIND = 40
_MOST_RELATIONS = 500
_LONGEST_NAME = 100
_LONGEST_REASON = 300
_MOST_WORDS = 6
_DAY = 3
# Digits of a year, a month and a day.
_LENGTHS = ([4], [4, 2], [4, 2, 2])


# How a tie is stored: its type, and whether it leads from the other memory to this one.
_TIES = {
    "CAUSES": (LinkKind.CAUSES, False),
    "CAUSED_BY": (LinkKind.CAUSES, True),
    "SUPPORTS": (LinkKind.SUPPORTS, False),
    "EXAMPLE_OF": (LinkKind.INSTANCE_OF, False),
    "FOLLOWS": (LinkKind.FOLLOWS, False),
    "CONFLICTS": (LinkKind.CONFLICTS, False),
}


@dataclass(frozen=True)
class Tie:
    """A link to a known memory (`id`) or to another statement of the answer (`place`); `is_from` it, or to it."""

    kind: LinkKind
    id: str | None
    place: int | None
    is_from: bool


@dataclass(frozen=True)
class Found:
    """One statement. `messages` are places in the messages shown, ids those of known memories that were shown, in full.

    `since` and `until` bound when it holds, `happens_at` is when something happens: a whole day is its midnight in UTC.
    `relations` are between names that stand in the text. `effect` is what it does to `known`; None where
    nothing of the kind is known.
    """

    text: str
    confidence: float
    kind: str
    messages: tuple[int, ...] = ()
    speaker: str | None = None
    importance: float = USUAL
    effect: Effect | None = None
    known: str | None = None
    sure: float = 0.0
    since: datetime | None = None
    until: datetime | None = None
    happens_at: datetime | None = None
    expires_at: datetime | None = None
    ties: tuple[Tie, ...] = ()
    relations: tuple[Relates, ...] = ()
    factors: Factors | None = None
    reason: str = ""

    @property
    def related(self) -> tuple[str, ...]:
        """The known memories that it names."""
        named = (self.known, *(each.id for each in self.ties))
        return tuple(dict.fromkeys(id for id in named if id is not None))

    @property
    def hints(self) -> tuple[int, ...]:
        """The places of the statements that it is tied to."""
        return tuple(dict.fromkeys(each.place for each in self.ties if each.place is not None))

    def at(self, places: Mapping[int, int]) -> Found:
        """The same in a list whose places are others; ties to what is not there are dropped."""
        ties = [
            each if each.place is None else replace(each, place=places[each.place])
            for each in self.ties
            if each.place is None or each.place in places
        ]
        return replace(self, ties=tuple(ties))


def read(text: str, offered: Offered, count: int, zone: tzinfo = UTC) -> tuple[Found, ...]:
    """The statements in an answer about `count` messages; () when there are none. Unreadable when it is no list.

    Times without an offset are local to `zone`.
    """
    items = json_answer.parts(text, "memories")
    kept = [at for at, each in enumerate(items) if _is_statement(each)]
    places = {at: place for place, at in enumerate(kept)}
    related = _related(text)
    return tuple(
        replace(
            _found(items[at], offered, count, zone),
            relations=tuple(dict.fromkeys(each for place, each in related if place == at)),
        ).at({old: new for old, new in places.items() if old != at})
        for at in kept
    )


def _is_statement(item: Any) -> bool:
    text = item.get("text") if isinstance(item, Mapping) else None
    return isinstance(text, str) and says_enough(text.strip()) and HIDDEN not in text


def _found(item: Mapping[str, Any], offered: Offered, count: int, zone: tzinfo) -> Found:
    known = offered.real(item.get("known"))
    since, until = _since(item.get("since"), zone), _end(item.get("until"), zone)
    return Found(
        text=" ".join(item["text"].split()),
        confidence=_share(item.get("confidence"), DEFAULT_CONFIDENCE),
        kind=_kind(item.get("kind")),
        messages=tuple(dict.fromkeys(at for at in _numbers(item.get("messages")) if at < count)),
        speaker=_words(item.get("speaker"), _LONGEST_NAME) or None,
        importance=_share(item.get("importance"), USUAL),
        effect=_effect(item.get("outcome")) if known else None,
        known=known,
        sure=_share(item.get("sure"), 0.0),
        since=since,
        until=until if since is None or until is None or since < until else None,
        happens_at=_happening(item.get("happens_at"), zone),
        expires_at=_end(item.get("expires_at"), zone),
        ties=_ties(item.get("links"), offered),
        factors=_factors(item.get("factors")),
        reason=_words(item.get("reason"), _LONGEST_REASON),
    )


def _effect(value: Any) -> Effect | None:
    return Effect.__members__.get(value.strip().upper()) if isinstance(value, str) else None


def _ties(value: Any, offered: Offered) -> tuple[Tie, ...]:
    given = [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
    found = []
    for each in given:
        type, places = each.get("type"), _numbers([each.get("place")])
        kind, is_from = _TIES.get(type.strip().upper() if isinstance(type, str) else "", (None, False))
        id = offered.real(each.get("id"))
        if kind is not None and (id is not None or places):
            found.append(Tie(kind, id, None if id else places[0], is_from))
    return tuple(dict.fromkeys(found))


def _factors(given: Any) -> Factors | None:
    """The five factors; None unless all are there and numbers."""
    named = [given.get(each.name) for each in fields(Factors)] if isinstance(given, Mapping) else []
    values = [_share(each, -1.0) for each in named]
    return Factors(*values) if values and min(values) >= 0 else None


def _related(text: str) -> list[tuple[int, Relates]]:
    """The relations of an answer, each with the place of its statement; none where the answer broke off before them."""
    try:
        found = json_answer.value(text)
    except json_answer.Unreadable:
        return []
    given = found.get("relations") if isinstance(found, Mapping) else None
    made = (_relation(each) for each in (given if isinstance(given, list) else [])[:_MOST_RELATIONS])
    return [each for each in made if each is not None]


def _relation(item: Any) -> tuple[int, Relates] | None:
    if not isinstance(item, Mapping):
        return None
    names = [item.get(name) for name in ("subject", "type", "object")]
    if not all(isinstance(each, str) and 0 < len(each.strip()) <= _LONGEST_NAME for each in names):
        return None
    subject, type, other = (" ".join(str(each).split()) for each in names)
    places, kind = _numbers([item.get("memory")]), type_of(type)
    is_name = all(len(each.split()) <= _MOST_WORDS and HIDDEN not in each for each in (subject, other))
    if not places or kind is None or not is_name:
        return None
    return places[0], Relates(subject, kind, other)


def _share(value: Any, otherwise: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value <= 1 else otherwise


def _kind(value: Any) -> str:
    found = value.strip().lower() if isinstance(value, str) else ""
    return found if found.isidentifier() and len(found) <= _MOST_KIND else "fact"


def _words(value: Any, most: int) -> str:
    return " ".join(value.split())[:most] if isinstance(value, str) else ""


def _numbers(value: Any) -> list[int]:
    given = value if isinstance(value, list) else []
    return [each for each in given if isinstance(each, int) and not isinstance(each, bool) and each >= 0]


def _since(value: Any, zone: tzinfo) -> datetime | None:
    """The first moment of what is said: a year, a month, a day or a moment."""
    told = _told(value)
    return _moment(value, zone) if told is None else _midnight(told[0], zone)


def _end(value: Any, zone: tzinfo) -> datetime | None:
    """The moment, or the end of the year, month or day."""
    told = _told(value)
    if told is None:
        return _moment(value, zone)
    first, parts = told
    if parts == _DAY:
        return _midnight(first + timedelta(days=1), zone)
    months = first.year * 12 + first.month - 1 + (1 if parts > 1 else 12)
    return _midnight(date(months // 12, months % 12 + 1, 1), zone)


def _happening(value: Any, zone: tzinfo) -> datetime | None:
    """The moment, or the midnight in UTC of a day; of a month or a year no day is known."""
    told = _told(value)
    if told is None:
        return _moment(value, zone)
    return _midnight(told[0], UTC) if told[1] == _DAY else None


def _told(value: Any) -> tuple[date, int] | None:
    """The first day of a year, a month or a day, and how many parts of a date it tells; None for anything else."""
    parts = value.strip().split("-") if isinstance(value, str) else []
    if not all(each.isdecimal() for each in parts) or [len(each) for each in parts] not in _LENGTHS:
        return None
    year, month, day = (*map(int, parts), 1, 1)[:_DAY]
    try:
        return (date(year, month, day), len(parts)) if year < _LATEST.year else None
    except ValueError:
        return None


def _midnight(day: date, zone: tzinfo) -> datetime | None:
    return _in_utc(datetime.combine(day, time(), zone), zone)


def _moment(value: Any, zone: tzinfo) -> datetime | None:
    """A moment in UTC; None for what is none, or lies in another age."""
    try:
        found = datetime.fromisoformat(value.strip()) if isinstance(value, str) else None
    except ValueError:
        return None
    return None if found is None else _in_utc(found, zone)


def _in_utc(at: datetime, zone: tzinfo) -> datetime | None:
    known = at.replace(tzinfo=zone) if at.tzinfo is None else at
    return known.astimezone(UTC) if _OLDEST < known < _LATEST else None
