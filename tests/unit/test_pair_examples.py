"""What the pair model learns from."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from graph_memory.judge.pair_model import LINKS, Joined
from graph_memory.judge.training import turned_statements
from graph_memory.judge.training.pair_examples import joined, kept, material
from graph_memory.judge.training.streams import read
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action

STREAMS = Path(__file__).parents[1] / "data" / "streams"
TEXTS = [
    "Ada told Lin about the trip.",
    "The pool is open at nine.",
    "User likes tea with milk.",
    "Paul has a boat on the lake.",
    "The office has a kitchen on Mondays.",
]


def test_a_statement_that_a_small_word_turns_round_is_never_the_same() -> None:
    made = turned_statements.pairs(TEXTS * 4, random.Random(1), 20, 0)
    assert made
    assert all(old != new and action is not Action.DUPLICATE for old, new, action in made)
    assert {old for old, *_ in made} | {new for _, new, _ in made} > set(TEXTS[:1])


def test_names_change_places() -> None:
    made = {
        new
        for seed in range(30)
        for _, new, _ in turned_statements.pairs(TEXTS[:1], random.Random(seed), 1, 0)
    }
    assert "Lin told Ada about the trip." in made


def test_the_same_in_other_small_words_is_the_same() -> None:
    made = turned_statements.pairs(TEXTS, random.Random(1), 0, 9)
    assert {action for *_, action in made} == {Action.DUPLICATE}


def test_an_epoch_holds_all_that_was_written_and_no_group_that_is_kept() -> None:
    streams = [each for each in read(STREAMS) if each.name.startswith("h01")]
    rng = random.Random(1)
    learnt = material(streams, rng)
    epoch = learnt.epoch(rng)
    pairs = {(each.old, each.new) for each in learnt.written}
    assert pairs <= {(each.old, each.new) for each in epoch}
    assert not pairs & {(each.old, each.new) for each in kept()}
    assert Counter(each.action for each in learnt.linked).keys() <= set(Action)
    assert all(each.action is Action.COEXIST and not each.tells_link for each in learnt.beside)
    assert len(kept()) > 200


def test_a_link_that_the_model_does_not_know_is_none() -> None:
    assert joined(LinkKind.SUPERSEDES, from_known=False) is None
    assert joined(LinkKind.CONFLICTS, from_known=True) == Joined(LinkKind.CONFLICTS)
    assert joined(LinkKind.CAUSES, from_known=True) in LINKS
