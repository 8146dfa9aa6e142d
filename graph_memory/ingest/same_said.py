"""Which of some known memories say the same, and one text that says all of them. Nothing is read or written.

A rule-bound judge looks at each pair in two passes, each statement as if it came in after the other, and a guard may
veto: two different numbers, dates, names or denials are never merged. What it cannot prove stays apart. A text counts
only if no number, name, date, denial and no word of matter of any member is lost in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from graph_memory.ingest.restatement import FUZZY, alike
from graph_memory.judge.embedded import EmbeddedJudge
from graph_memory.judge.guards import Side, objection
from graph_memory.language import characters
from graph_memory.language.analysis import read
from graph_memory.language.kind_cues import EVENT, PICTURE
from graph_memory.language.short_answers import without_question
from graph_memory.language.subsumption import both
from graph_memory.memory.group_merge import why_apart
from graph_memory.memory.merged_text import lost
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action, Statement, Verdict

Row = Mapping[str, Any]
MayMeet = Callable[[Row, Row], bool]

# Texts that are strung together, where none of them says all of the others.
MOST_TEXTS = 3
# Of the words of the shorter of two texts so many must stand in the other.
_ENOUGH = 0.5
CONTAINED = "One says all that the other says."
_ONCE_EACH = frozenset({EVENT, PICTURE})


@dataclass(frozen=True)
class Group:
    """Memories that say the same and the text that says all of them; the first member gives it its source."""

    members: tuple[Row, ...]
    text: str
    reason: str
    confidence: float
    judge: str

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(row["id"] for row in self.members)


@dataclass(frozen=True)
class _Said:
    """That one memory says what another says; how surely, and why."""

    confidence: float
    reason: str


class Prover:
    """Finds the groups that can be proven. It remembers what it has found out about a pair, so keep it for one run.

    `longest` tells how long a text may be.
    """

    def __init__(self, judge: EmbeddedJudge, longest: int) -> None:
        self._judge = judge
        self._longest = longest
        self._known: dict[tuple[str, str], _Said | None] = {}

    def groups(self, rows: Sequence[Row], may_meet: MayMeet = lambda _, __: True) -> list[Group]:
        """The groups among some memories, as loaded; no memory is in two of them.

        Each gathers round the memory that says what most others say, the fullest of these. `may_meet` tells whether two may
        be compared at all.
        """
        left = sorted(rows, key=_fullest_first)
        groups = []
        while left:
            first = max(left, key=lambda row: self._reach(row, left, may_meet))
            left.remove(first)
            group = self._round(first, left, may_meet)
            if group is not None:
                groups.append(group)
                left = [row for row in left if row["id"] not in group.ids]
        return groups

    def _reach(self, first: Row, others: Sequence[Row], may_meet: MayMeet) -> int:
        """How many of the others it says."""
        return sum(
            row is not first and may_meet(first, row) and self._says(first, row) is not None for row in others
        )

    def _round(self, first: Row, others: Sequence[Row], may_meet: MayMeet) -> Group | None:
        taken, text, said = [first], first["text"], list[_Said]()
        for row in others:
            if not all(may_meet(one, row) for one in taken) or why_apart([*taken, row]):
                continue
            found = self._says(first, row)
            joined = found and _with(text, row["text"], self._longest, len(taken))
            if found and joined and fault_of(joined, [*taken, row], self._longest) is None:
                text = joined
                taken.append(row)
                said.append(found)
        if not said:
            return None
        surest = min(said, key=lambda each: each.confidence)
        return Group(tuple(taken), text, surest.reason, surest.confidence, self._judge.name)

    def _says(self, first: Row, row: Row) -> _Said | None:
        """Whether the first memory says all that the other says; None where that cannot be proven."""
        pair = first["id"], row["id"]
        if pair not in self._known:
            self._known[pair] = self._proven(first, row)
        return self._known[pair]

    def _proven(self, first: Row, row: Row) -> _Said | None:
        if first["kind"] in _ONCE_EACH or why_apart([first, row]):
            return None
        if objection(Action.DUPLICATE, _side(row), _side(first)) is not None:
            return None
        if both(first["text"], row["text"]) == first["text"]:
            return _Said(1.0, CONTAINED)
        if not _share_words(first["text"], row["text"]):
            return None
        [proposed] = self._judge.classify(_statement(row), [_statement(first)])
        is_sure = proposed.action is Action.DUPLICATE or alike(first["text"], row["text"]) >= FUZZY
        if not is_sure or not _is_same(proposed):
            return None
        [reviewed] = self._judge.classify(_statement(first), [_statement(row)])
        return _Said(proposed.confidence, proposed.reason) if _is_same(reviewed) else None


def _is_same(verdict: Verdict) -> bool:
    """Whether the judge says, or would say if it were surer, that one says what the other does."""
    return Action.DUPLICATE in (verdict.action, verdict.proposal)


def apart(one: Row, other: Row) -> str | None:
    """Why two memories cannot become one, however their text is written; None where that is to be judged."""
    return why_apart([one, other]) or _objection(one, other)


def fault_of(text: str, rows: Sequence[Row], longest: int) -> str | None:
    """Why a text cannot stand for these memories; None when it says all that they say, and nothing that they do not."""
    if not text.strip() or len(text) > longest:
        return "the text is empty or too long"
    for one, other in combinations(rows, 2):
        if why := _objection(one, other):
            return why
    texts = [row["text"] for row in rows]
    said = " ".join(texts)
    if lost(text, *texts):
        return "the text loses a number or a name"
    if lost(said, text):
        return "the text has a number or a name that no memory says"
    whole, parts = read(text), [read(each) for each in texts]
    if frozenset().union(*(part.values for part in parts)) != whole.values:
        return "the text has other values than the memories"
    if whole.denies != any(part.denies for part in parts):
        return "the text denies what the memories do not, or the other way round"
    if any(_unsaid(text, without_question(each)) for each in texts):
        return "the text loses words of a memory"
    return None


def _objection(one: Row, other: Row) -> str | None:
    first, second = _side(one), _side(other)
    return objection(Action.MERGE, first, second) or objection(Action.MERGE, second, first)


def _fullest_first(row: Row) -> tuple[int, int, str, str]:
    return -len(read(row["text"]).tokens), -len(row["text"]), row["content_hash"], row["id"]


def _with(text: str, other: str, longest: int, texts: int) -> str | None:
    """The text that says the other as well: the text itself where no word is missing, else both."""
    if not _unsaid(text, other):
        return text
    joined = both(text, other)
    return joined if len(joined) <= longest and texts < MOST_TEXTS else None


def _share_words(one: str, other: str) -> bool:
    """Whether two texts have enough words in common to be worth asking about."""
    words, others = (frozenset(read(each).content) for each in (one, other))
    return len(words & others) >= _ENOUGH * min(len(words), len(others))


def _unsaid(text: str, other: str) -> list[str]:
    """The words of matter that another text has and this one has not, in any form."""
    here = read(text).content
    return [word for word in read(other).content if word not in here]


def _side(row: Row) -> Side:
    return Side(
        row["text"], row.get("source_author"), SourceKind(row["source_kind"]), tuple(row.get("labels") or ())
    )


def _statement(row: Row) -> Statement:
    return Statement(
        row["id"],
        characters.readable(row["text"]),
        row["valid_from"],
        row.get("source_author"),
        row["kind"],
        row["heading"],
        is_vouched_for=trust_of(SourceKind(row["source_kind"]), row.get("confirmed_at"))
        is not Trust.UNVERIFIED,
    )
