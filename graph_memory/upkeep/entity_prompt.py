"""Is a name that was mentioned a few times, long ago, another name of somebody known? In doubt it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from graph_memory.model.purpose import Purpose
from graph_memory.models import json_answer
from graph_memory.models.fence import Fence, Offered
from graph_memory.models.json_schema import strict
from graph_memory.models.prompt import Prompt

_SYSTEM = """\
You are given one name from somebody's memories and some candidates that it could be another name of, each with its id \
and with what the memories say. Answer `merge` with the candidate's id as `target_id` only if the memories leave no \
doubt that both are the same person, place or thing: a spelling, a short form, a nickname. Namesakes, relatives, \
members, versions and things that merely belong together are not the same. Answer `delete` only if the name is the name \
of nothing: a word that was taken for one. In every other case, and in doubt, answer `keep` with null. `confidence` lies \
between 0 and 1; `reason` is one sentence."""


@dataclass(frozen=True)
class Shown:
    """An entity as the model is shown it, with some of the memories that mention it."""

    id: str
    name: str
    type: str
    texts: tuple[str, ...]


class Judged(BaseModel):
    """What is to become of a name."""

    action: Literal["merge", "keep", "delete"]
    target_id: str | None
    confidence: float = Field(description="From 0 to 1.")
    reason: str = Field(description="One sentence.")


def prompt(name: Shown, candidates: Sequence[Shown]) -> Prompt[Judged]:
    """The question about one name of a subject and candidates of the same subject."""
    fence, offered = Fence(), Offered(each.id for each in candidates)
    told = "\n\n".join(f"[{offered.short(each.id)}]\n{_told(fence, each)}" for each in candidates)
    return Prompt(
        Purpose.REVIEW,
        f"{_SYSTEM}\n\n{fence.rule}",
        f"NAME\n{_told(fence, name)}\n\nCANDIDATES\n{told}",
        strict(Judged),
        lambda text: read(text, offered),
    )


def read(text: str, offered: Offered) -> Judged:
    """The answer with the full id; a merge with what was not offered, and whatever is unclear, is a keep."""
    found = json_answer.value(text)
    given: dict[str, Any] = found if isinstance(found, dict) else {}
    target = offered.real(given.get("target_id"))
    action = given.get("action") if given.get("action") in ("merge", "delete") else "keep"
    if action == "merge" and target is None:
        action = "keep"
    confidence = given.get("confidence")
    is_sure = (
        isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    )
    return Judged(
        action=action,
        target_id=target if action == "merge" else None,
        confidence=float(confidence) if is_sure else 0.0,  # type: ignore[arg-type]
        reason=str(given.get("reason") or "")[:500],
    )


def _told(fence: Fence, shown: Shown) -> str:
    texts = "\n".join(fence.data(text) for text in shown.texts)
    return f"{fence.inline(shown.name)} ({shown.type})\n{texts}"
