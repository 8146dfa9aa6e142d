"""What was said earlier and is read later, what nobody sees in a message, and what happens more than once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import Outcome, add
from graph_memory.memory.undo import undo
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from graph_memory.transfer.export import export_lines, write_file
from graph_memory.transfer.restore import restore
from graph_memory.upkeep.migrations import migrations, values
from graph_memory.verify import verify
from tests.conftest import Clock
from tests.integration.conversation_world import MONDAY, asked, found, live, told
from tests.integration.remembering_world import Judge, keep
from tests.wires import Wires

pytestmark = pytest.mark.stack

APRIL, MAY, JUNE = (MONDAY.replace(month=month, day=20) for month in (4, 5, 6))
DOSE = "Ann takes 120 mg of levothyroxine in the morning."
SEIZURE = "Ann just had a seizure."


@pytest.fixture(autouse=True)
def later(clock: Clock) -> None:
    clock.set(2026, 7, 1)


def texts(service: Service, scope: Scope) -> list[str]:
    return sorted(each.text for each in live(service, scope))


def cypher(service: Service, text: str, **given: Any) -> list[dict[str, Any]]:
    with service.driver.session() as session:
        return [dict(row) for row in session.run(text, given)]


# --- the order of time --------------------------------------------------------------------------------------------------


def test_a_correction_of_before_goes_behind_what_was_said_since(service: Service, scope: Scope) -> None:
    told(service, scope, "I take 120 mg of levothyroxine in the morning.", at=MAY)
    told(service, scope, "no wait, it's 88 mg", at=APRIL, session="older")
    [now] = live(service, scope)
    assert (now.text, now.valid_from) == (DOSE, MAY)
    before = reading.browse(service, scope, include_past=True).items
    assert {(each.valid_from, each.valid_to) for each in before if "88" in each.text} == {(APRIL, MAY)}


def test_a_correction_that_is_said_later_holds_since_what_it_corrects_did(
    service: Service, scope: Scope
) -> None:
    told(service, scope, "I take 120 mg of levothyroxine in the morning.", at=MAY)
    told(service, scope, "no wait, it's 88 mg", at=MAY + timedelta(hours=1), session="later")
    [now] = live(service, scope)
    assert ("88 mg" in now.text, now.valid_from) == (True, MAY)


@pytest.mark.parametrize("is_repeated", [False, True])
def test_an_older_correction_of_what_holds_longer_is_left_to_a_person(
    service: Service, scope: Scope, is_repeated: bool
) -> None:
    """What was said again since is younger than its first words."""
    since = "I have taken 120 mg of levothyroxine since 1 March."
    if is_repeated:
        told(service, scope, since, at=APRIL - timedelta(days=20))
    told(service, scope, since, at=MAY, session="again")
    [known] = live(service, scope)
    told(service, scope, "no wait, it's 88 mg", at=APRIL, session="older")
    assert known.id in {each.id for each in live(service, scope)}
    [review] = review_records.page(service, scope).items
    assert (review.action, review.target_id) == (Action.SUPERSEDE, known.id)
    assert review.hindrance == "what it would replace is younger"


def test_a_statement_that_is_given_a_start_takes_the_place_of_what_holds_since_before(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """Who gives a start tells now what has been so since then."""
    known = keep(service, scope, DOSE, valid_from=APRIL)
    clock.forward(days=1)
    new = keep(
        service,
        scope,
        "Ann takes 88 mg of levothyroxine in the morning.",
        Judge(Action.SUPERSEDE),
        valid_from=MAY,
    )
    assert (new.operation, new.target_id) == (Operation.SUPERSEDE, known.id)


@pytest.fixture
def wires() -> Iterator[Wires]:
    with Wires() as started:
        yield started


@pytest.mark.parametrize(("at", "begins"), [(APRIL, APRIL), (JUNE, MAY)])
def test_a_model_corrects_nothing_that_was_said_later(
    service: Service, scope: Scope, wires: Wires, at: datetime, begins: datetime
) -> None:
    told(service, scope, "I take 120 mg of levothyroxine in the morning.", at=MAY)
    new = "Ann takes 88 mg of levothyroxine in the morning."

    def extracts(request: Any) -> list[dict[str, Any]]:
        [known] = request.offered
        return [found(new, outcome="CORRECTS", known=known)]

    with asked(service, wires, extracts) as modelled:
        told(modelled, scope, "no wait, it's 88 mg", at=at, session="other")
    said = [each for each in reading.browse(service, scope, include_past=True).items if each.text == new]
    assert [each.valid_from for each in said] == [begins]
    assert (DOSE in texts(service, scope)) is (at < MAY)


# --- what nobody sees ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["\u200e*88 mg", "no wait, it\u200b's 88\u200b mg"])
def test_what_nobody_sees_in_a_message_keeps_no_verdict_from_being_found(
    service: Service, scope: Scope, said: str
) -> None:
    told(service, scope, "\u200eI take 120 mg of levothyroxine in the morning.", at=APRIL)
    assert texts(service, scope) == [DOSE]
    run = told(service, scope, said, at=APRIL + timedelta(hours=1), session="later")
    assert run.result["superseded"] == 1
    assert texts(service, scope) == ["Ann takes 88 mg of levothyroxine in the morning."]


# --- what happens more than once ----------------------------------------------------------------------------------------


def days(service: Service, scope: Scope) -> list[datetime | None]:
    return sorted(each.happens_at for each in live(service, scope) if each.happens_at)


FIFTH = [datetime(2026, month, 5, tzinfo=UTC) for month in (5, 6)]


def test_the_same_words_about_another_day_are_another_memory_in_talk(service: Service, scope: Scope) -> None:
    for session, day in enumerate(FIFTH):
        told(service, scope, "I just had a seizure.", at=day.replace(hour=12), session=str(session))
    told(service, scope, "I just had a seizure.", at=FIFTH[1].replace(hour=13), session="again")
    assert texts(service, scope) == [SEIZURE, SEIZURE]
    assert days(service, scope) == FIFTH
    assert list(review_records.page(service, scope).items) == []
    assert verify(service, [scope.tenant_name]).findings == ()


def test_the_same_words_about_another_day_are_another_memory_by_every_door(
    service: Service, scope: Scope, clock: Clock
) -> None:
    call = Call(scope, "test")
    first, other, again = (
        add(service, call, [Fact(SEIZURE, happens_at=day)])[0][0] for day in (*FIFTH, FIFTH[0])
    )
    assert (other.outcome, again.outcome, again.id) == (Outcome.ADDED, Outcome.DUPLICATE, first.id)
    third = keep(service, scope, SEIZURE, Judge(Action.DUPLICATE), happens_at=JUNE)
    assert (third.operation, third.review_id) == (Operation.ADD, None)
    fourth = keep(service, scope, SEIZURE, Judge(Action.COEXIST), happens_at=JUNE)
    assert fourth.target_id == third.id
    assert days(service, scope) == [*FIFTH, JUNE]


def test_what_happens_on_another_day_comes_back_beside_it(service: Service, scope: Scope) -> None:
    call = Call(scope, "test")
    [one], _ = add(service, call, [Fact(SEIZURE, happens_at=FIFTH[0])])
    life.retract(service, call, [one.id], "a mistake")
    retracted = changes(service, scope)[-1]["sequence"]
    add(service, call, [Fact(SEIZURE, happens_at=FIFTH[1])])
    undo(service, call, [retracted])
    assert days(service, scope) == FIFTH
    assert verify(service, [scope.tenant_name]).findings == ()


def test_a_store_and_an_export_of_before_get_the_keys_of_now(
    service: Service, scope: Scope, tmp_path: Path
) -> None:
    call = Call(scope, "test")
    ahead = Fact(
        "Ann sees the dentist.",
        happens_at=datetime(2026, 9, 5, 14, 30, 0, 250, tzinfo=UTC),
        valid_from=FIFTH[1] + timedelta(days=60),
    )
    long_ago = Fact("Ann's gran was born.", happens_at=datetime(1931, 2, 3, 4, 5, 6, 7, tzinfo=UTC))
    add(service, call, [Fact(SEIZURE, happens_at=FIFTH[0]), Fact("Ann sings."), ahead, long_ago])
    keys = "MATCH (m:Live {tenant: $t}) RETURN m.text AS text, m.live_key AS key ORDER BY text"
    now = cypher(service, keys, t=scope.tenant)
    assert sum("/" in row["key"] for row in now) == 3
    cypher(service, "MATCH (m:Live {tenant: $t}) SET m.live_key = split(m.live_key, '/')[0]", t=scope.tenant)
    path = tmp_path / "before.jsonl"
    write_file(path, lambda: export_lines(service, Scope(scope.tenant_name)))
    [fill] = [each for each in migrations() if each.name == "live_keys_of_what_happens"]
    for _ in range(2):
        with service.driver.session() as session:
            for statement in fill.statements:
                session.run(statement, values(service.settings)).consume()
        assert cypher(service, keys, t=scope.tenant) == now
    copy = Scope(f"{scope.tenant_name}-copy")
    restore(service, path, copy.tenant_name)
    assert cypher(service, keys, t=copy.tenant) == now
