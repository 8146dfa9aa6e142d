"""Who holds a lease: which process of which machine, so that its death is seen before its lease runs out."""

from __future__ import annotations

import os
import platform

import psutil

from graph_memory.base.ids import new_id

_SAME_SECONDS = 1.0


def new() -> str:
    """This process, told apart from every other, and this taking from every other of it."""
    return f"{platform.node()}/{os.getpid()}/{psutil.Process().create_time():.2f}/{new_id()}"


def is_gone(owner: str) -> bool:
    """Whether it was a process of this machine that has ended. When in doubt it is not.

    A wrong yes (two machines of one name) costs work but does no harm: the fence refuses what the first one
    still writes.
    """
    machine, _, rest = owner.partition("/")
    process, _, rest = rest.partition("/")
    began, _, _ = rest.partition("/")
    if machine != platform.node() or not process.isdigit():
        return False
    try:
        found = psutil.Process(int(process))
        is_same = abs(found.create_time() - float(began)) <= _SAME_SECONDS
        return bool(found.status() == psutil.STATUS_ZOMBIE) or not is_same
    except psutil.NoSuchProcess:
        return True
    except (psutil.Error, ValueError):
        return False
