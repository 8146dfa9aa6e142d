"""What the policy sees of one text: its words in one spelling, values, names, small words, who it speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from graph_memory.language import patterns
from graph_memory.language.coverage import is_readable
from graph_memory.language.english import words_of
from graph_memory.language.grammar import tense_of
from graph_memory.language.modality import marks_of, person_of
from graph_memory.language.names import mentions
from graph_memory.language.roles import Roles, roles_of
from graph_memory.language.stems import stem
from graph_memory.language.values import Value, place_of, taken_out

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
# Before a word; placeholders of values begin with it too. C# keeps its own.
_NUMBER_SIGN = patterns.compile(r"#(?=\w)")
_TOKEN = patterns.compile(r"#[a-z]+#|[^\W_]+(?:['.+#&/-]*[^\W_]+)*[+#]*")
_SELF = words_of("user i me my mine i'm i've i'll i'd he she her his him hers himself herself myself users")
_MINOR = words_of(
    """
    a an the is are am be been being was were has have had having do does did done in on at to of for and or but
    nor with by as from into onto about around over under than then so if that this these those there here it its
    it's they them their theirs we us our ours you your yours who whom whose which what when where while because
    since until till up out off down per via very really quite just even only also too still already now will would
    can could may might shall should must get got gets let lets make makes made go goes one ones each every some any
    more most much many few lot lots bit own same such other another both all at's that's there's isn't aren't wasn't
    weren't doesn't don't didn't hasn't haven't hadn't won't can't couldn't wouldn't shouldn't not cannot no never none
    longer anymore nowadays these currently recently finally lately instead used formerly previously ago time times
    new own owns owned possesses belongs user's # s
    """
)  # fmt: skip
_NEGATION = patterns.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|rarely|seldom)\b|n't\b"
)
# Phrases with a "not" in them that deny nothing.
_NO_DENIAL = patterns.compile(r"\bnot only\b|\bno matter\b|\bno doubt\b|\bno longer than\b|\bnot more than\b")
# Whoever is spoken of by a pronoun, or as the user.
SELF = "#self#"
# Two texts are compared word by word, which takes time with the square of their length.
MOST_WORDS = 300


@dataclass(frozen=True)
class Reading:
    """One text.

    `tokens` is the whole text in comparable form, `content` the stems of the words that say something (without
    values), `spelled` how a stem was written, `names` the words of its names, `plain` all its words, `tense` that of its
    first verb, `marks` what its words say of the whole, `person` the pronoun it begins with. `is_readable` tells whether it
    is English, and short enough.
    """

    tokens: tuple[str, ...]
    content: tuple[str, ...]
    spelled: dict[str, str]
    values: frozenset[Value]
    names: frozenset[str]
    denies: bool
    tense: str
    plain: frozenset[str]
    marks: frozenset[str]
    person: str
    roles: Roles
    is_readable: bool


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """Reads one text."""
    plain = _NUMBER_SIGN.sub(" ", patterns.on_one_blank(text).translate(_APOSTROPHES))
    held, values = taken_out(plain)
    low = held.lower()
    tokens = _TOKEN.findall(low)
    comparable = tuple(_comparable(token, values) for token in tokens)
    names = frozenset(
        stem(word) for mention in mentions(plain) for word in _TOKEN.findall(mention.name.lower())
    ) - {"user", "us"}
    denies = bool(_NEGATION.search(_NO_DENIAL.sub(" ", low)))
    spoken = [token for token in tokens if token not in ("user", "users")]
    spelled = {stem(token): token for token in tokens if _says_something(token)}
    return Reading(
        tokens=comparable,
        content=tuple(spelled),
        spelled=spelled,
        values=frozenset(values),
        names=names,
        denies=denies,
        tense=tense_of(spoken),
        plain=frozenset(tokens),
        marks=marks_of(low),
        person=person_of(tokens),
        roles=roles_of(tokens, [_part(token, values) for token in tokens]),
        is_readable=len(tokens) <= MOST_WORDS and is_readable(text),
    )


def _part(token: str, values: list[Value]) -> str:
    """The stem of a word that says something, a value's spelling, or "" for a small word."""
    if place_of(token) >= 0:
        return "=" + values[place_of(token)].spelled
    return stem(token) if _says_something(token) else ""


def _comparable(token: str, values: list[Value]) -> str:
    place = place_of(token)
    if place >= 0:
        return "=" + values[place].spelled
    return SELF if token in _SELF else stem(token)


def _says_something(token: str) -> bool:
    return token not in _MINOR and token not in _SELF and place_of(token) < 0
