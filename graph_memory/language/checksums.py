"""The checksums of card numbers and bank accounts: what tells them from any other long number."""

from __future__ import annotations

# How long a number is that begins so (ISO/IEC 7812, as the schemes publish their ranges).
_CARDS = (
    (("4",), (13, 16, 19)),
    (tuple(map(str, [*range(51, 56), *range(2221, 2721)])), (16,)),
    (("34", "37"), (15,)),
    (("6011", "65", *map(str, range(644, 650))), (16, 19)),
    (("36", "38", "39", *map(str, range(300, 306))), (14,)),
    (tuple(map(str, range(3528, 3590))), (16,)),
    (("62",), (16, 17, 18, 19)),
    (("50", "56", "57", "58", "6304", "6759", "676"), (16, 18, 19)),
)
# Lengths of the account numbers of ISO 13616, for the countries that use them most.
_IBANS = {
    "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18,
    "FR": 27, "GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IS": 26, "IT": 27, "LI": 21, "LT": 20,
    "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "RS": 22, "SA": 24,
    "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29, "AE": 23, "BR": 29, "KZ": 20, "QA": 29,
}  # fmt: skip


def is_card(written: str) -> bool:
    """Whether it is the number of a payment card: a known beginning, its length, and Luhn's sum (ISO/IEC 7812-1)."""
    digits = "".join(char for char in written if char.isdigit())
    known = any(digits.startswith(starts) and len(digits) in lengths for starts, lengths in _CARDS)
    return known and len(set(digits)) > 1 and _luhn(digits)


def is_iban(written: str) -> bool:
    """Whether it is a bank account's number: its country's length, and 1 as the rest by 97 (ISO 13616)."""
    spelled = "".join(written.split()).upper()
    if _IBANS.get(spelled[:2]) != len(spelled):
        return False
    return int("".join(str(int(char, 36)) for char in spelled[4:] + spelled[:4])) % 97 == 1


def _luhn(digits: str) -> bool:
    doubled = [int(char) * 2 if at % 2 else int(char) for at, char in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0
