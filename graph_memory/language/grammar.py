"""Just enough grammar: where the first verb stands, and in which tense."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.language.english import HABITUAL, PARTICIPLES, PAST_FORMS, UNCHANGING, words_of
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


def tense_of(tokens: Sequence[str]) -> str:
    """The tense of the first verb of the lower-case words of a text: "past", "perfect", "ongoing", "present", or "" where no
    verb was found."""
    return _tense(tokens, _first_verb(tokens))


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
