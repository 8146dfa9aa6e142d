"""What each command answers with `--json`, as types: the JSON Schema in docs/reference is made of them.

Most are the dataclasses of the domain as they are. A shape that only the command line has stands here; one that is
open has more than its fields, as the counts of a run do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graph_memory.cli.answers.of_changes import Decided, Ended, LedgerChange, ReviewListed, Webhooks
from graph_memory.cli.answers.of_entities import Attribute, Entity, EntityEdited, EntityFound
from graph_memory.cli.answers.of_jobs import (
    AnyRun,
    BatchTold,
    ClosedTold,
    Imported,
    JobBrief,
    JobStanding,
    JobSummary,
    Lifecycle,
    Planned,
    Promoted,
    RunTold,
    SourceQuarantined,
)
from graph_memory.cli.answers.of_memories import (
    AllMoved,
    CommunityTold,
    Found,
    FoundWithSummaries,
    Matching,
    Memory,
    Outcomes,
    Reached,
    SessionStart,
    Source,
    StillThere,
    Text,
    Unlinked,
)
from graph_memory.cli.answers.of_service import (
    BENCHES,
    Aside,
    Embedding,
    Examined,
    Figures,
    FilesChecked,
    Keys,
    Providers,
)
from graph_memory.cli.answers.shapes import also, changed, many, page, written
from graph_memory.curation.review_records import Agreement
from graph_memory.curation.settlement import Settled
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.sessions import Session
from graph_memory.ingest.submission import Submitted
from graph_memory.ledger.activity import Activity
from graph_memory.local.backup import Copy
from graph_memory.local.report import Report
from graph_memory.local.rewriting import Rewritten
from graph_memory.memory.causes import Quarantined
from graph_memory.memory.differences import Differences, Steps
from graph_memory.memory.erasure import Certificate
from graph_memory.memory.links import Linked, Statistics
from graph_memory.memory.merge import Merged
from graph_memory.memory.reading import Link, State
from graph_memory.memory.retirement import Retirement
from graph_memory.memory.supersession import Superseded
from graph_memory.memory.traversal import Path
from graph_memory.memory.undo import Undone
from graph_memory.model.review import Review
from graph_memory.model.webhook import Webhook
from graph_memory.models.spending import CapState, Spend
from graph_memory.recall.hits import PassageHit
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
from graph_memory.verify import Report as Verified

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
    "retry": Imported,
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
