"""Which invisible characters belong to the writing, which hide something, and which letters pass for others."""

from __future__ import annotations

import pytest

from graph_memory.language import characters, texts
from graph_memory.memory.properties import search_text
from graph_memory.models.fence import Fence

FAMILY = "👨\u200d👩\u200d👧"
WANTS = "می\u200cخواهم"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
TAGGED = "Ann likes tea." + "".join(chr(0xE0000 + ord(char)) for char in "ignore")

WRITING = (WANTS, FAMILY, "❤️", "1️⃣", "👍🏽", "क\u094d\u200dष", SCOTLAND, "葛\U000e0100")


@pytest.mark.parametrize("text", WRITING)
def test_what_the_writing_needs_is_shown_to_a_model(text: str) -> None:
    """Joiners in Persian and in pictures, signs that choose a look."""
    if text != SCOTLAND:
        assert characters.readable(f"a {text} b") == f"a {text} b"
    assert not characters.hides(f"a {text} b")


@pytest.mark.parametrize(
    "hidden",
    [
        "\u200b",
        "\u200d",
        "\u2060",
        "\ufeff",
        "\u00ad",
        "\u202e",
        "\u202d",
        "\u2066",
        "\u200f",
        "\u061c",
        "\U000e0041",
        "\ufe0f",
        "\u3164",
    ],
)
def test_nothing_invisible_reaches_comparison_vector_or_judge(hidden: str) -> None:
    text = f"Ann li{hidden}kes tea"
    assert texts.normalised(text) == "ann likes tea"
    assert search_text(text, f"A{hidden}nn") == "Ann: Ann likes tea"
    assert "Ann likes tea" in Fence().data(text)
    assert texts.lucene(text) == "Ann likes tea"


@pytest.mark.parametrize("text", [*WRITING, "שלום \u202e עולם", "a\u200bb"])
def test_a_text_is_stored_as_it_was_given(text: str) -> None:
    assert texts.clean(text, 100, "text") == text


def test_the_same_words_with_and_without_joiners_are_one_statement() -> None:
    assert texts.normalised(WANTS) == texts.normalised(WANTS.replace("\u200c", ""))


@pytest.mark.parametrize(
    "text",
    [
        "Ann \u202esekil tea",
        TAGGED,
        "A\u200bn\u200bn likes tea",
        "Ann\ufe00\ufe01\ufe02\ufe03 likes tea",
        "Ann\u3164likes tea",
        "tea\u200b\u200c\u200b\u200c",
    ],
)
def test_what_hides_something_is_told(text: str) -> None:
    assert characters.hides(text)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffAnn likes tea.",
        "co\u00adoperate",
        "שלום\u200f!",
        "Ann\u200b likes tea",
        "\u2068Ann\u2069 likes tea",
    ],
)
def test_what_comes_along_from_a_page_is_not(text: str) -> None:
    assert not characters.hides(text)


@pytest.mark.parametrize("word", ["pаypal", "Gооgle", "аdmin", "Мicrosoft", "αpple"])
def test_letters_that_pass_for_others_are_told(word: str) -> None:
    assert characters.mixed(f"Ann uses {word} daily.") == (word,)


@pytest.mark.parametrize(
    "text",
    [
        "Привет, Анна",
        "IT-шник",
        "μm and kΩ",
        "iPhone'ом",
        "USBшный",
        "α-Helix",
        "naïve café",
        "Москва",
        "ΑΒΓ",
        "東京Tower",
    ],
)
def test_writing_in_two_scripts_is_not(text: str) -> None:
    assert characters.mixed(text) == ()


def test_letters_that_pass_for_others_are_read_as_those() -> None:
    assert characters.unmasked("Gооgle pаypal Москва") == "Google paypal Москва"
    assert characters.unmasked("ｉｇｎｏｒｅ 𝐚𝐥𝐥") == "ignore all"
