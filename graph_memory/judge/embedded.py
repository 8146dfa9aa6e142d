"""The judge that needs no service: rules measure a pair and a small logistic regression weighs what they found; a small model
that has learnt to read pairs is the second opinion.

What it can and cannot do: docs/explanation/judges.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from weakref import WeakKeyDictionary

from graph_memory.judge.decision import decide, is_of_another, together
from graph_memory.judge.explanation import SAME_WORDS, reason
from graph_memory.judge.features import compare
from graph_memory.judge.linking import link, link_from_old
from graph_memory.judge.pair_model import PairModel, opened
from graph_memory.judge.settings import JudgeSettings
from graph_memory.judge.weights import load
from graph_memory.judge.word_similarity import WordVectors
from graph_memory.language.analysis import MOST_WORDS, Reading, are_same, read
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.protocols import Embedder
from graph_memory.store.service import Service

# The likeness of words was weighed with this family of models; other models scatter theirs otherwise.
_KNOWN_FAMILY = "minilm-l6"
_KEPT: WeakKeyDictionary[Embedder, WordVectors] = WeakKeyDictionary()


_UNREAD = f"the rules read English only, up to {MOST_WORDS} words"


class EmbeddedJudge:
    """Classifies by rules and weights, at once and without any service. Abstains to COEXIST when unsure."""

    name = "embedded"

    def __init__(self, embedder: Embedder | None = None, model: PairModel | None = None) -> None:
        """`embedder` tells which words mean nearly the same; without it, or with another than MiniLM, tables do.

        `model` is the second opinion; without it the rules decide alone.

        Vectors of statements are not looked at: what is embedded may hold a heading that the judge must not weigh.
        """
        self._vectors = _word_vectors(embedder) if embedder and _is_known(embedder) else None
        self._weights = load("words" if self._vectors else "plain")
        self._model = model

    @classmethod
    def of(cls, service: Service) -> EmbeddedJudge:
        """With the embedder of a service and the pair model that its settings name."""
        return cls(service.embedder, opened(service.settings[JudgeSettings].model))

    def learn(self, texts: Sequence[str]) -> None:
        """Embeds the words of many texts at once, so that judging them needs no model any more."""
        if self._vectors is not None:
            self._vectors.learn({word for text in texts for word in read(text).spelled.values()})

    def classify(self, new: Statement, candidates: Sequence[Statement]) -> list[Verdict]:
        """One verdict for each candidate, in order. The same pair gives the same verdict in any company."""
        readings = [read(new.text), *(read(old.text) for old in candidates)]
        if self._vectors is not None:
            self._vectors.learn({word for reading in readings for word in reading.spelled.values()})
        return [
            self._verdict(new, old, readings[0], reading)
            for old, reading in zip(candidates, readings[1:], strict=True)
        ]

    def tells_apart(self, new: Statement, old: Statement) -> bool:
        """Whether the two begin with different names, pronouns or numbers. Never of what the rules cannot read."""
        one, other = read(old.text), read(new.text)
        is_read = one.is_readable and other.is_readable
        return is_read and is_of_another(compare(one, other, False, self._vectors).features)

    def _verdict(self, new: Statement, old: Statement, new_reading: Reading, old_reading: Reading) -> Verdict:
        if are_same(old_reading, new_reading):
            return Verdict(old.id or "", Action.DUPLICATE, 1.0, SAME_WORDS)
        if not (new_reading.is_readable and old_reading.is_readable):
            return Verdict(old.id or "", Action.COEXIST, 0.0, _UNREAD, abstained=True)
        same_day = new.at.astimezone(UTC).date() == old.at.astimezone(UTC).date()
        compared = compare(old_reading, new_reading, same_day and _by_others(old, new), self._vectors)
        probabilities = self._weights.regression.probabilities(compared.features)
        decision = decide(probabilities, compared.features, self._weights.thresholds)
        likely = self._model.read(new, old) if self._model else None
        if self._model and likely:
            decision = together(decision, likely.actions, self._model.thresholds)
        joined = LinkKind.SUPERSEDES if decision.action is Action.SUPERSEDE else None
        turned = None
        if decision.action is Action.COEXIST and decision.proposal is None:
            joined = link(compared)
            turned = link_from_old(compared) if joined is None else None
        return Verdict(
            candidate=old.id or "",
            action=decision.action,
            confidence=decision.confidence,
            reason=reason(compared, decision.proposal or decision.action, joined or turned),
            link=joined or turned,
            abstained=decision.proposal is not None,
            proposal=decision.proposal,
            link_from_candidate=turned is not None,
        )


def _by_others(old: Statement, new: Statement) -> bool:
    """Whether two people said it, as far as is known: who says two things on one day corrects themselves."""
    return old.author is None or new.author is None or old.author != new.author


def _is_known(embedder: Embedder) -> bool:
    return _KNOWN_FAMILY in embedder.model.lower()


def _word_vectors(embedder: Embedder) -> WordVectors:
    """Kept from judge to judge, so that each word is embedded once in the life of an embedder."""
    return _KEPT.setdefault(embedder, WordVectors(embedder))
