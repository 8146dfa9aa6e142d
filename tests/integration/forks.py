"""Processes that begin with everything imported: one imports a module and forks for each piece of work.

    code = forked("tests.integration.faulty", tenant, run, point, nth)

is the exit code of a process that has called `main(tenant, run, point, nth)` of that module.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def forked(module: str, *words: str) -> int:
    """Calls `main` of the module in a process of its own that has this one's environment."""
    imported = _imported(module)
    assert imported.stdin is not None
    assert imported.stdout is not None
    imported.stdin.write(json.dumps({"words": words, "environment": dict(os.environ)}) + "\n")
    imported.stdin.flush()
    return int(imported.stdout.readline())


@cache
def _imported(module: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "tests.integration.forks", module]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def end() -> None:
        process.communicate(timeout=20)

    atexit.register(end)
    return process


def _serve(module: str) -> None:
    main = importlib.import_module(module).main
    for line in sys.stdin:
        asked = json.loads(line)
        pid = os.fork()
        if not pid:
            # What it prints must not be taken for an exit code.
            os.dup2(2, 1)
            os.environ.clear()
            os.environ.update(asked["environment"])
            main(*asked["words"])
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1])
