"""A wire between a client and a server that can be cut."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread


class CutWire:
    """Passes on what comes, both ways, until it is cut; then it passes on for those who connect anew."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.connections = 0
        Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """Ends every connection that there is, in the middle of whatever is said."""
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self.connections += 1
                self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while read := source.recv(65_536):
            target.sendall(read)
        target.shutdown(socket.SHUT_WR)


@contextmanager
def cut_wire(url: str) -> Iterator[CutWire]:
    """A wire to the server at this address."""
    wire = CutWire(int(url.rpartition(":")[2]))
    try:
        yield wire
    finally:
        wire.close()
