"""Erasure: nothing of it can be found again, everything else stands."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from graph_memory import samples
from graph_memory.base.errors import Erased, IdempotencyMismatch, Invalid, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.ingest.conversation_file import Conversation
from graph_memory.ingest.receipt import receive
from graph_memory.ingest.submission import close, submit
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import erasing, erasure_parts, life, reading
from graph_memory.memory.addition import Outcome, add
from graph_memory.memory.erasure import forget, still_there
from graph_memory.memory.life import Revision
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import revert, undo
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind, Status
from graph_memory.model.message import Message
from graph_memory.store.service import Service
from graph_memory.verify import verify
from tasks import execute

pytestmark = pytest.mark.stack

CANARY = "xylophone-canary-7731"
AT = datetime(2026, 6, 1, 12, tzinfo=UTC)


def call(scope: Scope, key: str | None = None) -> Call:
    return Call(scope, "test", key)


def keep(service: Service, scope: Scope, text: str, key: str | None = None, **fields: object) -> str:
    return add(service, call(scope, key), [Fact(text, **fields)])[0][0].id  # type: ignore[arg-type]


def traces(service: Service, scope: Scope, word: str) -> list[str]:
    """Every node and relationship of the tenant that holds the word in any property."""
    with service.driver.session() as session:
        nodes = session.run(
            "MATCH (n {tenant: $t}) RETURN labels(n) AS l, properties(n) AS p", t=scope.tenant
        ).data()
        ties = session.run(
            "MATCH ({tenant: $t})-[r]->() RETURN type(r) AS l, properties(r) AS p", t=scope.tenant
        ).data()
    return [str(row["l"]) for row in nodes + ties if word in json.dumps(row["p"], default=str)]


def test_nothing_of_an_erased_memory_can_be_found(service, scope, clock):
    """I16."""
    id = keep(
        service,
        scope,
        f"Ann hides a {CANARY}.",
        entities=(EntityName(CANARY, CANARY),),
        source=Source(ref="m1"),
    )
    clock.set(2026, 2, 1)
    life.revise(
        service, call(scope), id, Revision(text=f"Ann hides two {CANARY}s."), f"counted the {CANARY}s"
    )
    assert len(traces(service, scope, CANARY)) > 3
    certificate, _ = forget(service, call(scope), [id])
    assert traces(service, scope, CANARY) == []
    assert (certificate.memories, certificate.revisions, certificate.entities) == (1, 1, 1)
    assert certificate.changes == 2 and certificate.tombstones == 2 and certificate.beyond
    assert reading.get(service, scope, id) is None
    assert [change["sequence"] for change in changes(service, scope)] == [1, 2, 3]
    assert still_there(service, call(scope), [f"Ann hides a {CANARY}."]) == []


def test_its_key_answers_erased_and_its_change_cannot_be_undone(service, scope):
    id = keep(service, scope, f"A {CANARY}.", key="k")
    forget(service, call(scope), [id])
    with pytest.raises(Erased):
        keep(service, scope, f"A {CANARY}.", key="k")
    with pytest.raises(Erased, match="Change 1 cannot be undone: what it changed was erased"):
        undo(service, call(scope), [1])
    erasure = next(each for each in changes(service, scope) if each["operation"] == "ERASE")
    with pytest.raises(Erased, match="it cannot be undone"):
        undo(service, call(scope), [erasure["sequence"]])


def test_a_run_is_not_reverted_when_what_it_made_was_erased(service, scope):
    run = new_id()
    [kept, gone], _ = add(
        service, Call(scope, "a run", run_id=run), [Fact("A run said so."), Fact(f"A {CANARY}.")]
    )
    forget(service, call(scope), [str(gone.id)])
    with pytest.raises(Erased, match="cannot be undone: what it changed was erased for ever"):
        revert(service, call(scope), run)
    assert reading.get(service, scope, str(kept.id)).status is Status.ACTIVE


def test_a_chain_closes_over_the_gap(service, scope, clock):
    ids = [keep(service, scope, "v1")]
    for number in (2, 3, 4):
        clock.set(2026, number, 1)
        ids.append(supersede(service, call(scope), ids[-1], Fact(f"v{number}"))[0].new)
    clock.set(2026, 6, 1)
    forget(service, call(scope), ids[1:3])
    links = [link for found in reading.links_of(service, scope, [ids[0], ids[3]]).values() for link in found]
    assert {(link.from_id, link.to_id) for link in links} == {(ids[3], ids[0])}
    assert [
        state.memory.text for state in reading.history(service, scope, ids[0]) if not state.memory.is_revision
    ] == ["v1", "v4"]


def test_what_it_was_merged_into_says_again_what_it_said_before(service, scope, clock):
    kept = keep(service, scope, "Ann has a dog.")
    other = keep(service, scope, f"The dog is called {CANARY}.")
    clock.set(2026, 2, 1)
    merge(service, call(scope), kept, other)
    clock.set(2026, 3, 1)
    forget(service, call(scope), [other])
    assert reading.get(service, scope, kept).text == "Ann has a dog."
    assert traces(service, scope, CANARY) == []


def test_what_was_merged_into_it_stands_again(service, scope, clock):
    kept = keep(service, scope, f"Ann has a {CANARY}.")
    other = keep(service, scope, "Ann has a cat.")
    clock.set(2026, 2, 1)
    merge(service, call(scope), kept, other)
    forget(service, call(scope), [kept])
    assert reading.get(service, scope, other).status is Status.ACTIVE
    assert traces(service, scope, CANARY) == []


def test_an_erased_statement_is_not_imported_again_but_a_person_may_say_it_again(service, scope):
    id = keep(service, scope, f"A {CANARY}.")
    forget(service, call(scope), [id])
    [again], _ = add(service, call(scope), [Fact(f"A {CANARY}.", source=Source(SourceKind.IMPORT))])
    assert again.outcome is Outcome.ERASED
    assert reading.browse(service, scope).items == []
    [said], _ = add(service, call(scope), [Fact(f"A {CANARY}.")])
    assert said.outcome is Outcome.ADDED


def test_an_erased_source_is_redacted_and_never_extracted_again(service, scope, clock):
    clock.set(2026, 7, 1)
    part = Conversation("talk", samples.conversation().messages[:12])
    execute(service, scope, receive(service, call(scope), part).run_id)
    memory = reading.browse(service, scope, first=100).items[0]
    certificate, _ = forget(service, call(scope), source_ref=memory.source.ref)
    assert certificate.messages == 1
    longer = Conversation("talk", samples.conversation().messages[:14])
    execute(service, scope, receive(service, call(scope), longer).run_id)
    assert memory.text not in {item.text for item in reading.browse(service, scope, first=100).items}
    assert traces(service, scope, memory.text) == []


MAIL = "ann.canary@example.org"


def talk(service: Service, scope: Scope, session: str, *said: str) -> None:
    """Messages of one session, under names that tell who speaks, all extracted."""
    messages = [
        Message(f"Ann {MAIL}", AT + timedelta(minutes=place), text, f"{MAIL}/{place}", session)
        for place, text in enumerate(said)
    ]
    submit(service, Call(scope, "test", None, MAIL), session, messages)
    execute(service, scope, close(service, Call(scope, "test", None, MAIL), session).run_id)


def test_names_that_a_caller_gave_a_session_and_a_message_go_with_the_last_message(service, scope, clock):
    """They may be addresses of people."""
    clock.set(2026, 7, 1)
    talk(service, scope, f"chat of {MAIL}", "I have moved to Porto.", "I am allergic to cashews.")
    memories = reading.browse(service, scope, first=100).items
    assert len(memories) == 2
    forget(service, call(scope), [memories[0].id])
    assert {"['Segment']", "['Message', 'Passage']", "['Memory', 'Live']"} <= set(
        traces(service, scope, MAIL)
    )
    forget(service, call(scope), [memories[1].id])
    assert traces(service, scope, MAIL) == []
    assert verify(service, [scope.tenant_name]).findings == ()


def test_nothing_that_a_caller_named_is_left_of_a_whole_subject(service, scope, clock):
    clock.set(2026, 7, 1)
    talk(service, scope, f"chat of {MAIL}", "I have moved to Porto.", "Hm.", "I am allergic to cashews.")
    submit(service, call(scope), f"open {MAIL}", [Message("Ann", AT, "I play the cello.", MAIL)])
    keep(service, scope, "Ann sails.", session_id=MAIL, agent_id=MAIL, source=Source(ref=MAIL, author=MAIL))
    forget(service, call(scope), whole_subject=True)
    assert traces(service, scope, MAIL) == []


def test_a_whole_subject_goes_and_its_neighbour_stays(service, scope):
    for number in range(5):
        keep(service, scope, f"{CANARY} {number}")
    other = Scope(scope.tenant_name, "bob")
    keep(service, other, "Bob stays.")
    certificate, _ = forget(service, call(scope), whole_subject=True)
    assert certificate.memories == 5
    assert traces(service, scope, CANARY) == []
    assert [memory.text for memory in reading.browse(service, other).items] == ["Bob stays."]


def test_nothing_named_and_nothing_found_are_refused(service, scope):
    id = keep(service, scope, "stays")
    with pytest.raises(Invalid):
        forget(service, call(scope))
    for other, wanted in ((scope, [id, new_id()]), (Scope(scope.tenant_name, "bob"), [id])):
        with pytest.raises(NotFound):
            forget(service, call(other), wanted)
    assert reading.get(service, scope, id).text == "stays"


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three memories, messages or changes in one transaction."""
    monkeypatch.setattr(erasure_parts, "PART", 3)


def _a_life(service: Service, scope: Scope) -> None:
    said = [Message("Ann", AT + timedelta(minutes=n), f"I keep {CANARY} number {n}.") for n in range(8)]
    submit(service, call(scope), "chat", said)
    ids = [
        keep(service, scope, f"Ann keeps the {CANARY} number {n}.", source=Source(ref="file"))
        for n in range(8)
    ]
    merge(service, call(scope), ids[6], ids[7])
    supersede(service, call(scope), ids[0], Fact(f"Ann keeps no {CANARY} number 0."))
    life.revise(service, call(scope), ids[1], Revision(text=f"Ann sold the {CANARY} number 1."), CANARY)


def test_a_whole_subject_of_any_size_goes_in_parts_and_one_certificate_counts_them(
    service, scope, small_parts
):
    _a_life(service, scope)
    ben = Scope(scope.tenant_name, "ben")
    kept = keep(service, ben, "Ben keeps bees.")
    certificate, answer = forget(service, call(scope, "all"), whole_subject=True)
    assert traces(service, scope, CANARY) == []
    assert (certificate.memories, certificate.messages, answer.replayed) == (9, 8, False)
    assert reading.get(service, ben, kept) is not None
    erased = [each["targets"] for each in changes(service, scope, first=1000) if each["operation"] == "ERASE"]
    assert len(erased) > 2
    assert sorted(len(each) for each in erased)[-1] <= 2 * erasure_parts.PART
    assert verify(service, [scope.tenant_name]).findings == ()
    again, answer = forget(service, call(scope, "all"), whole_subject=True)
    assert (again, answer.replayed) == (certificate, True)


def test_an_erasure_that_was_cut_off_goes_on_and_counts_what_went_before(
    service, scope, small_parts, monkeypatch
):
    _a_life(service, scope)
    real, calls = erasing.erase, []

    def failing(*given, **more):
        calls.append(1)
        if len(calls) == 3:
            raise RuntimeError("cut off")
        return real(*given, **more)

    monkeypatch.setattr(erasing, "erase", failing)
    with pytest.raises(RuntimeError, match="cut off"):
        forget(service, call(scope, "all"), whole_subject=True)
    assert 0 < len(reading.browse(service, scope, include_past=True).items) < 9
    certificate, _ = forget(service, call(scope, "all"), whole_subject=True)
    assert (certificate.memories, traces(service, scope, CANARY)) == (9, [])


def test_all_of_one_large_source_goes_in_parts_and_the_rest_stays(service, scope, small_parts):
    _a_life(service, scope)
    other = keep(service, scope, "Ann likes figs.", source=Source(ref="talk"))
    certificate, _ = forget(service, call(scope), source_ref="file")
    assert certificate.memories >= 8
    assert reading.get(service, scope, other) is not None


def test_a_key_of_another_erasure_erases_nothing_in_parts(service, scope, small_parts):
    _a_life(service, scope)
    forget(service, call(scope, "key"), [keep(service, scope, "Ann likes figs.")])
    with pytest.raises(IdempotencyMismatch):
        forget(service, call(scope, "key"), whole_subject=True)
    assert len(reading.browse(service, scope, include_past=True).items) == 9
