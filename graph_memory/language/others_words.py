"""Whose words a text gives: those of others stand in quotation marks, in quoted lines, or behind who says them and a colon.

"> I moved", "[12:04] Mia: I quit" and "Tom wrote: I am ill" are not the speaker's; "Update: I moved" is. So before the colon a
person's name has to stand, or a verb of saying with somebody else who says it and nothing but to whom, when and where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from graph_memory.language import patterns, quotation_marks, sentences
from graph_memory.language.asked import is_question
from graph_memory.language.dictionary import is_word
from graph_memory.language.english import WEEKDAYS, words_of
from graph_memory.language.given_names import GIVEN_NAMES
from graph_memory.language.name_types import RELATIVES
from graph_memory.language.name_words import ORDINARY, ROLES
from graph_memory.language.parse import parsed

_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?"
# As chats are exported: "[05/03/2024, 12:04] Mia: ...", "05/03/2024, 12:04 - Mia: ...", "Mia (12:04): ...".
_LABEL = patterns.compile(
    rf"\s*(?:[-*•]\s)?(?P<logged>[\[(][^\[\]()\n]{{0,20}}{_CLOCK}[^\[\]()\n]{{0,8}}[\])]\s*|(?:[\d./-]{{6,10}},?\s)?{_CLOCK}\s[-–]\s)?"
    rf"(?P<who>[^\W\d_](?:[^:\n\[\](){{}}]|:\d){{0,80}}?)\s?(?P<then>[\[(]{_CLOCK}[\])])?:(?=\s)",
)
_QUOTED = patterns.compile(r"\s*>")
_NAME = patterns.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST_NAMES = 3
# A shorter word with a capital is an abbreviation as well: "Ps: ...".
_SHORTEST = 3
_SHORT_DAYS = frozenset(day[:length].lower() for day in WEEKDAYS for length in (3, 4, 5))
_ASKING = words_of("ask asks asked")
_SAYING = _ASKING | words_of(
    """
    say says said saying tell tells told write writes wrote writing written reply replies replied answers answered texted
    messaged emailed announced explained shouted yelled whispered added admitted confessed warned
    """
)
_FINITE = ("VBD", "VBP", "VBZ")
_OF_A_NOUN = ("relcl", "acl", "pcomp")
_NOBODY = ("DT", "WDT", "WP")
_SPEAKING = words_of("i we us 's ’s")
_PERSONAL = words_of("me us him her them you")
_RELATIVE = patterns.compile(RELATIVES)
# What may stand behind the verb beside to whom something is said: when, where and how.
_BESIDE = ("npadvmod", "advmod", "prt")
_TO_OR_WHERE = words_of("to in on at from by via over before after during")


def of_others(text: str, speaker: str = "") -> bytearray:
    """For each character 1 if it is part of what somebody else than the speaker said, else 0."""
    found = quotation_marks.enclosed(text)
    start, is_led_to = 0, False
    for line in text.split("\n"):
        is_of_another = is_led_to or is_line_of_another(line, speaker)
        for begin, end in [(0, len(line))] if is_of_another else _behind_colons(line, speaker):
            found[start + begin : start + end] = b"\1" * (end - begin)
        is_led_to = leads_to_words(line, speaker)
        start += len(line) + 1
    return found


def is_line_of_another(line: str, speaker: str = "") -> bool:
    """Whether a line is quoted, or begins with the name of who says it."""
    label = _LABEL.match(line)
    return bool(_QUOTED.match(line) or (label and _is_named(label, speaker)))


def leads_to_words(line: str, speaker: str = "") -> bool:
    """Whether it ends by telling that somebody else said what follows: "Tom wrote:"."""
    if not line.endswith(":"):
        return False
    label = _LABEL.match(sentences.split(line)[-1] + " ") if any(map(str.isalnum, line)) else None
    return label is not None and (_is_named(label, speaker) or _is_said(label["who"], "", speaker))


def _behind_colons(line: str, speaker: str) -> Iterator[tuple[int, int]]:
    """Where words of others stand in a line, each time up to the end of the sentence."""
    if ": " not in line:
        return
    for start, end in sentences.places(line):
        sentence = line[start:end]
        label = _LABEL.match(sentence)
        if label and (_is_named(label, speaker) or _is_said(label["who"], sentence[label.end() :], speaker)):
            yield start + label.end(), end


def _is_named(label: re.Match[str], speaker: str) -> bool:
    words = label["who"].split()
    if len(words) > _MOST_NAMES or not all(map(_NAME.fullmatch, words)) or _names(speaker, words):
        return False
    if (label["logged"] or label["then"]) and all(word[0].isupper() for word in words):
        return True
    return _is_of_a_person(words)


def _is_of_a_person(words: Sequence[str]) -> bool:
    """Whether it is a name: a common one, or one that no dictionary has, with capital letters."""
    is_capital = all(word.istitle() for word in words)
    first = words[0].lower()
    if first in GIVEN_NAMES:
        return is_capital or len(words) == 1
    is_other = first in ORDINARY | ROLES | _SHORT_DAYS or len(first) < _SHORTEST or is_word(first)
    return is_capital and not is_other


def _names(speaker: str, words: Sequence[str]) -> bool:
    first = speaker.casefold().split()[:1]
    return any(first == [word.casefold()] for word in words)


def _is_said(clause: str, told: str, speaker: str) -> bool:
    """Whether a clause before a colon tells that somebody else says what is told there. What is asked has to be a question."""
    words = [word.lower() for word in sentences.words(clause)]
    verb = next((word for word in reversed(words) if word in _SAYING), None)
    if verb is None or _names(speaker, words) or (verb in _ASKING and not is_question(told)):
        return False
    return _tells(clause)


@lru_cache(maxsize=512)
def _tells(clause: str) -> bool:
    return parsed(clause, _tells_who)


def _tells_who(doc: Any) -> bool:
    verb = next((each for each in reversed(doc) if each.lower_ in _SAYING), None)
    if verb is None or verb.dep_ in _OF_A_NOUN or any(each.dep_ == "mark" for each in verb.children):
        return False
    is_finite = verb.tag_ in _FINITE or any(each.dep_ == "aux" for each in verb.lefts)
    return is_finite and any(map(_is_another, verb.lefts)) and all(map(_is_beside, verb.rights))


def _is_another(subject: Any) -> bool:
    is_somebody = subject.dep_ == "nsubj" and subject.tag_ not in _NOBODY
    return is_somebody and not any(each.lower_ in _SPEAKING for each in subject.subtree)


def _is_beside(part: Any) -> bool:
    """Whether it tells to whom, when, where or how something is said: nothing else stands between the verb and the words."""
    if part.tag_ == "IN" or part.dep_ == "prep":
        return part.lower_ in _TO_OR_WHERE
    if part.dep_ in ("dobj", "dative"):
        return part.lower_ in _PERSONAL or part.pos_ == "PROPN" or bool(_RELATIVE.fullmatch(part.lower_))
    return part.dep_ in _BESIDE and part.lower_ != "so"
