"""Statements about one attribute, each with a value drawn from a whole kind of values: two of them, or one among others.

A model that has seen few values of a kind takes "lives in Ghent" and "lives in Bruges" for the same, and one that has
seldom seen two things of a kind takes what is said of the one for news of the other. People wrote the sentences and the
lists of values (`tests/data/pairs`); which meet is drawn. Used in training alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph_memory.model.verdict import Action

ATTRIBUTES, VALUES = "attributes.jsonl", "values.json"
_SAME, _DETAIL = "same", "detail"
_PEOPLE = "person"
_SELF = ("User", "Mum", "My brother", "The neighbour", "Our boss")

Pair = tuple[str, str, Action]


@dataclass(frozen=True)
class Among:
    """A statement and some that are known; `about` is the place of the one it is about, None for none, and `outcomes` what
    it may do to that one."""

    known: Sequence[str]
    said: str
    about: int | None = None
    outcomes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attributes:
    """All attributes and the values of each kind; `same` are ways to write one value, by kind."""

    attributes: Sequence[Mapping[str, Any]]
    values: Mapping[str, Sequence[str]]
    same: Mapping[str, Sequence[Sequence[str]]]

    def pairs(self, rng: random.Random, count: int) -> list[Pair]:
        """So many pairs: (earlier, later, action)."""
        weights = [each.get("weight", 1) for each in self.attributes]
        return [_Drawing(self, rng, each).pair() for each in rng.choices(self.attributes, weights, k=count)]

    @property
    def people(self) -> Sequence[str]:
        """The names of people."""
        return self.values[_PEOPLE]

    def among(self, rng: random.Random, count: int) -> list[Among]:
        """So many statements, each among some that are known of others and of the same one."""
        told = [each for each in self.attributes if each["is"] != _DETAIL]
        weights = [each.get("weight", 1) for each in told]
        return [_Drawing(self, rng, each).among() for each in rng.choices(told, weights, k=count)]


def read(folder: Path) -> Attributes:
    """The attributes and values of a folder."""
    values = json.loads((folder / VALUES).read_text("utf-8"))
    same = values.pop(_SAME, {})
    lines = (folder / ATTRIBUTES).read_text("utf-8").splitlines()
    return Attributes([json.loads(line) for line in lines if line.strip()], values, same)


@dataclass(frozen=True)
class _Drawing:
    """One attribute, of which two statements are drawn."""

    given: Attributes
    rng: random.Random
    attribute: Mapping[str, Any]

    def pair(self) -> Pair:
        if self.attribute["is"] == _DETAIL:
            return self._detailed()
        ways: list[tuple[int, Callable[[], Pair]]] = [
            (3, self._same),
            (3, self._another_value),
            (2, self._of_another),
            (3, self._of_another_attribute),
        ]
        if self.attribute["is"] == "many":
            ways.append((3, self._listed))
        if self.attribute["changes"]:
            ways.append((4, self._changed))
        if self.attribute["ends"]:
            ways.append((2 if self.attribute["is"] == "exclusive" else 4, self._ended))
        made = self.rng.choices([way for _, way in ways], [weight for weight, _ in ways])[0]
        return made()

    def among(self) -> Among:
        """What is said of one, where the same is known of up to three others; in two of three cases it is known of it too."""
        rng = self.rng
        own, *others = self._several(rng.randint(2, 4))
        said, value = self._values()
        known = [_told(self._form(), each, rng.choice((value, self._values()[0]))) for each in others]
        known += self._of_same(own)
        rng.shuffle(known)
        if rng.random() < 0.35:
            form = self._form() if rng.random() < 0.8 or not self._changes() else rng.choice(self._changes())
            return Among(known, self._now(_told(form, own, rng.choice((said, value)))))
        place = rng.randint(0, len(known))
        known.insert(place, _told(self._form(), own, value))
        is_exclusive = self.attribute["is"] == "exclusive"
        ways: list[tuple[int, str, tuple[str, ...]]] = [(2, _told(self._form(), own, value), ("repeats",))]
        if is_exclusive:
            ways.append((3, self._now(_told(self._form(), own, said)), ("changes", "corrects")))
        ways += [(1, _told(each, own, said), ("changes",)) for each in self._changes()]
        ways += [(1, _told(each, own, value), ("ends",)) for each in self.attribute["ends"]]
        [(_, text, outcomes)] = rng.choices(ways, [weight for weight, _, _ in ways])
        if not is_exclusive and rng.random() < 0.25:
            return Among(known, _told(self._form(), own, said))
        return Among(known, text, place, outcomes)

    def _changes(self) -> Sequence[str]:
        return list(self.attribute["changes"])

    def _several(self, count: int) -> list[str]:
        """So many whom or which it may be about."""
        if "things" in self.attribute:
            things = list(self.attribute["things"])
            return self.rng.sample(things, min(count, len(things)))
        return self.rng.sample(sorted({*self.given.values[_PEOPLE], *_SELF}), count)

    def _of_same(self, of: str) -> list[str]:
        """Up to two statements of other attributes of the same one."""
        return [
            _told(each._form(), of, each._values()[0]) for each in self._others(of, self.rng.randint(0, 2))
        ]

    def _others(self, of: str, most: int) -> list[_Drawing]:
        """Up to so many other attributes that the same one may have."""
        is_person = "things" not in self.attribute
        like = [
            each
            for each in self.given.attributes
            if each is not self.attribute
            and each["is"] != _DETAIL
            and (("things" not in each) if is_person else of in each.get("things", ()))
        ]
        chosen = self.rng.sample(like, min(most, len(like)))
        return [_Drawing(self.given, self.rng, each) for each in chosen]

    def _now(self, text: str) -> str:
        """Now and then with the word now, which what is new has as well as what has changed."""
        return f"{text[:-1]} now." if text.endswith(".") and self.rng.random() < 0.3 else text

    def _same(self) -> Pair:
        one, two = self._forms()
        value, again = self._written_twice()
        of = self._of()
        return _told(one, of, value), _told(two, of, again), Action.DUPLICATE

    def _another_value(self) -> Pair:
        one, two = self._forms()
        value, other = self._values()
        of = self._of()
        is_change = self.attribute["is"] == "exclusive"
        action = Action.SUPERSEDE if is_change else Action.COEXIST
        return _told(one, of, value), _told(two, of, other), action

    def _of_another(self) -> Pair:
        one, two = self._forms()
        value, other = self._values()
        of, another = self._two_of()
        new = _told(two, another, self.rng.choice((value, other)))
        return _told(one, of, value), self._now(new), Action.COEXIST

    def _of_another_attribute(self) -> Pair:
        """What became of one attribute leaves the others of the same one as they were."""
        of, value = self._of(), self._values()[0]
        news = [*self.attribute["forms"], *self._changes(), *self.attribute["ends"]]
        for other in self._others(of, 1):
            known = _told(self.rng.choice([other._form(), *other._changes()]), of, other._values()[0])
            return known, self._now(_told(self.rng.choice(news), of, value)), Action.COEXIST
        return self._of_another()

    def _changed(self) -> Pair:
        value, other = self._values()
        of = self._of()
        new = self.rng.choice(self.attribute["changes"])
        # What has changed once may change again.
        old = self.rng.choice(self.attribute["changes"]) if self.rng.random() < 0.4 else self._form()
        return _told(old, of, value), _told(new, of, other), Action.SUPERSEDE

    def _ended(self) -> Pair:
        value, of = self._values()[0], self._of()
        end = self.rng.choice(self.attribute["ends"])
        return _told(self._form(), of, value), _told(end, of, value), Action.SUPERSEDE

    def _listed(self) -> Pair:
        """Two values in one statement: the one alone is a part of it, and the two in another order are the same."""
        one, two = self._forms()
        value, other = self._values()
        of, both = self._of(), f"{value} and {other}"
        first, second, action = self.rng.choice(
            (
                (both, self.rng.choice((value, other)), Action.DUPLICATE),
                (value, both, Action.MERGE),
                (both, f"{other} and {value}", Action.DUPLICATE),
            )
        )
        return _told(one, of, first), _told(two, of, second), action

    def _detailed(self) -> Pair:
        """That there is something, and a detail of it, which says more; of another's it says nothing."""
        who, another = self._two_people()
        thing, value = self.rng.choice(self.attribute["things"]), self._values()[0]
        base, detail = self.rng.choice(self.attribute["bases"]), self._form()
        is_of_another = self.rng.random() < 0.2
        base, detail = (
            _told(text.replace("{thing}", thing), of, value)
            for text, of in ((base, who), (detail, another if is_of_another else who))
        )
        if is_of_another:
            return base, detail, Action.COEXIST
        is_more = self.rng.random() < 0.6
        return (base, detail, Action.MERGE) if is_more else (detail, base, Action.DUPLICATE)

    def _form(self) -> str:
        return str(self.rng.choice(self.attribute["forms"]))

    def _forms(self) -> tuple[str, str]:
        """Two wordings; now and then the same one twice, so that only the value tells."""
        if self.rng.random() < 0.3:
            return (self._form(),) * 2
        one, two = self.rng.sample(self.attribute["forms"], 2)
        return str(one), str(two)

    def _values(self) -> tuple[str, str]:
        one, two = self.rng.sample(list(self.given.values[self.attribute["kind"]]), 2)
        return one, two

    def _written_twice(self) -> tuple[str, str]:
        groups = self.given.same.get(self.attribute["kind"])
        if groups and self.rng.random() < 0.5:
            one, two = self.rng.sample(list(self.rng.choice(groups)), 2)
            return one, two
        value = self._values()[0]
        return value, value

    def _of(self) -> str:
        return self._two_of()[0]

    def _two_of(self) -> tuple[str, str]:
        """Two whom or which it may be about."""
        if "things" in self.attribute:
            one, two = self.rng.sample(list(self.attribute["things"]), 2)
            return one, two
        return self._two_people()

    def _two_people(self) -> tuple[str, str]:
        people = [*self.given.values[_PEOPLE], *_SELF * 4]
        one, two = self.rng.sample(sorted(set(people)), 2)
        return (self.rng.choice(_SELF), two) if self.rng.random() < 0.2 and two not in _SELF else (one, two)


def _told(form: str, of: str, value: str) -> str:
    text = form.replace("{who}", of).replace("{thing}", of).replace("{v}", value)
    return text[:1].upper() + text[1:]
