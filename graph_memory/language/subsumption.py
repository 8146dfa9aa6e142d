"""Whether one sentence says all that another says, and more: the same words in order, with additions that only add.

"My flight to Oslo leaves on 3 May at 07:40" says all of "My flight leaves on 3 May". An addition counts if it begins as
one does (to Oslo, at 07:40, named Max, and coffee, yesterday) and has no word that may turn the rest round or narrow it
("not", "only", "almost", "or"). "A cat allergy" does not say "a cat". In doubt: no, and both sentences are kept.
"""

from __future__ import annotations

from graph_memory.language import sentences
from graph_memory.language.english import MONTHS, WEEKDAYS, words_of
from graph_memory.language.texts import normalised

_BEGINNINGS = words_of(
    """
    to at on in into from with for by near since until till during after before because through via about around
    between behind above below under inside outside towards beside and who which whose where named called yesterday
    today tomorrow tonight every each last next this now there here daily weekly monthly yearly
    """
)
_CALENDAR = frozenset(name.lower() for name in (*MONTHS, *WEEKDAYS))
# With one of these the longer sentence may say less, or the contrary.
_TURNING = words_of(
    """
    not no never none nobody nothing neither nor without cannot or but except unless if only just almost nearly hardly
    barely scarcely rarely seldom maybe perhaps possibly probably allegedly supposedly apparently formerly former
    previously once might could would should doubt doubts doubted deny denies denied pretend pretends pretended
    instead than while although though however yet
    """
)


def both(one: str, other: str) -> str:
    """What both statements say: the fuller of the two where one says all of the other, else both, one after the other.

    A sentence that is said more fully in the other statement is replaced in its place.
    """
    kept, added = sentences.split(one), sentences.split(other)
    if _all_said(added, kept):
        return one
    if _all_said(kept, added):
        return other
    if len(added) == 1:
        for sentence in kept:
            if says_all(added[0], sentence):
                return one.replace(sentence, added[0], 1)
    stop = "." if one[-1:].isalnum() else ""
    return f"{one}{stop} {other}"


def says_all(fuller: str, other: str) -> bool:
    """Whether a sentence says the same as another one, or that and more."""
    return normalised(fuller) == normalised(other) or _only_adds(_words(fuller), _words(other))


def _all_said(these: list[str], inside: list[str]) -> bool:
    return bool(these) and all(any(says_all(each, sentence) for each in inside) for sentence in these)


def _only_adds(fuller: list[str], other: list[str]) -> bool:
    """Whether words come out of others by leaving out additions, none of them before the first."""
    if len(other) < 2 or fuller[:1] != other[:1]:
        return False
    # Reached: so many words of the other are found, the last one at this place. More than one way may lead on.
    reached = {0: 1}
    for _ in other[1:]:
        reached = {
            place: count + 1
            for at, count in reached.items()
            for place in range(at + 1, len(fuller))
            if fuller[place] == other[count] and _is_addition(fuller[at + 1 : place])
        }
    return any(_is_addition(fuller[at + 1 :]) for at in reached)


def _is_addition(words: list[str]) -> bool:
    if not words:
        return True
    begins = words[0] in _BEGINNINGS or words[0] in _CALENDAR
    return begins and not any(word in _TURNING or word.endswith("n't") for word in words)


def _words(sentence: str) -> list[str]:
    return sentences.words(normalised(sentence))
