"""Where two statements that look alike do not say the same: by small words, by their order, by who speaks."""

from __future__ import annotations

from graph_memory.language import modality, roles
from graph_memory.language.analysis import read
from graph_memory.language.texts import normalised


def says_otherwise(old: str, new: str) -> bool:
    """Whether small words, the order of words or the person show that two texts do not say the same, whatever their
    words. Of texts that are not English only those with equal words do."""
    one, other = read(old), read(new)
    if not (one.is_readable and other.is_readable):
        return normalised(old) != normalised(new)
    return (
        one.marks != other.marks
        or modality.are_rivals(one.plain, other.plain)
        or modality.are_sides(one.plain, other.plain)
        or modality.tenses_part(one.tense, other.tense)
        or modality.other_person(one.person, other.person)
        or roles.exchanged(one.roles, other.roles)
    )
