"""The weights of search, and how they are fitted."""

from __future__ import annotations

import numpy as np
import pytest

from graph_memory.bench.recall_fit import Candidates, _scale, fitted
from graph_memory.recall.score_weights import (
    BIAS,
    READ,
    SEEN,
    SLOPE,
    answered,
    logit_of,
    scaled,
    score_of,
    unscaled,
    weights,
)
from graph_memory.recall.text_question import MOST_WORDS, wording


@pytest.mark.parametrize("name", SEEN)
def test_each_set_of_weights_is_there_and_counts_likeness_for_good(name: str) -> None:
    held = weights(name)
    assert all(held[each] == 0 for each in SEEN["together"] if each not in SEEN[name])
    assert all(held[each] > 0 for each in ("cosine", "bare", "words") if each in SEEN[name])


def test_words_tell_of_an_answer_as_far_as_the_meaning_goes_along() -> None:
    seen = {"bare": 0.1, "words": 0.5}
    chances = [answered({**seen, "cosine": cosine}) for cosine in (-0.2, 0.0, 0.1, 0.3, 0.9)]
    assert chances[0] == chances[1] < chances[2] < chances[3] == chances[4]
    assert answered({**seen, "words": 1.0, "cosine": 0.3}) > chances[3]


@pytest.mark.parametrize("score", [0.001, 0.3, 0.5, 0.99])
def test_a_score_and_its_logit_are_one(score: float) -> None:
    assert score_of(logit_of(score)) == pytest.approx(score)


def test_each_word_of_a_question_has_a_bit_of_its_own() -> None:
    asked = wording("Where does Mara work, and who works there?")
    assert asked.bits == [2**15, 2**14]
    assert asked.terms == "search_text:/mara/^1.5 search_text:/work/^1.25"
    assert len(wording(" ".join(f"word{number}" for number in range(99))).bits) == MOST_WORDS


def test_irregular_forms_are_asked_for_together() -> None:
    assert wording("spend").terms == "search_text:/spend|spent/^1.5"
    assert wording("O'Neil 3.5").terms == r"search_text:/o\'neil/^1.5 search_text:/3\.5/^1.25"


def test_words_that_only_ask_count_when_there_are_no_others() -> None:
    assert wording("Who am I?").bits and not wording("the of and").terms


def test_what_tells_answers_apart_is_found_and_what_does_not_gets_no_weight() -> None:
    source, asked = np.random.default_rng(7), []
    for number in range(200):
        cosines, chance = source.normal(size=30), source.normal(size=30)
        answer = int(np.argmax(cosines)) if number % 4 else None
        seen = [{"cosine": float(c), "words": float(w)} for c, w in zip(cosines, chance, strict=True)]
        asked.append(
            Candidates(
                str(number % 5), 1, seen, [place == answer for place in range(30)], int(answer is not None)
            )
        )
    found = fitted(asked, ("cosine", "words"))
    assert found["cosine"] > 5 * abs(found["words"])


@pytest.mark.parametrize(("slope", "bias"), [(1.0, 0.0), (0.2, -3.0), (4.0, -20.0), (0.05, -6.0)])
def test_the_scale_is_found_that_makes_a_sum_the_chance_it_is(slope: float, bias: float) -> None:
    """However far the sums lie from where the search for it begins."""
    source = np.random.default_rng(5)
    sums = source.normal(loc=-3.0, scale=5.0, size=200_000)
    is_answer = source.random(200_000) < 1 / (1 + np.exp(-(bias + slope * sums)))
    found = _scale(sums, is_answer.astype(float))
    assert found[SLOPE] == pytest.approx(slope, rel=0.1)
    assert found[BIAS] == pytest.approx(bias, rel=0.1, abs=0.05)


@pytest.mark.parametrize("name", [READ, "together", "meaning", "words"])
def test_a_higher_sum_is_a_higher_chance_and_the_way_back_is_known(name: str) -> None:
    assert scaled(name, -4.0) < scaled(name, 0.0) < scaled(name, 4.0)
    assert unscaled(name, scaled(name, 1.5)) == pytest.approx(1.5)
