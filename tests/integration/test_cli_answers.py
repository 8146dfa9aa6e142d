"""Answers for machines of commands that no other test asks for: each run is held against the schema of the reference."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.model.verdict import Action
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from tests.commands import run
from tests.integration.remembering_world import Judge, keep

pytestmark = pytest.mark.stack

Ask = Callable[..., Any]

SAID = {"speaker": "Ann", "at": "2026-01-01T18:00:00Z", "text": "I play the cello."}


@pytest.fixture
def ask(stack: Settings) -> Ask:
    """What a command answers in a tenant of its own."""
    tenant = f"answers-{new_id()}"

    def asked(*words: str) -> Any:
        done = run(*words, "--tenant", tenant, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return asked


def test_what_is_known_and_what_became_of_it(ask: Ask) -> None:
    old = ask("remember", "Ann works at Google.", "--valid-from", "2026-01-01")["id"]
    new = ask("supersede", old, "Ann works at Anthropic.", "--valid-from", "2026-02-01")["new"]
    assert ask("ask", "Where does Ann work?")["question"] == "Where does Ann work?"
    assert ask("why", old)["by"]["id"] == new
    assert ask("why", new)["by"] is None
    other = ask("remember", "Ann is tired.", "--observe")["id"]
    ask("link", new, "CAUSES", other)
    assert len(ask("path", new, other)["nodes"]) == 2
    assert ask("diff", "--as-of", "2026-01-15", "--to-as-of", "2026-03-01")["added"]
    assert ask("confirm", new)["memories"][0]["id"] == new
    assert isinstance(ask("hubs"), list)


def test_conversations(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps(SAID) + "\n")
    assert ask("submit", str(file), "--session", "chat", "--subject", "ann")["stored"] == 1
    [row] = ask("import", str(file), "--subject", "bob", "--here")
    assert (row["messages"], row["status"]) == (1, "DONE")


def test_a_source_in_doubt(ask: Ask) -> None:
    ask("remember", "The site says so.", "--source", "web", "--source-ref", "site")
    assert len(ask("quarantine", "--source-ref", "site", "--dry-run")["memories"]) == 1
    taken = ask("quarantine", "--source-ref", "site", "--reason", "doubt", "--here")
    assert ask("settle", taken["run"], "--retract", "--reason", "made up")["memories"] == 1


def test_merging_what_says_the_same(ask: Ask) -> None:
    for text in ("Ann has a cat named Mia.", "Ann has a cat, named Mia."):
        ask("remember", text, "--observe")
    plan = ask("consolidate", "--full", "--dry-run", "--here")
    assert ask("consolidate", "plan", plan["plan"])["groups"] == plan["groups"]
    merged = ask("consolidate", "promote", plan["plan"], "--here")
    assert ask("consolidate", "revert", merged["run"], "--here")["status"] == "DONE"
    assert ask("consolidate", "--full", "--here")["status"] == "DONE"


def test_reviews(ask: Ask, service: Service, scope: Scope) -> None:
    keep(service, scope, "Bea lives in Berlin.")
    id = str(keep(service, scope, "Bea lives in Paris.", Judge(Action.SUPERSEDE, 0.7)).review_id)
    keep(service, scope, "Bea drinks tea.")
    other = str(keep(service, scope, "Bea drinks coffee.", Judge(Action.SUPERSEDE, 0.7)).review_id)
    listed = json.loads(run("review", "list", "--tenant", scope.tenant_name, "--json").stdout)["items"]
    row = next(each for each in listed if each["id"] == id)
    texts = ("Bea lives in Paris.", "Bea lives in Berlin.")
    assert (row["subject"], row["memory_text"], row["target_text"]) == (scope.subject_name, *texts)
    for words in (("show", id), ("reject", id)):
        done = run("review", *words, "--tenant", scope.tenant_name, "--json")
        assert json.loads(done.stdout)["id"] == id, done.stderr
    third = str(keep(service, scope, "Bea lives in Rome.", Judge(Action.SUPERSEDE, 0.7)).review_id)
    done = run("review", "reject", other, third, "--tenant", scope.tenant_name, "--json")
    assert [each["id"] for each in json.loads(done.stdout)] == [other, third], done.stderr


def test_webhooks(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_WEBHOOKS_PRIVATE", "true")
    made = ask("webhooks", "add", "http://127.0.0.1:9/changes")
    assert [each["id"] for each in ask("webhooks", "list")["items"]] == [made["id"]]
    assert ask("webhooks", "resume", made["id"])["lag"] == 0
    assert ask("webhooks", "remove", made["id"])["id"] == made["id"]


def test_the_embedder(stack: Settings) -> None:
    done = run("embedder", "show", "--json")
    assert json.loads(done.stdout)["settings"]["dimension"] > 0, done.stderr


def test_what_looks_like_markup_is_shown_as_it_was_written(stack: Settings) -> None:
    tenant, text = f"answers-{new_id()}", "The notes of Ann are in the [draft] folder [/b] [red]today."
    kept = json.loads(run("remember", text, "--tenant", tenant, "--json").stdout)["id"]
    for words in (
        ["recall", "notes"],
        ["memories"],
        ["history", kept],
        ["ask", "Where are the notes of Ann?"],
        ["show", kept],
    ):
        done = run(*words, "--tenant", tenant)
        assert done.returncode == 0, (words, done.stderr)
        assert "[draft] folder [/b] [red]today" in " ".join(done.stdout.split()), words


def test_the_history_says_what_was_retracted(stack: Settings) -> None:
    tenant = f"answers-{new_id()}"
    kept = json.loads(run("remember", "Ann plays the cello.", "--tenant", tenant, "--json").stdout)["id"]
    run("retract", kept, "--tenant", tenant)
    assert "(retracted)" in run("history", kept, "--tenant", tenant).stdout
