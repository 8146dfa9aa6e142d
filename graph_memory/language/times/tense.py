"""What the words around a time tell of it: by the forms of their verbs whether they look ahead or back, and whether it is one
that can be told, as "on a Sunday" and "the first in two years" are not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from graph_memory.language import grammar, patterns
from graph_memory.language.english import FUTURE_CUE, NOT_A_VERB, PARTICIPLES, PAST_CUE, PAST_FORMS, words_of
from graph_memory.language.stems import stem
from graph_memory.language.times.time_reader import LONGEST, is_length_ahead, is_weekday
from graph_memory.language.times.time_words import COUNTS


def looks_back(text: str) -> bool:
    """Whether a sentence of it tells what was, by the form of some verb; in doubt it does."""
    return bool(_PAST.search(text.replace("’", "'")))


def is_just_done(text: str) -> bool:
    """Whether it tells what has just been done, as "just paid the rent" does and "what if we just paid the rent" does not."""
    words = [found[0] for found in _WORD.finditer(text.lower().replace("’", "'"))]
    if "just" not in words:
        return False
    at = words.index("just")
    before, verb = words[:at], " ".join(words[at + 1 : at + 2])
    is_done = verb in _DONE or _REGULAR.fullmatch(verb) is not None
    return is_done and not _NO_DEED.intersection(before[-1:]) and not _SUPPOSED.intersection(before)


# So many characters on either side of a time tell whether it looks back.
_AROUND = 150
FUTURE = patterns.compile(FUTURE_CUE, re.IGNORECASE)
_PAST = patterns.compile(rf"{PAST_CUE}|\b(?:{'|'.join(sorted(PAST_FORMS))})\b", re.IGNORECASE)
_WORD = patterns.compile(r"[\w']+")
_REGULAR = patterns.compile(PAST_CUE)
_DONE = (PAST_FORMS | PARTICIPLES) - words_of("was wasn't were weren't used become come quit run set")
# "He is just tired", "I could just have stayed": no deed, or none that was done.
_NO_DEED = words_of("am is isn't are aren't was wasn't were weren't be been being i'm it's not had to")
_SUPPOSED = words_of("if unless wish would could should might wouldn't couldn't shouldn't")
_SUBJECTS = words_of("i he she it we you they")
_FINITE = words_of(
    """
    am is are isn't aren't i'm it's he's she's that's there's we're you're they're have has haven't hasn't do does don't
    doesn't can can't cannot could should must might
    """
)
# "Got a shift on sunday" is had as likely as it was got.
_GOT_A = patterns.compile(r"\bgot (?:a|an)\b", re.IGNORECASE)
_WOULD = patterns.compile(r"\bwould(?:n't)?\b|'d\b", re.IGNORECASE)
_TITLED = r"(?<!\bdr)(?<!\bmr)(?<!\bmrs)(?<!\bms)(?<!\bst)"
_SENTENCE = patterns.compile(rf"{_TITLED}[.!?;\n]\s", re.IGNORECASE)
CLAUSE = patterns.compile(rf"{_TITLED}[.!?;,\n]\s|\s(?:and|but|so|then|because|while)\s", re.IGNORECASE)
# "It is paid", "it will be sent": the form of the verb tells of no past.
_PASSIVE = patterns.compile(
    r"\b(?:be|is|are|am|i'm|it's|isn't|aren't|gets?)\s+(?:not\s+|being\s+)?\w+", re.IGNORECASE
)
_PARTICIPLES = PARTICIPLES - {"got"} | words_of("cost cut hit hurt let put read seen shut")
# "He has seen her"; "she has got an exam" tells of no past.
_PERFECT = patterns.compile(
    rf"(?:\b(?:has|have)(?:n'?ts?)?|'ve)\s+(?:(?!to\b)\w+\s+){{0,2}}?(?:{'|'.join(sorted(_PARTICIPLES))})\b",
    re.IGNORECASE,
)
_HAVING = patterns.compile(r"(?:\b(?:has|have)(?:n't)?|'ve|'s)\s+(?:only |just )?got\b", re.IGNORECASE)
# "The left", "a used car": what follows an article tells of no past.
_AFTER_THE = patterns.compile(r"\b(?:the|a|an|my|your|his|its|our|their)\s+\w+", re.IGNORECASE)
# What has to be, or is to be, lies ahead where no clause says that it was.
_TO_BE = patterns.compile(
    r"(?:\b(?:am|is|are|has|have|need|needs)|'m|'re|'ve got)\s+(?:not\s+)?to\s+\w+"
    r"|\b(?:should|might)(?:n't)?\s+(?!have\b|'ve\b|of\b)\w+",
    re.IGNORECASE,
)
# "It was moved to friday" tells of what is to come.
_MOVED = patterns.compile(r"\bto(?: the)?\s*$", re.IGNORECASE)
# "The shop opens on friday" tells a habit as likely as what is to come; "exams on friday" does not.
_HABIT = patterns.compile(r"\w\s+(?!is\b|was\b|has\b|this\b|'s)\w{2,}[^s\W]s\s*$", re.IGNORECASE)
# What makes a day one of many, and a length one that something took.
_ANY = words_of("a an any some one no another")
_OUTSTANDING = words_of("first only last best worst most least never no nobody none nothing anything once")
_NO_SUPERLATIVES = words_of(
    "test rest west guest forest request interest contest protest quest harvest invest suggest"
)


@dataclass(frozen=True)
class Way:
    """Whether words look ahead or back, and which way what lies near is meant where they do neither.

    `is_own` is whether the clause itself surely tells it: another one beside it may not be of it, what she said she would
    do is told as past, and who got a shift has one.
    """

    way: int
    leans: int
    is_own: bool = True


def way_of(text: str, start: int, end: int) -> Way:
    """Which way the words around a time look: those of its clause, else of its sentence, else all.

    Where its clause tells of what is, that others tell of what was says nothing of it.
    """
    first = max(0, start - _AROUND)
    plain = text[first : end + _AROUND].replace("’", "'")
    start, end = start - first, end - first
    before = plain[:start]
    if _MOVED.search(before[-LONGEST:]):
        return Way(1, 0)
    is_own_present = False
    parts = [around(plain, start, end, breaks) for breaks in (CLAUSE, _SENTENCE, None)]
    rests = dict.fromkeys(f"{plain[opens:start]} {plain[end:closes]}".strip(" ,") for opens, closes in parts)
    # "On Friday, she rang": what is set off alone belongs to the clause beside it.
    for depth, rest in enumerate(filter(None, rests)):
        back, ahead = is_past(rest), bool(FUTURE.search(rest) or _TO_BE.search(rest))
        if (back or ahead) and not (back and is_own_present):
            is_sure = ahead or (is_past(_GOT_A.sub(" ", rest)) and not _WOULD.search(rest))
            return Way(ahead - back, 0, not depth and is_sure)
        is_own_present = is_own_present or (not depth and _is_present(rest))
    is_habit = _HABIT.search(before[-LONGEST:]) and is_weekday(plain[start:end])
    return Way(0, 0 if is_habit else 1)


def is_past(clause: str) -> bool:
    """Whether a verb of it tells what was or has been, and not as a word before a noun."""
    plain = _AFTER_THE.sub(" ", _HAVING.sub(" has ", _PASSIVE.sub(" ", clause)))
    return looks_back(plain) or bool(_PERFECT.search(plain))


def _is_present(clause: str) -> bool:
    """Whether it has a verb of its own, that tells of what is."""
    words = [each[0].lower() for each in _WORD.finditer(clause)]
    return any(
        word in _FINITE
        or (before in _SUBJECTS and word not in NOT_A_VERB)
        or (word.endswith("s") and grammar.is_verb(stem(word)))
        for before, word in pairwise(["", *words])
    )


def says_not_which(text: str, start: int, end: int) -> bool:
    """Whether the words around a time show that it is none that can be told."""
    plain, phrase = text.replace("’", "'"), text[start:end]
    opens, closes = around(plain, start, end, CLAUSE)
    before, after = plain[opens:start], plain[end:closes]
    words = before.lower().split()
    if is_weekday(phrase):
        is_a_kind = words[-3:-2] == ["on"] and words[-2] in ("a", "an", "any", "some")  # "on a dull Sunday"
        return is_a_kind or bool(_ANY.intersection(words[-1:]))
    if not is_length_ahead(phrase):
        return False
    clause = f"{before} {after}"
    is_back = is_past(clause) and not FUTURE.search(clause)
    return is_back or _is_outstanding(words) or _is_counted(words) or after.split()[:1] == ["of"]


def _is_outstanding(before: list[str]) -> bool:
    """Whether a length tells for how long there was none such: the first, or the longest queue, in two years."""
    marks = [
        at
        for at, word in enumerate(before)
        if word in _OUTSTANDING or (word.endswith("est") and word not in _NO_SUPERLATIVES)
    ]
    return bool(marks) and not _is_present(" ".join(before[marks[-1] + 1 :]))


def _is_counted(before: list[str]) -> bool:
    """Whether a length tells how long so many took: 40 calls in two hours."""
    return before[-1:] != [] and before[-1].endswith("s") and any(map(_is_number, before[-3:-1]))


def _is_number(word: str) -> bool:
    return word[0].isdecimal() or (word in COUNTS and word not in _ANY)


def around(text: str, start: int, end: int, breaks: re.Pattern[str] | None) -> tuple[int, int]:
    """The clause or sentence that a part of a text stands in."""
    if breaks is None:
        return 0, len(text)
    first = max((each.end() for each in breaks.finditer(text, 0, start)), default=0)
    after = breaks.search(text, end)
    return first, after.start() if after else len(text)
