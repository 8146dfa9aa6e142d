"""How a run is followed where the output keeps no screen."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rich.console import Console

from graph_memory.cli import following
from graph_memory.jobs.runs import Run
from graph_memory.model.run import Status


def a_run(**values: object) -> Run:
    names = dict.fromkeys(Run.__dataclass_fields__)
    return Run(**{**names, "status": Status.RUNNING, "started_at": datetime.now(UTC), **values})  # type: ignore[arg-type]


def test_where_there_is_no_terminal_a_plain_line_tells_now_and_then_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following, "_LINE_EVERY_SECONDS", 0)
    told, run = io.StringIO(), a_run(phase="extract", done=3, total=12)
    following._lines(Console(file=told), run, [run, replace(run, phase="", total=0)])
    assert told.getvalue() == "  0 s  extract 3 of 12\n  0 s  running\n"


def test_what_ends_at_once_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told, run = io.StringIO(), a_run(phase="extract", done=3, total=12)
    following._lines(Console(file=told), run, [run])
    assert told.getvalue() == ""
