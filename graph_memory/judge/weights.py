"""The embedded judge's weights, which are data in the package, and how they are read and written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from graph_memory.base.errors import ModelFault
from graph_memory.judge.decision import CLASSES, Thresholds
from graph_memory.judge.regression import Regression

FILE = Path(__file__).parent / "data" / "weights.json"
VERSION = 1

_DIGITS = 4


@dataclass(frozen=True)
class Weights:
    """A regression, when its verdicts may act, and how it did in cross-validation."""

    regression: Regression
    thresholds: Thresholds
    measured: dict[str, Any]


@cache
def load(model: str) -> Weights:
    """The weights for pairs measured with word vectors ("words") or without ("plain").

    Raises ModelFault if the file is of another version.
    """
    held = _held()
    if held["version"] != VERSION:
        raise ModelFault(
            f"The judge's weights in {FILE} have version {held['version']}, expected {VERSION}; "
            "fit them anew with python -m graph_memory.judge.training."
        )
    data = held["models"][model]
    table = data["weights"]
    regression = Regression(
        CLASSES, tuple(table), np.array(list(table.values())).T.copy(), np.array(data["bias"])
    )
    return Weights(regression, Thresholds(**data["thresholds"]), data["cross_validation"])


def digest_of_pairs() -> str:
    """The SHA-256 of the file of pairs that the weights were fitted to."""
    return str(_held()["pairs_sha256"])


def as_data(regression: Regression, least: Thresholds, measured: dict[str, Any]) -> dict[str, Any]:
    """The same as JSON keeps it: for each feature its weight in DUPLICATE, SUPERSEDE, MERGE and COEXIST."""
    return {
        "bias": [round(float(value), _DIGITS) for value in regression.bias],
        "thresholds": least.as_data(),
        "cross_validation": measured,
        "weights": {
            name: [round(float(value), _DIGITS) for value in regression.weights[:, place]]
            for place, name in enumerate(regression.features)
        },
    }


@cache
def _held() -> Any:
    return json.loads(FILE.read_text("utf-8"))
