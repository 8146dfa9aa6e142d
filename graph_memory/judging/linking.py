"""Which link joins two statements that coexist: asserted only where a word says so."""

from __future__ import annotations

from graph_memory.judging.features import Compared
from graph_memory.memory.link_kinds import LinkKind

_NEAR = 0.3


def link(compared: Compared) -> LinkKind | None:
    """The link from the new statement to the old one, or None.

    Only links that start at the new statement can be told: that the old one causes it, or is disproved by it, is
    left to a model.
    """
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
