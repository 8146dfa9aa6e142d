"""Fitting the regression to pairs, honestly measured: no group stands on both sides of a fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_memory.judge.decision import CLASSES, Thresholds, allowed
from graph_memory.judge.features import compare
from graph_memory.judge.regression import Regression, fit
from graph_memory.judge.training.pairs import Pair
from graph_memory.judge.word_similarity import WordVectors
from graph_memory.language.analysis import read
from graph_memory.model.verdict import Action

FOLDS = 10

# Chosen once on cross-validation.
_STRENGTH = 0.02
# A pair read the other way counts half; 0 would leave classes their share, 1 make them equal.
_TURNED_COUNTS = 0.5
_BALANCE = 0.5
_LEAST_SPREAD = 1e-3
# What is allowed on pairs like these, of which half ask for a destructive action.
_WRONG_DESTRUCTIVE = 0.7 / 40
_SUPERSEDE_PRECISION = 0.955

_DESTRUCTIVE = tuple(CLASSES.index(action) for action in CLASSES if action != Action.COEXIST.value)
_COEXIST = CLASSES.index(Action.COEXIST.value)
_SUPERSEDE = CLASSES.index(Action.SUPERSEDE.value)

Array = NDArray[np.float64]
Measured = list[dict[str, float]]


@dataclass(frozen=True)
class Sample:
    """Pairs with their features, and those of the pairs that also read the other way."""

    pairs: tuple[Pair, ...]
    straight: Measured
    turned: dict[int, dict[str, float]]

    @property
    def labels(self) -> NDArray[np.int64]:
        return np.array([CLASSES.index(pair.action.value) for pair in self.pairs])


def sample(pairs: Sequence[Pair], vectors: WordVectors | None) -> Sample:
    """Measures all pairs."""
    if vectors is not None:
        texts = {text for pair in pairs for text in (pair.old, pair.new)}
        vectors.learn({word for text in texts for word in read(text).spelled.values()})
    straight = [_measured(pair, vectors) for pair in pairs]
    turned = {n: _measured(pair.turned(), vectors) for n, pair in enumerate(pairs) if pair.reads_both_ways}
    return Sample(tuple(pairs), straight, turned)


def trained(given: Sample, chosen: Sequence[int] | None = None) -> Regression:
    """The regression for the pairs of those numbers; for all without."""
    numbers = range(len(given.pairs)) if chosen is None else chosen
    both_ways = [n for n in numbers if n in given.turned]
    measured = [given.straight[n] for n in numbers] + [given.turned[n] for n in both_ways]
    names = tuple(measured[0])
    rows = np.array([[one[name] for name in names] for one in measured])
    labels = given.labels[[*numbers, *both_ways]]
    counts = np.array([1.0] * len(numbers) + [_TURNED_COUNTS] * len(both_ways))
    shares = np.array([counts[labels == number].sum() for number in range(len(CLASSES))])
    counts *= ((shares.mean() / shares) ** _BALANCE)[labels]
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + _LEAST_SPREAD
    found = fit((rows - middle) / spread, labels.tolist(), counts, CLASSES, names, _STRENGTH)
    weights = found.weights / spread
    return Regression(found.classes, names, weights, found.bias - weights @ middle)


def cross_validated(given: Sample) -> Array:
    """For each pair the probabilities by a regression that saw nothing of its group."""
    groups = np.array([pair.group for pair in given.pairs])
    order = np.random.default_rng(3).permutation(np.unique(groups))
    fold_of = {int(group): place % FOLDS for place, group in enumerate(order)}
    folds = np.array([fold_of[int(group)] for group in groups])
    found = np.zeros((len(groups), len(CLASSES)))
    for fold in range(FOLDS):
        regression = trained(given, np.flatnonzero(folds != fold).tolist())
        for number in np.flatnonzero(folds == fold):
            measured = given.straight[number]
            found[number] = list(allowed(regression.probabilities(measured), measured).values())
    return found


def thresholds(probabilities: Array, labels: NDArray[np.int64]) -> Thresholds:
    """The lowest probabilities from which each destructive action may be taken, with as many right as can be.

    Held to 0.7 wrong destructive actions in 40, and to a SUPERSEDE that is right 95.5 times in 100.
    """
    steps = np.arange(0.36, 0.98, 0.02)
    said = probabilities.argmax(axis=1)
    best, best_right = (float(steps[-1]),) * len(_DESTRUCTIVE), -1.0
    tallies = [
        [_tally(probabilities, labels, said, action, step) for step in steps] for action in _DESTRUCTIVE
    ]
    for a, duplicate in zip(steps, tallies[0], strict=True):
        for b, supersede in zip(steps, tallies[1], strict=True):
            if supersede[0] < _SUPERSEDE_PRECISION * sum(supersede):
                continue
            for c, merge in zip(steps, tallies[2], strict=True):
                wrong = duplicate[1] + supersede[1] + merge[1]
                right = duplicate[0] + supersede[0] + merge[0] - wrong
                if wrong <= _WRONG_DESTRUCTIVE * len(labels) and right > best_right:
                    best, best_right = (float(a), float(b), float(c)), right
    return Thresholds(*(round(step, 2) for step in best))


def figures(probabilities: Array, labels: NDArray[np.int64], given: Thresholds) -> dict[str, Any]:
    """What the bench tells of a cross-validation."""
    said = probabilities.argmax(axis=1)
    least = np.array([given.of(Action(name)) for name in CLASSES])
    sure = probabilities.max(axis=1) >= least[said]
    done = np.where(sure, said, _COEXIST)
    superseded, right = done == _SUPERSEDE, done == labels
    return {
        "n": len(labels),
        "folds": FOLDS,
        "accuracy_without_abstaining": round(float((said == labels).mean()), 3),
        "action_accuracy": round(float(right.mean()), 3),
        "supersede_precision": round(float(right[superseded].mean()), 3) if superseded.any() else None,
        "supersede_recall": round(float(superseded[labels == _SUPERSEDE].mean()), 3),
        "wrong_destructive": int(((done != _COEXIST) & ~right).sum()),
        "abstained": int((~sure & (said != _COEXIST)).sum()),
    }


def _tally(
    probabilities: Array, labels: NDArray[np.int64], said: NDArray[np.int64], action: int, least: float
) -> tuple[int, int]:
    taken = (said == action) & (probabilities[:, action] >= least)
    right = int((taken & (labels == action)).sum())
    return right, int(taken.sum()) - right


def _measured(pair: Pair, vectors: WordVectors | None) -> dict[str, float]:
    compared = compare(read(pair.old), read(pair.new), pair.said_at_once, vectors)
    return dict(compared.features)
