"""The job that finds communities.

Cluster each subject that changed, see which cluster is which community, write what changed, and sum up what it is about.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import derived_id
from graph_memory.jobs.context import Context
from graph_memory.model.community import CommunityChange as Is
from graph_memory.models.chat import has_models
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Transaction
from graph_memory.store.settings import Neo4jSettings
from graph_memory.upkeep.clusters import Cluster, find, library, vectors
from graph_memory.upkeep.community_identity import Matching, match
from graph_memory.upkeep.community_names import Topics
from graph_memory.upkeep.settings import CommunitiesSettings
from graph_memory.upkeep.summarising import summarise

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

SUBJECTS = query("consolidation/subjects")
OPEN = query("consolidation/communities_open")
END = query("consolidation/communities_end")
LEAVE = query("consolidation/members_leave")
SAVE = query("consolidation/communities_save")
TELL = query("consolidation/lineage_save")
FORGET = query("consolidation/communities_forget")
TOPICS = query("consolidation/topics")
MARK = query("consolidation/subject_mark")


@dataclass(frozen=True)
class Old:
    """A community as it stands."""

    label: str
    about: tuple[str, ...]
    central_id: str
    members: frozenset[str]


NONE = Old("", (), "", frozenset())
COUNTED = (
    "subjects", "unchanged", "communities", "born", "kept", "grown", "shrunk", "split", "merged", "died",
    "summarised", "extractive", "asked", "postponed", "put_away",
)  # fmt: skip
_MOST_FORGOTTEN = 10_000


def detect(context: Context) -> dict[str, int]:
    """The job: counts of subjects and of what became of communities. What has not changed is not written.

    Raises Unsupported when the server lacks the graph library.
    """
    counts = Counter(dict.fromkeys(COUNTED, 0))
    rows = context.service.read(context.scope, SUBJECTS, **vectors(context.service))
    rules = context.service.settings[CommunitiesSettings]
    told = f"{rules.model_dump_json()}/{has_models(context.service)}"
    with library(context.service) as gds:
        for done, row in enumerate(rows):
            context.progress(done, len(rows), "cluster")
            mark = hashlib.sha256(f"{row['mark']}/{told}".encode()).hexdigest()[:16]
            counts["subjects"] += 1
            if row["clustered_as"] == mark:
                counts.update(unchanged=1, communities=row["open"])
            else:
                counts.update(_renew(context, gds, row, mark, rules.asked - counts["asked"]))
    before = context.at - timedelta(days=rules.keep_ended)
    context.write(lambda tx: tx.run(FORGET, before=before, limit=_MOST_FORGOTTEN))
    return dict(counts)


def _renew(context: Context, gds: GraphDataScience, row: Row, mark: str, asked: int) -> Counter[str]:
    """One subject that changed: its communities, then their summaries. The mark is set last, so that a run that broke
    off, or a language model that did not answer, is made up for by the next one."""
    topics = Topics(context.service.batches(context.scope, TOPICS, subject=row["subject"], forever=FOREVER))
    counts = _detect_in(context, gds, row["subject"], row["live"], topics)
    if row["name"] is not None:
        counts.update(summarise(context, context.scope.of(row["name"]), topics, asked))
    if not counts["postponed"]:
        context.write(lambda tx: tx.run(MARK, subject=row["subject"], mark=mark))
    return counts


def _detect_in(
    context: Context, gds: GraphDataScience, subject: str, live: int, topics: Topics
) -> Counter[str]:
    rules = context.service.settings[CommunitiesSettings]
    name = f"communities-{context.scope.tenant}-{subject}-{context.run.id}-{context.lease.fence}"
    clusters = find(context.service, gds, context.scope, subject, name) if live >= rules.min_size else []
    old = _open(context, subject)
    matching = match(
        {id: found.members for id, found in old.items()}, [item.members for item in clusters], rules.overlap
    )
    plan = _Plan(context, subject, old, clusters, matching, topics)
    context.write(plan.write, context.service.settings[Neo4jSettings].job_timeout)
    return plan.counts()


def _open(context: Context, subject: str) -> dict[str, Old]:
    rows = context.service.batches(context.scope, OPEN, subject=subject, forever=FOREVER)
    return {
        row["id"]: Old(row["label"], tuple(row["about"]), row["central_id"], frozenset(row["members"]))
        for row in rows
    }


@dataclass(frozen=True)
class _Plan:
    """What changes in one subject."""

    context: Context
    subject: str
    old: dict[str, Old]
    clusters: Sequence[Cluster]
    matching: Matching
    topics: Topics

    def write(self, tx: Transaction) -> None:
        """Ends, leaves, joins, names and tells; nothing is touched that stays as it was."""
        at = {"now": self.context.service.clock(), "forever": FOREVER}
        rules = self.context.service.settings[CommunitiesSettings]
        if self.matching.ended:
            tx.run(END, ids=list(self.matching.ended), **at)
        if left := self._left():
            tx.run(LEAVE, rows=left, **at)
        if saved := self._saved():
            tx.run(SAVE, subject=self.subject, rows=saved, **at)
        if events := self._events():
            tx.run(TELL, rows=events, now=at["now"], run_id=self.context.run.id, most=rules.lineage)

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

    def _id(self, place: int) -> str:
        """Of the community that a cluster is: the one it continues, or a new one."""
        kept = self.matching.kept[place]
        return kept or derived_id(self.context.run.id, self.subject, self.clusters[place].central_id)

    def _left(self) -> list[Row]:
        return [
            {"memory": member, "community": id}
            for item, id in self._pairs()
            if id
            for member in sorted(self.old[id].members - item.members)
        ]

    def _saved(self) -> list[Row]:
        rows = []
        for place, (item, id) in enumerate(self._pairs()):
            before = self.old[id] if id else NONE
            name = self.topics.name(item.members, item.label, before.about)
            after = Old(name.label, name.about, item.central_id, item.members)
            if before != after:
                rows.append(
                    {
                        "id": self._id(place),
                        "size": len(item.members),
                        "label": name.label,
                        "about": list(name.about),
                        "central_id": item.central_id,
                        "joined": sorted(item.members - before.members),
                    }
                )
        return rows

    def _events(self) -> list[Row]:
        """What is told of communities whose members are others than before."""
        rows = []
        for place, (item, id) in enumerate(self._pairs()):
            before = self.old[id].members if id else frozenset()
            if item.members == before:
                continue
            if id:
                difference = len(item.members) - len(before)
                kind, start = _change(difference), id
            else:
                source = self.matching.sources[place]
                kind, start = (Is.SPLIT, source) if source else (Is.BORN, self._id(place))
            rows.append(_event(kind, start, self._id(place), item.members, before))
        for id in self.matching.ended:
            members, target = self.old[id].members, self.matching.targets[id]
            if target is None:
                rows.append(_event(Is.DIED, id, id, frozenset(), members))
            else:
                rows.append(_event(Is.MERGED, id, self._id(target), self.clusters[target].members, members))
        return rows


def _change(difference: int) -> Is:
    if difference == 0:
        return Is.EXCHANGED
    return Is.GROWN if difference > 0 else Is.SHRUNK


def _event(kind: Is, start: str, end: str, after: frozenset[str], before: frozenset[str]) -> Row:
    """`before` and `after` are the members of the two ends; a split-off part has none before it."""
    return {
        "kind": kind.value,
        "from": start,
        "to": end,
        "size": len(after),
        "joined": len(after - before),
        "left": len(before - after),
    }
