"""What a statement states: of whom or what, which attribute, which value. "Ann lives in Porto." is live in: Porto, of Ann.

Read from the parse of its first sentence. The subject names the thing, by itself or as an owner ("Ann's dog", "the price
of Atlas"); what is left of the subject, the verb and what leads to the value name the attribute; an amount is the value
wherever it stands behind the verb, else the object is, else what the first preposition leads to. Verbs keep their form
unless they tell the present, so that "lived in" is another attribute than "live in". In doubt nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from graph_memory.language import patterns
from graph_memory.language.coverage import is_readable
from graph_memory.language.names import key, mentions
from graph_memory.language.parse import parsed
from graph_memory.language.times.resolver import Span, find

# What is longer states more than one thing.
_LONGEST = 600
_MOST_WORDS = 12
# How a memory begins that says of another's words that they hold no longer: it states no value.
OVER = "No longer: "
_TIMES = "times"
_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "attr", "acomp", "oprd")
# What hangs on a phrase and is not part of what it names.
_ASIDE = frozenset({"relcl", "advcl", "appos", "parataxis", "ccomp", "mark"})
_NOT_STATED = frozenset({"punct", "prt", "conj", "cc", "neg", "advcl"})
_TELLING = frozenset({"NOUN", "PROPN", "ADJ", "VERB"})
_PRESENT = ("VBZ", "VBP")
_AT = ("on", "at", "in")
_AT_A_TIME = patterns.compile(r"(?:on|at|in) ")
_FROM = ("from", "instead", "than", "not")
# A name that the parser knows for one, as it does not know Ola and Pia.
_KNOWN_NAME = "Mary"
# What takes "es" for the present where others take "s".
_TAKES_ES = patterns.compile(r".*(?:[osxz]|[cs]h)")
_SELF = patterns.compile(r"(?:the )?user|i|me|my", 2)
_CURRENCY = patterns.compile(r"[$€£¥₹]|\b(?:euros?|dollars?|pounds?|quid|francs?|yen|[A-Z]{3})\b")
_COUNTED = patterns.compile(r"(?<![\w.])[$€£¥₹]?\s?\d+(?:[.,]\d+)*(?:\s?[^\W\d_]+|%)?")
_AMOUNT = patterns.compile(r"[$€£¥₹]?\s?(?P<number>\d[\d.,]*)\s?(?P<unit>.*)")


class ValueKind(StrEnum):
    """What a value is."""

    MONEY = "MONEY"
    QUANTITY = "QUANTITY"
    TIME = "TIME"
    NAME = "NAME"
    TEXT = "TEXT"


_WORDS = frozenset({ValueKind.NAME, ValueKind.TEXT})


@dataclass(frozen=True)
class ReadClaim:
    """A claim as a text states it. `thing` is the name of what it is about, None for whom all of it is about;
    `is_denied` where the text says that it is not so."""

    thing: str | None
    attribute: str
    value: str
    kind: ValueKind
    unit: str = ""
    is_denied: bool = False


def read_claim(text: str) -> ReadClaim | None:
    """The claim of a text; None where the parse does not show one."""
    if len(text) > _LONGEST or not text.strip() or text.startswith(OVER) or not is_readable(text):
        return None
    named = [each.name for each in mentions(text)]
    names = {word for name in named for word in name.split()}
    found = parsed(text, lambda doc: _read(doc, names))
    first = next((name for name in named if text.startswith(name)), None)
    if found is not None or first is None:
        return found
    told = parsed(_KNOWN_NAME + text[len(first) :], lambda doc: _read(doc, names))
    return replace(told, thing=first) if told is not None and told.thing == _KNOWN_NAME else None


def restated(known: ReadClaim, own: ReadClaim | None, text: str) -> ReadClaim | None:
    """A known claim with the value that a text has for it; None without one. `own` is what the text states by itself."""
    if own is not None and _stands_for(own, known):
        return replace(own, thing=known.thing, attribute=known.attribute)
    found = value_of_kind(text, known.kind)
    return replace(known, value=found[0], unit=found[1]) if found else None


def succeeding(known: ReadClaim, own: ReadClaim | None, text: str) -> ReadClaim | None:
    """The same of what takes the known one's place.

    Where it names the known value it tells what became of that: who sold the Skoda drives none.
    """
    said = restated(known, own, text)
    return None if said is None or _is_within(said.value, known.value) else said


def kind_of(value: str) -> tuple[ValueKind, str]:
    """What a value is, by its letters alone, and what it counts."""
    spans = find(value)
    if spans and sum(each.end - each.start for each in spans) * 2 > len(value):
        return ValueKind.TIME, ""
    amount = _AMOUNT.match(value)
    if amount is None:
        return ValueKind.TEXT, ""
    is_money = _CURRENCY.search(value) is not None
    return ValueKind.MONEY if is_money else ValueKind.QUANTITY, amount["unit"].strip()


def value_of_kind(text: str, kind: ValueKind) -> tuple[str, str] | None:
    """The first value of a kind in a text, and what it counts; None without one, and for words, which could be any."""
    spans = find(text)
    if kind is ValueKind.TIME:
        return (_without_at(spans[0].text), "") if spans else None
    for found in _COUNTED.finditer(text) if kind in (ValueKind.MONEY, ValueKind.QUANTITY) else ():
        if not any(each.start <= found.start() < each.end for each in spans):
            value = found.group().strip()
            return value, kind_of(value)[1]
    return None


def _stands_for(own: ReadClaim, known: ReadClaim) -> bool:
    """Whether what is affirmed may stand for a known value: of its kind, led to by the same word where words could be
    anything."""
    kinds = {own.kind, known.kind}
    is_led_alike = own.attribute.split()[-1] == known.attribute.split()[-1]
    is_alike = kinds <= _WORDS and is_led_alike if ValueKind.TEXT in kinds else len(kinds) == 1
    return is_alike and not own.is_denied


def _is_within(one: str, other: str) -> bool:
    """Whether one value is the other, with more words or fewer."""
    words, others = (set(key(each).split()) for each in (one, other))
    return words <= others or others <= words


def _read(doc: Any, names: Set[str]) -> ReadClaim | None:
    sentence = next(doc.sents)
    verb = _first_told(sentence)
    if verb is None or sentence.text.rstrip().endswith("?"):
        return None
    subject = next((each for each in verb.lefts if each.dep_ in _SUBJECTS), None)
    about = _about(subject, names) if subject is not None else None
    if about is None:
        return None
    thing, of_subject = about
    verbs = list(_verbs(verb))
    stated = _stated(verbs)
    if stated is None:
        return None
    lead, value, kind, unit = stated
    words = [*of_subject, *_verb_words(verbs, bool(of_subject)), *lead]
    if not words or len(words) > _MOST_WORDS:
        return None
    return ReadClaim(thing, " ".join(words), value, kind, unit, any(map(_is_denied, verbs)))


def _first_told(sentence: Any) -> Any:
    """The verb of the first clause that says something by itself."""
    root = sentence.root
    before = (each for each in root.lefts if each.dep_ == "ccomp")
    return next((each for each in (*before, root) if each.pos_ in ("VERB", "AUX")), None)


def _about(head: Any, names: Set[str]) -> tuple[str | None, list[str]] | None:
    """Whom a noun phrase is about, and what of theirs it names: "Ann's dog" is dog, of Ann."""
    if any(each.dep_ in ("conj", "cc") for each in head.children):
        return None
    if _is_self(head):
        return None, []
    if _is_name(head, names):
        return _name(head, names), []
    if head.pos_ != "NOUN":
        return None
    named = next((each for each in head.rights if each.dep_ == "appos" and _is_name(each, names)), None)
    if named is not None and named.i == head.i + 1:
        return _name(named, names), []
    for owner, joint in _owners(head):
        found = _about(owner, names) if owner.tag_ != "PRP$" else ((None, []) if _is_self(owner) else None)
        if found is not None:
            outside = {*owner.subtree} - set(_own_words(owner, found[1]))
            words = [
                _spelled(each)
                for each in _phrase(head)
                if each not in outside and each != joint and each.dep_ not in ("det", "case")
            ]
            return found[0], [word for word in words if word]
    return None


def _own_words(owner: Any, words: list[str]) -> Iterator[Any]:
    """Those of the owner's words that name what is theirs: the sister of "Ann's sister's dog"."""
    return (each for each in owner.subtree if words and _spelled(each) in words)


def _owners(head: Any) -> Iterator[tuple[Any, Any]]:
    for child in head.children:
        if child.dep_ == "poss":
            yield child, None
    for child in head.children:
        if child.dep_ == "prep" and child.lower_ in ("of", "for"):
            yield from ((each, child) for each in child.children if each.dep_ == "pobj")


def _is_self(token: Any) -> bool:
    alone = [each for each in token.lefts if each.dep_ != "det"] == []
    return alone and _SELF.fullmatch(token.text) is not None


def _is_name(token: Any, names: Set[str]) -> bool:
    return token.pos_ == "PROPN" or token.text in names


def _name(head: Any, names: Set[str]) -> str:
    parts = [each for each in head.lefts if each.dep_ in ("compound", "nmod") and _is_name(each, names)]
    return " ".join(each.text for each in [*parts, head])


def _verbs(verb: Any) -> Iterator[Any]:
    """The verb and those that it leads to: want, learn of "wants to learn"."""
    while verb is not None:
        yield verb
        verb = next(
            (each for each in verb.rights if each.dep_ in ("xcomp", "pcomp") and each.pos_ == "VERB"), None
        )


def _verb_words(verbs: list[Any], is_owned: bool) -> list[str]:
    words: list[str] = []
    for place, verb in enumerate(verbs):
        helping = [each for each in verb.lefts if each.dep_ in ("aux", "auxpass") and each.lemma_ != "do"]
        words += [_helping(each) for each in helping]
        is_plain = not helping and verb.tag_ in ("VBZ", "VBP", "VB")
        if not (is_plain and verb.lemma_ == "be" and is_owned and place == 0):
            words.append(_plain(verb) if is_plain else verb.lower_)
        words += [each.lower_ for each in verb.rights if each.dep_ == "prt"]
    return words


def _is_denied(verb: Any) -> bool:
    """Whether a verb is denied, by itself or by how long it is so: not, never, no longer."""
    beside = [child for child in verb.children if child.dep_ == "advmod"]
    return any(child.dep_ == "neg" for each in (verb, *beside) for child in each.children)


def _plain(verb: Any) -> str:
    """The verb without its ending: "rides" is of ride, where the parser finds rid."""
    lemma = str(verb.lemma_.lower())
    return f"{lemma}e" if verb.lower_ == f"{lemma}es" and not _TAKES_ES.fullmatch(lemma) else lemma


def _helping(token: Any) -> str:
    present = {"be": "is", "have": "has"}
    return str(present.get(token.lemma_, token.lower_) if token.tag_ in _PRESENT else token.lower_)


def _stated(verbs: list[Any]) -> tuple[list[str], str, ValueKind, str] | None:
    """The words that lead to the value, and the value: its words, its kind and what it counts."""
    verb = verbs[-1]
    behind = [each for each in verb.rights if each.dep_ not in _NOT_STATED]
    if any(each.dep_ in ("ccomp", "xcomp") and each.pos_ in ("VERB", "AUX") for each in behind):
        return None
    main = next((each for each in behind if each.dep_ in _OBJECTS), None)
    amount = _amount(behind)
    if amount:
        before = [each for each in _phrase(main) if each.i < amount[0].i] if main is not None else []
        # What was once so is told by where it was: the first test, the second.
        where = [] if verb.tag_ in _PRESENT else _beside(behind, amount)
        told = [*before, *_counted(amount[-1]), *where]
        return [_spelled(each) for each in told if each.pos_ in _TELLING], *_valued(_text(amount))
    if main is not None and main.dep_ == "dobj" and verb.tag_ in _PRESENT:
        when = next((found for each in (verb, main) for found in _times_on(each)), None)
        if when:
            told = [each for each in _phrase(main) if not _is_time(each)]
            return [_spelled(each) for each in told if each.pos_ in _TELLING], when, ValueKind.TIME, ""
    lead: list[str] = []
    if main is None or main.dep_ == "acomp":
        led = _led_to(behind if main is None else [*main.rights, *behind])
        if led is not None:
            lead = [*([main.lower_] if main is not None else []), led[0].lower_]
            main = led[1]
    if main is None or main.pos_ == "PRON":
        return None
    words = _phrase(main)
    while words and words[0].dep_ == "det" and words[0].lower_ != "no":
        words = words[1:]
    if not words or len(words) > _MOST_WORDS:
        return None
    value, kind, unit = _valued(_text(words))
    is_name = kind is ValueKind.TEXT and main.pos_ == "PROPN"
    return lead, value, ValueKind.NAME if is_name else kind, unit


def _led_to(behind: Iterable[Any]) -> tuple[Any, Any] | None:
    """The first preposition and what it leads to; of "from one to another" the second."""
    found = [
        (each, child)
        for each in behind
        if each.dep_ == "prep"
        for child in each.children
        if child.dep_ == "pobj"
    ]
    later = (
        [pair for pair in found if pair[0].lower_ == "to"] if found and found[0][0].lower_ == "from" else []
    )
    return next(iter([*later, *found]), None)


def _times_on(head: Any) -> Iterator[str]:
    """The times at which something is said to be."""
    spans = _times(head.doc)
    for each in head.rights:
        inner = next((child for child in each.children if child.dep_ == "pobj"), None)
        at = (
            each if each.dep_ == "npadvmod" else inner if each.dep_ == "prep" and each.lower_ in _AT else None
        )
        yield from (
            _without_at(span.text) for span in spans if at is not None and span.start <= at.idx < span.end
        )


def _amount(behind: Iterable[Any]) -> list[Any]:
    """The words of the first number behind the verb that is no time, with what it counts; what it no longer is left out."""
    for each in behind:
        words = _phrase(each)
        found = [
            token
            for token in words
            if token.pos_ == "NUM" and any(map(str.isdigit, token.text)) and not _is_time(token)
        ]
        for token in found:
            if token.text.rstrip("0123456789.,") == "" and token.i and token.nbor(-1).pos_ == "PROPN":
                continue
            if _is_former(token, each) or (token.dep_ == "nummod" and token.head.i < token.i):
                continue
            counted = token.head if token.dep_ == "nummod" and token.head.i > token.i else token
            inside = [one for one in counted.subtree if token.i <= one.i <= counted.i]
            sign = token.i and token.nbor(-1).is_currency
            return [token.nbor(-1), *inside] if sign else inside
    return []


def _beside(behind: Iterable[Any], amount: list[Any]) -> list[Any]:
    """The words of the prepositions behind a verb, but for times and the amount itself."""
    words = [word for each in behind if each.dep_ == "prep" for word in _phrase(each)]
    return [word for word in words if word not in amount and not _is_time(word)]


def _is_former(token: Any, top: Any) -> bool:
    """Whether it is said of an amount that it is so no longer: from 3, instead of 3, not 3."""
    while token.i != top.i:
        if token.dep_ == "prep" and token.lower_ in _FROM:
            return True
        token = token.head
    return bool(top.dep_ == "prep" and top.lower_ in _FROM)


def _counted(last: Any) -> list[Any]:
    """What an amount is an amount of: the ramipril of "100 mg of ramipril"."""
    of = (each for each in last.rights if each.dep_ == "prep" and each.lower_ == "of")
    return [word for each in of for child in each.children for word in _phrase(child)]


def _is_time(token: Any) -> bool:
    return any(each.start <= token.idx < each.end for each in _times(token.doc))


def _without_at(when: str) -> str:
    lead = _AT_A_TIME.match(when)
    return when[lead.end() :] if lead else when


def _times(doc: Any) -> list[Span]:
    """The words for times in the text, looked for once."""
    if _TIMES not in doc.user_data:
        doc.user_data[_TIMES] = find(doc.text)
    return list(doc.user_data[_TIMES])


def _phrase(head: Any) -> list[Any]:
    """The words of a phrase in their order, without what is said aside."""
    found: list[Any] = [head]
    for child in head.children:
        is_mark = child.dep_ == "punct" and child.text in "()—–;:"
        is_former = child.dep_ == "prep" and child.lower_ == "instead"
        if child.dep_ not in _ASIDE and not is_mark and not is_former:
            found += _phrase(child)
    found.sort(key=lambda each: each.i)
    while found and found[-1].dep_ in ("punct", "cc"):
        found.pop()
    return found


def _spelled(token: Any) -> str:
    if token.dep_ == "punct" or token.pos_ == "PART":
        return ""
    return str(token.text if token.pos_ == "PROPN" else token.lower_)


def _text(words: list[Any]) -> str:
    return str(words[0].doc[words[0].i : words[-1].i + 1].text)


def _valued(value: str) -> tuple[str, ValueKind, str]:
    kind, unit = kind_of(value)
    return value, kind, unit
