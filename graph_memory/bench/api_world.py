"""The accounts of `bench api`: twenty, each with people of whom much is known, some of it over, and links among it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import Progress, throwaway
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.links import Wanted, link_many
from graph_memory.memory.supersession import supersede
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.memory import Fact
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from graph_memory.store.service import Service

ACCOUNTS = 20
SUBJECT = "bench"
# Of so many memories one is the newest of three versions.
ONE_CHAIN_IN = 20
LINKS_EACH = 2
_BATCH = 250
_KINDS = (LinkKind.RELATED, LinkKind.CAUSES, LinkKind.SUPPORTS)
_PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Iris", "Jon", "Kim", "Lea")
_TOWNS = ("Berlin", "Paris", "Rome", "Vienna", "Oslo", "Madrid", "Porto", "Bern", "Ghent", "Split")
_THINGS = ("a cello", "a kayak", "a beehive", "a loom", "a telescope", "a piano", "a tent", "a kiln")
_FORMS = (
    "{person} bought {thing} in {town} for {number} euros.",
    "{person} met {other} in {town} to talk about {thing}, number {number} of the list.",
    "{person} keeps {thing} in locker {number} at the station of {town}.",
    "{person} lent {thing} to {other}, receipt {number}.",
)
_QUESTIONS = (
    "What did {person} buy in {town}?",
    "Where does {person} keep {thing}?",
    "Who met {other} to talk about {thing}?",
    "To whom did {person} lend {thing}?",
)


@dataclass(frozen=True)
class Account:
    """Whose memories are asked for, with a key to them: the ids of those that hold, and of those with a past."""

    tenant: str
    key: str
    ids: list[str]
    chains: list[str]


@contextmanager
def accounts(
    service: Service, memories: int, seed: int, told: Callable[[str], None]
) -> Iterator[list[Account]]:
    """The accounts; they are gone when the block ends."""
    source, progress = random.Random(seed), Progress(told, "memories stored", memories)
    with ExitStack() as gone:
        made = []
        for number in range(ACCOUNTS):
            tenant = gone.enter_context(throwaway(service, f"api{number}"))
            made.append(_account(service, tenant, memories // ACCOUNTS, source))
            progress.done((number + 1) * (memories // ACCOUNTS))
        yield made


def question(source: random.Random) -> str:
    """What somebody may want to know."""
    return _filled(source.choice(_QUESTIONS), source, 0)


def statement(source: random.Random) -> str:
    """What nobody has said before."""
    return _filled(source.choice(_FORMS), source, source.getrandbits(60))


def _account(service: Service, tenant: str, memories: int, source: random.Random) -> Account:
    call, now = Call(Scope(tenant, SUBJECT), "bench"), service.clock()
    chained = max(1, memories // ONE_CHAIN_IN)
    facts = [_fact(source, now) for _ in range(memories - 2 * chained)]
    ids = [
        str(added.id)
        for start in range(0, len(facts), _BATCH)
        for added in add(service, call, facts[start : start + _BATCH])[0]
    ]
    for place in range(chained):
        for _ in range(2):
            done, _ = supersede(service, call, ids[place], Fact(statement(source), entities=()))
            ids[place] = str(done.new)
    _link(service, call, ids, source)
    _, key = api_keys.create(service, tenant, None, Right.WRITE)
    return Account(tenant, key, ids, ids[:chained])


def _link(service: Service, call: Call, ids: list[str], source: random.Random) -> None:
    pairs = {(source.choice(ids), source.choice(ids)) for _ in range(LINKS_EACH * len(ids))}
    wanted = [Wanted(a, b, source.choice(_KINDS)) for a, b in sorted(pairs) if a != b]
    for start in range(0, len(wanted), _BATCH):
        link_many(service, call, wanted[start : start + _BATCH])


def _fact(source: random.Random, now: datetime) -> Fact:
    return Fact(
        statement(source), entities=(), valid_from=now - timedelta(days=source.randint(1, 200), hours=1)
    )


def _filled(form: str, source: random.Random, number: int) -> str:
    person, other = source.sample(_PEOPLE, 2)
    return form.format(
        person=person,
        other=other,
        town=source.choice(_TOWNS),
        thing=source.choice(_THINGS),
        number=number,
    )
