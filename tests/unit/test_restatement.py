"""What looks nearly alike and says something else is no repetition."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from graph_memory.ingest.restatement import REPEATED, unless_repeated
from graph_memory.judge.panel import Judgement
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.store.service import Service

AT = datetime(2026, 3, 1, tzinfo=UTC)
KNOWN = "In the spring of last year Ann told all of us at dinner that her {0} moved to a small house by the harbour in Split."


def _said(
    text: str,
    known: str,
    exempt: tuple[str, ...] = (),
    days: tuple[datetime | None, datetime | None] = (None, None),
) -> str:
    """The reason that is given for a new statement beside a known one."""

    def otherwise(*_: Any) -> Judgement:
        return Judgement((Verdict("m", Action.COEXIST, 0.9, "asked"),), "embedded")

    service = cast(Service, SimpleNamespace(embedder=SimpleNamespace(model="none")))
    scope: Any = None
    judge = unless_repeated(otherwise, exempt)
    new, old = Statement(None, text, AT, happens_at=days[0]), Statement("m", known, AT, happens_at=days[1])
    [verdict] = judge(service, scope, new, [old], 1.0).verdicts
    return verdict.reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("brother", "sister"),
        ("painted shed", "painter shed"),
        ("250 pounds", "250 euros"),
        ("lodger", "lawyer"),
    ],
)
def test_one_other_word_of_matter_is_asked_about(old: str, new: str) -> None:
    assert _said(KNOWN.format(new), KNOWN.format(old)) == "asked"


def test_what_happens_on_another_day_is_asked_about() -> None:
    said = KNOWN.format("brother")
    other = said.replace("that her", "that, her")
    day = AT - timedelta(days=3)
    assert _said(other, said, days=(day, day)) == REPEATED
    assert _said(other, said, days=(day, AT - timedelta(days=40))) == "asked"


def test_what_is_exempt_is_so_whatever_nobody_sees_in_it() -> None:
    said = KNOWN.format("brother")
    other = said.replace("that her", "that, her")
    assert _said(other, said, (f"\u200e{other}",)) == "asked"


def test_the_same_words_are_not_asked_about() -> None:
    said = KNOWN.format("brother")
    assert _said(said.replace("that her", "that, her"), said) == REPEATED
    assert (
        _said(said.replace("that her", "that, her"), said, (said.replace("that her", "that, her"),))
        == "asked"
    )
