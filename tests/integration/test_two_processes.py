"""Two processes that remember what contradicts each other at the same moment: one truth stays, the others are its past."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from graph_memory.base.clock import system_clock
from graph_memory.base.scope import Scope
from graph_memory.ingest.pipeline import remember
from graph_memory.ledger.changes import Call
from graph_memory.memory import reading
from graph_memory.model.memory import Fact
from graph_memory.settings import Settings
from graph_memory.store.service import Service
from graph_memory.verify import verify

pytestmark = pytest.mark.stack

# Says when it is ready, waits for a line, remembers, and tells what became of it.
CHILD = """
import json
import sys
from graph_memory import Call, Fact, Scope, load, open_service
from graph_memory.ingest.outcome import as_data
from graph_memory.ingest.pipeline import remember
tenant, *texts = sys.argv[1:]
with open_service(load()) as service:
    service.embedder.embed(["warm"])
    for number, text in enumerate(texts):
        print("ready", flush=True)
        sys.stdin.readline()
        outcome, _ = remember(service, Call(Scope(tenant, f"s{number}"), "child"), Fact(text))
        print(json.dumps(as_data(outcome), default=str), flush=True)
"""
# What is known, and what the one and the other process say at the same moment.
ROUNDS = (
    ("Bob's address is now 3 Mill Lane.", "Bob's address is now 9 Elm Road.", "Bob's address is now 2 Castle Hill."),
    ("The deadline is now 3 May.", "The deadline is now 9 June.", "The deadline is now 2 July."),
    ("Ann's dentist is Dr. Okafor now.", "Ann's dentist is Dr. Lund now.", "Ann's dentist is Dr. Vale now."),
)  # fmt: skip


def _child(tenant: str, texts: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, tenant, *texts],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def _tell(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("go\n")
    child.stdin.flush()


def _line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def test_contradictions_of_two_processes_at_one_moment_do_not_both_stay(
    stack: Settings, service: Service
) -> None:
    service = replace(service, clock=system_clock)
    tenant = f"test-{uuid.uuid4().hex}"
    children = [_child(tenant, [each[which] for each in ROUNDS]) for which in (1, 2)]
    try:
        for number, (known, *said) in enumerate(ROUNDS):
            scope = Scope(tenant, f"s{number}")
            remember(service, Call(scope, "test"), Fact(known))
            assert [_line(child) for child in children] == ["ready", "ready"]
            for child in children:
                _tell(child)
            outcomes = [json.loads(_line(child)) for child in children]
            live = [memory.text for memory in reading.browse(service, scope).items]
            assert len(live) == 1, (live, outcomes)
            assert live[0] in said
            assert len(reading.history(service, scope, reading.browse(service, scope).items[0].id)) >= 3
        for child in children:
            assert child.wait(30) == 0
    finally:
        for child in children:
            child.kill()
            child.communicate(timeout=10)
    assert verify(service, [tenant]).is_clean
