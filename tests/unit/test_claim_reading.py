"""What a sentence states of whom, from its grammar."""

from __future__ import annotations

import pytest

from graph_memory.language.claim_reading import ValueKind, read_claim, value_of_kind


@pytest.mark.parametrize(
    ("text", "thing", "attribute", "value"),
    [
        ("Sarah lives in Porto.", "Sarah", "live in", "Porto"),
        ("I live in Lisbon now.", None, "live in", "Lisbon"),
        ("The user is allergic to nuts.", None, "be allergic to", "nuts"),
        ("Ann takes 100 mg of ramipril in the morning.", "Ann", "take ramipril", "100 mg"),
        ("My budget is 500 euros.", None, "budget", "500 euros"),
        ("The price of Atlas is 95 euros since May.", "Atlas", "price", "95 euros"),
        ("Ann's sister lives in Oslo.", "Ann", "sister live in", "Oslo"),
        ("Ann's dog is called Rex.", "Ann", "dog is called", "Rex"),
        ("Ann moved to Porto on 3 April 2025.", "Ann", "moved to", "Porto"),
        ("Ann rides horses.", "Ann", "ride", "horses"),
        ("Ann passes exams.", "Ann", "pass", "exams"),
        ("Ola lives in Oslo.", "Ola", "live in", "Oslo"),
        ("Pia's dog is called Rex.", "Pia", "dog is called", "Rex"),
    ],
)
def test_the_subject_the_verb_and_what_it_leads_to(
    text: str, thing: str | None, attribute: str, value: str
) -> None:
    found = read_claim(text)
    assert found is not None
    assert (found.thing, found.attribute, found.value) == (thing, attribute, value)


def test_what_was_is_another_attribute_than_what_is() -> None:
    was, is_now = read_claim("Sarah lived in Bern."), read_claim("Sarah lives in Bern.")
    assert was is not None and is_now is not None
    assert was.attribute != is_now.attribute


@pytest.mark.parametrize(
    ("text", "is_denied"),
    [
        ("Ann does not eat meat.", True),
        ("Ann never eats meat.", True),
        ("Ann no longer eats meat.", True),
        ("Ann doesn't eat meat any more.", True),
        ("Ann not only eats meat.", False),
    ],
)
def test_what_is_denied_is_told(text: str, is_denied: bool) -> None:
    found = read_claim(text)
    assert found is not None
    assert (found.attribute, found.value, found.is_denied) == ("eat", "meat", is_denied)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Where does Ann live?",
        "It rained a lot.",
        "She lives in Porto.",
        "Ann and Ben live in Porto.",
        "Rex!",
        "Anna wohnt in Berlin.",
        "No longer: Ann lives in Porto.",
    ],
)
def test_in_doubt_nothing_is_read(text: str) -> None:
    assert read_claim(text) is None


def test_a_value_of_a_kind_is_found_by_its_letters() -> None:
    assert value_of_kind("It went up to 88 euros in 2026.", ValueKind.MONEY) == ("88 euros", "euros")
    assert value_of_kind("It is on Tuesday now.", ValueKind.TIME) == ("Tuesday", "")
    assert value_of_kind("She went to Porto.", ValueKind.NAME) is None
