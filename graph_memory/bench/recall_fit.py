"""Fits the weights of search on questions whose answers are known: `graph-memory bench recall --fit FILE`.

First the order: weights that bring what answers a question among its first ten, by a smooth form of recall at ten. Then the
scale: a logistic of that one sum, and of the sum with what was read, which makes it the chance that a memory answers. Last, of
the first that is found, the chance that the question has an answer. Each conversation is measured with weights that were
fitted on the others. What stands apart is not fitted: here everything stands beside something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph_memory.recall.rereading import READS, WEIGHT
from graph_memory.recall.score_weights import (
    ANSWERED,
    BIAS,
    CHANCE,
    READ,
    SEEN,
    SIGNS,
    SLOPE,
    Weights,
    signs,
    weights,
)

Numbers = NDArray[np.float64]

CUT = 10
# The share of what answers, of that among the first ten, that may score less than the least score.
LOST = 0.005
_STEPS, _RATE, _SOFTNESS, _DECAY = 150, 0.1, 0.5, 1e-3
# The mean of the sums: that of the weights of what stands apart is near it, so that both compare.
_MEAN = -3.0


@dataclass(frozen=True)
class Candidates:
    """What a search saw of each memory that it found for one question, and which of them answer it.

    `answers` counts all that answer, found or not; 0 for a question that has no answer.
    """

    conversation: str
    category: int
    seen: Sequence[dict[str, float]]
    is_answer: Sequence[bool]
    answers: int


def fit(asked: Sequence[Candidates], told: Callable[[str], None]) -> dict[str, Any]:
    """The sets of weights, fitted on all, and how each does on conversations that it was not fitted on."""
    sets = {name: weights(name) if name == "apart" else fitted(asked, names) for name, names in SEEN.items()}
    sets[ANSWERED] = _answered(asked, sets["together"])
    scales = {name: _scale(_sums(asked, sets[name]), _truth(asked)) for name in SEEN if name != "apart"}
    if any(READS in seen for each in asked for seen in each.seen):
        scales[READ] = _scale(*_read(asked, sets["together"]))
    told("measuring on conversations that were not fitted on")
    crossed = {name: _crossed(asked, names) for name, names in SEEN.items()}
    whole = SEEN["together"]
    without = {
        f"without {name}": _crossed(asked, tuple(each for each in whole if each != name))["recall"]
        for name in whole
    }
    return {"weights": {**sets, CHANCE: scales}, "crossed": crossed, "ablation": without}


def _crossed(asked: Sequence[Candidates], names: Sequence[str]) -> dict[str, Any]:
    measured: list[tuple[Candidates, Numbers]] = []
    for held_out in dict.fromkeys(each.conversation for each in asked):
        rest = [each for each in asked if each.conversation != held_out]
        weights = fitted(rest, names)
        scale = _scale(_sums(rest, weights), _truth(rest))
        measured += [(each, _scores(each, weights, scale)) for each in asked if each.conversation == held_out]
    answered = [(each, scores) for each, scores in measured if each.answers]
    best = [scores[np.flatnonzero(_firsts(scores, each))] for each, scores in answered]
    kept = np.sort(np.concatenate([scores for scores in best if len(scores)]))
    least = float(kept[int(LOST * len(kept))])
    empty = [not (scores >= least).any() for each, scores in measured if not each.answers]
    unanswered = _unanswered(asked, names) if set(SIGNS) < set(names) else {}
    return {
        "recall": {
            name: round(float(np.mean([_recall(each, scores) for each, scores in answered if each.category in of])), 4)
            for name, of in {"categories_1_4": (1, 2, 3, 4), "multi_hop": (1,), "temporal": (2,)}.items()
        },
        "min_score": round(least, 4),
        "unanswerable_empty": round(float(np.mean(empty)), 4) if empty else None,
        **unanswered,
    }  # fmt: skip


def _unanswered(asked: Sequence[Candidates], names: Sequence[str]) -> dict[str, float]:
    """The chance of an answer that loses that share of the questions with one, and the share of the others that is below it."""
    chances: dict[bool, list[float]] = {True: [], False: []}
    for held_out in dict.fromkeys(each.conversation for each in asked):
        rest = [each for each in asked if each.conversation != held_out]
        order = fitted(rest, names)
        held = _answered(rest, order)
        for each in asked:
            if each.conversation == held_out and each.seen and bool(each.answers) is any(each.is_answer):
                chances[bool(each.answers)].append(float(_chances(_first(each, order), held)))
    least = float(np.sort(chances[True])[int(LOST * len(chances[True]))])
    return {
        "min_answered": round(least, 4),
        "unanswerable_told": round(float(np.mean(np.array(chances[False]) < least)), 4),
    }


def _answered(asked: Sequence[Candidates], order: Weights) -> Weights:
    """Weights of the signs by which the first that is found tells that a question has an answer."""
    told = [each for each in asked if each.seen and bool(each.answers) is any(each.is_answer)]
    found_first = np.stack([_first(each, order) for each in told])
    has = np.array([float(bool(each.answers)) for each in told])
    # Questions with and without an answer weigh the same, however many there are of each.
    share = np.where(has == 1, 0.5 / has.mean(), 0.5 / (1 - has.mean()))
    columns = np.column_stack([found_first, np.ones(len(told))])
    found = np.zeros(columns.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-columns @ found))
        spread = np.maximum(share * chance * (1 - chance), 1e-6)
        step = np.linalg.solve((columns * spread[:, None]).T @ columns, columns.T @ (share * (has - chance)))
        found = found + np.clip(step, -1, 1)
    return {BIAS: round(float(found[-1]), 4)} | {
        name: round(float(weight), 4) for name, weight in zip(SIGNS, found, strict=False)
    }


def _first(asked: Candidates, order: Weights) -> Numbers:
    """The signs of the first that is found."""
    names = [name for name in order if name != BIAS]
    first = int(np.argmax(_matrix(asked, names) @ np.array([order[name] for name in names])))
    return np.array(signs(asked.seen[first]))


def _chances(told: Numbers, held: Weights) -> Numbers:
    sums = held[BIAS] + told @ np.array([held[name] for name in SIGNS])
    return np.asarray(1 / (1 + np.exp(-sums)))


def _sums(asked: Sequence[Candidates], weights: Weights) -> Numbers:
    names = [name for name in weights if name != BIAS]
    order = np.array([weights[name] for name in names])
    return np.asarray(weights[BIAS] + np.concatenate([_matrix(each, names) for each in asked]) @ order)


def _truth(asked: Sequence[Candidates]) -> Numbers:
    return np.array([float(answers) for each in asked for answers in each.is_answer])


def _read(asked: Sequence[Candidates], weights: Weights) -> tuple[Numbers, Numbers]:
    """The sums of all that was read, with what was read in it, and which of them answer."""
    reads = np.array([seen.get(READS, np.nan) for each in asked for seen in each.seen])
    is_read = ~np.isnan(reads)
    return (_sums(asked, weights) + WEIGHT * reads)[is_read], _truth(asked)[is_read]


def _scores(asked: Candidates, weights: Weights, scale: Weights) -> Numbers:
    logits = scale[BIAS] + scale[SLOPE] * _sums([asked], weights)
    return np.asarray(1 / (1 + np.exp(-logits)))


def _firsts(scores: Numbers, asked: Candidates) -> NDArray[np.bool_]:
    """Which answers are among the first ten."""
    first = np.zeros(len(scores), bool)
    first[np.argsort(-scores, kind="stable")[:CUT]] = True
    return np.asarray(first & np.array(asked.is_answer, bool))


def _recall(asked: Candidates, scores: Numbers) -> float:
    return float(_firsts(scores, asked).sum()) / asked.answers


def _matrix(asked: Candidates, names: Sequence[str]) -> Numbers:
    rows = [[each.get(name, 0.0) for name in names] for each in asked.seen]
    return np.array(rows, float).reshape(len(rows), len(names))


def fitted(asked: Sequence[Candidates], names: Sequence[str]) -> Weights:
    matrices = [_matrix(each, names) for each in asked]
    every = np.concatenate(matrices)
    spread = every.std(0) + 1e-9
    useful = [
        (matrix / spread, np.array(each.is_answer, bool))
        for matrix, each in zip(matrices, asked, strict=True)
        if any(each.is_answer) and not all(each.is_answer)
    ]
    order = _ordered(useful) / spread
    return {BIAS: round(_MEAN - float((every @ order).mean()), 4)} | {
        name: round(float(weight), 4) for name, weight in zip(names, order, strict=True)
    }


def _ordered(asked: Sequence[tuple[Numbers, NDArray[np.bool_]]]) -> Numbers:
    """Weights that lift what answers above the tenth of what does not, by gradient ascent with momentum.

    All questions are one block: padded to the longest, so that a step is a few operations on arrays.
    """
    width, longest = asked[0][0].shape[1], max(len(matrix) for matrix, _ in asked)
    block = np.zeros((len(asked), longest, width), np.float32)
    answers = np.zeros((len(asked), longest), bool)
    others = np.zeros((len(asked), longest), bool)
    for row, (matrix, is_answer) in enumerate(asked):
        block[row, : len(matrix)] = matrix
        answers[row, : len(matrix)] = is_answer
        others[row, : len(matrix)] = ~is_answer
    share = answers / answers.sum(1, keepdims=True)
    rows = np.arange(len(asked))
    weights = np.ones(width)
    momentum, size = np.zeros(width), np.zeros(width)
    for step in range(1, _STEPS + 1):
        sums = block @ weights
        rank = min(CUT, longest) - 1
        tenth = np.argpartition(-np.where(others, sums, -np.inf), rank, axis=1)[:, rank]
        edge = np.where(others[rows, tenth], sums[rows, tenth], sums.min())
        chance = 1 / (1 + np.exp(-np.clip((sums - edge[:, None]) / _SOFTNESS, -30, 30)))
        pull = chance * (1 - chance) * share / _SOFTNESS
        gradient = np.einsum("qn,qnf->f", pull, block) - (pull.sum(1)[:, None] * block[rows, tenth]).sum(0)
        gradient = gradient / len(asked) - _DECAY * weights
        momentum = 0.9 * momentum + 0.1 * gradient
        size = 0.99 * size + 0.01 * gradient**2
        fair = momentum / (1 - 0.9**step) / (np.sqrt(size / (1 - 0.99**step)) + 1e-8)
        weights = weights + _RATE * (1 - 0.9 * step / _STEPS) * fair
    return weights


def _scale(sums: Numbers, is_answer: Numbers) -> Weights:
    """Slope and bias of the logistic of some sums, by Newton's method from where both tell nothing."""
    spread = float(sums.std()) or 1.0
    columns = np.stack([sums / spread, np.ones_like(sums)], axis=1)
    found = np.zeros(2)
    for _ in range(100):
        chance = 1 / (1 + np.exp(-columns @ found))
        weight = np.maximum(chance * (1 - chance), 1e-9)
        step = np.linalg.solve((columns * weight[:, None]).T @ columns, columns.T @ (is_answer - chance))
        found = found + step
        if float(np.abs(step).max()) < 1e-9:
            break
    return {BIAS: round(float(found[1]), 4), SLOPE: round(float(found[0]) / spread, 4)}
