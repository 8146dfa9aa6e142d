"""Just enough grammar: where the verb stands, in which tense, what stands before it, for or against what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.language.english import ADVERBS, HABITUAL, PARTICIPLES, PAST_FORMS, UNCHANGING, words_of
from graph_memory.language.stems import stem

_BE = words_of("is are was were be been am isn't aren't wasn't weren't")
_HAVE = words_of("has have had hasn't haven't hadn't")
_AUXILIARIES = _BE | _HAVE | UNCHANGING | words_of("does do did doesn't don't didn't will can")
_NO_PAST = words_of("need feed speed used red bed hundred wed shed embed indeed united limited")
_AFTER_A_NOUN = words_of("the a an this that these my his her our their its of for in at on and to with")
# Stems of common verbs: enough to find where the first verb of most statements stands.
_VERBS = words_of(
    """
    accept act add agre allow answer appear apply arriv ask attend bak bank be becom begin believ belong book break
    bring build buy call cancel captain carry catch chang chat check choos claim clean clos coach collect com commut
    complet contain cook cost cover cut deal deliver depart deploy design detest develop die dislik drink driv drop
    eat end enjoy expect expir fail fall fear feel find finish fit fix fly follow forget get giv go graduat grow hat
    handl hang happen hat hav hear help hid hir hold hop hir host improv includ intend insist join keep know land lead
    learn leav lend li lik listen liv look los lov maintain mak manag marry mean meet merg migrat mov need offer open
    ow own park pass pay plan play post prefer produc promis propos provid publish put quit rais reach read recommend
    record refus rent repair replac report requir return rid run sav say scar scor see sell send serv set shar ship
    show sign sing sit sleep smok sound speak spend stand start stay step stop stor study subscrib suffer suggest
    support switch tak talk teach tell tend think track train travel treat tri try turn us visit volunteer wait wak
    walk want wash watch wear weigh wish work writ
    """
) | frozenset(stem(word) for word in HABITUAL)
_BEFORE_A_VERB = (
    _BE
    | _HAVE
    | ADVERBS
    | words_of(
        "does do did doesn't don't didn't will would can could may might shall should must won't can't cannot not no "
        "longer never been being"
    )
)
_FOR = words_of(
    "like lik lov enjoy prefer favourit fond fan into ador want support into keen passionat appreciat"
)
_AGAINST = words_of(
    "dislik hat detest loath avoid afraid fear scar bor annoy refus despis against averse stand tir allerg cannot"
)


@dataclass(frozen=True)
class Grammar:
    """The first verb's tense ("past", "perfect", "ongoing", "present" or "" if no verb was found), the stems before
    it, and the attitude: 1 for, -1 against, 0 if none shows. `place` is where it stands, -1 if none was found; `verb`
    the stem of what it says, without auxiliaries: sell of "has just sold", be of "is red"."""

    tense: str
    subject: tuple[str, ...]
    attitude: int
    place: int = -1
    verb: str = ""


def parse(tokens: Sequence[str], denies: bool) -> Grammar:
    """Reads the lower-case words of a text."""
    verb = _first_verb(tokens)
    stems = [stem(token) for token in tokens]
    liking = next((1 if s in _FOR else -1 for s in stems if s in _FOR or s in _AGAINST), 0)
    subject = tuple(stems[:verb]) if verb is not None else ()
    place = -1 if verb is None else verb
    return Grammar(
        _tense(tokens, verb), subject, -liking if denies else liking, place, _said(tokens, stems, place)
    )


def _said(tokens: Sequence[str], stems: Sequence[str], place: int) -> str:
    """The stem of the verb that the first one leads to."""
    if place < 0:
        return ""
    for token, base in zip(tokens[place : place + 5], stems[place : place + 5], strict=True):
        is_verb = token in PAST_FORMS or token in PARTICIPLES or _is_regular_past(token) or base in _VERBS
        if token not in _BEFORE_A_VERB:
            return base if is_verb or token.endswith("ing") else _first_of(tokens[place])
    return _first_of(tokens[place])


def _first_of(token: str) -> str:
    return "be" if token in _BE else stem(token)


def is_verb(base: str) -> bool:
    """Whether a stem is that of a common verb."""
    return base in _VERBS


def _first_verb(tokens: Sequence[str]) -> int | None:
    for place, token in enumerate(tokens[:12]):
        if place and tokens[place - 1] in _AFTER_A_NOUN:
            continue
        if token in _AUXILIARIES or token in PAST_FORMS or _is_regular_past(token):
            return place
        if stem(token) in _VERBS and (
            token.endswith("s") or place == 0 or tokens[place - 1] in ("i", "we", "they")
        ):
            return place
        if place and stem(token) in _VERBS and not token.endswith("ing"):
            return place
    return None


def _tense(tokens: Sequence[str], verb: int | None) -> str:
    if verb is None:
        return ""
    word = tokens[verb]
    rest = [
        token
        for token in tokens[verb + 1 : verb + 4]
        if token not in ("not", "also", "just", "already", "been")
    ]
    following = rest[0] if rest else ""
    if word in _HAVE:
        done = following in PARTICIPLES or _is_regular_past(following)
        return "perfect" if done else "past" if word == "had" else "present"
    if word in _BE:
        if following.endswith("ing"):
            return "ongoing"
        return "past" if word in ("was", "were", "wasn't", "weren't") else "present"
    return "past" if word in PAST_FORMS or _is_regular_past(word) or word in ("did", "didn't") else "present"


def _is_regular_past(token: str) -> bool:
    return len(token) > 3 and token.endswith("ed") and token not in _NO_PAST
