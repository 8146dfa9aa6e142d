"""`bench stories`: how stories are read and judged, on made-up memories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from graph_memory.base.errors import Invalid, Unavailable
from graph_memory.bench.story_checks import RULES, judge
from graph_memory.bench.story_evidence import TOP, Heard, Named, Proposal, World
from graph_memory.bench.story_files import TYPES, read
from graph_memory.bench.story_table import report
from graph_memory.bench.wording import asserts, days_in, declares, denied, excused, has, joined, told
from graph_memory.model.memory import Memory, Source, SourceKind, Status
from graph_memory.recall.modes import Mode

SAID = datetime(2026, 3, 2, 19, tzinfo=UTC)
LATER = datetime(2026, 6, 1, 9, tzinfo=UTC)


def memory(id: str, text: str, **given: Any) -> Memory:
    fixed: dict[str, Any] = {
        **dict.fromkeys(("subject_id", "caption", "heading", "tier"), ""),
        **dict.fromkeys(("confidence", "importance", "base_importance"), 0.5),
        **dict.fromkeys(("critical", "pinned", "is_revision"), False),
        **dict.fromkeys(("last_accessed_at", "happens_at", "expires_at", "valid_to", "recorded_to"), None),
        **dict.fromkeys(("session_id", "agent_id"), None),
        **dict.fromkeys(("valid_from", "recorded_from", "created_at", "updated_at"), SAID),
        "kind": "fact",
        "tags": (),
        "metadata": {},
        "status": Status.ACTIVE,
        "access_count": 0,
        "chain_id": "c",
        "source": Source(SourceKind.USER, "m0", "Ana"),
    }
    return Memory(**{**fixed, "id": id, "text": text, **given})


class Held(World):
    """A world of these memories: every search finds all of them, in this order, up to the limit."""

    def __init__(self, *memories: Memory, **given: Any) -> None:
        self.zone, self.now = ZoneInfo("Pacific/Auckland"), datetime(2026, 11, 1, tzinfo=UTC)
        self.every = {each.id: each for each in memories}
        self.live = [each for each in memories if each.valid_to is None and each.status is Status.ACTIVE]
        self.links = given.get("links", [])
        self.proposals = given.get("proposals", [])
        self.said = given.get("said", [])
        self.named: dict[str, list[Named]] = given.get("named", {})

    def search(
        self, text: str, limit: int = TOP, mode: Mode = Mode.STANDARD, at: datetime | None = None
    ) -> Sequence[Memory]:
        return [*(self.live if mode is Mode.STANDARD and at is None else self.every.values())][:limit]

    def states(self, memory: Memory) -> Sequence[Memory]:
        return [each for each in self.every.values() if each.chain_id == memory.chain_id]

    def causes(self, memory: Memory) -> Sequence[Memory]:
        return [self.every[start] for start, kind, end in self.links if kind == "CAUSES" and end == memory.id]

    def entities(self, memory: Memory) -> Sequence[Named]:
        return self.named.get(memory.id, [])

    def erase(self, ids: Sequence[str]) -> None:
        self.live = [each for each in self.live if each.id not in ids]
        self.every = {id: each for id, each in self.every.items() if id not in ids}

    def heard(self) -> Sequence[Heard]:
        return self.said


def heard(text: str, *memories: str) -> Heard:
    return Heard("m0", "Ana", SAID, text, False, memories)


RENT: dict[str, Any] = {"question": "What is the rent?", "want": [r"\b840\b"], "not": [r"\b780\b"]}
CURRENT = {"type": "current", **RENT}
AS_OF = {"type": "as_of", "on": "2026-04-01", **RENT, "want": [r"\b780\b"], "not": [r"\b840\b"]}
HISTORY = {"type": "history", "question": "The rent", "ordered": [r"\b780\b", r"\b840\b"]}
DATE = {"type": "date", "question": "When was the party?", "which": "party", "day": "2026-03-03"}
DISTINCT = {
    "type": "distinct",
    "question_a": "?",
    "a": "plumber",
    "question_b": "?",
    "b": "cousin",
    "name": "Tom",
}
DUPLICATE = {"type": "duplicate", "question": "Where is the key?", "which": "geranium"}
CONFLICT = {"type": "conflict", "question": "How much?", "a": "340", "b": "260"}
CAUSE = {"type": "cause", "question": "Why?", "cause": "hose", "effect": "ceiling"}
ABSENT = {"type": "absent", "question": "A goat?", "which": "goat", "why": "a joke"}
FORGET = {"type": "forget", "topic": "Bo", "question": "Who is Bo?", "probe": "Bo's job", "which": r"\bBo\b"}

OLD, NEW = memory("a", "The rent is 780."), memory("b", "The rent is 840.", valid_from=LATER)
ENDED = memory("a", "The rent is 780.", valid_to=LATER)
PLUMBER, COUSIN = memory("a", "Tom is a plumber."), memory("b", "Tom is a cousin.")
HOSE, CEILING = memory("a", "The hose burst."), memory("b", "The ceiling came down.")
ONE_TOM = {each: [Named("e", "Tom", ("Tom",))] for each in "ab"}
TWO_TOMS = {each: [Named(each, "Tom", ("Tom",))] for each in "ab"}
PROMISE, OTHERWISE = memory("a", "He promised 340."), memory("b", "He said 260.")


@pytest.mark.parametrize(
    ("check", "world"),
    [
        (CURRENT, Held(ENDED, NEW)),
        (CURRENT, Held(memory("a", "The rent is 840, no longer 780."))),
        (CURRENT, Held(memory("a", "Tom weighs 780."), NEW)),
        (AS_OF, Held(ENDED)),
        (HISTORY, Held(ENDED, NEW)),
        (HISTORY, Held(ENDED, memory("x", "The rent is 790.", valid_to=SAID), NEW)),
        (DATE, Held(memory("a", "The party was good.", happens_at=datetime(2026, 3, 3, tzinfo=UTC)))),
        (DATE, Held(memory("a", "The party was good.", happens_at=datetime(2026, 3, 2, 22, tzinfo=UTC)))),
        (DATE, Held(memory("a", "The party was on 3rd of March, 2026."))),
        (DISTINCT, Held(PLUMBER, COUSIN, named=TWO_TOMS)),
        (DUPLICATE, Held(memory("a", "It is under the geranium."), memory("b", "Is it under the geranium?"))),
        (CONFLICT, Held(PROMISE, OTHERWISE, links=[("b", "CONFLICTS", "a")])),
        (CAUSE, Held(memory("a", "The ceiling came down because the hose burst."))),
        (CAUSE, Held(HOSE, CEILING, links=[("a", "CAUSES", "b")])),
        (CAUSE, Held(HOSE, CEILING, links=[("b", "MOTIVATED_BY", "a")])),
        (ABSENT, Held(memory("a", "Ana joked about a goat."))),
        (
            FORGET,
            Held(memory("a", "Bo sells boats."), memory("b", "I sell boats.", source=Source(author="Bo"))),
        ),
    ],
    ids=lambda given: given["type"] if isinstance(given, dict) else "",
)
def test_a_check_passes(check: dict[str, Any], world: Held) -> None:
    verdict = judge(world, check)
    assert verdict["ok"], verdict
    assert verdict["mild"]


@pytest.mark.parametrize(
    ("check", "world", "kind", "is_mild"),
    [
        (CURRENT, Held(OLD), "extraction-missing", False),
        (CURRENT, Held(OLD, said=[heard("840 now", "It goes up.")]), "extraction-wrong-text", False),
        (CURRENT, Held(OLD, NEW), "not-superseded", True),
        (CURRENT, Held(OLD, NEW, proposals=[Proposal("SUPERSEDE", NEW, OLD)]), "review-pending", True),
        (CURRENT, Held(memory("b", "The rent is 840.", valid_to=LATER)), "wrongly-superseded", False),
        (CURRENT, Held(*(memory(f"{n}", "Hm.") for n in range(TOP)), NEW), "ranking", False),
        (CURRENT, Held(*(memory(f"{n}", "Hm.") for n in range(TOP)), memory("b", "840!")), "extraction-wrong-text", False),
        (AS_OF, Held(NEW, memory("a", "The rent was 780.", valid_from=LATER)), "not-superseded", True),
        (HISTORY, Held(OLD, NEW), "not-superseded", True),
        (HISTORY, Held(NEW), "extraction-missing", False),
        (HISTORY, Held(memory("a", "The rent is 780.", valid_from=LATER), memory("b", "The rent is 840.", valid_to=LATER)), "other", False),
        (DATE, Held(memory("a", "The party was good."), said=[heard("What a party!")]), "date-unresolved", True),
        (DATE, Held(memory("a", "The party was good.", valid_to=LATER)), "wrongly-superseded", False),
        (DISTINCT, Held(PLUMBER, COUSIN, named=ONE_TOM), "other", True),
        (DISTINCT, Held(memory("a", "Tom is a plumber and a cousin.")), "other", False),
        (DISTINCT, Held(PLUMBER, memory("b", "Tom is a cousin.", valid_to=LATER)), "wrongly-superseded", False),
        (DUPLICATE, Held(*(memory(each, "It is under the geranium.") for each in "ab")), "other", True),
        (CONFLICT, Held(PROMISE, OTHERWISE), "link-missing", True),
        (CAUSE, Held(HOSE, CEILING), "link-missing", True),
        (CAUSE, Held(HOSE), "extraction-missing", False),
        (ABSENT, Held(memory("a", "We are getting a goat.")), "extraction-wrong-text", False),
    ],
    ids=lambda given: given["type"] if isinstance(given, dict) else "",
)  # fmt: skip
def test_a_check_fails_for_a_reason(check: dict[str, Any], world: Held, kind: str, is_mild: bool) -> None:
    verdict = judge(world, check)
    assert not verdict["ok"]
    assert (verdict["class"], verdict["mild"]) == (kind, is_mild), verdict


def test_what_is_still_found_after_it_was_forgotten_fails() -> None:
    class Keeps(Held):
        def erase(self, ids: Sequence[str]) -> None:
            """Keeps all."""

    verdict = judge(Keeps(memory("a", "Bo sells boats."), said=[heard("Bo again")]), FORGET)
    assert (verdict["ok"], verdict["class"], verdict["messages_left"]) == (False, "other", ["Bo again"])


def test_what_the_service_refuses_fails_the_check_and_no_more() -> None:
    class Refuses(Held):
        def search(self, *given: Any, **named: Any) -> Sequence[Memory]:
            raise Unavailable("away")

    verdict = judge(Refuses(), CURRENT)
    assert (verdict["ok"], verdict["mild"], verdict["why"]) == (False, False, "the service failed: away")


def test_each_type_of_a_check_has_a_rule() -> None:
    assert list(RULES) == list(TYPES)


def test_numbers_and_quotes_are_read_in_one_spelling() -> None:
    assert has("It’s 1,250 now", r"it's 1250\b")


def test_what_was_left_is_not_asserted() -> None:
    assert asserts("The rent is 840, up from 780.", r"\b840\b", "rent")
    for text in ("The rent is 840, up from 780.", "The 780 was a typo.", "Not 780 but 840."):
        assert denied(text, r"\b780\b"), text
    assert told("from 780 to 840", [r"\b780\b", r"\b840\b"]) == (r"\b840\b", True)


def test_a_question_declares_nothing_and_a_condition_excuses() -> None:
    assert not declares("Is it under the geranium?", "geranium")
    assert declares("Is it there? It is under the geranium.", "geranium")
    assert excused("If we had a goat, it would eat that.", "goat")
    assert not excused("We have a goat.", "goat")


@pytest.mark.parametrize(
    ("text", "is_cause"),
    [
        ("The ceiling came down because the hose burst.", True),
        ("Because the hose burst, the ceiling came down.", True),
        ("The hose burst, so the ceiling came down.", True),
        ("The hose burst because of the ceiling.", False),
        ("The hose is new. The ceiling came down.", False),
    ],
)
def test_a_cause_stands_on_its_side_of_the_word_of_cause(text: str, is_cause: bool) -> None:
    assert joined(text, "hose", "ceiling") is is_cause


def test_full_dates_are_found_and_impossible_ones_are_not() -> None:
    found = days_in("2026-03-03, 4 March 2026, May 5th, 2026, 31 February 2026, 3 March")
    assert sorted(map(str, found)) == ["2026-03-03", "2026-03-04", "2026-05-05"]


def story(**given: Any) -> dict[str, Any]:
    messages = [
        {"at": f"2026-03-02T{hour}", "speaker": speaker, "role": role, "text": "Hi."}
        for hour, speaker, role in [("19:05:00", "Ana", "user"), ("22:04:59", "Assistant", "user"), ("22:05:00", "Bo", "assistant")]
    ]  # fmt: skip
    later = {"at": "2026-03-03T01:05:00", "speaker": "Ana", "text": "Ho."}
    told = {"id": "s1", "title": "t", "timezone": "Pacific/Auckland", "messages": [*messages, later]}
    return {**told, "checks": [CURRENT], **given}


def written(path: Path, *stories: dict[str, Any]) -> Path:
    file = path / "stories.json"
    file.write_text(json.dumps({"stories": stories}))
    return file


def test_three_hours_of_silence_begin_a_session_and_an_assistant_is_told_apart(tmp_path: Path) -> None:
    [found] = read(written(tmp_path, story()))
    assert [[message.ref for message in session] for session in found.sessions] == [
        ["m0", "m1", "m2"],
        ["m3"],
    ]
    assert [message.role for message in found.sessions[0]] == [None, "assistant", "assistant"]
    assert found.sessions[0][0].at == datetime(2026, 3, 2, 6, 5, tzinfo=UTC)


def test_stories_are_chosen_by_id(tmp_path: Path) -> None:
    file = written(tmp_path, story(), story(id="s2"))
    assert [each.id for each in read(file, ["s2"])] == ["s2"]
    with pytest.raises(Invalid, match="no such story"):
        read(file, ["s3"])


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"messages": story()["messages"][::-1]}, "do not grow"),
        ({"timezone": "Nowhere"}, "no time zone Nowhere"),
        ({"checks": [{"type": "guess"}]}, "check 0 has no known type"),
        ({"checks": [{"type": "duplicate", "question": "?"}]}, "check 0 lacks which"),
        ({"checks": [{**DUPLICATE, "which": "("}]}, "check 0 has '\\('"),
    ],
)
def test_what_is_wrong_with_a_story_is_named(tmp_path: Path, given: dict[str, Any], fault: str) -> None:
    with pytest.raises(Invalid, match=fault):
        read(written(tmp_path, story(**given)))


def test_the_table_tells_checks_classes_and_the_figures_of_the_gate() -> None:
    checks = [
        {"key": "s1/0", "check": CURRENT, **judge(Held(OLD, NEW), CURRENT)},
        {"key": "s1/1", "check": DISTINCT, **judge(Held(PLUMBER, COUSIN), DISTINCT)},
    ]
    gate = {"superseded": 3, "wrongly_retired": 1, "reviews": 2, "messages_per_second": 5.5}
    every = {**gate, "passed": 1, "checks": 2, "wrongly_retired_per_story": 1.0}
    taken = {"sessions": 7, "counts": {"failed": 2}}
    lines = report([{"id": "s1", "taken": taken, "checks": checks, "gate": gate}], every).splitlines()
    assert lines[1].split()[:2] == ["s1", "0/1"]
    assert lines[1].split()[-1] == "1/2"
    assert "  not-superseded           1  100%  current 1" in lines
    assert any(line.split() == ["s1", "3", "1", "2", "5.5"] for line in lines)
    assert "noted: 2 of 7 sessions of s1 were not extracted" in lines
