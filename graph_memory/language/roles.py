"""Who does what to whom, as far as small words and order tell: from Paris to Lyon is not from Lyon to Paris."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from graph_memory.language.english import words_of

_SAME_ROLE = {"than": "over", "onto": "to", "into": "to", "till": "until", "beneath": "below"}
_GOVERNING = words_of(
    "from to into onto over than by before after under above below beneath behind with without for of at in on off "
    "against until till since through between about via per"
)
# What says more than where something is: exchanged, they turn the statement round.
_DIRECTED = words_of("from to over by before after under above below behind without of against until since")
# What follows it is wanted, or is, less than the other: however the other is said, the two may not change places.
_LESS = "over"
_NEW_PHRASE = words_of(
    "the a an my your his her our their its this that these those and or but is are was were be been"
)
_JOINED = words_of("and or")
_COPULA = words_of("is are was were be been am named called")


@dataclass(frozen=True)
class Roles:
    """For each word that says something: the small word that governs it ("" if none does), and where it stands."""

    governed: Mapping[str, str]
    places: Mapping[str, int]
    has_copula: bool
    tokens: tuple[str, ...]


def roles_of(tokens: Sequence[str], says: Sequence[str]) -> Roles:
    """Reads lower-case tokens; `says` holds for each the stem of a word that says something, or ""."""
    governed: dict[str, str] = {}
    places: dict[str, int] = {}
    role = ""
    for place, (token, stem) in enumerate(zip(tokens, says, strict=True)):
        if stem:
            governed.setdefault(stem, "of" if token.endswith("'s") else role)
            places.setdefault(stem, place)
        elif token in _GOVERNING:
            role = _SAME_ROLE.get(token, token)
            before = tokens[place - 1] if place else ""
            is_preferred = role == "to" and "prefer" in governed and not before.startswith("prefer")
            if is_preferred or (before, token) == ("instead", "of"):
                role = "over"
        elif token in _NEW_PHRASE and place and tokens[place - 1] not in _GOVERNING:
            role = ""
    return Roles(governed, places, not _COPULA.isdisjoint(tokens), tuple(tokens))


def exchanged(old: Roles, new: Roles) -> bool:
    """Whether two words that both texts have changed their parts: X prefers tea to coffee, and coffee to tea."""
    shared = [stem for stem in old.places if stem in new.places]
    return any(_changed_parts(old, new, one, other) for one, other in combinations(shared, 2))


def _changed_parts(old: Roles, new: Roles, one: str, other: str) -> bool:
    before, after = (old.governed[one], old.governed[other]), (new.governed[one], new.governed[other])
    if _LESS in before and _LESS in after and before[0] != before[1] and after[0] != after[1]:
        return before.index(_LESS) != after.index(_LESS)
    if before[0] != before[1]:
        return before == after[::-1] and not _DIRECTED.isdisjoint(before)
    if before != after or before[0]:
        return False
    is_turned = (old.places[one] < old.places[other]) != (new.places[one] < new.places[other])
    return is_turned and not (old.has_copula or new.has_copula) and not _in_a_row(old, one, other)


def _in_a_row(roles: Roles, one: str, other: str) -> bool:
    """Whether the two are joined by "and" or "or": tea and coffee, coffee and tea."""
    start, end = sorted((roles.places[one], roles.places[other]))
    return not _JOINED.isdisjoint(roles.tokens[start:end])
