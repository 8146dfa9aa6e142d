"""Remembering many statements of one subject in one transaction: each is decided in view of those before it.

As with `remember` everything is computed first. The statements of one call are compared with one another too, as if
each had been stored before the next was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from graph_memory.errors import Conflict, Erased, IdempotencyMismatch
from graph_memory.judging import panel
from graph_memory.judging.embedded import EmbeddedJudge
from graph_memory.judging.panel import Judgement
from graph_memory.judging.verdict import Action, Statement, Verdict
from graph_memory.ledger import Answer, Call, Writing, carry_out
from graph_memory.memory import add as adding
from graph_memory.memory.add import Prepared
from graph_memory.memory.model import Fact, SourceKind
from graph_memory.remembering import candidates as looking
from graph_memory.remembering.applying import Decided, add_all, apply
from graph_memory.remembering.candidates import Candidate, Found
from graph_memory.remembering.deciding import Choice
from graph_memory.remembering.outcome import Outcome
from graph_memory.remembering.own_output import refuse_own
from graph_memory.remembering.pipeline import ROUNDS_OUTSIDE, Classify, decide
from graph_memory.remembering.profiles import profile_of
from graph_memory.service import Service
from graph_memory.tenancy import Scope

# What else belongs into the transaction: before anything is written, and when the outcomes are known.
Begin = Callable[[Writing], None]
End = Callable[[Writing, Sequence[Outcome]], Any]

_ACTING = frozenset({Action.DUPLICATE, Action.SUPERSEDE, Action.MERGE})


def remember_together(
    service: Service,
    call: Call,
    operation: str,
    body: Any,
    facts: Sequence[Fact],
    end: End,
    begin: Begin = lambda writing: None,
    classify: Classify = panel.classify,
    ready: Callable[[], None] = lambda: None,
) -> Answer:
    """What `end` answers. The statements are embedded in one batch, their candidates read in one statement.

    One judge's call for each statement that has candidates. What is older than a known memory never takes its place by
    itself. `ready` is told when all is decided and the transaction about to be asked for; `begin` is its first act and may
    refuse it by raising. Both may be called again.
    """
    for index, fact in enumerate(facts):
        refuse_own(fact.text, f"facts[{index}].text")
    prepared = adding.prepare(service, call.scope.for_writing().subject or "", facts)
    together = _Together(service, call, operation, facts, prepared, classify)
    found = together.search()
    EmbeddedJudge(service.embedder).learn([item.properties["text"] for item in prepared])
    hindrances: dict[int, str] = {}
    rounds = 0
    while True:
        rounds += 1
        decided = together.decided(found, hindrances)
        is_last = rounds > ROUNDS_OUTSIDE + len(hindrances)
        work = together.work(found, decided, hindrances, (begin, end), is_last=is_last)
        ready()
        try:
            return carry_out(service, call, operation, body, work)
        except _MovedOn:
            found = together.search()
        except _Refused as refused:
            if refused.index in hindrances:
                raise refused.conflict from None
            hindrances[refused.index] = refused.conflict.message
            found = together.search()


class _MovedOn(Exception):  # noqa: N818 - it is no error
    """The subject was written to meanwhile."""


class _Refused(Exception):  # noqa: N818 - it is no error
    """What was decided about one statement cannot be done."""

    def __init__(self, index: int, conflict: Conflict) -> None:
        self.index = index
        self.conflict = conflict


@dataclass
class _Together:
    """The statements of one call on their way in."""

    service: Service
    call: Call
    operation: str
    facts: Sequence[Fact]
    prepared: Sequence[Prepared]
    classify: Classify
    _verdicts: dict[tuple[str | None, str, str, str], tuple[Verdict, str]] = field(default_factory=dict)

    def search(self) -> list[Found]:
        """What the store knows that comes near each."""
        calls = [self.call] * len(self.prepared)
        return looking.search(self.service, calls, self.prepared, self.operation)

    def work(
        self,
        found: Sequence[Found],
        decided: Sequence[Decided],
        hindrances: dict[int, str],
        around: tuple[Begin, End],
        *,
        is_last: bool,
    ) -> Callable[[Writing], Any]:
        """What is done in the transaction. _MovedOn when the subject was written to since it was read."""
        begin, end = around

        def work(writing: Writing) -> Any:
            begin(writing)
            is_current = not found or writing.sequence == found[0].sequence + 1
            made = decided if is_current else self._caught_up(writing, hindrances, is_last=is_last)
            return end(writing, _write(writing, self.prepared, made))

        return work

    def _caught_up(self, writing: Writing, hindrances: dict[int, str], *, is_last: bool) -> list[Decided]:
        """Decides anew: outside, and when that was done often enough under the lock, by the embedded judge."""
        if not is_last:
            raise _MovedOn
        found = looking.search_in(self.service, writing, [self.call] * len(self.prepared), self.prepared)
        return self.decided(found, hindrances, under_lock=True)

    def decided(
        self, found: Sequence[Found], hindrances: dict[int, str], *, under_lock: bool = False
    ) -> list[Decided]:
        """One decision for each statement, in order."""
        if found and found[0].is_answered:
            # The ledger has the answer of this request; nobody is asked again.
            return [Decided(Choice(None), ()) for _ in found]
        standing = _Standing(self.service)
        judge = self._embedded if under_lock else self._judged
        made = []
        for index, (fact, item, known) in enumerate(zip(self.facts, self.prepared, found, strict=True)):
            candidates = standing.candidates(item, known.candidates)
            one = decide(
                self.service,
                self.call,
                fact,
                item,
                candidates,
                in_time(judge),
                hindrances.get(index),
                may_embed=not under_lock,
            )
            standing.learn(item, one)
            made.append(one)
        return made

    def _judged(
        self, service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], _: float
    ) -> Judgement:
        """The verdicts; a pair that was judged in an earlier round keeps its own."""
        keys = [(new.text, new.at.isoformat(), each.id or "", each.text) for each in candidates]
        asked = [each for each, key in zip(candidates, keys, strict=True) if key not in self._verdicts]
        if asked:
            judgement = self.classify(service, scope, new, asked, service.settings.pipeline.timeout)
            given = {each.id: verdict for each, verdict in zip(asked, judgement.verdicts, strict=True)}
            for each, key in zip(candidates, keys, strict=True):
                if key not in self._verdicts:
                    self._verdicts[key] = (given[each.id], judgement.provider)
        found = [self._verdicts[key] for key in keys]
        return Judgement(tuple(verdict for verdict, _ in found), found[0][1] if found else "embedded")

    def _embedded(
        self, service: Service, _: Scope, new: Statement, candidates: Sequence[Statement], __: float
    ) -> Judgement:
        judge = EmbeddedJudge(service.embedder)
        return Judgement(tuple(judge.classify(new, candidates)), judge.name)


def in_time(classify: Classify) -> Classify:
    """The same judge, who does not put an older statement in the place of a younger one: that is left to a person."""

    def judged(
        service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], within: float
    ) -> Judgement:
        judgement = classify(service, scope, new, candidates, within)
        verdicts = tuple(
            replace(verdict, action=Action.COEXIST, abstained=True, proposal=Action.SUPERSEDE, link=None)
            if verdict.action is Action.SUPERSEDE and new.at < old.at
            else verdict
            for old, verdict in zip(candidates, judgement.verdicts, strict=True)
        )
        return replace(judgement, verdicts=verdicts)

    return judged


class _Standing:
    """What is known while the decisions of one call are made: the store's memories, and those decided already."""

    def __init__(self, service: Service) -> None:
        self._profile = profile_of(service.embedder.model, service.settings.pipeline)
        self._most = service.settings.pipeline.candidates
        self._gone: set[str] = set()
        self._changed: dict[str, tuple[str, tuple[float, ...]]] = {}
        self._earlier: list[Prepared] = []

    def candidates(self, item: Prepared, known: Iterable[Candidate]) -> list[Candidate]:
        """The nearest of both, as they stand now."""
        stored = [self._now(each, item) for each in known if each.id not in self._gone]
        earlier = [other for other in self._earlier if other.id not in self._gone]
        vectors = [other.properties["embedding"] for other in earlier]
        cosines = _cosines(item.properties["embedding"], vectors)
        near = [self._near(item, other, cosine) for other, cosine in zip(earlier, cosines, strict=False)]
        found = [*stored, *(each for each in near if each is not None)]
        return sorted(found, key=lambda each: (-each.cosine, each.id))[: self._most]

    def learn(self, item: Prepared, decided: Decided) -> None:
        """Notes what a decision changes for those after it."""
        choice = decided.choice
        if choice.action is Action.SUPERSEDE and choice.chosen:
            self._gone.add(choice.chosen.candidate.id)
        if choice.action is Action.MERGE and choice.chosen and decided.merged:
            vector = decided.merged["embedding"] or ()
            self._changed[choice.chosen.candidate.id] = (decided.merged["text"], tuple(vector))
        is_kept = choice.action not in (Action.DUPLICATE, Action.MERGE)
        if is_kept and item.properties["live_key"] is not None and item.properties["embedding"] is not None:
            self._earlier.append(item)

    def _now(self, known: Candidate, item: Prepared) -> Candidate:
        if known.id not in self._changed:
            return known
        text, vector = self._changed[known.id]
        cosines = _cosines(item.properties["embedding"], [vector] if vector else [])
        return replace(known, text=text, vector=vector, cosine=cosines[0] if cosines else known.cosine)

    def _near(self, item: Prepared, other: Prepared, cosine: float) -> Candidate | None:
        """An earlier statement of the same call, if it comes near enough."""
        keys = {each.key for each in item.entities}
        shared = tuple(sorted({each.name for each in other.entities if each.key in keys}))
        if cosine < (self._profile.shared if shared else self._profile.candidates):
            return None
        properties = other.properties
        candidate = Candidate(
            id=other.id,
            text=properties["text"],
            kind=properties["kind"],
            heading=properties["heading"],
            source_kind=SourceKind(properties["source_kind"]),
            author=properties["source_author"],
            valid_from=properties["valid_from"],
            vector=tuple(properties["embedding"]),
            cosine=cosine,
            names=shared,
        )
        return self._now(candidate, item)


def _write(writing: Writing, prepared: Sequence[Prepared], decided: Sequence[Decided]) -> list[Outcome]:
    """Carries the decisions out in their order; those that only add are written together."""
    outcomes: dict[str, Outcome] = {}
    waiting: list[tuple[Prepared, Decided]] = []

    def flush() -> None:
        if waiting:
            held = {id: outcome.id for id, outcome in outcomes.items()}
            made = add_all(writing, waiting, held)
            outcomes.update({item.id: outcome for (item, _), outcome in zip(waiting, made, strict=True)})
            waiting.clear()

    for index, (item, one) in enumerate(zip(prepared, decided, strict=True)):
        if one.choice.action not in _ACTING:
            waiting.append((item, one))
            continue
        flush()
        try:
            outcomes[item.id] = apply(writing, item, _held(one, outcomes))
        except (Erased, IdempotencyMismatch):
            raise
        except Conflict as conflict:
            raise _Refused(index, conflict) from None
    flush()
    return [outcomes[item.id] for item in prepared]


def _held(decided: Decided, outcomes: dict[str, Outcome]) -> Decided:
    """The decision with the memory that really holds the statement it acts on; Conflict when none does."""
    chosen = decided.choice.chosen
    if chosen is None or chosen.candidate.id not in outcomes:
        return decided
    holder = outcomes[chosen.candidate.id].id
    if holder is None:
        raise Conflict("What it was compared with is not stored.")
    if holder == chosen.candidate.id:
        return decided
    held = replace(chosen, candidate=replace(chosen.candidate, id=holder))
    return replace(decided, choice=replace(decided.choice, chosen=held))


def _cosines(one: Sequence[float] | None, others: Sequence[Sequence[float]]) -> list[float]:
    """Raw cosines; none without a vector."""
    if one is None or not others:
        return []
    matrix, vector = np.asarray(others), np.asarray(one)
    lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(vector)
    return [float(each) for each in matrix @ vector / np.where(lengths == 0, 1, lengths)]
