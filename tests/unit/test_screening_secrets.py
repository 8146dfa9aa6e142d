"""What of planted secrets is found, and what of plain talk is left as it is. Every key here is made up."""

from __future__ import annotations

import pytest

from graph_memory.language import personal_data, secrets
from graph_memory.language.checksums import is_card, is_iban
from graph_memory.models.redaction import HIDDEN, hidden
from tests.unit.screening_corpus import normal, planted

PLANTED = list(planted(200))
NORMAL = normal()


def test_of_two_hundred_planted_secrets_nearly_all_are_masked() -> None:
    """The goal of the specification: at least 95 %."""
    left = [each.text for each in PLANTED if each.secret in secrets.masked(each.text)[0]]
    assert len(PLANTED) == 200
    assert len(left) / len(PLANTED) <= 0.05, left


def test_other_secrets_of_the_same_shapes_are_masked_as_well() -> None:
    """With another seed, so that the rules hold for more than one list."""
    others = list(planted(400, seed=2026))
    left = [each.text for each in others if each.secret in secrets.masked(each.text)[0]]
    assert len(left) / len(others) <= 0.05, left


def test_plain_talk_is_left_as_it_is() -> None:
    """The goal of the specification: at most 2 % false."""
    changed = [text for text in NORMAL if secrets.masked(text)[0] != text]
    assert len(NORMAL) >= 110
    assert len(changed) / len(NORMAL) <= 0.02, changed


def test_what_was_masked_is_not_masked_again() -> None:
    for each in PLANTED:
        once, _ = secrets.masked(each.text)
        assert secrets.masked(once) == (once, ())
        assert secrets.masked(hidden(each.text))[0] == hidden(each.text)


def test_nothing_but_the_secret_is_lost() -> None:
    text, kinds = secrets.masked("My wifi password is Kiwi#2024, and Ben moved to Rome.")
    assert text == "My wifi password is [password removed], and Ben moved to Rome."
    assert kinds == ("password",)


def test_a_secret_is_seen_through_hidden_characters() -> None:
    key = "sk-ant-api03-FAKEFAKEFAKEFAKE1234"
    text, kinds = secrets.masked(f"é use {key[:9]}\u200b{key[9:20]}\u2060{key[20:]} now")
    assert (text, kinds) == ("é use [api key removed] now", ("api_key",))


def test_secrets_do_not_reach_a_prompt() -> None:
    """Case 144."""
    for each in PLANTED:
        if each.secret not in secrets.masked(each.text)[0]:
            assert each.secret not in hidden(each.text)
            assert HIDDEN in hidden(each.text)


@pytest.mark.parametrize(
    ("written", "is_one"),
    [
        ("4111 1111 1111 1111", True),
        ("4111 1111 1111 1112", False),
        ("1234 5678 9012 3456", False),
        ("378282246310005", True),
        ("0000000000000000", False),
    ],
)
def test_a_card_has_its_checksum(written: str, is_one: bool) -> None:
    assert is_card(written) is is_one


@pytest.mark.parametrize(
    ("written", "is_one"),
    [
        ("DE89 3704 0044 0532 0130 00", True),
        ("de89370400440532013000", True),
        ("DE88 3704 0044 0532 0130 00", False),
        ("XX89370400440532013000", False),
        ("DE8937040044", False),
    ],
)
def test_an_account_has_its_checksum(written: str, is_one: bool) -> None:
    assert is_iban(written) is is_one


def test_words_after_an_account_do_not_belong_to_it() -> None:
    assert (
        secrets.masked("IBAN DE89 3704 0044 0532 0130 00 is mine")[0] == "IBAN [bank account removed] is mine"
    )


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Write to ann@example.org or call +49 30 1234567.", ["email", "phone"]),
        ("Ann's mobile is 0170 1234567.", ["phone"]),
        ("Version 2026.01.12 has 1234567 lines.", []),
        ("The handle is @ann on that site.", []),
    ],
)
def test_addresses_and_telephones_are_seen(text: str, kinds: list[str]) -> None:
    assert [each.kind for each in personal_data.found(text)] == kinds


@pytest.mark.parametrize(
    "piece", ["password is ", "key ", "4 ", "a", "1", "api key ", "://:", "a.b@", "login as ", "A1", "+1 "]
)
def test_a_long_text_of_one_piece_is_read_to_its_end(piece: str) -> None:
    """No expression runs away: this would take hours if one did."""
    text = (piece * 32_000)[:32_000]
    assert isinstance(secrets.found(text), list)
    assert isinstance(personal_data.found(text), list)
