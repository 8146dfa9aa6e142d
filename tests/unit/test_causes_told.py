"""What led to what in a conversation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import cast

from graph_memory.ingest.causes_told import LIKELY, Cause, causes
from graph_memory.ingest.rules import Statement as Kept
from graph_memory.ingest.talk import KnownMemory, Told
from graph_memory.judge.pair_model import Joined, Likely, PairModel
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict

AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
BURST, FLOOR = "The hose of the washing machine burst.", "The kitchen floor is ruined."


class Says:
    """A pair model that gives every pair one link."""

    def __init__(self, link: Joined | None, chance: float = 0.96) -> None:
        self.asked: list[tuple[str, str, timedelta]] = []
        self._likely = Likely({Action.COEXIST: 1.0}, link, chance)

    def read(self, new: Statement, old: Statement) -> Likely:
        self.asked.append((new.text, old.text, new.at - old.at))
        return self._likely


def found(model: Says, known: list[KnownMemory], verdict: Verdict | None = None) -> list[Cause]:
    said = Kept(FLOOR, "Ana", AT, None, "fact", "ref")
    return causes(cast(PairModel, model), [Told(said, None, verdict)], known)


def memory(id: str, is_just_said: bool = True, text: str = BURST) -> KnownMemory:
    last_year, said_at = AT - timedelta(days=365), AT - timedelta(minutes=5)
    return KnownMemory(id, text, "Ana", last_year, said_at, "fact", None, is_just_said)


def test_a_cause_is_linked_in_its_direction() -> None:
    [cause] = found(Says(Joined(LinkKind.CAUSES, from_known=True)), [memory("m")])
    assert cause.row("new") | {"reason": ""} == {
        "from": "m", "to": "new", "kind": "CAUSES", "confidence": 0.96, "strength": 0.8, "reason": "",
    }  # fmt: skip
    [effect] = found(Says(Joined(LinkKind.CAUSES)), [memory("m")])
    assert (effect.row("new")["from"], effect.row("new")["to"]) == ("new", "m")


def test_the_pair_model_is_told_how_long_ago_the_cause_was_said_whenever_it_began() -> None:
    model = Says(Joined(LinkKind.CAUSES))
    found(model, [memory("m")])
    assert model.asked == [(FLOOR, BURST, timedelta(minutes=5))]


def test_only_what_was_just_said_and_is_english_is_read() -> None:
    model = Says(Joined(LinkKind.CAUSES))
    known = [memory("far", is_just_said=False), memory("other", text="Der Schlauch ist geplatzt.")]
    assert found(model, known) == []
    assert model.asked == []


def test_what_is_unsure_another_link_or_what_the_message_is_about_is_no_cause() -> None:
    assert found(Says(Joined(LinkKind.CAUSES), LIKELY - 0.01), [memory("m")]) == []
    assert found(Says(Joined(LinkKind.CONFLICTS)), [memory("m")]) == []
    assert found(Says(None), [memory("m")]) == []
    about = Verdict("m", Action.SUPERSEDE, 0.9, "r")
    assert found(Says(Joined(LinkKind.CAUSES)), [memory("m")], about) == []
