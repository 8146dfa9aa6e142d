"""How well it is told which sentences of a chat are worth keeping, on chats whose memories readers graded; nothing is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.judge import worth
from graph_memory.judge.training.worth_examples import GRADES, Graded, read

NOTHING, PART, ALL = GRADES


def bench_worth(folder: Path, hands: Sequence[str], settings: LinkerSettings) -> dict[str, Any]:
    """Of all graded memories and of those that would be kept: how many are good, half or junk; and the share kept of each."""
    graded = [each for each in _read(folder) if not hands or each.hand in hands]
    if not graded:
        raise Invalid("There are no graded memories there.", path="chats")
    kept = [each for each in graded if worth.opened().read(each.text).tells >= settings.worth]
    return {
        "from_chance": settings.worth,
        "all": _shares(graded),
        "kept": _shares(kept),
        "kept_of_good": _share(kept, graded, ALL),
        "kept_of_half": _share(kept, graded, PART),
        "kept_of_junk": _share(kept, graded, NOTHING),
    }


def _read(folder: Path) -> list[Graded]:
    try:
        return read(folder)
    except (ValueError, KeyError, TypeError) as error:
        raise Invalid(f"The graded chats cannot be read: {error}.", path="chats") from error


def _shares(found: Sequence[Graded]) -> dict[str, float | int]:
    number = Counter(each.grade for each in found)
    shares = {name: number[grade] for name, grade in (("good", ALL), ("half", PART), ("junk", NOTHING))}
    return {
        "memories": len(found),
        **{name: round(each / max(1, len(found)), 3) for name, each in shares.items()},
    }


def _share(kept: Sequence[Graded], all_of_them: Sequence[Graded], grade: int) -> float:
    def count(found: Sequence[Graded]) -> int:
        return sum(each.grade == grade for each in found)

    return round(count(kept) / max(1, count(all_of_them)), 3)
