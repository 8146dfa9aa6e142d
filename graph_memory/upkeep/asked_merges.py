"""What a language model would merge: one proposes, another reviews, and what is lost or made up counts as a no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from graph_memory.base.errors import Invalid, NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.ingest.same_said import Group, MayMeet, apart, fault_of
from graph_memory.ledger.activity import zone_of
from graph_memory.memory.group_merge import why_apart
from graph_memory.memory.screening import ALARMING, screened
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.purpose import Purpose
from graph_memory.models import review_prompt
from graph_memory.models.chat import ask, use_of
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import consolidate_prompt
from graph_memory.upkeep.consolidate_prompt import Proposal
from graph_memory.upkeep.shown_memory import shown

# What two models have agreed on and the rules do not object to.
AGREED = 0.9


@dataclass(frozen=True)
class Found:
    """The groups that were approved, and how many were proposed in vain."""

    groups: tuple[Group, ...]
    rejected: int


def proposed(service: Service, scope: Scope, rows: Sequence[Row], longest: int, may_meet: MayMeet) -> Found:
    """The groups among some memories, as loaded, that may be merged. Without an answer there are none."""
    known = {row["id"]: row for row in rows if not ALARMING & set(row.get("labels") or ())}
    known = {row["id"]: row for row in _with_others(list(known.values()), may_meet)}
    if len(known) < 2:
        return Found((), 0)
    zone = zone_of(service, scope)
    asked = {id: shown(row, zone) for id, row in known.items()}
    within = use_of(service.settings, Purpose.CLASSIFY).timeout
    try:
        reply = ask(service, scope, consolidate_prompt.prompt(asked), within)
    except NoAnswer:
        return Found((), 0)
    groups = []
    for proposal in reply.answer:
        members = [known[id] for id in proposal.ids]
        text = _text(service, proposal)
        if text is None or not _fits(text, members, longest, may_meet):
            continue
        if _is_approved(service, scope, members, text, proposal.reason):
            groups.append(Group(tuple(members), text, proposal.reason, AGREED, reply.provider))
    return Found(tuple(groups), len(reply.answer) - len(groups))


def _text(service: Service, proposal: Proposal) -> str | None:
    try:
        return screened(service.settings[ScreeningSettings], proposal.text, "text").text
    except Invalid:
        return None


def _with_others(rows: Sequence[Row], may_meet: MayMeet) -> list[Row]:
    """Those that could go together with another one, whatever a model says of them."""
    taken = set[str]()
    for one, other in combinations(rows, 2):
        if not {one["id"], other["id"]} <= taken and may_meet(one, other) and not apart(one, other):
            taken |= {one["id"], other["id"]}
    return [row for row in rows if row["id"] in taken]


def _fits(text: str, members: Sequence[Row], longest: int, may_meet: MayMeet) -> bool:
    if why_apart(members) or not all(may_meet(one, other) for one, other in combinations(members, 2)):
        return False
    return fault_of(text, members, longest) is None


def _is_approved(service: Service, scope: Scope, members: Sequence[Row], text: str, reason: str) -> bool:
    """A model that cannot be asked approves of nothing."""
    within = use_of(service.settings, Purpose.REVIEW).timeout
    heads = [row.get("heading") or "" for row in members]
    review = review_prompt.prompt([row["text"] for row in members], text, reason, heads)
    try:
        return ask(service, scope, review, within).answer.approved
    except NoAnswer:
        return False
