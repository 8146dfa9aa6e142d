"""What a model says of known memories that it has read beside the messages, as verdicts for the pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from graph_memory.ingest.extract_answer import Found
from graph_memory.ingest.read_verdicts import judged
from graph_memory.judge.panel import READING, Judgement
from graph_memory.model.verdict import Action, Effect, Statement, Verdict
from graph_memory.models.settings import ProvidersSettings

AT = datetime(2026, 3, 1, tzinfo=UTC)
NEW = Statement(None, "Ann takes 88 mg.", AT)
OLD = Statement("old", "Ann takes 120 mg.", AT)
NEWER = Statement("newer", "Ann takes 50 mg.", AT)


def asked(_: Any, __: Any, ___: Any, known: Sequence[Statement], ____: float) -> Judgement:
    return Judgement(tuple(Verdict(each.id or "", Action.COEXIST, 0.7, "asked") for each in known), "other")


@pytest.mark.parametrize("text", [NEW.text, f"\u200e{NEW.text}"])
@pytest.mark.parametrize(
    ("candidates", "actions", "provider"),
    [
        ([OLD], [Action.SUPERSEDE], READING),
        ([OLD, NEWER], [Action.SUPERSEDE, Action.COEXIST], READING),
        # Another run has replaced what it changes: nobody has read the two beside one another.
        ([NEWER], [Action.COEXIST], "other"),
    ],
)
def test_the_others_stand_only_beside_what_is_changed(
    text: str, candidates: list[Statement], actions: list[Action], provider: str
) -> None:
    found = Found(text, 0.95, "fact", known="old", effect=Effect.CHANGES, sure=0.95)
    service: Any = SimpleNamespace(settings={ProvidersSettings: ProvidersSettings(second_vote=False)})
    judgement = judged([found], {"old"}, asked)(service, service, NEW, candidates, 1.0)
    assert [each.action for each in judgement.verdicts] == actions
    assert judgement.provider == provider
