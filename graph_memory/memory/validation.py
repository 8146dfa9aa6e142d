"""What a fact must be before it is stored: cleaned, bounded, dated in UTC. Raises Invalid with the place of the fault."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np

from graph_memory.base.errors import Invalid
from graph_memory.base.gathered import Gathered
from graph_memory.base.kind_names import check_kind
from graph_memory.base.moments import check_time
from graph_memory.entities.settings import EntitiesSettings
from graph_memory.language import texts
from graph_memory.language.recognition import recognise
from graph_memory.memory.properties import MOST_TAGS
from graph_memory.memory.screening import screened_fact
from graph_memory.memory.settings import ScreeningSettings, TextsSettings
from graph_memory.model.kinds import singular
from graph_memory.model.memory import EntityName, Fact, Source
from graph_memory.store.service import Service

_MAX_METADATA = 64
_MAX_METADATA_TEXT = 1000
_MAX_NAME = 200
_TIMES = ("valid_from", "valid_to", "happens_at", "expires_at")

Scalar = str | int | float | bool


def check(service: Service, fact: Fact, path: str) -> Fact:
    """The fact as it will be stored; `path` names it in messages. All that is wrong with it is told at once."""
    faults = Gathered()
    of = faults.of
    fact = of(_screened, service, fact, path) or fact
    checked = replace(
        fact,
        kind=singular(of(check_kind, fact.kind, f"{path}.kind") or fact.kind),
        tags=of(_tags, fact.tags, MOST_TAGS, path),
        metadata=of(_metadata, fact.metadata, path),
        confidence=of(_share, fact.confidence, f"{path}.confidence"),
        importance=of(_share, fact.importance, f"{path}.importance"),
        heading=of(_name, fact.heading, f"{path}.heading") or "",
        session_id=of(_name, fact.session_id, f"{path}.session_id"),
        agent_id=of(_name, fact.agent_id, f"{path}.agent_id"),
        source=_source(faults, fact.source, path),
        vector=of(check_vector, fact.vector, service.embedder.dimension, f"{path}.vector"),
        **_times(faults, fact, path),  # type: ignore[arg-type]
    )
    faults.refuse()
    given = (
        recognise(service.settings[EntitiesSettings].recogniser, fact.text)
        if fact.entities is None
        else fact.entities
    )
    return replace(checked, entities=_entities(given))


def _screened(service: Service, fact: Fact, path: str) -> Fact:
    text = texts.clean(fact.text, service.settings[TextsSettings].max_length, f"{path}.text")
    return screened_fact(service.settings[ScreeningSettings], replace(fact, text=text), path)


def _entities(given: Iterable[Any]) -> tuple[EntityName, ...]:
    names = (EntityName(each.name, each.key, each.type, getattr(each, "discriminator", "")) for each in given)
    return tuple({(name.type, name.key, name.discriminator): name for name in names}.values())


def check_vector(vector: Sequence[float] | None, dimension: int, path: str) -> tuple[float, ...] | None:
    """The vector, when it has the dimension and a length that float32 can hold."""
    if vector is None:
        return None
    if len(vector) != dimension:
        raise Invalid(f"{path} has {len(vector)} numbers, {dimension} are needed.", path=path)
    with np.errstate(all="ignore"):
        squares = float(
            np.square(np.asarray(vector, dtype=np.float32), dtype=np.float32).sum(dtype=np.float32)
        )
    if not math.isfinite(squares) or squares < 1e-30:
        raise Invalid(f"{path} must hold finite numbers of a usual size that are not all zero.", path=path)
    return tuple(float(number) for number in vector)


def _times(faults: Gathered, fact: Fact, path: str) -> dict[str, datetime]:
    given = {name: value for name in _TIMES if (value := getattr(fact, name)) is not None}
    times = {name: faults.of(check_time, f"{path}.{name}", value) for name, value in given.items()}
    faults.of(_in_order, times.get("valid_from"), times.get("valid_to"), path)
    return times


def _in_order(start: datetime | None, end: datetime | None, path: str) -> None:
    path = f"{path}.valid_to"
    if start is not None and end is not None and end < start:
        raise Invalid(f"{path} lies before valid_from.", path=path)
    if start is not None and end == start:
        raise Invalid(
            f"{path} is valid_from, so that it would hold at no moment; give a later one.", path=path
        )


def _tags(tags: Sequence[str], most: int, path: str) -> tuple[str, ...]:
    cleaned = sorted({" ".join(tag.split()).casefold() for tag in tags} - {""})
    if len(cleaned) > most:
        raise Invalid(
            f"{path}.tags has {len(cleaned)} tags, at most {most} are allowed.", path=f"{path}.tags"
        )
    return tuple(texts.clean(tag, _MAX_NAME, f"{path}.tags") for tag in cleaned)


def _metadata(metadata: Mapping[str, Scalar], path: str) -> dict[str, Scalar]:
    if any(map(_is_long, (*metadata, *metadata.values()))):
        raise Invalid(
            f"{path}.metadata has a text of more than {_MAX_METADATA_TEXT} characters, or a number beyond 64 bits.",
            path=f"{path}.metadata",
        )
    if len(metadata) > _MAX_METADATA or not all(map(_is_flat, metadata, metadata.values())):
        raise Invalid(
            f"{path}.metadata must be a flat map of at most {_MAX_METADATA} texts, numbers and booleans.",
            path=f"{path}.metadata",
        )
    return dict(metadata)


def _is_long(value: object) -> bool:
    if isinstance(value, str):
        return len(value) > _MAX_METADATA_TEXT
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _is_flat(key: object, value: object) -> bool:
    return isinstance(key, str) and (
        isinstance(value, str | int | bool) or (isinstance(value, float) and math.isfinite(value))
    )


def _source(faults: Gathered, source: Source, path: str) -> Source:
    ref = faults.of(_name, source.ref, f"{path}.source.ref")
    return Source(source.kind, ref, faults.of(_name, source.author, f"{path}.source.author"))


def _name(value: str | None, path: str) -> str | None:
    return texts.clean(value, _MAX_NAME, path) if value else None


def of_ten(value: int, path: str) -> float:
    """The importance of a caller who counts from 1 to 10."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 10:
        raise Invalid(f"{path} is {value}; it must be a whole number from 1 to 10.", path=path)
    return value / 10


def _share(value: float, path: str) -> float:
    if not 0 <= value <= 1:
        raise Invalid(f"{path} is {value}; it must lie between 0 and 1.", path=path)
    return value
