"""What each command answers with `--json`, as types: the JSON Schema in docs/reference is made of them.

Most are the dataclasses of the domain as they are. A shape that only the command line has stands here; one that is
open has more than its fields, as the counts of a run do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, make_dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal, get_type_hints

from graph_memory.curation.review_records import Agreement
from graph_memory.curation.settlement import Settled
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.sessions import Session
from graph_memory.ingest.submission import Submitted
from graph_memory.jobs import overview
from graph_memory.jobs.runs import Run
from graph_memory.ledger.activity import Activity
from graph_memory.local.backup import Copy
from graph_memory.local.findings import Finding
from graph_memory.local.report import Report
from graph_memory.local.rewriting import Rewritten
from graph_memory.memory import entity_reading
from graph_memory.memory.attribute_reading import Stated
from graph_memory.memory.causes import Cause, Quarantined
from graph_memory.memory.community_reading import Community, CommunitySummary, Event
from graph_memory.memory.differences import Differences, Steps
from graph_memory.memory.erasure import Certificate
from graph_memory.memory.links import Linked, Statistics
from graph_memory.memory.merge import Merged
from graph_memory.memory.reading import Link, State
from graph_memory.memory.retirement import Retirement
from graph_memory.memory.supersession import Superseded
from graph_memory.memory.traversal import Neighbour, Path
from graph_memory.memory.undo import Undone
from graph_memory.model import memory as model
from graph_memory.model.batch import Batch
from graph_memory.model.change import Operation
from graph_memory.model.planned_merge import PlanStatus
from graph_memory.model.review import Review
from graph_memory.model.run import Status
from graph_memory.model.webhook import Webhook
from graph_memory.models.profiles import Profile
from graph_memory.models.registry import Standing
from graph_memory.models.spaces import Model, Stage
from graph_memory.models.spending import CapState, Spend
from graph_memory.recall.hits import Hit, PassageHit, Predecessor, Why
from graph_memory.recall.hubs import Hub
from graph_memory.recall.packs import Pack
from graph_memory.recall.reasoned import Answer
from graph_memory.recall.surfacing import Mind
from graph_memory.scoring.forecast import Forecast
from graph_memory.scoring.scores import Explained, Tier
from graph_memory.scoring.tier_moves import Move
from graph_memory.store.api_keys import ApiKey
from graph_memory.store.subjects import Subject
from graph_memory.transfer.restore import Restored
from graph_memory.upkeep.entity_collection import Proposal
from graph_memory.upkeep.merge_plans import Extent
from graph_memory.upkeep.planning import Due
from graph_memory.verify import Report as Verified

Memory = model.Memory


class Open:
    """A shape that has more than its fields."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "allow"}


def also(name: str, kind: type[Any], without: tuple[str, ...] = (), /, **more: Any) -> type[Any]:
    """A shape with the fields of another, but for some, and more."""
    hints = get_type_hints(kind, include_extras=True)
    kept = {each.name: hints[each.name] for each in fields(kind) if each.name not in without}
    return make_dataclass(name, list({**kept, **more}.items()), namespace={"__doc__": kind.__doc__})


def written(kind: type[Any]) -> type[Any]:
    """What a command that writes answers: also whether it is the answer of an earlier call with the same key."""
    return also(f"{kind.__name__}Written", kind, replayed=bool)


def changed(kind: type[Any]) -> type[Any]:
    """The same of a command that changes memories: also the numbers of its changes, which `undo` takes."""
    return also(f"{kind.__name__}Changed", kind, changes=list[int], replayed=bool)


def page(kind: type[Any]) -> type[Any]:
    """One page of a list, with the cursor after which the next one begins."""
    parts: list[tuple[str, Any]] = [("items", many(kind)), ("next", str | None)]
    return make_dataclass(f"PageOf{kind.__name__}", parts, namespace={"__doc__": page.__doc__})


def many(kind: Any) -> Any:
    """A list of that."""
    return list[kind]


@dataclass
class Text:
    """What is said, by its id."""

    id: str
    text: str


@dataclass
class Member:
    """A memory of a planned merge; its text is null when it was erased since."""

    id: str
    text: str | None


@dataclass
class Moved:
    """A memory after a move."""

    id: str
    status: model.Status
    trust: model.Trust
    text: str


@dataclass
class AllMoved:
    """The memories that were moved."""

    memories: list[Moved]
    changes: list[int]
    replayed: bool


@dataclass
class StillThere:
    """Whether texts are gone, and those that a memory says."""

    is_gone: bool
    found: list[str]


@dataclass
class Entity:
    """Somebody or something that memories mention; `alias_of` is who the name means now."""

    id: str
    name: str
    type: str
    key: str
    discriminator: str
    aliases: list[str] | None
    alias_of: str | None
    link_count: int
    first_seen: datetime
    last_seen: datetime


@dataclass
class Attribute:
    """What is stated of an entity by one name."""

    name: str
    current: list[Stated]
    history: list[Stated]


@dataclass
class EntityEdited:
    """The entity, how many memories the edit touched, and the changes that carry it."""

    id: str
    memories: int
    changes: list[int]
    replayed: bool


@dataclass
class LedgerChange(Open):
    """A decision of the ledger. `before`, `after` and `effects` are null once compaction or erasure has emptied them."""

    id: str
    sequence: int
    place: int | None
    at: datetime
    operation: Operation
    classification: str | None
    confidence: float | None
    subject_id: str
    targets: list[str]
    sources: list[str]
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    effects: dict[str, Any] | None
    reason: str
    actor: str
    session_id: str | None
    run_id: str | None
    request_id: str
    undone_by: str | None


@dataclass
class Reached:
    """Memories that were reached over links, nearest first, and whether there are more."""

    items: list[Neighbour | Cause]
    truncated: bool


@dataclass
class Unlinked:
    """The link that was ended."""

    id: str


@dataclass
class Ended:
    """What was ended or removed."""

    id: str
    replayed: bool


@dataclass
class RunTold(Open):
    """How a run ended, with its counts."""

    run: str
    status: Status


@dataclass
class Promoted(RunTold):
    """A plan that was carried out, and why some of it was left as it is."""

    why_left: list[str]


@dataclass
class Group:
    """Memories that would become one."""

    text: str
    members: list[Member]
    reason: str
    confidence: float
    provider: str
    statements: list[str]
    links: int
    status: PlanStatus
    product: str | None
    fault: str | None


@dataclass
class Planned(Open):
    """A rehearsal, with its counts and some of its groups."""

    plan: str
    extents: list[Extent]
    groups: list[Group]


@dataclass
class SourceQuarantined(RunTold):
    """The run that took what a source has said out of answers, with its counts."""

    replayed: bool


@dataclass
class Suspected:
    """A memory that would be taken out of answers, whose it is, and the truth of which it is a version."""

    subject: str
    id: str
    chain: str


@dataclass
class Matching:
    """All that would be taken out of answers."""

    memories: list[Suspected]


@dataclass
class Outcomes:
    """What became of each line, and how many lines each thing became of."""

    counts: dict[str, int]
    run: str | None
    statements: list[written(Outcome)]  # type: ignore[valid-type]


@dataclass
class JobBrief:
    """How a job stands in a tenant; times are in seconds."""

    tenant: str
    job: str
    state: overview.State
    succeeded_at: datetime | None
    due_at: datetime | None
    lag: float


@dataclass
class JobStanding:
    """How a job stands in one tenant; times are in seconds, `run` is its latest."""

    job: str
    state: overview.State
    succeeded_at: datetime | None
    due_at: datetime | None
    lag: float
    period: float | None
    failures: int
    run: str | None
    error: str | None


@dataclass
class JobSummary:
    """In how many tenants a job stands how; times are in seconds."""

    job: str
    period: float | None
    states: dict[overview.State, int]
    succeeded_at: datetime | None
    lag: float


@dataclass
class Examined:
    """What was checked."""

    healthy: bool
    findings: list[Finding]


@dataclass
class FilesChecked:
    """What Neo4j says of its own files; null where all is well."""

    violations: dict[str, int]
    report: str | None


@dataclass
class Embedding:
    """The model of the settings and of the store, and how many states wait for a vector."""

    settings: Model
    store: Model | None
    next: Model | None
    stage: Stage | None
    waiting: int
    profile: Profile


@dataclass
class Lifecycle:
    """What the rules of archiving would do, and how many memories there are of each status."""

    at: datetime
    counts: dict[str, int]
    due: list[Due]
    statuses: dict[model.Status, int]


@dataclass
class Keys:
    """API keys."""

    keys: list[ApiKey]


@dataclass
class Providers:
    """The providers of language models; `answer` is null where none was asked for."""

    providers: list[also("Provider", Standing, answer=str | None)]  # type: ignore[valid-type]


@dataclass
class Webhooks:
    """All of an account."""

    items: list[Webhook]


@dataclass
class Aside:
    """Where the store so far was put; null where there was none."""

    aside: str | None


@dataclass
class HookOutput:
    """What is added to an agent's context."""

    hookEventName: Literal["SessionStart"]  # noqa: N815
    additionalContext: str  # noqa: N815


@dataclass
class SessionStart:
    """What an agent's start hook answers, with `--session-start`."""

    hookSpecificOutput: HookOutput  # noqa: N815


# Texts are null of what was erased since.
ReviewListed = also(
    "ReviewListed",
    Review,
    subject=str,
    memory_text=str | None,
    target_text=str | None,
)
Decided = changed(Review)
Found = also(
    "Found",
    Memory,
    score=float,
    similarity=float | None,
    age_days=int,
    why=Why,
    predecessors=list[Predecessor],
)
Summarised = also("Summary", CommunitySummary, is_extractive=bool)
Source = also("AnswerSource", Hit, ("seen",))
AnyRun = also("Run", Run, ("lease",), tenant=str)
BatchTold = also("Batch", Batch, waiting=int)
CommunityTold = also("Community", Community, summary=Summarised | None, lineage=list[Event])
EntityFound = also(
    "EntityFound",
    Entity,
    memories=list[Text],
    has_more_memories=bool,
    relations=list[entity_reading.Relation],
)


@dataclass
class FoundWithSummaries:
    """With `--summaries`: also the communities whose summary is near."""

    hits: list[Found | PassageHit]  # type: ignore[valid-type]
    summaries: list[CommunitySummary]


@dataclass
class Imported(Open):
    """A conversation that was brought in, with the counts of its extraction."""

    subject: str
    run_id: str
    segments: int
    messages: int
    replayed: bool
    status: Status
    error: str | None


@dataclass
class ClosedTold(Imported):
    """A segment that was closed, with the counts of its extraction."""

    segment_id: str


# What a benchmark measures is its own.
Figures = dict[str, Any]
BENCHES = frozenset(
    {
        *("api", "chain", "claims", "clear", "communities", "consolidate", "conversations", "decay"),
        *("extraction", "judge", "links", "questions", "recall", "remember", "statements", "store"),
        *("stories", "temporal", "time", "transfer", "worth"),
    }
)

ANSWERS: Mapping[str, Any] = {
    "archive": AllMoved,
    "ask": also("Answer", Answer, sources=many(Source)),
    "backup": Copy,
    "batches": page(BatchTold),
    "batches cancel": written(BatchTold),
    "batches retry": written(BatchTold),
    **{f"bench {name}": Figures for name in BENCHES},
    "causes": Reached,
    "changes": list[LedgerChange],
    "close": ClosedTold,
    "communities": page(CommunityTold),
    "communities show": also("CommunityShown", CommunityTold, members=list[Text]),
    "confirm": AllMoved,
    "consequences": Reached,
    "consolidate": Planned | RunTold,
    "consolidate plan": Planned,
    "consolidate promote": Promoted,
    "consolidate revert": RunTold,
    "decay": list[Forecast] | Explained,
    "diff": Differences,
    "doctor": Examined,
    "edges": list[Link] | Statistics,
    "embedder show": Embedding,
    "entities delete": EntityEdited,
    "entities list": page(Entity),
    "entities merge": also("EntitiesMerged", EntityEdited, merged=str),
    "entities proposals": list[Proposal],
    "entities rename": EntityEdited,
    "entities show": EntityFound,
    "entities split": also("EntitySplit", EntityEdited, split=str),
    "entity": many(also("EntityStated", Entity, attributes=list[Attribute])),
    "expire": changed(Memory),
    "forget": written(Certificate) | list[Memory] | StillThere,
    "graph": Reached,
    "history": list[State],
    "hubs": many(also("Hub", Hub, share=float)),
    "impact": Reached,
    "import": list[Imported],
    "jobs": list[JobSummary | JobStanding | JobBrief],
    "jobs runs": many(AnyRun),
    "jobs show": AnyRun,
    "keys create": also("KeyCreated", ApiKey, key=str),
    "keys list": Keys,
    "lifecycle": Lifecycle,
    "link": changed(Linked),
    "load": Restored,
    "memories": page(Memory),
    "merge": changed(Merged),
    "pack": Pack | SessionStart,
    "path": Path,
    "providers": Providers,
    "quarantine": changed(Quarantined) | SourceQuarantined | Reached | Matching,
    "recall": many(Found | PassageHit) | FoundWithSummaries,
    "remember": also("Remembered", Outcome, changes=list[int], replayed=bool) | Outcomes,
    "restore": AllMoved,
    "restore-store": Aside,
    "retract": AllMoved,
    "revert": written(Undone),
    "review agreement": many(also("Agreement", Agreement, rate=float | None)),
    "review approve": Decided | many(Decided),
    "review list": page(ReviewListed),
    "review reject": Decided | many(Decided),
    "review show": also("ReviewShown", Review, memory=Memory | None, target=Memory | None),
    "revise": changed(Memory),
    "rewrite-store": Rewritten,
    "sessions": page(also("Session", Session, ("mark",))),
    "settle": Settled,
    "show": also("MemoryShown", Memory, entities=list[Entity], links=list[Link]),
    "spend": also("Spending", CapState, entries=list[Spend]),
    "status": Report | also("VerboseReport", Report, numbers=dict[str, dict[str, float]]),
    "subject": Activity,
    "subjects": page(Subject),
    "submit": Submitted,
    "supersede": changed(Superseded),
    "surface": Mind,
    "tiers": dict[Tier, int] | list[Move],
    "timeline": Steps,
    "undo": written(Undone),
    "unlink": changed(Unlinked),
    "verify": Verified | FilesChecked,
    "webhooks add": also("WebhookAdded", Webhook, secret=str, replayed=bool),
    "webhooks list": Webhooks,
    "webhooks remove": Ended,
    "webhooks resume": written(Webhook),
    "why": Retirement,
}
