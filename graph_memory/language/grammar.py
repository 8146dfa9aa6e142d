"""Which stems are those of common verbs."""

from __future__ import annotations

from graph_memory.language.english import HABITUAL, words_of
from graph_memory.language.stems import stem

# Stems of common verbs.
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


def is_verb(base: str) -> bool:
    """Whether a stem is that of a common verb."""
    return base in _VERBS
