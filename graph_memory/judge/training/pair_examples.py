"""What the pair model learns from: pairs that people wrote, statements of the streams beside what held then, and pairs made of
one statement."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from graph_memory.judge.linker_input import NOBODY
from graph_memory.judge.pair_model import LINKS, Joined
from graph_memory.judge.training import turned_statements
from graph_memory.judge.training.linker_examples import PAIRS, Candidate, Situation, situations
from graph_memory.judge.training.pairs import read_pairs
from graph_memory.judge.training.streams import Said, Stream
from graph_memory.model.link_kinds import LinkKind, kind_of
from graph_memory.model.verdict import Action

_OF_STREAMS = {
    "repeats": Action.DUPLICATE,
    "changes": Action.SUPERSEDE,
    "corrects": Action.SUPERSEDE,
    "ends": Action.SUPERSEDE,
    "disputes": Action.COEXIST,
}
_STATED = ("asserted", "planned")
# Pairs whose days are not told are taken to be so far apart.
_APART = timedelta(days=60)
# Every twelfth group of pairs is kept for choosing thresholds.
_GROUPS, _KEPT = 12, 5
_SHORT = 110
_AGES = (0, 3, 20, 90)
_TURNED, _SAME, _FAR, _BESIDE = 500, 400, 300, 2000
# Of statements of streams that stand side by side so many tell that no link joins them.
_TOLD = 0.15


@dataclass(frozen=True)
class PairExample:
    """A new statement beside a known one, each with who said it, and how they stand to each other.

    `tells_link` tells whether it is known that `link`, or none, joins them.
    """

    speaker: str
    new: str
    author: str
    old: str
    age: timedelta
    action: Action
    link: Joined | None = None
    weight: float = 1.0
    tells_link: bool = True

    def turned(self) -> PairExample:
        """The same with its sides exchanged, which no link is told of."""
        return replace(
            self,
            speaker=self.author,
            new=self.old,
            author=self.speaker,
            old=self.new,
            weight=0.7,
            tells_link=False,
        )


@dataclass(frozen=True)
class Material:
    """All there is to learn from; an epoch is drawn from it."""

    written: Sequence[PairExample]
    linked: Sequence[PairExample]
    beside: Sequence[PairExample]

    def epoch(self, rng: random.Random) -> list[PairExample]:
        """The pairs that were written, all links of the streams, and as much as there should be of the rest."""
        both_ways = [each.turned() for each in self.written if _reads_both_ways(each)]
        texts = sorted(
            {
                text
                for each in (*self.written, *self.linked)
                for text in (each.old, each.new)
                if len(text) < _SHORT
            }
        )
        made = turned_statements.pairs(texts, rng, _TURNED, _SAME)
        return [
            *self.written,
            *rng.sample(both_ways, len(both_ways) // 3),
            *self.linked,
            *(
                replace(each, tells_link=rng.random() < _TOLD)
                for each in rng.sample(list(self.beside), min(_BESIDE, len(self.beside)))
            ),
            *(_of_nobody(old, new, action, timedelta(days=rng.choice(_AGES))) for old, new, action in made),
            *(self._far(rng) for _ in range(_FAR)),
        ]

    def _far(self, rng: random.Random) -> PairExample:
        """Two statements that have nothing to do with each other."""
        one, other = rng.choice(self.written), rng.choice(self.written)
        return _of_nobody(one.old, other.new, Action.COEXIST, one.age)


def material(streams: Sequence[Stream], rng: random.Random) -> Material:
    """What there is to learn from in the package's pairs and some streams."""
    found = [each for stream in streams for each in of_stream(stream, rng)]
    linked = [each for each in found if each.tells_link]
    beside = [each for each in found if not each.tells_link]
    written = [each for group, each in _written() if group % _GROUPS != _KEPT]
    return Material([*written, *_of_text()], linked, beside)


def kept() -> list[PairExample]:
    """The written pairs that are not learnt from."""
    return [each for group, each in _written() if group % _GROUPS == _KEPT]


def of_stream(stream: Stream, rng: random.Random, most: int = 3) -> list[PairExample]:
    """Each statement of a stream beside what it is about, and beside up to `most` others that held, mostly the likest."""
    return [
        example
        for situation in situations(stream)
        for said in situation.line.said
        if said.mood in _STATED
        for example in _beside(situation, said, rng, most)
    ]


def _beside(situation: Situation, said: Said, rng: random.Random, most: int) -> list[PairExample]:
    mine = [each for each in situation.open if situation.links.get(each.place) is said]
    words = set(said.statement.lower().split())
    others = sorted(
        (each for each in situation.open if each.place not in situation.links),
        key=lambda each: -len(words & set(each.statement.lower().split())),
    )
    near, far = others[:2], others[2:]
    chosen = near + rng.sample(far, min(most - len(near), len(far)))
    told = []
    if said.outcome in _OF_STREAMS:
        joined = Joined(LinkKind.CONFLICTS) if said.outcome == "disputes" else None
        told = [_of_line(situation, said, each, _OF_STREAMS[said.outcome], joined) for each in mine]
    return told + [
        replace(_of_line(situation, said, each, Action.COEXIST, None), tells_link=False)
        for each in (chosen if mine else chosen[:1])
    ]


def _of_line(
    situation: Situation, said: Said, old: Candidate, action: Action, link: Joined | None
) -> PairExample:
    age = situation.line.at - old.line.at
    return PairExample(
        situation.utterance.speaker, said.statement, old.line.speaker, old.statement, age, action, link
    )


def _written(path: Path = PAIRS) -> list[tuple[int, PairExample]]:
    found = []
    for line in path.read_text("utf-8").splitlines():
        pair = json.loads(line)
        age = date.fromisoformat(pair["new_date"]) - date.fromisoformat(pair["old_date"])
        action = Action(pair["action"])
        link = joined(kind_of(pair["link"]) if pair["link"] else None, pair["link_from"] == "old")
        found.append((pair["g"], _of_nobody(pair["old"], pair["new"], action, age, link)))
    return found


def _of_text() -> list[PairExample]:
    return [
        each
        for pair in read_pairs()
        for both in ((pair, pair.turned()) if pair.reads_both_ways else (pair,))
        for each in [
            _of_nobody(
                both.old,
                both.new,
                both.action,
                timedelta(0) if both.said_at_once else _APART,
                joined(both.link, both.link_from == "old"),
            )
        ]
    ]


def joined(kind: LinkKind | None, from_known: bool) -> Joined | None:
    """The link as the model tells it; None for one that it does not know."""
    link = Joined(kind, from_known and kind is not LinkKind.CONFLICTS) if kind else None
    return link if link in LINKS else None


def _of_nobody(old: str, new: str, action: Action, age: timedelta, link: Joined | None = None) -> PairExample:
    return PairExample(NOBODY, new, NOBODY, old, age, action, link, tells_link=action is Action.COEXIST)


def _reads_both_ways(example: PairExample) -> bool:
    """Whether it holds with its sides exchanged. What says all of another may say more, so a duplicate need not."""
    return example.action is Action.COEXIST and example.link is None
