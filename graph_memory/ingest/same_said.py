"""Which of some known memories say the same, and one text that says all of them. Nothing is read or written.

A rule-bound judge looks at each pair in two passes, each statement as if it came in after the other, and a guard may
veto: two different numbers, dates, names or denials are never merged. What it cannot prove stays apart. A text counts
only if no number, name, date, denial and no word of matter of any member is lost in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from graph_memory.ingest.restatement import alike
from graph_memory.judge.contrast import says_otherwise
from graph_memory.judge.embedded import ACTS, EmbeddedJudge
from graph_memory.judge.guards import Side, objection
from graph_memory.language import characters
from graph_memory.language.analysis import read
from graph_memory.language.kind_cues import EVENT, PICTURE
from graph_memory.language.roles import exchanged
from graph_memory.language.short_answers import without_question
from graph_memory.language.subsumption import both
from graph_memory.language.synonyms import mean_the_same
from graph_memory.memory.group_merge import why_apart
from graph_memory.memory.merged_text import lost
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action, Statement

Row = Mapping[str, Any]
MayMeet = Callable[[Row, Row], bool]

# Texts that are strung together, where none of them says all of the others.
MOST_TEXTS = 3
CONTAINED = "One says all that the other says."
NEARLY_EQUAL = "They have nearly the same words, and the same values."
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

    `fuzzy` is the share of characters from which two texts are nearly equal, `longest` how long a text may be.
    """

    def __init__(self, judge: EmbeddedJudge, fuzzy: float, longest: int) -> None:
        self._judge = judge
        self._fuzzy = fuzzy
        self._longest = longest
        self._known: dict[tuple[str, str], _Said | None] = {}

    def groups(self, rows: Sequence[Row], may_meet: MayMeet = lambda _, __: True) -> list[Group]:
        """The groups among some memories, as loaded; no memory is in two of them.

        Each gathers round the memory that says what most others say, the fullest of these. `may_meet` tells whether two may
        be compared at all.
        """
        left = {row["id"]: row for row in sorted(rows, key=_fullest_first)}
        says = {id: self._said_by(row, left.values(), may_meet) for id, row in left.items()}
        groups = []
        while left:
            first = left.pop(max(left, key=lambda id: len(says[id] & left.keys())))
            others = [row for id, row in left.items() if id in says[first["id"]]]
            group = self._round(first, others, may_meet)
            if group is not None:
                groups.append(group)
                for id in group.ids:
                    left.pop(id, None)
        return groups

    def _said_by(self, first: Row, others: Iterable[Row], may_meet: MayMeet) -> set[str]:
        """Which of the others it says."""
        return {
            row["id"]
            for row in others
            if row is not first and may_meet(first, row) and self._says(first, row) is not None
        }

    def _round(self, first: Row, others: Sequence[Row], may_meet: MayMeet) -> Group | None:
        """The group of a memory and of others that it says; None where none may join it."""
        taken, text, said = [first], first["text"], list[_Said]()
        for row in others:
            if not all(may_meet(one, row) for one in taken) or why_apart([*taken, row]):
                continue
            if any(_turned(one, row) for one in taken):
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
        if objection(Action.DUPLICATE, _side(row), _side(first)) is not None or _turned(first, row):
            return None
        one, other = read(first["text"]), read(row["text"])
        if lost(first["text"], row["text"]) or one.denies != other.denies or not other.values <= one.values:
            return None
        if both(first["text"], row["text"]) == first["text"]:
            return _Said(1.0, CONTAINED)
        if alike(first["text"], row["text"]) >= self._fuzzy and not says_otherwise(
            first["text"], row["text"]
        ):
            return _Said(1.0, NEARLY_EQUAL)
        [proposed] = self._judge.classify(_statement(row), [_statement(first)])
        if proposed.action is not Action.DUPLICATE or proposed.confidence <= ACTS:
            return None
        [reviewed] = self._judge.classify(_statement(first), [_statement(row)])
        if Action.DUPLICATE not in (reviewed.action, reviewed.proposal):
            return None
        return _Said(proposed.confidence, proposed.reason)


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


def _turned(one: Row, other: Row) -> bool:
    """Whether one says of two things what the other says the other way round: called rather than texted, or texted."""
    return exchanged(read(one["text"]).roles, read(other["text"]).roles)


def _fullest_first(row: Row) -> tuple[int, int, str, str]:
    return -len(read(row["text"]).tokens), -len(row["text"]), row["content_hash"], row["id"]


def _with(text: str, other: str, longest: int, texts: int) -> str | None:
    """The text that says the other as well: the text itself where no word is missing, else both."""
    if not _unsaid(text, other):
        return text
    joined = both(text, other)
    return joined if len(joined) <= longest and texts < MOST_TEXTS else None


def _unsaid(text: str, other: str) -> list[str]:
    """The words of matter that another text has and this one does not have, nor one that means the same."""
    here = read(text).content
    return [
        word
        for word in read(other).content
        if not any(word == own or mean_the_same(word, own) for own in here)
    ]


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
