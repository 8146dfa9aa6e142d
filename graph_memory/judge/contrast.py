"""Where two statements that look alike speak of two things, or say two things of one.

Each is a reason not to act, however alike the words are: another of its kind was added, another thing was denied or
ended, the same happened once more, a word stands in another's place beside a second one that changed as well.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np

from graph_memory.judge.word_similarity import Matrix
from graph_memory.language import cues, modality, patterns, roles
from graph_memory.language.analysis import SELF, Reading, are_same, read, stems_in
from graph_memory.language.english import words_of

ALIKE = 0.62
# From this likeness on one word may stand for another in a sentence that is the same otherwise.
_SAME = 0.85
# The share of equal words from which two sentences are built alike, and from which they are the same but for a word.
_SIMILAR = 0.4
_PARALLEL = 0.5
_FAR = 0.35
# A noun, the word that tells which one it is, and one more; and how far the second may stand from the first.
_LED = 3
_NEAR = 3
# So many words of its own, and such a share of its words, make a statement say more than another whose words it has all.
_MORE = 2
_SHARE_OF_MORE = 0.4

_ADDS = patterns.compile(
    r"\b(?:also|as well|another|additionally|in addition|besides|on top of that|furthermore)\b(?! as\b)|\btoo\s*(?:$|[.,;!?])|"
    r"\b(?:one|a \w+) more\b"
)
_DENIES = patterns.compile(
    r"(?:\b(?:not|no longer|never|no more|cannot|without|nobody|nothing)\b|n't\b|\bused to\b|\binstead of\b|"
    r"\brather than\b|\bin place of\b)"
)
_ENDS = patterns.compile(
    r"\b(?:stopped|quit|sold|left|gave up|given up|gave away|given away|got rid of|get rid of|cancel+ed|dropped|ended|"
    r"returned|lost|terminated|threw out|threw away|finished|resigned from|unsubscribed from|let go of|divorced|"
    r"traded|removed|deleted|closed|fixed|repaired|replaced|paid)\b"
)
_ENDED = patterns.compile(rf"\b(?:is|are|was|were|been|being|got)\s+(?:\w+\s+)?{_ENDS.pattern}")
_RESUMES = patterns.compile(
    r"\b(?:again|resum\w+|back to|back on|after all|once more|resubscribed|rejoined|restarted|reopened)\b"
)
_GAVE_UP = patterns.compile(
    r"\b(?:no longer|any ?more|used to|stopped|quit|gave up|given up|cancel+ed|left|dropped|paused|closed|sold|ended)\b"
)
_CLAUSE_ENDS = patterns.compile(
    r"[.;:,!?]|\b(?:because|since|and|but|so|now|nowadays|when|after|instead|as|in order|for|while|who|which|due)\b"
)
_CHANGES = patterns.compile(
    r"\b(?:instead|replac\w+|switch\w*|swapp\w+|traded|mov(?:ed|ing)|chang\w+|no longer|any ?more|upgraded|became|becom\w+|"
    r"turned into|took over|taken over|migrat\w+|rather than|in place of|went from|converted|given way|gone)\b"
)
_HANDS_OVER = patterns.compile(
    r"\b(?:took|taken|takes|taking) over\b|\b(?:replac|succeed)(?:e?s|e?d|ing)\b|\bin (?:the )?place of\b|"
    r"\bstepped (?:in|down)\b|\bthe new\b|\bappointed\b|\belected\b|\bpromoted\b|\bnamed\b|\bbelongs to\b|\bpassed to\b"
)
_STATES = words_of("be have own weigh cost")
_INDEFINITE = patterns.compile(r"\b(?:has|have|had|owns?|got|keeps?|bought|adopted)\s+(?:an?|another)\b")
_IS_A = patterns.compile(
    r"\b(?:is|are|am|was|were|i'm)\s+(?:(?:now|currently|still|just)\s+)*(?P<first>[\w#']+)\s*(?P<second>[\w#']*)"
)
_WHAT = patterns.compile(r"\b(?:is|am|are|i'm)\s+an?\s+(?P<what>[\w '-]+)")
_PAST = patterns.compile(
    r"\blast (?:spring|summer|autumn|winter|year|month)\b|\byears ago\b|\bas a (?:child|kid|student|teenager|boy|girl)\b"
)
_NARROWING = words_of("for in on at with when while during to")
_ANY_VERB = words_of("go have get start do take tak make mak be")
_BEFORE_A_NOUN = words_of("the my our your his her their this that its")
_ARTICLES = words_of("the a an")
_TITLES = words_of("mr mrs ms dr prof")
_PLACE = words_of("at in on near by under above below behind with from to off over")


def says_otherwise(old: str, new: str) -> bool:
    """Whether small words, the order of words or the person show that two texts do not say the same, whatever their
    words. Of texts that the rules cannot read only those with equal words do."""
    one, other = read(old), read(new)
    if not (one.is_readable and other.is_readable):
        return not are_same(one, other)
    return (
        one.marks != other.marks
        or modality.are_rivals(one.plain, other.plain)
        or modality.are_sides(one.plain, other.plain)
        or modality.tenses_part(one.grammar.tense, other.grammar.tense)
        or modality.other_person(one.person, other.person)
        or roles.exchanged(one.roles, other.roles)
    )


def measured(old: Reading, new: Reading, alike: Matrix) -> dict[str, float]:
    """Each contrast by name: 1 where it is seen. `alike` are the likenesses of new words (rows) to old ones."""
    alike = _names_apart(old, new, alike)
    gone = frozenset(
        w for w, best in zip(old.content, alike.max(axis=0, initial=0), strict=True) if best < ALIKE
    )
    come = frozenset(
        w for w, best in zip(new.content, alike.max(axis=1, initial=0), strict=True) if best < ALIKE
    )
    swaps = _swaps(old, new, alike, _SIMILAR)
    states = cues.condition(old.low, old.denies), cues.condition(new.low, new.denies)
    is_one_state = states[0] == states[1] != 0
    exchanged = roles.exchanged(old.roles, new.roles)
    is_past = old.grammar.tense in ("past", "perfect")
    changes = bool(_CHANGES.search(new.low)) or "switch" in new.cues
    hands_over = bool(_HANDS_OVER.search(new.low))
    return {
        # Not the same.
        "marks_differ": float(old.marks != new.marks),
        "rivals": float(modality.are_rivals(old.plain, new.plain)),
        "exchanged": float(exchanged),
        "tenses_part": float(modality.tenses_part(old.grammar.tense, new.grammar.tense)),
        "other_pronoun": float(modality.other_person(old.person, new.person)),
        "plain_swap": float(
            any(likeness < _SAME for likeness, _ in _swaps(old, new, alike, _PARALLEL)) and not is_one_state
        ),
        "tells_what": float(_tells_what(old, new)),
        "fuller": float(_is_fuller(old, new)),
        "names_alone": float(_share_names_alone(new, alike)),
        "resumed": float(
            bool(_RESUMES.search(new.low))
            and (old.denies or bool(_GAVE_UP.search(old.low)))
            and not new.denies
            and bool(set(old.content) & set(new.content) - new.subject - _ANY_VERB)
        ),
        # Not newer.
        "adds": float(bool(_ADDS.search(new.low)) and not _DENIES.search(new.low)),
        "denies_another": float(bool(gone) and bool(come & _after(_DENIES, new.low)) and not old.denies),
        "ends_another": float(_ends_another(new, come)),
        "same_event": float(
            is_past
            and new.grammar.tense in ("past", "perfect")
            and old.grammar.verb == new.grammar.verb
            and old.grammar.verb not in _STATES
        ),
        "long_past": float(
            new.grammar.tense == "past"
            and not changes
            and "ending" not in new.cues
            and bool(_PAST.search(new.low))
        ),
        "both_without": float(old.denies and new.denies and bool(gone or come)),
        "one_more": float(
            bool(_INDEFINITE.search(old.low) and _INDEFINITE.search(new.low))
            and bool(gone and come)
            and not changes
        ),
        "other_kind": float(_kinds_part(old.low, new.low) and not changes),
        "two_swaps": float(
            len(swaps) + (_value_changed(old, new) and "ending" not in new.cues) > 1 and not changes
        ),
        "narrowed": float(bool(swaps) and _is_narrowed(old, new) and not changes),
        "other_place": float(_is_placed_apart(old.roles, new.roles)),
        "other_side": float(modality.are_sides(old.plain, new.plain)),
        "subject_unknown": float(_is_unknown(new, alike) and not hands_over),
        "was_object_only": float(
            bool(new.subject & (set(old.content) - old.subject))
            and bool(old.subject)
            and not new.subject & old.subject
            and not old.subject & set(new.content)
            and not hands_over
        ),
        "other_subject": float(any(is_first for _, is_first in swaps) and not hands_over and not exchanged),
    }


def _swaps(old: Reading, new: Reading, alike: Matrix, least: float) -> list[tuple[float, bool]]:
    """Where two parallel sentences have words of their own in one place: how alike these are, whether before the verb."""
    matcher = SequenceMatcher(None, old.tokens, new.tokens, autojunk=False)
    if matcher.ratio() < least:
        return []
    columns = {word: place for place, word in enumerate(old.content)}
    rows = {word: place for place, word in enumerate(new.content)}
    found = []
    for sign, start, end, from_, to in matcher.get_opcodes():
        if sign != "replace":
            continue
        gone = [columns[word] for word in old.tokens[start:end] if word in columns]
        come = [rows[word] for word in new.tokens[from_:to] if word in rows]
        after_article = start > 0 and old.tokens[start - 1] in _ARTICLES
        is_named = old.names & set(old.tokens[start:end]) or new.names & set(new.tokens[from_:to])
        if (gone and come) or ((gone or come) and (after_article or is_named)):
            is_first = any(old.content[place] in old.subject for place in gone) and any(
                new.content[place] in new.subject for place in come
            )
            found.append((float(alike[come][:, gone].max(initial=0)), is_first))
    return found


def _value_changed(old: Reading, new: Reading) -> bool:
    gone, come = old.values - new.values, new.values - old.values
    return not {value.kind for value in gone}.isdisjoint(value.kind for value in come)


def _is_narrowed(old: Reading, new: Reading) -> bool:
    """Whether the new one ends in a phrase of its own: for sessions, in YAML."""
    sign, *_, start, end = SequenceMatcher(None, old.tokens, new.tokens, autojunk=False).get_opcodes()[-1]
    tail = new.tokens[start + (sign == "replace") : end]
    places = (place for place, word in enumerate(tail[:-1]) if word in _NARROWING and word not in old.tokens)
    return sign != "equal" and any(word in new.content for place in places for word in tail[place + 1 :])


def _is_unknown(new: Reading, alike: Matrix) -> bool:
    """Whether nothing that stands before the verb was in the old one."""
    rows = [place for place, word in enumerate(new.content) if word in new.subject]
    is_of_self = SELF in new.tokens[: new.grammar.place]
    return bool(rows) and not is_of_self and float(alike[rows].max(initial=0)) < ALIKE


def _is_placed_apart(old: roles.Roles, new: roles.Roles) -> bool:
    """Whether both begin with one noun, and each tells by a phrase of its own which one: the lamp in the hall."""
    if old.tokens[:1] != new.tokens[:1] or old.tokens[0] not in _BEFORE_A_NOUN:
        return False
    one, other = list(old.places)[:3], list(new.places)[:3]
    if min(len(one), len(other)) < _LED or one[0] != other[0] or one[1] == other[1]:
        return False
    role = old.governed[one[1]]
    is_near = (
        max(old.places[one[1]] - old.places[one[0]], new.places[other[1]] - new.places[other[0]]) <= _NEAR
    )
    return bool(role) and role == new.governed[other[1]] and is_near


def _share_names_alone(new: Reading, alike: Matrix) -> bool:
    """Whether both speak of one name, and each says of it what the other does not."""
    if not alike.size:
        return False
    best = alike.max(axis=1, initial=0)
    shared = {word for word, value in zip(new.content, best, strict=True) if value >= ALIKE}
    is_far = best.min() < _FAR and alike.max(axis=0, initial=0).min() < _FAR
    return bool(shared) and shared <= new.names | _TITLES and bool(is_far)


def _names_apart(old: Reading, new: Reading, alike: Matrix) -> Matrix:
    """The likenesses without those of different names: Lisbon is near to Porto, and another town."""
    rows = np.array([word in new.names for word in new.content], bool)
    columns = np.array([word in old.names for word in old.content], bool)
    return np.where(rows[:, None] & columns & (alike < 1), 0, alike).astype(np.float32)


def _tells_what(old: Reading, new: Reading) -> bool:
    """Whether the new one says what something is in a word that the old one has not: Max is a poodle."""
    found = _WHAT.search(new.low)
    return found is not None and bool(stems_in(found["what"]) - set(old.content))


def _is_fuller(old: Reading, new: Reading) -> bool:
    """Whether the new one has all words of the old one, and nearly as many or more of its own."""
    known, said = set(old.content), set(new.content)
    own = said - known
    return known <= said and len(own) >= _MORE and len(own) >= _SHARE_OF_MORE * len(said)


def _ends_another(new: Reading, come: frozenset[str]) -> bool:
    """Whether what the new one ends is none of what the old one speaks of."""
    ended = new.subject if _ENDED.search(new.low) else _after(_ENDS, new.low)
    return bool(ended) and ended <= come | {new.grammar.verb}


@lru_cache(maxsize=2048)
def _after(cue: re.Pattern[str], low: str) -> frozenset[str]:
    """The stems of what follows a cue in its clause."""
    found: set[str] = set()
    for match in cue.finditer(low):
        rest = low[match.end() :]
        end = _CLAUSE_ENDS.search(rest)
        found |= stems_in(rest[: end.start()] if end else rest)
    return frozenset(found)


def _kinds_part(old: str, new: str) -> bool:
    """Whether one says what something is and the other where it is, or how old."""
    one, other = _IS_A.search(old), _IS_A.search(new)
    if one is None or other is None:
        return False
    kinds = {_kind(one), _kind(other)}
    return len(kinds) > 1 and "" not in kinds


def _kind(found: re.Match[str]) -> str:
    first, second = found["first"], found["second"]
    if first in ("a", "an"):
        return "a"
    if first.startswith("#"):
        return "number"
    return "place" if first in _PLACE and second else ""
