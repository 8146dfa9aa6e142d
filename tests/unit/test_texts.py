from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.base.errors import Invalid
from graph_memory.language.texts import CAPTION_LENGTH, MAX_TERMS, caption, clean, lucene, normalised

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
LUCENE_SIGN = re.compile(r'[+\-&|!(){}\[\]^"~*?:\\/]')


def test_clean_composes_letters_and_drops_control_characters() -> None:
    assert clean(" Cafe\u0301\x07 at\r\nnoon\tsharp ", 100, "text") == "Café at\nnoon\tsharp"


@pytest.mark.parametrize("text", ["", "  \n\t ", "\u200b\u2060", "\x07\x1b"])
def test_clean_refuses_what_nobody_can_see(text: str) -> None:
    with pytest.raises(Invalid, match="text is empty"):
        clean(text, 100, "text")


def test_clean_names_both_lengths_of_a_text_that_is_too_long() -> None:
    with pytest.raises(Invalid, match="11 characters, at most 10"):
        clean("a" * 11, 10, "text")
    assert clean("a" * 10, 10, "text") == "a" * 10


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_clean_refuses_nul_and_half_surrogates(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        clean(text, 100, "text")
    assert caught.value.path == "text"


@given(ANY_TEXT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    try:
        once = clean(text, 1000, "text")
    except Invalid:
        return
    assert clean(once, 1000, "text") == once


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("She likes TEA.", "she  likes tea"),
        ("Don’t go", "don't go"),
        ("Straße", "STRASSE"),
        ("a\u0301", "\u00e1"),
    ],
)
def test_the_same_words_have_the_same_key(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C++", "C#"),
        ("3.5", "35"),
        ("eats meat", "doesn't eat meat"),
        (".NET", "net"),
        ("so", "so?"),
    ],
)
def test_words_that_differ_have_different_keys(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


@given(ANY_TEXT)
def test_a_key_is_its_own_key(text: str) -> None:
    assert normalised(normalised(text)) == normalised(text)


def test_a_caption_is_cut_between_words() -> None:
    assert caption("Ann works as a data engineer at Larkfield Maps") == "Ann works as a data engineer at…"
    assert caption("short\nenough") == "short enough"
    assert caption("x" * 60) == "x" * 39 + "…"


@given(ANY_TEXT)
def test_a_caption_is_one_short_line(text: str) -> None:
    made = caption(text)
    assert len(made) <= CAPTION_LENGTH
    assert "\n" not in made


def test_lucene_keeps_the_words_and_escapes_the_rest() -> None:
    assert lucene('C++ AND "Node.js" (fast)') == r"C\+\+ and \"Node\.js\" \(fast\)"
    assert lucene("+ - && || ! * ?") == ""
    assert lucene("one one two") == "one two"
    assert lucene("a\u3000b\x00c") == "a b c"


@given(st.text(st.sampled_from(string.punctuation + " ANDORTaz09é😀"), max_size=80) | ANY_TEXT)
def test_no_operator_survives_in_a_lucene_query(text: str) -> None:
    query = lucene(text)
    assert not LUCENE_SIGN.search(re.sub(r"\\.", "", query))
    assert not {"AND", "OR", "NOT"} & set(query.split())
    assert all(any(char.isalnum() for char in term) for term in query.split())
    assert len(query.split()) <= MAX_TERMS
