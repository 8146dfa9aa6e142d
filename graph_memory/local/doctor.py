"""What `doctor` looks at, in order. A new check is a function and a row."""

from __future__ import annotations

from collections.abc import Iterator

from graph_memory.base.errors import GraphMemoryError
from graph_memory.local import check_machine, check_services, check_store
from graph_memory.local.findings import Check, Examination, Fault, Finding, Skip
from graph_memory.settings import Settings

CHECKS = (
    Check("other names", check_services.aliases),
    Check("data folder", check_machine.data_folder),
    Check("passwords", check_machine.passwords, after=("data folder",)),
    Check("disk", check_machine.disk, after=("data folder",)),
    Check("java", check_machine.java),
    Check("server parts", check_machine.server_parts),
    Check("ports", check_machine.free_ports),
    Check("model", check_services.model),
    Check("providers", check_services.providers),
    Check("neo4j", check_store.reachable),
    Check("gds", check_store.algorithms, after=("neo4j",)),
    Check("projections", check_store.projections, after=("gds",)),
    Check("clock", check_store.clock, after=("neo4j",)),
    Check("schema", check_store.schema, after=("neo4j",)),
    Check("dates", check_store.dates, after=("neo4j", "schema")),
    Check("indexes", check_store.indexes, after=("neo4j", "schema")),
    Check("dimension", check_store.dimension, after=("neo4j",)),
    Check("api key", check_store.key, after=("neo4j", "schema")),
    Check("jobs", check_services.jobs, after=("neo4j", "schema")),
    Check("broker", check_services.broker),
    Check("worker", check_services.worker, after=("broker",)),
    Check("beat", check_services.beat, after=("broker",)),
    Check("api", check_services.api),
    Check("origins", check_services.origins),
)


def examine(settings: Settings, checks: tuple[Check, ...] = CHECKS) -> Iterator[Finding]:
    """The finding of each check, as soon as it is known."""
    with Examination(settings) as at:
        for check in checks:
            finding = _finding(check, at)
            if finding.state != "ok":
                at.failed.add(check.name)
            yield finding


def _finding(check: Check, at: Examination) -> Finding:
    missing = [name for name in check.after if name in at.failed]
    if missing:
        return Finding(check.name, "skipped", f"not checked, because of {missing[0]}")
    try:
        return Finding(check.name, "ok", check.run(at))
    except Skip as reason:
        return Finding(check.name, "skipped", str(reason))
    except Fault as fault:
        return Finding(check.name, "fault", fault.told, fault.fix)
    except (GraphMemoryError, OSError) as error:
        return Finding(check.name, "fault", str(error), "see `graph-memory status` and the logs")
    except Exception as error:  # noqa: BLE001 - one check that fails must not hide what the others find
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        return Finding(check.name, "fault", told, "see `graph-memory status` and the logs")
