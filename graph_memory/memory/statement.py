"""A statement as it comes in, over GraphQL or as a line of JSON: the words of both, and what each may be."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from graph_memory.base.incoming import Incoming, rule
from graph_memory.entities.given import GivenEntity
from graph_memory.memory.validation import of_ten
from graph_memory.model.memory import Fact, Source, SourceKind


def _moment(given: Any) -> Any:
    """Of a text its date or time; the clock of this machine where it names no offset."""
    if not isinstance(given, str):
        return given
    try:
        return datetime.fromisoformat(given).astimezone()
    except (ValueError, OverflowError):
        shown = given[:40].encode(errors="replace").decode()
        raise ValueError(f"{shown} is neither a date nor a time") from None


def _source_kind(given: Any) -> str:
    return str(getattr(given, "value", given)).lower()


Moment = Annotated[datetime, BeforeValidator(_moment)]


class GivenSource(Incoming):
    """Where a statement comes from."""

    kind: Annotated[SourceKind, Field(strict=False), BeforeValidator(_source_kind)] = SourceKind.USER
    ref: str | None = None
    author: str | None = None


class Statement(Incoming):
    """One statement to keep. The rules that need the settings are those of `validation.check`."""

    text: str
    kind: str = "fact"
    tags: list[str] = Field(default_factory=list)
    metadata: dict[str, Any] | None = None
    confidence: float = 1.0
    importance: float = 0.5
    importance_of_ten: Annotated[int, rule(of_ten)] | None = None
    critical: bool = False
    pinned: bool = False
    happens_at: Moment | None = None
    expires_at: Moment | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    heading: str = ""
    session_id: str | None = None
    agent_id: str | None = None
    source: GivenSource | None = None
    entities: list[GivenEntity] | None = None
    vector: list[float] | None = None

    def fact(self, usual: Fact = Fact("")) -> Fact:  # noqa: B008 - a Fact never changes
        """As the domain's fact; what it does not say is as in `usual`."""
        told = {name: value for name in self.model_fields_set if (value := getattr(self, name)) is not None}
        if "importance_of_ten" in told:
            told["importance"] = told.pop("importance_of_ten")
        if self.source is not None:
            told["source"] = Source(self.source.kind, self.source.ref, self.source.author)
        if self.entities is not None:
            told["entities"] = tuple(each.named() for each in self.entities)
        lists = {name: tuple(value) for name, value in told.items() if name in ("tags", "vector")}
        return replace(usual, **{**told, **lists})
