"""One spelling for the forms of a word, so that swam and swimming meet."""

from __future__ import annotations

from functools import lru_cache

from graph_memory.language.english import ENDS_IN_ED_YET_BASE, ENDS_IN_ING_YET_BASE, words_of

_VOWELS = frozenset("aeiouy")
_SHORTEST = 3
_KEEPS_ITS_S = words_of("always bus gas news perhaps plus series status this thus tennis yes less besides")

# Irregular forms, and words that are written in two ways.
_FORMS = {
    "began": "begin", "begun": "begin", "bought": "buy", "broke": "break", "broken": "break",
    "brought": "bring", "built": "build", "came": "come", "caught": "catch", "chose": "choose",
    "chosen": "choose", "cut": "cut", "did": "do", "does": "do", "done": "do", "drank": "drink",
    "drove": "drive", "driven": "drive", "ate": "eat", "eaten": "eat", "fell": "fall", "fallen": "fall",
    "felt": "feel", "flew": "fly", "flown": "fly", "forgot": "forget", "forgotten": "forget",
    "found": "find", "gave": "give", "given": "give", "goes": "go", "gone": "go", "got": "get",
    "gotten": "get", "grew": "grow", "grown": "grow", "had": "have", "has": "have", "heard": "hear",
    "held": "hold", "hid": "hide", "kept": "keep", "knew": "know", "known": "know", "laid": "lay",
    "learnt": "learn", "left": "leave", "lent": "lend", "lost": "lose", "made": "make", "meant": "mean",
    "met": "meet", "paid": "pay", "ran": "run", "said": "say", "sang": "sing", "sat": "sit",
    "saw": "see", "seen": "see", "sent": "send", "shot": "shoot", "slept": "sleep", "sold": "sell",
    "spent": "spend", "spoke": "speak", "spoken": "speak", "stole": "steal", "stolen": "steal",
    "stood": "stand", "swam": "swim", "swum": "swim", "taken": "take", "took": "take",
    "taught": "teach", "thought": "think", "told": "tell", "tore": "tear", "torn": "tear",
    "went": "go", "won": "win", "wore": "wear", "worn": "wear", "wrote": "write", "written": "write",
    "dying": "die", "lying": "lie", "children": "child", "kid": "child", "kids": "child",
    "people": "person", "men": "man", "women": "woman", "wives": "wife", "lives": "live",
    "feet": "foot", "teeth": "tooth", "mice": "mouse", "favorite": "favourite", "color": "colour",
    "colors": "colour", "neighbor": "neighbour", "neighbors": "neighbour", "mom": "mother",
    "mum": "mother", "dad": "father", "gran": "grandmother", "grandma": "grandmother",
    "grandpa": "grandfather", "film": "movie", "films": "movie", "bike": "bicycle",
    "bikes": "bicycle", "apartment": "flat", "apartments": "flat", "db": "database",
    "postgres": "postgresql", "k8s": "kubernetes", "repo": "repository", "repos": "repository",
    "tv": "television", "kg": "kilo", "kilos": "kilo", "kilogram": "kilo",
    "kilograms": "kilo", "km": "kilometre", "kilometers": "kilometre", "miles": "mile", "hrs": "hour",
    "mins": "minute", "wifi": "wi-fi", "programme": "program", "doc": "document", "docs": "document",
    "app": "application", "apps": "application", "job": "job", "photo": "picture", "photos": "picture",
    "mobile": "phone", "smartphone": "phone",
    "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year",
}  # fmt: skip


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """The stem of a lower-case word: not always a word itself, but the same for its forms."""
    word = word.removesuffix("'s").removesuffix("'")
    if word in _FORMS:
        return _FORMS[word]
    base = _without_ending(word)
    return _FORMS.get(base, base)


@lru_cache(maxsize=16_384)
def forms(word: str) -> frozenset[str]:
    """A lower-case word and those of the table that have its stem: spend and spent, bike and bicycle."""
    base = stem(word)
    return frozenset({word, *_BY_STEM.get(base, ())})


def _without_ending(word: str) -> str:
    if len(word) <= _SHORTEST or not word.isalpha() or word in _KEEPS_ITS_S:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return _bare(word[:-1])
    if word.endswith("ied"):
        return word[:-3] + "y"
    if word.endswith("ed") and word not in ENDS_IN_ED_YET_BASE and _has_vowel(word[:-2]):
        return _undoubled(word[:-2])
    if word.endswith("ing") and word not in ENDS_IN_ING_YET_BASE and _has_vowel(word[:-3]):
        return _undoubled(word[:-3])
    return _bare(word)


def _bare(word: str) -> str:
    """Without a final e: like and liking meet in lik."""
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


def _undoubled(word: str) -> str:
    doubled = len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "lsz"
    return _bare(word[:-1] if doubled else word)


def _has_vowel(word: str) -> bool:
    return len(word) >= 2 and not _VOWELS.isdisjoint(word)


_BY_STEM: dict[str, set[str]] = {}
for _form, _base in _FORMS.items():
    _BY_STEM.setdefault(stem(_base), {_base}).add(_form)
