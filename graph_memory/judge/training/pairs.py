"""The labelled pairs, read from the file that people write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action

FILE = Path(__file__).parent / "pairs.txt"

_ACTIONS = {action.value[0]: action for action in Action}


@dataclass(frozen=True)
class Pair:
    """Two statements, the second said later, with what the second does to the first. `group` numbers its block."""

    group: int
    old: str
    new: str
    action: Action
    link: LinkKind | None = None
    link_from: str | None = None
    reads_both_ways: bool = False

    @property
    def said_at_once(self) -> bool:
        """Whether both were said on one day: of conflicting reports that is taken for granted."""
        return self.link is LinkKind.CONFLICTS

    def turned(self) -> Pair:
        """The same with its sides exchanged."""
        return replace(self, old=self.new, new=self.old)


def read_pairs(file: Path = FILE) -> list[Pair]:
    """The pairs of a file, in order. Raises ValueError where a line is none."""
    found: list[Pair] = []
    for group, block in enumerate(file.read_text("utf-8").split("\n\n")):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        found += [_pair(line, group) for line in lines]
    return found


def _pair(line: str, group: int) -> Pair:
    label, sides = line.split(": ", 1)
    old, new = sides.split(" => ")
    letter, *link = label.split(":")
    action = _ACTIONS[letter.rstrip("=")]
    both_ways = letter.endswith("=") or (action is Action.COEXIST and not link)
    kind = LinkKind[link[0].upper()] if link else None
    start = link[1] if len(link) > 1 else None
    return Pair(group, old.strip(), new.strip(), action, kind, start, both_ways)
