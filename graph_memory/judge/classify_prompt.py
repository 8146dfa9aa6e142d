"""How does a new statement stand to each of those that are known? All of them in one question.

What a model answers about a candidate counts only if it is whole: one verdict, a known label, a confidence in 0 to 1.
Anything else is COEXIST with confidence 0, abstained, and what was meant kept as the proposal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Any, Literal

from pydantic import BaseModel, Field

from graph_memory.base.errors import Invalid
from graph_memory.model.link_kinds import JUDGED, LinkKind, kind_of
from graph_memory.model.purpose import Purpose
from graph_memory.model.verdict import JUDGED_ACTIONS, Action, Statement, Verdict
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence, Offered
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt
from graph_memory.models.redaction import HIDDEN

NOT_STORED = "new"
_LONGEST_REASON = 300
_LONGEST_TEXT = 4000

_SYSTEM = """\
You keep the memory of an assistant in order. You are given one NEW statement and some KNOWN statements, each with its \
id, the local date since which it holds and who said it. For every known statement say how the new one stands to it, \
by exactly one action:

DUPLICATE: both say the same; nothing would be lost if only the known one were kept. A different number, date, name or \
negation means that they do not say the same.
SUPERSEDE: both answer the same question about the same thing, the answers cannot both hold now, and the new one is \
the present one: a change of job, place, plan, status, value, preference. Something that merely happened once, or that \
adds a further item, supersedes nothing.
MERGE: both are about the same thing and hold together, and one sentence says both better than two would. Give that \
sentence in `text`, with every name, number and date of both, and nothing else.
COEXIST: everything else: different things, different moments, or you are not sure.

When in doubt answer COEXIST: what is wrongly retired or merged is worse than what stands beside another. `confidence` \
is how sure you are of the action, from 0 to 1. `link` is how the new statement is related to the known one, or null, \
which is the usual case: CAUSES (it brought the known one about), CONFLICTS (they cannot both be true and neither is \
known to be later), INSTANCE_OF (it is an example of it), INVALIDATED_BY (the known one shows that it no longer \
holds), MOTIVATED_BY (the known one is its reason), SUPPORTS (it is evidence for it), EXPANDS (it gives details of \
it), FOLLOWS (it is the next step after it). `link_from` is "new", or "known" where the link leads the other way: the \
known one brought the new one about, the new one shows that the known one no longer holds, and so on; null without a \
link. `text` is null unless the action is MERGE. `reason` is one short sentence. Give one verdict for each known \
statement, under its id as shown, and for no other id."""


class Judged(BaseModel):
    """A verdict as a model is asked to give it."""

    id: str = Field(description="The id of the known statement, as shown.")
    action: Literal["DUPLICATE", "SUPERSEDE", "MERGE", "COEXIST"]
    confidence: float = Field(description="From 0 to 1.")
    reason: str = Field(description="One short sentence.")
    link: (
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
    link_from: Literal["new", "known"] | None = Field(description="Where the link starts; null without one.")
    text: str | None = Field(description="The merged sentence; null unless the action is MERGE.")


class Verdicts(BaseModel):
    """One for each known statement."""

    verdicts: list[Judged]


def prompt(
    new: Statement, candidates: Sequence[Statement], zone: tzinfo = UTC
) -> Prompt[tuple[Verdict, ...]]:
    """The question about all candidates, which are stored and so have ids; its answer has their order. Dates are of `zone`."""
    fence, offered = Fence(), Offered(each.id or "" for each in candidates)
    known = "\n\n".join(_shown(fence, each, offered.short(each.id or ""), zone) for each in candidates)
    user = f"NEW\n{_shown(fence, new, NOT_STORED, zone)}\n\nKNOWN\n{known}"
    return Prompt(
        Purpose.CLASSIFY,
        f"{_SYSTEM}\n\n{fence.rule}",
        user,
        strict(Verdicts),
        lambda text: read(text, offered),
    )


def read(text: str, offered: Offered) -> tuple[Verdict, ...]:
    """A verdict for each offered id, in that order. Unreadable when not one usable verdict is in the answer."""
    found = [each for each in json_answer.parts(text, "verdicts") if isinstance(each, Mapping)]
    named = [(offered.real(each.get("id")), each) for each in found]
    counts = Counter(id for id, _ in named)
    given = {id: each for id, each in named if id is not None}
    if not any(_action(each) for each in given.values()):
        raise json_answer.Unreadable("it holds no verdict on any statement that was shown")
    return tuple(
        _undecided(id, "the model gave more than one verdict on it", None)
        if counts[id] > 1
        else _verdict(id, given.get(id))
        for id in offered.ids
    )


def undecided(candidates: Sequence[Statement], reason: str) -> tuple[Verdict, ...]:
    """What is said of candidates when a model's answer was of no use."""
    return tuple(_undecided(each.id or "", reason, None) for each in candidates)


def _verdict(id: str, given: Mapping[str, Any] | None) -> Verdict:
    if given is None:
        return _undecided(id, "the model gave no verdict on it", None)
    action = _action(given)
    if action is None:
        return _undecided(id, "the model gave an action that does not exist", None)
    confidence = _share(given.get("confidence"))
    if confidence is None:
        return _undecided(id, "the model gave a confidence that is not between 0 and 1", action)
    text = _text(given.get("text")) if action is Action.MERGE else None
    if text is not None and HIDDEN in text:
        return _undecided(id, "the merged text would lose what was hidden from the model", action)
    link = _link(given.get("link"))
    turned = link is not None and given.get("link_from") == "known"
    reason = _reason(given.get("reason"))
    return Verdict(id, action, confidence, reason, link, text, link_from_candidate=turned)


def _undecided(id: str, reason: str, proposal: Action | None) -> Verdict:
    return Verdict(id, Action.COEXIST, 0.0, reason, abstained=True, proposal=proposal)


def _action(given: Mapping[str, Any]) -> Action | None:
    found = given.get("action")
    named = found.strip().upper() if isinstance(found, str) else None
    return next((each for each in JUDGED_ACTIONS if each.value == named), None)


def _link(given: Any) -> LinkKind | None:
    """A judged type of link; SUPERSEDES follows from the action alone."""
    try:
        found = kind_of(given) if isinstance(given, str) else None
    except Invalid:
        return None
    return found if found in JUDGED - {LinkKind.SUPERSEDES} else None


def _share(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) and 0 <= value <= 1 else None


def _text(given: Any) -> str | None:
    found = given.strip() if isinstance(given, str) else ""
    return found if 0 < len(found) <= _LONGEST_TEXT else None


def _reason(given: Any) -> str:
    return " ".join(given.split())[:_LONGEST_REASON] if isinstance(given, str) else ""


def _shown(fence: Fence, statement: Statement, id: str, zone: tzinfo) -> str:
    said = f", said by {fence.inline(statement.author)}" if statement.author else ""
    return f"[{id}] {statement.at.astimezone(zone).date().isoformat()}{said}\n{fence.data(statement.text)}"
