"""Every job, by name: what it is for, how often it is due, and in which queue it waits. `tasks` binds what it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from graph_memory.base.errors import NotFound
from graph_memory.base.sections import Sections
from graph_memory.jobs.settings import JobsSettings

# Tasks beside the jobs: asking whether a job is due, taking up what was left, looking whether there is something to send.
TICK = "graph_memory.jobs.tick"
RECONCILE = "graph_memory.jobs.reconcile"
# Looks which tenants have changes for their webhooks, and asks for a run of DELIVER in each.
LOOK = "graph_memory.webhooks.look"

# Jobs that other capabilities ask for.
EXTRACT = "graph_memory.understanding.extract"
FILL = "graph_memory.embedding.fill"
QUARANTINE = "graph_memory.quarantine.source"
CONSOLIDATE = "graph_memory.consolidation.merge"
PROMOTE = "graph_memory.consolidation.promote"
REVERT = "graph_memory.consolidation.revert"
DELIVER = "graph_memory.webhooks.deliver"

# Version of the messages in the queues; a worker refuses one that it does not know.
PAYLOAD = 1

Result = Mapping[str, int | float | str]


class Queue(StrEnum):
    """One queue for each class of work, so that a slow one starves no other."""

    INGEST = "ingest"
    JUDGE = "judge"
    GRAPH = "graph"
    MAINTENANCE = "maintenance"


@dataclass(frozen=True)
class Job:
    """One job. What it runs is bound to its name in `tasks`.

    `period` is its name in `jobs.periods`, which says how often it is due; without one a job runs only when
    asked for. `exclusive` jobs have one holder for each tenant, others one for each run. `leaves_changes` keeps its runs that
    changed something, because undo needs them. `forgets`: it rests while forgetting is switched off. `asked_by`: only
    this command can ask for it, since it has to say what for.
    """

    name: str
    purpose: str
    queue: Queue
    period: str | None = None
    exclusive: bool = True
    leaves_changes: bool = True
    forgets: bool = False
    asked_by: str | None = None
    soft_limit: int | None = None

    def seconds(self, settings: Sections) -> int | None:
        """Seconds between two slots; None when it runs only if somebody asks: it has no period, or is switched off."""
        if self.period is None or (self.forgets and not settings[JobsSettings].forgetting):
            return None
        return settings[JobsSettings].periods[self.period] or None


JOBS = (
    Job(
        name="graph_memory.scoring.rescore",
        purpose="computes importance, retention and tier of every active memory anew",
        queue=Queue.MAINTENANCE,
        period="rescore",
        leaves_changes=False,
        forgets=True,
    ),
    Job(
        name="graph_memory.lifecycle.archive",
        purpose="archives by rule what has expired or faded",
        queue=Queue.MAINTENANCE,
        period="archive",
        forgets=True,
    ),
    Job(
        name="graph_memory.lifecycle.restore",
        purpose="brings back what faded away and is used again",
        queue=Queue.MAINTENANCE,
        period="restore",
    ),
    Job(
        name="graph_memory.consolidation.communities",
        purpose="finds communities of memories that say related things, names them and sums them up",
        queue=Queue.GRAPH,
        period="communities",
    ),
    Job(
        name=CONSOLIDATE,
        purpose="merges memories that say the same",
        queue=Queue.GRAPH,
        period="consolidate",
    ),
    Job(
        name=PROMOTE,
        purpose="carries out the plan of a rehearsed consolidation",
        queue=Queue.GRAPH,
        exclusive=False,
        asked_by="graph-memory consolidate promote",
    ),
    Job(
        name=REVERT,
        purpose="takes back all that a consolidation merged",
        queue=Queue.GRAPH,
        exclusive=False,
        asked_by="graph-memory consolidate revert",
    ),
    Job(
        name="graph_memory.memory.reweigh",
        purpose="weighs anew which memories share entities",
        queue=Queue.MAINTENANCE,
        period="reweigh",
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.memory.due",
        purpose="moves what the clock has ended from live to past",
        queue=Queue.MAINTENANCE,
        period="due",
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.memory.compact",
        purpose="empties changes that are past their retention",
        queue=Queue.MAINTENANCE,
        period="compact",
        leaves_changes=False,
    ),
    Job(
        name=EXTRACT,
        purpose="extracts memories from a stored conversation",
        queue=Queue.INGEST,
        exclusive=False,
    ),
    Job(
        name="graph_memory.understanding.sweep",
        purpose="closes segments of conversations that are idle, and has them extracted",
        queue=Queue.INGEST,
        period="sweep",
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.reviews.expire",
        purpose="ends reviews that nobody decided in time or can decide any more, and removes old ones",
        queue=Queue.MAINTENANCE,
        period="expire_reviews",
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.entities.collect",
        purpose="merges entities that are one and long unmentioned, and proposes others",
        queue=Queue.JUDGE,
        period="collect_entities",
    ),
    Job(
        name=QUARANTINE,
        purpose="takes what a source has said out of answers",
        queue=Queue.MAINTENANCE,
        exclusive=False,
        asked_by="graph-memory quarantine",
    ),
    Job(
        name=DELIVER,
        purpose="sends changes to webhooks",
        queue=Queue.MAINTENANCE,
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.batches.poll_extraction",
        purpose="asks how batches of extraction stand, and applies what was answered",
        queue=Queue.JUDGE,
        period="poll_extraction",
    ),
    Job(
        name="graph_memory.batches.poll_relationships",
        purpose="asks how batches of relationships and all others stand, and applies what was answered",
        queue=Queue.JUDGE,
        period="poll_relationships",
    ),
    Job(
        name="graph_memory.batches.retry",
        purpose="puts failed and expired batches back in line for what has no answer",
        queue=Queue.MAINTENANCE,
        period="retry_batches",
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.batches.purge",
        purpose="removes batches that ended some time ago",
        queue=Queue.MAINTENANCE,
        period="purge_batches",
        leaves_changes=False,
    ),
    Job(
        name=FILL,
        purpose="embeds what was said or stored while the embedder failed, which it judges then; reads claims that were not",
        queue=Queue.INGEST,
        period="fill",
    ),
    Job(
        name="graph_memory.jobs.tidy",
        purpose="removes runs that nobody will ask for again",
        queue=Queue.MAINTENANCE,
        period="tidy",
        leaves_changes=False,
    ),
    Job(
        name="graph_memory.verify.nightly",
        purpose="checks that every invariant of the store holds",
        queue=Queue.MAINTENANCE,
        period="verify",
        leaves_changes=False,
    ),
)


def job(name: str) -> Job:
    """The job of that name, or of that last word when only one has it; NotFound says where they are listed."""
    found = [item for item in JOBS if name in (item.name, item.name.rpartition(".")[2])]
    if len(found) != 1:
        raise NotFound(
            f"There is no job {name[:60]!r}; `graph-memory jobs` lists those there are.", path="job"
        )
    return found[0]


def planned() -> list[Job]:
    """The jobs that the clock makes due, also those that are switched off."""
    return [item for item in JOBS if item.period is not None]
