"""A verdict's reason in words: what it means, and the words in which the two statements differ."""

from __future__ import annotations

from collections.abc import Iterable

from graph_memory.judge.pair_model import Joined
from graph_memory.language import sentences
from graph_memory.language.keywords import content
from graph_memory.language.stems import stem
from graph_memory.language.values import taken_out
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action

SAME_WORDS = "the same words"
# Words that are told of either side.
_MOST = 3
_LINKED = {
    LinkKind.CAUSES: "one brought the other about",
    LinkKind.INVALIDATED_BY: "one shows that the other did not come true",
    LinkKind.MOTIVATED_BY: "one is the reason for the other",
    LinkKind.INSTANCE_OF: "one is an example of the other",
    LinkKind.CONFLICTS: "they say different things of the same",
}


def reason(old: str, new: str, action: Action, link: Joined | None) -> str:
    """Why, in one line. It may quote words of both texts."""
    if action is Action.DUPLICATE:
        return "the same in other words"
    if action is Action.SUPERSEDE:
        before, after = _only(old, new), _only(new, old)
        return f"what holds now: {before} -> {after}" if before and after else "what holds now"
    if action is Action.MERGE:
        return f"more about the same: {_only(new, old)}".removesuffix(": ")
    return _LINKED[link.kind] if link else "both can stand"


def _only(text: str, other: str) -> str:
    """The values of a text that the other has not; without any, the first words that only it has."""
    values = {each.spelled for each in taken_out(text)[1]} - {each.spelled for each in taken_out(other)[1]}
    if values:
        return ", ".join(sorted(values))
    own = content(text, None) - content(other, None)
    return ", ".join(_first(word for word in sentences.words(text.casefold()) if stem(word) in own))


def _first(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))[:_MOST]
