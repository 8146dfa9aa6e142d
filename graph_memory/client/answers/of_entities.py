"""What is stated of whom and what memories mention."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.client.answers.words import Polarity, ValueKind


@dataclass(frozen=True)
class MemoryText:
    """A memory by what it says."""

    id: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class StatedValue:
    """A value as a memory states it, and when it holds. `unit` is what an amount counts."""

    value: str
    value_kind: ValueKind
    unit: str | None
    polarity: Polarity
    valid_from: datetime
    valid_to: datetime | None
    memory: MemoryText | None

    def __str__(self) -> str:
        stated = " ".join(each for each in (self.value, self.unit) if each)
        return stated if self.polarity == "AFFIRMED" else f"not {stated}"


@dataclass(frozen=True)
class Attribute:
    """One attribute of an entity: what is so, and what is and was so, latest first, at most five of each."""

    name: str
    current: tuple[StatedValue, ...]
    history: tuple[StatedValue, ...]

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(map(str, self.current)) or 'no longer told'}"


@dataclass(frozen=True)
class EntityAttributes:
    """What is stated of an entity."""

    id: str
    uuid: str
    name: str
    type: str
    attributes: tuple[Attribute, ...]

    def __str__(self) -> str:
        return "\n".join([self.name, *(f"  {each}" for each in self.attributes)])
