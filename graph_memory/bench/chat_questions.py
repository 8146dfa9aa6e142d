"""`bench questions --chats FOLDER`: questions over annotated chats, which are taken in as any conversation is.

A question of the kind `current` asks what holds at the end, `past` what held on a day (`as_of`), `fact` what was said and never
changed, `none` what nobody said. A hit that was taken from a message that holds the answer counts as the answer, and an answer
as right that rests on such a hit.
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
from graph_memory.bench.link_bench import read_streams
from graph_memory.bench.measuring import answers, throwaway
from graph_memory.bench.story_files import story_of
from graph_memory.bench.story_world import take_in
from graph_memory.judge.training.streams import ASSISTANT, Stream
from graph_memory.recall.hits import Hit
from graph_memory.recall.reasoned import Answer, ask
from graph_memory.recall.search import search
from graph_memory.store.queries import query
from graph_memory.store.service import Service

AWAIT_FULLTEXT = query("system/await_fulltext")

QUESTIONS = "questions.jsonl"
CUTS = (1, 5, 10)
_KINDS = ("current", "past", "fact", "none")


@dataclass(frozen=True)
class _Asked:
    """A question, when it is asked of, and the references of the messages that answer it."""

    text: str
    kind: str
    refs: frozenset[str]
    moment: Moment


def bench_chats(
    service: Service, folder: Path, hands: Sequence[str], told: Callable[[str], None]
) -> dict[str, Any]:
    """For each kind of question the share whose answer is among the first hits; of `none` that of nothing found.

    And how many are answered without a language model, and how many of those rightly: `answers`. `hands` are the files to
    take, by the beginning of their streams' names; all without one.
    """
    asked, ranks = _questions(folder / QUESTIONS), defaultdict[str, list[int | None]](list)
    told_of, wrong = defaultdict[str, list[bool | None]](list), list[dict[str, str | None]]()
    streams = [
        each
        for each in read_streams([folder])
        if each.name in asked and each.name.startswith(tuple(hands or ("",)))
    ]
    if not streams:
        raise Invalid("No chat of these hands has questions.", path="hand")
    for number, stream in enumerate(streams, 1):
        with throwaway(service, "chats") as tenant:
            scope = Scope(tenant, "chat")
            take_in(service, scope, story_of(_told(stream)))
            service.system(AWAIT_FULLTEXT)
            for question in asked[stream.name]:
                hits = search(service, scope, question.text, limit=max(CUTS), moment=question.moment).hits
                ranks[question.kind].append(_rank(question, hits))
                answer = ask(service, scope, question.text, moment=question.moment)
                is_right = _is_right(question, answer)
                told_of[question.kind].append(is_right)
                if is_right is False:
                    wrong.append({"chat": stream.name, "question": question.text, "answer": answer.answer})
        told(f"{stream.name}: {number} of {len(streams)}")
    every = [each for kind in _KINDS for each in told_of[kind]]
    by_kind = {kind: answers(told_of[kind]) for kind in _KINDS if told_of[kind]}
    return {
        "chats": len(streams),
        **{kind: _shares(kind, ranks[kind]) for kind in _KINDS if ranks[kind]},
        "answers": {"all": answers(every), **by_kind, "wrong": wrong},
    }


def _rank(question: _Asked, hits: Sequence[Hit]) -> int | None:
    """The place of the first hit that answers, from 1; of a question without an answer that of the first hit."""
    refs = question.refs
    return next(
        (place for place, hit in enumerate(hits, 1) if not refs or hit.memory.source.ref in refs), None
    )


def _is_right(question: _Asked, answer: Answer) -> bool | None:
    """Whether an answer rests on messages that hold it; None where none is claimed."""
    if not answer.used:
        return None
    return all(answer.sources[at].memory.source.ref in question.refs for at in answer.used)


def _shares(kind: str, ranks: Sequence[int | None]) -> dict[str, float | int]:
    if kind == "none":
        return {"n": len(ranks), "nothing": round(sum(each is None for each in ranks) / len(ranks), 3)}
    return {"n": len(ranks)} | {
        f"top_{cut}": round(sum(each is not None and each <= cut for each in ranks) / len(ranks), 3)
        for cut in CUTS
    }


def _questions(file: Path) -> dict[str, list[_Asked]]:
    found = defaultdict[str, list[_Asked]](list)
    try:
        for told in map(json.loads, file.read_text("utf-8").splitlines()):
            found[told["stream"]].append(_asked(told))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Invalid(f"{file} does not hold questions ({error!r}).", path="chats") from error
    return found


def _asked(told: dict[str, Any]) -> _Asked:
    return _Asked(
        told["question"],
        told["kind"],
        frozenset(f"m{message - 1}" for message in told["answers"]),
        _moment(told.get("as_of")),
    )


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
        role = "assistant" if line.speaker == ASSISTANT else "user"
        yield {"at": line.at.isoformat(), "speaker": line.speaker, "role": role, "text": line.text}
