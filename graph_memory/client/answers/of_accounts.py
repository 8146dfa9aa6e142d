"""An account: who asks, whose memories it keeps, and where its changes are sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from graph_memory.client.answers.words import ChangeOperation, Right, Tier, WebhookStatus


@dataclass(frozen=True)
class TierCount:
    """How many active memories stand in a tier."""

    tier: Tier
    count: int

    def __str__(self) -> str:
        return f"{self.tier}: {self.count}"


@dataclass(frozen=True)
class Subject:
    """Somebody of the account: how many of their memories hold now, and the last date on which they wrote or recalled."""

    id: str
    name: str
    memories: int
    created_at: datetime
    last_active_on: str | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Viewer:
    """Who the key makes you."""

    tenant: str
    subject: str | None
    actor: str
    rights: tuple[Right, ...]


@dataclass(frozen=True)
class Webhook:
    """An address to which changes are sent: how far it has come, how many it is behind, and why it failed last."""

    id: str
    uuid: str
    url: str
    subject: str | None
    operations: tuple[ChangeOperation, ...]
    with_content: bool
    status: WebhookStatus
    after: int
    lag: int
    failures: int
    failing_since: datetime | None
    last_error: str | None
    last_sent_at: datetime | None
    next_try_at: datetime | None
    created_at: datetime
    created_by: str


@dataclass(frozen=True)
class WebhookAdded:
    """The answer of `add_webhook`. The secret, with which its requests are signed, is shown this once."""

    webhook: Webhook
    secret: str = field(repr=False)
    replayed: bool


@dataclass(frozen=True)
class WebhookResumed:
    """The answer of `resume_webhook`."""

    webhook: Webhook
    replayed: bool


@dataclass(frozen=True)
class WebhookRemoved:
    """The answer of `remove_webhook`."""

    uuid: str
    replayed: bool
