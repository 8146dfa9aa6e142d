"""`python -m graph_memory.bench.attached MODULE ...`: a module as a program that ends with whoever started it.

Whoever did holds the other end of its standard input, and lets go of it also when killed.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from threading import Thread


def main() -> None:
    """Runs the module with the arguments behind its name."""
    Thread(target=_ending, daemon=True).start()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _ending() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
