"""Judging a story: each check by the rule of its type. What is refused by the service fails the check."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graph_memory.base.errors import GraphMemoryError
from graph_memory.bench.story_evidence import Verdict, World, failed
from graph_memory.bench.story_files import Check
from graph_memory.bench.story_relations import absent, cause, conflict, distinct, duplicate, forget
from graph_memory.bench.story_values import as_of, current, dated, history

RULES: Mapping[str, Callable[[World, Check], Verdict]] = {
    "current": current,
    "as_of": as_of,
    "history": history,
    "date": dated,
    "distinct": distinct,
    "duplicate": duplicate,
    "conflict": conflict,
    "cause": cause,
    "absent": absent,
    "forget": forget,
}


def judge(world: World, check: Check) -> Verdict:
    """The verdict on a check, with its class, reason and evidence."""
    try:
        verdict = RULES[check["type"]](world, check)
    except GraphMemoryError as error:
        verdict = {"ok": False, "evidence": [], **failed("other", f"the service failed: {error.message}")}
    return {"mild": verdict["ok"], **verdict}
