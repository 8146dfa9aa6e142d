"""What the rules would do now: read and computed, never written. The job does what is planned here.

One step for each memory and run: an active one is archived, an archived one retracted, a retracted one erased. The
last two go by age and are off by default, the last one needs `archive.enable_delete` as well.

A run archives at most a share of the active memories, the lowest first: whatever is wrong with a setting, a clock or a
policy, people have days to see it. Expired memories are outside that cap: their end was given with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice

import numpy as np

from graph_memory.base.scope import Scope
from graph_memory.model.memory import Status
from graph_memory.scoring.facts import Known, all_of
from graph_memory.scoring.scores import NO_RULE, RULES, Rule, cap, checked, policy_of, standing
from graph_memory.scoring.settings import ArchiveSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Service

AGED = query("lifecycle/aged")
STATUSES = query("lifecycle/statuses")

# Memories whose scores are computed together.
_AT_ONCE = 1000


class Step(StrEnum):
    """What is done with a memory."""

    ARCHIVE = "ARCHIVE"
    RETRACT = "RETRACT"
    DELETE = "DELETE"


@dataclass(frozen=True)
class Due:
    """A memory that a rule is for, with the scores by which it is."""

    id: str
    caption: str
    step: Step
    rule: Rule
    importance: float
    retention: float | None

    @property
    def reason(self) -> str:
        """Why, in words, for the ledger."""
        kept = "" if self.retention is None else f", retention {self.retention:g}"
        return f"By rule {self.rule.lower()}: importance {self.importance:g}{kept}."


@dataclass(frozen=True)
class Plan:
    """What a run at a moment would do. `left` are those that the cap leaves to later runs."""

    at: datetime
    scanned: int
    due: tuple[Due, ...]
    left: int

    def counts(self) -> dict[str, int]:
        """How many memories each step is for, and why those that would be archived."""
        steps = Counter(each.step.lower() for each in self.due)
        rules = Counter(f"by_{each.rule.lower()}" for each in self.due if each.step is Step.ARCHIVE)
        return {
            "scanned": self.scanned,
            **dict(sorted(steps.items())),
            **dict(sorted(rules.items())),
            "left": self.left,
        }


def plan(service: Service, scope: Scope, at: datetime | None = None) -> Plan:
    """What the rules would do at a moment, now when None."""
    moment, rules = at or service.clock(), service.settings[ArchiveSettings]
    scanned, expired, faded = 0, list[Due](), list[Due]()
    memories = all_of(service, scope)
    while some := list(islice(memories, _AT_ONCE)):
        scanned += len(some)
        for due in due_among(service, some, moment):
            (expired if due.rule is Rule.EXPIRED else faded).append(due)
    most = cap(scanned, rules)
    faded.sort(key=lambda due: (due.importance, due.retention or 0.0, due.id))
    retracted = _aged(service, scope, moment, Step.RETRACT, rules.retract_after_days, most)
    deletes = rules.delete_after_days if rules.enable_delete else 0.0
    deleted = _aged(service, scope, moment, Step.DELETE, deletes, most)
    chosen = (*sorted(expired, key=lambda due: due.id), *faded[:most], *retracted, *deleted)
    return Plan(moment, scanned, chosen, left=len(faded) - min(len(faded), most))


def due_among(service: Service, known: Sequence[Known], at: datetime) -> list[Due]:
    """Which of these active memories a rule would archive at a moment, and which rule."""
    now = checked([each.facts for each in known], at, service.settings)
    found = standing(now, policy_of(service.settings))
    return [
        Due(
            known[place].id,
            known[place].caption,
            Step.ARCHIVE,
            RULES[found.rule[place]],
            float(found.importance[place]),
            float(found.retention[place]),
        )
        for place in np.flatnonzero(found.rule != NO_RULE).tolist()
    ]


def statuses(service: Service, scope: Scope) -> dict[Status, int]:
    """How many memories of a scope have each status."""
    found = {Status(row["status"]): row["memories"] for row in service.read(scope, STATUSES)}
    return {status: found.get(status, 0) for status in Status}


def of_step(due: Iterable[Due], step: Step) -> Sequence[Due]:
    """Those of one step."""
    return [each for each in due if each.step is step]


def _aged(service: Service, scope: Scope, at: datetime, step: Step, days: float, most: int) -> list[Due]:
    if days <= 0:
        return []
    status = Status.ARCHIVED if step is Step.RETRACT else Status.RETRACTED
    before = at - timedelta(days=days)
    rows = service.read(scope, AGED, before=before, status=status.value, limit=most)
    return [
        Due(row["id"], row["caption"], step, Rule.AGE, row["importance"], row["retention"]) for row in rows
    ]
