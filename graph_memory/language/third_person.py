"""Saying in the third person what somebody said of themselves."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

from graph_memory.language import english, patterns
from graph_memory.language.coverage import is_readable
from graph_memory.language.parse import parsed

_TOKEN = patterns.compile(r"[^\W_]+(?:['’\-][^\W_]+)*|\s+|.", re.DOTALL)
_CONTRACTED = {"i'm": "is", "i've": "has", "i'll": "will", "im": "is", "ive": "has"}
_INVERTED = {"am": "is", "do": "does", "don't": "doesn't", "have": "has", "haven't": "hasn't"} | {
    each: each
    for each in ("did", "didn't", "could", "would", "should", "might", "must", "can", "will", "shall")
}
_DOTTED = patterns.compile(r"\.[^\W_].*", re.DOTALL)
_MARKS = frozenset('"“”')
# What is longer is no sentence that somebody would say.
_LONGEST = 600
_NO_LONGER = english.words_of("no longer")
_NOT_ADVERBS = english.words_of("rely apply fly supply reply multiply comply")
_AFTER_HAD = (english.PARTICIPLES - {"come", "run", "quit", "set"}) | {"better"}
_OF_SEVERAL = english.words_of("they they're they've them their")
_I = frozenset({"i", "i'd", *_CONTRACTED})
# Who we are: said first, and said again.
_WE = {
    "we": ("{} and others", "they"),
    "us": ("{} and others", "them"),
} | {
    f"we'{short}": (f"{{}} and others {whole}", f"they {whole}")
    for short, whole in (("re", "are"), ("ve", "have"), ("ll", "will"))
}


def in_third_person(sentence: str, speaker: str) -> str:
    """The sentence with the speaker's name for I, me, my and mine, and the verb after I agreeing with it.

    Behind I and its verb my becomes their: "Ann quit their job". We are the speaker and others, whoever
    they are: "Ann and others moved to their flat"; our alone stays, and so does all else: what is inside quotation marks, and
    a sentence in another language.
    """
    if not _is_english(sentence):
        return sentence
    return _Rewriting(sentence, speaker).text()


def agreeing(verb: str) -> str:
    """The form of a verb that goes with he or she; forms that go with everybody stay as they are."""
    low = verb.lower().replace("’", "'")
    if low in english.THIRD_PERSON:
        return english.THIRD_PERSON[low]
    if low.endswith("nt") and f"{low[:-1]}'t" in english.UNCHANGING:
        return verb
    bases = {low, low.removeprefix("re"), low.removeprefix("mis")}
    if bases & english.UNCHANGING or low in english.NOT_A_VERB or not low.isalpha():
        return verb
    if low.endswith("ed") and low not in english.ENDS_IN_ED_YET_BASE:
        return verb
    if low.endswith("ing") and low not in english.ENDS_IN_ING_YET_BASE:
        return verb
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if low.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _is_english(sentence: str) -> bool:
    """Whether it is English; a first word may be a name that looks like a word of another language."""
    return is_readable(sentence) or is_readable(sentence.lstrip().partition(" ")[2])


class _Rewriting:
    def __init__(self, sentence: str, speaker: str) -> None:
        self._sentence = sentence
        self._tokens = _TOKEN.findall(sentence)
        self._places = [0, *accumulate(map(len, self._tokens))]
        self._low = [token.lower().replace("’", "'") for token in self._tokens]
        self._quoted = _quoted(self._tokens)
        self._speaker = speaker
        # Whether it was told already who we are.
        self._is_named = False

    def text(self) -> str:
        for at, low in enumerate(self._low):
            if not self._quoted[at]:
                self._rewrite(at, low)
        return "".join(self._tokens)

    def _rewrite(self, at: int, low: str) -> None:
        if low == "i" and not _DOTTED.fullmatch("".join(self._low[at + 1 : at + 3])):
            self._subject(at)
        elif low in _CONTRACTED:
            self._tokens[at] = f"{self._speaker} {_CONTRACTED[low]}"
        elif low == "i'd":
            self._tokens[at] = f"{self._speaker} {self._had_or_would(at)}"
        elif low in ("my", "mine"):
            theirs = "their" if low == "my" else "theirs"
            self._tokens[at] = theirs if self._is_own(at) else f"{self._speaker}'s"
        elif low == "me":
            self._tokens[at] = self._speaker
        elif low == "myself":
            self._tokens[at] = "themself"
        elif low == "we'd":
            whole = self._had_or_would(at)
            self._tokens[at] = f"they {whole}" if self._is_named else f"{self._speaker} and others {whole}"
            self._is_named = True
        elif low in _WE and not self._is_the_country(at):
            first, again = _WE[low]
            self._tokens[at] = again if self._is_named else first.format(self._speaker)
            self._is_named = True
        elif low in ("our", "ours") and self._is_named:
            self._tokens[at] = "their" if low == "our" else "theirs"
        elif low == "ourselves":
            self._tokens[at] = "themselves"

    def _subject(self, at: int) -> None:
        self._tokens[at] = self._speaker
        before = self._word(at, -1)
        if before is not None and self._low[before] in _INVERTED:
            self._tokens[before] = _INVERTED[self._low[before]]
            return
        verb = self._verb(at)
        if self._is_one_of_several(at):
            self._is_named = True
        elif verb is not None:
            self._tokens[verb] = agreeing(self._tokens[verb])

    def _word(self, at: int, step: int) -> int | None:
        """The next word in a direction, if nothing but blanks lies between."""
        there = at + step
        while 0 <= there < len(self._low) and self._low[there].isspace():
            there += step
        return there if 0 <= there < len(self._low) and self._low[there][0].isalnum() else None

    def _verb(self, at: int) -> int | None:
        there = self._word(at, 1)
        while there is not None and _is_adverb(self._low[there]):
            there = self._word(there, 1)
        return there

    def _had_or_would(self, at: int) -> str:
        verb = self._verb(at)
        low = self._low[verb] if verb is not None else ""
        past = low.endswith("ed") and low not in english.ENDS_IN_ED_YET_BASE
        return "had" if past or low in _AFTER_HAD else "would"

    def _is_own(self, at: int) -> bool:
        """Whether only a verb stands between I and this my, so that nobody else can be meant by their."""
        verb = self._word(at, -1)
        there = None if verb is None or self._low[verb] in english.NOT_A_VERB else self._word(verb, -1)
        return (
            there is not None
            and self._low[there] in _I
            and not self._is_one_of_several(there)
            and _OF_SEVERAL.isdisjoint(self._low[:at])
        )

    def _is_one_of_several(self, at: int) -> bool:
        """Whether this I is the end of "Maria and I", whose verb stays."""
        last = self._word(at, -1)
        if last is None or self._low[last] != "and" or len(self._sentence) > _LONGEST:
            return False
        return self._places[at] in parsed(self._sentence, _joined)

    def _is_the_country(self, at: int) -> bool:
        return self._tokens[at] == "US" and not self._sentence.isupper()


def _joined(doc: Any) -> set[int]:
    """Where an I ends a list of several."""
    return {each.idx for each in doc if each.lower_ == "i" and each.dep_ == "conj"}


def _quoted(tokens: list[str]) -> list[bool]:
    if sum(part in _MARKS for part in tokens) % 2:
        return [False] * len(tokens)
    inside, answer = False, []
    for part in tokens:
        inside ^= part in _MARKS
        answer.append(inside)
    return answer


def _is_adverb(word: str) -> bool:
    return word in english.ADVERBS or word in _NO_LONGER or (word.endswith("ly") and word not in _NOT_ADVERBS)
