"""Whether the ports of a stack are free, and who holds them when they are not."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterable
from contextlib import suppress

import psutil

from graph_memory.base.errors import StackFault
from graph_memory.settings import PREFIX


def require_free(wanted: Iterable[tuple[str, int, str]]) -> None:
    """Raises StackFault that names every taken port, its holder and the setting that moves it."""
    faults = [fault for host, port, key in wanted if (fault := taken(host, port, key))]
    if faults:
        raise StackFault("Nothing was started:\n" + "\n".join(f"  - {fault}" for fault in faults))


def taken(host: str, port: int, key: str) -> str | None:
    """What is in the way of listening there; None if nothing is."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    setting = f"{PREFIX}STACK_{key.upper()}"
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return f"port {port} is taken by {holder(port)}; stop that, or choose another with {setting}"
            reason = f"{host}:{port} cannot be listened on ({error.strerror})"
            return f"{reason}; change {setting} or {PREFIX}STACK_HOST"
    return None


def holder(port: int) -> str:
    """Who listens there, as people know it."""
    try:
        pid = _listener(port)
        return f"{psutil.Process(pid).name()} (pid {pid})" if pid else "another process"
    except psutil.Error:
        return "another process"


def listened(pid: int) -> set[int]:
    """The ports on which a process and those that it started listen."""
    heard: set[int] = set()
    with suppress(psutil.Error):
        main = psutil.Process(pid)
        for each in (main, *main.children(recursive=True)):
            rows = each.net_connections("tcp")
            heard |= {row.laddr.port for row in rows if row.status == psutil.CONN_LISTEN}
    return heard


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses just now; for throw-away stacks."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def _listener(port: int) -> int | None:
    """The process that listens there; None where there is none, or it is someone else's and hidden from us."""
    rows = psutil.net_connections("tcp")
    return next(
        (row.pid for row in rows if row.status == psutil.CONN_LISTEN and row.laddr.port == port), None
    )
