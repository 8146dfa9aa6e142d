"""The worked examples through the whole pipeline: the default embedder, the embedded judge, nothing scripted."""

from __future__ import annotations

import pytest

from graph_memory.base.scope import Scope
from graph_memory.ingest.outcome import Outcome
from graph_memory.ingest.pipeline import remember, remember_many
from graph_memory.judge import panel
from graph_memory.ledger.changes import Call
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.integration.remembering_world import live

pytestmark = pytest.mark.stack


def _keep(service: Service, scope: Scope, text: str) -> Outcome:
    outcome, _ = remember(service, Call(scope, "test"), Fact(text), classify=panel.classify)
    return outcome


@pytest.mark.parametrize(
    ("old", "new", "done"),
    [
        ("User prefers dark mode", "User likes dark theme", Action.DUPLICATE),
        ("works at Google", "now works at Anthropic", Action.SUPERSEDE),
        ("I work at Google.", "I now work at Anthropic.", Action.SUPERSEDE),
        ("has a dog", "dog is named Max", Action.MERGE),
        ("User enjoys hiking", "User went hiking last weekend", Action.COEXIST),
        ("The team stores vectors in Pinecone", "They moved the vectors to pgvector", Action.SUPERSEDE),
    ],
)
def test_the_worked_examples_come_out_as_they_are_told(
    service: Service, scope: Scope, clock: Clock, old: str, new: str, done: Action
) -> None:
    """Cases 83 to 86 and 152, with their literal words."""
    first = _keep(service, scope, old)
    clock.forward(days=21)
    outcome = _keep(service, scope, new)
    assert outcome.classification is done, outcome
    assert outcome.operation is not Operation.ADD or done is Action.COEXIST
    texts = [each.text for each in live(service, scope)]
    if done is Action.SUPERSEDE:
        assert (texts, outcome.target_id) == ([new], first.id)
    elif done is Action.COEXIST:
        assert set(texts) == {old, new}
    else:
        assert len(texts) == 1 and ("Max" in texts[0]) is (done is Action.MERGE)


def test_an_answer_to_the_same_question_is_found_below_the_floor(
    service: Service, scope: Scope, clock: Clock
) -> None:
    """ "Work at Google" and "work at Anthropic" have a cosine of .36; the verb tells that one may end the other."""
    others = ("I have a cat called Miso.", "My sister lives in Lyon.", "I drink tea in the morning.")
    remember_many(service, Call(scope, "test"), [Fact(text) for text in (*others, "I work at Google.")])
    clock.forward(days=21)
    outcome = _keep(service, scope, "I now work at Anthropic.")
    assert outcome.classification is Action.SUPERSEDE
    assert {each.text for each in live(service, scope)} == {*others, "I now work at Anthropic."}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ich wohne in Hamburg.", "Ich wohne nicht mehr in Hamburg."),
        ("Mi jefe es Carlos.", "Mi jefe ya no es Carlos."),
        ("我住在北京。", "我不住在北京。"),
    ],
)
def test_in_other_languages_both_stay_and_the_outcome_says_why(
    service: Service, scope: Scope, clock: Clock, old: str, new: str
) -> None:
    _keep(service, scope, old)
    clock.forward(days=21)
    outcome = _keep(service, scope, new)
    # The rules propose nothing here, and a review with nothing to decide is not opened.
    assert outcome.review_id is None and "English" in outcome.reason
    assert {each.text for each in live(service, scope)} == {old, new}
