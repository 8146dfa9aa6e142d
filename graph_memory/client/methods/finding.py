"""Finding memories by what is asked, or for what is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.of_prompts import Pack, Surfaced
from graph_memory.client.answers.of_searches import Answer, Found, Heard
from graph_memory.client.answers.words import Comparison, RecallMode, Trust
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.exchange import ask as send
from graph_memory.client.methods.calls import reads
from graph_memory.client.sending import Time, variables


class Condition(TypedDict, total=False):
    """One field compared with a value, for equality where no operator says otherwise."""

    field: str
    operator: Comparison
    value: Any


def search(
    asker: Asker,
    query: str,
    *,
    where: Sequence[Condition] | None = None,
    first: int = 10,
    after: str | None = None,
    mode: RecallMode = "STANDARD",
    as_of: Time | None = None,
    known_at: Time | None = None,
    min_trust: Trust | None = None,
    min_score: float | None = None,
    automatic: bool | None = None,
    subject: str | None = None,
) -> Steps[Found]:
    """The memories nearest to a text, best first: as of now, or as they were `as_of` or were believed `known_at`.

    Each meets every condition of `where`: `{"field": "tags", "operator": "CONTAINS", "value": "pets"}`. The next page is the
    same call with `after=found.end_cursor`. Where nothing seems to answer, nothing is found and `note` says so; `min_score=0`
    gives what is nearest all the same.
    """
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Found, (yield from reads(asker, "search", given, subject or asker.subject)))


def passages(
    asker: Asker,
    query: str,
    *,
    where: Sequence[Condition] | None = None,
    first: int = 10,
    after: str | None = None,
    as_of: Time | None = None,
    known_at: Time | None = None,
    subject: str | None = None,
) -> Steps[Heard]:
    """What was said that is nearest to a text, best first, with the memories that were taken from it."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Heard, (yield from reads(asker, "passages", given, subject or asker.subject)))


def ask(
    asker: Asker,
    question: str,
    *,
    first: int = 10,
    mode: RecallMode = "STANDARD",
    reason: bool | None = None,
    as_of: Time | None = None,
    known_at: Time | None = None,
    min_trust: Trust | None = None,
    subject: str | None = None,
) -> Steps[Answer]:
    """The answer to a question with its sources; what nothing that is stored proves is not answered.

    `reason` forces an answer to be worked out, or a plain list of sources; without it a question is answered.
    """
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Answer, (yield from reads(asker, "ask", given, subject or asker.subject)))


def surface(
    asker: Asker,
    message: str | None = None,
    *,
    vector: Sequence[float] | None = None,
    keep: Sequence[str] = (),
    first: int = 8,
    automatic: bool = True,
    as_of: Time | None = None,
    known_at: Time | None = None,
    min_trust: Trust | None = None,
    subject: str | None = None,
) -> Steps[Surfaced]:
    """What should come to mind for a message or its vector, though nobody asks: what is kept first, then what it brings up.

    `keep` names memories of earlier answers that stay in mind, by their ids or the first eight signs of their uuids.
    """
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Surfaced, (yield from reads(asker, "surface", given, subject or asker.subject)))


def pack(
    asker: Asker,
    query: str | None = None,
    *,
    files: Sequence[str] = (),
    keywords: Sequence[str] = (),
    budget: int | None = None,
    first: int | None = None,
    min_trust: Trust | None = None,
    since: str | None = None,
    automatic: bool | None = None,
    summaries: int | None = None,
    subject: str | None = None,
) -> Steps[Pack]:
    """What to put into a prompt, as one block of at most `budget` tokens: what always matters, and what a query finds.

    `files` and `keywords` tell what a session is about where there is no query. It begins with at most so many `summaries`
    of communities. With `since`, the version of an earlier
    pack, the answer tells what has changed.
    """
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    whose = {"subject": subject or asker.subject} if subject or asker.subject else {}
    return read(Pack, (yield from send(asker, "pack", {"input": variables(given, None), **whose})))
