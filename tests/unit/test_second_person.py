from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graph_memory.ingest.rules import extract
from graph_memory.language.second_person import addressed
from graph_memory.model.message import Message

SAID = datetime(2026, 5, 8, 14, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("You taught me the harp.", "Ben taught me the harp."),
        ("You're a fine cook.", "Ben is a fine cook."),
        ("You are a fine cook.", "Ben is a fine cook."),
        ("You weren't at the market.", "Ben wasn't at the market."),
        ("You've painted the whole fence.", "Ben has painted the whole fence."),
        ("You haven't seen my garden.", "Ben hasn't seen my garden."),
        ("You'd left before the rain came.", "Ben had left before the rain came."),
        ("You're moving to Bath in May.", "Ben is moving to Bath in May."),
        ("You bought yourself a kiln.", "Ben bought themself a kiln."),
        ("I fed your dog.", "I fed Ben's dog."),
        ("I'll pick you up at six.", "I'll pick Ben up at six."),
        ("They gave you the prize.", "They gave Ben the prize."),
        ("Your sister is a nurse.", "Ben's sister is a nurse."),
    ],
)
def test_the_one_who_listens_is_named(said: str, told: str) -> None:
    assert addressed(said, "Ben") == told


@pytest.mark.parametrize(
    "said",
    [
        "You never know.",
        "When you get old it hurts.",
        "If you came, I was glad.",
        "You can't teach an old dog new tricks.",
        "You pay at the door and you get a stamp.",
        "Doctors tell you to rest.",
        "It makes you think.",
        "The shop closes before you get there.",
        "You must come on Friday.",
        "You're kidding.",
        "You did NOT!",
        "Be kind to yourself, I mean it.",
    ],
)
def test_a_you_that_may_mean_anybody_or_tells_nothing_stays(said: str) -> None:
    assert addressed(said, "Ben") == said


@pytest.mark.parametrize(
    "said",
    [
        "You two sang the duet.",
        "I met both of you in Rome.",
        "You and Tom sold the van.",
        "I do know it, you old fool.",
        'He said "you lost".',
        "Did you sell the van?",
    ],
)
def test_a_you_that_means_others_too_or_asks_stays(said: str) -> None:
    assert addressed(said, "Ben") == said


@pytest.mark.parametrize(
    "said",
    [
        "‘You sold the van’, Tom told me.",
        "> You sold the van.",
        "Tom wrote: you sold the van.",
        "«You sold the van»",
    ],
)
def test_the_you_of_others_is_whom_they_spoke_to(said: str) -> None:
    assert addressed(said, "Ben") == said
    assert (
        addressed("You sold the van that Tom called 'my pet'.", "Ben")
        == "Ben sold the van that Tom called 'my pet'."
    )


def test_what_is_too_long_for_a_sentence_stays() -> None:
    assert addressed("You sold the van. " * 100, "Ben") == "You sold the van. " * 100


def said_to(*others: Message) -> list[str]:
    return [each.text for each in extract(Message("Ann", SAID, "You taught me the harp in Cork."), others)]


def before(speaker: str, role: str | None = None) -> Message:
    return Message(speaker, SAID - timedelta(minutes=1), "The rain has stopped.", role=role)


def test_who_listens_is_known_only_where_two_people_talk() -> None:
    assert said_to(before("Ben"), before("Ann")) == ["Ben taught Ann the harp in Cork."]
    assert said_to() == ["You taught Ann the harp in Cork."]
    assert said_to(before("Ben"), before("Tom")) == ["You taught Ann the harp in Cork."]
    assert said_to(before("Ben", "assistant")) == ["You taught Ann the harp in Cork."]
