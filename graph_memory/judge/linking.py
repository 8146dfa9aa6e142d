"""Which link joins two statements that coexist: asserted only where a word says so."""

from __future__ import annotations

from graph_memory.judge.features import Compared
from graph_memory.language import patterns
from graph_memory.language.analysis import Reading
from graph_memory.language.cues import condition
from graph_memory.model.link_kinds import LinkKind

_NEAR = 0.3
_HALF = 0.5

# What stands behind these words is the cause.
_BECAUSE = patterns.compile(r"\b(?:because(?: of)?|due to|owing to|thanks to|caused by)\b")
# What was said before these words is the cause.
_THEREFORE = patterns.compile(
    r"\b(?:as a (?:result|consequence)|therefore|consequently|for that reason|(?:that|which) is why|that's why)\b"
)
_DASHED = patterns.compile(
    r"\b(?:fell|fallen|falls) through\b|\b(?:cancel+ed|called off) (?:because|due to|owing to)\b"
)


def link(compared: Compared) -> LinkKind | None:
    """The link from the new statement to the old one, or None."""
    old, new, m = compared.old, compared.new, compared.features
    differs = bool(compared.gone and compared.come) or m["value_changed"] or m["name_changed"]
    if "says" in old.cues and "says" in new.cues and differs and m["old_like_new"] > _NEAR:
        return LinkKind.CONFLICTS
    if m["same_day"] and m["only_value"] and not m["change"]:
        return LinkKind.CONFLICTS
    if "purpose" in new.cues and "event" not in new.cues and (m["any_shared"] or "plan" in old.cues):
        return LinkKind.MOTIVATED_BY
    habit = "habit" in old.cues or m["attitude_same"] or "many" in old.cues
    if habit and new.grammar.tense == "past" and "event" in new.cues and m["any_shared"] and not m["change"]:
        return LinkKind.INSTANCE_OF
    return None


def link_from_old(compared: Compared) -> LinkKind | None:
    """The link from the old statement to the new one, or None: the old one is the cause, or is disproved.

    A wrong link is worse than none: the new statement must say so in words, of what the old one is about.
    """
    old, new, m = compared.old, compared.new, compared.features
    if "believed" in old.cues and "disproof" in new.cues and m["any_shared"]:
        return LinkKind.INVALIDATED_BY
    if "plan" in old.cues and _DASHED.search(new.low) and _is_about(old, new, new.low):
        return LinkKind.INVALIDATED_BY
    is_guess = "believed" in old.cues | new.cues or "plan" in old.cues or "habit" in old.cues
    if is_guess or not _happened(old):
        return None
    because = _BECAUSE.search(new.low)
    cause = new.low[because.end() :] if because else new.low if _THEREFORE.search(new.low) else ""
    return LinkKind.CAUSES if _is_about(old, new, cause) else None


def _happened(old: Reading) -> bool:
    """Whether it tells an event, or that something is amiss: what merely holds brings nothing about by itself."""
    return old.grammar.tense == "past" or condition(old.low, old.denies) < 0


def _is_about(old: Reading, new: Reading, part: str) -> bool:
    """Whether this part of the new text names the old one's subject, or more than half of what it says."""
    named = {word for word in old.spelled if word in new.spelled and new.spelled[word].lower() in part}
    subject = {word for word in old.spelled if old.spelled[word].lower() in old.grammar.subject}
    return bool(named & subject) or len(named) > _HALF * len(old.spelled)
