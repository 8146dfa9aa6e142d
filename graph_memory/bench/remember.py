"""`bench remember`: how long one statement takes to be remembered, with the embedded judge."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import Counted, percentile, throwaway
from graph_memory.ingest.pipeline import remember
from graph_memory.judge import panel
from graph_memory.judge.panel import Judgement
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Statement
from graph_memory.store.service import Service

_WARM_UP = 10
_PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Iris", "Jon")
_TOWNS = ("Berlin", "Paris", "Rome", "Vienna", "Oslo", "Madrid", "Porto", "Bern", "Ghent", "Split")
_HOBBIES = ("chess", "sailing", "pottery", "running", "the cello", "cooking", "hiking", "judo")
_FORMS = (
    "{person} lives in {town}.",
    "{person} now lives in {town}.",
    "{person} enjoys {hobby}.",
    "{person} no longer enjoys {hobby}.",
    "{person} met {other} in {town} to talk about {hobby}.",
    "{person} likes {hobby}.",
)


def bench_remember(
    service: Service, facts: int, known: int, told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Milliseconds of `remember`, embedding included, in a subject that holds `known` memories already.

    In turn with it the same is measured of `add`, which compares nothing.
    """
    counted, calls, done = Counted(service), Counter[str](), Counter[str]()

    def counting(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        calls["classify"] += 1
        return panel.classify(service, scope, new, candidates, within)

    with throwaway(service, "remember") as tenant:
        call = Call(Scope(tenant, "bench"), "bench")
        told(f"adding {known} memories")
        for start in range(0, known, 500):
            add(service, call, [Fact(_other(number)) for number in range(start, min(start + 500, known))])
        for number in range(_WARM_UP):
            remember(service, call, Fact(_statement(-1 - number)))
        told(f"remembering {facts}")
        times, plain = list[float](), list[float]()
        for number in range(facts):
            begun = time.perf_counter()
            with counted.counting():
                outcome, _ = remember(counted.service, call, Fact(_statement(number)), classify=counting)
            times.append(1000 * (time.perf_counter() - begun))
            done[outcome.operation] += 1
            begun = time.perf_counter()
            add(service, call, [Fact(_other(known + number))])
            plain.append(1000 * (time.perf_counter() - begun))
    return {
        "n": facts,
        "known": known,
        "accept_p50_ms": round(percentile(times, 50), 1),
        "accept_p95_ms": round(percentile(times, 95), 1),
        "add_p50_ms": round(percentile(plain, 50), 1),
        "classify_calls_per_fact": round(calls["classify"] / facts, 3),
        "statements_per_fact": round(counted.statements / facts, 2),
        "operations": dict(sorted(done.items())),
    }


def _statement(number: int) -> str:
    """A made-up statement; now and then one changes or repeats an earlier one."""
    return _FORMS[number % len(_FORMS)].format(
        person=_PEOPLE[number // 2 % len(_PEOPLE)],
        other=_PEOPLE[(number // 3 + 1) % len(_PEOPLE)],
        town=_TOWNS[number // 5 % len(_TOWNS)],
        hobby=_HOBBIES[number // 7 % len(_HOBBIES)],
    )


def _other(number: int) -> str:
    return f"Order {number} went to {_TOWNS[number % len(_TOWNS)]} by {_HOBBIES[number % len(_HOBBIES)]} courier."
