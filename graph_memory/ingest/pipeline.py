"""`remember`: everything is computed first (embed, search, judge), then written in one transaction (`rounds.py`).

One statement is many of one. What the doors differ in is how many statements share a request and a transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_memory.base.scope import Scope
from graph_memory.ingest import candidates as looking
from graph_memory.ingest import held_questions, linker_proposals, orders, threats, told_times
from graph_memory.ingest.application import Decided
from graph_memory.ingest.outcome import Mode, Outcome, as_data, from_data, told
from graph_memory.ingest.rounds import Asked, Rounds
from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.trace import planned
from graph_memory.ingest.weighing import looks
from graph_memory.judge import panel
from graph_memory.judge.judges import Classify, Judges, at_once
from graph_memory.language.own_output import refuse_own
from graph_memory.ledger.activity import zone_of
from graph_memory.ledger.changes import Answer, Call, Writing
from graph_memory.memory import addition as adding
from graph_memory.memory.addition import Prepared
from graph_memory.memory.settings import PipelineSettings
from graph_memory.model.change import Operation
from graph_memory.model.memory import Fact
from graph_memory.model.verdict import Action
from graph_memory.store.service import Row, Service


def remember(
    service: Service,
    call: Call,
    fact: Fact,
    mode: Mode = Mode.DECIDE,
    classify: Classify = linker_proposals.classify,
) -> tuple[Outcome, Answer]:
    """Keeps a statement as what is known wants it: added, merged, in place of an older one, or left out.

    Waits for a judge up to `pipeline.timeout` seconds. Raises Invalid, and what any write may raise.
    """
    [each] = remember_many(service, call, [fact], mode, classify)
    return each


def remember_many(
    service: Service,
    call: Call,
    facts: Sequence[Fact],
    mode: Mode = Mode.DECIDE,
    classify: Classify = linker_proposals.classify,
) -> list[tuple[Outcome, Answer]]:
    """`remember` for the facts of one subject in their order; each sees what those before it did.

    They are embedded in one batch and their candidates read in one statement. Each is a request of its own: with a
    key the second has the key and `:2`, so that a repeated call goes on where the first ended.
    """
    prepared = _prepare(service, call.scope, _read(service, call.scope, facts, mode), mode)
    calls = [_numbered(call, number) for number in range(1, len(facts) + 1)]
    found = looking.search(service, calls, prepared)
    judges = Judges(service, call.scope.for_writing(), classify)
    made = []
    for own, fact, item, known in zip(calls, facts, prepared, found, strict=True):
        body = {**adding.body_of(fact), "mode": mode}
        answer = Rounds(service, [item], judges, mode).carry_out(Asked(own, body, _only), [known])
        made.append((from_data(answer.value), answer))
    return made


def remember_together(
    service: Service,
    asked: Asked,
    facts: Sequence[Fact],
    classify: Classify = panel.classify,
    hurried: Classify = at_once,
    about: Sequence[str | None] = (),
    told_in: Sequence[str | None] = (),
) -> Answer:
    """The facts of one subject in one request and transaction, each decided in view of those before it.

    The answer is what `asked.end` makes of the outcomes. They are embedded in one batch and their candidates read in
    one statement; each that has candidates takes one call of a judge. `hurried` judges what comes in under the lock.
    `about` names the known memory that a fact is about, where that is known: it is always a candidate. `told_in` names one
    that tells a fact already: it is stored only if something takes that one's place.
    """
    prepared = _prepare(service, asked.call.scope, facts)
    if about:
        prepared = [replace(item, about=id) for item, id in zip(prepared, about, strict=True)]
    if told_in:
        prepared = [replace(item, told_in=id) for item, id in zip(prepared, told_in, strict=True)]
    judges = Judges(service, asked.call.scope.for_writing(), classify, hurried)
    return Rounds(service, prepared, judges).carry_out(asked)


def plan(
    service: Service,
    scope: Scope,
    fact: Fact,
    mode: Mode = Mode.DECIDE,
    classify: Classify = linker_proposals.classify,
) -> Outcome:
    """What `remember` would do now; nothing is written."""
    [outcome] = plan_many(service, scope, [fact], mode, classify)
    return outcome


def plan_many(
    service: Service,
    scope: Scope,
    facts: Sequence[Fact],
    mode: Mode = Mode.DECIDE,
    classify: Classify = linker_proposals.classify,
) -> list[Outcome]:
    """What `remember_many` would do now, each in view of those before it; nothing is written.

    A target or candidate may be the id that a statement before it would get, which no memory has.
    """
    prepared = _prepare(service, scope, _read(service, scope, facts, mode), mode)
    found = looking.search(service, [Call(scope, "plan")] * len(prepared), prepared)
    judges = Judges(service, scope.for_writing(), classify)
    decided = Rounds(service, prepared, judges, mode).decided(found)
    return [_planned(item, one) for item, one in zip(prepared, decided, strict=True)]


def _planned(item: Prepared, decided: Decided) -> Outcome:
    choice = decided.choice
    operation = {
        Action.MERGE: Operation.MERGE,
        Action.SUPERSEDE: Operation.SUPERSEDE,
        Action.DUPLICATE: Operation.UPDATE,
    }.get(choice.action or Action.COEXIST, Operation.ADD)
    outcome = told(choice, decided.candidates, operation, None, planned(choice.action))
    reason = item.reason if item.is_held else outcome.reason
    return replace(outcome, reason=reason, text=decided.merged["text"] if decided.merged else None)


def _prepare(
    service: Service, scope: Scope, facts: Sequence[Fact], mode: Mode = Mode.DECIDE
) -> list[Prepared]:
    for index, fact in enumerate(facts):
        refuse_own(fact.text, f"facts[{index}].text")
    facts = threats.read(service, scope, facts)
    if mode is Mode.DECIDE and service.settings[PipelineSettings].enabled:
        facts = orders.marked(facts)
    prepared = adding.prepare(service, scope.for_writing().subject or "", facts)
    return [_marked(service, item) for item in prepared] if mode is Mode.DECIDE else prepared


def _read(service: Service, scope: Scope, facts: Sequence[Fact], mode: Mode) -> Sequence[Fact]:
    """The facts with the times of their words, and those that are questions held; a conversation has been read before."""
    if mode is not Mode.DECIDE or not service.settings[PipelineSettings].enabled:
        return facts
    dated = told_times.timed(facts, service.clock(), zone_of(service, scope.for_writing()))
    return held_questions.marked(dated, service.settings[LinkerSettings])


def _marked(service: Service, item: Prepared) -> Prepared:
    """With a mark on what nothing can come near, since the embedder fails: it is judged when it has its vector."""
    if item.properties["embedding"] is not None or not looks(service, item):
        return item
    return replace(item, properties={**item.properties, "unjudged": True})


def _only(_: Writing, outcomes: Sequence[Outcome]) -> Row:
    """The answer of a request about one statement."""
    [outcome] = outcomes
    return as_data(outcome)


def _numbered(call: Call, number: int) -> Call:
    return call if call.key is None or number == 1 else replace(call, key=f"{call.key}:{number}")
