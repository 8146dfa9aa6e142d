"""What a client can be asked for. Each is a generator of steps, so that the sync and the async client are one."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, TypeVar
from uuid import uuid4

from graph_memory.base.errors import Forbidden, NotFound, UserError
from graph_memory.client.answers import (
    Added,
    Answer,
    Asked,
    Change,
    ChangeOperation,
    Closed,
    Community,
    CommunityWithMembers,
    Comparison,
    ConsolidationPlan,
    ConsolidationStrategy,
    EntityAttributes,
    Forgotten,
    Found,
    Heard,
    Job,
    JudgedAction,
    LinkDirection,
    LinkKind,
    LinkMade,
    Memory,
    MemoryWithLinks,
    Message,
    Moved,
    Neighbours,
    Pack,
    Page,
    RecallMode,
    Remembered,
    RememberMode,
    Retirement,
    Review,
    ReviewSettled,
    ReviewStatus,
    Revised,
    Segment,
    SegmentStatus,
    Session,
    SourceKind,
    State,
    Subgraph,
    Subject,
    Submitted,
    Superseded,
    Surfaced,
    TierCount,
    Trust,
    Undone,
    Viewer,
    Webhook,
    WebhookAdded,
    WebhookRemoved,
    WebhookResumed,
    read,
    spelled,
)
from graph_memory.client.exchange import Asker, Pause, Steps
from graph_memory.client.exchange import ask as send
from graph_memory.client.sending import PAGE, Time, plain, several, spoken, variables

T = TypeVar("T")

FIRST_LOOK, LONGEST_LOOK = 0.2, 2.0


class SaidBy(TypedDict, total=False):
    """Where a statement comes from: `{"kind": "WEB", "ref": "page-7"}`."""

    kind: SourceKind
    ref: str
    author: str


class Condition(TypedDict, total=False):
    """One field compared with a value, for equality where no operator says otherwise."""

    field: str
    operator: Comparison
    value: Any


def remember(
    asker: Asker,
    text: str,
    *,
    kind: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    confidence: float | None = None,
    importance: float | None = None,
    critical: bool | None = None,
    pinned: bool | None = None,
    valid_from: Time | None = None,
    valid_to: Time | None = None,
    happens_at: Time | None = None,
    expires_at: Time | None = None,
    heading: str | None = None,
    session_id: str | None = None,
    agent_id: str | None = None,
    source: SaidBy | None = None,
    entities: Sequence[Mapping[str, str]] | None = None,
    vector: Sequence[float] | None = None,
    mode: RememberMode | None = None,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Remembered]:
    """Remembers a statement: it is added, merged, put in place of an older one, or known already.

    `key` makes repeating it safe over many calls; within one call the client takes care of that by itself.
    """
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject", "key")}
    return read(Remembered, (yield from _write(asker, "remember", given, key, subject or asker.subject)))


def add(
    asker: Asker,
    text: str,
    *,
    kind: str | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    source: SaidBy | None = None,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Added]:
    """Keeps a statement as it is, without comparing it with what is known; only one that is live already is not kept twice."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject", "key")}
    return read(Added, (yield from _write(asker, "add-memory", given, key, subject or asker.subject)))


def add_messages(
    asker: Asker,
    messages: Iterable[Mapping[str, Any]],
    *,
    user: str | None = None,
    session: str | None = None,
    close: bool = False,
    wait: float = 0.0,
    context_ids: Sequence[str] = (),
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Submitted]:
    """Takes in messages `{"role", "content", "at"?, "name"?, "ref"?}`, which are read for memories when the session is closed.

    `content` is text, or a list of parts of which those of text are taken; a message in which nothing is said is left out.
    `user` is who speaks as `user`, whom memories call "User" else, and whose they are where neither `subject`, the client nor
    the key says so. Without `session` the messages are a conversation by themselves and closed at once; with it, `close` says
    that no more will come. With `wait` it is closed, and the answer comes when it was read, or after so many seconds: `job`
    tells which.
    """
    whose, said = subject or asker.subject, spoken(messages, user)
    name, key = session or f"messages-{uuid4()}", key or str(uuid4())
    given = {"session": name, "messages": said.messages, "context_ids": list(context_ids)}
    try:
        if whose:
            answer = yield from _write(asker, "submit-messages", given, key, whose)
        else:
            answer, whose = yield from _submitted_of(asker, given, key, user)
    except UserError as fault:
        raise said.at_their_places(fault) from None
    taken = read(Submitted, answer)
    if session is not None and not close and not wait:
        return taken
    try:
        closed = yield from close_session(asker, name, wait=wait, subject=whose, key=f"{key}:close")
    except NotFound:
        # Each of them was known by its `ref` and read before.
        if taken.stored:
            raise
        return taken
    return replace(taken, job=closed.job)


def close_session(
    asker: Asker, session: str, *, wait: float = 0.0, subject: str | None = None, key: str | None = None
) -> Steps[Closed]:
    """Says that a session is over, so that its messages are read for memories; with `wait`, until they were.

    One that is closed already stays as it is; NotFound when there is none of that name.
    """
    given, whose = {"session": session}, subject or asker.subject
    try:
        closed: Closed = read(Closed, (yield from _write(asker, "close-segment", given, key, whose)))
    except NotFound:
        known = yield from segments(asker, session=session, first=1, subject=whose)
        if not known.nodes:
            raise
        return Closed(known.nodes[0].uuid, 0, None, replayed=True)
    if closed.job is None or not wait:
        return closed
    return replace(closed, job=(yield from _awaited(asker, closed.job, wait)))


def sessions(
    asker: Asker, *, first: int = 20, after: str | None = None, subject: str | None = None
) -> Steps[Page[Session]]:
    """A page of conversations with their first and last message, the latest begun first."""
    given = {"first": first, "after": after}
    return read(Page[Session], (yield from _read(asker, "sessions", given, subject or asker.subject)))


def segments(
    asker: Asker,
    *,
    session: str | None = None,
    status: SegmentStatus | None = None,
    first: int = 20,
    after: str | None = None,
    subject: str | None = None,
) -> Steps[Page[Segment]]:
    """A page of stretches of conversation, latest first."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Page[Segment], (yield from _read(asker, "segments", given, subject or asker.subject)))


def messages(
    asker: Asker, segment: str, *, first: int = PAGE, after: str | None = None
) -> Steps[Page[Message]]:
    """A page of what was said in a segment, oldest first."""
    given = {"segment": segment, "first": first, "after": after}
    return read(Page[Message], _there(segment, (yield from _read(asker, "messages", given))))


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
    return read(Found, (yield from _read(asker, "search", given, subject or asker.subject)))


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
    return read(Heard, (yield from _read(asker, "passages", given, subject or asker.subject)))


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
    return read(Answer, (yield from _read(asker, "ask", given, subject or asker.subject)))


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
    return read(Surfaced, (yield from _read(asker, "surface", given, subject or asker.subject)))


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


def memory(
    asker: Asker, id: str, *, as_of: Time | None = None, known_at: Time | None = None
) -> Steps[MemoryWithLinks]:
    """One memory by its id or uuid, with its links; NotFound when there is none, or it is someone else's."""
    given = {"id": id, "as_of": as_of, "known_at": known_at}
    return read(MemoryWithLinks, _there(id, (yield from _read(asker, "memory", given))))


def memories(
    asker: Asker,
    *,
    first: int = 20,
    after: str | None = None,
    kind: str | None = None,
    tag: str | None = None,
    as_of: Time | None = None,
    known_at: Time | None = None,
    subject: str | None = None,
) -> Steps[Page[Memory]]:
    """A page of memories, newest first; summaries of communities only by their kind, `summary`."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "subject")}
    return read(Page[Memory], (yield from _read(asker, "memories", given, subject or asker.subject)))


def attributes(
    asker: Asker,
    name: str,
    *,
    first: int = 20,
    after: str | None = None,
    as_of: Time | None = None,
    known_at: Time | None = None,
    subject: str | None = None,
) -> Steps[Page[EntityAttributes]]:
    """A page of those whose name begins so, five of them, each with the `first` things stated of it, now and before.

    `User` is whose memories they are.
    """
    given = {"name": name, "first": first, "after": after, "as_of": as_of, "known_at": known_at}
    return read(
        Page[EntityAttributes], (yield from _read(asker, "attributes", given, subject or asker.subject))
    )


def history(asker: Asker, id: str) -> Steps[tuple[State, ...]]:
    """Every state of every version of a truth, oldest first; the id of any version will do."""
    states: tuple[State, ...] = ()
    page: Page[State] = Page((), True, None)
    while page.has_next_page:
        given = {"id": id, "first": PAGE, "after": page.end_cursor}
        page = read(Page[State], _there(id, (yield from _read(asker, "history", given))))
        states += page.nodes
    return states


def why_retired(asker: Asker, id: str) -> Steps[Retirement]:
    """Why a memory is no longer current."""
    return read(Retirement, _there(id, (yield from _read(asker, "why-retired", {"id": id}))))


def neighbours(
    asker: Asker,
    id: str,
    *,
    kinds: Sequence[LinkKind] | None = None,
    direction: LinkDirection = "BOTH",
    depth: int = 2,
    first: int = 20,
    as_of: Time | None = None,
    known_at: Time | None = None,
) -> Steps[Neighbours]:
    """The memories that links lead to, nearest first."""
    given = {name: value for name, value in locals().items() if name != "asker"}
    return read(Neighbours, _there(id, (yield from _read(asker, "neighbours", given))))


def subgraph(
    asker: Asker,
    ids: str | Sequence[str],
    *,
    depth: int = 1,
    first: int = 100,
    as_of: Time | None = None,
    known_at: Time | None = None,
) -> Steps[Subgraph]:
    """Memories, what lies around them, and all links between these; `to_networkx()` makes a graph of it."""
    given = {"ids": several(ids, str), "depth": depth, "first": first, "as_of": as_of, "known_at": known_at}
    return read(Subgraph, _there(str(ids), (yield from _read(asker, "subgraph", given))))


def supersede(
    asker: Asker,
    id: str,
    text: str,
    *,
    valid_from: Time | None = None,
    reason: str = "",
    source: SaidBy | None = None,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Steps[Superseded]:
    """Says that something else is true now, or from `valid_from` on; the old statement stays in history."""
    told = {"text": text, "source": source, "tags": tags, "metadata": metadata}
    fact = {name: value for name, value in told.items() if value is not None}
    given = {"id": id, "fact": fact, "valid_from": valid_from, "reason": reason}
    return read(Superseded, (yield from _write(asker, "supersede-memory", given, key)))


def revise(
    asker: Asker,
    id: str,
    text: str | None = None,
    *,
    tags: Sequence[str] | None = None,
    metadata: Mapping[str, Any] | None = None,
    reason: str = "",
    key: str | None = None,
) -> Steps[Revised]:
    """Changes a memory in place: it should have said so all along. `tags` and `metadata` are given whole."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "key")}
    return read(Revised, (yield from _write(asker, "revise-memory", given, key)))


def retract(
    asker: Asker, ids: str | Sequence[str], *, reason: str = "", key: str | None = None
) -> Steps[Moved]:
    """Says that memories should never have been believed; they stay in history only."""
    given = {"ids": several(ids, str), "reason": reason}
    return read(Moved, (yield from _write(asker, "retract-memories", given, key)))


def link(
    asker: Asker,
    from_id: str,
    to_id: str,
    kind: LinkKind,
    *,
    reason: str = "",
    confidence: float | None = None,
    strength: float | None = None,
    key: str | None = None,
) -> Steps[LinkMade]:
    """Links one memory to another."""
    given = {name: value for name, value in locals().items() if name not in ("asker", "key")}
    return read(LinkMade, (yield from _write(asker, "link-memories", given, key)))


def forget(
    asker: Asker,
    ids: str | Sequence[str] | None = None,
    *,
    source_ref: str | None = None,
    whole_subject: bool = False,
    reason: str = "",
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Forgotten]:
    """Erases memories for ever, all that one source has said, or a whole subject. There is no undo; the key must have `erase`."""
    given = {
        "ids": None if ids is None else several(ids, str),
        "source_ref": source_ref,
        "whole_subject": whole_subject,
        "reason": reason,
    }
    return read(Forgotten, (yield from _write(asker, "forget", given, key, subject or asker.subject)))


def undo(
    asker: Asker,
    changes: int | Sequence[int],
    *,
    cascade: bool = False,
    reason: str = "",
    key: str | None = None,
) -> Steps[Undone]:
    """Takes changes back, by their sequence numbers; with `cascade`, what stands on them too."""
    given = {"changes": several(changes, int), "cascade": cascade, "reason": reason}
    return read(Undone, (yield from _write(asker, "undo", given, key)))


def reviews(
    asker: Asker,
    *,
    status: ReviewStatus | None = "PENDING",
    first: int = 20,
    after: str | None = None,
    subject: str | None = None,
) -> Steps[Page[Review]]:
    """A page of what waits for a person, or was decided."""
    given = {"first": first, "after": after}
    asked = variables(given, subject or asker.subject) | {"status": status}
    return read(Page[Review], (yield from send(asker, "reviews", asked)))


def approve_review(
    asker: Asker,
    id: str,
    *,
    action: JudgedAction | None = None,
    text: str | None = None,
    reason: str = "",
    key: str | None = None,
) -> Steps[ReviewSettled]:
    """Does what was proposed; with `action` something else, or with this `text` of a MERGE or a SUPERSEDE."""
    given = {"id": id, "action": action, "text": text, "reason": reason}
    return read(ReviewSettled, (yield from _write(asker, "approve-review", given, key)))


def reject_review(asker: Asker, id: str, *, reason: str = "", key: str | None = None) -> Steps[ReviewSettled]:
    """Refuses what was proposed; both memories stay."""
    return read(ReviewSettled, (yield from _write(asker, "reject-review", {"id": id, "reason": reason}, key)))


def communities(
    asker: Asker,
    *,
    name: str | None = None,
    changed_since: Time | None = None,
    min_size: int | None = None,
    ended: bool | None = None,
    first: int = 20,
    after: str | None = None,
    subject: str | None = None,
) -> Steps[Page[Community]]:
    """What memories are about, the last changed first; with `changed_since` what was born, changed or ended since."""
    wanted = {"name": name, "changed_since": changed_since, "min_size": min_size, "ended": ended}
    filter = {spelled(key): plain(key, value) for key, value in wanted.items() if value is not None}
    given = {"filter": filter, "first": first, "after": after}
    return read(Page[Community], (yield from _read(asker, "communities", given, subject or asker.subject)))


def community(
    asker: Asker, id: str, *, first: int = 20, after: str | None = None
) -> Steps[CommunityWithMembers]:
    """A community with its summary, a page of its members, and what became of it."""
    given = {"id": id, "first": first, "after": after}
    return read(CommunityWithMembers, _there(id, (yield from _read(asker, "community", given))))


def change_page(
    asker: Asker, *, after: int | str | None = None, first: int = PAGE, subject: str | None = None
) -> Steps[Page[Change]]:
    """A page of the ledger, oldest first, after a sequence number."""
    given = {"first": first, "after": None if after is None else str(after)}
    return read(Page[Change], (yield from _read(asker, "changes", given, subject or asker.subject)))


def consolidate(
    asker: Asker,
    *,
    full: bool = False,
    dry_run: bool = False,
    strategy: ConsolidationStrategy | None = None,
    cap: int | None = None,
    wait: float = 0.0,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[Asked]:
    """Merges memories that say the same, or with `dry_run` makes a plan, which `consolidation_plan` reads by the job's id.

    `wait` is how many seconds to wait until it is over.
    """
    given = {"full": full, "dry_run": dry_run, "strategy": strategy, "cap": cap}
    return (yield from _asked(asker, "consolidate", given, wait, key, subject))


def consolidation_plan(
    asker: Asker, id: str, *, first: int = 20, after: str | None = None, subject: str | None = None
) -> Steps[ConsolidationPlan]:
    """What a rehearsed consolidation would do; `after` is the cursor of the last group that was read."""
    given = {"id": id, "first": first, "after": after}
    answer = yield from _read(asker, "consolidation-plan", given, subject or asker.subject)
    return read(ConsolidationPlan, _there(id, answer))


def promote_consolidation(
    asker: Asker, id: str, *, wait: float = 0.0, subject: str | None = None, key: str | None = None
) -> Steps[Asked]:
    """Carries out exactly a plan; what has changed since is left."""
    return (yield from _asked(asker, "promote-consolidation", {"id": id}, wait, key, subject))


def revert_consolidation(
    asker: Asker, id: str, *, wait: float = 0.0, subject: str | None = None, key: str | None = None
) -> Steps[Asked]:
    """Takes back all that a consolidation has merged; what was built upon since is left and named in the job's result."""
    return (yield from _asked(asker, "revert-consolidation", {"id": id}, wait, key, subject))


def job(asker: Asker, id: str) -> Steps[Job]:
    """How far a job has come."""
    return read(Job, _there(id, (yield from _read(asker, "job", {"id": id}))))


def tiers(asker: Asker, *, subject: str | None = None) -> Steps[tuple[TierCount, ...]]:
    """How many active memories stand in each tier."""
    return read(tuple[TierCount, ...], (yield from _read(asker, "tiers", {}, subject or asker.subject)))


def subjects(asker: Asker, *, first: int = 20, after: str | None = None) -> Steps[Page[Subject]]:
    """A page of those whose memories are kept, by name; a key that is bound to one sees that one."""
    return read(Page[Subject], (yield from _read(asker, "subjects", {"first": first, "after": after})))


def webhooks(asker: Asker) -> Steps[tuple[Webhook, ...]]:
    """The webhooks of the account. It needs a key that may administer, as what follows does."""
    return read(tuple[Webhook, ...], (yield from _read(asker, "webhooks", {})))


def add_webhook(
    asker: Asker,
    url: str,
    *,
    operations: Sequence[ChangeOperation] | None = None,
    with_content: bool | None = None,
    after: int | str | None = None,
    subject: str | None = None,
    key: str | None = None,
) -> Steps[WebhookAdded]:
    """Has changes sent to an address, of all subjects or of one; keep the secret that is answered.

    The client's own subject does not count here.
    """
    given = {
        "url": url,
        "operations": operations,
        "with_content": with_content,
        "after": None if after is None else str(after),
    }
    return read(WebhookAdded, (yield from _write(asker, "add-webhook", given, key, subject)))


def resume_webhook(asker: Asker, id: str, *, key: str | None = None) -> Steps[WebhookResumed]:
    """Lets a webhook that was set aside go on where it stopped."""
    return read(WebhookResumed, (yield from _write(asker, "resume-webhook", {"id": id}, key)))


def remove_webhook(asker: Asker, id: str, *, key: str | None = None) -> Steps[WebhookRemoved]:
    """Ends a webhook for good."""
    return read(WebhookRemoved, (yield from _write(asker, "remove-webhook", {"id": id}, key)))


def viewer(asker: Asker) -> Steps[Viewer]:
    """Who the key makes you."""
    return read(Viewer, (yield from _read(asker, "viewer", {})))


def _asked(
    asker: Asker, operation: str, given: Mapping[str, Any], wait: float, key: str | None, subject: str | None
) -> Steps[Asked]:
    asked = read(Asked, (yield from _write(asker, operation, given, key, subject or asker.subject)))
    return replace(asked, job=(yield from _awaited(asker, asked.job, wait)))


def _awaited(asker: Asker, run: Job, seconds: float) -> Steps[Job]:
    """The job when it is over, or as it stands after so many seconds."""
    until, pause = time.monotonic() + seconds, FIRST_LOOK
    while not run.is_over and time.monotonic() < until:
        yield Pause(pause)
        run, pause = (yield from job(asker, run.id)), min(pause * 1.5, LONGEST_LOOK)
    return run


def _submitted_of(
    asker: Asker, given: Mapping[str, Any], key: str, user: str | None
) -> Steps[tuple[Any, str | None]]:
    """The answer to messages of the one who speaks, and whose they are: a key that is bound to a subject says so itself."""
    try:
        return (yield from _write(asker, "submit-messages", given, key, user)), user
    except Forbidden:
        return (yield from _write(asker, "submit-messages", given, key)), None


def _read(asker: Asker, operation: str, given: Mapping[str, Any], subject: str | None = None) -> Steps[Any]:
    return (yield from send(asker, operation, variables(given, subject)))


def _write(
    asker: Asker, operation: str, given: Mapping[str, Any], key: str | None, subject: str | None = None
) -> Steps[Any]:
    """A write always has an idempotency key, so that it may be sent again."""
    values = {**variables(given, subject), "idempotencyKey": key or str(uuid4())}
    return (yield from send(asker, operation, {"input": values}))


def _there(id: str, value: T | None) -> T:
    if value is None:
        raise NotFound(f"There is nothing with the id {id[:60]!r}, or it belongs to someone else.", path="id")
    return value
