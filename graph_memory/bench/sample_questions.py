"""`bench questions`: natural questions over the sample conversation, as the demonstration has it.

A question counts as answered by a hit that was taken from one of the messages that hold the answer, or is one; one that has no
answer, by nothing at all. Memories are searched, then messages as they were said, then both in one order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from graph_memory import samples
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import answers as figures_of
from graph_memory.bench.measuring import throwaway
from graph_memory.ingest.receipt import receive
from graph_memory.ledger.changes import Call
from graph_memory.recall.hits import Grain, Page
from graph_memory.recall.reasoned import Answer, ask
from graph_memory.recall.search import search
from graph_memory.samples.telling import tell
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.upkeep import passage_vectors
from tasks import execute

AWAIT_FULLTEXT = query("system/await_fulltext")

CUTS = (1, 5)
GRAINS = {"memory": (Grain.MEMORY,), "passage": (Grain.PASSAGE,), "both": (Grain.MEMORY, Grain.PASSAGE)}


def bench_questions(service: Service, told: Callable[[str], None]) -> dict[str, Any]:
    """The figures of `bench questions`, and which questions were missed, each with the first that was found."""
    with throwaway(service, "questions") as tenant:
        scope = Scope(tenant, "sample")
        call = Call(scope, "bench")
        execute(service, scope, receive(service, call, samples.conversation()).run_id)
        tell(service, call)
        service.system(AWAIT_FULLTEXT)
        _fill(service, tenant)
        told(f"{len(samples.asked())} questions are asked")
        found = {
            grain: [
                (asked, search(service, scope, asked.question, grains=grains)) for asked in samples.asked()
            ]
            for grain, grains in GRAINS.items()
        }
        told(f"{len(samples.asked())} questions are asked for an answer")
        answers = [(asked, ask(service, scope, asked.question)) for asked in samples.asked()]
    return {
        **_figures(found["memory"]),
        "by_grain": {grain: _figures(pages) for grain, pages in found.items() if grain != "memory"},
        "answers": _answered(answers),
        "missed": [
            {"question": asked.question, "rank": rank, "first": page.hits[0].memory.text if page.hits else None,
             "score": round(page.hits[0].score, 3) if page.hits else None}
            for asked, page in found["memory"]
            if ((rank := _rank(asked, page)) != 1 if asked.refs else page.hits)
        ],
    }  # fmt: skip


def _fill(service: Service, tenant: str) -> None:
    """Embeds what was said, which a job does otherwise."""
    whole = Scope(tenant)
    for _ in passage_vectors.fill(service, whole, partial(service.write, whole)):
        pass
    service.system(AWAIT_FULLTEXT)


def _figures(found: Sequence[tuple[samples.Asked, Page]]) -> dict[str, Any]:
    ranks = [_rank(asked, page) for asked, page in found if asked.refs]
    empty = [not (page.hits or page.passages) for asked, page in found if not asked.refs]
    shares = {
        f"top_{cut}": round(sum(rank is not None and rank <= cut for rank in ranks) / len(ranks), 4)
        for cut in CUTS
    }
    return {"n": len(ranks), **shares, "unanswerable": len(empty), "unanswerable_empty": sum(empty)}


def _rank(asked: samples.Asked, page: Page) -> int | None:
    """The place, from 1, of the first that was taken from a message that holds the answer, or is it."""
    places = [(hit.place, hit.memory.source.ref) for hit in page.hits]
    places += [(said.place, said.passage.ref) for said in page.passages]
    return next((place for place, ref in sorted(places) if ref in asked.refs), None)


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
