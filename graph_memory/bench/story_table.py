"""What came of the stories, as a table for people: checks by story and type, classes of failure, figures of the gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graph_memory.bench.story_files import TYPES

Checks = Sequence[Mapping[str, Any]]

_LONGEST_WHY = 220
# What a passed check may still have had beside it.
_NOTES = {
    "vacuous": "forget with nothing to erase",
    "messages_left": "messages that match what was erased",
    "rivals": "date beside another date",
    "stale": "current while an outdated value is live, out of sight",
}


def report(results: Sequence[Mapping[str, Any]], gate: Mapping[str, Any]) -> str:
    """The whole table."""
    every = [check for result in results for check in result["checks"]]
    fails = [check for check in every if not check["ok"]]
    return "\n".join(
        [
            _heads("passed"),
            *(_row(result["id"], result["checks"], "ok") for result in results),
            _row("all", every, "ok"),
            _row("milder", every, "mild"),
            "",
            "failed, by class:",
            *_classes(fails),
            "",
            "failed checks:",
            *map(_failure, fails),
            "",
            f"{'gate':8}{'superseded':>12}{'wrongly retired':>18}{'reviews':>10}{'messages/s':>12}",
            *(_figures(result["id"], result["gate"]) for result in results),
            _figures("all", gate),
            "",
            f"passed {gate['passed']} of {gate['checks']}; wrongly retired facts a story: "
            f"{gate['wrongly_retired_per_story']}",
            *_unread(results),
            *_notes(every),
        ]
    )


def _heads(name: str) -> str:
    return f"{name:8}" + "".join(f"{each:>10}" for each in TYPES) + f"{'total':>10}"


def _row(name: str, checks: Checks, key: str) -> str:
    cells = [_share([each for each in checks if each["check"]["type"] == kind], key) for kind in TYPES]
    return f"{name:8}" + "".join(f"{cell:>10}" for cell in [*cells, _share(checks, key)])


def _share(checks: Checks, key: str) -> str:
    return f"{sum(check[key] for check in checks)}/{len(checks)}" if checks else "-"


def _classes(fails: Checks) -> Iterator[str]:
    for name, count in Counter(check["class"] for check in fails).most_common():
        types = Counter(check["check"]["type"] for check in fails if check["class"] == name)
        listed = ", ".join(f"{kind} {number}" for kind, number in types.most_common())
        yield f"  {name:22}{count:4}{count / len(fails):6.0%}  {listed}"


def _failure(check: Mapping[str, Any]) -> str:
    asked = check["check"].get("question") or check["check"]["question_a"]
    kind = check["check"]["type"]
    return f"  {check['key']:8}{kind:10}{asked} -> {check['class']}: {check['why'][:_LONGEST_WHY]}"


def _figures(name: str, gate: Mapping[str, Any]) -> str:
    return (
        f"{name:8}{gate['superseded']:>12}{gate['wrongly_retired']:>18}{gate['reviews']:>10}"
        f"{gate['messages_per_second']:>12}"
    )


def _unread(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for result in results:
        if failed := result["taken"]["counts"]["failed"]:
            yield f"noted: {failed} of {result['taken']['sessions']} sessions of {result['id']} were not extracted"


def _notes(checks: Checks) -> Iterator[str]:
    for key, told in _NOTES.items():
        if found := [check["key"] for check in checks if check["ok"] and check.get(key)]:
            yield f"noted: {told}: {', '.join(found)}"
