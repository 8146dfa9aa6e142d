"""The job that finds communities.

Cluster each subject, see which cluster is which community, write what changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import derived_id
from graph_memory.jobs.context import Context
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Transaction
from graph_memory.store.settings import Neo4jSettings
from graph_memory.upkeep.clusters import Cluster, find, library, vectors
from graph_memory.upkeep.community_identity import Matching, match
from graph_memory.upkeep.settings import CommunitiesSettings

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

SUBJECTS = query("consolidation/subjects")
OPEN = query("consolidation/communities_open")
END = query("consolidation/communities_end")
LEAVE = query("consolidation/members_leave")
SAVE = query("consolidation/communities_save")
MARK = query("consolidation/subject_mark")


@dataclass(frozen=True)
class Old:
    """A community as it stands."""

    label: str
    central_id: str
    members: frozenset[str]


def detect(context: Context) -> dict[str, int]:
    """The job: counts of subjects and of what became of communities. What has not changed is not written.

    Raises Unsupported when the server lacks the graph library.
    """
    counts: Counter[str] = Counter(
        subjects=0, unchanged=0, communities=0, born=0, kept=0, grown=0, shrunk=0, split=0, merged=0, died=0
    )
    rows = context.service.read(context.scope, SUBJECTS, **vectors(context.service))
    rules = context.service.settings[CommunitiesSettings].model_dump_json()
    with library(context.service) as gds:
        for done, row in enumerate(rows):
            context.progress(done, len(rows), "cluster")
            mark = hashlib.sha256(f"{row['mark']}/{rules}".encode()).hexdigest()[:16]
            counts["subjects"] += 1
            if row["clustered_as"] == mark:
                counts.update(unchanged=1, communities=row["open"])
            else:
                counts.update(_detect_in(context, gds, row["subject"], row["live"], mark))
    return dict(counts)


def _detect_in(context: Context, gds: GraphDataScience, subject: str, live: int, mark: str) -> Counter[str]:
    rules = context.service.settings[CommunitiesSettings]
    name = f"communities-{context.scope.tenant}-{subject}-{context.run.id}-{context.lease.fence}"
    clusters = find(context.service, gds, context.scope, subject, name) if live >= rules.min_size else []
    old = _open(context, subject)
    matching = match(
        {id: found.members for id, found in old.items()}, [item.members for item in clusters], rules.overlap
    )
    plan = _Plan(context, subject, old, clusters, matching)
    context.write(lambda tx: plan.write(tx, mark), context.service.settings[Neo4jSettings].job_timeout)
    return plan.counts()


def _open(context: Context, subject: str) -> dict[str, Old]:
    rows = context.service.read(context.scope, OPEN, subject=subject, forever=FOREVER)
    return {row["id"]: Old(row["label"], row["central_id"], frozenset(row["members"])) for row in rows}


@dataclass(frozen=True)
class _Plan:
    """What changes in one subject."""

    context: Context
    subject: str
    old: dict[str, Old]
    clusters: Sequence[Cluster]
    matching: Matching

    def write(self, tx: Transaction, mark: str) -> None:
        """Ends, leaves, joins and names; nothing is touched that stays as it was."""
        at = {"now": self.context.service.clock(), "forever": FOREVER}
        if self.matching.ended:
            tx.run(END, ids=list(self.matching.ended), **at)
        if left := self._left():
            tx.run(LEAVE, rows=left, **at)
        if saved := self._saved():
            tx.run(SAVE, subject=self.subject, rows=saved, **at)
        tx.run(MARK, subject=self.subject, mark=mark)

    def counts(self) -> Counter[str]:
        """How many communities there are, and what became of each."""
        kept = [(self.old[id].members, item.members) for item, id in self._pairs() if id]
        return Counter(
            communities=len(self.clusters),
            born=len(self.clusters) - len(kept),
            kept=len(kept),
            grown=sum(len(new) > len(old) for old, new in kept),
            shrunk=sum(len(new) < len(old) for old, new in kept),
            split=self.matching.split,
            merged=self.matching.merged,
            died=len(self.matching.ended),
        )

    def _pairs(self) -> list[tuple[Cluster, str | None]]:
        return list(zip(self.clusters, self.matching.kept, strict=True))

    def _left(self) -> list[Row]:
        return [
            {"memory": member, "community": id}
            for item, id in self._pairs()
            if id
            for member in sorted(self.old[id].members - item.members)
        ]

    def _saved(self) -> list[Row]:
        rows = []
        for item, id in self._pairs():
            before = self.old[id] if id else Old("", "", frozenset())
            if (before.label, before.central_id, before.members) != (
                item.label,
                item.central_id,
                item.members,
            ):
                rows.append(self._row(item, id, before))
        return rows

    def _row(self, item: Cluster, id: str | None, before: Old) -> Row:
        return {
            "id": id or derived_id(self.context.run.id, self.subject, item.central_id),
            "size": len(item.members),
            "label": item.label,
            "central_id": item.central_id,
            "joined": sorted(item.members - before.members),
        }
