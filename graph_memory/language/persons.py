"""Of whom a statement speaks where it begins with a pronoun."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.language.english import words_of

_PERSONS = {
    "first": words_of("i i'm i've i'll i'd me my mine myself we we're we've we'll us our ours"),
    "he": words_of("he he's he'll he'd him his himself"),
    "she": words_of("she she's she'll she'd her hers herself"),
    "they": words_of("they they're they've they'll them their theirs"),
    "you": words_of("you you're you've your yours"),
}
_BEFORE_A_PERSON = words_of(
    "now also currently today still recently apparently so and but then yes no oh well for"
)


def person_of(tokens: Sequence[str]) -> str:
    """Who a text speaks of where it begins with a pronoun: first, he, she, they, you; "" where it does not."""
    for token in tokens[:3]:
        found = next((person for person, words in _PERSONS.items() if token in words), "")
        if found or token not in _BEFORE_A_PERSON:
            return found
    return ""


def other_person(old: str, new: str) -> bool:
    """Whether both begin with a pronoun, and with different ones. Who says "you" may mean who says "I"."""
    return bool(old and new and old != new) and {old, new} != {"first", "you"}
