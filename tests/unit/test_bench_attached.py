"""A process of a benchmark ends with the benchmark, also with one that was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from graph_memory.bench.conversations_worker import ATTACHED

# Says that it runs, and then waits for ever.
WAITING = "import sys, time\nprint(sys.argv[1], flush=True)\ntime.sleep(10_000)\n"
STARTER = "import subprocess, sys, time\nsubprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)\ntime.sleep(10_000)\n"


def test_what_is_attached_ends_when_its_starter_is_killed(tmp_path: Path) -> None:
    (tmp_path / "waiting.py").write_text(WAITING, "utf-8")
    command = [sys.executable, "-c", STARTER, *ATTACHED, "waiting", "it runs"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{Path.cwd()}"},
    ) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == "it runs\n"
        starter.kill()
        # The line's end is told only when nobody holds the other end any more: neither of the two is left.
        assert starter.stdout.read() == ""
