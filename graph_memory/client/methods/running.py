"""Jobs: asking for one, and how far it has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.of_jobs import Asked, ConsolidationPlan, Job
from graph_memory.client.answers.words import ConsolidationStrategy
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.methods.calls import awaited, reads, there, writes


def consolidate(
    asker: Asker,
    *,
    full: bool = False,
    dry_run: bool = False,
    strategy: ConsolidationStrategy | None = None,
    cap: int | None = None,
    wait: float = 0.0,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Asked]:
    """Merges memories that say the same, or with `dry_run` makes a plan, which `consolidation_plan` reads by the job's id.

    `wait` is how many seconds to wait until it is over.
    """
    given = {"full": full, "dry_run": dry_run, "strategy": strategy, "cap": cap}
    return (yield from _asked(asker, "consolidate", given, wait, key, subject))


def consolidation_plan(
    asker: Asker, id: str, *, first: int = 20, after: str | None = None, subject: str | None = None
) -> Steps[ConsolidationPlan]:
    """What a rehearsed consolidation would do; `after` is the cursor of the last group that was read."""
    given = {"id": id, "first": first, "after": after}
    answer = yield from reads(asker, "consolidation-plan", given, subject or asker.subject)
    return read(ConsolidationPlan, there(id, answer))


def promote_consolidation(
    asker: Asker, id: str, *, wait: float = 0.0, subject: str | None = None, key: str | None = None
) -> Steps[Asked]:
    """Carries out exactly a plan; what has changed since is left."""
    return (yield from _asked(asker, "promote-consolidation", {"id": id}, wait, key, subject))


def revert_consolidation(
    asker: Asker, id: str, *, wait: float = 0.0, subject: str | None = None, key: str | None = None
) -> Steps[Asked]:
    """Takes back all that a consolidation has merged; what was built upon since is left and named in the job's result."""
    return (yield from _asked(asker, "revert-consolidation", {"id": id}, wait, key, subject))


def job(asker: Asker, id: str) -> Steps[Job]:
    """How far a job has come."""
    return read(Job, there(id, (yield from reads(asker, "job", {"id": id}))))


def _asked(
    asker: Asker, operation: str, given: Mapping[str, Any], wait: float, key: str | None, subject: str | None
) -> Steps[Asked]:
    asked = read(Asked, (yield from writes(asker, operation, given, key, subject or asker.subject)))
    return replace(asked, job=(yield from awaited(asker, asked.job, wait)))
