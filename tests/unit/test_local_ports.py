from __future__ import annotations

import os
import socket

import pytest

from graph_memory.base.errors import StackFault
from graph_memory.local.ports import free_ports, require_free, taken


def test_free_ports_are_free():
    assert [taken("127.0.0.1", port, "api_port") for port in free_ports(3)] == [None, None, None]


def test_every_taken_port_is_named_with_its_holder_and_its_setting():
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        ports = [each.getsockname()[1] for each in (first, second)]
        with pytest.raises(StackFault) as caught:
            require_free([("127.0.0.1", ports[0], "bolt_port"), ("127.0.0.1", ports[1], "api_port")])
    message = str(caught.value)
    assert f"port {ports[0]} is taken by" in message
    assert f"(pid {os.getpid()})" in message
    assert "GRAPH_MEMORY_STACK_BOLT_PORT" in message
    assert "GRAPH_MEMORY_STACK_API_PORT" in message


def test_an_address_of_another_machine_is_named():
    assert "cannot be listened on" in (taken("192.0.2.1", 8420, "api_port") or "")
