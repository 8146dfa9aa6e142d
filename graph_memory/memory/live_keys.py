"""Until when a memory answers, whether it is live, and the key that two live memories of one subject never share."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory.base.clock import ALWAYS, FOREVER
from graph_memory.language.texts import normalised
from graph_memory.model.memory import Status
from graph_memory.scoring.settings import DecaySettings

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def holds_to(state: Mapping[str, Any], decay: DecaySettings) -> datetime:
    """Until when a state answers: the earlier of its end and its expiry, or when a rule put it away.

    What a person put away, a merge replaced or somebody retracted answers at no time. `cypher/migrations/V0014` and
    `cypher/queries/scoring/holds.cypher` say the same.
    """
    if state["status"] != Status.ACTIVE and not (
        state["status"] == Status.ARCHIVED and state.get("archive_rule") and state.get("archived_at")
    ):
        return ALWAYS
    away = state["archived_at"] if state["status"] == Status.ARCHIVED else FOREVER
    ends: list[datetime] = [state["valid_to"], away, _expires(state, decay)]
    return min(ends)


def will_hold(valid_from: datetime, ends: datetime, now: datetime) -> bool:
    """Whether an active memory is live: it holds or will hold. An empty interval never does, wherever it lies."""
    return ends > now and ends > valid_from


def live_key(kind: str, text: str, happens_at: datetime | None, valid_from: datetime, now: datetime) -> str:
    """Made of the kind and the normalised text, and of when it happens: the same may happen again.

    A start that lies ahead stands in front, until it has come. The statement that locks a subject looks for those and
    takes it away.
    """
    words = hashlib.sha256("\x1f".join([kind, normalised(text)]).encode()).hexdigest()[:32]
    key = happening(words, happens_at)
    return f"@{valid_from.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}@{key}" if valid_from > now else key


def happening(key: str, happens_at: datetime | None) -> str:
    """The key with when it happens, in microseconds since 1970; exports of before V0026 have keys without."""
    if happens_at is None or "/" in key:
        return key
    return f"{key}/{(happens_at - _EPOCH) // timedelta(microseconds=1)}"


def _expires(state: Mapping[str, Any], decay: DecaySettings) -> datetime:
    """The end of the days of grace; FOREVER for what never expires."""
    given, grace = state.get("expires_at"), timedelta(days=decay.expiry_grace_days)
    spared = state.get("critical") and decay.critical_overrides_expiry
    return FOREVER if given is None or spared or given >= FOREVER - grace else given + grace
