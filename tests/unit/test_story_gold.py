"""What was understood of a story by hand: how it is read from its file, and what it is put in the place of."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graph_memory.base.errors import Invalid
from graph_memory.bench.story_gold import GoldReader, Hearing, Rung, readers
from graph_memory.bench.story_understood import find, understanding
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import PLAN, Told
from graph_memory.judge.linker import Act, Understood
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Memory, Source, SourceKind
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Effect
from tests.unit.test_stories import memory

ZONE = ZoneInfo("Pacific/Auckland")
RENT, FROM_JUNE = "Ann's rent is 780 a month.", "From 1 June 2026 Ann's rent is 840 a month."
CHANGE = {"does": "changes", "to": "0", "value": "840", "old": "780", "valid_from": "2026-06-01"}
STORY: list[dict[str, Any]] = [
    {"message": 0, "mood": "asserted", "keep": True, "statements": [{"text": RENT}]},
    {"message": 1, "mood": "planned", "keep": True, "statements": [{"text": FROM_JUNE, **CHANGE}]},
    {"message": 2, "mood": "joked", "keep": False, "statements": []},
    {
        "message": 3,
        "mood": "asserted",
        "keep": True,
        "statements": [{"text": "Her rent is 840.", "does": "repeats", "to": "1"}],
    },
    {
        "message": 4,
        "mood": "asserted",
        "keep": True,
        "statements": [
            {"text": "It is 830, says Bo.", "does": "disputes", "to": "3", "because": ["0", "1.0"]}
        ],
    },
]
MESSAGES = {each["message"]: understanding(each) for each in STORY}
HELD = memory("a", RENT)


def written(tmp_path: Path, told: object) -> Path:
    file = tmp_path / "gold.json"
    file.write_text(json.dumps(told))
    return file


def of_message(id: str, text: str, number: int) -> Memory:
    return memory(id, text, source=Source(SourceKind.USER, f"m{number}", "Ann"))


def come(number: int, said: str, rung: Rung, *held: Memory, act: Act = Act.PLANNED) -> list[Told]:
    """What comes of a message that the service takes for what `act` says."""
    message = Message("Ann", datetime(2026, 5, 4, 9, tzinfo=UTC), said, f"m{number}", role="user")
    alone = Understood({each: 0.94 if each is act else 0.01 for each in Act})
    return Hearing(MESSAGES, rung, message, (), ZONE, held, alone, LinkerSettings()).told()


def test_a_file_gives_each_story_its_reader(tmp_path: Path) -> None:
    file = written(tmp_path, {"stories": [{"id": "s1", "messages": STORY}]})
    found = readers(file, "times")
    assert isinstance(found["s1"], GoldReader)
    [change] = understanding(STORY[1]).statements
    assert (change.does, change.to, change.value, change.old) == (Effect.CHANGES, (0, 0), "840", "780")
    assert understanding(STORY[4]).statements[0].because == ((0, 0), (1, 0))


@pytest.mark.parametrize(
    "wrong",
    [
        {"mood": "grumbled"},
        {"statements": [{"text": RENT, "does": "mends", "to": "0"}]},
        {"statements": [{"text": RENT, "valid_from": "in June"}]},
        {"statements": [{"says": RENT}]},
    ],
)
def test_what_is_no_understanding_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    file = written(tmp_path, {"stories": [{"id": "s1", "messages": [{**STORY[0], **wrong}]}]})
    with pytest.raises(Invalid, match="does not hold what was understood"):
        readers(file, "links")


def test_there_are_four_rungs(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="there are links, times, texts, moods"):
        readers(written(tmp_path, {"stories": []}), "roof")


def test_links_alone_leave_the_words_and_the_time_to_the_service() -> None:
    [told] = come(1, "make that 840", Rung.LINKS, HELD, act=Act.ASSERTED)
    assert told.statement.text == "Ann's rent is 840 a month."
    assert told.verdict
    assert (told.verdict.candidate, told.verdict.action) == ("a", Action.SUPERSEDE)
    assert told.valid_from is None


def test_times_tell_from_when_on_it_holds() -> None:
    [told] = come(1, "make that 840", Rung.TIMES, HELD)
    assert told.statement.text == "Ann's rent is 840 a month."
    assert told.valid_from == datetime(2026, 5, 31, 12, tzinfo=UTC)


def test_texts_are_those_of_the_hand_while_the_service_tells_what_is_meant() -> None:
    [told] = come(1, "make that 840", Rung.TEXTS, HELD, act=Act.WISHED)
    assert told.statement.text == FROM_JUNE
    assert told.verdict is None
    [told] = come(1, "make that 840", Rung.TEXTS, HELD)
    assert told.verdict
    assert (told.verdict.action, told.statement.kind) == (Action.SUPERSEDE, PLAN)


def test_moods_tell_what_is_kept() -> None:
    [told] = come(1, "make that 840", Rung.MOODS, HELD, act=Act.PLANNED)
    assert told.statement.text == FROM_JUNE
    assert come(2, "or we move into a tree", Rung.MOODS) == []
    assert come(2, "or we move into a big old tree", Rung.TEXTS, act=Act.ASSERTED) != []


def test_what_only_said_it_again_is_part_of_what_it_repeats() -> None:
    known = of_message("b", FROM_JUNE, 1)
    assert find(MESSAGES, [HELD, known], (3, 0)) is known
    assert find(MESSAGES, [HELD], (1, 0)) is None
    [told] = come(4, "830!", Rung.MOODS, known, act=Act.ASSERTED)
    assert told.verdict
    assert (told.verdict.candidate, told.verdict.link) == ("b", LinkKind.CONFLICTS)


def test_of_several_memories_of_a_message_the_one_with_the_old_value_is_meant() -> None:
    others = [of_message("b", "Ann moved in.", 0), of_message("c", "It costs 780.", 0)]
    assert find(MESSAGES, others, (0, 0), "780") is others[1]
