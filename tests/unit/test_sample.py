from __future__ import annotations

import numpy as np
import pytest

from graph_memory import samples
from graph_memory.ingest.conversation_file import sessions
from graph_memory.ingest.keeping import kept
from graph_memory.ingest.rules import Statement, extract, heading
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.talk import Told
from graph_memory.memory.properties import search_text
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings


@pytest.fixture(scope="module")
def statements() -> list[Statement]:
    sittings = sessions(samples.conversation())
    return [
        told.statement
        for sitting in sittings
        for at, said in enumerate(sitting)
        for told in kept(
            [Told(made) for made in extract(said, sitting[:at])],
            states_surely=False,
            settings=LinkerSettings(),
        )
    ]


def test_the_sample_tells_half_a_year_of_two_people() -> None:
    messages = samples.conversation().messages
    assert 120 <= len(messages) <= 160
    assert {message.speaker for message in messages} == {"Mara", "Theo"}
    assert (messages[0].at.date().isoformat(), messages[-1].at.date().isoformat()) == (
        "2026-01-10",
        "2026-06-30",
    )


def test_each_changed_fact_of_the_tour_is_exactly_one_statement(statements: list[Statement]) -> None:
    for change in samples.tour().supersessions:
        for ref in (change.old, change.new):
            assert len([made for made in statements if made.ref == ref]) == 1, ref


def test_the_answers_of_the_tour_are_among_the_five_nearest(statements: list[Statement]) -> None:
    embedder = open_embedder(EmbedderSettings())
    vectors = np.array(
        embedder.embed([search_text(made.text, heading(made.speaker, made.said_at)) for made in statements])
    )
    for asked in samples.tour().questions:
        nearness = vectors @ np.array(embedder.embed([asked.question])[0])
        nearest = [statements[row].ref for row in np.argsort(-nearness)[:5]]
        assert asked.ref in nearest, (asked.question, nearest)


def test_the_two_danas_are_told_apart_in_the_talk(statements: list[Statement]) -> None:
    told = " ".join(made.text for made in statements)
    assert "Dana Okafor" in told
    assert "Dana Lindqvist" in told
