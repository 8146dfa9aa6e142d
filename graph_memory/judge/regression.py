"""Multinomial logistic regression: fitting it and, with weights as data, using it. Nothing but numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_STEPS = 600
_SMALL_ENOUGH = 1e-8


@dataclass(frozen=True)
class Regression:
    """Weights of each class (rows) for each feature (columns), and each class's own."""

    classes: tuple[str, ...]
    features: tuple[str, ...]
    weights: Array
    bias: Array

    def probabilities(self, measured: Mapping[str, float]) -> dict[str, float]:
        """The probability of each class; a feature that was not measured counts as 0."""
        row = np.array([measured.get(name, 0.0) for name in self.features])
        return dict(zip(self.classes, map(float, softmax(self.weights @ row + self.bias)), strict=True))


def softmax(scores: Array) -> Array:
    """Probabilities along the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def fit(
    rows: Array,
    labels: Sequence[int],
    counts: Array,
    classes: Sequence[str],
    features: Sequence[str],
    strength: float,
) -> Regression:
    """The weights that minimise the weighted log loss plus `1 / (2 * strength)` times their squares.

    `counts` says how often each row counts. Newton's method with the bound of Böhning (1992) on the Hessian,
    with Nesterov's momentum: no step size to choose, the same result at every run.
    """
    x = np.hstack([rows, np.ones((len(rows), 1))])
    hot = np.eye(len(classes))[list(labels)]
    penalty = np.full(x.shape[1], 1 / strength)
    penalty[-1] = 1e-6
    bound = 0.5 * (x * counts[:, None]).T @ x + np.diag(penalty)
    inverse = np.linalg.inv(bound)
    beta = np.zeros((x.shape[1], len(classes)))
    velocity = beta
    for step in range(_STEPS):
        ahead = beta + (step / (step + 3)) * (beta - velocity)
        slope = x.T @ ((softmax(x @ ahead) - hot) * counts[:, None]) + penalty[:, None] * ahead
        velocity, beta = beta, ahead - inverse @ slope
        if float(np.abs(beta - velocity).max()) < _SMALL_ENOUGH:
            break
    return Regression(tuple(classes), tuple(features), beta[:-1].T.copy(), beta[-1].copy())
