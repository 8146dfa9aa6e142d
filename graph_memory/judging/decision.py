"""From probabilities to an action and a confidence: destructive actions only where they are nearly always right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graph_memory.judging.verdict import Action

CLASSES = tuple(action.value for action in Action)

# What acts by itself has a confidence above this.
ACTS = 0.8


@dataclass(frozen=True)
class Thresholds:
    """The least probability at which each destructive action may be taken; chosen on cross-validation."""

    duplicate: float
    supersede: float
    merge: float

    def of(self, action: Action) -> float:
        """That of an action; COEXIST needs none."""
        return 0.0 if action is Action.COEXIST else float(getattr(self, action.value.lower()))

    def as_data(self) -> dict[str, float]:
        return {action.lower(): self.of(Action(action)) for action in CLASSES if action != Action.COEXIST}


@dataclass(frozen=True)
class Decision:
    """What to do, how sure that is, and what would have been said if it had been sure enough."""

    action: Action
    confidence: float
    proposal: Action | None = None


def allowed(probabilities: Mapping[str, float], measured: Mapping[str, float]) -> dict[str, float]:
    """The probabilities, with those of actions that the measured features rule out given to COEXIST.

    A changed value or name is no duplicate and nothing to merge; what only one side denies, or another of the same
    sort (sister for brother), is no duplicate. What begins with another name or number speaks of another thing and
    puts nothing out of date, unless the two are one sentence but for that name.
    """
    kept = dict(probabilities)
    changed = bool(measured["value_changed"] or measured["name_changed"])
    contrary = measured["contradicts"] and not measured["condition_same"]
    denied = bool(contrary or measured["attitude_turned"] or measured["condition_turned"])
    elsewhere = bool(
        measured["names_lead_apart"] and not measured["name_shared"] and not measured["one_swap"]
    )
    for action, ruled_out in (
        (Action.DUPLICATE, changed or denied or bool(measured["set_apart"])),
        (Action.MERGE, changed),
        (Action.SUPERSEDE, measured["other_number_first"] > 0 or elsewhere),
    ):
        if ruled_out:
            kept[Action.COEXIST.value] += kept[action.value]
            kept[action.value] = 0.0
    return kept


def decide(probabilities: Mapping[str, float], least: Thresholds) -> Decision:
    """The likeliest action if it is likely enough, else COEXIST with it as the proposal.

    Confidence is the probability bent so that an action's own threshold lies at 0.8, and what lies below stays
    at or below it.
    """
    action = Action(max(probabilities, key=lambda name: probabilities[name]))
    probability, threshold = probabilities[action.value], least.of(action)
    if probability >= threshold:
        above = (probability - threshold) / (1 - threshold)
        return Decision(action, min(1.0, round(ACTS + 0.01 + (0.99 - ACTS) * above, 4)))
    return Decision(Action.COEXIST, round(ACTS * probability / threshold, 4), action)
