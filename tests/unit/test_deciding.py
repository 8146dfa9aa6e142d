"""From verdicts to one decision."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph_memory.ingest.candidates import Candidate
from graph_memory.ingest.choice import Choice, Judged, choose, weigh
from graph_memory.ingest.thresholds import profile_of
from graph_memory.judge.guards import Side
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Action, Verdict
from graph_memory.models.profiles import Profile

NEW = Side("She likes green tea.", None, SourceKind.USER)
PROFILE = Profile(
    candidates=0.5, shared=0.3, worded=0.3, related=0.6, headed=0.75, duplicates=0.9, linking=0.75
)


def _candidate(id: str, cosine: float) -> Candidate:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Candidate(id, "She likes tea.", "fact", "", SourceKind.USER, None, at, (), cosine, ())


def _choice(
    *verdicts: Verdict, pipeline: PipelineSettings | None = None, cosines: tuple[float, ...] = ()
) -> Choice:
    settings = pipeline or PipelineSettings()
    near = cosines or tuple(0.9 - 0.1 * place for place in range(len(verdicts)))
    judged = [
        weigh(_candidate(verdict.candidate, cosine), verdict, "test", NEW, settings)
        for verdict, cosine in zip(verdicts, near, strict=True)
    ]
    return choose(judged, PROFILE)


def _says(id: str, action: Action, confidence: float = 0.9, **more: object) -> Verdict:
    return Verdict(id, action, confidence, "because", **more)  # type: ignore[arg-type]


def test_nothing_near_is_an_addition() -> None:
    assert _choice() == Choice(None)


def test_the_first_that_coexists_does_not_win_over_a_duplicate() -> None:
    """Case 93."""
    choice = _choice(_says("a", Action.COEXIST), _says("b", Action.DUPLICATE))
    assert choice.action is Action.DUPLICATE
    assert choice.chosen is not None
    assert choice.chosen.candidate.id == "b"


def test_precedence_comes_before_similarity_and_similarity_among_equals() -> None:
    order = [Action.COEXIST, Action.MERGE, Action.SUPERSEDE, Action.DUPLICATE]
    for place, action in enumerate(order[1:], 1):
        choice = _choice(*(_says(each, each) for each in order[: place + 1]))
        assert choice.action is action
    choice = _choice(_says("a", Action.MERGE), _says("b", Action.MERGE), cosines=(0.7, 0.8))
    assert choice.chosen is not None
    assert choice.chosen.candidate.id == "b"


@pytest.mark.parametrize(("confidence", "acts"), [(0.8, False), (0.81, True), (0.5, False), (1.0, True)])
def test_only_above_the_threshold_is_it_done_by_itself(confidence: float, acts: bool) -> None:
    """Case 89."""
    choice = _choice(_says("a", Action.SUPERSEDE, confidence))
    assert choice.action is (Action.SUPERSEDE if acts else Action.COEXIST)
    assert choice.asks is not acts
    assert (choice.proposal is None) is acts


def test_a_doubtful_duplicate_does_not_hide_a_sure_new_version() -> None:
    choice = _choice(_says("a", Action.DUPLICATE, 0.6), _says("b", Action.SUPERSEDE, 0.95))
    assert choice.action is Action.SUPERSEDE


def test_an_abstention_coexists_and_a_person_is_asked() -> None:
    choice = _choice(_says("a", Action.COEXIST, 0.4, abstained=True, proposal=Action.MERGE))
    assert choice.action is Action.COEXIST
    assert choice.asks
    assert choice.proposal is not None
    assert choice.proposal.wanted is Action.MERGE


@pytest.mark.parametrize(
    ("sure", "acts_from", "told"),
    [
        (0.62, 0.8, "the judge abstained: it was 0.62 sure, and acts by itself from 0.80 on"),
        (0.839, 0.84, "the judge abstained: it was 0.83 sure, and acts by itself from 0.84 on"),
        (0.9, 0.84, "the judge was 0.90 sure, and leaves this to a person all the same"),
        (0.62, None, "the judge abstained, 0.62 sure"),
        (0.0, 0.8, "the judge abstained"),
    ],
)
def test_an_abstention_tells_how_sure_the_judge_was(sure: float, acts_from: float | None, told: str) -> None:
    verdict = _says("a", Action.COEXIST, sure, abstained=True, proposal=Action.SUPERSEDE)
    judged = weigh(_candidate("a", 0.9), verdict, "test", NEW, PipelineSettings(), acts_from)
    assert judged.hindrance == told


@pytest.mark.parametrize(
    ("action", "switch"), [(Action.SUPERSEDE, "enable_supersede"), (Action.MERGE, "enable_merge")]
)
def test_what_is_switched_off_is_told_and_asks_nobody(action: Action, switch: str) -> None:
    """Cases 94 and 95: the fallback says why; it is no silent addition."""
    choice = _choice(_says("a", action), pipeline=PipelineSettings(**{switch: False}))
    assert choice.action is Action.COEXIST
    assert switch in choice.reason
    assert action.value in choice.reason
    assert not choice.asks


def test_links_go_to_the_right_candidates() -> None:
    """Case 74."""
    kinds = [LinkKind.CAUSES, LinkKind.SUPPORTS, LinkKind.CONFLICTS]
    choice = _choice(*(_says(f"c{at}", Action.COEXIST, link=kind) for at, kind in enumerate(kinds)))
    assert [(join.candidate.id, join.kind) for join in choice.joins] == [
        (f"c{at}", kind) for at, kind in enumerate(kinds)
    ]


@pytest.mark.parametrize(("confidence", "made"), [(0.69, False), (0.70, True)])
def test_a_link_needs_confidence(confidence: float, made: bool) -> None:
    """Case 73."""
    choice = _choice(_says("a", Action.COEXIST, confidence, link=LinkKind.CAUSES), cosines=(0.55,))
    assert bool(choice.joins) is made


def test_a_judge_with_a_measure_of_its_own_for_links_needs_no_other() -> None:
    sure = _says("a", Action.COEXIST, 0.5, link=LinkKind.CONFLICTS, is_sure_of_link=True)
    assert [join.kind for join in _choice(sure, cosines=(0.55,)).joins] == [LinkKind.CONFLICTS]


def test_what_carries_a_heading_must_be_nearer_to_be_related() -> None:
    """Who said it and when is part of what is embedded, and brings all that one person said nearer."""
    judged = [
        Judged(replace(_candidate("old", 0.7), heading=heading), _says("old", Action.COEXIST), "test")
        for heading in ("", "Ann (3 May 2026)")
    ]
    assert [len(choose([each], PROFILE).joins) for each in judged] == [1, 0]


def test_the_nearest_is_related_and_its_neighbours_are_not() -> None:
    verdicts = [_says("a", Action.COEXIST), _says("b", Action.COEXIST), _says("c", Action.COEXIST)]
    choice = _choice(*verdicts, cosines=(0.7, 0.69, 0.62))
    assert [(join.candidate.id, join.kind, join.strength) for join in choice.joins] == [
        ("a", LinkKind.RELATED, 0.8)
    ]
    assert _choice(*verdicts, cosines=(0.59, 0.55, 0.51)).joins == ()


def test_a_type_that_is_not_made_by_hand_is_no_link() -> None:
    choice = _choice(_says("a", Action.COEXIST, link=LinkKind.SUPERSEDES), cosines=(0.55,))
    assert choice.joins == ()


def test_thresholds_belong_to_the_model_and_settings_come_first() -> None:
    assert profile_of("all-MiniLM-L6-v2", PipelineSettings()).candidates == 0.45
    assert profile_of("another-model", PipelineSettings()).candidates == 0.85
    assert profile_of("all-MiniLM-L6-v2", PipelineSettings(floor=0.42)).candidates == 0.42
