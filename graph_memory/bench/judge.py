"""`bench judge`: labelled pairs through the pipeline's own rule: candidate search, verdicts, threshold, guards.

Each pair has a subject of its own: `old` is stored on its day, `new` is planned, nothing is written for it. What the
judge is not sure of, and what a guard holds back, counts as COEXIST.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import throwaway
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.pipeline import plan
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.link_kinds import LinkKind, kind_of
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service


@dataclass(frozen=True)
class Labelled:
    """A pair with what should become of it."""

    id: str
    old: Fact
    new: Fact
    action: Action
    link: LinkKind | None
    link_from: str | None = None


@dataclass(frozen=True)
class Planned:
    """What the pipeline would do with a pair."""

    pair: Labelled
    action: Action
    link: LinkKind | None
    is_candidate: bool
    abstained: bool
    provider: str | None
    link_from: str | None = None

    @property
    def is_right(self) -> bool:
        return self.action is self.pair.action

    @property
    def is_wrong_destructive(self) -> bool:
        return self.action is not Action.COEXIST and not self.is_right


def bench_judge(service: Service, pairs: Path, told: Callable[[str], None]) -> dict[str, Any]:
    """The figures of `bench judge`; see the keys in the command's help."""
    labelled = read_labelled(pairs)
    told(f"{len(labelled)} pairs")
    with throwaway(service, "judge") as tenant:
        planned = [_plan(service, tenant, pair) for pair in labelled]
    return measured(planned)


def read_labelled(file: Path) -> list[Labelled]:
    """The pairs of a file `{"pairs": [{"id", "old": {"text", "date"}, "new", "action", "link", "link_from"}]}`.

    `link_from` may be missing: "new" or "old", where the link starts; null for one that leads nowhere.
    Raises Invalid where a pair is not in that form.
    """
    try:
        return [_labelled(row) for row in json.loads(file.read_text("utf-8"))["pairs"]]
    except (KeyError, TypeError, ValueError) as error:
        raise Invalid(f"{file.name} does not hold labelled pairs: {error!r}.", path="pairs") from error


def measured(planned: Sequence[Planned]) -> dict[str, Any]:
    """The figures of some pairs."""
    said = [one for one in planned if one.action is Action.SUPERSEDE]
    meant = [one for one in planned if one.pair.action is Action.SUPERSEDE]
    return {
        "n": len(planned),
        "candidate_recall": _share(one.is_candidate for one in planned),
        "action_accuracy": _share(one.is_right for one in planned),
        "link_accuracy": _share(one.link == one.pair.link for one in planned),
        "link_direction_accuracy": _share(_is_so_directed(one) for one in planned),
        "supersede_precision": _share(one.is_right for one in said),
        "supersede_recall": _share(one.is_right for one in meant),
        "wrong_destructive": sum(one.is_wrong_destructive for one in planned),
        "abstained": sum(one.abstained for one in planned),
        "provider": ", ".join(sorted({one.provider for one in planned if one.provider})) or None,
        "mistakes": [one.pair.id for one in planned if not one.is_right],
    }


def _plan(service: Service, tenant: str, pair: Labelled) -> Planned:
    scope = Scope(tenant, f"pair-{pair.id}")
    add(service, Call(scope, "bench"), [pair.old])
    outcome = plan(service, scope, pair.new)
    return _planned(pair, outcome)


def _planned(pair: Labelled, outcome: Outcome) -> Planned:
    action = outcome.classification or Action.COEXIST
    candidates = outcome.candidates
    abstained = any(one.abstained for one in candidates) if candidates else False
    link = candidates[0].link if candidates else None
    start = "old" if candidates and candidates[0].link_from_candidate else "new"
    if action is Action.SUPERSEDE:
        link, start = LinkKind.SUPERSEDES, "new"
    return Planned(pair, action, link, bool(candidates), abstained, outcome.provider, start if link else None)


def _is_so_directed(one: Planned) -> bool:
    """Whether type and direction are right; where the pair tells no direction, the type."""
    return one.link == one.pair.link and one.pair.link_from in (None, one.link_from)


def _labelled(row: Any) -> Labelled:
    link = kind_of(row["link"]) if row["link"] else None
    old, new = (
        Fact(text=row[side]["text"], valid_from=_moment(row[side]["date"])) for side in ("old", "new")
    )
    return Labelled(str(row["id"]), old, new, Action(row["action"]), link, row.get("link_from"))


def _moment(date: str) -> datetime:
    at = datetime.fromisoformat(date)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _share(of: Any) -> float | None:
    values = np.array(list(of), np.float64)
    return round(float(values.mean()), 4) if values.size else None
