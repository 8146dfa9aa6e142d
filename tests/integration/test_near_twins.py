"""No likeness drops a statement: near twins that differ in a number, a date, a denial or a name are all kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph_memory.base.scope import Scope
from graph_memory.ingest.pipeline import remember
from graph_memory.ledger.changes import Call
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action
from graph_memory.store.service import Service
from tests.integration.remembering_world import Judge

pytestmark = pytest.mark.stack

NUMBERS = (
    ("The invoice of {} has 3 pages.", "The invoice of {} has 8 pages."),
    ("{} takes 5 mg before dinner.", "{} takes 15 mg before dinner."),
    ("The flat of {} costs 900 euros a month.", "The flat of {} costs 950 euros a month."),
    ("{} parks on level 2.", "{} parks on level 4."),
    ("The shoes of {} are size 41.", "The shoes of {} are size 43."),
)
DATES = (
    ("{} flies to Lisbon on 3 March 2026.", "{} flies to Lisbon on 9 March 2026."),
    ("The lease of {} ends in June.", "The lease of {} ends in July."),
    ("{} plays tennis on Tuesday.", "{} plays tennis on Friday."),
    ("{} was vaccinated on 2025-11-02.", "{} was vaccinated on 2025-12-02."),
    ("{} goes swimming in the morning.", "{} goes swimming in the evening."),
)
DENIALS = (
    ("{} eats meat.", "{} does not eat meat."),
    ("{} has signed the contract.", "{} has never signed the contract."),
    ("{} is available at night.", "{} is unavailable at night."),
    ("{} can drive a lorry.", "{} cannot drive a lorry."),
    ("{} likes loud music.", "{} dislikes loud music."),
)
NAMES = (
    ("{} reports to Maria Lopez.", "{} reports to Maria Gomez."),
    ("{} banks with Monzo.", "{} banks with Revolut."),
    ("{} was born in Oslo.", "{} was born in Bergen."),
    ("{} sends the files to Peter.", "{} sends the files to Paula."),
    ("{} studies Spanish with Inés.", "{} studies Spanish with Laura."),
)
PEOPLE = ("Ann", "Bob", "Clara", "David", "Erik")


def twins(count: int) -> Iterator[tuple[str, str]]:
    """Each pair once, said of one person after the other; a hundred, said of everybody."""
    pairs = (*NUMBERS, *DATES, *DENIALS, *NAMES)
    for turn in range(count // len(pairs)):
        for number, (one, other) in enumerate(pairs):
            name = PEOPLE[(number + turn) % len(PEOPLE)]
            yield one.format(name), other.format(name)


@pytest.mark.parametrize("count", [20, pytest.param(100, marks=pytest.mark.long_form)])
@pytest.mark.parametrize("judge", ["embedded", "calls all duplicates"])
def test_none_of_a_hundred_near_twins_is_dropped(
    service: Service, scope: Scope, judge: str, count: int
) -> None:
    """Reliability 7, Dedup: 0 of 100 dropped, with the embedded judge and with one that would drop them all."""
    pairs = list(twins(count))
    assert len(set(pairs)) == count
    said = None if judge == "embedded" else Judge(Action.DUPLICATE, 1.0)
    dropped = []
    for number, (one, other) in enumerate(pairs):
        call = Call(Scope(scope.tenant_name, f"s{number}"), "test")
        remember(service, call, Fact(one), classify=said) if said else remember(service, call, Fact(one))
        outcome, _ = (
            remember(service, call, Fact(other), classify=said)
            if said
            else remember(service, call, Fact(other))
        )
        # It may take the place of the older one, for so a changed value reads; but it may not be left out.
        if (
            outcome.operation is Operation.NOOP
            or outcome.id is None
            or outcome.classification is Action.DUPLICATE
        ):
            dropped.append((one, other, outcome.operation))
    assert dropped == []
