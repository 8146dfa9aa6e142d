"""Cutting a sentence that states two things into two, so that one of them can change without the other.

Only what is plainly independent is cut: clauses with a verb each, joined by and, but or a semicolon, of which none points
into another. "I moved to Oslo and started at Acme." is two; with because, when, if or which, with a wish or a condition,
with it, that or there in the second, it stays one. He and she get a name only where the first clause has one person whom
they can mean; otherwise the sentence stays whole.
"""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

from graph_memory.language import patterns, quotation_marks, sentences
from graph_memory.language.english import (
    ADVERBS,
    HABITUAL,
    NOT_A_VERB,
    PARTICIPLES,
    PAST_FORMS,
    UNCHANGING,
    words_of,
)
from graph_memory.language.name_types import GPE, ORG, RELATIVES
from graph_memory.language.names import mentions
from graph_memory.language.times.resolver import resolve

# A clause of fewer words says too little alone, and one without a name and with fewer words of matter.
_FEWEST = 4
_LEAST_TOLD = 2
_LONG = 4
# What is longer is no sentence that somebody would take apart.
_LONGEST = 600
_DEPENDS = words_of(
    """
    because since so when whenever while if unless until till although though whereas than that which who whom whose
    where after before once whether both either neither how why what
    would could should might must can may shall wish hope want wanted tried almost nearly let's
    """
)
# What points out of the second clause.
_POINTS = words_of(
    """
    it its it's itself that that's this these those they they're them their theirs there then so him his her hers each
    such same other another else instead either neither one ones both even still yet thus hence us
    """
)
_JOINT = patterns.compile(r"\s*(?:;|,?\s+(?:and|but)\b)\s+", re.IGNORECASE)
_MARKS = frozenset('"“”?:()')
_OWN = patterns.compile(r"(?:I|I'm|I've|I'd|I'll|[Ww]e|[Ww]e're|[Ww]e've|[Mm]y|[Oo]ur)\s")
_MINE = patterns.compile(r"(?:my|our)\s", re.IGNORECASE)
_I = patterns.compile(r"I\s+(?=\w)")
_ADVERBIAL = patterns.compile(r"(?:now|nowadays|recently|finally|currently|these days),?\s+", re.IGNORECASE)
_PERSON = patterns.compile(r"(he|she)(?:'s)?\s+(?=\w)", re.IGNORECASE)
_RELATIVE = patterns.compile(rf"(?:my|our)\s+(?:\w+\s+){{0,2}}({RELATIVES})\b", re.IGNORECASE)
_CALLED = patterns.compile(
    rf"{_RELATIVE.pattern}(?:'s name)?(?:\s+is|'s)\s+(?:called\s+|named\s+)?", re.IGNORECASE
)
_SOMEBODY = patterns.compile(
    r"\b(?:his|her|he|she|him|man|woman|boy|girl|guy|lady|child|baby|kid|you)\b", re.I
)
_HE = words_of("brother father dad husband uncle nephew boyfriend son landlord grandfather grandpa fiancé")
_SHE = words_of(
    "sister mother mum mom wife aunt niece girlfriend daughter landlady grandma grandmother fiancée"
)
# Before "and" these may go on with another verb of theirs: "I help people move and find homes."
_TO_DO = patterns.compile(
    r"\b(?:to\s+(?!the\b|an?\b|my\b|our\b|his\b|her\b|their\b)[a-z]|(?:help|mak|let|see|hear|go|try)\w{0,3}\b|made\b|saw\b"
    r"|heard\b|went\b)"
)
_AS_A_CLAUSE = patterns.compile(
    r"\bas (?:i|he|she|we|it|they|you|if|though|soon|long|well|much|many)\b", re.IGNORECASE
)
_HELPING = words_of("am is are has have do don't doesn't isn't aren't haven't")
# What somebody does or is for long; after "and" none of them is a noun before a small word.
_LASTING = words_of(
    "live work study own have prefer speak teach love hate need use drive play attend manage lead run"
)
_PAST = (PAST_FORMS - words_of("was were had did used")) | words_of("quit left found")
_ENDS_LIKE_THE_PAST = words_of("need indeed feed speed hundred")
_EMPTY = ADVERBS | NOT_A_VERB | UNCHANGING | PARTICIPLES


def independent(sentence: str, said_at: datetime) -> list[str]:
    """The sentence, or the independent clauses that it is made of, each a sentence."""
    plain = " ".join(sentence.replace("’", "'").split())
    if len(plain) > _LONGEST or any(quotation_marks.enclosed(sentence)):
        return [sentence]
    words = set(_words(plain))
    if words & _DEPENDS or _MARKS & set(plain) or _AS_A_CLAUSE.search(plain):
        return [sentence]
    for joint in _JOINT.finditer(plain):
        first, rest = plain[: joint.start()].rstrip(" ,"), plain[joint.end() :]
        second = None if _is_listed(first, joint.group()) else _whole(first, rest, said_at)
        if second is not None and _is_clause(first) and _tells(first) and _tells(second):
            return [f"{first}.", *independent(second[0].upper() + second[1:], said_at)]
    return [sentence]


def _whole(first: str, second: str, said_at: datetime) -> str | None:
    """The second clause with a subject of its own; None where it has none, or leans on the first."""
    adverb = _ADVERBIAL.match(second)
    rest = second[adverb.end() :] if adverb else second
    if _OWN.match(rest):
        told = rest if _is_clause(rest) else None
    elif _PERSON.match(rest):
        told = _with_a_name(first, rest)
    else:
        told = _with_i(first, rest, said_at)
    if told is None or _POINTS & set(_words(told)):
        return None
    return (adverb.group() if adverb else "") + told


def _is_listed(first: str, joint: str) -> bool:
    """Whether what precedes the joint is one of several of whom the rest is said: "I have news, Bea and I married"."""
    last = first.rsplit(",", 1)[-1] if "," in first else first
    return not joint.lstrip().startswith((",", ";")) and not any(map(_is_verb, _words(last)))


def _is_clause(text: str) -> bool:
    """Whether it begins with who it is about and has a verb; what is mine has one that goes with he or she, or a past."""
    words = _words(text)[:6]
    if _MINE.match(text):
        found = (word for before, word in pairwise(words) if before != "to")
        return any(word in _HELPING | UNCHANGING | HABITUAL or _is_past(word) for word in found)
    begins = _OWN.match(text) or any(text.startswith(f"{each.name} ") for each in mentions(text)[:1])
    return bool(begins) and any(map(_is_verb, words))


def _words(text: str) -> list[str]:
    return [word.lower() for word in sentences.words(text)]


def _is_verb(low: str) -> bool:
    known = low in UNCHANGING or low in HABITUAL or low in _BASES or low in _HELPING
    return known or _is_past(low) or low.startswith(("i'", "we'"))


def _is_past(low: str) -> bool:
    return low in _PAST or (low.endswith("ed") and len(low) >= _LONG and low not in _ENDS_LIKE_THE_PAST)


def _tells(clause: str) -> bool:
    """Whether it says enough to stand alone."""
    words = sentences.words(clause)
    told = {word.lower() for word in words if len(word) >= _LONG and word.lower() not in _EMPTY}
    return len(words) >= _FEWEST and (bool(mentions(clause)) or len(told) >= _LEAST_TOLD)


def _with_a_name(first: str, second: str) -> str | None:
    """The second clause with the one person whom its he or she can mean."""
    found = _PERSON.match(second)
    if found is None or _SOMEBODY.search(second[found.end(1) :]):
        return None
    person = _only_person(first, found[1].lower())
    return None if person is None else person + second[found.end(1) :]


def _only_person(clause: str, pronoun: str) -> str | None:
    """The one person of a clause of the speaker's, in the speaker's words; None where there are several or none."""
    people = [each.name for each in mentions(clause) if each.type not in (ORG, GPE)]
    relatives = list(_RELATIVE.finditer(clause))
    other = _SHE if pronoun == "he" else _HE
    if _SOMEBODY.search(clause) or len(people) > 1 or any(each[1].lower() in other for each in relatives):
        return None
    if not relatives:
        return people[0] if people and clause.startswith(people[0]) else None
    called = _CALLED.match(clause)
    if people and called and clause[called.end() :] == people[0]:
        return people[0]
    if len(relatives) > 1 or relatives[0].start() != 0:
        return None
    named = f"{relatives[0].group()} {people[0]}" if people else relatives[0].group()
    return named if clause.startswith(named) else None


def _with_i(first: str, second: str, said_at: datetime) -> str | None:
    """The second clause with the I of the first, where it goes on with a verb of the same time."""
    words = _words(second)
    verbs = [low for low in _words(first)[1:4] if low not in ADVERBS]
    if not _I.match(first) or not verbs or len(words) < _FEWEST - 1 or _TO_DO.search(first):
        return None
    is_past = _is_past(verbs[0]) and _is_past(words[0])
    goes_on = words[1] in NOT_A_VERB | ADVERBS or second.split()[1][:1].isupper()
    if not goes_on or not (is_past or {verbs[0], words[0]} <= _LASTING):
        return None
    # A day at the end may be that of both.
    is_dated = any(each.start or each.end for each in resolve(second, said_at))
    return None if is_dated else f"I {second}"


def _base(verb: str) -> str:
    """Takes becomes take, goes go, tries try."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("oes", "shes", "ches", "sses", "xes")) else verb[:-1]


_BASES = frozenset(_base(verb) for verb in HABITUAL)
