"""Brings the store's schema to what this version needs: `cypher/migrations/V0001__what.cypher`, in order.

A migration is frozen once applied (its checksum is stored), safe to run twice, and guarded by a lock in the
store against two starters.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import neo4j

from graph_memory.base.clock import system_clock
from graph_memory.base.errors import MigrationFault
from graph_memory.base.files import folder
from graph_memory.base.sections import Sections
from graph_memory.scoring.settings import DecaySettings
from graph_memory.store import vector_indexes
from graph_memory.store.queries import query
from graph_memory.store.service import translated
from graph_memory.store.settings import Neo4jSettings

LOCK_RULE = query("system/migration_rule")
LOCK = query("system/migration_lock")
APPLIED = query("system/migrations_applied")
RECORD = query("system/migration_record")
AWAIT = query("system/await_indexes")

# From this migration on the vector indexes are what the queries beside them say. No statement of a file can tell: their size
# is that of the store's model.
_FITS_VECTOR_INDEXES = 15
# This migration adds a vector index.
_ADDS_VECTOR_INDEXES = 17

_NAME = re.compile(r"V(\d{4})__(\w+)\.cypher")
_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
# Without an end: a large store takes its time, and who dies lets go.
_LOCK_SECONDS = 0.0


@dataclass(frozen=True)
class Migration:
    """One file: its version, name, statements, and the checksum that freezes it."""

    version: int
    name: str
    checksum: str
    statements: tuple[str, ...]


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations of this version, in order, without a gap."""
    found = [
        _migration(int(match[1]), match[2], file.read_text("utf-8"))
        for file in folder("cypher").joinpath("migrations").iterdir()
        if (match := _NAME.fullmatch(file.name))
    ]
    found.sort(key=lambda migration: migration.version)
    if [migration.version for migration in found] != list(range(1, len(found) + 1)):
        raise LookupError("migrations must count up from V0001 without a gap")
    return tuple(found)


def migrate(
    driver: neo4j.Driver,
    settings: Sections,
    told: Callable[[str], None] = lambda _: None,
    again: bool = False,
) -> list[str]:
    """The names of the migrations that had to be applied; one starter at a time, others wait.

    `again` applies all of them, which puts back an index or constraint that somebody dropped.
    Raises MigrationFault when the store holds a migration that this version does not know, or a changed one.
    """
    with translated(settings), driver.session(database=settings[Neo4jSettings].database) as session:
        # Two starters on a new store may stop one another here; the managed transaction tries again.
        session.execute_write(lambda tx: tx.run(LOCK_RULE.text).consume())
        with session.begin_transaction(timeout=_LOCK_SECONDS) as lock:
            lock.run(LOCK.text).consume()
            lacking = pending(driver, settings)
            wanted = migrations() if again else lacking
            return [_apply(driver, settings, migration, told) for migration in wanted]


def pending(driver: neo4j.Driver, settings: Sections) -> list[Migration]:
    """The migrations that the store still lacks, after checking those that it has."""
    with translated(settings), driver.session(database=settings[Neo4jSettings].database) as session:
        applied = {row["version"]: row for row in session.run(APPLIED.text).data()}
    known = {migration.version: migration for migration in migrations()}
    for version, row in sorted(applied.items()):
        if version not in known:
            raise MigrationFault(
                f"The store was made by a newer version (migration V{version:04}__{row['name']}); update graph-memory."
            )
        if row["checksum"] != known[version].checksum:
            raise MigrationFault(
                f"Migration V{version:04}__{row['name']} was changed after it was applied; put the file back as it was."
            )
    return [migration for migration in migrations() if migration.version not in applied]


def require(driver: neo4j.Driver, settings: Sections) -> None:
    """MigrationFault when the store's schema is not the one of this version."""
    missing = pending(driver, settings)
    if missing:
        raise MigrationFault(
            f"The store is older than this version ({len(missing)} to apply); run `graph-memory migrate`."
        )


def values(settings: Sections) -> dict[str, Any]:
    """What the statements of migrations may name."""
    decay = settings[DecaySettings]
    return {
        "grace_days": decay.expiry_grace_days,
        "critical_overrides_expiry": decay.critical_overrides_expiry,
    }


def _apply(
    driver: neo4j.Driver, settings: Sections, migration: Migration, told: Callable[[str], None]
) -> str:
    label = f"V{migration.version:04}__{migration.name}"
    told(label)
    with driver.session(database=settings[Neo4jSettings].database) as session:
        for statement in migration.statements:
            session.run(statement, values(settings)).consume()
        if migration.version == _FITS_VECTOR_INDEXES:
            vector_indexes.refit(lambda statement, **given: session.run(statement.text, given).data(), told)
        if migration.version == _ADDS_VECTOR_INDEXES:
            vector_indexes.complete(lambda statement, **given: session.run(statement.text, given).data())
        session.run(AWAIT.text).consume()
        session.run(
            RECORD.text,
            version=migration.version,
            name=migration.name,
            checksum=migration.checksum,
            at=system_clock(),
        ).consume()
    return label


def _migration(version: int, name: str, source: str) -> Migration:
    body = _COMMENT.sub("", source)
    statements = tuple(
        "CYPHER 25 " + part.strip() for part in re.split(r";\s*$", body, flags=re.MULTILINE) if part.strip()
    )
    return Migration(version, name, hashlib.sha256(source.encode()).hexdigest(), statements)
