"""What the pair model learns from."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from graph_memory.judge.pair_model import LINKS, Joined
from graph_memory.judge.training import attribute_values, turned_statements
from graph_memory.judge.training.pair_examples import causes, joined, kept, material
from graph_memory.judge.training.streams import parse, read
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import JUDGED_ACTIONS, Action

DATA = Path(__file__).parents[1] / "data"
STREAMS, HANDS = DATA / "streams", DATA / "pairs"
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
    learnt = material(streams, HANDS, rng)
    epoch = learnt.epoch(rng)
    pairs = {(each.old, each.new) for each in learnt.written}
    assert pairs <= {(each.old, each.new) for each in epoch}
    assert not pairs & {(each.old, each.new) for each in kept(HANDS)}
    assert Counter(each.action for each in learnt.linked).keys() <= set(Action)
    assert all(each.action is Action.COEXIST and not each.tells_link for each in learnt.beside)
    assert len(kept(HANDS)) > 200


def test_a_link_that_the_model_does_not_know_is_none() -> None:
    assert joined(LinkKind.SUPERSEDES, from_known=False) is None
    assert joined(LinkKind.CONFLICTS, from_known=True) == Joined(LinkKind.CONFLICTS)
    assert joined(LinkKind.CAUSES, from_known=True) in LINKS


CHAT = """== x-01 | Europe/Vienna | two flatmates
2025-01-05 10:00 Ana: the hose of the washing machine burst
  + new asserted | washing machine | burst | | The hose of Ana's washing machine burst on 5 January 2025.
2025-01-05 10:01 Ben: i had eggs for breakfast
  + new asserted | Ben's breakfast | eggs | | Ben had eggs for breakfast on 5 January 2025.
2025-01-05 10:09 Ana: kitchen floor is ruined
  + new asserted <1 | kitchen floor | ruined | | Ana's kitchen floor is ruined.
2025-01-05 10:20 Ben: i pulled the machine out yesterday, must have been that
  + new asserted ^1 | washing machine | | yesterday = 2025-01-04 | Ben pulled out the washing machine on 4 January 2025.
"""


def test_what_led_to_what_is_learnt_with_its_direction_and_beside_what_did_not() -> None:
    [stream] = parse(CHAT, "x.txt")
    found = {(each.old, each.new): each.link for each in causes(stream, random.Random(1))}
    burst, eggs, floor, pulled = (line.said[0].statement for line in stream.lines)
    assert found[burst, floor] == Joined(LinkKind.CAUSES, from_known=True)
    assert found[burst, pulled] == Joined(LinkKind.CAUSES)
    assert found[eggs, floor] is None
    [silent] = parse(CHAT.replace(" <1", "").replace(" ^1", ""), "x.txt")
    assert causes(silent, random.Random(1)) == []


def test_attributes_give_pairs_of_every_action_with_values_of_one_kind() -> None:
    made = attribute_values.read(HANDS).pairs(random.Random(1), 2000)
    assert {action for *_, action in made} == set(JUDGED_ACTIONS)
    assert all("{" not in old + new for old, new, _ in made)
    assert all(old != new or action is Action.DUPLICATE for old, new, action in made)
