from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.errors import Invalid, InvalidFile
from graph_memory.ingest.conversation_file import Conversation, Message, read, sessions


def line(**fields: Any) -> str:
    return json.dumps({"speaker": "Ann", "at": "2026-03-01T18:00:00Z", "text": "I moved to Lyon.", **fields})


def written(folder: Path, *lines: str) -> Path:
    file = folder / "talk.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file


def record(**sessions: Any) -> dict[str, Any]:
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Hello"},
        {"speaker": "Ben", "dia_id": "D1:2", "text": "Hi"},
    ]
    held = {
        "speaker_a": "Ann",
        "session_1": turns,
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        **sessions,
    }
    return {"sample_id": "talk-1", "qa": [], "conversation": held}


def faults(file: Path) -> list[tuple[int, str]]:
    with pytest.raises(InvalidFile) as caught:
        read(file)
    return caught.value.faults


def at(hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, 1, hour, minute, tzinfo=UTC)


def test_a_file_is_one_conversation_named_after_it(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "\ufeff" + line(ref="m1", session="s1", at="2026-03-01T19:00:00.123456+01:00"),
        "",
        line(speaker="Ben", text="Since when?", caption="a bridge"),
    )
    said = datetime(2026, 3, 1, 18, 0, 0, 123000, tzinfo=UTC)
    assert read(file) == [
        Conversation(
            "talk",
            (
                Message("Ben", at(18), "Since when?", caption="a bridge"),
                Message("Ann", said, "I moved to Lyon.", "m1", "s1"),
            ),
        )
    ]


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        ("{", "this is not JSON: at character 2 the name of a field in double quotes is missing"),
        ("[1]", "this is not a JSON object"),
        ('{"text": "a", "text": "b"}', "the field text is given twice"),
        (line(mood="glad"), "mood is unknown; known are speaker, at, text"),
        (line(at="2026-03-01T18:00:00"), "at has no offset"),
        (line(at="1 March"), "at must be a time"),
        (line(at="2026-02-30T18:00:00Z"), "at is not a moment of the calendar"),
        (line(at=None), "at must be a time"),
        (line(text=" "), "text is empty"),
        (line(text=3), "text must be text"),
        (line(role="god"), "role must be one of user, assistant, tool, and is 'god'"),
        (line(ref="a\nb"), "ref must stand on one line"),
        (line(speaker="x" * 201), "speaker has 201 characters, at most 200"),
        ('{"speaker": "Ann", "at": "2026-03-01T18:00:00Z"}', "text is missing"),
        (line(ref="m1"), "ref m1 was used on line 1 already"),
    ],
)
def test_a_broken_line_is_told_with_its_number(tmp_path: Path, broken: str, fault: str) -> None:
    [(number, told)] = faults(written(tmp_path, line(ref="m1"), broken))
    assert number == 2
    assert told.startswith(fault)


def test_all_broken_lines_are_told_at_once(tmp_path: Path) -> None:
    found = faults(written(tmp_path, "{", line(), line(text=""), line(at="soon", mood=1)))
    assert [number for number, _ in found] == [1, 3, 4, 4]


def test_bytes_that_are_not_utf8_are_told(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_bytes(line().encode() + b"\n\xff\xfe\n")
    assert faults(file) == [(2, "is not UTF-8")]


@pytest.mark.parametrize("content", ["", "\n\n", "[]"])
def test_a_file_without_messages_is_refused(tmp_path: Path, content: str) -> None:
    assert faults(written(tmp_path, content)) == [(1, "the file holds no message")]


def test_a_message_longer_than_allowed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="12 characters, at most 11"):
        read(written(tmp_path, line(text="x" * 12)), max_message=11)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        read(tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize("whole", [record(), [record()]])
def test_a_benchmark_record_is_read_in_its_order(tmp_path: Path, whole: Any) -> None:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps(whole), "utf-8")
    [talk] = read(file)
    assert talk.ref == "talk-1"
    assert [(said.ref, said.session, said.at.isoformat()) for said in talk.messages] == [
        ("D1:1", "session_1", "2023-05-08T13:56:00+00:00"),
        ("D1:2", "session_1", "2023-05-08T13:56:30+00:00"),
    ]


def test_faults_of_a_benchmark_record_name_session_and_turn(tmp_path: Path) -> None:
    twice = [{"speaker": "Ann", "dia_id": "D1:1", "text": "Again"}, {"speaker": "Ann", "dia_id": "D2:2"}]
    file = tmp_path / "bench.json"
    broken = record(session_2=twice, session_2_date_time="2:00 pm on 9 May, 2023", session_3=[])
    file.write_text(json.dumps([broken]), "utf-8")
    told = [fault for _, fault in faults(file)]
    assert told == [
        "talk-1, session_2, turn 1: dia_id D1:1 was used already",
        "talk-1, session_2, turn 2: text must be text",
        "talk-1, session_3_date_time: must be as in 1:56 pm on 8 May, 2023, but is None",
    ]


def test_named_sessions_stay_together_and_a_long_pause_parts_the_others() -> None:
    said = [
        Message("Ann", at(8), "one"),
        Message("Ben", at(9), "two", session="s1"),
        Message("Ann", at(10), "three"),
        Message("Ben", at(12, 1), "four"),
        Message("Ann", at(13), "five", session="s1"),
    ]
    sittings = sessions(Conversation("talk", tuple(said)))
    assert [[message.text for message in sitting] for sitting in sittings] == [
        ["one", "three"],
        ["two", "five"],
        ["four"],
    ]
