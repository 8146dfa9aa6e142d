"""Reasoned recall on the real store: what is proved is answered, a model must name its sources (cases 121 to 128)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import Invalid
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.base.stopwatch import SystemWatch
from graph_memory.bootstrap import compose
from graph_memory.cli.questions import app
from graph_memory.curation.reviews import reject
from graph_memory.language.asked import asks_for_time, needs_reasoning
from graph_memory.ledger import activity
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact, Source, SourceKind
from graph_memory.model.verdict import Action
from graph_memory.models.registry import providers
from graph_memory.models.settings import AskSettings
from graph_memory.recall.reasoned import FAILED, NOTHING, UNPROVED, UNSOURCED, ask
from graph_memory.settings import load
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.integration.conversation_world import told as say
from tests.integration.remembering_world import Judge
from tests.integration.remembering_world import keep as remember
from tests.wires import Received, Wires, fails, says

pytestmark = pytest.mark.stack

MAY = datetime(2023, 5, 8, 14, 30, tzinfo=UTC)
GROUP = Fact(
    "Caroline went to an LGBTQ support group yesterday.",
    valid_from=MAY,
    source=Source(SourceKind.USER, author="Caroline"),
)


def keep(service: Service, scope: Scope, *facts: Fact | str) -> list[str]:
    made = [Fact(each) if isinstance(each, str) else each for each in facts]
    ids = [added.id for added in add(service, Call(scope, "test"), made)[0]]
    service.system(query("system/await_fulltext"))
    return ids


@pytest.fixture
def wires() -> Iterator[Wires]:
    with Wires() as opened:
        yield opened


@pytest.fixture
def asking(service: Service, wires: Wires) -> Iterator[Service]:
    """The service with a language model that says what its script holds."""
    settings = load(
        anthropic={"api_key": "sk-canary", "base_url": wires.url},
        providers={"order": ("anthropic", "embedded"), "attempts": 1},
    )
    opened = providers(settings, SystemWatch())
    own = compose(settings, service.driver, service.embedder, service.clock, providers=opened)
    yield own
    own.providers.close()


def reasoned(**values: Any) -> dict[str, Any]:
    return {
        "answer": "She went on 7 May 2023.", "confidence": 0.9, "reasoning": "It was said the day after.",
        "temporal_resolutions": [
            {"original_text": "yesterday", "memory_number": 1, "resolved_date": "2023-05-07", "confidence": 0.9}
        ],
        "source_numbers": [1], "requires_inference": True, **values,
    }  # fmt: skip


def test_a_relative_day_is_counted_from_the_day_it_was_said(service: Service, scope: Scope) -> None:
    [id] = keep(service, scope, GROUP)
    told = ask(service, scope, "When did Caroline go to the LGBTQ support group?")
    assert (told.answer, told.requires_inference, told.model) == ("7 May 2023", True, None)
    assert told.confidence > 0.8
    [resolved] = told.resolutions
    assert (resolved.original_text, resolved.memory_id, resolved.said_at) == ("yesterday", id, MAY)
    assert told.sources[told.used[0]].memory.id == id


def test_in_talk_a_relative_day_is_counted_from_the_message_and_not_from_the_day_it_tells(
    service: Service, scope: Scope
) -> None:
    """The memory holds from Wednesday 28 May, as its words tell; counted from there they would tell 21 May."""
    saturday = datetime(2025, 5, 31, 19, 10, tzinfo=UTC)
    say(service, scope, "I moved into the flat on Wednesday, so I live in Porto now.", at=saturday)
    service.system(query("system/await_fulltext"))
    found = ask(service, scope, "When did Ann move into the flat?")
    assert found.sources[0].memory.valid_from == datetime(2025, 5, 28, tzinfo=UTC)
    [resolved] = found.resolutions
    assert (found.answer, resolved.said_at) == ("28 May 2025", saturday)


def test_the_day_is_one_of_the_persons_zone(service: Service, scope: Scope) -> None:
    late = datetime(2023, 5, 9, 3, 0, tzinfo=UTC)
    keep(service, scope, replace(GROUP, valid_from=late))
    activity.set_time_zone(service, Call(scope, "test"), "America/Los_Angeles")
    assert ask(service, scope, "When did Caroline go to the LGBTQ support group?").answer == "7 May 2023"


def test_an_answer_that_may_hold_no_longer_says_what_waits(
    service: Service, scope: Scope, clock: Clock
) -> None:
    remember(service, scope, "Ann flies to Lima on 4 December 2026.")
    asked = remember(service, scope, "Ann's flight to Lima is off.", Judge(Action.SUPERSEDE, 0.7))
    service.system(query("system/await_fulltext"))
    found = ask(service, scope, "When does Ann fly to Lima?")
    assert found.answer == "4 December 2026"
    assert found.confidence <= 0.5
    assert found.note is not None
    assert found.note.endswith('"Ann\'s flight to Lima is off."')
    reject(service, Call(scope, "ann"), str(asked.review_id))
    assert ask(service, scope, "When does Ann fly to Lima?").note is None


@pytest.mark.parametrize(
    ("known", "question", "answer"),
    [
        (
            "Ann moved to Porto on 30 May 2025.",
            "How long ago did Ann move to Porto?",
            "7 months ago, on 30 May 2025",
        ),
        ("Ann moved to Porto in May 2025.", "What month did Ann move to Porto?", "May 2025"),
    ],
)
def test_what_is_stored_proves_a_time(
    service: Service, scope: Scope, known: str, question: str, answer: str
) -> None:
    keep(service, scope, known)
    assert ask(service, scope, question).answer == answer


@pytest.mark.parametrize(
    ("known", "question"),
    [
        ("Ann moved to Porto a few weeks ago.", "When did Ann move to Porto?"),
        ("Ben moved to Porto on 30 May 2025.", "When did Ann move to Porto?"),
        ("Ann has been in Porto since 20 December 2025.", "When was Ann in Lund with her sister?"),
        ("Ann forgot her keys when she moved on 30 May 2025.", "What did Ann forget when she moved?"),
        ("Ann sold her flat on 30 May 2025.", "When was Ann here?"),
        ("Ann has three sisters.", "How many sisters does Ann have?"),
        ("Ann's boss is Noor Haddad.", "Who is Ann's boss?"),
        ("Ann lives in Porto.", "Where does Ann live?"),
        ("Ann does not eat meat.", "Does Ann eat meat?"),
    ],
)
def test_what_nothing_proves_is_not_answered_and_the_sources_are_shown(
    service: Service, scope: Scope, known: str, question: str
) -> None:
    keep(service, scope, known)
    told = ask(service, scope, question)
    assert (told.answer, told.confidence, told.used) == (None, 0.0, ())
    assert [hit.memory.text for hit in told.sources] == [known]
    assert UNPROVED in (told.note or "")


def test_without_memories_the_answer_is_fixed_and_no_model_is_asked(
    asking: Service, scope: Scope, wires: Wires
) -> None:
    told = ask(asking, scope, "When did Caroline go to the support group?")
    assert (told.answer, told.confidence, told.requires_inference) == (NOTHING, 0.0, False)
    assert wires.received == []


def test_a_model_tells_prose_from_numbered_sources(asking: Service, scope: Scope, wires: Wires) -> None:
    [id] = keep(asking, scope, GROUP)
    wires.script(says(reasoned()))
    told = ask(asking, scope, "When did Caroline go to the support group?")
    assert (told.answer, told.used, told.requires_inference) == ("She went on 7 May 2023.", (0,), True)
    assert told.model is not None
    assert [each.original_text for each in told.resolutions] == ["yesterday"]
    assert told.sources[0].memory.id == id
    shown = wires.received[0].text
    assert "[1] since Monday, 8 May 2023 14:30" in shown


def test_sources_that_were_not_offered_are_dropped_and_without_any_there_is_no_answer(
    asking: Service, scope: Scope, wires: Wires
) -> None:
    keep(asking, scope, GROUP)
    wires.script(says(reasoned(source_numbers=[1, 7])), says(reasoned(source_numbers=[7])))
    assert ask(asking, scope, "Why did Caroline go to the support group?").used == (0,)
    told = ask(asking, scope, "Why did Caroline go to the support group?")
    assert (told.answer, told.model) == (None, None)
    assert UNSOURCED in (told.note or "")


def test_where_the_model_fails_what_is_stored_answers_with_a_note(
    asking: Service, scope: Scope, wires: Wires
) -> None:
    keep(asking, scope, GROUP)
    wires.script(fails(500))
    told = ask(asking, scope, "When did Caroline go to the support group?")
    assert (told.answer, told.note) == ("7 May 2023", FAILED)


def test_a_list_is_not_reasoned_about_unless_it_is_forced(
    asking: Service, scope: Scope, wires: Wires
) -> None:
    keep(asking, scope, "Ann prefers tea.")
    assert ask(asking, scope, "list what Ann prefers").answer is None
    assert wires.received == []

    def tells(asked: Received) -> Any:
        return says(reasoned(answer="Tea.", temporal_resolutions=[]))

    wires.script(tells)
    assert ask(asking, scope, "list what Ann prefers", reason=True).answer == "Tea."
    assert ask(asking, scope, "What does Ann prefer?", reason=False).answer is None


@pytest.mark.parametrize(
    ("question", "is_of_time", "reasons"),
    [
        ("When did Ann move?", True, True), ("tell me what day Ann moved", True, True),
        ("How long ago did Ann move?", True, True), ("How many days is it?", False, True),
        ("What did Ann forget when she moved?", False, True), ("is Ann here", False, True), ("Who is Ann?", False, True),
        ("list my preferences", False, False), ("whenever Ann moves", False, False),
    ],
)  # fmt: skip
def test_what_a_question_asks_for_is_told_from_whole_words(
    question: str, is_of_time: bool, reasons: bool
) -> None:
    assert asks_for_time(question) is is_of_time
    assert needs_reasoning(question, AskSettings().triggers) is reasons


def test_a_question_of_the_past_is_answered_as_of_then(service: Service, scope: Scope, clock: Clock) -> None:
    clock.set(2026, 11, 23)
    june = datetime(2026, 6, 1, tzinfo=UTC)
    keep(
        service, scope, Fact("Ana works at Quillmark.", valid_from=datetime(2025, 1, 1, tzinfo=UTC), valid_to=june),
        Fact("Ana works at Larkfield.", valid_from=june),
    )  # fmt: skip
    told = ask(service, scope, "Where did Ana work last spring?")
    assert [hit.memory.text for hit in told.sources] == ["Ana works at Quillmark."]
    assert told.interpreted is not None


def test_the_command_shows_the_answer_and_its_sources(service: Service, scope: Scope) -> None:
    keep(service, scope, GROUP)
    told = CliRunner().invoke(
        app,
        [
            "When did Caroline go to the LGBTQ support group?",
            "--tenant",
            scope.tenant_name,
            "--subject",
            str(scope.subject_name),
        ],
    )
    assert told.exit_code == 0, told.output
    assert told.output.startswith("7 May 2023  (0.90, worked out)")
    assert "* Caroline went" in told.output


def test_the_command_says_once_that_there_is_nothing(service: Service, scope: Scope) -> None:
    told = CliRunner().invoke(app, ["When did Bea move?", "--tenant", scope.tenant_name])
    assert told.exit_code == 0, told.output
    assert told.output.startswith(NOTHING)


def test_a_question_is_called_so_where_it_cannot_be_asked(service: Service, scope: Scope) -> None:
    with pytest.raises(Invalid, match=r"^question is empty\.$"):
        ask(service, scope, " ")


def test_a_model_is_told_the_true_day_where_a_question_asks_for_the_past(
    asking: Service, scope: Scope, wires: Wires, clock: Clock
) -> None:
    """It was told the middle of that spring, so that "last spring" was the one before."""
    clock.set(2026, 11, 23)
    keep(asking, scope, Fact("Ana works at Quillmark.", valid_from=datetime(2025, 1, 1, tzinfo=UTC)))
    wires.script(says(reasoned(answer="At Quillmark.", temporal_resolutions=[])))
    assert ask(asking, scope, "Where did Ana work last spring?").interpreted is not None
    assert "TODAY\nMonday, 23 November 2026" in wires.received[-1].text
    ask(asking, scope, "Where did Ana work?", moment=Moment(datetime(2026, 3, 2, tzinfo=UTC)))
    assert "TODAY\nMonday, 2 March 2026" in wires.received[-1].text
