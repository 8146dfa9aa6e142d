from __future__ import annotations

import pytest

from graph_memory.language import others_words


def theirs(text: str) -> str:
    found = others_words.of_others(text, "Ann")
    return "".join(char for at, char in enumerate(text) if found[at]).strip()


@pytest.mark.parametrize(
    "line",
    [
        "Mia: I quit",
        "tom: i quit",
        "Mia Long: I quit",
        "Mia (12:04): I quit",
        "[12:04] Rose: I quit. I'm glad.",
        "[05/03/2024, 12:04:11] Rose: I quit",
        "12:04 - Mia: I quit",
        ">I quit",
    ],
)
def test_a_line_is_whose_name_it_begins_with(line: str) -> None:
    assert theirs(line) == line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("my sister just texted me: I'm pregnant!! I am so happy", "I'm pregnant!!"),
        ("Ben asked: can I come?", "can I come?"),
        ("ben asked me: can i come", "can i come"),
        ("At 12:30 Kofi wrote to me: I am out", "I am out"),
        ("Tom has told our boss: I quit", "I quit"),
        ("Ok. Mia: I quit. I am sad.", "I quit."),
    ],
)
def test_what_somebody_says_behind_a_colon_is_theirs(text: str, words: str) -> None:
    assert theirs(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "PS: I quit",
        "Work: I quit",
        "Phase2: I quit",
        "Monday: I swim",
        "Tue: I swim",
        "Lisbon: I land at 8",
        "[12:04] update: I left",
        "Assistant: I need a list",
        "Truth be told: I hate it",
        "We said: I go",
        "Tom and I wrote: we quit",
        "new guy asked, so: I quit",
        "told the neighbour: I quit",
        "The doctor told me the result: I have it",
        "since you all ask: I quit",
        "Ann wrote: I quit",
        "ann: i quit",
    ],
)
def test_a_label_is_nobody_who_speaks(text: str) -> None:
    assert theirs(text) == ""
