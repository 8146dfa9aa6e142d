"""What the pair model learns from: pairs that people wrote, statements of the streams beside what held then, pairs made of
one statement, and attributes with two values of a kind."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain
from pathlib import Path

from graph_memory.judge.linker_input import NOBODY
from graph_memory.judge.pair_model import LINKS, Joined
from graph_memory.judge.training import attribute_values, turned_statements
from graph_memory.judge.training.attribute_values import Attributes
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
# What one said is learnt so often without a name, and so often at another age. What changes does so in a day or more.
_NAMELESS, _AGED, _AGES_OF_ONE = 0.4, 0.4, (0, 1, 4, 20, 90, 400)
_TURNED, _SAME, _FAR, _BESIDE, _VALUED = 500, 400, 300, 2000, 4000
# Of statements of a chat that tells causes, so many that stand side by side are learnt to be none of each other.
_NO_CAUSES = 3
# Hands whose pairs the packaged model has not learnt from: what is added to learn from is named here until it has.
NEW_HANDS: frozenset[str] = frozenset()
# Hands whose pairs are not learnt from; on them thresholds are chosen.
KEPT_HANDS = frozenset({"f", "j", "p", "rz", "tz"})
# Of statements of streams that stand side by side so many tell that no link joins them.
_TOLD = 0.15


@dataclass(frozen=True)
class PairExample:
    """A new statement beside a known one, each with who said it, and how they stand to each other.

    `tells_link` tells whether it is known that `link`, or none, joins them; `was_learnt` whether the model that is trained on
    has learnt it, or its like, and `before` how likely that one took each action then.
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
    was_learnt: bool = False
    before: Sequence[float] = ()

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
    attributes: Attributes

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
            *(_told_otherwise(each, rng) for each in self.written),
            *rng.sample(both_ways, len(both_ways) // 3),
            *self.linked,
            *(
                replace(each, tells_link=rng.random() < _TOLD)
                for each in rng.sample(list(self.beside), min(_BESIDE, len(self.beside)))
            ),
            *(_of_nobody(old, new, action, timedelta(days=rng.choice(_AGES))) for old, new, action in made),
            *(self._far(rng) for _ in range(_FAR)),
            *(
                replace(_of_nobody(old, new, action, timedelta(days=rng.choice(_AGES))), was_learnt=True)
                for old, new, action in self.attributes.pairs(rng, _VALUED)
            ),
        ]

    def _far(self, rng: random.Random) -> PairExample:
        """Two statements that have nothing to do with each other."""
        one, other = rng.choice(self.written), rng.choice(self.written)
        return _of_nobody(one.old, other.new, Action.COEXIST, one.age)


def _told_otherwise(example: PairExample, rng: random.Random) -> PairExample:
    """What one said, now and then with no name or another age: neither tells what becomes of it."""
    if NOBODY not in (example.speaker, example.author) and example.speaker != example.author:
        return example
    ages = _AGES_OF_ONE[1:] if example.action is Action.SUPERSEDE else _AGES_OF_ONE
    age = timedelta(days=rng.choice(ages)) if rng.random() < _AGED else example.age
    if rng.random() < _NAMELESS:
        return replace(example, age=age, speaker=NOBODY, author=NOBODY)
    return replace(example, age=age)


def material(streams: Sequence[Stream], hands: Path, rng: random.Random) -> Material:
    """What there is to learn from in the package's pairs, those of hands, with their attributes, and some streams."""
    found = [each for stream in streams for each in (*of_stream(stream, rng), *causes(stream, rng))]
    linked = [each for each in found if each.tells_link]
    beside = [each for each in found if not each.tells_link]
    return Material(written(hands), linked, beside, attribute_values.read(hands))


def written(hands: Path) -> list[PairExample]:
    """The pairs that people wrote, but for those that are kept."""
    learnt = [file for file in _files(hands) if file.stem not in KEPT_HANDS]
    found = [each for file in (PAIRS, *learnt) for group, each in _written(file) if group % _GROUPS != _KEPT]
    return [*found, *_of_text()]


def kept(hands: Path) -> list[PairExample]:
    """The written pairs that are not learnt from."""
    return [
        each
        for file in (PAIRS, *_files(hands))
        for group, each in _written(file)
        if group % _GROUPS == _KEPT or file.stem in KEPT_HANDS
    ]


def causes(stream: Stream, rng: random.Random) -> list[PairExample]:
    """Of a chat that tells causes, each statement beside what led to it, and beside some just before that did not."""
    lines = stream.lines
    if not any(said.causes or said.effects for line in lines for said in line.said):
        return []
    found = []
    for number, line in enumerate(lines, 1):
        for said in line.said:
            joined_to = {
                **{place: Joined(LinkKind.CAUSES, from_known=True) for place in said.causes},
                **{place: Joined(LinkKind.CAUSES) for place in said.effects},
            }
            if said.link is not None and said.outcome != "adds":
                joined_to.pop(said.link, None)
            near = [
                (at, place)
                for at in range(max(1, number - _NO_CAUSES - 2), number)
                for place in range(1, len(lines[at - 1].said) + 1)
                if (at, place) not in joined_to and (at, place) != said.link
            ]
            beside = dict.fromkeys(rng.sample(near, min(_NO_CAUSES, len(near))))
            for (at, place), link in chain(joined_to.items(), beside.items()):
                old = lines[at - 1]
                found.append(
                    PairExample(
                        line.speaker, said.statement, old.speaker, old.said[place - 1].statement,
                        line.at - old.at, Action.COEXIST, link,
                    )
                )  # fmt: skip
    return found


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


def _files(hands: Path) -> list[Path]:
    return [file for file in sorted(hands.glob("*.jsonl")) if file != hands / attribute_values.ATTRIBUTES]


def _written(path: Path = PAIRS) -> list[tuple[int, PairExample]]:
    found = []
    for line in path.read_text("utf-8").splitlines():
        pair = json.loads(line)
        age = date.fromisoformat(pair["new_date"]) - date.fromisoformat(pair["old_date"])
        action = Action(pair["action"])
        link = joined(kind_of(pair["link"]) if pair["link"] else None, pair["link_from"] == "old")
        one = _of_nobody(pair["old"], pair["new"], action, age, link)
        one = replace(
            one,
            speaker=pair.get("new_by") or NOBODY,
            author=pair.get("old_by") or NOBODY,
            was_learnt=path.stem not in NEW_HANDS,
        )
        found.append((pair["g"], one))
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
