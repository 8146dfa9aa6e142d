"""RELATES_TO: what a statement says of two entities that it mentions, read by a small table of patterns or by a model.

A relation belongs to the memory it was read from: it answers at a moment only while a state of that memory answers
which still has the text it was read from. So it has no versions and no ledger of its own: superseding, retracting,
undoing or revising the memory takes the relation along, and bringing the memory back brings it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from graph_memory.base.clock import FOREVER
from graph_memory.entities.resolution import Meant, known_of
from graph_memory.language import patterns
from graph_memory.language.names import key
from graph_memory.ledger.changes import Writing
from graph_memory.model.memory import Relates
from graph_memory.store.queries import query

RELATE = query("entities/relate")
NAMED_BY = query("entities/named_by")

# The type of a relation, how it is said between two names, and whether the second name is the one it starts from.
_SAID: tuple[tuple[str, str, bool], ...] = (
    ("WORKS_AT", r"(?:now |still |currently )?(?:works?|is working|is employed|interns?) (?:at|for|by|with)", False),
    ("WORKS_AT", r"(?:has )?joined|is (?:an? |the )?[\w -]{2,30} at", False),
    ("EMPLOYS", r"(?:employs|hired|has hired)", False),
    ("LIVES_IN", r"(?:now |still |currently )?(?:lives?|is living|resides) in|(?:has )?(?:moved|relocated) to", False),
    ("BORN_IN", r"(?:was|is) born in|(?:grew up|was raised) in", False),
    ("MARRIED_TO", r"(?:is|got|was) married to|(?:has )?married", False),
    ("MARRIED_TO", r"(?:is|,) (?:the )?(?:husband|wife|spouse) of|'s (?:husband|wife|spouse),?(?: is)?", False),
    ("SIBLING_OF", r"is (?:the |a )?(?:brother|sister|sibling|twin) of", False),
    ("SIBLING_OF", r"'s (?:\w+ )?(?:brother|sister|sibling|twin),?(?: is)?", False),
    ("PARENT_OF", r"is (?:the )?(?:mother|father|parent|mum|mom|dad) of", False),
    ("PARENT_OF", r"'s (?:mother|father|mum|mom|dad|parent),?(?: is)?", True),
    ("CHILD_OF", r"is (?:the |a )?(?:\w+ )?(?:son|daughter|child) of", False),
    ("CHILD_OF", r"'s (?:\w+ )?(?:son|daughter|child),?(?: is)?", True),
    ("FRIEND_OF", r"is (?:a |the )?(?:best |old |close |good )?friends? (?:of|with)", False),
    ("FRIEND_OF", r"'s (?:best |old |close |good )?friend,?(?: is)?", False),
    ("MEMBER_OF", r"is (?:a |the )?(?:\w+ )?member of|belongs to|plays (?:for|in)", False),
    ("MANAGES", r"(?:manages|leads|heads|runs|is the (?:head|ceo|cto|manager|boss|director) of)", False),
    ("OWNS", r"(?:owns|has bought|bought)", False),
    ("USES", r"(?:now |still |currently )?(?:uses|is using|runs on|is built (?:with|on)|relies on)", False),
    ("LOCATED_IN", r"(?:is|are) (?:located |based |situated )?in|is headquartered in", False),
    ("PART_OF", r"is (?:a )?(?:part|division|branch|subsidiary|district) of", False),
    ("FOUNDED", r"(?:has )?(?:co-?)?founded|is (?:the |a )?(?:co-?)?founder of", False),
    ("STUDIES_AT", r"(?:studies|is studying|studied|graduated|goes to school|is a student) (?:at|from)", False),
    ("MADE", r"(?:wrote|composed|painted|directed|created|invented|developed)", False),
    ("KNOWS", r"(?:knows|met|has met)", False),
)  # fmt: skip
_PATTERNS = tuple((kind, patterns.compile(said, re.IGNORECASE), is_turned) for kind, said, is_turned in _SAID)
_BOTH_WAYS = frozenset({"MARRIED_TO", "SIBLING_OF", "FRIEND_OF", "KNOWS"})
# What may stand before the second name without changing what is said.
_LEAD = patterns.compile(r"(?:\s*,)?\s+(?:the |a |an |his |her |their )?\Z")
# Beside a sign of doubt or denial, or in a question, nothing is stated.
_DOUBT = patterns.compile(
    r"\b(?:not|never|no longer|n't|if|whether|might|(?-i:may)|maybe|perhaps|would|could|wants? to)\b|\?",
    re.IGNORECASE,
)
_SENTENCE_END = patterns.compile(r"[.!?;]\s|\n")
# Characters of a sentence at most that are looked at on either side of two names.
_SENTENCE = 1000
STRENGTH = 0.8
# How a relation is marked that a language model named.
EXTRACTION = "extraction"
_TYPE = patterns.compile(r"[A-Z][A-Z0-9_]{0,39}")


@dataclass(frozen=True)
class Stated:
    """`from_id` relates to `to_id` by `type`, as a text says it; `strength` lies between 0 and 1.

    `source_kind` is None where a rule read it.
    """

    from_id: str
    type: str
    to_id: str
    strength: float = STRENGTH
    source_kind: str | None = None


def type_of(given: str) -> str | None:
    """A type of relation as it is stored, WORKS_AT for `works at`; None for what is none, or has more than 40 signs."""
    spelled = patterns.compile(r"[\s-]+").sub("_", given.strip()).upper()
    return spelled if _TYPE.fullmatch(spelled) else None


def stated(text: str, meant: Sequence[Meant]) -> list[Stated]:
    """The relations that a text states between neighbouring names, each once; none where it doubts or denies them.

    Relations that go both ways are stored once, from the lower id to the higher.
    """
    places = _places(text, meant)
    found = (_between(text, left, right) for left, right in pairwise(places))
    return list(dict.fromkeys(each for each in found if each is not None))


def read_by_model(text: str, meant: Sequence[Meant], given: Sequence[Relates]) -> list[Stated]:
    """Those of a model's relations that hold between entities which the text mentions, and that it does not doubt."""
    found = (_as_stated(text, meant, each) for each in given)
    return list(dict.fromkeys(each for each in found if each is not None))


def relate(
    writing: Writing,
    texts: Mapping[str, str],
    meant: Mapping[str, Sequence[Meant]],
    given: Mapping[str, Sequence[Relates]] = MappingProxyType({}),
) -> None:
    """Stores what new memories state, and what a model read in them; derived, so no Change."""
    rows = [
        {
            "memory_id": id,
            "from": each.from_id,
            "to": each.to_id,
            "type": each.type,
            "strength": each.strength,
            "source_kind": each.source_kind,
        }
        for id, names in sorted(meant.items())
        if len(names) > 1
        for each in [*stated(texts[id], names), *read_by_model(texts[id], names, given.get(id, ()))]
    ]
    if rows:
        writing.run(RELATE, rows=rows)


def relate_again(writing: Writing, id: str) -> None:
    """Stores what a memory states whose text was changed; what it stated before stays for reads of the past."""
    [row] = writing.run(NAMED_BY, id=id, forever=FOREVER)
    known = map(known_of, row["mentioned"])
    names = [Meant(name, each.id) for each in known for name in (each.name, *each.aliases)]
    relate(writing, {id: row["text"]}, {id: names})


@dataclass(frozen=True)
class _Place:
    start: int
    end: int
    entity_id: str


def _places(text: str, meant: Iterable[Meant]) -> list[_Place]:
    """Where the names stand, the longest first where they overlap, in the order of the text."""
    taken, found = bytearray(len(text)), list[_Place]()
    for each in sorted(meant, key=lambda each: -len(each.name)):
        for match in patterns.compile(rf"(?<!\w){re.escape(each.name)}(?!\w)", re.IGNORECASE).finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append(_Place(start, end, each.entity_id))
    return sorted(found, key=lambda place: place.start)


def _as_stated(text: str, meant: Sequence[Meant], given: Relates) -> Stated | None:
    """A model's relation between the two entities that its names mean; None where one is not mentioned, or all is doubted."""
    kind = type_of(given.type)
    ends = [_meant_by(name, meant) for name in (given.name, given.other)]
    if kind is None or ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return None
    places = [place for place in _places(text, meant) if place.entity_id in ends]
    pairs = [(left, right) for left, right in pairwise(places) if left.entity_id != right.entity_id]
    # The two places that lie nearest to each other are those where they are related.
    nearest = min(pairs, key=lambda pair: pair[1].start - pair[0].end, default=None)
    if nearest is None or _doubts(text, *nearest):
        return None
    start, end = sorted((ends[0], ends[1])) if kind in _BOTH_WAYS else (ends[0], ends[1])
    return Stated(start, kind, end, source_kind=EXTRACTION)


def _meant_by(name: str, meant: Iterable[Meant]) -> str | None:
    """The one entity among those mentioned that has this name."""
    wanted = key(name)
    ids = {each.entity_id for each in meant if wanted in (key(each.name), *each.keys)}
    return ids.pop() if len(ids) == 1 else None


def _between(text: str, left: _Place, right: _Place) -> Stated | None:
    said = text[left.end : right.start]
    if left.entity_id == right.entity_id or _SENTENCE_END.search(said) or _doubts(text, left, right):
        return None
    for kind, pattern, is_turned in _PATTERNS:
        match = pattern.match(said, len(said) - len(said.lstrip(" ")))
        if match is None or not _LEAD.fullmatch(said, match.end()):
            continue
        one, other = (right, left) if is_turned else (left, right)
        ends = (one.entity_id, other.entity_id)
        if kind in _BOTH_WAYS:
            ends = (min(ends), max(ends))
        return Stated(ends[0], kind, ends[1])
    return None


def _doubts(text: str, left: _Place, right: _Place) -> bool:
    first, last = max(0, left.start - _SENTENCE), right.end + _SENTENCE
    begins = max((match.end() for match in _SENTENCE_END.finditer(text, first, left.start)), default=first)
    following = _SENTENCE_END.search(text, right.end, last)
    ends = following.start() + 1 if following else last
    return _DOUBT.search(text[begins:ends]) is not None
