"""Names by spaCy's model for real, beside the capital-letter rule."""

from __future__ import annotations

import pytest

from graph_memory.language.name_types import GPE, ORG, PERSON, UNKNOWN
from graph_memory.language.names import Mention, mentions
from graph_memory.language.recognition import recognise

SPACY = "spacy"


def types(found: list[Mention]) -> dict[str, str]:
    return {mention.name: mention.type for mention in found}


def test_it_knows_types_that_the_rule_does_not() -> None:
    text = "Barack Obama visited Microsoft and then Paris."
    assert types(mentions(text)) == {"Barack Obama": UNKNOWN, "Microsoft": UNKNOWN, "Paris": UNKNOWN}
    assert types(recognise(SPACY, text)) == {"Barack Obama": PERSON, "Microsoft": ORG, "Paris": GPE}


@pytest.mark.parametrize(
    "text", ["Priya moved the cache to Redis.", "Ann uses C, C++ and C#.", "We met at nine."]
)
def test_nothing_that_the_rule_finds_is_lost(text: str) -> None:
    """spaCy misses first names and products that it does not know."""
    assert {mention.key for mention in mentions(text)} <= {mention.key for mention in recognise(SPACY, text)}


def test_names_that_are_known_already_are_found_by_their_spelling() -> None:
    """The graph's own names come before both."""
    found = types(recognise(SPACY, "we moved it to pgvector for maya", known=["maya"], names=["pgvector"]))
    assert found == {"pgvector": UNKNOWN, "maya": PERSON}


def test_a_type_that_the_rule_knows_stays() -> None:
    text = "Layla works at Anthropic."
    assert types(recognise(SPACY, text, known=["Layla"]))["Layla"] == PERSON
    assert types(recognise(SPACY, text))["Anthropic"] == ORG


def test_dates_and_amounts_are_no_names() -> None:
    assert types(recognise(SPACY, "It cost 40 euros on Tuesday, the third of May.")) == {}
