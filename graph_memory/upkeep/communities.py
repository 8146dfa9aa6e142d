"""The job that finds communities.

Cluster each subject that changed, see which cluster is which community, write what changed, and sum up what it is about.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import Unsupported
from graph_memory.base.ids import derived_id
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.model.community import CommunityChange as Is
from graph_memory.models.chat import has_models
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction
from graph_memory.store.settings import Neo4jSettings
from graph_memory.upkeep.clusters import NEIGHBOURS, Cluster, find, library, vectors
from graph_memory.upkeep.community_identity import Matching, match
from graph_memory.upkeep.community_names import Name, Topics
from graph_memory.upkeep.community_placement import Changed, Known, Near, place_changed, touched
from graph_memory.upkeep.settings import CommunitiesSettings
from graph_memory.upkeep.summarising import summarise

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

# Share of common members, of all of both, from which a cluster is the community of before.
_OVERLAP = 0.3
# Events of a community that are kept, the newest; when it was born stays anyway.
_MOST_EVENTS = 50
# For so long is a community kept that has ended.
_KEPT = timedelta(days=180)
SUBJECTS = query("consolidation/subjects")
OPEN = query("consolidation/communities_open")
END = query("consolidation/communities_end")
LEAVE = query("consolidation/members_leave")
SAVE = query("consolidation/communities_save")
TELL = query("consolidation/lineage_save")
FORGET = query("consolidation/communities_forget")
TOPICS = query("consolidation/topics")
SAMPLE = query("consolidation/topics_sample")
CHANGED = query("consolidation/changed_members")
_NEIGHBOURS_OF = query("consolidation/neighbours")
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
    "placed", "summarised", "extractive", "asked", "postponed", "put_away",
)  # fmt: skip
_MOST_FORGOTTEN = 10_000
_LONGEST_REASON = 200
_PLACED_AT_ONCE = 200
# Communities whose central member tells how rare a word is, where not all of a subject is read. Ids are random, so the
# first of them are any.
_MOST_SAMPLED = 1000
# The index rounds, so more are fetched than are wanted.
_OVERFETCH = 3


def detect(context: Context) -> Result:
    """The job: counts of subjects and of what became of communities. What has not changed is not written.

    Where the graph library is missing, or cannot cluster a subject, that is left as it is; `skipped` tells why, and the next
    run tries again.
    """
    counts = Counter(dict.fromkeys(COUNTED, 0))
    skipped: Result = {}
    try:
        with library(context.service) as gds:
            skipped = _renew_all(context, gds, counts)
    except Unsupported as reason:
        skipped = {"skipped": reason.message[:_LONGEST_REASON]}
    before = context.at - _KEPT
    context.write(lambda tx: tx.run(FORGET, before=before, limit=_MOST_FORGOTTEN))
    return {**counts, **skipped}


def _renew_all(context: Context, gds: GraphDataScience, counts: Counter[str]) -> Result:
    """Every subject that changed; what there is to say of those that could not be clustered."""
    rows = context.service.read(context.scope, SUBJECTS, **vectors(context.service))
    rules = context.service.settings[CommunitiesSettings]
    by = _digest(f"{rules.model_dump_json()}/{_models(context.service)}/{has_models(context.service)}")
    skipped: Result = {}
    for done, row in enumerate(rows):
        context.progress(done, len(rows), "cluster")
        mark = _digest(f"{row['mark']}/{by}")
        counts["subjects"] += 1
        if row["clustered_as"] == mark:
            counts.update(unchanged=1, communities=row["open"])
            continue
        try:
            counts.update(_renew(context, gds, row, _Mark(mark, by), rules.asked - counts["asked"]))
        except Unsupported as reason:
            counts["communities"] += row["open"]
            skipped = {"skipped": reason.message[:_LONGEST_REASON]}
    return skipped


@dataclass(frozen=True)
class _Mark:
    """What a subject is marked with: `state` moves with its memories, `rules` with the settings and the models."""

    state: str
    rules: str


def _renew(context: Context, gds: GraphDataScience, row: Row, mark: _Mark, asked: int) -> Counter[str]:
    """One subject that changed: its communities, then their summaries. The mark is set last, so that a run that broke
    off, or a language model that did not answer, is made up for by the next one."""
    subject = row["subject"]
    moved = _moved(context, row, mark)
    if moved is None:
        found, drift = _whole(context, gds, row), 0
    else:
        found, drift = _part(context, subject, moved), row["drift"] + len(moved)
    old, clusters, topics = found.old, found.clusters, found.topics
    matching = match(
        {id: found.members for id, found in old.items()}, [item.members for item in clusters], _OVERLAP
    )
    plan = _Plan(context, subject, old, clusters, matching, topics, is_part=moved is not None)
    context.write(plan.write, context.service.settings[Neo4jSettings].job_timeout)
    counts = plan.counts()
    counts["placed"] = 0 if moved is None else len(moved)
    # Those that were not touched stand as they did.
    counts["communities"] += row["open"] - len(old) if moved is not None else 0
    if row["name"] is not None:
        ids = None if moved is None else plan.ids()
        counts.update(summarise(context, context.scope.of(row["name"]), topics, asked, ids))
    if not counts["postponed"]:
        marks = {"mark": mark.state, "rules": mark.rules, "newest": row["newest"], "drift": drift}
        context.write(lambda tx: tx.run(MARK, subject=subject, **marks))
    return counts


@dataclass(frozen=True)
class _Found:
    """Communities as they were and what they are now: all of a subject, or those that a change touches."""

    old: dict[str, Old]
    clusters: list[Cluster]
    topics: Topics


def _whole(context: Context, gds: GraphDataScience, row: Row) -> _Found:
    values = {"subject": row["subject"], "forever": FOREVER}
    topics = Topics(context.service.batches(context.scope, TOPICS, **values))
    return _Found(_open(context, row["subject"]), _clusters(context, gds, row), topics)


def _clusters(context: Context, gds: GraphDataScience, row: Row) -> list[Cluster]:
    if row["live"] < context.service.settings[CommunitiesSettings].min_size:
        return []
    subject, lease = row["subject"], context.lease
    name = f"communities-{context.scope.tenant}-{subject}-{context.run.id}-{lease.fence}"
    return find(context.service, gds, context.scope, subject, name)


def _moved(context: Context, row: Row, mark: _Mark) -> list[Row] | None:
    """What changed since all of a large subject was clustered; None where all of it is to be clustered again: it is small,
    the rules are others, or much has changed."""
    rules = context.service.settings[CommunitiesSettings]
    is_steady = row["clustered_by"] == mark.rules and not vectors(context.service)["uses_next"]
    if row["live"] < rules.whole_below or not is_steady or row["clustered_to"] is None:
        return None
    rows = context.service.batches(
        context.scope, CHANGED, subject=row["subject"], since=row["clustered_to"], forever=FOREVER
    )
    return rows if row["drift"] + len(rows) <= rules.drift * row["live"] else None


def _part(context: Context, subject: str, moved: Sequence[Row]) -> _Found:
    """What changed is given its place; of the rest only what names and joins it is read."""
    rules = context.service.settings[CommunitiesSettings]
    wanted, changed = sorted(row["id"] for row in moved if not row["gone"]), list[Changed]()
    for start in range(0, len(wanted), _PLACED_AT_ONCE):
        context.progress(start, len(wanted), "place")
        rows = context.service.batches(
            context.scope,
            _NEIGHBOURS_OF,
            subject=subject,
            ids=wanted[start : start + _PLACED_AT_ONCE],
            fetch=_OVERFETCH * NEIGHBOURS,
            most=NEIGHBOURS,
            min_cosine=rules.similarity,
            forever=FOREVER,
        )
        changed += [
            Changed(row["id"], row["caption"] or "", tuple(Near(**each) for each in row["near"]))
            for row in rows
        ]
    old = _open(context, subject, touched(changed, (row["community"] for row in moved if row["community"])))
    known = {id: Known(each.members, each.central_id, each.label) for id, each in old.items()}
    clusters = place_changed(known, changed, {row["id"] for row in moved if row["gone"]}, rules.min_size)
    named = [each.members for each in old.values() if each.about]
    members = sorted(
        {id for each in clusters if not any(each.members & of for of in named) for id in each.members}
    )
    values = {"subject": subject, "ids": members, "most": _MOST_SAMPLED, "forever": FOREVER}
    return _Found(old, clusters, Topics(context.service.batches(context.scope, SAMPLE, **values)))


def _models(service: Service) -> str:
    """Of which model the vectors are; while that is being changed, no neighbourhood is like that of before."""
    return str(sorted(vectors(service).items(), key=str))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _open(context: Context, subject: str, ids: Iterable[str] | None = None) -> dict[str, Old]:
    some = None if ids is None else sorted(ids)
    rows = context.service.batches(context.scope, OPEN, subject=subject, ids=some, forever=FOREVER)
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
    is_part: bool

    def write(self, tx: Transaction) -> None:
        """Ends, leaves, joins, names and tells; nothing is touched that stays as it was."""
        at = {"now": self.context.service.clock(), "forever": FOREVER}
        if self.matching.ended:
            tx.run(END, ids=list(self.matching.ended), **at)
        if left := self._left():
            tx.run(LEAVE, rows=left, **at)
        if saved := self._saved():
            tx.run(SAVE, subject=self.subject, rows=saved, **at)
        if events := self._events():
            tx.run(TELL, rows=events, now=at["now"], run_id=self.context.run.id, most=_MOST_EVENTS)

    def ids(self) -> list[str]:
        """The communities that there are now."""
        return [self._id(place) for place in range(len(self.clusters))]

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
            name = self._name(item, before)
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

    def _name(self, item: Cluster, before: Old) -> Name:
        """Where only a part of the subject was read, too little is known to name again what has a name."""
        if self.is_part and before.about:
            return Name(before.label, before.about)
        return self.topics.name(item.members, item.label, before.about)

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
