"""`bench statements`: single statements beside a little that is known, as one statement and as a message.

Each has a subject of its own. Decided is what ends with every wanted text live and no unwanted one; asked is what a
review would bring there. Lost is a known text that is gone though it should have stayed: the worst that can happen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import throwaway
from graph_memory.curation import review_records
from graph_memory.ingest.pipeline import remember
from graph_memory.ingest.submission import close, submit
from graph_memory.ledger.changes import Call
from graph_memory.memory.reading import browse
from graph_memory.model.memory import Fact
from graph_memory.model.message import Message
from graph_memory.model.review import Review
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tasks import execute

_KNOWN_AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
_SAID_AT = _KNOWN_AT + timedelta(days=7)
_AFTER = _SAID_AT + timedelta(days=1)
_SPEAKER = "Ann"
_ALL = 50
_ACTIONS = {each.value: each for each in Action if each is not Action.COEXIST}

# Stores what is known and then what is said.
Tell = Callable[[Service, Scope, "Case"], None]


@dataclass(frozen=True)
class Case:
    """What is known, what is said then, and which texts must and must not be live afterwards (as patterns)."""

    known: tuple[str, ...]
    said: str
    want: tuple[str, ...]
    keeps: tuple[re.Pattern[str], ...]
    gone: tuple[re.Pattern[str], ...]


@dataclass(frozen=True)
class Came:
    """The live texts afterwards, and the reviews that wait."""

    case: Case
    texts: tuple[str, ...]
    reviews: tuple[Review, ...]

    @property
    def is_decided(self) -> bool:
        """Whether all stands as a person would leave it."""
        kept = all(any(each.search(text) for text in self.texts) for each in self.case.keeps)
        return kept and not any(each.search(text) for each in self.case.gone for text in self.texts)

    @property
    def is_asked(self) -> bool:
        """Whether nothing is lost and a review proposes what a person would do."""
        wanted = {_ACTIONS[name] for name in self.case.want if name in _ACTIONS}
        return not self.lost and any(review.action in wanted for review in self.reviews)

    @property
    def lost(self) -> bool:
        """Whether what a known text tells and must stay stands nowhere any more."""
        due = [each for each in self.case.keeps if any(each.search(text) for text in self.case.known)]
        return not all(any(each.search(text) for text in self.texts) for each in due)


def bench_statements(service: Service, data: Path, told: Callable[[str], None]) -> dict[str, Any]:
    """How many were decided, asked and lost, by each way in; `failures` says which were neither decided nor asked."""
    cases = read_cases(data)
    told(f"{len(cases)} statements")
    ways: dict[str, Tell] = {"remember": _remembered, "talk": _talked}
    return {name: _figures(_played(service, cases, name, tell)) for name, tell in ways.items()}


def read_cases(file: Path) -> list[Case]:
    """The lines of a file of `{"known": [], "said", "want", "keeps": [], "gone": []}`; Invalid where one is not so."""
    try:
        return [_case(json.loads(line)) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (KeyError, TypeError, ValueError, re.error) as error:
        raise Invalid(f"{file.name} does not hold statements: {error!r}.", path="data") from error


def _case(row: dict[str, Any]) -> Case:
    keeps, gone = (tuple(re.compile(each) for each in row[name]) for name in ("keeps", "gone"))
    return Case(tuple(row["known"]), row["said"], tuple(row["want"].split("|")), keeps, gone)


def _played(service: Service, cases: Sequence[Case], way: str, tell: Tell) -> list[Came]:
    came = []
    with throwaway(service, f"statements-{way}") as tenant:
        for number, case in enumerate(cases):
            scope = Scope(tenant, f"case-{number}")
            tell(service, scope, case)
            after = replace(service, clock=lambda: _AFTER)
            texts = tuple(each.text for each in browse(after, scope, first=_ALL).items)
            reviews = tuple(review_records.page(after, scope, _ALL).items)
            came.append(Came(case, texts, reviews))
    return came


def _remembered(service: Service, scope: Scope, case: Case) -> None:
    for text, at in [*((text, _KNOWN_AT) for text in case.known), (case.said, _SAID_AT)]:
        remember(replace(service, clock=lambda at=at: at), Call(scope, "bench"), Fact(text))  # type: ignore[misc]


def _talked(service: Service, scope: Scope, case: Case) -> None:
    for session, at, texts in (("first", _KNOWN_AT, case.known), ("second", _SAID_AT, (case.said,))):
        then = replace(service, clock=lambda at=at: at + timedelta(hours=1))  # type: ignore[misc]
        said = [
            Message(_SPEAKER, at + timedelta(minutes=place), text, role="user")
            for place, text in enumerate(texts)
        ]
        submit(then, Call(scope, "bench"), session, said)
        execute(then, scope, close(then, Call(scope, "bench"), session).run_id)


def _figures(came: Sequence[Came]) -> dict[str, Any]:
    decided = [each for each in came if each.is_decided]
    asked = [each for each in came if not each.is_decided and each.is_asked]
    failed = [each for each in came if not each.is_decided and not each.is_asked]
    return {
        "n": len(came),
        "decided": len(decided),
        "asked": len(asked),
        "lost": sum(each.lost for each in came),
        "reviews": sum(len(each.reviews) for each in came),
        "failures": [_told(each) for each in failed],
    }


def _told(came: Came) -> str:
    known, live = " / ".join(came.case.known), " / ".join(came.texts)
    return f"{'|'.join(came.case.want)}: {known} + {came.case.said} = {live}"
