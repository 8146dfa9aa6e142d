"""Every function that reads what callers write, found where it stands, so that a new one is not forgotten."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from graph_memory.base.errors import UserError
from graph_memory.base.gathered import Gathered
from graph_memory.entities.resolution import Meant
from graph_memory.ingest.rules import extract
from graph_memory.judge.contrast import says_otherwise
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.guards import Side, objection
from graph_memory.judge.linker import Link
from graph_memory.language.claim_reading import ReadClaim, ValueKind
from graph_memory.language.times.resolver import Span
from graph_memory.language.times.tense import CLAUSE
from graph_memory.language.written_words import Word
from graph_memory.memory import screening
from graph_memory.memory.settings import ScreeningSettings
from graph_memory.model.memory import Fact, Memory, SourceKind
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Effect, Statement
from graph_memory.models import json_answer
from graph_memory.recall.proofs import prove
from graph_memory.settings import Settings
from tests.unit.hostile_texts import modules

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
# What a parameter of another kind than a text is given.
GIVEN: dict[str, Any] = {
    "datetime": NOW,
    "datetime | None": None,
    "tzinfo": UTC,
    "Sequence[Memory]": [],
    "str | None": "Anna",
    "bool": False,
    "int": 1_000_000,
    "float": 0.2,
    "ScreeningSettings": ScreeningSettings(),
    "Sections": Settings(),
    "Sequence[Meant]": [Meant("Anna", "1"), Meant("Maria", "2"), Meant("a", "3")],
    "Sequence[Relates]": [],
    "Callable[[Any], T]": len,
    "Meaning": lambda _: None,
    "ValueKind": ValueKind.MONEY,
    "ReadClaim": ReadClaim(None, "rent", "88 euros", ValueKind.MONEY),
    "ReadClaim | None": None,
    # Its spans lie far in, so that all before them is looked through.
    "Link": Link(1.0, {each: float(each is Effect.CHANGES) for each in Effect}, (500, 520), (700, 720)),
    "Sequence[Found]": [],
    "Span": Span(500, 520, ""),
    "tuple[int, int]": (500, 520),
    "re.Pattern[str] | None": CLAUSE,
    "Sequence[float] | None": None,
    "Any": "so",
    "Gathered": Gathered(),
    "Collection[object]": ["1"],
    "Word": Word("Anna", 0, 4, True, False),
    "Sequence[Word]": [Word("Maria", 505, 510, False, False)],
}
NAMES = frozenset({"speaker", "asker", "name", "path", "what", "id"})
# They read no text of a caller's: one character, one word, a table of ours, a whole file or the store.
NO_READERS = {
    "is_hidden", "words_of", "check_entity_id", "is_card", "is_iban", "parse", "get", "given",
    "as_data", "fit", "moment", "united", "profile_of", "recognise",
    "unit_with", "third_of", "moved", "from_now", "from_point", "season_of_some_year", "bit", "nth_stretch", "in_part",
    "stepped", "lasting", "months", "translated", "of", "price_of",
    # Its time is that of the model of worth, some milliseconds for each clause.
    "told_beside",
}  # fmt: skip
_HELD_OPEN = (
    "Service",
    "Scope",
    "Writing",
    "Call",
    "Mapping",
    "Candidate",
    "Choice",
    "Outcome",
    "Row",
    "Sequence[Row]",
    "frozenset",
    "dict",
    "Classify",
    "Prepared",
    "Embedder",
    "Memory",
    "Pack",
    "Iterator",
    "Kind",
)


def readers() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Every public function over texts that needs no store, as one of a single text; and what is made of several."""
    for module in modules():
        for name, function in vars(module).items():
            if not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            needed = needed_by(function)
            if name.startswith("_") or name in NO_READERS or not any(is_text(each) for each in needed):
                continue
            if any(str(each.annotation).startswith(_HELD_OPEN) for each in needed):
                continue
            yield f"{module.__name__.removeprefix('graph_memory.')}.{name}", _called(function, needed)
    yield (
        "screening.entering.screened_fact",
        lambda text: screening.screened_fact(
            ScreeningSettings(personal="label"), Fact(text, tags=(text[:200],), metadata={"a": text}), "fact"
        ),
    )
    yield "recall.proofs.prove", lambda text: prove(f"When did {text}?", _memory(text), NOW, UTC)
    yield "models.json_answer.parts", _answered
    yield (
        "understanding.extraction.extract",
        lambda text: extract(Message("Ann", NOW, text), [Message("Bea", NOW, text)]),
    )
    yield (
        "remembering.guards.objection",
        lambda text: objection(Action.DUPLICATE, _side(text), _side("Ann likes tea.")),
    )
    yield (
        "judge.contrast.says_otherwise",
        lambda text: says_otherwise(text, text + " so"),
    )
    yield (
        "judging.embedded.classify",
        lambda text: EmbeddedJudge().classify(_said(text), [_said(f"We say {text}")]),
    )


def needed_by(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]


def is_text(parameter: inspect.Parameter) -> bool:
    return parameter.name not in NAMES and str(parameter.annotation) in (
        "str", "Sequence[str]", "Iterable[str]", "Collection[str]",
    )  # fmt: skip


def _called(function: Callable[..., Any], needed: Sequence[inspect.Parameter]) -> Callable[[str], Any]:
    def reads(text: str) -> Any:
        try:
            found = function(*(_given(each, text) for each in needed))
            return list(found) if inspect.isgenerator(found) else found
        except UserError:
            return None  # refused

    return reads


def _given(parameter: inspect.Parameter, text: str) -> Any:
    if is_text(parameter):
        return text if str(parameter.annotation) == "str" else [text]
    if parameter.name in NAMES:
        return "Ann"
    assert str(parameter.annotation) in GIVEN, f"tell in GIVEN what {parameter} is given"
    return GIVEN[str(parameter.annotation)]


def _side(text: str) -> Side:
    return Side(text, "Ann", SourceKind.USER)


def _memory(text: str) -> Memory:
    return Memory.from_row(
        {
            "id": "1", "memory_id": None, "subject_id": "s", "text": text, "kind": "fact", "caption": "", "heading": "", "tags": [],
            "metadata": "{}", "status": "ACTIVE", "confidence": 1.0, "importance": 0.5, "base_importance": 0.5, "tier": "HOT",
            "access_count": 0, "valid_from": NOW, "valid_to": None, "recorded_from": NOW, "recorded_to": None, "created_at": NOW,
            "updated_at": NOW, "chain_id": "c", "source_kind": "user", "critical": False, "pinned": False,
        }
    )  # fmt: skip


def _answered(text: str) -> Any:
    """What a language model may be talked into saying."""
    try:
        return json_answer.parts(text, "memories")
    except json_answer.Unreadable:
        return None


def _said(text: str) -> Statement:
    return Statement(None, text, NOW, "Ann")
