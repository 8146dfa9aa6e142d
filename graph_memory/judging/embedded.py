"""The judge that needs no service: rules over the two texts and their vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graph_memory.embedding import Embedder
from graph_memory.judging.verdict import Action, Statement, Verdict
from graph_memory.memory.link_kinds import LinkKind
from graph_memory.understanding.english import words_of
from graph_memory.understanding.entities import mentions

_CHANGE = re.compile(
    r"\b(?:now|no longer|any ?more|switched|moved|migrated|replaced|renamed|instead|quit|left|stopped|sold|"
    r"became|cancell?ed)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(r"\b(?:yesterday|today|last (?:night|week|weekend|month|year)|ago|went)\b", re.IGNORECASE)
_MINOR = words_of(
    "a an the is are was has have had in on at to of for and or with by as it they he she i user my her his "
    "their now"
)


class EmbeddedJudge:
    """Classifies by rules, at once and without any service. Abstains to COEXIST when unsure."""

    name = "embedded"

    def __init__(self, embedder: Embedder | None = None) -> None:
        """`embedder` gives the vectors that statements lack; without it those pairs are judged by words alone."""
        self._embedder = embedder

    def classify(self, new: Statement, candidates: Sequence[Statement]) -> list[Verdict]:
        """One verdict for each candidate, in order."""
        return [self._verdict(new, old) for old in candidates]

    def _verdict(self, new: Statement, old: Statement) -> Verdict:
        cosine = self._cosine(new, old)
        mine, theirs = _words(new.text), _words(old.text)
        added, lost = mine - theirs, theirs - mine
        candidate = old.id or ""
        if not added and not lost:
            return Verdict(candidate, Action.DUPLICATE, 0.95, "the same words")
        named = {mention.key for mention in mentions(new.text)} - {m.key for m in mentions(old.text)}
        if _CHANGE.search(new.text) and cosine > 0.3:
            reason = "a word of change about the same thing"
            return Verdict(candidate, Action.SUPERSEDE, 0.85, reason, LinkKind.SUPERSEDES)
        if _EVENT.search(new.text):
            return Verdict(candidate, Action.COEXIST, 0.85, "an event beside a standing fact")
        if mine & theirs and named and len(lost) <= 1 and cosine > 0.4:
            return Verdict(candidate, Action.MERGE, 0.82, "the same thing with a name")
        if cosine > 0.7 and not named:
            return Verdict(candidate, Action.DUPLICATE, 0.82, "the same in other words")
        return Verdict(candidate, Action.COEXIST, 0.6, "nothing shows that they are one")

    def _cosine(self, new: Statement, old: Statement) -> float:
        vectors = [new.vector, old.vector]
        if self._embedder is not None and None in vectors:
            vectors = [tuple(vector) for vector in self._embedder.embed([new.text, old.text])]
        one, other = vectors
        return 0.0 if one is None or other is None else sum(a * b for a, b in zip(one, other, strict=True))


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[\w'+#]+", text.lower())} - _MINOR
