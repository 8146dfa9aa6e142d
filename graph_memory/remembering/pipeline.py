"""`remember`: everything is computed first (embed, search, judge), then written in one transaction.

Under the subject's lock it is asked whether the subject was written to since it was read. What came meanwhile and is
near enough is judged too: outside again, and from the third round on by the embedded judge under the lock, in
milliseconds. So of two statements that contradict each other and arrive together the later one sees the earlier.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from graph_memory import texts
from graph_memory.clock import ALWAYS
from graph_memory.embedding import embed_if_possible
from graph_memory.errors import Conflict, Erased, IdempotencyMismatch
from graph_memory.judging import panel
from graph_memory.judging.embedded import EmbeddedJudge
from graph_memory.judging.panel import Judgement
from graph_memory.judging.verdict import Action, Statement, Verdict
from graph_memory.ledger import Answer, Call, Operation, Writing, carry_out
from graph_memory.memory import add as adding
from graph_memory.memory.add import Prepared
from graph_memory.memory.merge import both, lost
from graph_memory.memory.model import Fact, SourceKind
from graph_memory.memory.properties import of_text, search_text
from graph_memory.remembering import candidates as looking
from graph_memory.remembering.applying import Decided, apply
from graph_memory.remembering.candidates import OPERATION, Candidate, Found
from graph_memory.remembering.deciding import Choice, Judged, choose, instead, weigh
from graph_memory.remembering.guards import Side
from graph_memory.remembering.outcome import Mode, Outcome, as_data, from_data, seen, told, weighed
from graph_memory.remembering.own_output import refuse_own
from graph_memory.remembering.profiles import profile_of
from graph_memory.remembering.states import State, walked
from graph_memory.service import Row, Service
from graph_memory.tenancy import Scope

Classify = Callable[[Service, Scope, Statement, Sequence[Statement], float], Judgement]

# So often what came meanwhile is judged outside the transaction; afterwards the embedded judge decides inside.
ROUNDS_OUTSIDE = 2
SAME_WORDS = "The same words."


def remember(
    service: Service, call: Call, fact: Fact, mode: Mode = Mode.DECIDE, classify: Classify = panel.classify
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
    classify: Classify = panel.classify,
) -> list[tuple[Outcome, Answer]]:
    """`remember` for the facts of one subject in their order; each sees what those before it did.

    They are embedded in one batch and their candidates read in one statement. Each is a request of its own: with a
    key the second has the key and `:2`, so that a repeated call goes on where the first ended.
    """
    for index, fact in enumerate(facts):
        refuse_own(fact.text, f"facts[{index}].text")
    prepared = adding.prepare(service, call.scope.for_writing().subject or "", facts)
    calls = [_numbered(call, number) for number in range(1, len(facts) + 1)]
    found = looking.search(service, calls, prepared)
    return [
        _Remembering(service, each, fact, item, mode, classify).carry_out(seen_before)
        for each, fact, item, seen_before in zip(calls, facts, prepared, found, strict=True)
    ]


def plan(service: Service, scope: Scope, fact: Fact, classify: Classify = panel.classify) -> Outcome:
    """What `remember` would do now; nothing is written."""
    refuse_own(fact.text, "facts[0].text")
    call = Call(scope, "plan")
    prepared = adding.prepare(service, scope.for_writing().subject or "", [fact])
    [found] = looking.search(service, [call], prepared)
    return _Remembering(service, call, fact, prepared[0], Mode.DECIDE, classify).rehearse(found)


def decide(
    service: Service,
    call: Call,
    fact: Fact,
    prepared: Prepared,
    candidates: Sequence[Candidate],
    classify: Classify,
    hindrance: str | None = None,
    *,
    may_embed: bool = True,
) -> Decided:
    """The decision on a statement in view of these candidates; nothing is read or written.

    `hindrance` tells why what was decided before could not be done.
    """
    deciding = _Remembering(service, call, fact, prepared, Mode.DECIDE, classify)
    known = _Known(0, Found(tuple(candidates), 0, ALWAYS, is_answered=False))
    if deciding.looks():
        deciding.judge(known, candidates, classify)
    return deciding.chosen(known, may_embed=may_embed, hindrance=hindrance)


class _Moved(Exception):  # noqa: N818 - it is no error
    """The subject was written to meanwhile, and what came has to be judged."""

    def __init__(self, found: Found, fallen: set[str]) -> None:
        self.found = found
        self.fallen = fallen


@dataclass
class _Known:
    """What is known of the candidates so far, and of the moment at which they were read."""

    sequence: int
    found: Found
    judged: dict[str, Judged] = field(default_factory=dict)
    unjudged: dict[str, Candidate] = field(default_factory=dict)

    def learn(self, found: Found, fallen: Iterable[str]) -> None:
        for id in (*fallen, *(candidate.id for candidate in found.candidates)):
            self.judged.pop(id, None)
            self.unjudged.pop(id, None)
        self.unjudged |= {candidate.id: candidate for candidate in found.candidates}
        self.found, self.sequence = found, found.sequence


@dataclass(frozen=True)
class _Remembering:
    """One statement on its way in."""

    service: Service
    call: Call
    fact: Fact
    prepared: Prepared
    mode: Mode
    classify: Classify

    def carry_out(self, found: Found) -> tuple[Outcome, Answer]:
        """The outcome, and the answer of the request that carries it."""
        known = _Known(found.sequence, found)
        if self.looks() and not found.is_answered:
            known.learn(found, ())
        deadline = time.monotonic() + self.service.settings.pipeline.timeout
        hindrance: str | None = None
        attempt = 0
        while True:
            attempt += 1
            decided = self._decided(known, deadline, hindrance)
            try:
                answer = carry_out(
                    self.service, self.call, OPERATION, self._body(), self._work(known, decided, attempt)
                )
            except _Moved as moved:
                known.learn(moved.found, moved.fallen)
            except (Erased, IdempotencyMismatch):
                raise
            except Conflict as conflict:
                if hindrance is not None or not _acts(decided.choice):
                    raise
                hindrance = conflict.message
            else:
                return from_data(answer.value), answer

    def rehearse(self, found: Found) -> Outcome:
        """What would be done."""
        known = _Known(found.sequence, found)
        if self.looks():
            known.learn(found, ())
        decided = self._decided(known, time.monotonic() + self.service.settings.pipeline.timeout, None)
        choice = decided.choice
        step = State.NO_MATCH if choice.action is None else State.ANALYZING
        operation = {
            Action.MERGE: Operation.MERGE,
            Action.SUPERSEDE: Operation.SUPERSEDE,
            Action.DUPLICATE: Operation.UPDATE,
        }.get(choice.action or Action.COEXIST, Operation.ADD)
        outcome = told(choice, decided.candidates, operation, None, walked(State.SEARCHING, step))
        return replace(outcome, text=decided.merged["text"] if decided.merged else None)

    def _work(self, known: _Known, decided: Decided, attempt: int) -> Callable[[Writing], Row]:
        def work(writing: Writing) -> Row:
            decision = decided
            if self.looks() and writing.sequence != known.sequence + 1:
                decision = self._caught_up(writing, known, decided, attempt)
            return as_data(apply(writing, self.prepared, decision))

        return work

    def _caught_up(self, writing: Writing, known: _Known, decided: Decided, attempt: int) -> Decided:
        """The decision in view of what was written meanwhile; _Moved when that has to be judged outside."""
        read_at = known.found.read_at
        candidates = [*known.unjudged.values(), *(each.candidate for each in known.judged.values())]
        fallen = looking.fallen(writing, candidates, read_at)
        found = looking.newer(self.service, writing, self.prepared, read_at)
        # This transaction has counted itself.
        found = replace(found, sequence=writing.sequence - 1)
        if not fallen and not found.candidates:
            return decided
        if attempt <= ROUNDS_OUTSIDE:
            raise _Moved(found, fallen)
        later = _Known(found.sequence, found, dict(known.judged), dict(known.unjudged))
        later.learn(found, fallen)
        self.judge(later, list(later.unjudged.values()), _embedded)
        return self.chosen(later, may_embed=False, hindrance=None)

    def _decided(self, known: _Known, deadline: float, hindrance: str | None) -> Decided:
        if self.mode is Mode.OBSERVE:
            return self._observed(known)

        def within(
            service: Service, scope: Scope, new: Statement, candidates: Sequence[Statement], _: float
        ) -> Judgement:
            return self.classify(service, scope, new, candidates, max(0.0, deadline - time.monotonic()))

        self.judge(known, list(known.unjudged.values()), within)
        return self.chosen(known, may_embed=True, hindrance=hindrance)

    def _observed(self, known: _Known) -> Decided:
        """Nothing is judged; only the very same words are not stored twice."""
        same = next((each for each in known.unjudged.values() if self._is_same(each)), None)
        candidates = sorted(known.unjudged.values(), key=lambda each: -each.cosine)
        shown = tuple(seen(each) for each in candidates)
        if same is not None:
            return Decided(Choice(Action.DUPLICATE, chosen=self._same(same)), shown)
        return Decided(Choice(Action.COEXIST if candidates else None), shown)

    def judge(self, known: _Known, unjudged: Sequence[Candidate], classify: Classify) -> None:
        """Judges all of them in one call; the very same words need none."""
        same = [candidate for candidate in unjudged if self._is_same(candidate)]
        known.judged |= {candidate.id: self._same(candidate) for candidate in same}
        rest = [candidate for candidate in unjudged if candidate not in same]
        if rest and not same:
            new = self._statement()
            scope = self.call.scope.for_writing()
            judgement = classify(self.service, scope, new, [each.statement for each in rest], 0.0)
            known.judged |= {
                candidate.id: weigh(
                    candidate, verdict, judgement.provider, self._side(), self.service.settings.pipeline
                )
                for candidate, verdict in zip(rest, judgement.verdicts, strict=True)
            }
        known.unjudged.clear()

    def chosen(self, known: _Known, *, may_embed: bool, hindrance: str | None) -> Decided:
        """The one decision on what was judged."""
        pipeline = self.service.settings.pipeline
        profile = profile_of(self.service.embedder.model, pipeline)
        judged = sorted(known.judged.values(), key=lambda each: -each.candidate.cosine)
        choice = choose(judged, pipeline, profile)
        merged, fault = self._merged(choice, may_embed=may_embed)
        fault = hindrance if hindrance and _acts(choice) else fault
        if fault is not None:
            choice, merged = instead(choice, fault, judged, pipeline, profile), None
        return Decided(choice, tuple(weighed(each) for each in judged), merged)

    def _merged(self, choice: Choice, *, may_embed: bool) -> tuple[Row | None, str | None]:
        """What the merged text leads to, or why there can be none."""
        if choice.action is not Action.MERGE or choice.chosen is None:
            return None, None
        if not may_embed:
            return None, "there was no time to merge under the lock"
        old, given = choice.chosen.candidate, choice.chosen.verdict.text
        text = both(old.text, self._text) if given is None else given
        fault = self._fault_of(text, old.text)
        if fault is not None:
            return None, fault
        [vector] = embed_if_possible(self.service.embedder, [search_text(text, old.heading)])
        return of_text(text, old.heading, vector, self.service.embedder.model), None

    def _fault_of(self, text: str, old: str) -> str | None:
        """Why a text is no merge of both: it loses or makes up a number or a name."""
        if not text.strip() or len(text) > self.service.settings.texts.max_length:
            return "the merged text is empty or too long"
        if lost(text, old, self._text):
            return "the merged text loses a number or a name"
        if lost(f"{old} {self._text}", text):
            return "the merged text has a number or a name that neither says"
        return None

    def looks(self) -> bool:
        """Whether the statement is compared with what is known: only one that holds or will hold."""
        return self.service.settings.pipeline.enabled and _is_live(self.prepared)

    def _is_same(self, candidate: Candidate) -> bool:
        return candidate.kind == self.fact.kind and texts.normalised(candidate.text) == texts.normalised(
            self._text
        )

    def _same(self, candidate: Candidate) -> Judged:
        return Judged(candidate, Verdict(candidate.id, Action.DUPLICATE, 1.0, SAME_WORDS), "none")

    @property
    def _text(self) -> str:
        return str(self.prepared.properties["text"])

    def _statement(self) -> Statement:
        properties = self.prepared.properties
        vector = properties["embedding"]
        return Statement(
            None,
            self._text,
            properties["valid_from"],
            properties["source_author"],
            properties["kind"],
            properties["heading"],
            tuple(vector) if vector else None,
        )

    def _side(self) -> Side:
        properties = self.prepared.properties
        return Side(self._text, properties["source_author"], SourceKind(properties["source_kind"]))

    def _body(self) -> Row:
        return {**adding.body_of(self.fact), "mode": self.mode}


def _embedded(
    _: Service, __: Scope, new: Statement, candidates: Sequence[Statement], ___: float
) -> Judgement:
    """The embedded judge alone, in milliseconds."""
    judge = EmbeddedJudge()
    return Judgement(tuple(judge.classify(new, candidates)), judge.name)


def _acts(choice: Choice) -> bool:
    """Whether it changes something known."""
    return choice.chosen is not None and choice.action in (Action.DUPLICATE, Action.SUPERSEDE, Action.MERGE)


def _is_live(prepared: Prepared) -> bool:
    return prepared.properties["live_key"] is not None


def _numbered(call: Call, number: int) -> Call:
    return call if call.key is None or number == 1 else replace(call, key=f"{call.key}:{number}")
