"""What the service answers, as frozen dataclasses: the fields of the operations in `graphql/operations`, in Python's spelling.

Enums are texts of a Literal, times are datetimes in UTC. A test holds all of it equal to the schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from graph_memory.client import other_forms

if TYPE_CHECKING:
    from networkx import MultiDiGraph
    from pandas import DataFrame

T = TypeVar("T")

AddOutcome = Literal["ADDED", "DUPLICATE", "ERASED"]
ChangeOperation = Literal[
    "ADD", "ARCHIVE", "DELETE", "ERASE", "LINK", "MERGE", "NOOP", "RESTORE", "SUPERSEDE", "UNDO", "UNLINK", "UPDATE"
]  # fmt: skip
Comparison = Literal["CONTAINS", "EQ", "EXISTS", "GT", "GTE", "IN", "LT", "LTE", "NE"]
ConsolidationGroupStatus = Literal["DONE", "LEFT", "PLANNED"]
ConsolidationStrategy = Literal["AGGLOMERATIVE", "GDS_LEIDEN", "HUB_KNN"]
JobState = Literal["CANCELLED", "DONE", "FAILED", "PENDING", "RUNNING"]
JudgedAction = Literal["COEXIST", "DUPLICATE", "MERGE", "SUPERSEDE"]
LinkDirection = Literal["BOTH", "IN", "OUT"]
LinkKind = Literal[
    "CAUSES", "CONFLICTS", "CONSOLIDATES", "CONTRADICTS", "DERIVED_FROM", "ENABLES", "EXPANDS", "FOLLOWS", "INSTANCE_OF",
    "INVALIDATED_BY", "MERGED_INTO", "MOTIVATED_BY", "REFERENCES", "RELATED", "RELATED_TO", "SEQUENTIAL", "SHARES_ENTITY",
    "SIMILAR", "SUPERSEDES", "SUPPORTS", "WAS_CONTEXT_FOR",
]  # fmt: skip
LinkOutcome = Literal["EXISTS", "LINKED"]
MemoryStatus = Literal["ACTIVE", "ARCHIVED", "MERGED", "RETRACTED"]
RememberState = Literal[
    "ADDING", "ANALYZING", "ARCHIVING", "COEXIST", "COMMITTED", "DUPLICATE", "MERGE", "MERGING", "NO_MATCH", "PENDING",
    "SEARCHING", "SKIPPED", "SUPERSEDE", "UPDATING",
]  # fmt: skip
Polarity = Literal["AFFIRMED", "DENIED"]
PackReason = Literal["BUDGET", "CONFIDENCE", "LIMIT", "STALE", "SUSPICIOUS"]
RecallMode = Literal["DEEP", "EXHAUSTIVE", "REFLEXIVE", "STANDARD"]
RememberMode = Literal["DECIDE", "OBSERVE"]
CommunityChange = Literal["BORN", "GROWN", "SHRUNK", "EXCHANGED", "SPLIT", "MERGED", "DIED"]
ReviewStatus = Literal["APPROVED", "EDITED", "EXPIRED", "PENDING", "REJECTED"]
Right = Literal["ADMIN", "ERASE", "READ", "WRITE"]
SegmentStatus = Literal["EXTRACTED", "OPEN", "PENDING"]
SourceKind = Literal["AGENT", "IMPORT", "TOOL", "USER", "WEB"]
Tier = Literal["ARCHIVED", "COLD", "HOT", "WARM"]
Trust = Literal["AGENT", "IMPORT", "PERSON", "UNVERIFIED"]
ValueKind = Literal["MONEY", "NAME", "QUANTITY", "TEXT", "TIME"]
WebhookStatus = Literal["ACTIVE", "ASIDE"]


class Listed:
    """What can be gone through, and is printed as each of it says, on a line of its own."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(str(each) for each in self) or getattr(self, "note", None) or "Nothing is there."


@dataclass(frozen=True)
class Source:
    """Where a statement comes from."""

    kind: SourceKind
    ref: str | None
    author: str | None


@dataclass(frozen=True)
class Entity:
    """Who or what a memory mentions."""

    name: str
    type: str


@dataclass(frozen=True)
class MemoryText:
    """A memory by what it says."""

    id: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class StatedValue:
    """A value as a memory states it, and when it holds. `unit` is what an amount counts."""

    value: str
    value_kind: ValueKind
    unit: str | None
    polarity: Polarity
    valid_from: datetime
    valid_to: datetime | None
    memory: MemoryText | None

    def __str__(self) -> str:
        stated = " ".join(each for each in (self.value, self.unit) if each)
        return stated if self.polarity == "AFFIRMED" else f"not {stated}"


@dataclass(frozen=True)
class Attribute:
    """One attribute of an entity: what is so, and what is and was so, latest first, at most five of each."""

    name: str
    current: tuple[StatedValue, ...]
    history: tuple[StatedValue, ...]

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(map(str, self.current)) or 'no longer told'}"


@dataclass(frozen=True)
class EntityAttributes:
    """What is stated of an entity."""

    id: str
    uuid: str
    name: str
    type: str
    attributes: tuple[Attribute, ...]

    def __str__(self) -> str:
        return "\n".join([self.name, *(f"  {each}" for each in self.attributes)])


@dataclass(frozen=True)
class Memory:
    """One statement, as it was at the moment that was asked for. `valid_to` is None while it holds."""

    id: str
    uuid: str
    text: str
    kind: str
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    metadata: Mapping[str, Any]
    status: MemoryStatus
    trust: Trust
    confidence: float
    importance: float
    valid_from: datetime
    valid_to: datetime | None
    recorded_from: datetime
    recorded_to: datetime | None
    is_revision: bool
    created_at: datetime
    source: Source
    entities: tuple[Entity, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Linked:
    """One end of a link."""

    id: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Retirement:
    """Why a memory is no longer current, in words and in parts."""

    is_retired: bool
    explanation: str
    reason: str | None
    at: datetime | None
    actor: str | None
    change_sequence: int | None
    by: Linked | None

    def __str__(self) -> str:
        return self.explanation


@dataclass(frozen=True)
class Link:
    """What one memory is to another, read from `from_` to `to`; an end is None when it is not shown to you."""

    uuid: str
    kind: LinkKind
    strength: float
    confidence: float
    reason: str
    created_at: datetime
    created_by: str
    from_: Linked | None
    to: Linked | None

    def __str__(self) -> str:
        return f"{self.from_ or '(not shown)'} {self.kind} {self.to or '(not shown)'}"


@dataclass(frozen=True)
class MemoryWithLinks(Memory):
    """A memory and what it is linked to."""

    links: tuple[Link, ...]


@dataclass(frozen=True)
class Outcome:
    """What was done with a statement, and why."""

    operation: ChangeOperation
    classification: JudgedAction | None
    confidence: float | None
    reason: str
    text: str | None
    provider: str | None
    proposed: JudgedAction | None
    trace: tuple[RememberState, ...]


@dataclass(frozen=True)
class Considered:
    """A known memory that the statement was compared with."""

    similarity: float
    action: JudgedAction | None
    confidence: float | None
    link: LinkKind | None
    link_from_memory: bool
    hindrance: str | None
    memory: Linked | None


@dataclass(frozen=True)
class Proposed:
    """What waits for a person because of a statement."""

    id: str
    action: JudgedAction
    hindrance: str
    is_held: bool


@dataclass(frozen=True)
class Remembered:
    """The answer of `remember`: what was done, the memory that holds the statement, and the known one it concerned."""

    outcome: Outcome
    memory: Memory | None
    target: Memory | None
    candidates: tuple[Considered, ...]
    review: Proposed | None
    replayed: bool

    def __str__(self) -> str:
        return f"{self.outcome.operation}: {self.memory or self.target or self.outcome.reason}"


@dataclass(frozen=True)
class Why:
    """At which place each arm of a search found a memory; None where it did not."""

    vector_rank: int | None
    text_rank: int | None


@dataclass(frozen=True)
class Former:
    """What was true before a memory that was found."""

    id: str
    text: str
    until: datetime
    reason: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Hit:
    """A memory that was found. `score` tells how likely it is one that was asked for, 0 to 1, comparable between questions."""

    memory: Memory
    score: float
    age_days: int
    why: Why
    predecessors: tuple[Former, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Place:
    """Where a page ends, and whether there is more."""

    has_next_page: bool
    end_cursor: str | None


@dataclass(frozen=True)
class Interpreted:
    """The moment at which a question was answered, and its words for it."""

    as_of: datetime
    phrase: str


@dataclass(frozen=True)
class Found(Listed):
    """What a search found, best first: `for hit in found`.

    `total_count` counts what scored enough, of all pages; `interpreted` tells which past moment the question asks for.
    """

    hits: tuple[Hit, ...]
    is_complete: bool
    note: str | None
    total_count: int
    page_info: Place
    interpreted: Interpreted | None

    @property
    def end_cursor(self) -> str | None:
        """For `after`, to have the next page; None where there is none."""
        return self.page_info.end_cursor

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def to_pandas(self) -> DataFrame:
        """A row for each hit, with the fields of its memory. Needs the extra `pandas`."""
        return other_forms.frame(self.hits)


@dataclass(frozen=True)
class TimeResolution:
    """Words for a time in a memory, and what they come to as that memory was said."""

    original_text: str
    memory: str
    said_at: datetime
    resolved: str
    confidence: float


@dataclass(frozen=True)
class AnswerSource:
    """A memory that was looked at for an answer, and whether the answer rests on it."""

    memory: Memory
    score: float
    is_used: bool

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Answer:
    """The answer to a question, None where nothing that is stored proves one, and the memories it was looked for in.

    `model` is the language model that told it, None where it was read from what is stored.
    """

    answer: str | None
    confidence: float
    reasoning: str
    resolutions: tuple[TimeResolution, ...]
    sources: tuple[AnswerSource, ...]
    requires_inference: bool
    model: str | None
    note: str | None
    interpreted: Interpreted | None

    def __str__(self) -> str:
        return self.answer or self.note or "No answer is proved."


@dataclass(frozen=True)
class Taken:
    """A memory that was taken from what was said."""

    uuid: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Passage:
    """What somebody said at one time, as it was said."""

    uuid: str
    text: str
    speaker: str
    at: datetime
    role: str | None
    ref: str | None
    session: str | None
    position: int
    memories: tuple[Taken, ...]

    def __str__(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class PassageHit:
    """A passage that was found."""

    passage: Passage
    score: float
    place: int

    def __str__(self) -> str:
        return str(self.passage)


@dataclass(frozen=True)
class Heard(Listed):
    """What was said that a search found, best first: `for hit in heard`."""

    hits: tuple[PassageHit, ...]
    total_count: int
    page_info: Place

    @property
    def end_cursor(self) -> str | None:
        """For `after`, to have the next page; None where there is none."""
        return self.page_info.end_cursor

    def __iter__(self) -> Iterator[PassageHit]:
        return iter(self.hits)


@dataclass(frozen=True)
class Packed:
    """A memory that stands in a pack."""

    id: str
    text: str
    pinned: bool
    critical: bool

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Named:
    """A memory by its id."""

    id: str


@dataclass(frozen=True)
class LeftOut:
    """A memory that competed for its place in a pack, and why it has none."""

    reason: PackReason
    memory: Named


@dataclass(frozen=True)
class PackDifference:
    """What has come, gone and been changed since an earlier pack, by ids."""

    is_same: bool
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]


@dataclass(frozen=True)
class Pack:
    """Memories as one block for a prompt, `text`; `version` is what a later call takes as `since`."""

    text: str
    tokens: int
    version: str
    generated_at: datetime
    memories: tuple[Packed, ...]
    summaries: tuple[Packed, ...]
    left_out: tuple[LeftOut, ...]
    note: str | None
    difference: PackDifference | None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class State:
    """One state of one version of a truth."""

    memory: Memory
    superseded_by: Linked | None
    reason: str | None

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Superseded:
    """The new version, the memory that was named, and what was adjusted."""

    memory: Memory | None
    superseded: Memory | None
    notes: tuple[str, ...]
    replayed: bool

    def __str__(self) -> str:
        return f"{self.memory} (it was: {self.superseded})"


@dataclass(frozen=True)
class Moved(Listed):
    """Memories as they are after they were retracted: `for each in moved`."""

    memories: tuple[Memory, ...]
    replayed: bool

    def __iter__(self) -> Iterator[Memory]:
        return iter(self.memories)


@dataclass(frozen=True)
class LinkMade:
    """A link that holds, and whether it is new."""

    link: Link | None
    outcome: LinkOutcome
    replayed: bool

    def __str__(self) -> str:
        return f"{self.outcome}: {self.link}" if self.link else self.outcome


@dataclass(frozen=True)
class Step:
    """A link along which a neighbour was found."""

    uuid: str
    kind: LinkKind
    strength: float
    reason: str


@dataclass(frozen=True)
class Neighbour:
    """A memory that links lead to, and how many hops away it is."""

    depth: int
    memory: Memory
    links: tuple[Step, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Neighbours(Listed):
    """What lies around a memory, nearest first: `for each in neighbours`."""

    items: tuple[Neighbour, ...]
    truncated: bool

    def __iter__(self) -> Iterator[Neighbour]:
        return iter(self.items)

    def to_pandas(self) -> DataFrame:
        """A row for each neighbour, with the fields of its memory. Needs the extra `pandas`."""
        return other_forms.frame(self.items)


@dataclass(frozen=True)
class GraphNode:
    """A memory in a subgraph, by its first line."""

    id: str
    uuid: str
    caption: str
    kind: str
    importance: float

    def __str__(self) -> str:
        return self.caption


@dataclass(frozen=True)
class End:
    """A memory at the end of an edge."""

    uuid: str


@dataclass(frozen=True)
class Edge:
    """A link between two memories of a subgraph, read from `from_` to `to`."""

    uuid: str
    kind: LinkKind
    strength: float
    from_: End | None
    to: End | None


@dataclass(frozen=True)
class Subgraph:
    """Memories, what lies around them, and all links between these; `truncated` where there was more."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[Edge, ...]
    truncated: bool

    def to_networkx(self) -> MultiDiGraph:
        """Memories by their uuid and the links between them. Needs the extra `networkx`."""
        nodes = {each.uuid: other_forms.told_of(each, "uuid") for each in self.nodes}
        edges = (
            (each.from_.uuid, each.to.uuid, each.uuid, other_forms.told_of(each, "uuid", "from_", "to"))
            for each in self.edges
            if each.from_ is not None and each.to is not None
        )
        return other_forms.graph(nodes, edges)


@dataclass(frozen=True)
class BroughtAlong:
    """A memory that links lead to from one that surfaced, the links on the way, and how much it matters there."""

    memory: Memory
    score: float
    links: tuple[Step, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class SurfacedMemory:
    """A memory that should come to mind; `score` is None where it is only kept."""

    memory: Memory
    score: float | None
    is_kept: bool
    is_new: bool
    linked: tuple[BroughtAlong, ...]

    def __str__(self) -> str:
        return self.memory.text


@dataclass(frozen=True)
class Surfaced(Listed):
    """What should come to mind: `for each in surfaced`. `let_go` are those of `keep` that need not be named again."""

    memories: tuple[SurfacedMemory, ...]
    let_go: tuple[str, ...]
    note: str | None

    def __iter__(self) -> Iterator[SurfacedMemory]:
        return iter(self.memories)


@dataclass(frozen=True)
class Certificate:
    """What was erased, to keep as evidence. It holds no text."""

    request_id: str
    at: datetime
    memories: int
    revisions: int
    entities: int
    messages: int
    changes: int
    requests: int
    tombstones: int
    beyond: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.memories} memories, {self.revisions} former states and {self.messages} messages were erased."


@dataclass(frozen=True)
class Forgotten:
    """The answer of `forget`."""

    certificate: Certificate
    replayed: bool

    def __str__(self) -> str:
        return str(self.certificate)


@dataclass(frozen=True)
class Undone:
    """The sequence numbers that were taken back, and the memories that changed by it."""

    undone: tuple[int, ...]
    memories: tuple[Memory, ...]
    replayed: bool

    def __str__(self) -> str:
        taken_back = ", ".join(str(each) for each in self.undone)
        return "\n".join([f"Undone: {taken_back}", *(f"  {each}" for each in self.memories)])


@dataclass(frozen=True)
class Progress:
    """How far a job has come."""

    done: int
    total: int
    phase: str


@dataclass(frozen=True)
class Job:
    """One run of a job."""

    id: str
    name: str
    state: JobState
    progress: Progress
    result: Mapping[str, Any]
    started_at: datetime | None
    finished_at: datetime | None
    error: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in ("PENDING", "RUNNING")

    def __str__(self) -> str:
        return f"{self.name}: {self.state}"


@dataclass(frozen=True)
class Added:
    """The answer of `add`; `memory` is the one that says it already where the outcome is DUPLICATE."""

    memory: Memory | None
    outcome: AddOutcome
    replayed: bool

    def __str__(self) -> str:
        return f"{self.outcome}: {self.memory}" if self.memory else self.outcome


@dataclass(frozen=True)
class Asked:
    """A job that was asked for. `job.result` counts what it did once it is over."""

    job: Job
    replayed: bool

    def __str__(self) -> str:
        return str(self.job)


@dataclass(frozen=True)
class Revised:
    """A memory as it stands after it was revised."""

    memory: Memory | None
    replayed: bool

    def __str__(self) -> str:
        return str(self.memory)


@dataclass(frozen=True)
class Segment:
    """A stretch of a conversation. While it is OPEN it takes messages."""

    uuid: str
    session: str | None
    status: SegmentStatus
    started_at: datetime
    ended_at: datetime | None
    message_count: int
    extracted_count: int


@dataclass(frozen=True)
class Message:
    """What was said, and the memories that came of it."""

    uuid: str
    speaker: str
    role: str | None
    at: datetime
    text: str
    ref: str | None
    is_extracted: bool
    is_erased: bool
    memories: tuple[Linked, ...]

    def __str__(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Session:
    """A conversation: whose, from when to when, how many messages it has and how many of them were read for memories."""

    name: str | None
    subject: str
    started_at: datetime
    ended_at: datetime
    is_open: bool
    segment_count: int
    message_count: int
    extracted_count: int
    first_message: Message | None
    last_message: Message | None

    def __str__(self) -> str:
        return self.name or f"{self.subject}, {self.started_at:%Y-%m-%d}"


@dataclass(frozen=True)
class Extent:
    """How much of one subject a plan would change."""

    subject: str
    groups: int
    memories: int
    links: int


@dataclass(frozen=True)
class Group:
    """Memories that would become one, and the text it would say. A member is None where it is gone by now."""

    cursor: str
    status: ConsolidationGroupStatus
    text: str
    statements: tuple[str, ...]
    reason: str
    confidence: float
    provider: str
    product: str | None
    fault: str | None
    settled_at: datetime | None
    members: tuple[Memory | None, ...]


@dataclass(frozen=True)
class ConsolidationPlan:
    """What a rehearsed consolidation would do: the run, what it comes to by subject, and some of the groups."""

    job: Job
    extents: tuple[Extent, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Submitted:
    """Messages that were taken in. `job` reads them for memories, once their session was closed."""

    segment_uuid: str | None
    stored: int
    length: int
    masked: tuple[str, ...]
    replayed: bool
    job: Job | None = None

    def __str__(self) -> str:
        return f"{self.stored} messages were stored{f'; {self.job}' if self.job else ''}."


@dataclass(frozen=True)
class Closed:
    """A session that was closed, and the job that reads it for memories."""

    segment_uuid: str | None
    messages: int
    job: Job | None
    replayed: bool

    def __str__(self) -> str:
        return f"{self.messages} messages were closed{f'; {self.job}' if self.job else ''}."


@dataclass(frozen=True)
class Review:
    """What a judge proposed and a person decides; `target` is the known memory that it is about."""

    id: str
    is_held: bool
    status: ReviewStatus
    action: JudgedAction
    confidence: float
    reason: str
    hindrance: str
    provider: str
    text: str | None
    created_at: datetime
    expires_at: datetime
    memory: Memory | None
    target: Memory | None

    def __str__(self) -> str:
        return f"{self.action}: {self.memory} / {self.target}"


@dataclass(frozen=True)
class CommunitySummary:
    """What a community is about. Stale: its members are others by now, or say something else."""

    memory: Linked
    key_facts: tuple[str, ...]
    decisions: tuple[str, ...]
    is_extractive: bool
    written_by: str
    tells_from: datetime
    tells_to: datetime
    is_stale: bool


@dataclass(frozen=True)
class Community:
    """Memories that say related things, and what they are about."""

    id: str
    uuid: str
    name: str
    size: int
    born_at: datetime
    changed_at: datetime
    ended_at: datetime | None
    summary: CommunitySummary | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class CommunityNamed:
    """A community at one end of what became of it."""

    id: str
    name: str


@dataclass(frozen=True)
class CommunityEvent:
    """What became of a community at one time; both ends are the same unless it split or merged."""

    kind: CommunityChange
    at: datetime
    size: int
    joined: int
    left: int
    from_: CommunityNamed | None
    to: CommunityNamed | None


@dataclass(frozen=True)
class CommunityWithMembers(Community):
    """A community, a page of its members, and what became of it."""

    members: Page[Linked]
    lineage: tuple[CommunityEvent, ...]


@dataclass(frozen=True)
class Decided:
    """A review as it stands after its decision."""

    id: str
    status: ReviewStatus
    decided_action: JudgedAction | None
    memory: Memory | None
    target: Memory | None

    def __str__(self) -> str:
        return f"{self.status}: {self.memory} / {self.target}"


@dataclass(frozen=True)
class ReviewSettled:
    """The answer of `approve_review` and `reject_review`."""

    review: Decided | None
    replayed: bool

    def __str__(self) -> str:
        return str(self.review)


@dataclass(frozen=True)
class Change:
    """One decision of the ledger. Keep its `sequence`, and `changes(after=sequence)` goes on from there."""

    sequence: int
    operation: ChangeOperation
    targets: tuple[str, ...]
    reason: str
    actor: str
    at: datetime
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.sequence} {self.operation} {self.reason}".rstrip()


@dataclass(frozen=True)
class Webhook:
    """An address to which changes are sent: how far it has come, how many it is behind, and why it failed last."""

    id: str
    uuid: str
    url: str
    subject: str | None
    operations: tuple[ChangeOperation, ...]
    with_content: bool
    status: WebhookStatus
    after: int
    lag: int
    failures: int
    failing_since: datetime | None
    last_error: str | None
    last_sent_at: datetime | None
    next_try_at: datetime | None
    created_at: datetime
    created_by: str


@dataclass(frozen=True)
class WebhookAdded:
    """The answer of `add_webhook`. The secret, with which its requests are signed, is shown this once."""

    webhook: Webhook
    secret: str = field(repr=False)
    replayed: bool


@dataclass(frozen=True)
class WebhookResumed:
    """The answer of `resume_webhook`."""

    webhook: Webhook
    replayed: bool


@dataclass(frozen=True)
class WebhookRemoved:
    """The answer of `remove_webhook`."""

    uuid: str
    replayed: bool


@dataclass(frozen=True)
class TierCount:
    """How many active memories stand in a tier."""

    tier: Tier
    count: int

    def __str__(self) -> str:
        return f"{self.tier}: {self.count}"


@dataclass(frozen=True)
class Subject:
    """Somebody of the account: how many of their memories hold now, and the last date on which they wrote or recalled."""

    id: str
    name: str
    memories: int
    created_at: datetime
    last_active_on: str | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Viewer:
    """Who the key makes you."""

    tenant: str
    subject: str | None
    actor: str
    rights: tuple[Right, ...]


@dataclass(frozen=True)
class Page(Listed, Generic[T]):
    """Some of a list: `for each in page`. The next page is the same call with `after=page.end_cursor`."""

    nodes: tuple[T, ...]
    has_next_page: bool
    end_cursor: str | None

    def __iter__(self) -> Iterator[T]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def to_pandas(self) -> DataFrame:
        """A row for each. Needs the extra `pandas`."""
        return other_forms.frame(self.nodes)


def read(kind: type[T], value: Any) -> T:
    """A value of an answer as this type."""
    return cast(T, _value(kind, value))


def _value(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Page:
        return _page(inner[0], value)
    if origin in (Union, UnionType):
        return None if value is None else _value(next(each for each in inner if each is not NoneType), value)
    if origin is tuple:
        return tuple(_value(inner[0], each) for each in value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    return _object(kind, value) if is_dataclass(kind) else value


def spelled(name: str) -> str:
    """A name as GraphQL spells it: `valid_from` is `validFrom`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(each.capitalize() for each in rest)


def _page(kind: Any, value: Mapping[str, Any]) -> Page[Any]:
    info = value["pageInfo"]
    nodes = tuple(_value(kind, row) for row in value["nodes"])
    return Page(nodes, info["hasNextPage"], info["endCursor"])


def _object(kind: Any, value: Mapping[str, Any]) -> Any:
    return kind(
        **{
            name: _value(hint, value[place])
            for name, place, hint, is_optional in shape(kind)
            if place in value or not is_optional
        }
    )


@cache
def shape(kind: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    """Each field of a result: its name, its place in the answer, its type, and whether it may be missing there."""
    hints = get_type_hints(kind)
    return tuple(
        (each.name, spelled(each.name), hints[each.name], each.default is not MISSING)
        for each in fields(cast(Any, kind))
    )
