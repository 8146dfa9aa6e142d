"""`bench questions --chats FOLDER`: questions over annotated chats, which are taken in as any conversation is.

A question of the kind `current` asks what holds at the end, `past` what held on a day (`as_of`), `fact` what was said and never
changed, `none` what nobody said. It counts as answered by a hit that was taken from a message that holds the answer.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

from graph_memory.base.errors import Invalid
from graph_memory.base.moments import NOW, Moment
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import throwaway
from graph_memory.bench.story_files import story_of
from graph_memory.bench.story_world import take_in
from graph_memory.judge.training.streams import Stream, read
from graph_memory.recall.search import Hit, search
from graph_memory.store.service import Service

QUESTIONS = "questions.jsonl"
CUTS = (1, 5, 10)
_KINDS = ("current", "past", "fact", "none")
_ASSISTANT = "Assistant"


@dataclass(frozen=True)
class _Asked:
    """A question, the messages that answer it and those that tell what held at another time, counted from 1."""

    text: str
    kind: str
    answers: frozenset[int]
    moment: Moment


def bench_chats(
    service: Service, folder: Path, hands: Sequence[str], told: Callable[[str], None]
) -> dict[str, Any]:
    """For each kind of question the share whose answer is among the first hits; of `none` that of nothing found.

    `hands` are the files to take, by the beginning of their streams' names; all without one.
    """
    asked, ranks = _questions(folder / QUESTIONS), defaultdict[str, list[int | None]](list)
    streams = [
        each for each in read(folder) if each.name in asked and each.name.startswith(tuple(hands or ("",)))
    ]
    if not streams:
        raise Invalid("No chat of these hands has questions.", path="hand")
    for number, stream in enumerate(streams, 1):
        with throwaway(service, "chats") as tenant:
            scope = Scope(tenant, "chat")
            take_in(service, scope, story_of(_told(stream)))
            for question in asked[stream.name]:
                hits = search(service, scope, question.text, limit=max(CUTS), moment=question.moment).hits
                ranks[question.kind].append(_rank(question, hits))
        told(f"{stream.name}: {number} of {len(streams)}")
    return {"chats": len(streams)} | {kind: _shares(kind, ranks[kind]) for kind in _KINDS if ranks[kind]}


def _rank(question: _Asked, hits: Sequence[Hit]) -> int | None:
    """The place of the first hit that answers, from 1; of a question without an answer that of the first hit."""
    refs = {f"m{message - 1}" for message in question.answers}
    return next(
        (place for place, hit in enumerate(hits, 1) if not refs or hit.memory.source.ref in refs), None
    )


def _shares(kind: str, ranks: Sequence[int | None]) -> dict[str, float | int]:
    if kind == "none":
        return {"n": len(ranks), "nothing": round(sum(each is None for each in ranks) / len(ranks), 3)}
    return {"n": len(ranks)} | {
        f"top_{cut}": round(sum(each is not None and each <= cut for each in ranks) / len(ranks), 3)
        for cut in CUTS
    }


def _questions(file: Path) -> dict[str, list[_Asked]]:
    found = defaultdict[str, list[_Asked]](list)
    for told in map(json.loads, file.read_text("utf-8").splitlines()):
        found[told["stream"]].append(
            _Asked(told["question"], told["kind"], frozenset(told["answers"]), _moment(told.get("as_of")))
        )
    return found


def _moment(day: str | None) -> Moment:
    """The end of a day."""
    if day is None:
        return NOW
    return Moment(as_of=datetime.combine(datetime.fromisoformat(day).date(), time(23), UTC))


def _told(stream: Stream) -> dict[str, Any]:
    return {
        "id": stream.name,
        "title": stream.about,
        "timezone": stream.zone,
        "checks": [],
        "messages": list(_messages(stream)),
    }


def _messages(stream: Stream) -> Iterator[dict[str, str]]:
    for line in stream.lines:
        role = "assistant" if line.speaker == _ASSISTANT else "user"
        yield {"at": line.at.isoformat(), "speaker": line.speaker, "role": role, "text": line.text}
