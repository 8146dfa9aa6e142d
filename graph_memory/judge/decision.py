"""From probabilities to an action and a confidence: destructive actions only where they are nearly always right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph_memory.model.verdict import Action

CLASSES = tuple(action.value for action in Action)

_DESTRUCTIVE = tuple(action for action in Action if action is not Action.COEXIST)
# Features that tell of another thing, of one thing in doubt, and of two texts that do not say the same.
_OF_ANOTHER = ("other_number_first", "other_pronoun", "other_side")
_ELSEWHERE = (
    *_OF_ANOTHER, "other_subject", "adds", "denies_another", "ends_another", "same_event", "both_without", "one_more",
    "long_past", "other_kind", "other_place",
)  # fmt: skip
_DOUBTFUL = ("two_swaps", "exchanged", "narrowed", "subject_unknown")
_NOT_ABOUT_ONE = ("other_pronoun", "exchanged", "other_side", "subject_unknown")
_NOT_THE_SAME = (
    "set_apart", "marks_differ", "rivals", "exchanged", "tenses_part", "other_pronoun", "other_number_first", "plain_swap",
    "tells_what", "fuller", "names_alone", "other_side",
)  # fmt: skip

# What acts by itself has a confidence above this.
ACTS = 0.8
# From this chance of the pair model on, that both stand, what the rules would do is left to a person.
STANDS = 0.9


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
    """The probabilities without those of actions that the measured features rule out.

    A changed value or name is no duplicate and nothing to merge; nor is what only one side denies a duplicate, what
    small words say otherwise, what stands the other way round, or another of the same sort (sister for brother). What
    speaks of another thing puts nothing out of date. The share of a duplicate that is denied or has another value is
    divided among the rest, that of all else goes to COEXIST.
    """
    kept = dict(probabilities)
    for action in _DESTRUCTIVE:
        if not _is_out(action, measured):
            continue
        share, kept[action.value] = kept[action.value], 0.0
        rest = sum(kept.values())
        if action is Action.DUPLICATE and _says_otherwise(measured) and rest > 0:
            kept = {name: value * (rest + share) / rest for name, value in kept.items()}
        else:
            kept[Action.COEXIST.value] += share
    return kept


def decide(probabilities: Mapping[str, float], measured: Mapping[str, float], least: Thresholds) -> Decision:
    """The likeliest action that is allowed, if it is likely enough, else COEXIST with it as the proposal.

    Confidence is the probability bent so that an action's own threshold lies at 0.8, and what lies below stays
    at or below it. COEXIST is never sure where the same thing is said otherwise.
    """
    kept = allowed(probabilities, measured)
    action = _likeliest(kept)
    probability, threshold = kept[action.value], least.of(action)
    if probability < threshold:
        return Decision(Action.COEXIST, round(ACTS * probability / threshold, 4), action)
    if action is Action.COEXIST and _is_open(_likeliest(probabilities), measured):
        return Decision(action, round(ACTS * (1 - probability), 4), Action.SUPERSEDE)
    return Decision(action, _above(probability, threshold))


def _above(probability: float, threshold: float) -> float:
    """The confidence of what has reached its threshold."""
    return min(1.0, round(ACTS + 0.01 + (0.99 - ACTS) * (probability - threshold) / (1 - threshold), 4))


def together(ruled: Decision, chances: Mapping[Action, float], least: Mapping[Action, float]) -> Decision:
    """What the rules and the pair model, neither of which knows the other, come to.

    The rules act unless the model says that both stand; where they do not act, the model does if it is sure enough by
    itself: `least` are the chances from which on it is.
    """
    if ruled.action is not Action.COEXIST:
        is_doubted = chances[Action.COEXIST] >= STANDS
        return Decision(Action.COEXIST, ACTS, ruled.action) if is_doubted else ruled
    action = max(chances, key=lambda each: chances[each])
    if action is Action.COEXIST or chances[action] < least[action]:
        return ruled
    return Decision(action, _above(chances[action], least[action]))


def is_of_another(measured: Mapping[str, float]) -> bool:
    """Whether the two begin with different names, pronouns or numbers, or speak of the two of a pair."""
    return _leads_apart(measured) or _any(measured, _OF_ANOTHER)


def _likeliest(probabilities: Mapping[str, float]) -> Action:
    return Action(max(probabilities, key=lambda name: probabilities[name]))


def _is_out(action: Action, measured: Mapping[str, float]) -> bool:
    if action is Action.SUPERSEDE:
        return _is_elsewhere(measured) or _any(measured, _DOUBTFUL)
    if action is Action.MERGE:
        return _is_changed(measured) or _any(measured, _NOT_ABOUT_ONE)
    return _is_changed(measured) or _is_denied(measured) or _any(measured, _NOT_THE_SAME)


def _is_open(wanted: Action, measured: Mapping[str, float]) -> bool:
    """Whether a person should look: the two speak of one thing, and what was likeliest is ruled out or denied."""
    if _is_elsewhere(measured):
        return False
    is_denied = measured["contradicts"] > 0 and (measured["nothing_gone"] or measured["nothing_come"])
    return bool(is_denied or measured["resumed"]) or wanted in (Action.DUPLICATE, Action.SUPERSEDE)


def _says_otherwise(measured: Mapping[str, float]) -> bool:
    return (_is_changed(measured) or _is_denied(measured)) and not _any(
        measured, ("marks_differ", "exchanged")
    )


def _is_changed(measured: Mapping[str, float]) -> bool:
    return _any(measured, ("value_changed", "name_changed"))


def _is_denied(measured: Mapping[str, float]) -> bool:
    contrary = measured["contradicts"] and not measured["condition_same"]
    return bool(contrary) or _any(measured, ("attitude_turned", "condition_turned"))


def _is_elsewhere(measured: Mapping[str, float]) -> bool:
    return _leads_apart(measured) or _any(measured, _ELSEWHERE)


def _leads_apart(measured: Mapping[str, float]) -> bool:
    """Whether they begin with different names, unless the two are one sentence but for these."""
    return bool(measured["names_lead_apart"] and not measured["name_shared"] and not measured["one_swap"])


def _any(measured: Mapping[str, float], names: Sequence[str]) -> bool:
    return any(measured[name] > 0 for name in names)
