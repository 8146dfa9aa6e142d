"""A command as people type it, without a process of its own: importing everything takes longer than most commands."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

import pytest

from graph_memory.cli import main


def run(*words: str, **environment: str) -> CompletedProcess[str]:
    """What `graph-memory WORDS` prints, and its exit code; an error that it does not tell in its own words is raised."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["graph-memory", *words])
        for name, value in environment.items():
            patch.setenv(name, value)
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
