"""The account: who asks, whose memories it keeps, its ledger and its webhooks."""

from __future__ import annotations

from collections.abc import Sequence

from graph_memory.client.answers.decoding import read
from graph_memory.client.answers.listed import Page
from graph_memory.client.answers.of_accounts import (
    Subject,
    TierCount,
    Viewer,
    Webhook,
    WebhookAdded,
    WebhookRemoved,
    WebhookResumed,
)
from graph_memory.client.answers.of_changes import Change
from graph_memory.client.answers.words import ChangeOperation
from graph_memory.client.exchange import Asker, Steps
from graph_memory.client.methods.calls import reads, writes
from graph_memory.client.sending import PAGE


def viewer(asker: Asker) -> Steps[Viewer]:
    """Who the key makes you."""
    return read(Viewer, (yield from reads(asker, "viewer", {})))


def subjects(asker: Asker, *, first: int = 20, after: str | None = None) -> Steps[Page[Subject]]:
    """A page of those whose memories are kept, by name; a key that is bound to one sees that one."""
    return read(Page[Subject], (yield from reads(asker, "subjects", {"first": first, "after": after})))


def tiers(asker: Asker, *, subject: str | None = None) -> Steps[tuple[TierCount, ...]]:
    """How many active memories stand in each tier."""
    return read(tuple[TierCount, ...], (yield from reads(asker, "tiers", {}, subject or asker.subject)))


def change_page(
    asker: Asker,
    *,
    after: int | str | None = None,
    first: int = PAGE,
    last: int | None = None,
    subject: str | None = None,
) -> Steps[Page[Change]]:
    """A page of the ledger after a sequence number, oldest first; with `last` so many of the last ones, the newest first."""
    given = {"first": first, "last": last, "after": None if after is None else str(after)}
    return read(Page[Change], (yield from reads(asker, "changes", given, subject or asker.subject)))


def webhooks(asker: Asker) -> Steps[tuple[Webhook, ...]]:
    """The webhooks of the account. It needs a key that may administer, as what follows does."""
    return read(tuple[Webhook, ...], (yield from reads(asker, "webhooks", {})))


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
    return read(WebhookAdded, (yield from writes(asker, "add-webhook", given, key, subject)))


def resume_webhook(asker: Asker, id: str, *, key: str | None = None) -> Steps[WebhookResumed]:
    """Lets a webhook that was set aside go on where it stopped."""
    return read(WebhookResumed, (yield from writes(asker, "resume-webhook", {"id": id}, key)))


def remove_webhook(asker: Asker, id: str, *, key: str | None = None) -> Steps[WebhookRemoved]:
    """Ends a webhook for good."""
    return read(WebhookRemoved, (yield from writes(asker, "remove-webhook", {"id": id}, key)))
