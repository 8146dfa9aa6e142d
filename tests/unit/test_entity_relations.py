"""Relations, short forms and distinctive names, by rule alone."""

from __future__ import annotations

import pytest

from graph_memory.entities import gazetteer
from graph_memory.entities.relations import read_by_model, stated, type_of
from graph_memory.entities.resolution import Known, Meant, Names, resolve
from graph_memory.entities.similarity import Named, candidates, is_certain
from graph_memory.language.names import mentions
from graph_memory.model.memory import EntityName, Relates
from graph_memory.models.fence import Offered
from graph_memory.upkeep import entity_prompt as prompt


def relations(text: str) -> list[tuple[str, str, str]]:
    return [
        (each.from_id, each.type, each.to_id)
        for each in stated(text, [Meant(name.name, name.name) for name in mentions(text)])
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Priya works at Larkfield.", [("Priya", "WORKS_AT", "Larkfield")]),
        ("Priya is a nurse at Larkfield.", [("Priya", "WORKS_AT", "Larkfield")]),
        ("Marta has moved to Porto.", [("Marta", "LIVES_IN", "Porto")]),
        ("Marta was born in Porto and lives in Ghent.", [("Marta", "BORN_IN", "Porto")]),
        ("Tomas is married to Layla.", [("Layla", "MARRIED_TO", "Tomas")]),
        ("Layla is the mother of Noor.", [("Layla", "PARENT_OF", "Noor")]),
        ("Noor's mother is Layla.", [("Layla", "PARENT_OF", "Noor")]),
        ("Tomas is a friend of Ines.", [("Ines", "FRIEND_OF", "Tomas")]),
        ("Larkfield uses PostgreSQL.", [("Larkfield", "USES", "PostgreSQL")]),
        ("Ghent is in Belgium.", [("Ghent", "LOCATED_IN", "Belgium")]),
        ("Marta founded Larkfield.", [("Marta", "FOUNDED", "Larkfield")]),
        ("Noor studies at the University of Ghent.", [("Noor", "STUDIES_AT", "University of Ghent")]),
    ],
)
def test_a_plain_statement_relates_two_names(text: str, found: list[tuple[str, str, str]]) -> None:
    assert relations(text) == found


def by_model(text: str, *given: tuple[str, str, str]) -> list[tuple[str, str, str]]:
    meant = [Meant(name.name, name.name, (name.key,)) for name in mentions(text)]
    found = read_by_model(text, meant, [Relates(*each) for each in given])
    assert all(each.source_kind == "extraction" for each in found)
    return [(each.from_id, each.type, each.to_id) for each in found]


def test_what_a_model_relates_must_be_mentioned_and_not_doubted() -> None:
    text = "My friend Priya, who left school early, has run the Larkfield bakery in Ghent since May."
    runs = ("priya", "MANAGES", "Larkfield")
    assert by_model(text, runs, runs, ("Priya", "LIKES", "Tomas"), ("Priya", "KNOWS", "Priya")) == [
        ("Priya", "MANAGES", "Larkfield")
    ]
    assert by_model("Priya does not run Larkfield.", runs) == []
    assert by_model("Does Priya run Larkfield?", runs) == []
    assert by_model("Tomas met Layla.", ("Tomas", "KNOWS", "Layla")) == [("Layla", "KNOWS", "Tomas")]


def test_another_name_of_what_is_mentioned_relates_it_too() -> None:
    meant = [Meant("NYC", "1", ("new york city", "nyc")), Meant("Liz", "2", ("elizabeth", "liz"))]
    [found] = read_by_model("Liz adores NYC.", meant, [Relates("Elizabeth", "ADORES", "New York City")])
    assert (found.from_id, found.type, found.to_id) == ("2", "ADORES", "1")
    two = [Meant("Liz", "1", ("liz",)), Meant("Liz", "2", ("liz",)), Meant("Rome", "3", ("rome",))]
    assert read_by_model("Liz adores Rome.", two, [Relates("Liz", "ADORES", "Rome")]) == []


def test_a_type_is_a_word_in_one_spelling() -> None:
    assert [type_of(each) for each in ("works_at", " Works-at ", "WORKS  AT")] == ["WORKS_AT"] * 3
    assert [type_of(each) for each in ("", "a" * 41, "mag ähnlich", "2nd", "x'y", "_x")] == [None] * 6


@pytest.mark.parametrize(
    "text",
    [
        "Priya no longer works at Larkfield.",
        "Priya might be working at Larkfield.",
        "Does Priya work at Larkfield?",
        "Priya never lived in Porto.",
        "Priya spoke of Larkfield.",
        "Priya sings. Larkfield is in Ghent, says Ines.",
        "Priya wants to work at Larkfield.",
        "If Priya works at Larkfield we shall see.",
    ],
)
def test_doubt_denial_and_nearness_relate_nothing(text: str) -> None:
    assert [each for each in relations(text) if each[0] == "Priya"] == []


def test_every_relation_joins_two_that_are_named() -> None:
    assert stated("Ann knows Ann.", [Meant("Ann", "1")]) == []
    assert stated("", [Meant("Ann", "1"), Meant("Bob", "2")]) == []


@pytest.mark.parametrize(
    ("name", "is_distinctive"),
    [("PostgreSQL", True), ("pgvector", True), ("GPT-4", True), ("C++", True), ("New York", True),
     ("Will", False), ("Rose", False), ("C", False), ("R", False), ("May", False)],
)  # fmt: skip
def test_only_a_name_of_its_own_shape_is_known_in_lower_case(name: str, is_distinctive: bool) -> None:
    assert gazetteer.is_distinctive(name) is is_distinctive


def test_of_names_in_names_the_longest_counts() -> None:
    assert gazetteer.longest({"new york", "new york times"}, ()) == {"new york times"}
    assert gazetteer.longest({"york"}, {"new york"}) == set()


def test_two_that_fit_mean_a_new_one() -> None:
    names = Names([Known("1", "Jordan", "PERSON", "jordan"), Known("2", "Jordan", "GPE", "jordan")])
    assert resolve(EntityName("Jordan", "jordan"), names) is None
    found = resolve(EntityName("Jordan", "jordan", "GPE"), names)
    assert found is not None
    assert found.id == "2"


@pytest.mark.parametrize("short", ["Paris", "San", "Google"])
def test_a_name_without_a_type_shortens_nobody(short: str) -> None:
    names = Names([Known("1", f"{short} Hilton", "PERSON", f"{short} hilton".lower())])
    assert resolve(EntityName(short, short.lower()), names) is None


def named(id: str, name: str, discriminator: str = "", aliases: tuple[str, ...] = ()) -> Named:
    return Named(id, name, name.lower(), "PERSON", discriminator, aliases, 1)


def test_likeness_needs_one_reason_and_no_sign_against_it() -> None:
    one = named("1", "Catherine")
    others = [
        named("2", "Katherine"),
        named("3", "Bob"),
        named("4", "Catherine", "York"),
        named("5", "Catherine 2"),
    ]
    assert [pair.candidate.id for pair in candidates(one, others, {})] == ["2"]
    together = candidates(one, others, {"3": 1})
    assert {pair.candidate.id for pair in together} == {"2", "3"}
    assert is_certain(one, named("6", "Kate", aliases=("catherine",)))
    assert not is_certain(one, others[0])
    assert not is_certain(one, others[2])


@pytest.mark.parametrize(
    "answer",
    [
        '{"action": "merge", "target_id": "ffffffff", "confidence": 1, "reason": ""}',
        '{"action": "merge", "target_id": null}',
        '{"action": "drop", "target_id": "00000000"}',
        '["merge"]',
        "",
    ],
)
def test_an_answer_that_names_nobody_offered_keeps(answer: str) -> None:
    """Case 147: without a target nothing is merged."""
    judged = prompt.read(answer, Offered(["00000000-0000-0000-0000-000000000000"]))
    assert (judged.action, judged.target_id) == ("keep", None)
