"""What comes back when versions leave a chain, as a pure function: what they had ended holds on to the next that stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.clock import FOREVER
from graph_memory.model.memory import Status


@dataclass(frozen=True)
class Version:
    """A member of a chain: what it supersedes, by which link, and until when it held before a suspect came."""

    id: str
    chain: str
    valid_from: datetime
    valid_to: datetime
    status: str
    older: str | None
    link: str | None
    held_to: datetime | None


@dataclass(frozen=True)
class Return:
    """A version that holds again until `until`. `leaving` leave its chain and their links close; `newer`, if there is
    one, supersedes it then."""

    id: str
    until: datetime
    leaving: tuple[str, ...]
    links: tuple[str, ...]
    newer: str | None


def returns(versions: Sequence[Version], suspects: Collection[str]) -> list[Return]:
    """What comes back without these suspects. What ended by itself, or was put away by a decision, does not.

    Suspects below all others have retired nothing: they stay where they are.
    """
    above = {version.older: version for version in versions if version.older is not None}
    found = []
    for version in versions:
        leaving = []
        at = above.get(version.id)
        while at is not None and at.id in suspects:
            leaving.append(at)
            at = above.get(at.id)
        if leaving and version.id not in suspects and _was_ended(version, leaving[0]):
            found.append(_return(version, leaving, at))
    return found


def _was_ended(version: Version, by: Version) -> bool:
    return version.status == Status.ACTIVE and version.valid_to == by.valid_from


def _return(version: Version, leaving: Sequence[Version], newer: Version | None) -> Return:
    until = min(version.held_to or FOREVER, newer.valid_from if newer else FOREVER)
    links = [each.link for each in (*leaving, newer) if each is not None and each.link is not None]
    return Return(
        version.id,
        max(until, version.valid_from),
        tuple(each.id for each in leaving),
        tuple(links),
        newer.id if newer else None,
    )
