from __future__ import annotations

import pytest

from graph_memory.language import first_person
from graph_memory.language.third_person import agreeing, in_third_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Oh my goodness, I sold my boat!", "Oh my goodness, Ann sold their boat!"),
        ("My god, the roof leaks.", "My god, the roof leaks."),
        ("My word!", "My word!"),
        ("He kept my word of honour.", "He kept Ann's word of honour."),
        ("My neighbour, we lost the hedge.", "My neighbour, Ann and others lost the hedge."),
        ("My aunt, she is a potter.", "Ann's aunt, she is a potter."),
        ("My aunt is a potter.", "Ann's aunt is a potter."),
    ],
)
def test_a_cry_and_a_call_are_nobodys(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the band is called Carry Me", "the band is called Carry Me"),
        ("THEY TOLD ME YESTERDAY", "THEY TOLD Ann YESTERDAY"),
        ("Me and Tom run a shop.", "Ann and Tom run a shop."),
        ("I bambini hanno fame e non dormono.", "I bambini hanno fame e non dormono."),
        ("Non, call me tonight.", "Non, call Ann tonight."),
    ],
)
def test_names_and_other_languages_keep_their_words(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("im moving to Cork", "Ann is moving to Cork"),
        ("ive sold the piano", "Ann has sold the piano"),
        ("ill bring the salad", "Ann will bring the salad"),
        ("on Fridays id be free", "on Fridays Ann would be free"),
        ("my cat is ill today", "Ann's cat is ill today"),
        ("the id card is in my bag", "the id card is in Ann's bag"),
        ("i havent seen the film", "Ann hasnt seen the film"),
        ("i dunno the price", "Ann doesn't know the price"),
        ("I wanna learn the harp.", "Ann wants to learn the harp."),
    ],
)
def test_what_is_written_without_an_apostrophe_is_read_with_one(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It is ugly and I love it.", "It is ugly and Ann loves it."),
        (
            "We painted in June and I see the sea now.",
            "Ann and others painted in June and Ann sees the sea now.",
        ),
        ("Tom and I own a kiln.", "Tom and Ann own a kiln."),
        ("My sister, Tom and I sing on Mondays.", "Ann's sister, Tom and Ann sing on Mondays."),
        ("Where would I go without the bus.", "Where would Ann go without the bus."),
    ],
)
def test_the_verb_agrees_with_whom_it_is_said_of(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I quit my job.", "Ann quit their job."),
        ("They laughed and I lost my temper.", "They laughed and Ann lost Ann's temper."),
        ("The twins shouted and I lost my temper.", "The twins shouted and Ann lost Ann's temper."),
    ],
)
def test_their_is_said_only_where_it_cannot_mean_others(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told


def test_a_verb_without_its_apostrophe_has_the_form_of_one_person() -> None:
    assert [agreeing(each) for each in ("dont", "didnt", "want")] == ["doesnt", "didnt", "wants"]


def test_what_is_too_long_for_a_sentence_is_not_parsed() -> None:
    assert first_person.read("Tom and I swim. " * 400) == first_person.FirstPerson()
    assert first_person.with_apostrophes("ill come. " * 400) == "ill come. " * 400


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We adopted a puppy.", "Ann and others adopted a puppy."),
        ("We're going camping with our kids.", "Ann and others are going camping with their kids."),
        ("Our rent is 900 euros.", "Our rent is 900 euros."),
        ("Ben and I bought our house, we paid 300k.", "Ben and Ann bought their house, they paid 300k."),
        ("I told Ben that we'd moved.", "Ann told Ben that Ann and others had moved."),
        ("We moved in ourselves, they helped us.", "Ann and others moved in themselves, they helped them."),
        ("The US troops left.", "The US troops left."),
    ],
)
def test_we_are_who_speaks_and_others(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told


@pytest.mark.parametrize(
    "said",
    [
        "“I am allergic to cats”, Tom said",
        "‘I am allergic to cats’, Tom said",
        "'I am allergic to my parents' cats', Tom said",
        "«I am allergic to cats», Tom said",
        "« I am allergic to cats », Tom said",
        "„I am allergic to cats“, Tom said",
        "Tom wrote: I am moving",
        "Kofi told Tom yesterday: I am moving to my uncle's",
        "[12:04] Mia: I quit my job",
        "05/03/2024, 12:04 - Mia Long: I quit my job. I'm so happy",
        "Mia: I quit my job",
        "> I moved to Berlin",
        "Tom wrote:\nI moved to Berlin",
    ],
)
def test_what_others_say_stays_theirs(said: str) -> None:
    assert in_third_person(said, "Ann") == said


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Update: I moved to Lyon", "Update: Ann moved to Lyon"),
        ("Note to self: I owe Ben 20", "Note to self: Ann owes Ben 20"),
        ("Thu: I work late", "Thu: Ann works late"),
        ("That said: I love it", "That said: Ann loves it"),
        ("As Tom said: I am stubborn", "As Tom said: Ann is stubborn"),
        ("I told Tom: I am moving", "Ann told Tom: Ann is moving"),
        ("Ann: I quit", "Ann: Ann quit"),
        ("My boss said yes: I get Fridays off", "Ann's boss said yes: Ann gets Fridays off"),
        ("Everybody asks: I am moving", "Everybody asks: Ann is moving"),
        ("Tom wrote: I am ill. I pity him.", "Tom wrote: I am ill. Ann pities him."),
        (
            "We're the dogs' owners, and I don't mind 'em",
            "Ann and others are the dogs' owners, and Ann doesn't mind 'em",
        ),
        ('I\'m 5\'6" and Tom said "I love it" to me', 'Ann is 5\'6" and Tom said "I love it" to Ann'),
        ('I own a 27" screen and I love it', 'Ann owns a 27" screen and Ann loves it'),
    ],
)
def test_what_the_speaker_says_beside_a_colon_or_a_mark_is_the_speakers(said: str, told: str) -> None:
    assert in_third_person(said, "Ann") == told
