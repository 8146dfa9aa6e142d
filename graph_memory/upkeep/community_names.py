"""Names of communities: what their memories say that the subject's other memories do not.

The weight of a term in a community is

    max(0, p - q)  ×  max(0, ln((n - k + ½) / (k + ½)))  ×  noun

where the share p of its members say it, the share q of the subject's other memories, and k of all n live memories. The
second factor is the inverse document frequency of BM25, within the subject: a term that half of the memories or more have,
as the names of those who talk mostly are, weighs nothing. Terms are the entities that memories mention, and the stems of
their words; a word of a mentioned entity's name is no term. `noun` is 1 for an entity, and for a word the share of the
memories saying it in which it stands where nouns do: verbs name nothing, nor do the words by which extraction joins a
question to its answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph_memory.language.keywords import nouns, topics
from graph_memory.store.service import Row

# So many terms at most, each at least this share as heavy as the first.
MOST_TERMS, LIGHTEST = 3, 0.5
# The name of before stays while its terms weigh this share of those that would take their place.
STEADY = 0.6
LONGEST = 80
_ENTITY = "entity:"


@dataclass(frozen=True)
class Name:
    """What a community is called, and the keys of the terms that this is made of; none where it is a member's caption."""

    label: str
    about: tuple[str, ...] = ()


class Topics:
    """The terms of all live memories of one subject."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._spelled: dict[str, Counter[str]] = {}
        self._as_noun: Counter[str] = Counter()
        self._of = {row["id"]: self._terms(row) for row in rows}
        self._counts = Counter(term for terms in self._of.values() for term in terms)

    def name(self, members: Iterable[str], caption: str, before: Sequence[str] = ()) -> Name:
        """The name of a community with these members; `before` are the terms that its name was made of so far."""
        weights = self._weights(members)
        if before and self._is_steady(before, weights):
            return self._made(before)
        best = sorted(weights, key=lambda term: (-weights[term], self._word(term), term))[:MOST_TERMS]
        about = [term for term in best if weights[term] >= LIGHTEST * weights[best[0]]]
        return self._made(about) if about else Name(caption[:LONGEST])

    def rarity(self, term: str) -> float:
        """How much it tells that a memory has this term: 0 for what half of the memories have."""
        count = self._counts[term]
        return max(0.0, math.log((len(self._of) - count + 0.5) / (count + 0.5)))

    def of(self, memory: str) -> frozenset[str]:
        """The terms of a memory."""
        return frozenset(self._of.get(memory, ()))

    def _weights(self, members: Iterable[str]) -> dict[str, float]:
        """What two members or more say, by its weight."""
        ids = [id for id in sorted(members) if id in self._of]
        others = max(1, len(self._of) - len(ids))
        counts = Counter(term for id in ids for term in self._of[id])
        found = {
            term: (count / len(ids) - (self._counts[term] - count) / others) * self._tells(term)
            for term, count in counts.items()
            if count > 1
        }
        return {term: weight for term, weight in found.items() if weight > 0}

    def _tells(self, term: str) -> float:
        """How rare it is, and how far a thing; what is met seldom may be one without it showing."""
        if term.startswith(_ENTITY):
            return self.rarity(term)
        return self.rarity(term) * (self._as_noun[term] + 1) / (self._counts[term] + 2)

    def _is_steady(self, before: Sequence[str], weights: Mapping[str, float]) -> bool:
        heaviest = sorted(weights.values(), reverse=True)[: len(before)]
        return all(term in weights for term in before) and (
            sum(weights[term] for term in before) >= STEADY * sum(heaviest)
        )

    def _made(self, about: Sequence[str]) -> Name:
        return Name(", ".join(map(self._word, about))[:LONGEST], tuple(about))

    def _word(self, term: str) -> str:
        """As it is written most often."""
        return min(self._spelled[term].items(), key=lambda each: (-each[1], each[0]))[0]

    def _terms(self, row: Row) -> frozenset[str]:
        names = {_ENTITY + each["id"]: str(each["name"]) for each in row["entities"]}
        named = {stem for name in names.values() for stem in topics(name, None)}
        words = {
            stem: word for stem, word in topics(row["text"] or "", row["author"]).items() if stem not in named
        }
        for term, word in (*names.items(), *words.items()):
            self._spelled.setdefault(term, Counter())[word] += 1
        self._as_noun.update(nouns(row["text"] or "") & words.keys())
        return frozenset((*names, *words))
