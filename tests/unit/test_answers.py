"""Tests notice a command that answers otherwise than its schema says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graph_memory.cli import stack
from tests.answers import faults_of
from tests.commands import run


def test_an_answer_that_is_not_as_described_is_noticed() -> None:
    assert faults_of("webhooks remove", json.dumps({"id": "7", "replayed": False})) == []
    [lacks] = faults_of("webhooks remove", json.dumps({"id": "7"}))
    [wrong] = faults_of("webhooks remove", json.dumps({"id": 7, "replayed": False}))
    [odd] = faults_of("webhooks remove", json.dumps({"id": "7", "replayed": False, "seen": 1}))
    assert "'replayed' is a required property" in lacks
    assert wrong.startswith("webhooks remove: $.id: 7 is not of type")
    assert "'seen' was unexpected" in odd
    assert faults_of("undo", "Done.\n{}")[0].startswith("undo: this is not one JSON document")


def test_a_command_is_noticed_wherever_a_test_runs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer_faults: list[str]
) -> None:
    run("status", "--json", GRAPH_MEMORY_STACK_DATA=str(tmp_path))
    assert answer_faults == []
    monkeypatch.setattr(stack, "asdict", lambda report: {"data": report.data})
    run("status", "--json", GRAPH_MEMORY_STACK_DATA=str(tmp_path))
    [fault] = answer_faults
    answer_faults.clear()
    assert "'running' is a required property" in fault
