"""From chances to an action and a confidence: what changes something known is done only where that is nearly always right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graph_memory.model.verdict import Action

# What acts by itself has a confidence above this.
ACTS = 0.8


@dataclass(frozen=True)
class Decision:
    """What to do, how sure that is, and what would have been said if it had been sure enough."""

    action: Action
    confidence: float
    proposal: Action | None = None


def decide(chances: Mapping[Action, float], least: Mapping[Action, float]) -> Decision:
    """The likeliest action, if its chance is its least one or more; else COEXIST, with it as the proposal.

    Confidence is the chance bent so that an action's own least chance lies at 0.8; what lies below it stays at or below
    0.8. COEXIST has no least chance.
    """
    action = max(chances, key=lambda each: chances[each])
    chance, threshold = chances[action], least.get(action, 0.0)
    if chance < threshold:
        return Decision(Action.COEXIST, round(ACTS * chance / threshold, 4), action)
    if action is Action.COEXIST:
        return Decision(action, round(chance, 4))
    above = (chance - threshold) / (1 - threshold)
    return Decision(action, min(1.0, round(ACTS + 0.01 + (0.99 - ACTS) * above, 4)))
