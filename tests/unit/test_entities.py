from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_memory.language.names import Mention, key, mentions, without_names


def names(text: str, known: tuple[str, ...] = ()) -> list[str]:
    return [mention.name for mention in mentions(text, known)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Yesterday we met Maria in Lyon.", ["Maria", "Lyon"]),
        ("She knows C, C++ and C# but prefers .NET.", ["C", "C++", "C#", ".NET"]),
        ("my iPhone runs GPT-4 on PostgreSQL 18", ["iPhone", "GPT-4", "PostgreSQL"]),
        ("The offer came from ACME Corp.", ["ACME Corp"]),
        ("In May and on Monday I was ill.", []),
        ("Restaurants are loud. Running helps. Slowly, I improve. Brave cat!", []),
        ("Pinecone raised the price.", ["Pinecone"]),
        ("Noor's atlas is in New York.", ["Noor", "New York"]),
        ("She studied at the University of Ghent.", ["University of Ghent"]),
        ("I think I'm fine, and I'll call.", []),
        ("vitamin C helps", []),
    ],
)
def test_names_are_found_by_their_capital_letters(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_a_name_at_the_start_counts_when_it_stands_elsewhere_or_is_known() -> None:
    assert names("Harbour, again. We left Harbour early.") == ["Harbour"]
    assert names("Thales, listen.") == []
    assert names("Thales, listen.", known=("Thales",)) == ["Thales"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ines works in a bakery.", ["Ines"]),
        ("James is left-handed.", ["James"]),
        ("Agnes, my oldest sister, bakes.", ["Agnes"]),
        ("Moses Achebe rang.", ["Moses Achebe"]),
        ("Hercules and Noor share a kennel.", ["Hercules", "Noor"]),
        ("Emily plays the harp.", ["Emily"]),
        ("Fred was late.", ["Fred"]),
        ("Sales are up. Prices rose. Parties and I do not mix.", []),
        ("Usually works. Sadly was lost. Lives alone.", []),
        ("Baked beans are cheap. Used cars rust.", []),
        ("Parents moved away.", []),
    ],
)
def test_a_name_that_ends_like_a_plural_counts_where_no_plural_could_stand(
    text: str, found: list[str]
) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What is Theo's favourite film?", "What is favourite film?"),
        ("Where did Dana Okafor meet Noor?", "Where did meet ?"),
        ("who drives the car?", "who drives the car?"),
        ("Theo", "Theo"),
    ],
)
def test_a_question_without_its_names_is_what_it_asks(text: str, left: str) -> None:
    assert without_names(text) == left


def test_a_word_that_is_a_name_elsewhere_in_the_conversation_is_one_at_the_start() -> None:
    assert names("Thales moved to Oslo.") == ["Oslo"]
    beside = ["Have you seen Thales?", "Not today."]
    assert [each.name for each in mentions("Thales moved to Oslo.", beside=beside)] == ["Thales", "Oslo"]
    assert [each.name for each in mentions("Not yet.", beside=beside)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I started as a nurse at St. Mary's Hospital.", ["St. Mary's Hospital"]),
        ("We met at King's Cross. Noor's house is near.", ["King's Cross", "Noor"]),
        ("Noor's Honda is new.", ["Noor", "Honda"]),
        ("We live on Main St. Noor is near.", ["Main", "Noor"]),
        ("My iPhone 15 Pro fell. Windows 11 Home is slow.", ["iPhone 15 Pro", "Windows 11 Home"]),
        ("In Ghent 15 Danes sang.", ["Ghent", "Danes"]),
        ("She left Johnson & Johnson. Marks & Spencer is shut.", ["Johnson & Johnson", "Marks & Spencer"]),
        ("I met Tom & Laura.", ["Tom", "Laura"]),
        ("Bank of America moved. We camped at Lake of the Woods.", ["Bank of America", "Lake of the Woods"]),
        ("Photos of Noor are lost. He is the CEO of Larkfield.", ["Noor", "Larkfield"]),
    ],
)
def test_a_name_of_several_words_is_one(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    "text", ["User prefers dark mode.", "The Assistant is slow.", "We asked the User.", "Speaker likes tea."]
)
def test_a_part_in_the_conversation_is_nobodys_name(text: str) -> None:
    assert mentions(text, known=("User", "Assistant")) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ich wohne seit 2020 in einer Wohnung am Hafen und habe einen Hund.", []),
        ("Mein Hund mag Katzen, aber meine Schwester Anna mag sie nicht.", ["Anna"]),
        ("Herr Schmidt hat die Server auf PostgreSQL umgestellt.", ["Schmidt", "PostgreSQL"]),
        ("Der Spiegel is a magazine that Noor reads.", ["Der Spiegel", "Noor"]),
        ("我在北京的一家医院工作。", []),
    ],
)
def test_where_every_noun_has_a_capital_letter_it_shows_no_name(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_german_nouns_make_no_names_of_words_beside_them() -> None:
    beside = ["Ich habe gestern mit dem Hund und der Katze im Garten gespielt."]
    assert mentions("Garten, yes.", beside=beside) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("John Smith rang.", "PERSON"),
        ("Okoro Mbeki, who lives next door, sings.", "PERSON"),
        ("We met Mbeki's wife.", "PERSON"),
        ("Mbeki is my new neighbour.", "PERSON"),
        ("Okoro sings in a choir. He has a deep voice.", "PERSON"),
        ("Okoro sings in a choir.", "UNKNOWN"),
        ("Paris Hilton sings.", "UNKNOWN"),
        ("Charles River is wide.", "UNKNOWN"),
        ("Alice Springs is hot.", "UNKNOWN"),
        ("She works at John Lewis.", "ORG"),
    ],
)
def test_a_person_shows_by_a_given_name_or_by_what_follows(text: str, kind: str) -> None:
    assert [mention.type for mention in mentions(text)] == [kind]


def test_names_that_the_graph_knows_need_no_capital_letter() -> None:
    assert [mention.name for mention in mentions("we moved to pgvector", names=("pgvector",))] == ["pgvector"]
    assert mentions("he has a will of iron", known=("Will",)) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Dr. Kim was kind.", "PERSON"),
        ("I met my sister Noor.", "PERSON"),
        ("I work at Larkfield now.", "ORG"),
        ("She moved to Porto.", "GPE"),
        ("We like Porto.", "UNKNOWN"),
    ],
)
def test_a_type_needs_a_cue(text: str, kind: str) -> None:
    assert [mention.type for mention in mentions(text)] == [kind]


def test_a_person_and_a_country_of_one_name_stay_two() -> None:
    found = mentions("Jordan said he moved to Jordan.")
    assert found == [Mention("Jordan", "jordan", "PERSON"), Mention("Jordan", "jordan", "GPE")]


def test_two_people_of_one_first_name_stay_two() -> None:
    assert names("I met Dana Okafor and Dana Lindqvist.") == ["Dana Okafor", "Dana Lindqvist"]


def test_keys_keep_the_signs_that_tell_names_apart() -> None:
    assert len({key("C"), key("C++"), key("C#"), key("Node.js"), key("Nodejs")}) == 5
    assert key("ACME  Corp.") == key("Acme corp")


@given(st.text(max_size=150))
def test_every_name_stands_in_the_text(text: str) -> None:
    assert all(mention.name in text and mention.key for mention in mentions(text, known=("Ann",)))
