"""Saying in the third person what somebody said of themselves."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate

from graph_memory.language import english, first_person, patterns
from graph_memory.language.coverage import is_readable
from graph_memory.language.first_person import FirstPerson
from graph_memory.language.others_words import of_others

_TOKEN = patterns.compile(r"[^\W_]+(?:['’\-][^\W_]+)*|\s+|.", re.DOTALL)
_CONTRACTED = {"i'm": "is", "i've": "has", "i'll": "will", "im": "is", "ive": "has"}
_INVERTED = {"am": "is", "do": "does", "don't": "doesn't", "have": "has", "haven't": "hasn't"} | {
    each: each
    for each in ("did", "didn't", "could", "would", "should", "might", "must", "can", "will", "shall")
}
_NUMBERED = english.words_of(
    "war phase type part class stage level chapter volume grade act section title tier"
)
_DOTTED = patterns.compile(r"\.[^\W_].*", re.DOTALL)
# Words at most that are looked back at from my to its I.
_NEAR = 40
_NO_LONGER = english.words_of("no longer")
_NOT_ADVERBS = english.words_of("rely apply fly supply reply multiply comply")
_AFTER_HAD = (english.PARTICIPLES - {"come", "run", "quit", "set"}) | {"better"}
_PRONOUNS = english.words_of("he she it they you we this that there who which")
_NO_VERB = english.NOT_A_VERB | _PRONOUNS
_IN_NAMES = english.words_of("me my mine myself")
_OF_SEVERAL = english.words_of("they they're they've they'll they'd them their theirs themselves")
_I = frozenset({"i", "i'd", *_CONTRACTED})
# Who we are: said first, and said again.
_WE = {
    "we": ("{} and others", "they"),
    "us": ("{} and others", "them"),
} | {
    f"we'{short}": (f"{{}} and others {whole}", f"they {whole}")
    for short, whole in (("re", "are"), ("ve", "have"), ("ll", "will"))
}
_HELPING = english.words_of(
    """
    am is are was were be been being have has had do does did can could would should might must will shall used gonna
    gotta don't didn't doesn't haven't hadn't wasn't can't couldn't wouldn't shouldn't won't cannot to not
    """
)
_BEFORE_VERBS = ("re", "un", "over", "under", "out", "mis")
# What may stand between a verb and what somebody has.
_LEADING = english.words_of(
    """
    in on at for with from by of about into onto up off out down back away over through after before during without
    under near around across behind beside inside
    """
)


def in_third_person(sentence: str, speaker: str) -> str:
    """The sentence with the speaker's name for I, me, my and mine, and the verb after I agreeing with it.

    Where nobody but the speaker can be meant, my becomes their: "Ann quit their job". We are the speaker and others, whoever
    they are: "Ann and others moved to their flat"; our alone stays, and so does all else: the words of others (in quotation
    marks, in lines that begin with >, behind "Tom wrote:"), a part of a name ("Kiss Me"), a cry ("my goodness"), a call ("my
    friend, ..."), and a sentence in another language.
    """
    if not _is_english(sentence):
        return sentence
    return _Rewriting(first_person.with_apostrophes(sentence), speaker).text()


def agreeing(verb: str) -> str:
    """The form of a verb that goes with he or she; forms that go with everybody stay as they are."""
    low = verb.lower().replace("’", "'")
    if low in english.THIRD_PERSON:
        return english.THIRD_PERSON[low]
    if low.endswith("nt") and f"{low[:-1]}'t" in english.UNCHANGING:
        return verb
    if {low, _stem(low)} & english.UNCHANGING or low in english.NOT_A_VERB or not low.isalpha():
        return verb
    if low.endswith("ed") and low not in english.ENDS_IN_ED_YET_BASE:
        return verb
    if low.endswith("ing") and low not in english.ENDS_IN_ING_YET_BASE:
        return verb
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if low.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _stem(verb: str) -> str:
    """The verb without what may stand before it: retook is a form of take."""
    return next((verb.removeprefix(each) for each in _BEFORE_VERBS if verb.startswith(each)), verb)


def _is_english(sentence: str) -> bool:
    """Whether it is English; a first word may be a name that looks like a word of another language."""
    return is_readable(sentence) or is_readable(sentence.lstrip().partition(" ")[2])


class _Rewriting:
    def __init__(self, sentence: str, speaker: str) -> None:
        self._sentence = sentence
        self._tokens = _TOKEN.findall(sentence)
        self._places = [0, *accumulate(map(len, self._tokens))]
        self._low = [token.lower().replace("’", "'") for token in self._tokens]
        self._is_of_others = of_others(sentence, speaker)
        self._speaker = speaker
        # Whether it was told already who we are.
        self._is_named = False

    def text(self) -> str:
        for at, low in enumerate(self._low):
            if not self._is_of_others[self._places[at]] and not self._is_part_of_name(at):
                self._rewrite(at, low)
        return "".join(self._tokens)

    @cached_property
    def _read(self) -> FirstPerson:
        return first_person.read(self._sentence)

    def _rewrite(self, at: int, low: str) -> None:
        if low == "i" and not self._is_numeral(at):
            self._subject(at)
        elif low in _CONTRACTED:
            self._tokens[at] = f"{self._speaker} {_CONTRACTED[low]}"
        elif low == "i'd":
            self._tokens[at] = f"{self._speaker} {self._had_or_would(at)}"
        elif low == "my" and self._places[at] in self._read.called:
            return
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

    def _is_numeral(self, at: int) -> bool:
        """Whether this is the I of World War I, of Phase I or of I.D."""
        before = self._word(at, -1)
        after = "".join(self._low[at + 1 : at + 3])
        return (before is not None and self._low[before] in _NUMBERED) or bool(_DOTTED.fullmatch(after))

    def _is_own(self, at: int) -> bool:
        """Whether only what I do stands between I and this my, so that nobody else can be meant by their."""
        between: list[str] = []
        there = self._word(at, -1)
        while there is not None and self._low[there] not in _I and len(between) <= _NEAR:
            between.insert(0, self._low[there])
            there = self._word(there, -1)
        if (
            there is None
            or not 0 < len(between) <= _NEAR
            or self._is_numeral(there)
            or self._is_one_of_several(there)
            or self._names_several(at)
        ):
            return False
        is_verb_next = True
        for word in between:
            if word in _HELPING or _is_adverb(word):
                is_verb_next |= word in _HELPING
            elif word in _LEADING or word.endswith("ing") or (is_verb_next and word not in _NO_VERB):
                is_verb_next = False
            else:
                return False
        return True

    def _names_several(self, at: int) -> bool:
        """Whether several are spoken of before, whom their could mean."""
        before = self._low[:at]
        return any(word in _OF_SEVERAL for word in before) or any(
            each < self._places[at] for each in self._read.plural
        )

    def _is_one_of_several(self, at: int) -> bool:
        """Whether this I is the end of "Maria and I", whose verb stays."""
        last = self._word(at, -1)
        return last is not None and self._low[last] == "and" and self._places[at] in self._read.joined

    def _is_the_country(self, at: int) -> bool:
        return self._tokens[at] == "US" and not self._sentence.isupper()

    def _is_part_of_name(self, at: int) -> bool:
        """Whether it has a capital in the midst of a sentence: "Kiss Me". All in capitals is said loudly."""
        word = self._tokens[at]
        before = self._word(at, -1)
        return word.istitle() and before is not None and self._low[at] in _IN_NAMES


def _is_adverb(word: str) -> bool:
    return word in english.ADVERBS or word in _NO_LONGER or (word.endswith("ly") and word not in _NOT_ADVERBS)
