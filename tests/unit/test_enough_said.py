from __future__ import annotations

import pytest

from graph_memory.language.enough_said import says_enough


@pytest.mark.parametrize(
    "text",
    [
        "Ann drinks.",
        "我对花生过敏",
        "我怀孕了",
        "私は看護師です",
        "나는 서울에 살아",
        "채식주의자예요",
        "Я веган",
        "Je fume",
        "ผมกินเจ",
    ],
)
def test_few_letters_are_enough_where_they_say_much_or_nobody_here_reads_them(text: str) -> None:
    assert says_enough(text)


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "lol ok",
        "I ran.",
        "xoxo hugs",
        "да",
        "ну да",
        "спасибо",
        "oui oui",
        "谢谢",
        "哈哈哈哈哈",
        "감사합니다",
        "😀😀😀",
    ],
)
def test_a_word_and_a_laugh_are_not_enough(text: str) -> None:
    assert not says_enough(text)
