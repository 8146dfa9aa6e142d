"""The command line on the real store: what each command prints, for people and for machines, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory import cli
from graph_memory.base.errors import BadId, HasDependants, Invalid, LiveTwin, NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.cli import ledger, life, links, memory, recalling, remembering, using
from graph_memory.cli import quarantine as quarantining
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.browsing import browse_by
from graph_memory.model.memory import Fact
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from tests.commands import run
from tests.integration.jobs_world import statement

pytestmark = pytest.mark.stack

APPS = {
    word: module.app
    for module, row in zip(
        (remembering, memory, recalling, life, links, quarantining, ledger),
        (
            next(row for row in cli.COMMANDS if row.module == name)
            for name in ("remembering", "memory", "recalling", "life", "links", "quarantine", "ledger")
        ),
        strict=True,
    )
    for word in row.names
}


class Shell:
    """Commands for one tenant."""

    def __init__(self, tenant: str) -> None:
        self.tenant = tenant

    def say(self, command: str, *words: str, **options: str) -> str:
        """What a command prints; its error is raised."""
        named = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
        app = APPS[command]
        # An app of one command is that command.
        called = [command] if len(app.registered_commands) > 1 else []
        told = [*called, *words, *named, "--tenant", self.tenant]
        done = CliRunner().invoke(app, told, catch_exceptions=False)
        if done.exit_code:
            raise AssertionError(f"{done.exit_code}: {done.output}")
        return done.stdout

    def data(self, command: str, *words: str, **options: str) -> Any:
        """What a command answers to machines."""
        return json.loads(self.say(command, *words, "--json", **options))

    def keep(self, text: str, **options: str) -> str:
        """The id of a new memory, which nobody compares with the others."""
        return str(self.data("remember", text, "--observe", **options)["id"])


@pytest.fixture
def shell(stack: Settings) -> Shell:
    return Shell(f"cli-{new_id()}")


def test_a_memory_is_revised_and_the_change_is_taken_back(shell: Shell) -> None:
    id = shell.keep("Ann has a dog.", subject="ann")
    assert shell.data("revise", id, "Ann has a dog named Max.", "--pinned", reason="more is known")["pinned"]
    rows = shell.data("changes")
    assert [(row["operation"], row["reason"]) for row in rows] == [("ADD", ""), ("UPDATE", "more is known")]
    assert "Ann has a dog named Max." in shell.say("changes")
    assert shell.data("changes", after=str(rows[0]["sequence"]))[0]["operation"] == "UPDATE"
    assert [row["reason"] for row in shell.data("changes", operation="update")] == ["more is known"]
    assert len(shell.data("changes", target=id)) == 2
    assert shell.data("changes", target=new_id()) == []
    assert shell.data("undo", str(rows[1]["sequence"]))["changes"] == [rows[1]["sequence"]]
    assert shell.data("show", id)["text"] == "Ann has a dog."
    assert len(shell.data("history", id)) == 3


def test_what_was_merged_holds_at_no_time(shell: Shell) -> None:
    kept, merged = shell.keep("Ann has a dog."), shell.keep("Ann's dog is called Max.")
    shell.say("merge", kept, merged)
    assert "holds to  at no time\n" in shell.say("show", merged)
    assert "at no time" not in shell.say("show", kept)


def test_a_search_of_a_time_before_anything_was_known_says_so(shell: Shell) -> None:
    shell.keep("Ann has a dog.", subject="ann")
    told = shell.say("recall", "Has Ann a dog?", known_at="2020-01-01")
    assert told.startswith("Nothing was found.\nNothing was known yet on 2020-01-01 at")
    told = shell.say("recall", "Has Ann a dog?", as_of="2020-01-01")
    assert "the first of it holds since" in told


def test_what_stands_on_a_change_is_named_and_goes_along_with_cascade(shell: Shell) -> None:
    id = shell.keep("Ann sails.")
    shell.say("archive", id)
    with pytest.raises(HasDependants):
        shell.say("undo", "1")
    assert shell.data("undo", "1", "--cascade")["changes"] == [2, 1]


def test_memories_are_put_away_brought_back_and_taken_back(shell: Shell) -> None:
    ids = [shell.keep(text, subject="ann") for text in ("Ann sails.", "Ann skis.")]
    told = shell.say("archive", *ids, reason="long unused")
    assert told.splitlines()[0] == f"archived: {ids[0]}  Ann sails."
    assert shell.data("memories")["items"] == []
    assert shell.data("restore", ids[0])["memories"][0]["status"] == "ACTIVE"
    assert shell.data("retract", *ids)["memories"][1]["status"] == "RETRACTED"
    assert "retracted" in shell.say("why", ids[0])


def test_what_comes_back_with_cascade_takes_the_place_of_its_twin(shell: Shell) -> None:
    gone = shell.keep("Ann sails.")
    shell.say("archive", gone)
    twin = shell.keep("Ann sails.")
    with pytest.raises(LiveTwin, match=twin):
        shell.say("restore", gone)
    assert shell.data("restore", gone, "--cascade")["memories"][0]["status"] == "ACTIVE"
    assert [each["id"] for each in shell.data("memories")["items"]] == [gone]
    assert shell.data("show", twin)["status"] == "ARCHIVED"


def test_a_memory_ends_and_two_become_one(shell: Shell) -> None:
    one, other = shell.keep("Ann has a dog."), shell.keep("The dog is brown.")
    assert shell.data("merge", one, other)["text"] == "Ann has a dog. The dog is brown."
    assert shell.data("expire", one)["valid_to"]
    assert shell.data("memories")["items"] == []


def test_links_are_made_shown_and_ended(shell: Shell) -> None:
    rain, flood, repair = (
        shell.keep(text, subject="ann") for text in ("It rains.", "It floods.", "We repair.")
    )
    made = shell.data("link", rain, "causes", flood, reason="seen", strength="0.5")
    assert made["outcome"] == "LINKED"
    assert shell.data("link", rain, "CAUSES", flood)["outcome"] == "EXISTS"
    shell.say("link", flood, "CAUSES", repair)
    told = shell.say("edges", flood)
    assert "←" in told
    assert "It rains." in told
    assert [edge["kind"] for edge in shell.data("edges", flood, kind="CAUSES")] == ["CAUSES", "CAUSES"]
    assert shell.data("edges", flood, kind="RELATED") == []
    near = shell.data("graph", rain, depth="2")
    assert [(item["depth"], item["memory"]["id"]) for item in near["items"]] == [(1, flood), (2, repair)]
    assert "We repair." in shell.say("graph", rain)
    assert shell.say("path", rain, repair).splitlines()[1:] == [
        "  --CAUSES-> It floods.",
        "  --CAUSES-> We repair.",
    ]
    assert [item["is_last"] for item in shell.data("causes", repair)["items"]] == [False, True]
    assert len(shell.data("consequences", rain)["items"]) == 2
    assert len(shell.data("impact", rain)["items"]) == 2
    assert len(shell.data("quarantine", rain, "--dry-run", reason="doubt")["items"]) == 2
    assert len(shell.data("quarantine", rain, reason="doubt")["archived"]) == 3
    assert shell.data("unlink", made["id"])["id"] == made["id"]
    shell.say("unlink", flood, "CAUSES", repair)
    assert shell.say("edges", flood).strip() == "It has no links."
    with pytest.raises(Invalid, match="FROM KIND TO"):
        shell.say("unlink", rain, flood)


def test_links_are_counted(shell: Shell) -> None:
    one, two = shell.keep("It rains."), shell.keep("It floods.")
    shell.say("link", one, "CAUSES", two)
    assert shell.data("edges", one, "--count")["outbound_by_type"] == {"CAUSES": 1}
    assert shell.data("edges", "--count")["total"] == 1
    assert shell.say("edges", "--count").splitlines()[-1].split() == ["all", "1", "1", "1"]
    with pytest.raises(Invalid, match="--count"):
        shell.say("edges")


def test_memories_are_browsed_by_any_field(shell: Shell) -> None:
    shell.keep("Ann sails.", tag="sport", valid_from="2026-01-01")
    shell.keep("Ann prefers tea.", kind="preference")

    def texts(*words: str, **options: str) -> list[str]:
        return [item["text"] for item in shell.data("memories", *words, **options)["items"]]

    assert texts() == ["Ann prefers tea.", "Ann sails."]
    assert texts("--ascending", sort="valid_from") == ["Ann sails.", "Ann prefers tea."]
    assert texts(kind="preference") == ["Ann prefers tea."]
    assert texts(where="tags~sport") == ["Ann sails."]
    assert texts(where="valid_from<2026-02-01") == ["Ann sails."]
    assert texts("--where", "importance>=0.5", "--where", "text~tea") == ["Ann prefers tea."]
    for wrong in ("nonsense", "embedding=1", "importance>high"):
        with pytest.raises(Invalid):
            texts(where=wrong)


def test_a_correction_is_told_in_the_history_and_what_held_before_it_in_a_search(shell: Shell) -> None:
    first = shell.keep("Ann's budget is 3000 euros.", valid_from="2026-01-01")
    wrong = shell.data("supersede", first, "Ann's budget is 4000 euros.", valid_from="2026-02-01")["new"]
    shell.say("supersede", wrong, "Ann's budget is 4500 euros.", valid_from="2026-02-01")
    told = shell.say("history", first)
    assert told.count("then corrected: it never held") == 1
    assert "then corrected: it never held" in told.partition("4000")[2]
    found = shell.say("recall", "What is Ann's budget?")
    assert "before, until 2026-02-01" in found and "4000" not in found


def test_the_beginning_of_an_id_is_enough_where_it_is_the_only_one(shell: Shell, service: Service) -> None:
    id, other = shell.keep("Ann sails."), shell.keep("Ann likes boats.")
    assert shell.data("show", id[:8])["id"] == id
    assert shell.data("history", id[:13].upper())[0]["memory"]["id"] == id
    assert shell.data("archive", other[:8], id[:8])["memories"][0]["id"] == other
    shell.say("restore", other[:8], id[:8])
    shell.say("link", id[:8], "SUPPORTS", other[:9])
    assert shell.say("edges", id[:8]).count(other) == 1
    assert shell.data("changes", target=id[:8])
    shell.say("unlink", id[:8], "SUPPORTS", other[:8])
    missing = "00000000" if not id.startswith("00000000") else "11111111"
    with pytest.raises(NotFound, match=f"no memory whose id begins with {missing}"):
        shell.say("show", missing)
    with pytest.raises(BadId):
        shell.say("show", id[:7])
    service.write(
        Scope(shell.tenant),
        lambda tx: tx.run(
            statement("MATCH (m:Memory {tenant: $tenant, id: $id}) SET m.id = $to RETURN m.id AS id"),
            id=other,
            to=id[:9] + other[9:],
        ),
    )
    with pytest.raises(Invalid, match="begins the ids of several memories") as raised:
        shell.say("show", id[:8])
    assert f"{id} “Ann sails.”" in raised.value.message and "“Ann likes boats.”" in raised.value.message


def test_a_run_is_taken_back_as_a_whole(shell: Shell, service: Service) -> None:
    run = new_id()
    add(
        service,
        Call(Scope(shell.tenant, "ann"), "a run", run_id=run),
        [Fact("A run said so."), Fact("And this.")],
    )
    assert len(shell.data("revert", run)["memories"]) == 2
    with pytest.raises(NotFound):
        shell.say("revert", run)


def test_moments_are_compared(shell: Shell) -> None:
    old = shell.keep("Ann works at Google.", valid_from="2026-01-01", subject="ann")
    shell.say("supersede", old, "Ann works at Anthropic.", valid_from="2026-02-01")
    told = shell.say("diff", as_of="2026-01-15", to_as_of="2026-03-01")
    assert told.splitlines() == ["- Ann works at Google.", "+ Ann works at Anthropic."]
    steps = shell.data("timeline", "2025-12-31", "2026-03-01", bucket="YEAR")
    assert sum(step["begun"] for step in steps["items"]) == 2
    assert "more: --after" in shell.say("diff", as_of="2026-01-15", to_as_of="2026-03-01", limit=1)
    assert shell.say("timeline", "2020-01-01", "2021-01-01").strip() == "Nothing began or ended then."


def test_forgetting_must_be_confirmed_and_can_be_rehearsed(shell: Shell) -> None:
    id = shell.keep("Ann's secret is a canary.", subject="ann")
    assert [row["id"] for row in shell.data("forget", id, "--dry-run", subject="ann")] == [id]
    with pytest.raises(AssertionError, match=r"^2: [\s\S]*--yes"):
        shell.say("forget", id, subject="ann")
    with pytest.raises(Invalid, match="only one"):
        shell.say("forget", id, "--whole-subject", "--yes", subject="ann")
    with pytest.raises(NotFound):
        shell.say("forget", id, "--yes")
    assert shell.data("forget", id, "--yes", subject="ann")["memories"] == 1
    gone = shell.data("forget", "--check", "Ann's secret is a canary.", subject="ann")
    assert gone == {"is_gone": True, "found": []}
    assert shell.data("memories", "--past")["items"] == []
    assert "canary" not in shell.say("changes")


def test_the_later_check_of_an_erasure_fails_when_the_text_is_back(shell: Shell) -> None:
    shell.keep("Ann's secret is a canary.", subject="ann")
    with pytest.raises(AssertionError, match=r"^1: Still there:\nAnn's secret is a canary\."):
        shell.say("forget", "--check", "ann's secret is a canary", subject="ann")
    with pytest.raises(AssertionError, match=r"^1: Still there:"):
        shell.say("forget", "--check", "Ann's secret is a canary.")
    shell.keep("Ben sails.", subject="ben")
    assert shell.data("forget", "--check", "Ann's secret is a canary.", subject="ben")["is_gone"]
    with pytest.raises(NotFound, match="has no subject bne"):
        shell.say("forget", "--check", "Ann's secret is a canary.", subject="bne")


def test_forgetting_counts_for_the_subject_that_was_chosen(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(using, "user_config_path", lambda *_, **__: tmp_path)
    id = shell.keep("Ann's secret is a canary.", subject="ann")
    run("use", shell.tenant, "ann")
    assert run("forget", "--check", "Ann's secret is a canary.").returncode == 1
    rehearsed = run("forget", id, "--dry-run")
    assert rehearsed.stdout.splitlines() == [f"{id}  Ann's secret is a canary.", "Nothing was erased."]
    assert run("forget", id, "--yes").returncode == 0
    assert run("forget", "--check", "Ann's secret is a canary.").stdout == "No memory says it.\n"


def test_a_rehearsal_names_what_goes_along(shell: Shell, service: Service) -> None:
    said = {"subject": "ann"}
    id, summary = shell.keep("Ann's secret is a canary.", **said), shell.keep("Of Ann: a canary.", **said)
    merged = shell.keep("Ann keeps a canary in secret.", **said)
    shell.say("merge", summary, merged, text="Of Ann: a canary in secret.", **said)
    with service.driver.session() as session:
        session.run(
            "MATCH (a:Memory {id: $a}), (b:Memory {id: $b}) CREATE (a)-[:CONSOLIDATES {tenant: a.tenant, open_key: 'x'}]->(b)",
            a=summary,
            b=id,
        ).consume()
    told = shell.say("forget", id, "--dry-run", **said).splitlines()
    assert told[0] == f"{id}  Ann's secret is a canary."
    assert told[1] == f"{summary}  Of Ann: a canary in secret.  (goes along, made of what is named)"
    whole = shell.data("forget", "--whole-subject", "--dry-run", **said)
    assert {row["id"] for row in whole} == {id, summary, merged}
    assert shell.data("forget", id, "--yes", **said)["memories"] == len(told) - 1 == 2


def test_a_rehearsal_names_what_is_not_there(shell: Shell) -> None:
    id, missing = shell.keep("Ann sails.", subject="ann"), new_id()
    shell.keep("Ben sails.", subject="ben")
    for words, subject in (([id, missing], "ann"), ([id], "ben"), (["--source", "turn-17"], "ann")):
        with pytest.raises(NotFound, match=r"Nothing was erased|nothing to forget"):
            shell.say("forget", *words, "--dry-run", subject=subject)
    for words in (("--whole-subject", "--yes"), ("--whole-subject", "--dry-run"), (id, "--yes")):
        with pytest.raises(NotFound, match=r"no subject anne\..* Did you mean ann\?"):
            shell.say("forget", *words, subject="anne")


def test_the_same_key_acts_once(shell: Shell) -> None:
    id = shell.keep("Ann sails.")
    assert [shell.data("archive", id, key="k")["replayed"] for _ in range(2)] == [False, True]


@pytest.mark.parametrize("command", sorted(set(APPS) - {"remember", "recall", "supersede", "hubs"}))
def test_another_tenants_memory_is_not_there(shell: Shell, command: str) -> None:
    foreign, mine = Shell(f"cli-{new_id()}").keep("Someone else's."), shell.keep("Mine.")
    words = {
        "merge": [mine, foreign],
        "link": [mine, "CAUSES", foreign],
        "unlink": [mine, "CAUSES", foreign],
        "path": [mine, foreign],
        "undo": ["999"],
        "quarantine": [foreign, "--reason", "doubt"],
        "settle": [foreign, "--release"],
        "forget": [foreign, "--yes"],
        "revise": [foreign, "x"],
    }.get(command, [foreign])
    if command in ("memories", "changes", "diff", "timeline"):
        words = ["2020-01-01", "2030-01-01"] if command == "timeline" else []
        assert foreign not in shell.say(command, *words)
    else:
        with pytest.raises(NotFound):
            shell.say(command, *words)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["archive", "nonsense"], 1, "error: 'nonsense' is not the id of a memory"),
        (["undo", "999999", "--tenant", "nobody"], 1, "error: There is no change 999999"),
        (["undo", "first"], 2, "SEQUENCE"),
        (["quarantine", new_id()], 1, "error: --reason is missing"),
        (["quarantine", "--reason", "x"], 1, "error: Name one memory, or a source"),
        (["settle", new_id()], 1, "error: Give either --release or --retract"),
        (["revert", "nonsense"], 1, "error: "),
        (["link", new_id(), "LOVES", new_id()], 1, "error: There is no link type 'LOVES'"),
    ],
)
def test_mistakes_are_told_in_one_line_with_their_code(
    stack: Settings, words: list[str], code: int, said: str
) -> None:
    done = run(*words)
    assert done.returncode == code
    assert said in " ".join(done.stderr.replace("│", " ").split())


def test_every_command_has_an_example(stack: Settings) -> None:
    for app in {id(app): app for app in APPS.values()}.values():
        for command in app.registered_commands:
            assert command.callback is not None
            assert "Example: graph-memory " in (command.callback.__doc__ or ""), command.callback.__name__


def test_remembering_says_what_was_done_why_and_how_to_take_it_back(shell: Shell) -> None:
    old = shell.data("remember", "Ann works at Google.", valid_from="2026-01-01")
    planned = shell.say("remember", "Ann now works at Anthropic.", "--dry-run")
    assert "Nothing was written." in planned
    assert "SUPERSEDE of “Ann works at Google.”" in planned
    told = shell.say("remember", "Ann now works at Anthropic.")
    assert "instead of: “Ann works at Google.”" in told
    [line] = [line for line in told.splitlines() if "graph-memory undo" in line]
    words = line.partition("graph-memory undo ")[2].partition(" --tenant")[0].split()
    shell.say("undo", *words)
    assert [item["id"] for item in shell.data("memories")["items"]] == [old["id"]]
    assert "It is here already" in shell.say("remember", "Ann works at Google.")


def test_a_name_that_was_mistyped_is_told_with_the_nearest(service: Service) -> None:
    tenant = f"household-{new_id()}"
    add(service, Call(Scope(tenant, "Annabel"), "test"), [Fact("Annabel drinks tea.", tags=("drink", "hot"))])
    mistyped = CliRunner().invoke(recalling.app, ["recall", "tea", "--tenant", tenant.replace("hold", "old")])
    assert f"Did you mean {tenant}?" in str(mistyped.exception)
    other = CliRunner().invoke(memory.app, ["memories", "--tenant", tenant, "--subject", "annabell"])
    assert "Did you mean Annabel?" in str(other.exception)
    elsewhere = ["--tenant", tenant.replace("hold", "old")]
    for words in (["review", "list"], ["entity", "Annabel"], ["show", new_id()]):
        assert f"Did you mean {tenant}?" in run(*words, *elsewhere).stderr, words
    assert "Did you mean Annabel?" in run("entity", "Anabel", "--tenant", tenant).stderr


def test_a_choice_of_what_is_not_there_is_kept_and_told(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(using, "user_config_path", lambda *_, **__: tmp_path)
    tenant = f"household-{new_id()}"
    add(service, Call(Scope(tenant, "Annabel"), "test"), [Fact("Annabel drinks tea.")])
    wrong = tenant.replace("hold", "old")
    told = run("use", wrong).stdout
    assert f"Tenant {wrong}, where a command names no other." in told
    assert f"Did you mean {tenant}?" in told
    assert using.chosen() == {"tenant": wrong}
    assert "Did you mean Annabel?" in run("use", tenant, "anabel").stdout
    assert "Did you mean" not in run("use", tenant, "Annabel").stdout


def test_changes_go_on_and_begin_at_the_newest(shell: Shell) -> None:
    id = shell.keep("Ann has a dog.")
    told = shell.say("revise", id, "Ann has a dog named Max.")
    number = shell.data("changes")[-1]["sequence"]
    assert f"to take it back: graph-memory undo {number} --tenant {shell.tenant}" in told
    for command in ("archive", "restore"):
        [made] = shell.data(command, id)["changes"]
        assert shell.data("changes", last="1")[0]["sequence"] == made
    assert [row["operation"] for row in shell.data("changes", last="3")] == ["RESTORE", "ARCHIVE", "UPDATE"]
    assert len(shell.data("changes", last="5", operation="update", target=id)) == 1
    assert "more: --after 2; the newest: --last 2" in shell.say("changes", first="2")
    assert "more:" not in shell.say("changes", first="4")
    with pytest.raises(Invalid, match="not both"):
        shell.say("changes", last="1", after="1")


def test_what_hardly_answers_is_shown_where_no_score_is_too_low(service: Service) -> None:
    tenant = f"household-{new_id()}"
    add(service, Call(Scope(tenant, "ann"), "test"), [Fact("Ann drinks tea.")])
    asked = ["recall", "What is the capital of Mongolia?", "--tenant", tenant]
    assert "Ann drinks tea." not in CliRunner().invoke(recalling.app, asked).output
    assert "Ann drinks tea." in CliRunner().invoke(recalling.app, [*asked, "--min-score", "0"]).output


def test_a_memory_is_drawn_and_not_printed_as_python(service: Service) -> None:
    tenant = f"household-{new_id()}"
    call = Call(Scope(tenant, "ann"), "test")
    add(service, call, [Fact("Ann drinks tea.", tags=("drink", "hot"), metadata={"page": 7})])
    id = browse_by(service, Scope(tenant)).items[0].id
    shown = CliRunner().invoke(memory.app, ["show", id, "--tenant", tenant]).stdout
    assert "tags  drink, hot" in shown
    assert "metadata  page 7" in shown
    assert not set("{}<>'") & set(shown)


def test_the_one_statement_that_was_typed_is_not_counted(service: Service) -> None:
    empty = CliRunner().invoke(remembering.app, ["", "--tenant", f"household-{new_id()}"])
    assert str(empty.exception) == "text is empty."
