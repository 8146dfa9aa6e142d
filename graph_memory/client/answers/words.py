"""The words of the schema's enums, as texts."""

from __future__ import annotations

from typing import Literal

AddOutcome = Literal["ADDED", "DUPLICATE", "ERASED"]
ChangeOperation = Literal[
    "ADD", "ARCHIVE", "DELETE", "ERASE", "LINK", "MERGE", "NOOP", "RESTORE", "SUPERSEDE", "UNDO", "UNLINK", "UPDATE"
]  # fmt: skip
Comparison = Literal["CONTAINS", "EQ", "EXISTS", "GT", "GTE", "IN", "LT", "LTE", "NE"]
ConsolidationGroupStatus = Literal["DONE", "LEFT", "PLANNED"]
ConsolidationStrategy = Literal["AGGLOMERATIVE", "GDS_LEIDEN", "HUB_KNN"]
JobState = Literal["CANCELLED", "DONE", "FAILED", "PENDING", "RUNNING"]
JudgedAction = Literal["COEXIST", "DUPLICATE", "FORGET", "MERGE", "SUPERSEDE"]
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
