"""`bench recall`: are the turns that answer a question among the hits? LoCoMo's own format, no LLM.

Each conversation is a subject, each turn one memory with speaker, date, text and the caption of its picture. As another
subject the turns are messages, and the memories are taken from them: found as passages, and as both. To fit the
weights of search, each conversation is also asked questions of the next, about its own people: they have no answer there.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.api_world import accounts
from graph_memory.bench.measuring import Counted, answers, percentile, throwaway
from graph_memory.bench.questions import Question, questions
from graph_memory.bench.recall_fit import Candidates, fit
from graph_memory.ingest.conversation_file import Conversation, read
from graph_memory.ingest.receipt import AT_ONCE, receive
from graph_memory.ingest.rules import heading
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.model.memory import Fact, Source, SourceKind
from graph_memory.recall.hits import Arms, Grain
from graph_memory.recall.proofs import prove
from graph_memory.recall.search import search
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep import passage_vectors

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
CUTS = (5, 10, 20)
AWAIT_FULLTEXT = query("system/await_fulltext")
REFS = query("bench/refs")
# What else is measured: as which subject the turns are stored, and what is searched for.
GRAINS = {"passage": (" said", (Grain.PASSAGE,)), "both": (" said", (Grain.MEMORY, Grain.PASSAGE))}
EMPTY: Mapping[str | None, str] = MappingProxyType({})
# To fit, so many hits of each question are looked at, and one of so many questions is asked where it has no answer.
FIT_HITS = 60
FOREIGN = 4


@dataclass(frozen=True)
class Asked:
    """One question: its category, and the rank of each of its evidence turns; None where it was not found.

    `is_right` tells whether the first hit proves an answer and is one of those turns; None where it proves none.
    """

    category: int
    ranks: tuple[int | None, ...]
    ms: float
    is_right: bool | None


def bench_recall(
    service: Service,
    data: Path,
    told: Callable[[str], None],
    weights: Path | None = None,
    others: int = 0,
) -> dict[str, Any]:
    """The figures of `bench recall`; see the keys in design section 14. With `weights` a file that gets fitted ones; with
    `others` so many memories of other tenants stand in the store."""
    counted = Counted(service)
    with ExitStack() as stands:
        if others:
            stands.enter_context(accounts(service, others, seed=7, told=told))
        tenant = stands.enter_context(throwaway(service, "recall"))
        asked: list[Asked] = []
        by_grain: dict[str, list[Asked]] = {grain: [] for grain in GRAINS}
        conversations = read(data)
        candidates: list[Candidates] = []
        every = questions(data, conversations)
        for number, (conversation, about) in enumerate(zip(conversations, every, strict=True)):
            scope = Scope(tenant, conversation.ref)
            _store(service, scope, conversation)
            told(f"{conversation.ref}: {len(conversation.messages)} turns, {len(about)} questions")
            with counted.counting():
                asked += [_ask(counted.service, scope, question) for question in about]
            _store_passages(service, Scope(tenant, f"{conversation.ref} said"), conversation)
            for grain, (subject, grains) in GRAINS.items():
                whose = Scope(tenant, f"{conversation.ref}{subject}")
                by_grain[grain] += [_ask(service, whose, question, grains) for question in about]
            if weights is not None:
                other = (number + 1) % len(conversations)
                foreign = _foreign(every[other][::FOREIGN], conversations[other], conversation)
                candidates += [_seen(service, scope, question) for question in (*about, *foreign)]
    figures = _figures(asked, counted) | {"by_grain": _by_grain({"memory": asked, **by_grain})}
    if weights is None:
        return figures
    fitted = fit(candidates, told)
    weights.write_text(json.dumps(fitted.pop("weights"), indent=2) + "\n", "utf-8")
    return figures | {"fit": fitted}


def _foreign(about: Sequence[Question], theirs: Conversation, ours: Conversation) -> list[Question]:
    """Questions of another conversation, about the people of this one: nothing answers them."""
    names = [list(dict.fromkeys(message.speaker for message in each.messages)) for each in (theirs, ours)]
    people = dict(zip(*names, strict=False))
    spelled = re.compile(rf"\b(?:{'|'.join(map(re.escape, people))})\b")
    return [Question(spelled.sub(lambda name: people[name.group()], each.text), 0, ()) for each in about]


def _seen(service: Service, scope: Scope, question: Question) -> Candidates:
    page = search(service, scope, question.text, limit=FIT_HITS, min_score=0)
    return Candidates(
        scope.subject_name or "",
        question.category,
        [dict(hit.seen) for hit in page.hits],
        [hit.memory.source.ref in question.evidence for hit in page.hits],
        len(question.evidence),
    )


def _store(
    service: Service, scope: Scope, conversation: Conversation, messages: Mapping[str | None, str] = EMPTY
) -> None:
    facts = [
        Fact(
            text=f"{message.text} [shares {message.caption}]" if message.caption else message.text or "-",
            heading=heading(message.speaker, message.at),
            valid_from=message.at,
            session_id=message.session,
            source=Source(SourceKind.IMPORT, message.ref, message.speaker),
            message_id=messages.get(message.ref),
        )
        for message in conversation.messages
    ]
    for start in range(0, len(facts), AT_ONCE):
        add(service, Call(scope, "bench"), facts[start : start + AT_ONCE])


def _store_passages(service: Service, scope: Scope, conversation: Conversation) -> None:
    """The same turns as messages, and once more as memories that were taken from them."""
    call = Call(scope, "bench")
    receive(service, call, conversation)
    stored = service.read(scope, REFS)
    _store(service, scope, conversation, {row["ref"]: row["id"] for row in stored})
    whole = Scope(scope.tenant_name)
    for _ in passage_vectors.fill(service, whole, partial(service.write, whole)):
        pass
    service.system(AWAIT_FULLTEXT)


def _by_grain(asked: dict[str, list[Asked]]) -> dict[str, Any]:
    return {
        grain: {
            name: share
            for name, share in _by_category(of, partial(_recall, 10)).items()
            if name in ("categories_1_4", "multi_hop", "temporal")
        }
        for grain, of in asked.items()
    }


def _ask(
    service: Service, scope: Scope, question: Question, grains: Sequence[Grain] = (Grain.MEMORY,)
) -> Asked:
    begun = time.perf_counter()
    page = search(service, scope, question.text, limit=max(CUTS), arms=Arms.HYBRID, grains=grains)
    ms = (time.perf_counter() - begun) * 1000
    places = {hit.memory.source.ref: hit.place for hit in page.hits}
    for said in page.passages:
        places.setdefault(said.passage.ref, said.place)
    first = page.hits[0].memory if page.hits else None
    is_proved = first is not None and prove(question.text, first, service.clock(), UTC) is not None
    return Asked(
        question.category,
        tuple(places.get(ref) for ref in question.evidence),
        ms,
        first.source.ref in question.evidence if first is not None and is_proved else None,
    )


def _figures(asked: Sequence[Asked], counted: Counted) -> dict[str, Any]:
    times = [question.ms for question in asked]
    return {
        "n": len(asked),
        **{f"recall_at_{cut}": _by_category(asked, partial(_recall, cut)) for cut in CUTS},
        "mrr": _by_category(asked, _reciprocal),
        "answers": answers([question.is_right for question in asked]),
        "p50_ms": round(median(times), 2),
        "p95_ms": round(percentile(times, 95), 2),
        "statements_per_search": counted.statements / max(1, len(asked)),
        "arms": ["vector", "text", "entity"],
    }


def _by_category(asked: Sequence[Asked], score: Callable[[Asked], float]) -> dict[str, float | None]:
    groups: dict[str, list[Asked]] = {
        "all": list(asked),
        "categories_1_4": [a for a in asked if a.category != 5],
    }
    groups |= {name: [a for a in asked if a.category == number] for number, name in CATEGORIES.items()}
    return {
        name: round(sum(map(score, group)) / len(group), 4) if group else None
        for name, group in groups.items()
    }


def _recall(cut: int, question: Asked) -> float:
    return sum(rank is not None and rank <= cut for rank in question.ranks) / len(question.ranks)


def _reciprocal(question: Asked) -> float:
    return max((1 / rank for rank in question.ranks if rank is not None), default=0.0)
