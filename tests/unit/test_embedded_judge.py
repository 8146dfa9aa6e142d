from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from graph_memory.judge import weights
from graph_memory.judge.decision import CLASSES, Thresholds, allowed, decide
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.features import compare
from graph_memory.judge.training.pairs import Pair, digest, read_pairs
from graph_memory.language.analysis import read
from graph_memory.language.cues import found_in, outcome
from graph_memory.language.values import Value, taken_out
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action, Statement, Verdict
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store.protocols import Embedder

DATA = Path(__file__).parents[1] / "data"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder(EmbedderSettings())


@pytest.fixture(scope="module", params=["words", "plain"])
def judge(request: pytest.FixtureRequest, embedder: Embedder) -> EmbeddedJudge:
    return EmbeddedJudge(embedder if request.param == "words" else None)


@pytest.fixture(scope="module")
def default(embedder: Embedder) -> EmbeddedJudge:
    return EmbeddedJudge(embedder)


def verdict(judge: EmbeddedJudge, old: str, new: str, days: int = 20) -> Verdict:
    [answer] = judge.classify(Statement(None, new, DAY + timedelta(days=days)), [Statement("m1", old, DAY)])
    return answer


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
def test_the_worked_examples_come_out_with_confidence_enough_to_act(
    default: EmbeddedJudge, old: str, new: str, action: Action
) -> None:
    """Cases 83 to 86 and 152."""
    said = verdict(default, old, new)
    assert (said.action, said.abstained) == (action, False)
    assert said.confidence > 0.8


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The locker has number 17", "The locker has number 71"),
        ("The exam is on 3 May", "The exam is on 9 May"),
        ("The class is on Monday", "The class is on Thursday"),
        ("Aunt Berta lives in Köln", "Aunt Berta lives in Ulm"),
        ("The pool is heated", "The pool is not heated"),
        ("Has a brother", "Has a sister"),
        ("Likes olives", "Hates olives"),
    ],
)
def test_what_differs_in_one_value_is_never_called_a_duplicate(
    judge: EmbeddedJudge, old: str, new: str
) -> None:
    said = verdict(judge, old, new)
    assert Action.DUPLICATE not in (said.action, said.proposal)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Greta works as a baker", "Paul quit his job as a baker"),
        ("Order 17 is open", "Order 18 was closed"),
        ("Likes opera", "Likes football"),
        ("Speaks Danish", "Also speaks Finnish"),
    ],
)
def test_what_is_said_of_another_retires_nothing(judge: EmbeddedJudge, old: str, new: str) -> None:
    assert verdict(judge, old, new).action is Action.COEXIST


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "Mia is allergic to an antibiotic.",
            "The antibiotic that Mia is allergic to is amoxicillin; she gets a rash from it.",
        ),
        ("The cellar is damp.", "The cellar is damp because a pipe behind the washing machine leaks."),
        ("Jon has a boat.", "Jon has a boat with two cabins, moored at Fehmarn."),
    ],
)
def test_what_says_all_of_another_and_more_is_no_duplicate(judge: EmbeddedJudge, old: str, new: str) -> None:
    said = verdict(judge, old, new)
    assert Action.DUPLICATE not in (said.action, said.proposal)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The Kiel office needs new chairs.", "We got new chairs for the Lübeck office."),
        (
            "The tulips along the path were planted in 2021.",
            "The tulips at the path are parrot tulips, sort New Design.",
        ),
        (
            "The curtains in the hall were hung in 2020.",
            "The curtains in the hall are linen curtains, brand New Loom.",
        ),
    ],
)
def test_new_things_and_names_with_new_in_them_are_no_change(
    default: EmbeddedJudge, old: str, new: str
) -> None:
    assert verdict(default, old, new).action is not Action.SUPERSEDE


def test_the_very_words_again_are_a_duplicate(judge: EmbeddedJudge) -> None:
    said = verdict(judge, "Sails on the lake in summer.", "Sails on the lake in summer.")
    assert (said.action, said.reason) == (Action.DUPLICATE, "the same words")


def test_the_reason_names_what_changed(default: EmbeddedJudge) -> None:
    said = verdict(default, "User works at Hooli", "User now works at Initech")
    assert said.reason == "same frame, another value: hooli -> initech"
    assert said.link is LinkKind.SUPERSEDES


def test_two_sources_that_differ_are_in_conflict(default: EmbeddedJudge) -> None:
    said = verdict(default, "Otto says the well is dry.", "Frieda says the well is full.", days=0)
    assert (said.action, said.link) == (Action.COEXIST, LinkKind.CONFLICTS)


@pytest.mark.parametrize(
    ("old", "new", "link"),
    [
        ("The freezer broke down at night.", "The soup spoiled because the freezer broke down.", "CAUSES"),
        ("The ferry was cancelled.", "Came a day late due to the cancelled ferry.", "CAUSES"),
        (
            "The well ran dry in May. ",
            "The well gave no water, and the goats were sold as a result.",
            "CAUSES",
        ),
        ("Thought the noise came from the pump.", "It turned out that the pump is fine.", "INVALIDATED_BY"),
        ("Plans a picnic in Sintra.", "The picnic in Sintra fell through.", "INVALIDATED_BY"),
    ],
)
def test_the_known_one_is_the_cause_or_disproved_where_words_say_so(
    default: EmbeddedJudge, old: str, new: str, link: str
) -> None:
    said = verdict(default, old, new)
    assert (said.link, said.link_from_candidate) == (LinkKind[link], True), said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The standup is at 9:30 every day.", "Missed the standup because the train was late."),
        ("Goes to the gym three times a week.", "Skipped the gym because of a cold."),
        ("CI runs on Jenkins.", "The release slipped because Jenkins was down."),
        ("The freezer broke down at night.", "The goats were sold because the meadow was flooded."),
        ("The freezer broke down at night.", "The soup spoiled."),
        ("Plans a picnic in Sintra.", "The lease in Porto fell through."),
    ],
)
def test_no_cause_is_made_up(default: EmbeddedJudge, old: str, new: str) -> None:
    """A wrong link is worse than none: the word of cause must speak of what the known one tells."""
    said = verdict(default, old, new)
    assert not said.link_from_candidate and said.link is not LinkKind.CAUSES


def test_nothing_is_linked_without_a_word_that_says_so(default: EmbeddedJudge) -> None:
    said = verdict(default, "The well is dry.", "The goats are at the neighbour's.")
    assert (said.action, said.link) == (Action.COEXIST, None)


def test_a_pair_gets_the_same_verdict_in_any_company_and_at_any_time(embedder: Embedder) -> None:
    pairs = read_pairs(DATA / "judge_fresh.txt")[:12]
    olds = [Statement(str(n), pair.old, DAY) for n, pair in enumerate(pairs)]
    new = Statement(None, pairs[0].new, DAY + timedelta(days=20))
    together = EmbeddedJudge(embedder).classify(new, olds)
    alone = [EmbeddedJudge(embedder).classify(new, [old])[0] for old in olds]
    assert together == alone
    assert [said.candidate for said in together] == [old.id for old in olds]


def test_no_candidates_give_no_verdicts(judge: EmbeddedJudge) -> None:
    assert judge.classify(Statement(None, "Anything", DAY), []) == []


@pytest.mark.parametrize("text", ["?", "🙂", "12", "the of and", "I", "'s", "#a# #b#", "word " * 700])
def test_no_text_is_too_odd(judge: EmbeddedJudge, text: str) -> None:
    for old, new in ((text, "Has a cat."), ("Has a cat.", text), (text, text)):
        assert 0 <= verdict(judge, old, new).confidence <= 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
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
    ],
)
def test_what_small_words_or_order_say_otherwise_is_never_dropped_as_known(
    judge: EmbeddedJudge, old: str, new: str
) -> None:
    for one, other in ((old, new), (new, old)):
        assert verdict(judge, one, other).action is not Action.DUPLICATE


def test_what_something_is_was_not_said_with_its_name(judge: EmbeddedJudge) -> None:
    assert (
        verdict(judge, "Has a hamster named Pip.", "Pip is a dwarf hamster.").action is not Action.DUPLICATE
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("On Mondays the pool is shut.", "The pool is shut on Mondays."),
        ("Kaspar has a stall at the fair.", "At the fair Kaspar has a stall."),
        ("Drinks tea and cocoa.", "Drinks cocoa and tea."),
    ],
)
def test_what_is_only_put_in_another_order_is_the_same(default: EmbeddedJudge, old: str, new: str) -> None:
    assert verdict(default, old, new).action is Action.DUPLICATE


@pytest.mark.parametrize(
    ("old", "new"),
    [
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
    ],
)
def test_what_is_said_of_another_thing_or_side_retires_nothing(
    judge: EmbeddedJudge, old: str, new: str
) -> None:
    assert verdict(judge, old, new).action is Action.COEXIST


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Finn has 2 nephews.", "Finn has 3 nephews."),
        ("I weigh 90 kg.", "I weigh 84 kg."),
        ("Our rent is 700 euros.", "Our rent is 740 euros now."),
        ("I'm a vegetarian.", "I'm not a vegetarian anymore."),
        ("She is a member of the club.", "She is no longer a member of the club."),
        ("The hut has a stove.", "The hut no longer has a stove."),
    ],
)
def test_another_value_of_the_same_thing_and_a_plain_denial_are_news(
    default: EmbeddedJudge, old: str, new: str
) -> None:
    assert verdict(default, old, new).action is Action.SUPERSEDE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The spade is in the shed.", "The spade is not in the shed."),
        ("Gave up chess.", "Plays chess again."),
        ("Votes are open to members.", "Votes are not open to members."),
    ],
)
def test_a_denial_of_the_same_thing_is_at_least_a_question(
    default: EmbeddedJudge, old: str, new: str
) -> None:
    said = verdict(default, old, new)
    assert said.action is Action.SUPERSEDE or (said.abstained and said.proposal is Action.SUPERSEDE)


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


def test_a_number_after_the_verb_names_nothing() -> None:
    assert read("Finn has 2 nephews.").titles == frozenset()
    assert read("Retries: 3.").titles == frozenset()
    assert read("Ticket 812 is open.").titles == {"812"}


def test_pairs_kept_from_the_work_are_decided_with_care(embedder: Embedder) -> None:
    """Measured: 51 of 60 right, one wrong destructive action; before it, 41 and eleven."""
    judge = EmbeddedJudge(embedder)
    said = [(pair.action, _said(judge, pair)) for pair in read_pairs(DATA / "judge_unseen.txt")]
    superseded = [meant for meant, action in said if action is Action.SUPERSEDE]
    assert len(said) == 60
    assert sum(meant is action for meant, action in said) >= 48
    assert sum(action is not Action.COEXIST and action is not meant for meant, action in said) <= 2
    assert len(superseded) >= 12


def test_pairs_that_nobody_trained_on_stay_above_the_floor(embedder: Embedder) -> None:
    """Written after rules and weights were frozen. Measured: 52 of 59 right, one wrong destructive action."""
    judge = EmbeddedJudge(embedder)
    pairs = read_pairs(DATA / "judge_fresh.txt")
    said = [(pair.action, _said(judge, pair)) for pair in pairs]
    right = sum(meant is action for meant, action in said)
    wrong = sum(action is not Action.COEXIST and action is not meant for meant, action in said)
    superseded = sum(meant is action is Action.SUPERSEDE for meant, action in said)
    assert len(pairs) == 59
    assert right >= 43
    assert wrong <= 2
    assert superseded >= 7


def test_the_weights_are_those_of_the_pairs_in_the_package() -> None:
    assert weights.digest_of_pairs() == digest(), "fit anew: python -m graph_memory.judge.training"


def test_no_pair_stands_both_in_training_and_in_the_measure() -> None:
    trained = {(pair.old.casefold(), pair.new.casefold()) for pair in read_pairs()}
    measured = {
        (pair.old.casefold(), pair.new.casefold())
        for name in ("judge_fresh.txt", "judge_seen.txt", "judge_unseen.txt")
        for pair in read_pairs(DATA / name)
    }
    assert not trained & measured


def test_what_should_act_is_above_the_threshold_and_what_should_not_is_not() -> None:
    least = Thresholds(duplicate=0.5, supersede=0.7, merge=0.6)
    plain = dict.fromkeys(compare(read("A lamp"), read("A lamp"), False, None).features, 0.0)
    unsure = decide(dict(zip(CLASSES, (0.1, 0.69, 0.1, 0.11), strict=True)), plain, least)
    sure = decide(dict(zip(CLASSES, (0.1, 0.7, 0.1, 0.1), strict=True)), plain, least)
    assert (unsure.action, unsure.proposal) == (Action.COEXIST, Action.SUPERSEDE)
    assert (sure.action, sure.proposal) == (Action.SUPERSEDE, None)
    assert unsure.confidence <= 0.8 < sure.confidence


def test_another_number_at_the_start_rules_out_all_but_coexistence() -> None:
    compared = compare(read("Order 17 is open"), read("Order 18 was closed"), False, None)
    kept = allowed(dict.fromkeys(CLASSES, 0.25), compared.features)
    assert kept == {"DUPLICATE": 0, "SUPERSEDE": 0, "MERGE": 0, "COEXIST": 1}


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


def test_a_change_that_is_denied_is_none() -> None:
    assert "ending" in found_in("the ticket was closed")
    assert "ending" not in found_in("the ticket has not been closed yet")
    assert "no_longer" in found_in("he does not smoke any more")


def test_what_people_know_of_the_world_stands_in_a_table() -> None:
    assert outcome("looking for a nanny", "hired a nanny") == "looked for, found"
    assert outcome("looking for a nanny", "has not hired a nanny") is None


def _said(judge: EmbeddedJudge, pair: Pair) -> Action:
    return verdict(judge, pair.old, pair.new, 0 if pair.said_at_once else 20).action
