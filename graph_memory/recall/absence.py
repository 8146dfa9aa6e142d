"""Why a search did not return a memory: the reason in words, with the figures that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.memory.browsing import Condition, Operator
from graph_memory.memory.reading import get
from graph_memory.model.memory import Memory, Status, Trust
from graph_memory.recall.hits import Hit
from graph_memory.recall.modes import REACH, Mode
from graph_memory.recall.search import UNANSWERED, search
from graph_memory.recall.settings import RecallSettings
from graph_memory.recall.text_question import wording
from graph_memory.scoring.scores import TIERS, Tier
from graph_memory.store.service import Service


class Absence(StrEnum):
    """Why a memory is not among the hits."""

    RETURNED = "RETURNED"
    NOT_FOUND = "NOT_FOUND"
    RETIRED = "RETIRED"
    NOT_YET = "NOT_YET"
    TIER = "TIER"
    CONDITIONS = "CONDITIONS"
    TRUST = "TRUST"
    BELOW_SCORE = "BELOW_SCORE"
    BELOW_PAGE = "BELOW_PAGE"
    NOT_COMPARED = "NOT_COMPARED"


@dataclass(frozen=True)
class WhyNot:
    """The reason, in words too; `score` with what was weighed (`seen`) and `rank` where it was compared.

    The words tell no score: those of a key that sees it in steps must not tell more.
    """

    reason: Absence
    explanation: str
    score: float | None = None
    rank: int | None = None
    seen: Mapping[str, float] = field(default_factory=dict)


def why_not_returned(
    service: Service,
    scope: Scope,
    id: str,
    query: str,
    limit: int | None = None,
    moment: Moment = NOW,
    mode: Mode = Mode.STANDARD,
    min_trust: Trust | None = None,
    min_score: float | None = None,
    where: Sequence[Condition] = (),
) -> WhyNot:
    """Why a search with the same arguments does not return this memory, or that it does and where.

    What is foreign is told like what is missing. Raises Invalid as `search` does.
    """
    memory = get(service, scope, id)
    if memory is None:
        return WhyNot(Absence.NOT_FOUND, "There is no such memory, or it belongs to someone else.")
    recall = service.settings[RecallSettings]
    usual = recall.min_score if wording(query).terms else 0.0
    wanted, least = limit or recall.limit, usual if min_score is None else min_score
    page = search(
        service,
        scope,
        query,
        None,
        recall.max_limit,
        moment,
        mode=mode,
        min_trust=min_trust,
        min_score=0,
        where=where,
    )
    hit = next((each for each in page.hits if each.memory.id == id), None)
    if hit is not None and min_score is None:
        usually = search(service, scope, query, None, 1, moment, mode=mode, min_trust=min_trust, where=where)
        if usually.note == UNANSWERED:
            told = {"score": hit.score, "rank": hit.place, "seen": hit.seen}
            return WhyNot(Absence.BELOW_SCORE, f"{UNANSWERED} It ranks {hit.place}.", **told)  # type: ignore[arg-type]
    if hit is not None:
        return _compared(hit, wanted, least)
    return _left_out(memory, mode, moment, service.clock()) or _narrowed(
        service, scope, memory, query, moment, mode, min_trust, where
    )


def _compared(hit: Hit, wanted: int, least: float) -> WhyNot:
    told = {"score": hit.score, "rank": hit.place, "seen": hit.seen}
    if hit.score < least:
        why = f"It scores less than {least:g}, which is the least that is answered; it ranks {hit.place}."
        return WhyNot(Absence.BELOW_SCORE, why, **told)  # type: ignore[arg-type]
    if hit.place > wanted:
        why = f"It ranks {hit.place}; {wanted} were asked for."
        return WhyNot(Absence.BELOW_PAGE, why, **told)  # type: ignore[arg-type]
    return WhyNot(Absence.RETURNED, f"It is returned, at place {hit.place}.", **told)  # type: ignore[arg-type]


def _left_out(memory: Memory, mode: Mode, moment: Moment, now: datetime) -> WhyNot | None:
    """What the memory is, that no search of this reach finds; None where that is not why.

    Its status and its tier are of today: at a past moment neither tells.
    """
    reach, is_past, (as_of, _) = REACH[mode], moment.is_past(now), moment.at(now)
    has_ended = memory.holds_to is not None and memory.holds_to <= as_of
    if memory.valid_from > as_of:
        return WhyNot(Absence.NOT_YET, f"It holds from {memory.valid_from:%Y-%m-%d} on.")
    if reach.state_rank is None and memory.status is not Status.ACTIVE and (has_ended or not is_past):
        return WhyNot(
            Absence.RETIRED, f"It is {memory.status.value.lower()}; the mode {mode} does not reach it."
        )
    if reach.state_rank is None and has_ended:
        return WhyNot(
            Absence.RETIRED, f"It held until {memory.holds_to:%Y-%m-%d}; the mode {mode} does not reach it."
        )
    if not is_past and TIERS.index(Tier(memory.tier)) > reach.tier_rank:
        return WhyNot(
            Absence.TIER, f"Its tier is {memory.tier}; the mode {mode} reaches as far as {reach.tier}."
        )
    return None


def _narrowed(
    service: Service,
    scope: Scope,
    memory: Memory,
    query: str,
    moment: Moment,
    mode: Mode,
    min_trust: Trust | None,
    where: Sequence[Condition],
) -> WhyNot:
    """Each condition by itself; what meets all of them was further away than all that was compared."""

    def alone(*conditions: Condition, trust: Trust | None = None) -> Hit | None:
        named = [Condition("id", Operator.EQ, memory.id), *conditions]
        page = search(
            service, scope, query, None, 1, moment, mode=mode, min_trust=trust, min_score=0, where=named
        )
        return next(iter(page.hits), None)

    for condition in where:
        if alone(condition) is None:
            why = (
                f"It does not meet the condition {condition.field} {condition.operator} {condition.value!r}."
            )
            return WhyNot(Absence.CONDITIONS, why)
    if min_trust is not None and alone(trust=min_trust) is None:
        return WhyNot(Absence.TRUST, f"It is trusted as {memory.trust}, less than {min_trust}.")
    hit = alone()
    if hit is None:
        return WhyNot(
            Absence.RETIRED,
            f"No search of the mode {mode} finds it at this moment: it is {memory.status.value.lower()}.",
        )
    why = f"{service.settings[RecallSettings].max_limit} others rank before it."
    return WhyNot(Absence.NOT_COMPARED, why, score=hit.score, seen=hit.seen)
