"""`bench extraction`: what the rules make of conversations, without a language model. LoCoMo's own format.

A turn is evidence when a question of the file names it as the place of its answer. It is kept when a live memory was
extracted from it, or says what it says: at least half of the turn's own words of matter stand in memories that came
from it or that it repeats. Junk is a memory with fewer than two words of matter: nothing that one could ask for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import throwaway
from graph_memory.bench.questions import questions
from graph_memory.ingest.conversation_file import Conversation, read
from graph_memory.ingest.extraction import Extracted, extract_pending
from graph_memory.ingest.receipt import receive
from graph_memory.language.keywords import matter
from graph_memory.ledger.changes import Call
from graph_memory.memory.reading import browse
from graph_memory.model.memory import Memory
from graph_memory.model.message import Message
from graph_memory.model.verdict import Statement
from graph_memory.store.service import Service

LEAST_MATTER = 2
LEAST_SHARE = 0.5
_PAGE = 100


def bench_extraction(
    service: Service, data: Path, told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Memories a turn, the share of evidence turns kept, the share of junk, and seconds, over all conversations."""
    total, wanted, kept, junk, live, seconds, turns = Extracted(), 0, 0, 0, 0, 0.0, 0
    conversations = read(data)
    with throwaway(service, "extraction") as tenant:
        for conversation, about in zip(conversations, questions(data, conversations), strict=True):
            scope = Scope(tenant, conversation.ref)
            receive(service, Call(scope, "bench"), conversation)
            begun = time.perf_counter()
            total += extract_pending(service, scope, f"bench-{conversation.ref}")
            seconds += time.perf_counter() - begun
            memories = _all(service, scope)
            evidence = {ref for question in about for ref in question.evidence}
            held = _held(conversation, evidence, memories)
            turns, live = turns + len(conversation.messages), live + len(memories)
            wanted, kept = wanted + len(evidence), kept + held
            junk += sum(len(matter(memory.text, memory.source.author)) < LEAST_MATTER for memory in memories)
            told(
                f"{conversation.ref}: {len(memories)} memories, {held} of {len(evidence)} evidence turns kept"
            )
    return {
        "conversations": len(conversations),
        "turns": turns,
        "memories_per_turn": round(live / turns, 3) if turns else 0.0,
        "evidence": wanted,
        "evidence_kept": round(kept / wanted, 4) if wanted else 1.0,
        "junk_rate": round(junk / live, 4) if live else 0.0,
        "superseded": total.superseded,
        "merged": total.merged,
        "duplicates": total.duplicates,
        "reviews": total.reviews,
        "seconds": round(seconds, 1),
        "ms_per_turn": round(1000 * seconds / turns, 1) if turns else 0.0,
    }


def _held(conversation: Conversation, evidence: set[str], memories: Sequence[Memory]) -> int:
    said = {message.ref: message for message in conversation.messages}
    by_ref: dict[str | None, set[str]] = {}
    everything: list[frozenset[str]] = []
    for memory in memories:
        words = matter(memory.text, memory.source.author)
        everything.append(words)
        by_ref.setdefault(memory.source.ref, set()).update(words)
    return sum(_is_held(said[ref], by_ref.get(ref, set()), everything) for ref in evidence)


def _is_held(message: Message, own: set[str], everything: Sequence[frozenset[str]]) -> bool:
    told = f"{message.text} {message.caption or ''}"
    words = matter(told, message.speaker)
    least = LEAST_SHARE * len(words)
    return (
        len(words & own) >= least if own else any(len(words & each) >= max(1, least) for each in everything)
    )


def _all(service: Service, scope: Scope) -> list[Memory]:
    found: list[Memory] = []
    after: str | None = None
    while True:
        page = browse(service, scope, _PAGE, after)
        found += page.items
        if page.next is None:
            return found
        after = page.next


def _statement(memory: Memory) -> Statement:
    return Statement(memory.id, memory.text, memory.valid_from, memory.source.author)
