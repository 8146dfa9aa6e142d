"""The model that has learnt to read pairs."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graph_memory.base.errors import ModelFault
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.guards import Side, objection
from graph_memory.judge.pair_model import LINKS, PairModel, as_sentence
from graph_memory.judge.training.pairs import read_pairs
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Action, Statement

DATA = Path(__file__).parents[1] / "data"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def judge() -> EmbeddedJudge:
    return EmbeddedJudge()


def done(judge: EmbeddedJudge, old: str, new: str, days: int = 20) -> Action:
    """What judge and guards together let be done."""
    [said] = judge.classify(Statement(None, new, DAY + timedelta(days=days)), [Statement("m1", old, DAY)])
    sides = (Side(text, None, SourceKind.USER) for text in (new, old))
    return Action.COEXIST if objection(said.action, *sides) else said.action


def test_near_misses_hardly_ever_lose_anything(judge: EmbeddedJudge) -> None:
    """What differs in one small word, in the order of its words or in the thing it speaks of. Measured: 3 of 94."""
    lines = (DATA / "near_misses.txt").read_text("utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    barred = {"not the same": {Action.DUPLICATE}, "both stand": {Action.DUPLICATE, Action.SUPERSEDE}}
    wrong = [
        (one, other)
        for kind, old, new in rows
        for one, other in ((old, new), (new, old))
        if done(judge, one, other) in barred[kind]
    ]
    assert len(rows) >= 45
    assert len(wrong) <= 4, wrong


@pytest.mark.parametrize(
    ("name", "right", "superseded"),
    [("judge_seen.txt", 44, 7), ("judge_unseen.txt", 50, 16), ("judge_fresh.txt", 53, 10)],
)
def test_pairs_that_nothing_has_learnt_from_stay_above_the_floor(
    judge: EmbeddedJudge, name: str, right: int, superseded: int
) -> None:
    pairs = read_pairs(DATA / name)
    said = [(pair.action, done(judge, pair.old, pair.new, 0 if pair.said_at_once else 80)) for pair in pairs]
    assert sum(meant is action for meant, action in said) >= right
    assert sum(action is not Action.COEXIST and action is not meant for meant, action in said) <= 3
    assert sum(meant is action is Action.SUPERSEDE for meant, action in said) >= superseded


@pytest.mark.parametrize(
    "later", [timedelta(minutes=1), timedelta(days=1), timedelta(days=21), timedelta(days=400)]
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ann lives in Paris.", "Ann lives in Rome now."),
        ("I work at Google.", "I now work at Anthropic."),
        ("works at Google", "now works at Anthropic"),
    ],
)
def test_a_plain_change_is_one_however_soon_it_is_told(
    judge: EmbeddedJudge, old: str, new: str, later: timedelta
) -> None:
    [said] = judge.classify(Statement(None, new, DAY + later), [Statement("m1", old, DAY)])
    assert said.action is Action.SUPERSEDE


def test_what_is_too_long_to_be_read_whole_is_not_read() -> None:
    long = "The list of the house holds " + ", ".join(f"lamp number {n}" for n in range(60))
    assert PairModel().read(Statement(None, "A lamp.", DAY), Statement("m1", long, DAY)) is None


@pytest.mark.parametrize(("text", "wanted"), [("A cat", "A cat."), ("A cat!", "A cat!"), ("", ".")])
def test_a_text_without_an_end_gets_one(text: str, wanted: str) -> None:
    assert as_sentence(text) == wanted


def test_a_file_that_is_missing_or_another_is_told(tmp_path: Path) -> None:
    old, new = Statement("m1", "Has a cat.", DAY), Statement(None, "Has a dog.", DAY)
    with pytest.raises(ModelFault, match="cannot be read"):
        PairModel(tmp_path / "none.onnx").read(new, old)
    file = tmp_path / "other.onnx"
    file.write_bytes(b"another")
    file.with_suffix(".json").write_text(json.dumps({"sha256": "0" * 64}))
    with pytest.raises(ModelFault, match="is not the one of its card"):
        PairModel(file).read(new, old)


def test_the_packaged_model_tells_from_when_on_it_acts() -> None:
    assert PairModel().thresholds.keys() == {Action.DUPLICATE, Action.SUPERSEDE, Action.MERGE}
    assert len(set(LINKS)) == len(LINKS)
