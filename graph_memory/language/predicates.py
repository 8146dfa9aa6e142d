"""What a sentence says of its subject, each thing by itself: "works at Bosch" and "is allergic to nuts"."""

from __future__ import annotations

from typing import Any

from graph_memory.language.coverage import is_readable
from graph_memory.language.parse import parsed

_SUBJECTS = ("nsubj", "nsubjpass")
_LONGEST = 400


def joined_predicates(text: str) -> list[str]:
    """The words of the predicates that are joined in a sentence of a text, without the subject; none where each has only one."""
    return parsed(text, _read) if len(text) <= _LONGEST and is_readable(text) else []


def _read(doc: Any) -> list[str]:
    found = []
    for sentence in doc.sents:
        heads = [sentence.root]
        for head in heads:  # grows while it is gone through: what is joined to a joined one counts too
            heads += [each for each in head.children if each.dep_ == "conj" and each.pos_ in ("VERB", "AUX")]
        if len(heads) > 1:
            found += [_words(head, heads) for head in heads]
    return found


def _words(head: Any, heads: list[Any]) -> str:
    inside = {each.i for each in head.subtree}
    others = {word.i for each in heads if each.i != head.i and each.i in inside for word in each.subtree}
    return " ".join(word.text for word in head.subtree if word.i not in others and word.dep_ not in _SUBJECTS)
