"""Tells a health check whether a beat of this machine is at work: `python -m graph_memory.local.beat_check`."""

from __future__ import annotations

import socket
import sys

from graph_memory.jobs.heartbeat import signs
from graph_memory.settings import load
from graph_memory.store.addresses import broker_url


def main() -> None:
    """Names the beats of this machine; ends with 1 when there is none."""
    here = [sign for sign in signs(broker_url(load())) or [] if sign.host == socket.gethostname()]
    print(", ".join(map(str, here)) or "no beat of this machine is at work")
    sys.exit(0 if here else 1)


if __name__ == "__main__":
    main()
