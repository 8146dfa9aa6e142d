"""What the linker reads: a message with the talk before it, beside one known statement or none, as token ids.

    [CLS] talk before [SEP] speaker: message [SEP]  who, how long ago: known statement [SEP]

Both halves keep where their tokens stand in their texts, so that a span of tokens can be told as a span of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

# The most tokens of each part.
BEFORE, MESSAGE, KNOWN = 80, 72, 56
NOBODY = "User"
_AGES = (
    (3, "minutes"),
    (12, "hours"),
    (48, "a day"),
    (24 * 7, "days"),
    (24 * 31, "weeks"),
    (24 * 365, "months"),
)


@dataclass(frozen=True)
class Utterance:
    """A message as the linker sees it; `before` are those just before it in the same sitting, oldest first."""

    speaker: str
    text: str
    before: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Known:
    """A statement that is known, who made it, and how long before the message."""

    text: str
    author: str
    age: timedelta


@dataclass(frozen=True)
class Reading:
    """One input. Spans are (token, start, end) of the tokens of the message's and of the known text.

    `is_cut` tells that one of the two is longer than what is read of it.
    """

    ids: list[int]
    types: list[int]
    message: list[tuple[int, int, int]]
    known: list[tuple[int, int, int]]
    is_cut: bool = False


class Reader:
    """Builds inputs with one tokenizer; texts of one message are tokenized once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._start: int = tokenizer.token_to_id("[CLS]") or 0
        self._end: int = tokenizer.token_to_id("[SEP]") or 0

    def read(self, said: Utterance, known: Sequence[Known | None], most: int | None = None) -> list[Reading]:
        """One input for each known statement; None for the message by itself. Of both at most `most` tokens are read."""
        longest, longest_known = most or MESSAGE, most or KNOWN
        texts = [f"{speaker}: {text}" for speaker, text in said.before]
        heads = [f"{said.speaker}:"]
        heads += [f"{each.author or NOBODY}, {_age(each.age)} ago:" for each in known if each]
        parts = [*texts, *heads, said.text, *(each.text for each in known if each)]
        found = iter(self._tokenizer.encode_batch(parts, add_special_tokens=False))
        before = [next(found) for _ in texts]
        head, *their_heads = [next(found) for _ in heads]
        mine, *theirs = list(found)
        first = [self._start, *_before(before), self._end, *head.ids]
        at = len(first)
        is_cut = len(mine.ids) > longest
        first += [*mine.ids[:longest], self._end]
        alone = Reading(first, [0] * len(first), _spans(mine, at, longest), [], is_cut)
        sides = iter(zip(their_heads, theirs, strict=True))
        return [self._beside(alone, *next(sides), longest_known) if each else alone for each in known]

    def length(self, text: str) -> int:
        """How many tokens a text has."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def alone(self, text: str, most: int) -> list[int]:
        """Token ids of a text that nothing stands beside, of at most so many tokens."""
        return [self._start, *self._tokenizer.encode(text, add_special_tokens=False).ids[:most], self._end]

    def padded(self, texts: Sequence[str], most: int = 96) -> tuple[list[list[int]], list[list[int]]]:
        """Token ids of whole texts and their mask, padded to the longest."""
        found = [each.ids[:most] for each in self._tokenizer.encode_batch(list(texts))]
        longest = max(map(len, found))
        fill = [[0] * (longest - len(each)) for each in found]
        ids = [own + rest for own, rest in zip(found, fill, strict=True)]
        return ids, [[1] * len(own) + rest for own, rest in zip(found, fill, strict=True)]

    def _beside(self, alone: Reading, head: Encoding, text: Encoding, longest: int) -> Reading:
        at = len(alone.ids) + len(head.ids)
        second = [*head.ids, *text.ids[:longest], self._end]
        types = alone.types + [1] * len(second)
        is_cut = alone.is_cut or len(text.ids) > longest
        return Reading(alone.ids + second, types, alone.message, _spans(text, at, longest), is_cut)


def _before(texts: Sequence[Encoding]) -> list[int]:
    """The end of the talk before, each message with its beginning."""
    share = BEFORE // max(1, len(texts))
    return [id for each in texts for id in each.ids[:share]]


def _spans(text: Encoding, at: int, most: int) -> list[tuple[int, int, int]]:
    return [(at + index, start, end) for index, (start, end) in enumerate(text.offsets[:most])]


def _age(age: timedelta) -> str:
    hours = age.total_seconds() / 3600
    return next((name for limit, name in _AGES if hours < limit), "years")
