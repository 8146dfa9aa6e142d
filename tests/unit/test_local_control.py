"""Starting a stack that goes on when its starter has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

LAUNCHES = """
import subprocess, sys
from graph_memory.local import control
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
control._launched.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], **quiet))
print(control._launched[0].pid)
"""


def test_nobody_is_warned_of_what_is_meant_to_go_on() -> None:
    command = [sys.executable, "-W", "error::ResourceWarning", "-c", LAUNCHES]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    os.kill(int(ended.stdout), signal.SIGKILL)
    assert ended.stderr == ""
