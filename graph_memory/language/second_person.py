"""Saying in the third person what somebody said to the one other who listens: "You taught me." is said as "Ben taught me."

You may mean anybody: "you never know". So only a sentence whose every you is certain is rewritten: of who listens is
what you did or are doing, what you are, as the whole sentence tells it, and what was, is being or shall be done to you
or with yours, by me above all. What you do at any time, may, must or will do, and what you are if or when, stays.
"""

from __future__ import annotations

import re
from typing import Any

from graph_memory.language import patterns
from graph_memory.language.coverage import is_readable
from graph_memory.language.english import words_of
from graph_memory.language.others_words import of_others
from graph_memory.language.parse import parsed

# What is longer is no sentence that somebody would say.
_LONGEST = 600
_YOU = patterns.compile(r"(?<![\w'’])(?:you|your|yours|yourself|u)(?![\w-])", re.IGNORECASE)
# Several who listen, or spellings whose verb cannot be seen.
_OTHERWISE = patterns.compile(
    r"(?<![\w'’])(?:y['’]?all|ya|ye|yis|yous|ur|youre|youve|youd|youll|yourselves|thank)(?![\w-])|[\"“”]",
    re.IGNORECASE,
)
_FORMS = {
    "are": "is", "'re": "is", "’re": "is", "have": "has", "'ve": "has", "’ve": "has", "were": "was", "weren't": "wasn't",
    "haven't": "hasn't", "aren't": "isn't", "'d": "had", "’d": "had",
}  # fmt: skip
_SUBJECTS = ("nsubj", "nsubjpass")
_CONDITIONS = words_of("if unless whenever")
_AT_ANY_TIME = ("advcl", "relcl", "acl")


def addressed(sentence: str, listener: str) -> str:
    """The sentence with the listener's name for you and your, where each certainly means the listener; else as it is."""
    if len(sentence) > _LONGEST or not _YOU.search(sentence) or sentence.rstrip().endswith("?"):
        return sentence
    if _OTHERWISE.search(sentence) or not is_readable(sentence):
        return sentence
    is_of_others = of_others(sentence)
    if any(is_of_others[you.start()] for you in _YOU.finditer(sentence)):
        return sentence
    changes = parsed(sentence, lambda doc: _changes(doc, listener))
    for start, end, text in sorted(changes, reverse=True):
        sentence = sentence[:start] + text + sentence[end:]
    return sentence


def _changes(doc: Any, listener: str) -> list[tuple[int, int, str]]:
    """What is to stand for which characters; nothing where one of them is not certain."""
    found: list[tuple[int, int, str]] = []
    for token in doc:
        if _YOU.fullmatch(token.text) is None:
            continue
        change = _change(token, listener)
        if change is None:
            return []
        found += change
    return found


def _change(you: Any, listener: str) -> list[tuple[int, int, str]] | None:
    """The changes for one you; None where it is not certain whom it means."""
    if _means_others(you):
        return None
    if you.dep_ in _SUBJECTS:
        finite = _finite(you.head)
        if finite is None or not (_tells_of_once(you, finite) or _tells_what_is(you, finite)):
            return None
        return [_named(you, listener), *_agreeing(finite)]
    return [_named(you, listener)] if _is_reached(you) else None


def _named(you: Any, listener: str) -> tuple[int, int, str]:
    low = you.lower_
    name = "themself" if low == "yourself" else f"{listener}'s" if low in ("your", "yours") else listener
    return you.idx, you.idx + len(you), name


def _agreeing(finite: Any) -> list[tuple[int, int, str]]:
    end = finite.idx + len(finite)
    following = finite.nbor(1) if finite.i + 1 < len(finite.doc) else None
    if following is not None and following.lower_ in ("n't", "n’t") and not finite.whitespace_:
        end += len(following)
    form = _FORMS.get(finite.doc.text[finite.idx : end].lower().replace("’", "'"))
    is_joined = finite.i and not finite.nbor(-1).whitespace_ and not finite.text[0].isalnum()
    return [(finite.idx, end, (" " if is_joined else "") + form)] if form else []


def _means_others(you: Any) -> bool:
    """Whether others are meant too, or nothing is told: you two, you all, both of you, you and Tom, you fool."""
    if any(each.dep_ in ("cc", "conj", "appos", "nummod", "det", "relcl") for each in you.children):
        return True
    if you.dep_ not in _SUBJECTS and you.i and you.nbor(-1).text == ",":
        return True
    if you.dep_ == "conj" or (you.dep_ == "pobj" and you.head.lower_ == "of" and you.head.head.pos_ != "ADJ"):
        return True
    if you.lower_ not in ("you", "u") or you.i + 1 == len(you.doc):
        return False
    following = you.nbor(1)
    return following.tag_ in ("CD", "NNS", "PDT", "DT") and (
        you.dep_ in _SUBJECTS or following.lower_ in ("two", "both", "all", "guys", "lot", "people")
    )


def _finite(verb: Any) -> Any:
    """The word of a clause that shows its time; None where there is none."""
    helping = [each for each in verb.lefts if each.dep_ in ("aux", "auxpass")]
    first = helping[0] if helping else verb
    return first if first.tag_ in ("VBD", "VBP", "VBZ") or first.lower_ in ("'d", "’d") else None


def _tells_of_once(you: Any, finite: Any) -> bool:
    """Whether it tells what you did, have done or are doing."""
    verb = you.head
    if finite.i < you.i or any(
        each.dep_ in ("mark", "advmod") and each.lower_ in _CONDITIONS for each in verb.lefts
    ):
        return False
    is_empty = not any(each.dep_ != "punct" for each in verb.rights)
    if finite.tag_ == "VBD" and finite.lower_ not in ("'d", "’d"):
        is_denial = is_empty or all(each.dep_ in ("punct", "neg") for each in verb.rights)
        return finite.lower_ != finite.lemma_ and not (verb.lemma_ == "do" and is_denial)
    if finite == verb or verb.dep_ in _AT_ANY_TIME or (verb.tag_ == "VBG" and is_empty):
        return False
    if finite.lower_ in ("'d", "’d", "have", "'ve", "’ve"):
        return verb.tag_ == "VBN" and not _is_joined_on(verb)
    return finite.lemma_ == "be" and verb.tag_ in ("VBG", "VBN") and not _is_joined_on(verb)


def _is_joined_on(verb: Any) -> bool:
    """Whether a word is written on to it: the got of gotta."""
    return verb.i + 1 < len(verb.doc) and not verb.whitespace_ and verb.nbor(1).is_alpha


def _tells_what_is(you: Any, finite: Any) -> bool:
    """Whether the sentence begins with "you are" and tells what you are."""
    verb = you.head
    is_first = all(each.dep_ in ("intj", "cc", "advmod", "punct") for each in verb.lefts if each.i < you.i)
    return (
        is_first
        and finite == verb
        and verb.lemma_ == "be"
        and verb.dep_ == "ROOT"
        and finite.i > you.i
        and not any(each.dep_ == "advcl" or each.lower_ == "never" for each in verb.children)
    )


def _is_reached(you: Any) -> bool:
    """Whether what is told happens, once or by me, to you or to what is yours."""
    verb = next((each for each in you.ancestors if _has_subject(each)), None)
    if verb is None:
        return False
    subject = next(each for each in verb.children if each.dep_ in _SUBJECTS)
    if you.lower_ == "yourself" and subject.lower_ not in ("you", "u"):
        return False
    finite = _finite_or_modal(verb)
    if finite is None or any(each.dep_ == "mark" and each.lower_ in _CONDITIONS for each in verb.lefts):
        return False
    if subject.lower_ == "i":
        return verb.dep_ not in _AT_ANY_TIME or finite.tag_ == "VBD"
    if finite.tag_ == "VBD":
        return True
    if verb.dep_ in _AT_ANY_TIME:
        return False
    if finite != verb and finite.tag_ in ("VBP", "VBZ"):
        return verb.tag_ in ("VBG", "VBN") and finite.lemma_ in ("be", "have")
    # "Your sister is a nurse": hers and nobody else's.
    is_owner = you.dep_ == "poss" and you.head == subject and verb.dep_ == "ROOT"
    return bool(is_owner and finite.tag_ == "VBZ" and finite.lemma_ == "be")


def _has_subject(token: Any) -> bool:
    return any(each.dep_ in _SUBJECTS for each in token.children)


def _finite_or_modal(verb: Any) -> Any:
    helping = [each for each in verb.lefts if each.dep_ in ("aux", "auxpass")]
    first = helping[0] if helping else verb
    return first if first.tag_ in ("VBD", "VBP", "VBZ", "MD") else None
