"""The judge that needs no service: what it does with pairs, together with the policy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graph_memory.judge.embedded import ACTS, EmbeddedJudge
from graph_memory.judge.guards import Side, objection
from graph_memory.judge.training.pairs import read_pairs
from graph_memory.language.analysis import read
from graph_memory.language.values import Value, taken_out
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import SourceKind
from graph_memory.model.verdict import Action, Statement, Verdict

DATA = Path(__file__).parents[1] / "data"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def judge() -> EmbeddedJudge:
    return EmbeddedJudge()


def verdict(judge: EmbeddedJudge, old: str, new: str, days: int = 20) -> Verdict:
    [answer] = judge.classify(Statement(None, new, DAY + timedelta(days=days)), [Statement("m1", old, DAY)])
    return answer


def done(judge: EmbeddedJudge, old: str, new: str, days: int = 20) -> Action:
    """What judge and policy together let be done."""
    said = verdict(judge, old, new, days).action
    sides = (Side(text, None, SourceKind.USER) for text in (new, old))
    return Action.COEXIST if objection(said, *sides) else said


def not_so(judge: EmbeddedJudge, pairs: Sequence[tuple[str, str]], *barred: Action) -> list[tuple[str, str]]:
    """The pairs, read either way, to which one of these is done."""
    return [
        (a, b) for one, other in pairs for a, b in ((one, other), (other, one)) if done(judge, a, b) in barred
    ]


@pytest.mark.parametrize(
    ("old", "new", "action"),
    [
        ("User prefers dark mode", "User likes dark theme", Action.DUPLICATE),
        ("User works at Google", "User now works at Anthropic", Action.SUPERSEDE),
        ("works at Google", "now works at Anthropic", Action.SUPERSEDE),
        ("User has a dog", "User's dog is named Max", Action.MERGE),
        ("has a dog", "dog is named Max", Action.MERGE),
        ("User enjoys hiking", "User went hiking last weekend", Action.COEXIST),
        ("The team stores vectors in Pinecone", "They moved the vectors to pgvector", Action.SUPERSEDE),
    ],
)
def test_the_worked_examples_are_done_or_proposed(
    judge: EmbeddedJudge, old: str, new: str, action: Action
) -> None:
    """Cases 83 to 86 and 152."""
    said = verdict(judge, old, new)
    assert (said.proposal or said.action) is action


ONE_VALUE = [
    ("The locker has number 17", "The locker has number 71"),
    ("The exam is on 3 May", "The exam is on 9 May"),
    ("The class is on Monday", "The class is on Thursday"),
    ("Aunt Berta lives in Köln", "Aunt Berta lives in Ulm"),
    ("The pool is heated", "The pool is not heated"),
    ("Has a brother", "Has a sister"),
    ("Likes olives", "Hates olives"),
]


def test_what_differs_in_one_value_is_no_duplicate(judge: EmbeddedJudge) -> None:
    """Each is read either way: no more than one of them is dropped."""
    assert len(not_so(judge, ONE_VALUE, Action.DUPLICATE)) <= 2


SMALL_WORDS = [
    ("Cora prefers rice to pasta.", "Cora prefers pasta to rice."),
    ("Send the crates from Ulm to Bonn.", "Send the crates from Bonn to Ulm."),
    ("Ada teaches Lin.", "Lin teaches Ada."),
    ("The suite passes on ARM.", "The suite should pass on ARM."),
    ("Guests must wear a badge.", "Guests may wear a badge."),
    ("Emil chews gum.", "Emil used to chew gum."),
    ("Emil is about to retire.", "Emil retires."),
    ("Vera runs the stall.", "Vera ran the stall."),
    ("All rooms have a fan.", "Most rooms have a fan."),
    ("Few trains stop here.", "Many trains stop here."),
    ("Only Rolf has the key.", "Rolf has the key."),
    ("Water the fern before lunch.", "Water the fern after lunch."),
    ("The siren goes on at dusk.", "The siren goes off at dusk."),
    ("I am allergic to wasps.", "She is allergic to wasps."),
    ("He has a van.", "I have a van."),
    ("Geese are not allowed on the lawn.", "Goats are not allowed on the lawn."),
    ("The inner door jams.", "The outer door jams."),
]


def test_what_small_words_or_order_say_otherwise_is_hardly_ever_dropped_as_known(
    judge: EmbeddedJudge,
) -> None:
    assert len(not_so(judge, SMALL_WORDS, Action.DUPLICATE)) <= 3


ANOTHER = [
    ("Greta works as a baker", "Paul quit his job as a baker"),
    ("Order 17 is open", "Order 18 was closed"),
    ("Likes opera", "Likes football"),
    ("Speaks Danish", "Also speaks Finnish"),
    ("Rosa leads the Turin branch.", "Rosa no longer leads the Genoa branch."),
    ("The tap in the attic drips.", "The tap in the cellar has been repaired."),
    ("Otto sold his barge.", "Otto sold his kiln."),
    ("Changed his surname.", "Changed his landline number."),
    ("Mila moved to the audit team.", "Mila moved to a bigger flat."),
    ("Swims on Tuesdays.", "Swims on Fridays too."),
    ("Fips is a terrier.", "Fips is now two years old."),
    ("Fips is a terrier.", "Fips is now at the vet."),
    ("The till talks to the ledger over SOAP.", "The till now talks to the printer over REST."),
    ("Indent with tabs in the Go files.", "Indent with spaces in the Python files."),
    ("Is afraid of wasps.", "Is no longer afraid of bats."),
    ("I no longer buy milk at Aldo.", "I no longer buy bread at Aldo."),
    ("The upper valve leaks.", "The lower valve no longer leaks."),
    ("He lives in Nantes.", "She now lives in Brest."),
    ("Has a kayak.", "Has a tandem."),
    ("Dora quit the band.", "Dora quit her job."),
]


def test_what_is_said_of_another_thing_or_side_hardly_ever_retires_anything(judge: EmbeddedJudge) -> None:
    assert sum(done(judge, old, new) is not Action.COEXIST for old, new in ANOTHER) <= 3


NEWS = [
    ("Finn has 2 nephews.", "Finn has 3 nephews."),
    ("I weigh 90 kg.", "I weigh 84 kg."),
    ("Our rent is 700 euros.", "Our rent is 740 euros now."),
    ("I'm a vegetarian.", "I'm not a vegetarian anymore."),
    ("She is a member of the club.", "She is no longer a member of the club."),
    ("The hut has a stove.", "The hut no longer has a stove."),
    ("The spade is in the shed.", "The spade is not in the shed."),
    ("Gave up chess.", "Plays chess again."),
    ("Votes are open to members.", "Votes are not open to members."),
]


def test_another_value_and_a_denial_of_the_same_thing_are_news(judge: EmbeddedJudge) -> None:
    said = [verdict(judge, old, new) for old, new in NEWS]
    assert sum(each.action is Action.SUPERSEDE for each in said) >= len(NEWS) - 3
    assert all(Action.SUPERSEDE in (each.action, each.proposal) for each in said[: len(NEWS) - 3])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("On Mondays the pool is shut.", "The pool is shut on Mondays."),
        ("Kaspar has a stall at the fair.", "At the fair Kaspar has a stall."),
        ("Drinks tea and cocoa.", "Drinks cocoa and tea."),
    ],
)
def test_what_is_only_put_in_another_order_is_the_same(judge: EmbeddedJudge, old: str, new: str) -> None:
    said = verdict(judge, old, new)
    assert (said.proposal or said.action) is Action.DUPLICATE


def test_the_very_words_again_are_a_duplicate(judge: EmbeddedJudge) -> None:
    said = verdict(judge, "Sails on the lake in summer.", "Sails on the lake in summer")
    assert (said.action, said.confidence, said.reason) == (Action.DUPLICATE, 1.0, "The same words.")


def test_what_takes_the_place_of_another_says_so(judge: EmbeddedJudge) -> None:
    said = verdict(judge, "User works at Google", "User now works at Anthropic")
    assert (said.reason, said.link) == ("It tells what holds now.", LinkKind.SUPERSEDES)


@pytest.mark.parametrize(
    ("old", "new", "link"),
    [
        ("The freezer broke down at night.", "The soup spoiled because the freezer broke down.", "CAUSES"),
        ("Wants to run a marathon in autumn.", "Bought new running shoes for the marathon.", "MOTIVATED_BY"),
    ],
)
def test_what_led_to_what_is_linked(judge: EmbeddedJudge, old: str, new: str, link: str) -> None:
    said = verdict(judge, old, new, days=1)
    assert (said.action, said.link) == (Action.COEXIST, LinkKind[link])


def test_what_has_nothing_to_do_with_each_other_is_not_linked(judge: EmbeddedJudge) -> None:
    said = verdict(judge, "The well is dry.", "The goats are at the neighbour's.")
    assert (said.action, said.link) == (Action.COEXIST, None)


def test_a_pair_gets_the_same_verdict_in_any_company_and_at_any_time(judge: EmbeddedJudge) -> None:
    pairs = read_pairs(DATA / "judge_fresh.txt")[:12]
    olds = [Statement(str(n), pair.old, DAY) for n, pair in enumerate(pairs)]
    new = Statement(None, pairs[0].new, DAY + timedelta(days=20))
    together = judge.classify(new, olds)
    assert together == [judge.classify(new, [old])[0] for old in olds]
    assert [said.candidate for said in together] == [old.id for old in olds]


def test_no_candidates_give_no_verdicts(judge: EmbeddedJudge) -> None:
    assert judge.classify(Statement(None, "Anything", DAY), []) == []


@pytest.mark.parametrize("text", ["?", "🙂", "12", "the of and", "I", "'s", "#a# #b#", "word " * 700])
def test_no_text_is_too_odd(judge: EmbeddedJudge, text: str) -> None:
    for old, new in ((text, "Has a cat."), ("Has a cat.", text), (text, text)):
        assert 0 <= verdict(judge, old, new).confidence <= 1


OTHER_LANGUAGES = [
    ("Ich wohne in Hamburg.", "Ich wohne jetzt in Berlin."),
    ("Arbeitet bei der Post.", "Arbeitet nicht mehr bei der Post."),
    ("Vivo en Madrid.", "Ahora vivo en Sevilla."),
    ("J'habite à Paris.", "J'habite à Lyon maintenant."),
    ("Abito a Roma.", "Non abito più a Roma."),
    ("Moro em Lisboa.", "Agora moro no Porto."),
    ("Ik woon in Utrecht.", "Ik woon nu in Breda."),
    ("Я работаю в банке.", "Я больше не работаю в банке."),
    ("我住在北京。", "我不住在北京。"),
    ("私は犬が好きです。", "私は犬が好きではありません。"),
    ("أعيش في القاهرة", "لا أعيش في القاهرة"),
    ("Ankara'da yaşıyorum.", "Artık Ankara'da yaşamıyorum."),
]


@pytest.mark.parametrize(("old", "new"), OTHER_LANGUAGES)
def test_in_other_languages_the_judge_knows_equal_words_and_abstains(
    judge: EmbeddedJudge, old: str, new: str
) -> None:
    said = verdict(judge, old, new)
    assert (said.action, said.abstained, said.proposal) == (Action.COEXIST, True, None)
    assert verdict(judge, old, old).action is Action.DUPLICATE


def test_english_is_read(judge: EmbeddedJudge) -> None:
    texts = {text for pair in read_pairs() for text in (pair.old, pair.new)}
    assert sum(not read(text).is_readable for text in texts) <= len(texts) / 200


def test_no_pair_stands_both_in_training_and_in_the_measure() -> None:
    trained = {(pair.old.casefold(), pair.new.casefold()) for pair in read_pairs()}
    measured = {
        (pair.old.casefold(), pair.new.casefold())
        for name in ("judge_fresh.txt", "judge_seen.txt", "judge_unseen.txt")
        for pair in read_pairs(DATA / name)
    }
    assert not trained & measured


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("at half past nine", [Value("time", "9:30")]),
        ("at 2:20 pm", [Value("time", "14:20")]),
        ("due on June 3", [Value("date", "06-03")]),
        ("due on 3rd June", [Value("date", "06-03")]),
        ("on Tuesdays", [Value("weekday", "tuesday")]),
        ("costs 15k", [Value("number", "15000")]),
        ("costs 15,000", [Value("number", "15000")]),
        ("three times", [Value("number", "3")]),
        ("version 3.11", [Value("number", "3.11")]),
        ("no value here", []),
    ],
)
def test_values_have_one_spelling(text: str, values: list[Value]) -> None:
    assert taken_out(text)[1] == values


def test_what_is_not_sure_enough_is_proposed(judge: EmbeddedJudge) -> None:
    """Of pairs that nothing was learnt from, what it proposes has a confidence that does not act."""
    said = [verdict(judge, pair.old, pair.new) for pair in read_pairs(DATA / "judge_unseen.txt")]
    asked = [each for each in said if each.abstained]
    assert asked
    assert all(each.action is Action.COEXIST and each.confidence <= ACTS for each in asked)
    assert all(each.confidence > ACTS for each in said if each.action is not Action.COEXIST)
