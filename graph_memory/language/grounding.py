"""Whether a text that was made of others says a number, a date or a name that none of them says."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.language import names, sentences, values
from graph_memory.language.english import MONTHS
from graph_memory.language.texts import normalised


def ungrounded(text: str, sources: Sequence[str]) -> list[str]:
    """The numbers, dates and names of a text that stand in no source, as they are spelled; [] for a faithful text."""
    known, words = set[values.Value](), set[str]()
    for source in sources:
        known.update(values.taken_out(source)[1])
        words.update(_words(source))
    months = {_month(each.spelled) for each in known if each.kind == values.DATE}
    new = [
        each.spelled
        for each in dict.fromkeys(values.taken_out(text)[1])
        if each not in known
        and not (each.kind == values.MONTH and each.spelled[:3] in months)
        # In small letters a weekday is none to who reads values.
        and not (each.kind == values.WEEKDAY and words & {each.spelled, f"{each.spelled}s"})
    ]
    unknown = [
        each.name
        for each in names.mentions(text, beside=sources)
        if _words(each.name) - words and not values.taken_out(each.name)[1]
    ]
    return [*new, *unknown]


def _words(text: str) -> set[str]:
    return {word.removesuffix("'s") for word in sentences.words(normalised(text))}


def _month(date: str) -> str:
    return MONTHS[int(date[:2]) - 1][:3].lower()
