"""`bench stories`: life stories are taken in as chat, and fixed rules judge what is known and found afterwards.

The rules stand in `story_values.py` and `story_relations.py`, the format of a story in `story_files.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import erase, throwaway
from graph_memory.bench.story_checks import judge
from graph_memory.bench.story_files import Story
from graph_memory.bench.story_world import StoredWorld, Taken, take_in
from graph_memory.ingest.extraction import READER
from graph_memory.ingest.message_reading import Reader
from graph_memory.model.memory import Memory
from graph_memory.recall.access import counting
from graph_memory.store.service import Service

Result = dict[str, Any]

_SUBJECT = "story"
_RETIRED = "wrongly-superseded"


def bench_stories(
    service: Service,
    stories: Sequence[Story],
    told: Callable[[str], None] = lambda _: None,
    readers: Mapping[str, Reader] = MappingProxyType({}),
) -> Iterator[Result]:
    """What came of each story: how it was taken in, each check with what was found, the figures of the gate.

    `readers` are those that read a story, by its id, in the place of the one that always does.
    """
    for story in stories:
        result = _played(service, story, readers.get(story.id, READER))
        checks = result["checks"]
        told(f"{story.id}: {sum(check['ok'] for check in checks)} of {len(checks)} checks passed")
        yield result


def gate(results: Sequence[Result]) -> dict[str, Any]:
    """The figures by which a change of understanding is judged, over all of one story or more."""
    seconds = sum(result["taken"]["seconds"] for result in results)
    messages = sum(result["taken"]["messages"] for result in results)
    checks = [check for result in results for check in result["checks"]]
    wrongly_retired = sum(result["gate"]["wrongly_retired"] for result in results)
    return {
        "passed": sum(check["ok"] for check in checks),
        "checks": len(checks),
        "superseded": sum(result["gate"]["superseded"] for result in results),
        "wrongly_retired": wrongly_retired,
        "wrongly_retired_per_story": round(wrongly_retired / len(results), 2),
        "reviews": sum(result["gate"]["reviews"] for result in results),
        "messages_per_second": round(messages / seconds, 2),
    }


def _played(service: Service, story: Story, reader: Reader) -> Result:
    with throwaway(service, "stories") as tenant:
        scope = Scope(tenant, _SUBJECT)
        taken = take_in(service, scope, story, reader)
        with counting(service) as accesses:
            result = _judged(StoredWorld(service, accesses, scope, story), story, taken)
        # Also in a store that is thrown away: how often words occur in one story would weigh in the next one's searches.
        erase(service, tenant)
    return result


def _judged(world: StoredWorld, story: Story, taken: Taken) -> Result:
    before = {
        "memories": {"live": len(world.live), "all": len(world.every)},
        "links": dict(Counter(kind for _, kind, _ in world.links)),
        "open_reviews": [[each.action, _text(each.memory), _text(each.target)] for each in world.proposals],
        "said": [{**asdict(heard), "at": heard.at.isoformat()} for heard in world.said],
    }
    checks = [
        {"key": f"{story.id}/{place}", "check": dict(check), **judge(world, check)}
        for place, check in enumerate(story.checks)
    ]
    return {
        "id": story.id,
        "title": story.title,
        "taken": {**asdict(taken), "counts": dict(taken.counts)},
        "gate": {
            "superseded": taken.counts["superseded"],
            "wrongly_retired": sum(check.get("class") == _RETIRED for check in checks),
            "reviews": taken.counts["reviews"],
            "messages_per_second": round(taken.messages / taken.seconds, 2),
        },
        **before,
        "checks": checks,
    }


def _text(memory: Memory | None) -> str | None:
    return memory.text if memory else None
