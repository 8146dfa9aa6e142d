"""The nightly check of one tenant; its run holds the counts."""

from __future__ import annotations

import logging

from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.verify.check import verify

log = logging.getLogger(__name__)


def nightly(context: Context) -> Result:
    """How many break each invariant, and how many memories were checked. It mends nothing."""
    report = verify(
        context.service,
        [context.scope.tenant_name],
        progress=lambda tenant, done, total: context.progress(done, total, "verify"),
    )
    for finding in report.findings:
        log.error(
            "invariant_broken",
            extra={"invariant": finding.invariant, "count": finding.count, "ids": finding.examples},
        )
    return {**report.violations, "checked": report.checked}
