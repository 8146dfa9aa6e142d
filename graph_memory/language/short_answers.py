"""Short answers, which say something only together with the question before them."""

from __future__ import annotations

import re
from typing import Any

from graph_memory.language import patterns, sentences
from graph_memory.language.english import ADVERBS
from graph_memory.language.parse import parsed
from graph_memory.language.third_person import agreeing, in_third_person

MAX_WORDS = 6

_YES = (
    r"(?:yes|yeah|yep|yup|yea|sure|absolutely|definitely|certainly|of course|indeed|totally|correct|"
    r"i (?:do|am|did|have|was|will|can|would))"
)
_NO = (
    r"(?:no|nope|nah|never|not (?:really|yet|at all|any ?more)|i(?:'m| am) not|"
    r"i (?:don't|didn't|haven't|wasn't|won't|can't|wouldn't)|i (?:do|did|have|was|will|can|would) not)"
)
_BARE_YES = patterns.compile(rf"{_YES}(?:[\s,]+{_YES})*(?: still)?[.!\s]*", re.IGNORECASE)
_BARE_NO = patterns.compile(rf"{_NO}(?:[\s,]+{_NO})*(?: any ?more)?[.!\s]*", re.IGNORECASE)
_TO_YOU = patterns.compile(
    r"^(?:.*?\b(?:so|and|but|well|hey|by the way|oh|\w+),\s+)?(?:(?:so|and|but)\s+)?"
    r"(?P<aux>do|did|are|were|have|can|will|would|could|should)\s+(?P<you>you)\s+(?P<rest>[^?]+)\?+$",
    re.IGNORECASE,
)
_NEGATIVE = {
    "do": "does not", "did": "did not", "are": "is not", "were": "was not", "have": "has not",
    "can": "cannot", "will": "will not", "would": "would not", "could": "could not", "should": "should not",
}  # fmt: skip
_POSITIVE = {"are": "is", "were": "was", "have": "has", "can": "can", "will": "will", "would": "would",
             "could": "could", "should": "should"}  # fmt: skip
_YOURS = [
    (patterns.compile(r"\byou're\b", re.IGNORECASE), "{name} is"),
    (patterns.compile(r"\byours?\b", re.IGNORECASE), "{name}'s"),
    (patterns.compile(r"\byou\b", re.IGNORECASE), "{name}"),
]
_CARRIED = patterns.compile(r'^Asked "(?P<question>[^"]*)", (?P<who>[^",:]{1,60}) answered: ')
_ASKS = patterns.compile(r"^(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
_NOT_PLAIN = patterns.compile(r"\bor\b|,", re.IGNORECASE)
_OPEN = patterns.compile(r"\b(?:any\w*|ever|yet|some\w*)\b", re.IGNORECASE)
_CLAUSE = patterns.compile(
    r"\b(?:i|i'm|i've|we|we're|it's|that's|he|she|they|is|are|was|were)\b", re.IGNORECASE
)
_PAST = patterns.compile(r"\w+ed\b", re.IGNORECASE)
# "Yes married": what is answered goes on right behind the yes.
_GOES_ON = patterns.compile(rf"{_YES} \w", re.IGNORECASE)
_PLURAL, _DETERMINERS = ("NNS", "NNPS"), ("DT", "PDT")


def carried(question: str, asker: str, answer: str, speaker: str, is_all: bool = True) -> str | None:
    """What a short answer states, the question carried over; None if it needs no question or states nothing.

    "Do you still work at Acme?" and "Yes, I do." give "Ann still works at Acme."; "Where do you live?" and
    "In Lyon." give 'Asked "Where do you live?", Ann answered: In Lyon.'. A yes that opens a longer message
    (`is_all` is False) is carried over where that reads well, else left to what follows it. What was asked of several
    is not told of one: 'Asked "Are you two married?", Ann answered: Yes.'.
    """
    plain = answer.strip().replace("’", "'")
    if is_bare(plain):
        told = _confirmed(question, asker, speaker, bool(_BARE_YES.fullmatch(plain)))
        asked = _TO_YOU.match(question)
        if told or asked is None or not (is_all or _is_of_several(asked)):
            return told
    elif len(sentences.words(plain)) > MAX_WORDS or _tells_by_itself(plain):
        return None
    return f'Asked "{question}", {speaker} answered: {answer.strip()}'


def without_question(told: str) -> str:
    """What `carried` gives, without the words that say that somebody asked and somebody answered; any other text as it is."""
    framed = _CARRIED.match(told)
    if framed is None:
        return told
    return f"{framed['who']}, {_ASKS.sub('', framed['question'])} {told[framed.end() :]}"


def own_words(told: str) -> str:
    """What was answered, in what `carried` gives of a question; any other text as it is."""
    framed = _CARRIED.match(told)
    return told[framed.end() :] if framed else told


def telling_words(told: str) -> str:
    """What says something in what `carried` gives: the answer, of a bare yes or no the question; any other text as it is."""
    framed, answer = _CARRIED.match(told), own_words(told)
    return framed["question"] if framed and is_bare(answer) else answer


def answered_by(told: str) -> str | None:
    """Who answered, in what `carried` gives of a question; None for any other text."""
    framed = _CARRIED.match(told)
    return framed["who"] if framed else None


def is_bare(answer: str) -> bool:
    """Whether an answer is only a yes or a no."""
    plain = answer.strip().replace("’", "'")
    return bool(_BARE_YES.fullmatch(plain) or _BARE_NO.fullmatch(plain))


def _tells_by_itself(answer: str) -> bool:
    return bool(_CLAUSE.search(answer) or (_PAST.search(answer) and not _GOES_ON.match(answer)))


def _confirmed(question: str, asker: str, speaker: str, is_yes: bool) -> str | None:
    asked = _TO_YOU.match(question.replace("’", "'"))
    if not asked or _NOT_PLAIN.search(asked["rest"]) or (is_yes and _OPEN.search(asked["rest"])):
        return None
    if _is_of_several(asked):
        return None
    aux = asked["aux"].lower()
    rest = _to_third_person(asked["rest"].strip(), asker, speaker)
    if not is_yes:
        return f"{speaker} {_NEGATIVE[aux]} {rest}."
    if aux == "do":
        return f"{speaker} {_with_agreeing_verb(rest)}."
    return f"{speaker} did {rest}." if aux == "did" else f"{speaker} {_POSITIVE[aux]} {rest}."


def _is_of_several(asked: re.Match[str]) -> bool:
    """Whether others are asked about too: you two, you both, you guys, you and Tom."""
    return parsed(asked.string, lambda doc: not _is_alone(doc, asked.start("you")))


def _is_alone(doc: Any, place: int) -> bool:
    """Whether the you at a place is followed by what this one does or is, and by nothing that belongs to you."""
    you = next((each for each in doc if each.idx == place), None)
    if you is None or you.dep_ not in ("nsubj", "nsubjpass") or any(you.children):
        return False
    after = next((each for each in doc[you.i + 1 :] if each.tag_ != "RB"), None)
    return after is None or not (
        after.tag_ in _PLURAL or (after.tag_ in _DETERMINERS and after.dep_ != "det")
    )


def _to_third_person(rest: str, asker: str, speaker: str) -> str:
    told = in_third_person(rest, asker)
    for pattern, name in _YOURS:
        told = pattern.sub(name.format(name=speaker), told)
    return told


def _with_agreeing_verb(rest: str) -> str:
    words = rest.split(" ")
    for at, word in enumerate(words):
        if word.lower() not in ADVERBS and not word.lower().endswith("ly"):
            return " ".join([*words[:at], agreeing(word), *words[at + 1 :]])
    return rest
