from __future__ import annotations

import pytest

from graph_memory.language import quotation_marks


def quoted(text: str) -> str:
    inside = quotation_marks.enclosed(text)
    return "".join(char if inside[at] else "_" for at, char in enumerate(text)).strip("_")


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("He said “I’m ill” to me", "“I’m ill”"),
        ("”I’m ill”, he said", "”I’m ill”"),
        ("»I'm ill«, he said", "»I'm ill«"),
        ("‘I’m not moving’, he said. I’m the dogs’ owner", "‘I’m not moving’"),
        ("Tom said 'I love cats' and left my brothers' dogs", "'I love cats'"),
        ("'5 euros is all I have', he said", "'5 euros is all I have'"),
        ("goin' to my 'gym'", "'gym'"),
        ("\"I said 'no'\", he said", "\"I said 'no'\""),
        ('said"I am"and left', '"I am"'),
        ('he said " I am " to me', '" I am "'),
        ('"I am 5\'6" tall", he said', '"I am 5\'6" tall"'),
        ('"I want a 27" screen", he said', '"I want a 27" screen"'),
        ('He said "I am 25" and left', '"I am 25"'),
        ('my "new car and I said "no" to Tom', '"no"'),
    ],
)
def test_marks_enclose_what_stands_between_them(text: str, inside: str) -> None:
    assert quoted(text) == inside


@pytest.mark.parametrize(
    "text",
    [
        "rock 'n' roll and I love 'em",
        "'Cause I said so, 'tis my parents' house",
        "in '09 I met the boys' aunt",
        'the 7" and the 9" pans are mine',
        "I'm 5'6\" tall",
        'I said "no to Tom',
        "it 's the dogs ' bowl",
    ],
)
def test_apostrophes_inches_and_what_is_never_closed_enclose_nothing(text: str) -> None:
    assert quoted(text) == ""


def test_a_quotation_over_several_lines_is_in_one() -> None:
    assert quotation_marks.lines('one\nhe wrote "two\nthree"\nfour') == [
        "one",
        'he wrote "two\nthree"',
        "four",
    ]
