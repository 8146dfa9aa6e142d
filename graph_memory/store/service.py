"""What is held open: driver, embedder, clock. `bootstrap` opens it; this is the one place that talks to Neo4j."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, TypeVar

import neo4j
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    TransientError,
)

from graph_memory.base import tracing
from graph_memory.base.clock import Clock, system_clock
from graph_memory.base.errors import (
    Misconfigured,
    OutcomeUnknown,
    Overloaded,
    TookTooLong,
    Unavailable,
    Unsupported,
)
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.store.addresses import addresses, neo4j_uri
from graph_memory.store.limiter import Gate
from graph_memory.store.protocols import Changing, Embedder, LanguageModels
from graph_memory.store.queries import Query, query
from graph_memory.store.settings import Neo4jSettings

# Seconds to wait for a connection.
_CONNECTS = 5.0
log = logging.getLogger(__name__)

OLDEST_SERVER = (2026, 1)
COMPONENTS = query("system/components")

Row = dict[str, Any]
T = TypeVar("T")


class Transaction:
    """One open transaction of one scope. It sends walled queries only."""

    def __init__(self, tx: neo4j.ManagedTransaction, scope: Scope, uses_next: bool = False) -> None:
        self._tx = tx
        self.scope = scope
        self._uses_next = uses_next

    def run(self, statement: Query, **values: Any) -> list[Row]:
        """The rows of a query; `tenant`, `subject`, `lo` and `hi` come from the scope."""
        try:
            text = statement.over_next if self._uses_next else statement.text
            sent = _values(statement, self.scope, values)
            return tracing.queried(statement.name, lambda: _rows(self._tx.run(text, sent)), self.scope.tenant)
        except TransientError as error:
            if "Memory" in (error.code or ""):
                raise Overloaded(
                    "The database ran out of memory for this request; ask for less at once."
                ) from error
            raise


@dataclass(frozen=True)
class Service:
    """Everything that capabilities need. Tests build it with another clock or embedder."""

    settings: Sections
    driver: neo4j.Driver
    embedder: Embedder
    providers: LanguageModels
    clock: Clock = system_clock
    gate: Gate = field(default_factory=Gate)

    def read(self, scope: Scope, statement: Query, **values: Any) -> list[Row]:
        """The rows of one read-only query, retried on transient faults."""
        return self._execute(
            neo4j.READ_ACCESS,
            scope,
            lambda tx: tx.run(statement, **values),
            self.settings[Neo4jSettings].read_timeout,
        )

    def write(self, scope: Scope, work: Callable[[Transaction], T], timeout: float | None = None) -> T:
        """What `work` answers, in one transaction; `work` is called again after a transient fault.

        Overloaded when too many writers of the tenant wait already.
        """
        with self.gate.passing(scope.tenant, self.settings[Neo4jSettings]):
            return self._execute(
                neo4j.WRITE_ACCESS, scope, work, timeout or self.settings[Neo4jSettings].write_timeout
            )

    def system(self, statement: Query, **values: Any) -> list[Row]:
        """The rows of a housekeeping query, on data that no tenant owns."""
        if not statement.name.startswith("system/"):
            raise LookupError(f"{statement.name} is not a system query")
        with self._session(neo4j.WRITE_ACCESS) as session, translated(self.settings):
            work = neo4j.unit_of_work(timeout=self.settings[Neo4jSettings].write_timeout)(
                lambda tx: tracing.queried(statement.name, lambda: _rows(tx.run(statement.text, values)))
            )
            return session.execute_write(work)

    def batches(self, scope: Scope, statement: Query, **values: Any) -> list[Row]:
        """The rows of a query that commits by itself (`IN TRANSACTIONS`); safe to send again after a fault."""
        with self._session(neo4j.WRITE_ACCESS) as session, translated(self.settings):
            sent = neo4j.Query(statement.text, timeout=self.settings[Neo4jSettings].job_timeout)
            given = _values(statement, scope, values)
            return tracing.queried(statement.name, lambda: _rows(session.run(sent, given)), scope.tenant)

    def _execute(self, access: str, scope: Scope, work: Callable[[Transaction], T], timeout: float) -> T:
        with self._session(access) as session, translated(self.settings):
            uses_next = isinstance(self.embedder, Changing) and self.embedder.uses_next
            unit = neo4j.unit_of_work(timeout=timeout)(lambda tx: work(Transaction(tx, scope, uses_next)))
            return session.execute_read(unit) if access == neo4j.READ_ACCESS else session.execute_write(unit)

    def _session(self, access: str) -> neo4j.Session:
        return self.driver.session(database=self.settings[Neo4jSettings].database, default_access_mode=access)


@contextmanager
def open_driver(settings: Sections) -> Iterator[neo4j.Driver]:
    """A driver that has been seen to reach a server new enough."""
    address = addresses(settings)
    with translated(settings):
        driver = neo4j.GraphDatabase.driver(
            address.neo4j_uri,
            auth=(address.neo4j_user, address.neo4j_password),
            max_connection_pool_size=settings[Neo4jSettings].pool_size,
            connection_timeout=_CONNECTS,
            connection_acquisition_timeout=_CONNECTS * 2,
            max_transaction_retry_time=settings[Neo4jSettings].write_timeout,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
        )
    with driver:
        check_server(driver, settings)
        yield driver


def check_server(driver: neo4j.Driver, settings: Sections) -> str:
    """The server's version; Unsupported when it is too old, Unavailable when it cannot be reached."""
    with translated(settings), driver.session(database=settings[Neo4jSettings].database) as session:
        version = str(session.run(COMPONENTS.text).single(strict=True)["version"])
    parts = tuple(int(part) for part in version.split("-")[0].split("+")[0].split(".")[:2] if part.isdigit())
    if parts < OLDEST_SERVER:
        raise Unsupported(
            f"Neo4j {version} is too old; 2026.01 or newer is needed, because searches filter inside the index."
        )
    return version


@contextmanager
def translated(settings: Sections) -> Iterator[None]:
    """Turns the driver's errors into ours, keeping the cause."""
    where = neo4j_uri(settings)
    try:
        yield
    except AuthError as error:
        raise Unavailable(
            f"Neo4j at {where} refused the password of user {settings[Neo4jSettings].user}: another server may listen there; "
            f"check {_address_of(settings)} and GRAPH_MEMORY_NEO4J_PASSWORD."
        ) from error
    except ConfigurationError as error:
        raise Misconfigured([f"GRAPH_MEMORY_NEO4J_URI: {error}"]) from error
    except IncompleteCommit as error:
        raise OutcomeUnknown() from error
    except ServiceUnavailable as error:
        raise Unavailable(
            f"Neo4j at {where} cannot be reached; `graph-memory status` tells whether it runs."
        ) from error
    except ClientError as error:
        if "TransactionTimedOut" in (error.code or ""):
            raise TookTooLong(
                "The database took too long and was told to stop; ask for less at once."
            ) from error
        if "AuthenticationRateLimit" in (error.code or ""):
            raise Unavailable(
                f"Neo4j at {where} has refused too many passwords and takes none for now. Wait a few seconds; if it goes on, "
                f"another server may listen there: check {_address_of(settings)} and GRAPH_MEMORY_NEO4J_PASSWORD."
            ) from error
        raise
    except TransientError as error:
        raise Overloaded("The database is too busy for this request now; try again in a moment.") from error
    except (DriverError, OSError) as error:
        if isinstance(error, Neo4jError):
            raise
        raise Unavailable(
            f"Neo4j at {where} cannot be used ({error}); `graph-memory doctor` tells what is wrong."
        ) from error


def _address_of(settings: Sections) -> str:
    """The setting that says where Neo4j is."""
    return "GRAPH_MEMORY_" + ("STACK_BOLT_PORT" if settings[Neo4jSettings].uri is None else "NEO4J_URI")


def _values(statement: Query, scope: Scope, values: Row) -> Row:
    walls = {"tenant": scope.tenant, "subject": scope.subject, "lo": scope.lo, "hi": scope.hi}
    sent = {**{name: wall for name, wall in walls.items() if name in statement.parameters}, **values}
    if not statement.is_walled or sent.keys() != statement.parameters or sent["tenant"] != scope.tenant:
        wrong = sorted(sent.keys() ^ statement.parameters)
        raise LookupError(
            f"{statement.name} is sent with other parameters than it names: {', '.join(wrong) or 'tenant'}"
        )
    return sent


def _rows(found: neo4j.Result) -> list[Row]:
    return [_plain(record) for record in found]


def _plain(value: Any) -> Any:
    """Values of the driver as values of Python; times become native, in UTC.

    The driver names their zone, and the store holds one instant in two spellings of UTC to be two times.
    The driver's own `Record.data` looks at every number of a vector, which costs more than all the rest.
    """
    if isinstance(value, dict | neo4j.Record | neo4j.graph.Node):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list) and value and not isinstance(value[0], float | int | str):
        return [_plain(item) for item in value]
    return value.to_native().astimezone(UTC) if isinstance(value, neo4j.time.DateTime) else value
