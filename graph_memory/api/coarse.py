"""Scores and cosines as callers get them: too coarse to measure a stored vector by, but for a key with the right to admin."""

from __future__ import annotations

import math

# Raw likeness, asked for often enough, gives a stored vector away; so callers get cosines and scores in steps of one of so many.
# Most scores are small chances, so their steps are smaller.
_STEPS, _SCORE_STEPS = 20, 100


def in_steps(score: float) -> float:
    """The score in steps: enough to cut a list, too little to measure a stored vector by."""
    return round(score * _SCORE_STEPS) / _SCORE_STEPS


def cosine_in_steps(cosine: float) -> float:
    """The same of a cosine."""
    return round(cosine * _STEPS) / _STEPS


def score_up(least: float | None) -> float | None:
    """The least score that is asked for, up to the next step."""
    return None if least is None else math.ceil(least * _SCORE_STEPS) / _SCORE_STEPS


def cosine_up(least: float | None) -> float | None:
    """The same of a cosine."""
    return None if least is None else math.ceil(least * _STEPS) / _STEPS
