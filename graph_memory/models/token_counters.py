"""How many tokens a text is: by its characters, or by a real tokenizer that lies on this machine."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol

from graph_memory.base.errors import Misconfigured

Counting = Literal["characters", "minilm", "file"]

# The tokenizer of all-MiniLM-L6-v2, the built-in embedder.
PACKAGED_TOKENIZER = Path(__file__).parent / "data" / "tokenizer.json"
# Characters to a token of English, roughly.
_CHARACTERS = 4


class TokenCounter(Protocol):
    """What a budget is counted with."""

    def __call__(self, text: str) -> int:
        """The tokens of this text, 0 for ''."""
        ...


def by_characters(text: str) -> int:
    """A quarter of the characters, counted up."""
    return -(-len(text) // _CHARACTERS)


def counter_of(counting: Counting, file: Path | None = None) -> TokenCounter:
    """The counter that settings name; Misconfigured where its file is no `tokenizer.json`."""
    if counting == "characters":
        return by_characters
    return _by_tokenizer(PACKAGED_TOKENIZER if counting == "minilm" or file is None else file)


@lru_cache(maxsize=4)
def _by_tokenizer(file: Path) -> TokenCounter:
    tokenizer = _loaded(file)

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count


def _loaded(file: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(file.read_text("utf-8"))
    except Exception as error:  # the library raises nothing more exact
        raise Misconfigured(
            [f"GRAPH_MEMORY_PACK_TOKENIZER: {file} is no tokenizer.json ({type(error).__name__})"]
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
