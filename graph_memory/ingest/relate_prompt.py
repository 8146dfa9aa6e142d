"""Which links join a new statement to known ones? The second stage, asked once for all candidates; none is the usual answer.

What is no whole answer about a candidate is no link: an unknown type, an id that was not offered, a confidence that is
none, two answers on one.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from graph_memory.base.errors import Invalid
from graph_memory.model.link_kinds import LinkKind, kind_of
from graph_memory.model.purpose import Purpose
from graph_memory.model.verdict import Statement
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence, Offered
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt

log = logging.getLogger(__name__)

KINDS = (
    LinkKind.CAUSES,
    LinkKind.CONFLICTS,
    LinkKind.INSTANCE_OF,
    LinkKind.INVALIDATED_BY,
    LinkKind.MOTIVATED_BY,
    LinkKind.SUPPORTS,
    LinkKind.EXPANDS,
    LinkKind.FOLLOWS,
)
_LONGEST_REASON = 300

_SYSTEM = """\
You are given one NEW statement of a memory and some OTHERS, each with its id and date. Say for each of the others whether \
one of these links leads from the new statement to it. Ask yourself the question of each type; a link counts only if you \
would answer yes on these two texts alone:

CAUSES: did what the new one tells bring about what the other tells?
CONFLICTS: can they not both be true, and is neither known to be the later state of things?
INSTANCE_OF: is the new one a single case of the habit, rule or kind that the other tells?
INVALIDATED_BY: does the other show that the new one no longer holds?
MOTIVATED_BY: does the other tell the reason why somebody did or wants what the new one tells?
SUPPORTS: does the new one give evidence that the other is true?
EXPANDS: does the new one give details of the very same thing that the other tells?
FOLLOWS: is the new one the next step after the other, of one course of events?

To have a topic, a person or a place in common is no link: then, and whenever you hesitate, the type is null. Most are \
null. `confidence` is how sure you are, from 0 to 1. `reason` is one short sentence. Answer once for each of the others, \
under its id as shown, and for no other id."""


@dataclass(frozen=True)
class Related:
    """What was said of one candidate. `kind` is read from the new statement to it; None is no link."""

    id: str
    kind: LinkKind | None
    confidence: float
    reason: str


class Link(BaseModel):
    """A link as a model is asked to give it."""

    id: str = Field(description="The id of the other statement, as shown.")
    type: (
        Literal[
            "CAUSES",
            "CONFLICTS",
            "INSTANCE_OF",
            "INVALIDATED_BY",
            "MOTIVATED_BY",
            "SUPPORTS",
            "EXPANDS",
            "FOLLOWS",
        ]
        | None
    )
    confidence: float = Field(description="From 0 to 1.")
    reason: str = Field(description="One short sentence.")


class Links(BaseModel):
    """One for each of the others."""

    links: list[Link]


def prompt(new: Statement, others: Sequence[Statement]) -> Prompt[tuple[Related, ...]]:
    """The question about all candidates, which are stored and so have ids."""
    fence, offered = Fence(), Offered(each.id or "" for each in others)
    known = "\n\n".join(f"[{offered.short(each.id or '')}] {_shown(fence, each)}" for each in others)
    return Prompt(
        Purpose.CLASSIFY,
        f"{_SYSTEM}\n\n{fence.rule}",
        f"NEW\n{_shown(fence, new)}\n\nOTHERS\n{known}",
        strict(Links),
        lambda text: read(text, offered),
    )


def read(text: str, offered: Offered) -> tuple[Related, ...]:
    """What was said of each offered id, in that order; what was not said, or not wholly, is no link."""
    found = [each for each in json_answer.parts(text, "links") if isinstance(each, Mapping)]
    named = [(offered.real(each.get("id")), each) for each in found]
    counts = Counter(id for id, _ in named)
    given = {id: each for id, each in named if id is not None and counts[id] == 1}
    return tuple(_related(id, given.get(id, {})) for id in offered.ids)


def _related(id: str, given: Mapping[str, Any]) -> Related:
    kind, confidence = _kind(given.get("type")), given.get("confidence")
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    if kind is None or not is_number or not 0 <= float(confidence or 0) <= 1:
        return Related(id, None, 0.0, "")
    reason = given.get("reason")
    told = " ".join(reason.split())[:_LONGEST_REASON] if isinstance(reason, str) else ""
    return Related(id, kind, float(confidence or 0), told)


def _kind(given: Any) -> LinkKind | None:
    """One of the types that were offered; what else was named is told to the log."""
    if not isinstance(given, str) or given.strip().lower() in ("", "null", "none"):
        return None
    try:
        found = kind_of(given)
    except Invalid:
        found = None
    if found not in KINDS:
        log.info("link_type_ignored", extra={"length": len(given)})
        return None
    return found


def _shown(fence: Fence, statement: Statement) -> str:
    return f"{statement.at.date().isoformat()}\n{fence.data(statement.text)}"
