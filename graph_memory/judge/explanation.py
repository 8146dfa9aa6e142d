"""A verdict's reason in words, from what was measured."""

from __future__ import annotations

from graph_memory.judge.features import Compared
from graph_memory.language.analysis import Reading
from graph_memory.language.values import Value
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action

SAME_WORDS = "the same words"
_MOST = 3

_LINKED = {
    LinkKind.CAUSES: "the later one says itself what brought it about",
    LinkKind.INVALIDATED_BY: "the later one says itself that it came otherwise",
    LinkKind.MOTIVATED_BY: "a decision, after the wish behind it",
    LinkKind.INSTANCE_OF: "one event, after the habit it is an example of",
    LinkKind.CONFLICTS: "two sources that say different things",
}


def reason(compared: Compared, action: Action, link: LinkKind | None) -> str:
    """Why, in one line. It may quote words of both texts."""
    if action is Action.SUPERSEDE:
        return _superseded(compared)
    if action is Action.DUPLICATE:
        return "the same in other words" if compared.gone or compared.come else SAME_WORDS
    if action is Action.MERGE:
        return f"more about the same thing: {_listed(compared.come, compared.new)}"
    if link is not None and link in _LINKED:
        return _LINKED[link]
    if compared.features["other_person"]:
        return "said of somebody else"
    if compared.features["event_beside_state"]:
        return "an event beside what holds in general"
    return "both can stand"


def _superseded(compared: Compared) -> str:
    before, after = _changed(compared)
    change = f": {before} -> {after}" if before and after else ""
    if compared.features["one_swap"]:
        return f"same frame, another value{change}"
    if compared.course:
        return f"a known course of things ({compared.course}){change}"
    if compared.features["change"]:
        return f"a word of change about the same thing{change}"
    return f"same subject, another value{change}"


def _changed(compared: Compared) -> tuple[str, str]:
    """What stood there before and what stands there now: values if they changed, else words."""
    before, after = compared.old.values - compared.new.values, compared.new.values - compared.old.values
    if compared.features["value_changed"] and before and after:
        return _values(before), _values(after)
    return _listed(compared.gone, compared.old), _listed(compared.come, compared.new)


def _values(values: frozenset[Value]) -> str:
    return ", ".join(sorted(value.spelled for value in values))


def _listed(stems: tuple[str, ...], reading: Reading) -> str:
    """The names among the stems, else the first few, as they were written."""
    named = [stem for stem in stems if stem in reading.names] or list(stems)
    return ", ".join(reading.spelled.get(stem, stem) for stem in named[:_MOST])
