"""The text of what takes a known statement's place: its own words with the new value in the place of the old one.

"Ann takes 100 mg in the morning." and "*88" give "Ann takes 88 mg in the morning." Pure functions.
"""

from __future__ import annotations

from graph_memory.judge.linker import Effect, Link
from graph_memory.language.keywords import content
from graph_memory.language.patterns import compile as pattern

_DIGIT = pattern(r"\d")
_NUMBER = pattern(r"\d[\d.,:]*")


def substituted(known: str, said: str, link: Link) -> str | None:
    """The known text with the value of what was said; None where no two values of one kind were found."""
    if link.value is None or link.old_value is None:
        return None
    new, old = said[slice(*link.value)].strip(), known[slice(*link.old_value)].strip()
    if not new or not old or new.casefold() == old.casefold():
        return None
    if bool(_DIGIT.search(new)) != bool(_DIGIT.search(old)):
        return None
    start = known.index(old, link.old_value[0])
    rest = known[start + len(old) :]
    # "100 mg" by "88": what was counted stays.
    number = _NUMBER.match(old)
    if number and _NUMBER.fullmatch(new):
        rest = old[number.end() :] + rest
    if start == 0:
        new = new[:1].upper() + new[1:]
    return known[:start] + new + rest


def told(known: str, said: str, link: Link, own: str, author: str) -> str:
    """What to keep of a message that changes, corrects, ends or disputes a known statement.

    `own` is the message told by itself, "" where nothing of it stands alone.
    """
    if link.effect is Effect.ENDS:
        over = f"No longer: {known}"
        return f"{own} ({over})" if own else f"{over} {author}: {said}"
    changed = substituted(known, said, link)
    if changed is None:
        return own or f"{author}: {said}"
    if link.effect is Effect.DISPUTES:
        changed = f"According to {author}: {changed}"
    if not own or content(own, author) <= content(changed, author):
        return changed
    return f"{_closed(changed)} {own}"


def _closed(sentence: str) -> str:
    return sentence if sentence[-1:] in ".!?…" else f"{sentence}."
