"""What a language model would merge: one proposes, another reviews, and what is lost or made up counts as a no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from graph_memory.base.errors import Invalid, NoAnswer
from graph_memory.base.scope import Scope
from graph_memory.ingest.same_said import Group, MayMeet, fault_of
from graph_memory.memory.group_merge import why_apart
from graph_memory.memory.screening import ALARMING, screened
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.purpose import Purpose
from graph_memory.models import review_prompt
from graph_memory.models.chat import ask, use_of
from graph_memory.store.service import Row, Service
from graph_memory.upkeep import consolidate_prompt
from graph_memory.upkeep.consolidate_prompt import Proposal

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
    texts = {id: row["text"] for id, row in known.items()}
    if len(texts) < 2:
        return Found((), 0)
    within = use_of(service.settings, Purpose.CLASSIFY).timeout
    try:
        reply = ask(service, scope, consolidate_prompt.prompt(texts), within)
    except NoAnswer:
        return Found((), 0)
    groups = []
    for proposal in reply.answer:
        members = [known[id] for id in proposal.ids]
        text = _text(service, proposal)
        if text is None or not _fits(text, members, longest, may_meet):
            continue
        if _is_approved(service, scope, [row["text"] for row in members], text, proposal.reason):
            groups.append(Group(tuple(members), text, proposal.reason, AGREED, reply.provider))
    return Found(tuple(groups), len(reply.answer) - len(groups))


def _text(service: Service, proposal: Proposal) -> str | None:
    try:
        return screened(service.settings[ScreeningSettings], proposal.text, "text").text
    except Invalid:
        return None


def _fits(text: str, members: Sequence[Row], longest: int, may_meet: MayMeet) -> bool:
    if why_apart(members) or not all(may_meet(one, other) for one, other in combinations(members, 2)):
        return False
    return fault_of(text, members, longest) is None


def _is_approved(service: Service, scope: Scope, texts: Sequence[str], text: str, reason: str) -> bool:
    """A model that cannot be asked approves of nothing."""
    within = use_of(service.settings, Purpose.REVIEW).timeout
    try:
        return ask(service, scope, review_prompt.prompt(texts, text, reason), within).answer.approved
    except NoAnswer:
        return False
