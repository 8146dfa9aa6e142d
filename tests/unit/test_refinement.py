"""What a language model may say in place of a long memory."""

from __future__ import annotations

import pytest

from graph_memory.upkeep.refinement import fault


@pytest.mark.parametrize(
    ("memory", "short"),
    [
        ("Ann, who as everybody in the team knows likes tea, really does like tea.", "Ann likes tea."),
        (
            'Asked "Any leaks?", Ann answered: One. The roof lost a tile in May.',
            "One leak: the roof lost a tile in May.",
        ),
        (
            'Asked "Bo the plumber?", Ann answered: No, Bo Lind the baker.',
            "Not Bo the plumber but Bo Lind the baker.",
        ),
    ],
)
def test_fewer_words_that_say_the_same_are_taken(memory: str, short: str) -> None:
    """Whom somebody asked is no fact: who said it stays beside what was said."""
    assert fault((short,), {"text": memory}, 1000) is None


@pytest.mark.parametrize(
    ("memory", "short", "why"),
    [
        ("By the way, Ann really does not like tea at all.", "Ann likes tea.", "denies"),
        ("By the way, Ann really does like tea a lot.", "Ann does not like tea.", "denies"),
        ("By the way, Ann pays 40 euros for tea.", "Ann pays for tea.", "loses a number"),
        ("By the way, Ann meets the tea club on Friday, every week.", "Ann meets the tea club.", "loses"),
        ('Asked "Who comes?", Ann answered: Bea comes with Leo.', "Bea comes.", "loses"),
        ("By the way, Ann likes tea.", "Ann and Bea like tea.", "does not have"),
        ("Ann likes tea.", "Ann very much likes tea.", "no shorter"),
    ],
)
def test_fewer_words_that_lose_or_turn_something_are_not(memory: str, short: str, why: str) -> None:
    found = fault((short,), {"text": memory}, 1000)
    assert found is not None and why in found


@pytest.mark.parametrize(
    ("memory", "statements"),
    [
        (
            'Asked "Was it hard?", Ann answered: The copy took nine hours. Queries are faster now.',
            ("The copy took nine hours.", "Queries are faster now."),
        ),
        (
            "Turned 35 in Oslo, cried at the tofu place.",
            ("Ann turned 35 in Oslo.", "Ann cried at the tofu place."),
        ),
    ],
)
def test_statements_may_leave_the_question_out_and_name_who_said_it(
    memory: str, statements: tuple[str, ...]
) -> None:
    assert fault(statements, {"text": memory, "source_author": "Ann", "source_kind": "user"}, 1000) is None


@pytest.mark.parametrize(
    ("statements", "why"),
    [
        (("The copy took nine hours, Bo.", "Queries are there now."), "loses words"),
        (("The copy took nine hours.", "Queries are faster now."), "lose a number or a name"),
        (("The copy took hours, Bo.", "Queries are faster now."), "other values"),
        (("The copy took nine hours, Bo.", "Cy says that queries are faster now."), "does not have"),
    ],
)
def test_statements_that_lose_or_make_up_something_are_not_taken(
    statements: tuple[str, ...], why: str
) -> None:
    memory = 'Asked "Was it hard, Bo?", Ann answered: The copy took nine hours. Queries are faster now.'
    found = fault(statements, {"text": memory, "source_author": "Ann", "source_kind": "user"}, 1000)
    assert found is not None and why in found
