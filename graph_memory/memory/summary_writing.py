"""Summaries as memories: stored, written anew and put away in an open transaction, each a decision in the ledger.

A summary stands beside its members, which stay as they are: `CONSOLIDATES` leads to each of them. It carries the label
Summary in the place of Live or Past, so that neither search nor a judge nor clustering meets it: a summary is never made
of summaries. Its members are no sources of the change, or else none of theirs could be undone without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graph_memory.base.clock import FOREVER
from graph_memory.base.ids import new_id
from graph_memory.ledger.changes import PENDING, Decision, Writing
from graph_memory.memory.addition import ADD, Prepared, prepare
from graph_memory.memory.links import MAKE
from graph_memory.memory.properties import for_ledger
from graph_memory.memory.states import Edit, load, moved, rewrite
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact, Source, SourceKind, Status
from graph_memory.scoring.scores import TIERS, Tier
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

CLOSE = query("consolidation/sources_close")
CONSOLIDATED_FROM = query("consolidation/sources_open")

KIND = "summary"
SUMMARISE = "SUMMARISE"
SOURCE_REF = "consolidated"
_OF_TEXT = (
    "text",
    "caption",
    "search_text",
    "content_hash",
    "embedding",
    "embedding_model",
    "embedding_next",
    "unembedded",
)
_OF_SUMMARY = (
    "made_of",
    "written_by",
    "key_facts",
    "decisions",
    "tells_from",
    "tells_to",
    "confidence",
    "source_kind",
    "labels",
)


@dataclass(frozen=True)
class Summary:
    """A summary to store: of which community, made of which members (by id, each with its content's hash), and what it says."""

    community: str
    members: Mapping[str, str]
    text: str
    key_facts: tuple[str, ...]
    decisions: tuple[str, ...]
    written_by: str
    confidence: float
    source_kind: SourceKind
    tells_from: datetime
    tells_to: datetime

    @property
    def made_of(self) -> str:
        return digest(self.members)


def digest(members: Mapping[str, str]) -> str:
    """What tells whether a community has other members, or members that say something else."""
    return hashlib.sha256(
        "\n".join(f"{id}:{hash}" for id, hash in sorted(members.items())).encode()
    ).hexdigest()[:32]


def lay_out(service: Service, subject: str, summaries: Sequence[Summary]) -> list[Prepared]:
    """Every summary checked, embedded in one batch and laid out as properties; nothing is stored."""
    facts = [
        Fact(
            each.text,
            KIND,
            confidence=each.confidence,
            source=Source(each.source_kind, SOURCE_REF),
            entities=(),
        )
        for each in summaries
    ]
    # A summary states no claim of its own, and reading one takes longer than all else that is done here.
    prepared = prepare(service, subject, facts, reads_claims=False)
    for item, each in zip(prepared, summaries, strict=True):
        item.properties.update(
            live_key=None,
            tier=Tier.WARM.value,
            tier_rank=TIERS.index(Tier.WARM),
            community_id=each.community,
            made_of=each.made_of,
            written_by=each.written_by,
            key_facts=list(each.key_facts),
            decisions=list(each.decisions),
            tells_from=each.tells_from,
            tells_to=each.tells_to,
        )
    return prepared


def write(
    writing: Writing, summaries: Sequence[Summary], prepared: Sequence[Prepared], known: Mapping[str, str]
) -> None:
    """Stores each summary, in the place of the one that its community has: `known` are their ids by community."""
    pairs = list(zip(summaries, prepared, strict=True))
    fresh = [item for each, item in pairs if each.community not in known]
    if fresh:
        writing.run(ADD, rows=[_row(item) for item in sorted(fresh, key=lambda item: item.id)])
    before = load(writing, sorted(known[each.community] for each, _ in pairs if each.community in known))
    edits = {
        known[each.community]: Edit(known[each.community], _changed(item))
        for each, item in pairs
        if each.community in known
    }
    was = rewrite(writing, before, list(edits.values())) if edits else {}
    links = _rest_on(writing, {known.get(each.community, item.id): each.members for each, item in pairs})
    for each, item in pairs:
        id = known.get(each.community, item.id)
        decision = Decision(
            Operation.UPDATE if id in was else Operation.ADD,
            [id],
            reason=f"summary of {len(each.members)} memories by {each.written_by}",
            classification=SUMMARISE,
            before={id: for_ledger(was[id])} if id in was else {},
            after={id: for_ledger(edits[id].set) if id in was else _told(item)},
            effects=links[id],
        )
        writing.decide(decision, touched=[id])


def put_away(writing: Writing, ids: Iterable[str], reason: str) -> None:
    """Archives summaries whose community is no more."""
    wanted = sorted(ids)
    rows = load(writing, wanted)
    values = moved(Status.ARCHIVED, archived_at=writing.now, archive_reason=reason)
    edits = [Edit(id, values) for id in wanted]
    was = rewrite(writing, rows, edits)
    for id in wanted:
        decision = Decision(
            Operation.ARCHIVE,
            [id],
            reason=reason,
            classification=SUMMARISE,
            before={id: for_ledger(was[id])},
            after={id: for_ledger(values)},
        )
        writing.decide(decision, touched=[id])


def _rest_on(writing: Writing, members: Mapping[str, Mapping[str, str]]) -> dict[str, Row]:
    """Opens and closes links, so that each summary leads to just these members; what became of the links of each."""
    there: dict[str, dict[str, str]] = {id: {} for id in members}
    for row in writing.run(CONSOLIDATED_FROM, ids=sorted(members)):
        there[row["id"]][row["to"]] = row["link"]
    closed = {id: sorted(there[id][each] for each in there[id].keys() - members[id].keys()) for id in members}
    if gone := sorted(link for links in closed.values() for link in links):
        writing.run(CLOSE, ids=sorted(id for id in closed if closed[id]), links=gone, pending=PENDING)
    rows: list[Row] = [
        {
            "id": new_id(),
            "kind": "CONSOLIDATES",
            "from": id,
            "to": member,
            "open_key": f"{id}>{member}",
            "reason": "",
            "confidence": 1.0,
            "strength": 1.0,
            "created_by": writing.call.actor,
            "run_id": writing.call.run_id,
        }
        for id in sorted(members)
        for member in sorted(members[id].keys() - there[id].keys())
    ]
    if rows:
        writing.run(MAKE, rows=rows, pending=PENDING, forever=FOREVER, now=writing.now)
    opened: dict[str, list[str]] = {id: [] for id in members}
    for row in rows:
        opened[row["from"]].append(row["id"])
    return {id: {"links_opened": opened[id], "links_closed": closed[id]} for id in members}


def _row(item: Prepared) -> Row:
    return {"id": item.id, "key": item.live_key, "properties": item.properties, "message_id": None}


def _changed(item: Prepared) -> Row:
    kept = {name: item.properties[name] for name in (*_OF_TEXT, *_OF_SUMMARY)}
    # What a person confirmed was the old text.
    return {**kept, "confirmed_at": None, "confirmed_by": None}


def _told(item: Prepared) -> Row:
    return {
        name: item.properties[name] for name in ("text", "kind", "valid_from", "community_id", "written_by")
    }
