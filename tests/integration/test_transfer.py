"""What is exported can be loaded byte for byte; what cannot be loaded is refused before anything is stored."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.base.errors import Conflict, InvalidFile, NotFound
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.curation import review_records
from graph_memory.curation.reviews import approve, reject
from graph_memory.ingest.conversation_file import Conversation, Message
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life
from graph_memory.memory import reading as read
from graph_memory.memory.addition import add
from graph_memory.memory.erasure import forget
from graph_memory.memory.links import link, unlink
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.undo import undo
from graph_memory.model.memory import EntityName, Fact
from graph_memory.model.review import ReviewStatus
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from graph_memory.transfer import restore as restoring
from graph_memory.transfer.export import export_lines, now_lines, write_file
from graph_memory.transfer.graphml import graphml_lines
from graph_memory.transfer.restore import restore
from graph_memory.transfer.script import literal, script_lines
from graph_memory.verify import verify
from tests.integration.remembering_world import Judge, keep

pytestmark = pytest.mark.stack

NASTY = 'It\'s "quoted" \\u0027 \\\\ <b>&amp; \u202e 日本語 🙂 line\nbreak \\'


def vector(number: int) -> tuple[float, ...]:
    return tuple(float(place == number) / 3 for place in range(384))


@pytest.fixture
def world(service: Service, scope: Scope, clock: Any) -> Scope:
    """A tenant with two subjects, a chain with revisions, entities, retired memories and a conversation."""
    clock.set(2026, 1, 5)
    call = Call(scope, "test", session_id="s")
    ann = EntityName("Ann", "ann", "PERSON")
    google = Fact(
        "Ann works at Google.", vector=vector(0), entities=(ann,), metadata={"page": 1}, tags=("work",)
    )
    tall = Fact("Ann is tall.", vector=vector(2), entities=(ann,))
    [first, *others], _ = add(service, call, [google, Fact(NASTY, vector=vector(1), entities=()), tall])
    clock.set(2026, 2, 1)
    supersede(
        service,
        call,
        first.id,
        Fact("Ann works at Anthropic.", vector=vector(3), entities=(ann,)),
        reason="new job",
    )
    clock.set(2026, 2, 2)
    life.archive(service, call, [others[1].id], "not needed")
    said = [
        Message("Ann", datetime(2026, 1, 1, 9, minute, tzinfo=UTC), f"Sentence {minute}.")
        for minute in range(3)
    ]
    receive(service, call, Conversation("talk", tuple(said)))
    add(service, Call(scope.of("ben"), "test"), [Fact("Ben has a cat.", vector=vector(4), entities=())])
    return Scope(scope.tenant_name)


@pytest.fixture
def eventful(service: Service, world: Scope) -> Scope:
    """The same after a link that was made, removed and made again, a merge, an undo and an erasure."""
    ann = world.of("ann")
    call = Call(ann, "test")
    games = [
        Fact(f"Ann plays {game}.", vector=vector(20 + n)) for n, game in enumerate(("chess", "go", "bridge"))
    ]
    chess, go, bridge = (added.id for added in add(service, call, games)[0])
    link(service, call, chess, go, "causes", 0.5)
    unlink(service, call, (chess, go, "causes"))
    link(service, call, chess, go, "causes", 0.6)
    merge(service, call, chess, go, "Ann plays chess. Ann plays go.")
    undo(service, call, [changes(service, ann, first=1000)[-1]["sequence"]])
    merge(service, call, chess, go, "Ann plays chess. Ann plays go.")
    forget(service, call, [bridge])
    return world


@pytest.fixture
def reviewed(service: Service, world: Scope) -> Scope:
    """The same with reviews: one waits, one was approved, one rejected, one is of a memory that was erased."""
    ann = world.of("ann")
    made = [
        keep(service, ann, old) and keep(service, ann, new, Judge(Action.MERGE, 0.6))
        for old, new in (
            ("Ann has a dog.", "The dog of Ann is named Max."),
            ("Ann sings in a choir.", "The choir of Ann meets on Mondays."),
            ("Ann owns a boat.", "The boat of Ann is blue."),
            ("Ann rents a garden.", "The garden of Ann lies by the river."),
        )
    ]
    _, approved, rejected, erased = (str(outcome.review_id) for outcome in made)
    approve(service, Call(ann, "ann"), approved, text="Ann sings in a choir that meets on Mondays.")
    reject(service, Call(ann, "ann"), rejected, note="two things")
    forget(service, Call(ann, "ann"), [review_records.get(service, ann, erased).target_id])
    return world


@pytest.fixture
def file(service: Service, world: Scope, tmp_path: Path) -> Path:
    path = tmp_path / "export.jsonl"
    write_file(path, lambda: export_lines(service, world))
    return path


@pytest.fixture
def empty() -> Scope:
    return Scope(f"copy-{uuid.uuid4().hex}")


def body(lines: Iterator[str]) -> list[str]:
    """The lines without the first, which holds the tenant's name and the time, and the last, its checksum."""
    return list(lines)[1:-1]


def test_a_restored_tenant_is_exported_byte_for_byte(
    service: Service, world: Scope, file: Path, empty: Scope
) -> None:
    restored = restore(service, file, empty.tenant_name)
    assert (restored.counts["memory"], restored.counts["message"]) == (5, 3)
    assert restored.counts["revision"] > 0
    assert body(export_lines(service, empty)) == body(export_lines(service, world))
    assert verify(service, [empty.tenant_name]).findings == ()


def test_links_merges_undo_and_erasure_are_restored_as_well(
    service: Service, eventful: Scope, tmp_path: Path, empty: Scope
) -> None:
    path = tmp_path / "eventful.jsonl"
    write_file(path, lambda: export_lines(service, eventful))
    assert '"record":"tombstone"' in path.read_text("utf-8")
    restore(service, path, empty.tenant_name)
    assert body(export_lines(service, empty)) == body(export_lines(service, eventful))
    assert list(now_lines(service, empty)) == list(now_lines(service, eventful))
    assert verify(service, [eventful.tenant_name, empty.tenant_name]).findings == ()


def test_what_waits_for_a_person_waits_in_the_copy_as_well(
    service: Service, reviewed: Scope, tmp_path: Path, empty: Scope
) -> None:
    path = tmp_path / "reviewed.jsonl"
    write_file(path, lambda: export_lines(service, reviewed))
    assert restore(service, path, empty.tenant_name).counts["review"] == 4
    assert body(export_lines(service, empty)) == body(export_lines(service, reviewed))
    assert '"record":"review"' not in "".join(now_lines(service, reviewed))
    ann = empty.of("ann")
    known = review_records.page(service, ann, 10, status=None).items
    assert sorted(each.status for each in known) == ["EDITED", "EXPIRED", "PENDING", "REJECTED"]
    [waiting] = [each for each in known if each.status is ReviewStatus.PENDING]
    done, _ = approve(service, Call(ann, "ann"), waiting.id, text="Ann has a dog that is named Max.")
    assert (done.status, done.decided_action) == (ReviewStatus.EDITED, Action.MERGE)
    assert verify(service, [empty.tenant_name]).findings == ()


def test_one_subjects_reviews_go_with_it_alone(
    service: Service, reviewed: Scope, tmp_path: Path, empty: Scope
) -> None:
    assert not any('"record":"review"' in text for text in export_lines(service, reviewed.of("ben")))
    path = tmp_path / "ann.jsonl"
    write_file(path, lambda: export_lines(service, reviewed.of("ann")))
    assert restore(service, path, empty.tenant_name).counts["review"] == 4


@pytest.mark.parametrize(
    ("breaks", "told"),
    [
        (lambda review: review["properties"].update(target_id=str(uuid.uuid4())), "is nowhere in the file"),
        (lambda review: review.update(subject="ben"), "is of another subject"),
        (lambda review: review["properties"].update(status="DONE"), "cannot be 'DONE'"),
    ],
)
def test_a_review_of_anothers_memory_is_refused(
    service: Service,
    reviewed: Scope,
    tmp_path: Path,
    empty: Scope,
    breaks: Callable[[dict[str, Any]], object],
    told: str,
) -> None:
    path = tmp_path / "broken.jsonl"
    write_file(path, lambda: export_lines(service, reviewed))
    lines = path.read_text("utf-8").split("\n")[:-1]
    number = next(i for i, text in enumerate(lines) if '"record":"review"' in text and '"PENDING"' in text)
    path.write_text("\n".join(edited(number, breaks)(lines)) + "\n", "utf-8")
    mend(path)
    with pytest.raises(InvalidFile, match=told):
        restore(service, path, empty.tenant_name)


def test_an_export_is_the_same_every_time(service: Service, world: Scope) -> None:
    assert list(export_lines(service, world)) == list(export_lines(service, world))


def test_history_and_ledger_go_on_where_they_were(
    service: Service, world: Scope, file: Path, empty: Scope, clock: Any
) -> None:
    restore(service, file, empty.tenant_name)
    copy = empty.of("ann")
    [id] = [memory.id for memory in read.browse(service, copy).items if "Anthropic" in memory.text]
    then = Moment(as_of=datetime(2026, 1, 20, tzinfo=UTC))
    version = read.version(service, copy, id, then)
    assert version is not None
    assert version.text == "Ann works at Google."
    clock.set(2026, 3, 1)
    add(service, Call(copy, "test"), [Fact("Something new.", vector=vector(5), entities=())])
    assert verify(service, [empty.tenant_name]).findings == ()


def test_one_subject_is_exported_alone_and_restored(
    service: Service, world: Scope, tmp_path: Path, empty: Scope
) -> None:
    path = tmp_path / "ben.jsonl"
    write_file(path, lambda: export_lines(service, world.of("ben")))
    text = path.read_text("utf-8")
    assert "Ben has a cat." in text
    assert "Ann" not in text
    restore(service, path, empty.tenant_name)
    assert body(export_lines(service, empty)) == body(export_lines(service, world.of("ben")))
    assert verify(service, [empty.tenant_name]).findings == ()


def test_a_tenant_that_holds_something_is_not_restored_into(
    service: Service, world: Scope, file: Path
) -> None:
    before = list(export_lines(service, world))
    with pytest.raises(Conflict, match="holds something"):
        restore(service, file, world.tenant_name)
    assert list(export_lines(service, world)) == before


def test_a_restore_that_was_interrupted_goes_on(
    service: Service, world: Scope, file: Path, empty: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "_BATCH", 7)

    def stop(done: int, total: int) -> None:
        if done > 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(service, file, empty.tenant_name, stop)
    other = tmp_path / "other.jsonl"
    other.write_text(file.read_text("utf-8").replace("Ann is tall", "Ann is bald"), "utf-8")
    mend(other)
    with pytest.raises(Conflict, match="another file"):
        restore(service, other, empty.tenant_name)
    assert restore(service, file, empty.tenant_name).before == 14
    assert body(export_lines(service, empty)) == body(export_lines(service, world))
    with pytest.raises(Conflict, match="holds something"):
        restore(service, file, empty.tenant_name)


def mend(path: Path) -> None:
    """Gives a changed file a right checksum."""
    lines = path.read_bytes().splitlines(keepends=True)
    end = json.loads(lines[-1])
    end["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    path.write_bytes(b"".join(lines[:-1]) + json.dumps(end).encode() + b"\n")


def edited(number: int, change: Callable[[dict[str, Any]], object]) -> Callable[[list[str]], list[str]]:
    def edit(lines: list[str]) -> list[str]:
        row = json.loads(lines[number])
        change(row)
        return [*lines[:number], json.dumps(row), *lines[number + 1 :]]

    return edit


def of(record: str) -> Callable[[list[str], Callable[[dict[str, Any]], object]], list[str]]:
    def edit(lines: list[str], change: Callable[[dict[str, Any]], object]) -> list[str]:
        return edited(next(i for i, text in enumerate(lines) if f'"record":"{record}"' in text), change)(
            lines
        )

    return edit


def first(record: str, **values: Any) -> Callable[[list[str]], list[str]]:
    """Changes the first record of a kind."""
    return lambda lines: of(record)(lines, lambda row: row.update(values))


def inside(record: str, **values: Any) -> Callable[[list[str]], list[str]]:
    """Changes properties of the first record of a kind; None removes one."""

    def change(row: dict[str, Any]) -> None:
        row["properties"].update(values)
        for name in [name for name, value in values.items() if value is None]:
            del row["properties"][name]

    return lambda lines: of(record)(lines, change)


BROKEN: list[tuple[str, Callable[[list[str]], list[str]], str]] = [
    ("cut between lines", lambda lines: lines[:-3], "is cut"),
    ("not JSON", lambda lines: [*lines[:4], "{", *lines[5:]], "line 5: this is not a JSON object"),
    ("another format", edited(0, lambda row: row.update(format="other")), "line 1: this is not an export"),
    ("a version to come", edited(0, lambda row: row.update(version=2)), "version 2 is unknown"),
    ("another model", edited(0, lambda row: row.update(model="other")), "vectors are of 'other'"),
    ("only the present", edited(0, lambda row: row.update(now=True)), "--now"),
    ("twice the same", lambda lines: [*lines[:4], lines[3], *lines[4:]], "is here twice"),
    ("no such memory", first("link", to=str(uuid.uuid4())), "is nowhere in the file"),
    ("another's subject", first("memory", subject="eve"), "subject 'eve' is nowhere"),
    ("another tenant", first("memory", tenant="eve"), "'tenant' does not belong"),
    ("a token of its own", inside("memory", subject_id="x"), "subject_id is no property"),
    ("a short vector", inside("memory", embedding="f4:AAAAAA=="), "1 numbers"),
    ("no status there is", inside("memory", status="ODD"), "cannot be 'ODD'"),
    ("no time", inside("memory", valid_from="soon"), "is not a time"),
    ("text missing", inside("memory", text=None), "text is missing"),
    ("a label there is not", first("memory", labels=["Tenant"]), "labels that there are not"),
    ("a type there is not", first("link", kind="OWNS"), "'OWNS' is no type"),
    ("a gap in the ledger", inside("change", sequence=9), "stands where 1 is due"),
    ("no request", inside("change", request_id="x"), "request x is nowhere"),
    ("wrong order", lambda lines: [lines[0], lines[-2], *lines[1:-2], lines[-1]], "cannot stand after"),
    ("one line less", lambda lines: [*lines[:-2], lines[-1]], "more or fewer records"),
]


@pytest.mark.parametrize(("what", "breaks", "told"), BROKEN, ids=[what for what, _, _ in BROKEN])
def test_a_broken_file_is_refused_and_nothing_is_stored(
    service: Service, file: Path, empty: Scope, what: str, breaks: Callable[[list[str]], list[str]], told: str
) -> None:
    path = file.with_name("broken.jsonl")
    path.write_text("\n".join(breaks(file.read_text("utf-8").split("\n")[:-1])) + "\n", "utf-8")
    if "is cut" not in told:
        mend(path)
    with pytest.raises(InvalidFile) as caught:
        restore(service, path, empty.tenant_name)
    assert told in caught.value.message
    with pytest.raises(NotFound):
        list(export_lines(service, empty))


@pytest.mark.parametrize(
    ("what", "breaks", "told"),
    [
        ("cut in a line", lambda content: content[:-100], "cut in the middle"),
        ("one letter changed", lambda content: content.replace(b"Google", b"Gaggle"), "checksum is wrong"),
        ("not UTF-8", lambda content: content.replace(b"Ann", b"\xff\xfe", 1), "not UTF-8"),
        ("empty", lambda content: b"", "is cut"),
        ("something after the end", lambda content: content + b"{}\n", "follows the last line"),
    ],
)
def test_damaged_bytes_are_noticed(
    service: Service, file: Path, empty: Scope, what: str, breaks: Callable[[bytes], bytes], told: str
) -> None:
    path = file.with_name("damaged.jsonl")
    path.write_bytes(breaks(file.read_bytes()))
    with pytest.raises(InvalidFile, match=told):
        restore(service, path, empty.tenant_name)


def test_now_is_equal_again_after_an_undo(service: Service, world: Scope, clock: Any) -> None:
    ann = world.of("ann")
    before = list(now_lines(service, ann))
    assert not any('"record":"change"' in text or '"record":"revision"' in text for text in before)
    clock.set(2026, 4, 1)
    tall = Fact("Ann has a hat.", vector=vector(6), entities=(EntityName("Hat", "hat", "THING"),))
    _, answer = add(service, Call(ann, "test"), [tall])
    assert list(now_lines(service, ann)) != before
    [row] = service.driver.execute_query(
        "MATCH (c:Change {tenant: $t, request_id: $r}) RETURN c.sequence AS s",
        t=ann.tenant,
        r=answer.request_id,
    ).records
    undo(service, Call(ann, "test"), [row["s"]])
    assert list(now_lines(service, ann)) == before


def test_what_is_written_to_meanwhile_is_no_whole(service: Service, world: Scope, tmp_path: Path) -> None:
    lines = export_lines(service, world)
    next(lines)
    next(lines)
    add(service, Call(world.of("ann"), "test"), [Fact("In between.", vector=vector(7), entities=())])
    with pytest.raises(Conflict, match="was written to"):
        list(lines)


def test_graphml_is_well_formed_whatever_memories_say(service: Service, world: Scope) -> None:
    root = ElementTree.fromstring("\n".join(graphml_lines(service, world)))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = {node.get("id"): node for node in root.iter(f"{space}node")}
    texts = {data.text for node in nodes.values() for data in node if data.get("key") == "node_text"}
    assert NASTY in texts
    edges = list(root.iter(f"{space}edge"))
    assert {edge.get("source") for edge in edges} | {edge.get("target") for edge in edges} <= set(nodes)
    kinds = {data.text for edge in edges for data in edge if data.get("key") == "edge_kind"}
    assert kinds == {"SUPERSEDES", "MENTIONS", "STATES", "OF"}


def test_the_script_can_be_run_twice(service: Service, world: Scope, empty: Scope) -> None:
    script = "\n".join(script_lines(service, world)).replace(world.tenant, empty.tenant)
    statements = [each for each in script.split(";\n") if "CONSTRAINT" not in each]
    assert len(statements) > 5
    counts = []
    for _ in range(2):
        for statement in statements:
            service.driver.execute_query(statement.removesuffix(";"))
        counts.append(
            service.driver.execute_query(
                "MATCH (n {tenant: $t}) RETURN count(n) AS nodes, count {(n)-->()} AS out ORDER BY out",
                t=empty.tenant,
            ).records
        )
    assert counts[0] == counts[1]
    rows = service.driver.execute_query(
        "MATCH (m:Memory {tenant: $t}), (n:Memory {tenant: $o, id: m.id}) RETURN m.text = n.text AND "
        "m.valid_from = n.valid_from AND m.recorded_to = n.recorded_to AS same",
        t=empty.tenant,
        o=world.tenant,
    ).records
    assert [row["same"] for row in rows] == [True] * 5


@pytest.mark.parametrize("language", ["CYPHER 25", "CYPHER 5"])
@pytest.mark.parametrize(
    "value",
    [
        NASTY,
        "'",
        "\\'",
        "\\u0027) DETACH DELETE n //",
        "\\\\u0027",
        "\\U0001F642",
        "u\\u",
        "tab\t nul\x01 \x7f \u2028 end",
        "`${}`",
        [1, 2.5, -1e300, True, None, "x"],
        {"a": [{"b": "'"}], "from": 0.1},
        2**62,
    ],
)
def test_a_literal_is_read_as_what_it_was(service: Service, value: Any, language: str) -> None:
    row = service.driver.execute_query(f"{language} RETURN {literal(value)} AS value").records[0]
    assert row["value"] == value


def test_a_name_that_is_no_word_is_refused() -> None:
    with pytest.raises(ValueError, match="no name"):
        literal({"a`b": 1})


def test_the_commands_export_and_restore(
    service: Service, world: Scope, empty: Scope, tmp_path: Path
) -> None:
    run, path = CliRunner(), tmp_path / "out.jsonl"
    told = run.invoke(cli.app, ["export", str(path), "--tenant", world.tenant_name])
    assert told.exit_code == 0, told.output
    assert path.stat().st_mode & 0o077 == 0
    told = run.invoke(cli.app, ["export", "--tenant", world.tenant_name])
    assert told.stdout.splitlines()[1:-1] == path.read_text("utf-8").splitlines()[1:-1]
    told = run.invoke(cli.app, ["load", str(path), "--tenant", empty.tenant_name, "--json"])
    assert json.loads(told.stdout)["counts"]["memory"] == 5
