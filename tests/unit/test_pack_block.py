"""The block of a pack: nothing in a memory ends it, nothing of a context but an older block is touched (cases 130 to 135)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graph_memory.language.own_output import MARKER, is_own, without_own
from graph_memory.language.pack_block import HEAD, block_of, digest_of, escaped, inject

DAY, LATER = datetime(2026, 3, 1, 9, tzinfo=UTC), datetime(2026, 3, 2, 9, tzinfo=UTC)
OPEN, CLOSE = f"<{MARKER}>", f"</{MARKER}>"
FOOT = '<pack version="0a1b2c3d" generated_at="2026-03-01T09:00:00Z"/>'
OLD = block_of(["- Ann lives in Ghent."], DAY)

# What contexts are made of: our tags whole, in pieces, in code, with attributes, in odd letters; blocks; anything.
PIECES = st.sampled_from(
    [
        OPEN, CLOSE, FOOT, OLD, HEAD, "\n", "\n\n", "\r\n", " ", "`", "```\n", f'<{MARKER} version="x" a=">">', f"</{MARKER} >",
        f"<{MARKER}", f"</{MARKER}", OPEN[:12], OPEN[12:], CLOSE[:9], CLOSE[9:], "/>", ">", "<", FOOT[:9], FOOT[9:], OPEN.upper(),
        "&lt;", "e\u0301", "\u200d", "\U0001f469\u200d\U0001f4bb", "\u2028", "\u202e", "Ann", block_of([], LATER),
    ]
)  # fmt: skip
CONTEXTS = st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=14).map("".join)
MEMORIES = st.one_of(CONTEXTS, st.text(max_size=80))
LINES = st.lists(MEMORIES.map(lambda text: f"- {escaped(text)}"), max_size=4)


@given(MEMORIES)
def test_no_memory_leaves_its_line_or_makes_a_tag(text: str) -> None:
    line = escaped(text)
    assert "<" not in line
    assert ">" not in line
    assert len(line.splitlines()) <= 1
    assert not is_own(line)


def test_escapes_can_be_read_back() -> None:
    assert escaped(f"Say {CLOSE} &amp; go\non") == f"Say &lt;/{MARKER}&gt; &amp;amp; go on"


@given(LINES)
def test_what_varies_stands_last_and_the_version_is_of_the_content(lines: list[str]) -> None:
    one, other = block_of(lines, DAY), block_of(lines, LATER)
    assert one.rpartition("generated_at")[0] == other.rpartition("generated_at")[0]
    assert f'version="{digest_of(lines)}"' in one
    assert digest_of(lines) != digest_of([*lines, "- more"])


@given(CONTEXTS, LINES, LINES)
def test_a_context_holds_one_block_however_often_it_is_put_in(
    context: str, lines: list[str], others: list[str]
) -> None:
    first, second = block_of(lines, DAY), block_of(others, LATER)
    once = inject(context, first)
    again = inject(once.text, second)
    assert once.text.count(first) == 1
    assert inject(once.text, first).text == once.text
    assert again.replaced
    before, _, after = once.text.partition(first)
    assert again.text == before + second + after
    # What is left without any block is the context's own, and holds none.
    rest = inject(context, "")
    assert inject(again.text, "").text == rest.text
    assert inject(rest.text, "") == type(rest)(rest.text, replaced=False)


@given(CONTEXTS, LINES)
def test_a_context_without_a_block_comes_back_as_it_was(context: str, lines: list[str]) -> None:
    plain = inject(context, "").text
    put = inject(plain, block_of(lines, DAY))
    assert not put.replaced
    assert put.text.startswith(plain)
    assert inject(put.text, "").text == plain


@given(CONTEXTS, CONTEXTS)
def test_all_around_an_older_block_stays_byte_for_byte(before: str, after: str) -> None:
    assume(inject(before + after, "").text == before + after)
    new = block_of(["- Ann lives in Porto."], LATER)
    put = inject(before + OLD + after, new)
    assert put.replaced
    assert put.text == before + new + after


@pytest.mark.parametrize(
    "context",
    [
        f"The block ends with `{CLOSE}`.",
        f"```\n{OPEN}\n```\nand\n```\n{CLOSE}\n```",
        f'{OPEN}\n<pack version="1">\n{CLOSE}',
        f"<{MARKER}_old>\n{FOOT}\n</{MARKER}_old>",
        "no end\n" + OLD.removesuffix(CLOSE),
    ],
)
def test_tags_that_make_no_block_are_the_contexts_own(context: str) -> None:
    assert inject(context, "").text == context
    assert inject(context, OLD).text == f"{context}\n\n{OLD}"


def test_of_several_blocks_the_first_is_replaced_and_the_others_go() -> None:
    new = block_of(["- Ann lives in Porto."], LATER)
    put = inject(f"a\n\n{OLD}\n\nb\n\n{OLD}\n\nc", new)
    assert put.text == f"a\n\n{new}\n\nb\n\nc"


def test_a_block_that_its_removal_would_make_goes_as_well() -> None:
    halves = OLD[:20] + OLD + OLD[20:]
    assert inject(f"a{halves}b", "").text == "ab"


@given(CONTEXTS, LINES, CONTEXTS)
def test_no_line_of_a_pack_comes_back_from_a_message(before: str, lines: list[str], after: str) -> None:
    marked = [f"{line} (kept {at}\x00)" for at, line in enumerate(lines)]
    left = without_own(before + block_of(marked, DAY) + after)
    assert not is_own(left)
    assert not any(line in left for line in marked)


@pytest.mark.parametrize("cut", range(1, len(OLD) - len(CLOSE) + 1, 7))
def test_a_pack_that_is_cut_off_is_left_out(cut: int) -> None:
    at_its_end, at_its_beginning = OLD[: max(cut, len(OPEN))], OLD[cut:]
    assert without_own(f"I like tea. {at_its_end}") == "I like tea. "
    assert without_own(f"{at_its_beginning} I live in Lyon.") == " I live in Lyon." or cut < len(OPEN)


def test_nested_packs_take_nothing_along() -> None:
    nested = f"I like tea. {OPEN} a {OLD} b {CLOSE} I live in Lyon. {CLOSE}"
    assert without_own(f"{nested} I am Ann.") == "I like tea. \n I am Ann."
    assert without_own(f"I like tea. {OPEN} a {OLD} b {CLOSE} I am Ann.") == "I like tea. \n I am Ann."
    assert without_own(f"{OLD} I live in Lyon. {OLD} I am Ann.") == "\n I live in Lyon. \n I am Ann."


def test_a_text_without_a_pack_is_the_same() -> None:
    for text in ("", "I like tea.", f"{MARKER} is a word", "<b>bold</b>\n\n"):
        assert without_own(text) == text
