"""What similarity may not override."""

from __future__ import annotations

import pytest

from graph_memory.judge.guards import Side, objection
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Action

DOUBTFUL = (SourceKind.TOOL, SourceKind.WEB)


def _objects(action: Action, new: str, old: str, **more: SourceKind | str) -> str | None:
    author, older = str(more.get("author", "")) or None, str(more.get("older", "")) or None
    trust, trusted = more.get("trust", SourceKind.USER), more.get("trusted", SourceKind.USER)
    return objection(action, Side(new, author, SourceKind(trust)), Side(old, older, SourceKind(trusted)))


CHANGED = [
    ("The server runs PostgreSQL 18.", "The server runs PostgreSQL 16.", "numbers"),
    ("Ann has three cats.", "Ann has two cats.", "numbers"),
    ("Ann has one cat.", "Ann has seventeen cats.", "numbers"),
    ("The shop opens at half past nine.", "The shop opens at half past ten.", "numbers"),
    ("The rent is 1,200 euros.", "The rent is 1,250 euros.", "numbers"),
    ("The meeting is on Friday.", "The meeting is on Thursday.", "numbers or dates"),
    ("Her birthday is in March.", "Her birthday is in May.", "numbers or dates"),
    ("Her next trip leads to Armenia.", "Her next trip leads to Argentina.", "names"),
    ("She works with C++.", "She works with C#.", "names"),
    ("Ann does not eat meat.", "Ann does eat meat.", "small words"),
    ("He can't swim.", "He can swim.", "small words"),
    ("He never drinks coffee.", "He drinks coffee.", "small words"),
]


@pytest.mark.parametrize(("new", "old", "why"), CHANGED, ids=[new for new, _, _ in CHANGED])
@pytest.mark.parametrize("action", [Action.DUPLICATE, Action.MERGE])
def test_a_changed_value_blocks_a_duplicate_and_a_merge(action: Action, new: str, old: str, why: str) -> None:
    assert why in (_objects(action, new, old) or "")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The server runs PostgreSQL 18.", "The server runs PostgreSQL."),
        ("She has a dog and 3 cats.", "She has a dog and cats."),
    ],
)
def test_a_duplicate_may_not_swallow_a_value_that_is_new(new: str, old: str) -> None:
    assert _objects(Action.DUPLICATE, new, old)
    assert _objects(Action.MERGE, new, old) is None


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("User likes dark theme.", "User prefers dark mode."),
        ("I like dark theme.", "User prefers dark mode."),
        ("She has a dog.", "She has a dog named Max."),
        ("Ann Smith likes tea.", "Ann Smith enjoys tea."),
        ("Ann Smith keeps bees in the garden.", "In the garden Ann Smith has beehives."),
        ("The shop opens at 9:30.", "The shop opens at half past nine."),
        ("He swims on Mondays.", "He swims every Monday."),
        ("She reads in the evenings.", "She reads in the evening."),
        ("The choir has twelve members.", "The choir counts 12 members."),
    ],
)
def test_what_says_no_more_may_be_a_duplicate(new: str, old: str) -> None:
    assert _objects(Action.DUPLICATE, new, old) is None


def test_details_of_one_thing_may_be_merged() -> None:
    assert _objects(Action.MERGE, "The dog is named Max.", "User has a dog.") is None


@pytest.mark.parametrize("action", [Action.DUPLICATE, Action.MERGE, Action.SUPERSEDE])
def test_what_another_person_says_of_itself_touches_nothing(action: Action) -> None:
    assert _objects(action, "I have a dog.", "I have a dog.", author="Ben", older="Ann")


def test_a_new_version_may_change_a_number() -> None:
    assert (
        _objects(Action.SUPERSEDE, "The server now runs PostgreSQL 18.", "The server runs PostgreSQL 16.")
        is None
    )


def test_one_person_may_be_called_by_more_of_the_name() -> None:
    assert _objects(Action.SUPERSEDE, "Ann Smith now works at Anthropic.", "Ann works at Google.") is None


@pytest.mark.parametrize("action", [Action.MERGE, Action.SUPERSEDE])
def test_a_source_of_lower_trust_retires_no_higher_one(action: Action) -> None:
    kinds = list(SourceKind)
    for place, low in enumerate(kinds):
        for high in kinds:
            found = _objects(action, "It moved to Rome.", "It is there.", trust=low, trusted=high)
            # What is merged into a doubtful memory would be doubted with it.
            sinks = action is Action.MERGE and high in DOUBTFUL and low not in DOUBTFUL
            assert (found is not None) == (place > kinds.index(high) or sinks), (low, high)


def test_an_objection_never_quotes_a_text() -> None:
    for new, old, _ in CHANGED:
        told = _objects(Action.DUPLICATE, new, old) or ""
        values = {
            word.strip(".,")
            for word in (new + " " + old).split()
            if any(map(str.isdigit, word)) or word.istitle()
        }
        assert not [value for value in values if value in told.split()]


def test_coexistence_is_never_hindered() -> None:
    assert _objects(Action.COEXIST, "He never drinks.", "He drinks.") is None


@pytest.mark.parametrize(
    ("new", "old", "is_held"),
    [
        ("Nora left Bosch.", "Nora works at Bosch in Ulm and is allergic to nuts.", True),
        ("Tom moved out of Leeds.", "Tom lives in Leeds and plays the drums.", True),
        ("Nora works at SAP and is allergic to milk.", "Nora works at Bosch and is allergic to nuts.", False),
        ("Nora left Bosch.", "Nora works at Bosch in Ulm.", False),
        ("Nora left Bosch.", "Nora works at Bosch with Tom and Ann.", False),
    ],
)
def test_one_of_two_things_does_not_take_the_other_along(new: str, old: str, is_held: bool) -> None:
    assert bool(_objects(Action.SUPERSEDE, new, old)) is is_held
    # Who has read the talk is asked as before: of 323 endings that were made rightly in chats 11 would be held back.
    new_side, old_side = (Side(text, None, SourceKind.USER) for text in (new, old))
    assert objection(Action.SUPERSEDE, new_side, old_side, has_read=True) is None
