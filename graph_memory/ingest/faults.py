"""Collecting what is wrong with a file, so that all of it can be told at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.language import texts

MAX_NAME = 200


@dataclass
class Faults:
    """The faults so far: line number and what is wrong there."""

    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, fault: str) -> None:
        self.found.append((line, fault))

    def text(self, line: int, where: str, value: Any, limit: int) -> str | None:
        """The value as clean text; None, with a fault noted, if it is none."""
        if not isinstance(value, str):
            self.add(line, f"{where} must be text")
            return None
        try:
            return texts.clean(value, limit, where)
        except Invalid as error:
            self.add(line, error.message.rstrip("."))
            return None
