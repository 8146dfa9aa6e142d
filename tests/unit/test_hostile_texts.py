"""Whatever a text holds, reading it takes time with its length: no text keeps the service from others."""

from __future__ import annotations

import ast
import gc
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from graph_memory.language import patterns, secrets
from tests.unit.hostile_texts import aimed_at, families, modules, patterns_in
from tests.unit.text_readers import readers

# One second of the machine on which this was written, in units of `unit`, and what is too short to be compared.
SECOND, FLOOR = 20.0, 1.5
Reads = Callable[[str], Any]
READERS = dict(readers())
REMEMBERING = [
    value
    for module in modules()
    for value in vars(module).values()
    if hasattr(value, "cache_clear") and value.__module__ == module.__name__
]
SHORT, LONG = (1500, 3000), (1000, 2000, 4000, 8000, 16_000, 32_000)


@pytest.fixture(scope="module")
def unit() -> float:
    """CPU seconds of a fixed piece of work on this machine, now."""
    return _least(lambda _: sum(at * at for at in range(1_000_000)), "")


def test_functions_that_read_texts_are_found() -> None:
    for name in ("language.injection.is_suspicious", "language.names.mentions", "language.texts.normalised"):
        assert name in READERS


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_reading_takes_time_with_the_length(name: str, unit: float) -> None:
    _grows_with_the_length(READERS[name], SHORT, unit)


@pytest.mark.long_form
@pytest.mark.parametrize("name", READERS)
def test_reading_takes_time_with_the_length_up_to_32_kilobytes(name: str, unit: float) -> None:
    slowest, family = _grows_with_the_length(READERS[name], LONG, unit)
    print(f"\n{name}: {slowest / unit / SECOND:.3f} s for 32 kB of {family}")


@pytest.mark.parametrize("piece", ["so ", "1 May ", "one day ago ", "that is very ", "I ", "(a. ", "Wow, "])
def test_a_long_and_monotonous_message_is_extracted_in_bounded_time(piece: str, unit: float) -> None:
    text = piece * (16_000 // len(piece)) + "end"
    assert _seconds(READERS["understanding.extraction.extract"], text) < 5 * unit * SECOND


@pytest.mark.parametrize("length", [2000, pytest.param(16_000, marks=pytest.mark.long_form)])
def test_no_text_aimed_at_a_pattern_keeps_it_busy(length: int, unit: float) -> None:
    most = unit * SECOND * length / 32_000
    slow = {
        f"{name}: {text[:80]!r}"
        for name, pattern in patterns_in(modules()).items()
        for text in dict.fromkeys(aimed_at(pattern, length))
        if _seconds(finds := _finding(pattern), text) > most and _least(finds, text) > most
    }
    assert slow == set()


def test_patterns_over_texts_are_made_in_one_place() -> None:
    files = {Path(str(module.__file__)) for module in modules()}
    wrong = [
        f"{file.name}:{node.lineno} re.{node.func.attr}"
        for file in files
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr != "escape"
    ]
    assert wrong == [], "graph_memory.language.patterns makes patterns that take a bounded time"


def test_repetitions_of_a_pattern_have_an_end() -> None:
    made = patterns.compile(r"a+b*?\s*[+*]{2,}\+(?:c|d)*+\{2,}x{3}?", reach=50)
    assert made.pattern == r"a{1,50}b{0,50}?\s{0,8}[+*]{2,50}\+(?:c|d){0,50}+\{2,}x{3}?"


def test_a_secret_is_found_behind_any_number_of_blanks_and_in_its_place() -> None:
    text = "My password" + " " * 3000 + "is\t\t\n" + " " * 3000 + "hunter2!x.  And tea."
    [found] = secrets.found(text)
    assert text[found.start : found.end] == "hunter2!x"


def _grows_with_the_length(reads: Reads, lengths: Sequence[int], unit: float) -> tuple[float, str]:
    """The slowest family at the greatest length; it fails where a doubled length takes more than 2.5 times as long."""
    texts = {length: families(length) for length in lengths}
    longest, slowest = lengths[-1], (0.0, "")
    for family, text in texts[longest].items():
        took, most = _seconds(reads, text), unit * SECOND
        assert min(took, most) == took or _least(reads, text) <= most, (
            f"{took:.2f} s for {longest} of {family}"
        )
        slowest = max(slowest, (took, family))
        for length in reversed(lengths[1:]):
            if took < unit * FLOOR:
                break
            before = _seconds(reads, texts[length // 2][family])
            if took > 2.5 * before:  # others use the machine: more than once, then
                before, took = _compared(reads, texts[length // 2][family], texts[length][family])
                assert took < unit * FLOOR or took <= 2.5 * before, (
                    f"{family}: {before:.3f} s, {took:.3f} s for twice"
                )
            took = before
    return slowest


def _compared(reads: Reads, half: str, whole: str) -> tuple[float, float]:
    """CPU seconds of both, of the pair of readings, one right after the other, that grew least."""
    pairs = [(_seconds(reads, half), _seconds(reads, whole)) for _ in range(8)]
    return min(pairs, key=lambda pair: pair[1] / pair[0])


def _finding(pattern: re.Pattern[str]) -> Reads:
    return lambda text: sum(1 for _ in pattern.finditer(text))


def _least(reads: Reads, text: str) -> float:
    return min(_seconds(reads, text) for _ in range(4))


def _seconds(reads: Reads, text: str) -> float:
    """CPU seconds of reading a text that was never read before."""
    for each in REMEMBERING:
        each.cache_clear()
    gc.disable()
    try:
        begun = time.thread_time()
        reads(text)
        return time.thread_time() - begun
    finally:
        gc.enable()
