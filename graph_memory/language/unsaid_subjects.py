"""Putting in the I that people leave out of what they say of themselves: "Sold the van." is said as "I sold the van."

Only the parse decides, and only what can hardly be anything else is filled in: a past tense, an ongoing form, or what
somebody can or did not do, with an object or a place; never a form that may be an order, and never where somebody else
was spoken of just before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from graph_memory.language import patterns, sentences
from graph_memory.language.coverage import is_readable
from graph_memory.language.english import PARTICIPLES, PAST_FORMS, UNCHANGING, words_of
from graph_memory.language.grammar import is_verb
from graph_memory.language.name_types import GPE, ORG
from graph_memory.language.names import mentions
from graph_memory.language.parse import parsed
from graph_memory.language.stems import stem

# What is longer is no sentence that somebody would say.
_LONGEST = 600
# Words at most before the verb.
_MOST_BEFORE = 4
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_BEFORE = frozenset({"advmod", "neg", "aux", "intj", "punct"})
_WHOLE = frozenset({"dobj", "xcomp", "ccomp"})
_SELF = words_of("i me my myself mine im ive we us our")
_YOU = words_of("you u ya")
_SOMEBODY = words_of("he him his she her hers they them their")
# What tells of no deed.
_NO_DEED = words_of("be seem turn happen")
# What takes so long or costs so much is a thing.
_MEASURING = words_of("take cost last")
_FIRST = patterns.compile(r"\W*(?P<word>[^\W_]+(?:['’][^\W_]+)*)")
_NOT_FIRST = words_of(
    "i you we they he she it this that these those there who what which a an the my your or and but"
)


class About(Enum):
    """Of whom a sentence may be that does not say so, after what was said before."""

    SPEAKER = 1
    NOBODY_YET = 2
    OTHERS = 3


@dataclass(frozen=True)
class Told:
    """A sentence with the I that it left out; `is_sure` unless only a sentence of the speaker before it makes it so."""

    text: str
    is_sure: bool


def with_i(sentence: str) -> Told | None:
    """The sentence with I where its subject is left unsaid and may be the speaker, else None."""
    first = _FIRST.match(sentence)
    if first is None or len(sentence) > _LONGEST or sentence.rstrip().endswith("?"):
        return None
    if first["word"].lower().split("'")[0] in _NOT_FIRST or not is_readable(sentence):
        return None
    lead, tag, is_sure = parsed(sentence, _lead_or_tag)
    if lead:
        return Told(_put_in(sentence, first, lead), is_sure)
    if not tag:
        return None
    filled = _put_in(sentence, first, "I")
    is_done, is_sure = parsed(filled, lambda doc: (_is_done(doc, tag, True), _is_done(doc, tag, False)))
    return Told(filled, is_sure) if is_done else None


def about(sentence: str) -> About:
    """Of whom what follows a sentence may be."""
    if len(sentence) > _LONGEST or not sentence.strip():
        return About.OTHERS
    words = {word.lower().replace("’", "'").split("'")[0] for word in sentences.words(sentence)}
    if words & _SOMEBODY or any(each.type not in (ORG, GPE) for each in mentions(sentence)):
        return About.OTHERS
    return parsed(sentence, _about)


def asks_of_you(question: str) -> bool:
    """Whether a question asks what the one who is spoken to does or did."""
    return len(question) <= _LONGEST and parsed(
        question, lambda doc: any(each.lower_ in _YOU and each.dep_ in _SUBJECTS for each in doc)
    )


def _put_in(sentence: str, first: re.Match[str], lead: str) -> str:
    begin = first.start("word")
    is_loud = len(first["word"]) > 1 and first["word"].isupper()
    rest = sentence[begin:] if is_loud else sentence[begin].lower() + sentence[begin + 1 :]
    return f"{sentence[:begin]}{lead} {rest}"


def _about(doc: Any) -> About:
    if _is_of_speaker(doc):
        return About.SPEAKER
    asks = doc.text.rstrip().endswith("?")
    return About.NOBODY_YET if asks or _tells_of_nobody(doc) else About.OTHERS


def _is_of_speaker(doc: Any) -> bool:
    """Whether I does all that is done; what a bare noun is counts for nothing: "I quit, last day is Friday"."""
    told = [
        each for each in _subjects(doc) if each.tag_ != "NN" or each.head.lemma_ != "be" or _is_owned(each)
    ]
    return bool(told) and all(each.lower_ == "i" for each in told)


def _is_owned(token: Any) -> bool:
    return any(each.dep_ in ("poss", "det") for each in token.children)


def _subjects(doc: Any) -> list[Any]:
    """The subjects of its clauses, but for those that tell more of a noun."""
    return [
        each for each in doc if each.dep_ in _SUBJECTS and each.head.dep_ not in ("relcl", "acl", "advcl")
    ]


def _tells_of_nobody(doc: Any) -> bool:
    root = next(doc.sents).root
    subjects = {each.lower_ for each in _subjects(doc)}
    return root.pos_ == "INTJ" or root.tag_ in ("UH", "VB") or (bool(subjects) and subjects <= _YOU | {"i"})


def _lead_or_tag(doc: Any) -> tuple[str, str, bool]:
    """What is to be put in, or the tag of what may be a past without a subject; and whether the first is sure."""
    sure, lead = _lead(doc, False), _lead(doc, True)
    return lead or "", "" if lead else _tag_of_unsaid(doc), sure is not None


def _lead(doc: Any, is_of_speaker: bool) -> str | None:
    """What is to be put in before an ongoing or a helped verb: I, I'm or I've; None for nothing."""
    root = next(doc.sents).root
    if not _lacks_subject(root) or not _is_of_somebody(root):
        return None
    told = {each.dep_ for each in root.rights}
    helping = [each for each in root.lefts if each.dep_ == "aux"]
    if helping:
        return _with_helping(root, helping, told)
    is_sure = is_of_speaker or _names_self(doc)
    return "I'm" if root.tag_ == "VBG" and _is_going_on(root, told, is_sure) else None


def _tag_of_unsaid(doc: Any) -> str:
    """The tag of what may be a past without a subject; empty where nothing may."""
    root = next(doc.sents).root
    is_past_only = root.lower_ in PAST_FORMS - PARTICIPLES
    may_be = is_past_only or root.tag_ in ("VBD", "VBN", "VB", "VBP")
    has_none = _lacks_subject(root) and not any(each.dep_ == "aux" for each in root.lefts)
    return str(root.tag_) if may_be and has_none else ""


def _lacks_subject(root: Any) -> bool:
    return (
        root.i <= _MOST_BEFORE
        and not any(each.dep_ in _SUBJECTS for each in root.children)
        and all(each.dep_ in _BEFORE for each in root.lefts)
    )


def _is_of_somebody(root: Any) -> bool:
    """Whether it may tell of who says it: it does nothing to the speaker, and says neither what is so nor what it takes."""
    told = {each.dep_ for each in root.rights}
    return not (
        any(each.lower_ in _SELF for each in root.rights)
        or told & {"acomp", "attr", "agent", "oprd"}
        or _measures(root)
    )


def _names_self(doc: Any) -> bool:
    return any(each.lower_ in _SELF for each in doc)


def _measures(root: Any) -> bool:
    """Whether it tells how long or how much something takes."""
    objects = (each for each in root.rights if each.dep_ in ("dobj", "npadvmod"))
    return root.lemma_ in _MEASURING and any(
        child.dep_ == "nummod" or child.tag_ == "CD" for each in objects for child in each.children
    )


def _is_done(doc: Any, tag: str, is_of_speaker: bool) -> bool:
    """Whether what follows the I put in is a past, neither an order nor what was done to something; `tag` is that of the
    verb without the I."""
    root = next(doc.sents).root
    subjects = [each for each in root.lefts if each.dep_ == "nsubj"]
    if [each.text for each in subjects] != ["I"] or root.tag_ != "VBD" or not _is_of_somebody(root):
        return False
    is_participle = root.lower_ in PARTICIPLES - UNCHANGING
    if is_participle or root.lower_ == root.lemma_ or root.lemma_ in _NO_DEED or not _stands_alone(root):
        return False
    told = {each.dep_ for each in root.rights if each.dep_ not in _WHOLE or any(map(str.isalnum, each.text))}
    if tag == "VBN" and root.lower_ not in PAST_FORMS - PARTICIPLES:
        return "dobj" in told
    if told & _WHOLE:
        return True
    is_sure = is_of_speaker or any(each.lower_ in _SELF for each in doc if each != subjects[0])
    is_sure |= any(each.lower_ == "just" for each in root.lefts)
    leads = any(each.dep_ == "prep" for part in root.rights for each in (part, *part.rights))
    return is_sure and leads


def _is_going_on(root: Any, told: set[str], is_sure: bool) -> bool:
    if told & _WHOLE:
        return True
    return is_verb(stem(root.lower_)) and ("prep" in told or (is_sure and "advmod" in told))


def _stands_alone(root: Any) -> bool:
    """Whether nothing is written on to it: the got of gotta."""
    return bool(root.whitespace_) or root.i + 1 == len(root.doc) or not root.nbor(1).is_alpha


def _with_helping(root: Any, helping: Iterable[Any], told: set[str]) -> str | None:
    [first, *_] = words = [each.lower_ for each in helping]
    is_whole = bool(told & _WHOLE)
    is_denied = any(each.dep_ == "neg" for each in root.children)
    if first == "been":
        return "I've" if root.tag_ == "VBG" and told & (_WHOLE | {"prep"}) else None
    if first == "am":
        return "I"
    if first in ("have", "'ve") and is_denied and root.tag_ == "VBN":
        return "I" if root.lemma_ != "be" else None
    if first in ("can", "ca"):
        if root.lemma_ == "be":
            return "I" if is_denied and told & {"advmod", "prep"} else None
        return "I" if is_denied or "dobj" in told else None
    if first in ("was", "did"):
        return "I" if is_whole and (first == "was" or root.tag_ == "VB") else None
    if first in ("could", "would") and "have" in words:
        return "I" if is_denied and "dobj" in told else None
    return "I" if first == "would" and "xcomp" in told and root.lemma_ not in ("be", "seem", "have") else None
