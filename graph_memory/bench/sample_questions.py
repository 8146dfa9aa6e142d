"""`bench questions`: natural questions over the sample conversation, as the demonstration has it.

A question counts as answered by a hit that was taken from one of the messages that hold the answer; one that has no answer,
by nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graph_memory import samples
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import answers as figures_of
from graph_memory.bench.measuring import throwaway
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call
from graph_memory.recall.reasoned import Answer, ask
from graph_memory.recall.search import search
from graph_memory.samples.telling import tell
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from tasks import execute

AWAIT_FULLTEXT = query("system/await_fulltext")

CUTS = (1, 5)


def bench_questions(service: Service, told: Callable[[str], None]) -> dict[str, Any]:
    """The figures of `bench questions`, and which questions were missed, each with the first that was found."""
    with throwaway(service, "questions") as tenant:
        scope = Scope(tenant, "sample")
        call = Call(scope, "bench")
        execute(service, scope, receive(service, call, samples.conversation()).run_id)
        tell(service, call)
        service.system(AWAIT_FULLTEXT)
        told(f"{len(samples.asked())} questions are asked")
        found = [(asked, search(service, scope, asked.question).hits) for asked in samples.asked()]
        told(f"{len(samples.asked())} questions are asked for an answer")
        answers = [(asked, ask(service, scope, asked.question)) for asked in samples.asked()]
    ranks = {
        asked.question: next(
            (place for place, hit in enumerate(hits, 1) if hit.memory.source.ref in asked.refs), None
        )
        for asked, hits in found
        if asked.refs
    }
    empty = {asked.question: not hits for asked, hits in found if not asked.refs}
    shares = {
        f"top_{cut}": round(sum(rank is not None and rank <= cut for rank in ranks.values()) / len(ranks), 4)
        for cut in CUTS
    }
    return {
        "n": len(ranks),
        **shares,
        "unanswerable": len(empty),
        "unanswerable_empty": sum(empty.values()),
        "answers": _answered(answers),
        "missed": [
            {"question": asked.question, "rank": ranks.get(asked.question), "first": hits[0].memory.text if hits else None,
             "score": round(hits[0].score, 3) if hits else None}
            for asked, hits in found
            if (ranks[asked.question] != 1 if asked.refs else hits)
        ],
    }  # fmt: skip


def _answered(answers: Sequence[tuple[samples.Asked, Answer]]) -> dict[str, Any]:
    """How many are answered without a language model, and how many of those by a message that holds the answer."""
    rightly = [_is_right(asked, answer) for asked, answer in answers]
    wrong = [
        {"question": asked.question, "answer": answer.answer}
        for (asked, answer), is_right in zip(answers, rightly, strict=True)
        if is_right is False
    ]
    return figures_of(rightly) | {"wrong": wrong}


def _is_right(asked: samples.Asked, answer: Answer) -> bool | None:
    """Whether an answer rests on messages that hold it; None where none is claimed."""
    if not answer.used:
        return None
    return all(answer.sources[at].memory.source.ref in asked.refs for at in answer.used)
