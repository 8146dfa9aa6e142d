"""Summaries of the communities of one subject: written where members changed, put away where the community is no more.

Drafts are made outside of any transaction, by a language model where there is one, else of the members' own sentences.
They are stored in batches, under the subject's lock, and only where the members are still what the draft was made of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from graph_memory.base.clock import FOREVER
from graph_memory.base.errors import NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.ledger.activity import zone_of
from graph_memory.ledger.changes import Call, Writing, carry_out
from graph_memory.memory.screening import ALARMING
from graph_memory.memory.summary_writing import Summary, digest, lay_out, put_away, write
from graph_memory.model.memory import SourceKind, Status
from graph_memory.model.purpose import Purpose
from graph_memory.models.chat import ask, has_models, use_of
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import summary_prompt
from graph_memory.upkeep.community_names import Topics
from graph_memory.upkeep.summary_drafts import EXTRACTION, Draft, Member, extract

# Members from which a community is summarised, and sentences of an extractive summary at most.
_LEAST_MEMBERS = 3
_MOST_SENTENCES = 5
_WANTED: Row = {"least": _LEAST_MEMBERS, "forever": FOREVER, "alarming": sorted(ALARMING)}
DUE = query("consolidation/summaries_due")
ORPHANED = query("consolidation/summaries_orphaned")
MEMBERS = query("consolidation/summary_members")

ACTOR = "communities"
BATCH = 50
_GONE = "Its community has ended or become too small."


def summarise(
    context: Context, scope: Scope, topics: Topics, asked: int, ids: Sequence[str] | None = None
) -> dict[str, int]:
    """Brings the summaries of one subject, or of some of its communities, up to date.

    `asked` is how many questions a language model may still get.

    Counts `summarised`, `extractive` of these, `asked`, `put_away`, and `postponed`: those that a language model did not
    answer, so that the next run asks again.
    """
    counts = Counter[str]()
    due = _due(context.service, scope, ids, by_model=has_models(context.service))
    for start in range(0, len(due), BATCH):
        context.progress(start, len(due), "summarise")
        batch = _drafted(context, scope, due[start : start + BATCH], topics, asked - counts["asked"], counts)
        counts.update(_store(context, scope, batch))
    if gone := _orphaned(context.service, scope):
        counts["put_away"] += _put_away(context, scope, gone)
    return dict(counts)


@dataclass(frozen=True)
class _Due:
    """A community whose summary is missing or made of other members. `has_extract`: only a language model could do better."""

    community: str
    made_of: str
    known: str | None
    has_extract: bool


def _due(service: Service, scope: Scope, ids: Sequence[str] | None, *, by_model: bool) -> list[_Due]:
    rows = service.batches(scope, DUE, ids=ids, **_WANTED)
    return list(_lacking(rows, by_model=by_model))


def _lacking(rows: Sequence[Row], *, by_model: bool) -> Iterator[_Due]:
    """One that was undone or put away by somebody is not made again of the same members."""
    for row in rows:
        members = {each["id"]: each["hash"] for each in row["members"] if each["hash"]}
        made_of = digest(members)
        same = [each for each in row["summaries"] if each["made_of"] == made_of]
        has_extract = any(
            each["written_by"] == EXTRACTION and each["status"] == Status.ACTIVE for each in same
        )
        if len(members) >= _LEAST_MEMBERS and (not same or (by_model and has_extract)):
            active = [each["id"] for each in row["summaries"] if each["status"] == Status.ACTIVE]
            yield _Due(row["id"], made_of, min(active, default=None), has_extract)


def _drafted(
    context: Context, scope: Scope, due: Sequence[_Due], topics: Topics, asked: int, counts: Counter[str]
) -> list[Summary]:
    service = context.service
    found: dict[str, list[Row]] = {}
    ids = [each.community for each in due]
    for row in service.batches(scope, MEMBERS, ids=ids, forever=FOREVER, alarming=sorted(ALARMING)):
        found.setdefault(row["id"], []).append(row)
    made = []
    zone = zone_of(service, scope)
    for each in due:
        rows = found.get(each.community, [])
        members = [_member(row, zone) for row in rows]
        hashes = {row["memory"]["id"]: row["memory"]["content_hash"] for row in rows}
        if digest(hashes) == each.made_of:
            draft = _written(context, scope, members, asked - counts["asked"], counts)
            if draft is None and not each.has_extract:
                draft = extract(members, topics, _MOST_SENTENCES)
            if draft is not None:
                made.append(_summary(each.community, hashes, members, draft))
    return made


def _written(
    context: Context, scope: Scope, members: Sequence[Member], asked: int, counts: Counter[str]
) -> Draft | None:
    """What a language model makes of the members; None where there is none, or where it gave no answer that holds."""
    service = context.service
    if not has_models(service):
        return None
    if asked <= 0:
        counts["postponed"] += 1
        return None
    counts["asked"] += 1
    within = use_of(service.settings, Purpose.SUMMARISE).timeout
    try:
        reply = ask(service, scope, summary_prompt.prompt(members), within)
    except NoAnswer:
        counts["postponed"] += 1
        return None
    context.progress(counts["asked"], counts["asked"] + 1, "summarise")
    return replace(reply.answer, written_by=reply.model)


def _summary(community: str, hashes: Mapping[str, str], members: Sequence[Member], draft: Draft) -> Summary:
    kinds = list(SourceKind)
    return Summary(
        community,
        hashes,
        draft.text,
        draft.key_facts,
        draft.decisions,
        draft.written_by,
        max(each.confidence for each in members),
        # Trusted no further than the least trusted of them.
        max((each.source_kind for each in members), key=kinds.index),
        min(each.at for each in members),
        max(each.at for each in members),
    )


def _store(context: Context, scope: Scope, summaries: Sequence[Summary]) -> Counter[str]:
    if not summaries:
        return Counter()
    service = context.service
    prepared = lay_out(service, scope.for_writing().subject or "", summaries)

    def work(writing: Writing) -> list[str]:
        leases.check(writing.tx, context.lease)
        ids = [each.community for each in summaries]
        rows = writing.run(DUE, ids=ids, **_WANTED)
        still = {each.community: each for each in _lacking(rows, by_model=True)}
        kept = [
            (each, item)
            for each, item in zip(summaries, prepared, strict=True)
            if each.community in still and still[each.community].made_of == each.made_of
        ]
        known = {id: due.known for id, due in still.items() if due.known is not None}
        write(writing, [each for each, _ in kept], [item for _, item in kept], known)
        return [each.written_by for each, _ in kept]

    body = [[each.community, each.made_of, each.written_by] for each in summaries]
    key = f"{context.run.id}:{digest({each.community: each.made_of + each.written_by for each in summaries})}"
    answer = carry_out(service, Call(scope, ACTOR, key, run_id=context.run.id), "summarise", body, work)
    return Counter(summarised=len(answer.value), extractive=answer.value.count(EXTRACTION))


def _orphaned(service: Service, scope: Scope) -> list[str]:
    return [row["id"] for row in service.read(scope, ORPHANED, least=_LEAST_MEMBERS)]


def _put_away(context: Context, scope: Scope, ids: Sequence[str]) -> int:
    def work(writing: Writing) -> list[str]:
        leases.check(writing.tx, context.lease)
        gone = {row["id"] for row in writing.run(ORPHANED, least=_LEAST_MEMBERS)} & set(ids)
        put_away(writing, gone, _GONE)
        return sorted(gone)

    key = f"{context.run.id}:{digest(dict.fromkeys(ids, 'gone'))}"
    answer = carry_out(
        context.service, Call(scope, ACTOR, key, run_id=context.run.id), "summarise", sorted(ids), work
    )
    return len(answer.value)


def _member(row: Row, zone: tzinfo) -> Member:
    memory = row["memory"]
    kind = SourceKind.USER if memory["confirmed_at"] else SourceKind(memory["source_kind"])
    return Member(
        memory["id"],
        memory["text"],
        memory["kind"],
        memory["happens_at"] or memory["valid_from"],
        memory["confidence"],
        kind,
        row["nearness"],
        memory["source_author"],
        memory["heading"] or "",
        zone,
    )
