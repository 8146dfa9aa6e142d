"""What is tried again and what is not: a transient fault is, a transaction that ran out of memory never is."""

from __future__ import annotations

from typing import Any

import neo4j
import pytest
from neo4j.exceptions import ClientError, Neo4jError, TransientError

from graph_memory.base.errors import Overloaded, TookTooLong
from graph_memory.base.scope import Scope
from graph_memory.settings import load
from graph_memory.store.queries import query
from graph_memory.store.service import Transaction, translated

SCOPE = Scope("t", "ann")
LOAD = query("memory/load")
OUT_OF_MEMORY = (
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
    "Neo.TransientError.General.TransactionMemoryLimit",
    "Neo.TransientError.General.OutOfMemoryError",
)


class Failing:
    """A transaction of the driver that answers every statement with one error of the server."""

    def __init__(self, code: str) -> None:
        self.error = Neo4jError._hydrate_neo4j(code=code, message="as the server says")
        self.calls = 0

    def run(self, text: str, values: dict[str, Any]) -> neo4j.Result:
        self.calls += 1
        raise self.error


def attempted(code: str) -> tuple[Failing, Exception]:
    failing = Failing(code)
    with pytest.raises(Exception) as told:  # noqa: PT011 - which one it is, is what the tests are about
        Transaction(failing, SCOPE).run(LOAD, ids=[])  # type: ignore[arg-type]
    return failing, told.value


@pytest.mark.parametrize("code", OUT_OF_MEMORY)
def test_running_out_of_memory_leaves_the_driver_nothing_to_try_again(code: str) -> None:
    """The driver tries again what is retryable; ours goes through its retries as any other error."""
    failing, told = attempted(code)
    assert isinstance(failing.error, TransientError)
    assert failing.error.is_retryable()
    assert isinstance(told, Overloaded)
    assert "ran out of memory" in told.message
    assert told.__cause__ is failing.error
    assert failing.calls == 1


@pytest.mark.parametrize(
    "code",
    ["Neo.TransientError.Transaction.DeadlockDetected", "Neo.TransientError.Transaction.LockClientStopped"],
)
def test_a_deadlock_is_left_to_the_driver_to_try_again(code: str) -> None:
    failing, told = attempted(code)
    assert told is failing.error


def test_a_timeout_is_told_by_itself_and_not_tried_again() -> None:
    error = Neo4jError._hydrate_neo4j(
        code="Neo.ClientError.Transaction.TransactionTimedOut", message="as the server says"
    )
    assert isinstance(error, ClientError)
    assert not error.is_retryable()
    with pytest.raises(TookTooLong), translated(load()):
        raise error
