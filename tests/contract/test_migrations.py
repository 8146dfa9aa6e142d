"""Migrations count up, are frozen once applied, may run twice, and are applied once by whoever starts first."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Barrier

import neo4j
import pytest

from graph_memory.base.errors import MigrationFault
from graph_memory.base.files import folder
from graph_memory.settings import Settings
from graph_memory.store import vector_indexes
from graph_memory.store.queries import Query
from graph_memory.store.service import open_driver
from graph_memory.upkeep import migrations
from graph_memory.upkeep.migrations import Migration, migrate, pending, require
from tests.apart import driver, stack

__all__ = ["driver", "stack"]


FILES = sorted(file.name for file in (Path(str(folder("cypher"))) / "migrations").iterdir())


def test_the_files_count_up_from_one() -> None:
    assert [name.split("__")[0] for name in FILES] == [f"V{number:04}" for number in range(1, len(FILES) + 1)]
    assert [f"V{each.version:04}__{each.name}.cypher" for each in migrations.migrations()] == FILES


def test_every_statement_may_be_repeated() -> None:
    statements = [statement for migration in migrations.migrations() for statement in migration.statements]
    guarded = re.compile(
        r" IF (?:NOT )?EXISTS\b|^CYPHER 25 MATCH \(\w:\w+\)\nWHERE (?:\w\.\w+ IS (?:NOT )?NULL|NOT EXISTS \{ .+ \})\n"
    )
    assert [text for text in statements if not guarded.search(text)] == []


def test_a_gap_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "migrations").mkdir()
    for number in (1, 3):
        (tmp_path / "migrations" / f"V{number:04}__x.cypher").write_text("// Nothing.\nRETURN 1;\n", "utf-8")
    monkeypatch.setattr(migrations, "folder", lambda _: tmp_path)
    with pytest.raises(LookupError, match="without a gap"):
        migrations.migrations.__wrapped__()


@dataclass
class Trial:
    """A store that has applied nothing: the same code with records and rules of its own."""

    driver: neo4j.Driver
    settings: Settings
    label: str
    known: list[Migration]

    def migrate(self) -> list[str]:
        return migrate(self.driver, self.settings)


@pytest.fixture
def trial(stack: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trial]:
    label = f"Trial{uuid.uuid4().hex[:12]}"
    for name in ("LOCK_RULE", "LOCK", "APPLIED", "RECORD"):
        statement = getattr(migrations, name)
        text = statement.text.replace(":Migration", f":{label}").replace(
            "migration_version", f"{label}_version"
        )
        monkeypatch.setattr(migrations, name, replace(statement, text=text))
    known = [_migration(label, 1), _migration(label, 2)]
    monkeypatch.setattr(migrations, "migrations", lambda: tuple(known))
    with open_driver(stack) as driver:
        yield Trial(driver, stack, label, known)
        with driver.session(database=stack.neo4j.database) as session:
            rules = session.run(
                f"SHOW CONSTRAINTS YIELD name WHERE name STARTS WITH '{label}' RETURN name"
            ).value()
            for rule in rules:
                session.run(f"DROP CONSTRAINT {rule}").consume()
            session.run(f"MATCH (n:{label}) DELETE n").consume()


@pytest.mark.stack
def test_they_are_applied_in_order_and_once(trial: Trial) -> None:
    assert trial.migrate() == ["V0001__one", "V0002__two"]
    assert trial.migrate() == []
    require(trial.driver, trial.settings)


@pytest.mark.stack
def test_an_interrupted_one_is_applied_again(trial: Trial) -> None:
    trial.migrate()
    with trial.driver.session(database=trial.settings.neo4j.database) as session:
        session.run(f"MATCH (n:{trial.label} {{version: 2}}) DELETE n").consume()
    assert trial.migrate() == ["V0002__two"]


@pytest.mark.stack
def test_the_real_ones_run_twice(stack: Settings) -> None:
    with open_driver(stack) as driver, driver.session(database=stack.neo4j.database) as session:
        migrate(driver, stack)
        before = _rules(session)
        for migration in migrations.migrations():
            for statement in migration.statements:
                session.run(statement, migrations.values(stack)).consume()
        assert _rules(session) == before
        assert migrate(driver, stack) == []


@pytest.mark.stack
def test_an_index_that_filters_by_something_else_is_made_anew_once_and_keeps_its_size(
    stack: Settings,
) -> None:
    """The next model's index stands for all four: nobody searches there now, and it has another size."""
    with open_driver(stack) as driver, driver.session(database=stack.neo4j.database) as session:
        migrate(driver, stack)

        def system(statement: Query, **given: object) -> list[dict[str, object]]:
            return session.run(statement.text, given).data()

        session.run(
            "CYPHER 25 CREATE VECTOR INDEX memory_live_next IF NOT EXISTS FOR (n:Live) ON n.embedding_next "
            "WITH [n.tenant, n.valid_to] OPTIONS {indexConfig: {`vector.dimensions`: 12}}"
        ).consume()
        try:
            assert vector_indexes.refit(system) == ["memory_live_next"]
            [made] = [row for row in system(vector_indexes.INDEXES) if row["name"] == "memory_live_next"]
            assert (made["dimension"], made["state"]) == (12, "ONLINE")
            assert vector_indexes.refit(system) == []
        finally:
            system(vector_indexes.DROP_INDEX, name="memory_live_next")


@pytest.mark.stack
def test_a_store_that_lacks_one_is_refused(trial: Trial) -> None:
    trial.migrate()
    trial.known.append(_migration(trial.label, 3))
    with pytest.raises(MigrationFault, match="graph-memory migrate"):
        require(trial.driver, trial.settings)
    assert trial.migrate() == ["V0003__three"]


@pytest.mark.stack
def test_a_changed_one_is_refused(trial: Trial) -> None:
    trial.migrate()
    trial.known[0] = replace(trial.known[0], checksum="another")
    with pytest.raises(MigrationFault, match=r"V0001__one was changed"):
        pending(trial.driver, trial.settings)
    with pytest.raises(MigrationFault, match=r"V0001__one was changed"):
        trial.migrate()


@pytest.mark.stack
def test_a_newer_store_is_refused(trial: Trial) -> None:
    trial.migrate()
    trial.known.pop()
    with pytest.raises(MigrationFault, match=r"newer version \(migration V0002__two\)"):
        trial.migrate()


@pytest.mark.stack
def test_of_two_starters_one_applies_and_the_other_waits(trial: Trial) -> None:
    together = Barrier(2)

    def start(_: int) -> list[str]:
        together.wait()
        return trial.migrate()

    with ThreadPoolExecutor(2) as pool:
        applied = sorted(pool.map(start, range(2)), key=len)
    assert applied == [[], ["V0001__one", "V0002__two"]]


def _migration(label: str, version: int) -> Migration:
    name = ("", "one", "two", "three")[version]
    rule = f"CREATE CONSTRAINT {label}_{name} IF NOT EXISTS FOR (n:{label}Thing) REQUIRE n.{name} IS UNIQUE"
    return Migration(version, name, f"checksum of {name}", (rule,))


def _rules(session: neo4j.Session) -> list[str]:
    indexes = session.run("SHOW INDEXES YIELD name RETURN name").value()
    return sorted(indexes + session.run("SHOW CONSTRAINTS YIELD name RETURN name").value())
