"""Whatever all sources do in whatever order: nothing comes to be trusted more, unless a person says so."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph_memory.base.errors import UserError
from graph_memory.base.scope import Scope
from graph_memory.ingest.pipeline import remember
from graph_memory.ledger.changes import Call, changes
from graph_memory.memory import life, reading
from graph_memory.memory.addition import add
from graph_memory.memory.merge import merge
from graph_memory.memory.supersession import supersede
from graph_memory.memory.trust import Verdict, confirm
from graph_memory.memory.undo import undo
from graph_memory.model.memory import Fact, Memory, Source, SourceKind, Trust, trust_of
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tests.integration.remembering_world import Judge

pytestmark = [pytest.mark.stack, pytest.mark.long]

EXAMPLES = int(os.environ.get("TRUST_EXAMPLES", "12"))
ORDER = list(Trust)

KINDS = st.sampled_from(SourceKind)
WHICH = st.integers(0, 20)
ACTS = st.one_of(
    st.tuples(st.just("add"), KINDS),
    st.tuples(st.just("remember"), KINDS, st.sampled_from(Action)),
    st.tuples(st.just("supersede"), WHICH, KINDS),
    st.tuples(st.just("supersede_by"), WHICH, WHICH),
    st.tuples(st.just("merge"), WHICH, WHICH),
    st.tuples(st.just("revise"), WHICH),
    st.tuples(st.just("archive"), WHICH),
    st.tuples(st.just("restore"), WHICH),
    st.tuples(st.just("undo"), WHICH),
    st.tuples(st.just("confirm"), WHICH),
    st.tuples(st.just("withdraw"), WHICH),
)


class World:
    """A subject, who said each word first, and what a person has stood for."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.scope = Scope(f"test-{uuid.uuid4().hex}", "ann")
        self.kind_of: dict[str, SourceKind] = {}
        self.ids: list[str] = []
        self.stood_for: set[str] = set()
        self.seen = 0
        self.vector = tuple(service.embedder.embed(["the same for all"])[0])

    @property
    def call(self) -> Call:
        return Call(self.scope, "test")

    def fact(self, kind: SourceKind) -> Fact:
        """A statement with a word that nothing else has, as near to all others as can be."""
        word = f"word{chr(97 + len(self.kind_of) // 26)}{chr(97 + len(self.kind_of) % 26)}"
        self.kind_of[word] = kind
        return Fact(f"it rains {word}", source=Source(kind), entities=(), vector=self.vector)

    def some(self, which: int) -> str:
        return self.ids[which % len(self.ids)]

    def keep(self, id: str | None) -> None:
        if id is not None and id not in self.ids:
            self.ids.append(id)

    def all(self) -> list[Memory]:
        return [memory for memory in reading.get_many(self.service, self.scope, self.ids) if memory]

    def note(self, act: tuple[Any, ...]) -> None:
        """Learns what was confirmed by this act, and that it was a person's."""
        for change in changes(self.service, self.scope, self.seen, 500):
            self.seen = int(change["sequence"])
            if change["classification"] == "CONFIRM":
                assert act[0] == "confirm" or act[1] is SourceKind.USER, (act, change)
                for memory in reading.get_many(self.service, self.scope, change["targets"]):
                    self.stood_for |= set(memory.text.split()) if memory else set()

    def holds(self) -> None:
        """No word is trusted more than who said it, unless a person has once stood for it."""
        for memory in self.all():
            for word in set(memory.text.split()) & self.kind_of.keys() - self.stood_for:
                worst = ORDER.index(trust_of(self.kind_of[word], None))
                assert ORDER.index(memory.trust) >= worst, (memory.text, memory.trust)


def carry_out(world: World, act: tuple[Any, ...]) -> None:
    name, *given_ = act
    service, call = world.service, world.call
    if name == "add":
        world.keep(add(service, call, [world.fact(given_[0])])[0][0].id)
        return
    if name == "remember":
        outcome, _ = remember(service, call, world.fact(given_[0]), classify=Judge(given_[1], 1.0))
        world.keep(outcome.id)
        return
    if not world.ids:
        return
    first = world.some(given_[0])
    acts: dict[str, Callable[[], Any]] = {
        "supersede": lambda: world.keep(supersede(service, call, first, world.fact(given_[1]))[0].new),
        "supersede_by": lambda: supersede(service, call, first, world.some(given_[1])),
        "merge": lambda: merge(service, call, first, world.some(given_[1])),
        "revise": lambda: life.revise(service, call, first, life.Revision(importance=0.7)),
        "archive": lambda: life.archive(service, call, [first]),
        "restore": lambda: life.restore(service, call, [first]),
        "undo": lambda: undo(service, call, [_last(world, given_[0])]),
        "confirm": lambda: confirm(service, call, [first]),
        "withdraw": lambda: confirm(service, call, [first], verdict=Verdict.WITHDRAW),
    }
    acts[name]()


def _last(world: World, which: int) -> int:
    known = changes(world.service, world.scope, first=500)
    return int(known[-1 - which % len(known)]["sequence"])


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(acts=st.lists(ACTS, min_size=4, max_size=14))
def test_nothing_is_trusted_more_than_its_words_unless_a_person_says_so(
    service: Service, acts: list[tuple[Any, ...]]
) -> None:
    world = World(service)
    for act in acts:
        with suppress(UserError):
            carry_out(world, act)
        world.note(act)
        world.holds()


def test_a_confirmation_lifts_what_was_confirmed_and_nothing_else(service: Service, scope: Scope) -> None:
    call = Call(scope, "test")
    one, other = (
        str(each.id)
        for each in add(
            service, call, [Fact(text, source=Source(SourceKind.WEB)) for text in ("One.", "Two.")]
        )[0]
    )
    confirm(service, call, [one])
    found = {memory.id: memory.trust for memory in reading.get_many(service, scope, [one, other]) if memory}
    assert found == {one: Trust.PERSON, other: Trust.UNVERIFIED}
