"""What led to what in a conversation: each new statement is read beside those made of the messages just before it.

People say the one and then the other, mostly without a word of cause. The pair model has learnt from chats which of two
neighbours brought about the other; a link claims no more than that, and retires nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graph_memory.ingest.talk import KnownMemory, Told
from graph_memory.judge.pair_model import PairModel
from graph_memory.language.coverage import is_readable
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Statement
from graph_memory.store.service import Row

# From this chance on; in chats not learnt from 38 of 64 are found so, and 14 that a reader did not mark.
LIKELY = 0.95
# So many of the latest statements are looked at.
MOST = 4
_KINDS = (LinkKind.CAUSES, LinkKind.MOTIVATED_BY)
_REASON = "The one brought about the other, as the talk tells."
_STRENGTH = 0.8


@dataclass(frozen=True)
class Cause:
    """A link between the statement at a place of a message and a known memory; `from_known`: it starts there."""

    place: int
    known: str
    kind: LinkKind
    from_known: bool
    chance: float

    def row(self, id: str) -> Row:
        """The link, for the memory that the statement became."""
        start, end = (self.known, id) if self.from_known else (id, self.known)
        return {
            "from": start,
            "to": end,
            "kind": self.kind.value,
            "confidence": self.chance,
            "strength": _STRENGTH,
            "reason": _REASON,
        }


def causes(model: PairModel, told: Sequence[Told], known: Sequence[KnownMemory]) -> list[Cause]:
    """What the statements of a message were brought about by, or brought about, of what was said just before."""
    latest = [each for each in known if each.is_just_said][-MOST:]
    return [
        cause
        for place, new in enumerate(told)
        if not (new.is_order or new.told_in)
        for old in latest
        if old.id != (new.verdict.candidate if new.verdict else None)
        if (cause := _between(model, place, new, old)) is not None
    ]


def _between(model: PairModel, place: int, new: Told, old: KnownMemory) -> Cause | None:
    said = new.statement
    if not (is_readable(said.text) and is_readable(old.text)):
        return None
    likely = model.read(
        Statement(None, said.text, said.said_at, said.speaker),
        Statement(old.id, old.text, old.said_at, old.author),
    )
    if likely is None or likely.link is None or likely.link.kind not in _KINDS or likely.link_chance < LIKELY:
        return None
    return Cause(place, old.id, likely.link.kind, likely.link.from_known, round(likely.link_chance, 4))
