"""Two statements in one: every detail of both is kept, and nothing is added (features 112-113)."""

from __future__ import annotations

import pytest

from graph_memory.language.subsumption import both, says_all
from graph_memory.memory.merged_text import lost

SHORT = "My flight leaves on 3 May."
FULL = "My flight to Oslo leaves on 3 May at 07:40."


@pytest.mark.parametrize(
    ("fuller", "other"),
    [
        (FULL, SHORT),
        ("Ann has a dog named Max.", "Ann has a dog."),
        ("Ann works at Contoso in Oslo since May 2019.", "Ann works at Contoso."),
        ("Ann likes tea and coffee.", "ann likes tea"),
        ("Ann is allergic to nuts and to wheat.", "Ann is allergic to nuts."),
        ("Ann met Ben in Rome in May.", "Ann met Ben in May."),
        ("Ann moved to Oslo last Friday.", "Ann moved to Oslo."),
        ("The rent is 1,200 euros every month.", "The rent is 1,200 euros."),
        ("Ann likes tea!", "Ann likes tea!"),
    ],
)
def test_the_fuller_statement_stands_for_both(fuller: str, other: str) -> None:
    assert says_all(fuller, other)
    assert both(fuller, other) == both(other, fuller) or fuller.casefold() == other.casefold()
    assert both(other, fuller) == fuller


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann likes tea.", "Ann likes tea without sugar."),
        ("Ann likes tea.", "Ann likes tea, but not green tea."),
        ("Ann eats meat.", "Ann almost never eats meat."),
        ("Ann has a cat.", "Ann has a cat allergy."),
        ("Ann likes tea.", "Ann likes teapots."),
        ("Ann has 2 cats.", "Ann has 12 cats."),
        ("The meeting is on 3 May.", "The meeting is on 3 May or 4 May."),
        ("Ann drinks coffee.", "Ann drinks coffee only on Sundays."),
        ("Ann works as a nurse.", "Ann works as a former nurse."),
        ("Ann lives in Oslo.", "Ben says Ann lives in Oslo."),
        ("Ann lives in Oslo.", "Ann's brother lives in Oslo."),
        ("Ann writes C.", "Ann writes C++."),
        ("The code is 3.", "The code is 3.5."),
        ("Ann.", "Ann lives in Oslo."),
        ("Ann will come.", "Ann will come unless it rains."),
    ],
)
def test_both_are_kept_where_the_longer_one_may_say_something_else(one: str, other: str) -> None:
    assert not says_all(other, one)
    assert both(one, other) == f"{one} {other}"
    assert both(other, one) == f"{other} {one}"


def test_a_sentence_said_more_fully_is_replaced_in_its_place() -> None:
    assert both(f"Ann packs light. {SHORT} She is early.", FULL) == f"Ann packs light. {FULL} She is early."
    assert both(f"Ann packs light. {FULL}", SHORT) == f"Ann packs light. {FULL}"


def test_a_sentence_that_others_may_lean_on_is_not_taken_out() -> None:
    """'He' is Ben only as long as 'Ben came' stands before it."""
    assert both("Ann left. Ben came.", "Ben came. He stayed.") == "Ann left. Ben came. Ben came. He stayed."


def test_words_are_not_gathered_from_two_sentences() -> None:
    assert both("Ann left.", "Ann called. Ben left.") == "Ann left. Ann called. Ben left."


def test_statements_without_an_end_are_set_apart() -> None:
    assert both("Ann likes tea", "Ann plays chess") == "Ann likes tea. Ann plays chess"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SHORT, FULL),
        (FULL, SHORT),
        (f"{SHORT} Ann packs 2 bags.", FULL),
        ("Ann likes tea.", "Ben has 3 dogs."),
    ],
)
def test_no_number_or_name_is_lost(one: str, other: str) -> None:
    assert lost(both(one, other), one, other) == []
