"""Names by a trained model, from spaCy. It knows types that no capital letter shows.

It misses first names and products that it has never seen (Priya, Redis), which the capital-letter rule finds; so it is
asked beside the rule, never instead of it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from graph_memory.language.name_types import GPE, ORG, PERSON, UNKNOWN
from graph_memory.language.names import Mention, key
from graph_memory.language.parse import folder

# What spaCy calls a type, and what it is here; other kinds (dates, amounts) are no names.
_TYPES = {
    "PERSON": PERSON,
    "ORG": ORG,
    "GPE": GPE,
    "LOC": GPE,
    "FAC": UNKNOWN,
    "PRODUCT": UNKNOWN,
    "EVENT": UNKNOWN,
    "WORK_OF_ART": UNKNOWN,
}
_ARTICLES = ("the ", "a ", "an ")


def united(rule: list[Mention], text: str) -> list[Mention]:
    """The names that the rule found, typed by spaCy where the rule knows no type, and those that spaCy found alone.

    Raises ModelFault when its model cannot be loaded.
    """
    seen = {mention.key: mention for mention in _found(text)}
    typed = [_typed(mention, seen) for mention in rule]
    words = {word for mention in rule for word in mention.key.split()}
    alone = [mention for mention in seen.values() if not words & set(mention.key.split())]
    return list({(mention.key, mention.type): mention for mention in [*typed, *alone]}.values())


def _typed(mention: Mention, seen: dict[str, Mention]) -> Mention:
    found = seen.get(mention.key)
    return replace(mention, type=found.type) if mention.type == UNKNOWN and found else mention


def _found(text: str) -> list[Mention]:
    spans = [(_bare(span.text), _TYPES[span.label_]) for span in _model()(text).ents if span.label_ in _TYPES]
    return [Mention(name, key(name), kind) for name, kind in spans if any(map(str.isupper, name))]


def _bare(name: str) -> str:
    """Without an article in front and an owner's ending."""
    for article in _ARTICLES:
        if name.lower().startswith(article):
            name = name[len(article) :]
    return name.removesuffix("'s").removesuffix("’s").strip()


@cache
def _model() -> Any:
    """Loaded once, in two seconds. Only what finds names is kept."""
    import spacy

    return spacy.load(folder(), exclude=["parser", "tagger", "attribute_ruler", "lemmatizer"])
