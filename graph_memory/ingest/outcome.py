"""What became of a statement that was to be remembered, told in full and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from graph_memory.ingest.candidates import Candidate
from graph_memory.ingest.choice import Choice, Judged
from graph_memory.ingest.trace import State, Trace, trace
from graph_memory.model.change import Operation
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action


class Mode(StrEnum):
    """DECIDE judges and acts; OBSERVE stores and leaves judging to the caller, who is shown the candidates."""

    DECIDE = "DECIDE"
    OBSERVE = "OBSERVE"


@dataclass(frozen=True)
class Weighed:
    """A candidate with its raw cosine and the verdict on it; without one in OBSERVE. `hindrance`: why it was not done.

    `link` is read from the new statement to the candidate, or with `link_from_candidate` the other way.
    """

    id: str
    cosine: float
    action: Action | None = None
    confidence: float | None = None
    link: LinkKind | None = None
    abstained: bool = False
    hindrance: str | None = None
    link_from_candidate: bool = False


@dataclass(frozen=True)
class Outcome:
    """What was done. `id` is the memory that holds the statement now, `target_id` the known one that was acted on.

    `classification` is None where nothing known came near; `text` is the merged one; `proposed` is what a judge
    wanted and was not done, and `review_id` where a person is asked about it. `id` is None for a plan, and for what
    was erased before and came back by an import.
    """

    operation: Operation
    id: str | None
    target_id: str | None
    classification: Action | None
    confidence: float | None
    reason: str
    text: str | None
    provider: str | None
    proposed: Action | None
    review_id: str | None
    candidates: tuple[Weighed, ...]
    trace: Trace

    @property
    def is_held(self) -> bool:
        """Whether a person is asked before it is believed; it was compared with nothing and waits in the archive."""
        return self.review_id is not None and self.classification is None


def as_data(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data, for the answer of a request."""
    return asdict(outcome)


def from_data(data: Mapping[str, Any]) -> Outcome:
    """An outcome from the answer of a request."""
    return Outcome(
        **{
            **data,
            "operation": Operation(data["operation"]),
            "classification": _action(data["classification"]),
            "proposed": _action(data["proposed"]),
            "candidates": tuple(_weighed_from(each) for each in data["candidates"]),
            "trace": tuple(State(each) for each in data["trace"]),
        }
    )


def told(
    choice: Choice, candidates: Sequence[Weighed], operation: Operation, id: str | None, trace: Trace
) -> Outcome:
    """The outcome of a choice, before anything else is known of it."""
    acted_on = choice.chosen.candidate.id if choice.chosen and choice.action is not Action.COEXIST else None
    return Outcome(
        operation=operation,
        id=id,
        target_id=acted_on,
        classification=choice.action,
        confidence=choice.confidence,
        reason=choice.reason,
        text=None,
        provider=choice.provider,
        proposed=choice.proposal.wanted if choice.proposal else None,
        review_id=None,
        candidates=tuple(candidates),
        trace=trace,
    )


def still_told(choice: Choice, candidates: Sequence[Weighed], holder: str) -> Outcome:
    """The outcome of a statement that a known memory goes on telling, so that it is not stored."""
    outcome = told(choice, candidates, Operation.NOOP, holder, trace(Action.COEXIST, False))
    return replace(outcome, target_id=holder, reason="A memory that stands tells it.")


def weighed(judged: Judged) -> Weighed:
    """A judged candidate as it is told: without the judge's words, which may quote what the memory says."""
    verdict = judged.verdict
    return Weighed(
        judged.candidate.id,
        round(judged.candidate.cosine, 4),
        verdict.action,
        verdict.confidence,
        verdict.link,
        verdict.abstained,
        judged.hindrance,
        verdict.link is not None and verdict.link_from_candidate,
    )


def seen(candidate: Candidate) -> Weighed:
    """A candidate that nobody judged."""
    return Weighed(candidate.id, round(candidate.cosine, 4))


def with_review(outcome: Outcome, review_id: str | None) -> Outcome:
    """The outcome with the review that was opened."""
    return replace(outcome, review_id=review_id)


def _action(value: str | None) -> Action | None:
    return None if value is None else Action(value)


def _weighed_from(data: Mapping[str, Any]) -> Weighed:
    link = LinkKind(data["link"]) if data["link"] else None
    return Weighed(**{**data, "action": _action(data["action"]), "link": link})
