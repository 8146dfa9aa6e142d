"""Checks of the database: its version, its algorithms, its schema, its clock."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import Any

from graph_memory.base.errors import GraphMemoryError, MigrationFault, Misconfigured, Unsupported
from graph_memory.local.findings import Examination, Fault
from graph_memory.store.addresses import neo4j_uri
from graph_memory.store.queries import Query, query
from graph_memory.store.settings import BrokerSettings, Neo4jSettings

GDS = query("system/doctor_gds")
INDEXES = query("system/doctor_indexes")
CLOCK = query("system/doctor_clock")
AHEAD = query("system/doctor_ahead")
PROJECTIONS = query("system/doctor_projections")
COMPONENTS = query("system/components")
SPACE = query("system/space_read")

LARGEST_SKEW = 2.0
# Minutes after which a date that lies ahead is no skew of clocks.
FARTHEST_AHEAD = 10
# A constraint keeps an index of its own name.
INDEX = re.compile(r"CREATE (?:VECTOR INDEX|FULLTEXT INDEX|INDEX|CONSTRAINT) (\w+)")
DROPPED = re.compile(r"DROP (?:INDEX|CONSTRAINT) (\w+)")
FIXES: dict[type[GraphMemoryError], str] = {
    Unsupported: "use Neo4j 2026.01 or newer",
    Misconfigured: "mend the setting named",
}


def reachable(at: Examination) -> str:
    """It answers, and takes our password."""
    try:
        version = _rows(at, COMPONENTS)[0]["version"]
    except GraphMemoryError as error:
        fix = FIXES.get(type(error), "")
        if not fix and "password" in str(error):
            fix = "set GRAPH_MEMORY_NEO4J_PASSWORD" + (
                ", or restore the secrets.json that has the right one"
                if at.settings[Neo4jSettings].uri is None
                else ""
            )
        raise Fault(str(error), fix or at.remedy("neo4j")) from error
    return f"Neo4j {version} at {neo4j_uri(at.settings)}"


def algorithms(at: Examination) -> str:
    """GDS is installed."""
    from neo4j.exceptions import Neo4jError

    try:
        return f"GDS {_rows(at, GDS)[0]['version']}"
    except Neo4jError as error:
        raise Fault(
            "the server has no GDS",
            "put the GDS plugin that fits its version into its plugins folder and restart it",
        ) from error


def projections(at: Examination) -> str:
    """No graph of a job that was killed takes up the server's memory."""
    limit = at.settings[BrokerSettings].task_time_limit
    left = [str(row["name"]) for row in _rows(at, PROJECTIONS, seconds=limit)]
    if left:
        raise Fault(
            f"projections older than any job may run: {', '.join(left)}",
            f"drop each: CALL gds.graph.drop('{left[0]}')",
        )
    return f"none is older than {limit} s"


def schema(at: Examination) -> str:
    """Every migration is applied."""
    from graph_memory.upkeep.migrations import require

    try:
        require(at.driver, at.settings)
    except MigrationFault as error:
        raise Fault(str(error), "run `graph-memory migrate`") from error
    return "current"


def indexes(at: Examination) -> str:
    """Every index is there, those of constraints too, and can be used."""
    rows = _rows(at, INDEXES)
    lacking = _lacking({str(row["name"]) for row in rows})
    if lacking:
        raise Fault(f"missing: {', '.join(lacking)}", "run `graph-memory migrate --again`")
    broken = [f"{row['name']} is {row['state'].lower()}" for row in rows if row["state"] != "ONLINE"]
    if broken:
        raise Fault(
            ", ".join(broken),
            "wait while they are filled; drop one that has failed, then run `graph-memory migrate --again`",
        )
    return f"{len(rows)} online"


def dimension(at: Examination) -> str:
    """The vector indexes were made for the vectors of the store's model."""
    from graph_memory.models.minilm import DIMENSION, MODEL

    record = next((row["space"] for row in _rows(at, SPACE)), {"model": MODEL, "dimension": DIMENSION})
    model, wanted = str(record["model"]), record["dimension"]
    wrong = [
        f"{row['name']} has {row['dimensions']}"
        for row in _rows(at, INDEXES)
        if row["type"] == "VECTOR" and row["dimensions"] != wanted
    ]
    if record.get("stage"):
        return (
            f"a change to {record.get('next_model') or model} is under way ({str(record['stage']).lower()})"
        )
    if wrong:
        raise Fault(
            f"the vectors of {model} have {wanted} numbers, but {', '.join(wrong)}",
            "drop the index, then run `graph-memory migrate --again` and `graph-memory embedder change`",
        )
    return f"{wanted} of {model}"


def clock(at: Examination) -> str:
    """Leases are kept by the database's clock, all else by ours: they must agree."""
    before = time.monotonic()
    theirs: datetime = _rows(at, CLOCK)[0]["now"].to_native()
    skew = (datetime.now(UTC) - theirs).total_seconds() - (time.monotonic() - before) / 2
    if abs(skew) > LARGEST_SKEW:
        raise Fault(
            f"our clock and the database's are {abs(skew):.1f} s apart",
            "let both machines take their time from one place",
        )
    return f"{abs(skew) * 1000:.0f} ms apart"


def dates(at: Examination) -> str:
    """Nothing that scores follow from was done on a date that has not come yet."""
    [row] = _rows(at, AHEAD, minutes=FARTHEST_AHEAD)
    days = f"{row['subjects']} person(s) have a day of activity that has not come yet"
    if row["tenants"]:
        last: datetime = row["rescored_at"].to_native()
        raise Fault(
            f"{row['tenants']} tenant(s) were rescored as of a time ahead, up to {last:%Y-%m-%d %H:%M}: a clock was wrong"
            + (f"; {days}" if row["subjects"] else ""),
            "see that the clocks are right; the next rescoring mends it: `graph-memory jobs run rescore --again --all-tenants`",
        )
    return f"{days}; it counts for nothing" if row["subjects"] else "nothing lies ahead"


def key(at: Examination) -> str:
    """Somebody can log in at the API."""
    usable = [
        row["key"]
        for row in _rows(at, query("system/key_list"), tenant=None)
        if not row["key"].get("revoked_at")
    ]
    if not usable:
        raise Fault("there is no API key", "run `graph-memory keys create`")
    return f"{len(usable)} can be used"


def _lacking(found: set[str]) -> list[str]:
    from graph_memory.upkeep.migrations import migrations

    text = "\n".join(statement for each in migrations() for statement in each.statements)
    return sorted(set(INDEX.findall(text)) - set(DROPPED.findall(text)) - found)


def _rows(at: Examination, statement: Query, **values: Any) -> list[dict[str, Any]]:
    with at.driver.session(database=at.settings[Neo4jSettings].database) as session:
        return session.run(statement.text, values).data()
