"""The errors we raise. The docstring is the message, the facts are attributes, the code is for programs.

GraphMemoryError
├── UserError                     the caller can mend it
│   ├── Invalid                   INVALID               a value breaks a rule
│   │   └── InvalidFile           INVALID_FILE          a file has broken lines; all are named
│   ├── BadId                     BAD_ID                an id that cannot be read
│   ├── NotFound                  NOT_FOUND             missing, or someone else's: the same answer
│   ├── Unauthenticated           UNAUTHENTICATED       no key, a wrong one, or one that has ended
│   ├── Forbidden                 FORBIDDEN             the key may not do this
│   └── Conflict                  CONFLICT              the state does not allow it
│       ├── IdempotencyMismatch   IDEMPOTENCY_MISMATCH  a key used again with another body
│       ├── LiveTwin              LIVE_TWIN             the same statement is live already
│       ├── IllegalMove           ILLEGAL_MOVE          a status that cannot become the other
│       ├── HasDependants         HAS_DEPENDANTS        later changes stand on what is to be undone
│       ├── Erased                ERASED                what this key once stored has been erased
│       ├── Expired               EXPIRED               the rule of expiry would archive it again
│       ├── Outdated              OUTDATED              what was to be decided has changed since
│       └── PastRetention         PAST_RETENTION        what a change did is no longer kept
└── SystemFault                   the operator can mend it
    ├── Misconfigured             MISCONFIGURED         settings with faults; all are listed
    ├── Unavailable               UNAVAILABLE           Neo4j, the broker or a model cannot be reached
    │   ├── OutcomeUnknown        OUTCOME_UNKNOWN       the commit's answer was lost; repeat with the same key
    │   ├── Overloaded            OVERLOADED            too much at once; try again later
    │   ├── TookTooLong           TOOK_TOO_LONG         it was stopped, as it would be again; ask for less
    │   ├── ProviderFault         PROVIDER_FAULT        a language model's provider gave no answer
    │   └── NoAnswer              NO_ANSWER             none of the providers gave an answer
    ├── Unsupported               UNSUPPORTED           a server too old, or a part of it missing
    │   └── MissingExtra          MISSING_EXTRA         an optional part is not installed
    ├── MigrationFault            MIGRATION_FAULT       the store's schema is not what this version needs
    ├── ModelFault                MODEL_FAULT           a model file that is missing or not the one expected
    │   ├── BadVector             BAD_VECTOR            an embedder gave something that is no usable vector
    │   └── MixedModels           MIXED_MODELS          the store's vectors are of another model than the settings'
    ├── StackFault                STACK_FAULT           the local stack could not do what was asked
    └── LeaseLost                 LEASE_LOST            another holder took over the job
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar


class GraphMemoryError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "ERROR"

    def __init__(self, message: str | None = None, *, path: str | None = None) -> None:
        self.message = message or (self.__doc__ or "").strip()
        self.path = path
        super().__init__(self.message)


class UserError(GraphMemoryError):
    """The request cannot be carried out as it is."""

    # Where one error tells of several faults, what each would say by itself.
    parts: tuple[UserError, ...] = ()

    @property
    def each(self) -> tuple[UserError, ...]:
        """The faults that it tells of: itself, or where there are several all of them."""
        return self.parts or (self,)


class Invalid(UserError):
    """A value breaks a rule."""

    code = "INVALID"

    @classmethod
    def together(cls, faults: Sequence[UserError], message: str | None = None) -> Invalid:
        """One error that tells of several faults."""
        made = cls(message or " ".join(fault.message for fault in faults), path=faults[0].path)
        made.parts = tuple(faults)
        return made


class InvalidFile(Invalid):
    """The file has broken lines; nothing of it was stored."""

    code = "INVALID_FILE"

    def __init__(self, name: str, faults: list[tuple[int, str]]) -> None:
        shown = "; ".join(f"line {line}: {fault}" for line, fault in faults[:20])
        more = f"; and {len(faults) - 20} more" if len(faults) > 20 else ""
        lines = "a broken line" if len(faults) == 1 else f"{len(faults)} broken lines"
        super().__init__(f"{name} has {lines}, nothing was stored: {shown}{more}")
        self.name = name
        self.faults = faults


class BadId(UserError):
    """This is not an id of ours."""

    code = "BAD_ID"


class NotFound(UserError):
    """There is no such thing, or it belongs to someone else."""

    code = "NOT_FOUND"


class Unauthenticated(UserError):
    """No valid API key was given; it is sent as `Authorization: Bearer gm_...`, and given in Python as Client(url, key)."""

    code = "UNAUTHENTICATED"


class Forbidden(UserError):
    """This key may not do that."""

    code = "FORBIDDEN"


class Conflict(UserError):
    """The present state does not allow it."""

    code = "CONFLICT"


class IdempotencyMismatch(Conflict):
    """This idempotency key was used before with another body; use a new key for a new request."""

    code = "IDEMPOTENCY_MISMATCH"


class LiveTwin(Conflict):
    """The same statement is live already."""

    code = "LIVE_TWIN"

    def __init__(self, holder: str) -> None:
        super().__init__(f"The same statement is live already as memory {holder}.")
        self.holder = holder


class IllegalMove(Conflict):
    """A memory of this status cannot do that."""

    code = "ILLEGAL_MOVE"


class LessTrusted(Conflict):
    """What nobody has confirmed cannot take the place of what is trusted more, or go into it."""

    code = "LESS_TRUSTED"

    def __init__(self, id: str | None, source: str, other: str) -> None:
        """`id` is None for a statement that was given with the request and is not stored."""
        super().__init__(
            f"Memory {id} comes from a {source} source and nobody has confirmed it, so it cannot take the place of "
            f"memory {other}, which is trusted more, or become one with it. Let a person confirm it first."
            if id
            else f"What was given comes from a {source} source and nobody has confirmed it, so it cannot take the place of "
            f"memory {other}, which is trusted more. Store it by itself and let a person confirm it first."
        )


class HasDependants(Conflict):
    """Later changes stand on it; undo them first, or all together with cascade."""

    code = "HAS_DEPENDANTS"

    def __init__(self, dependants: list[str]) -> None:
        super().__init__(
            f"Later changes stand on it: {', '.join(dependants)}. Undo them first, or all together with cascade."
        )
        self.dependants = dependants


class Erased(Conflict):
    """What was stored under this key has been erased."""

    code = "ERASED"


class Expired(Conflict):
    """It has expired, so that the next run of the rules would archive it again."""

    code = "EXPIRED"

    def __init__(self, id: str, expired_at: datetime) -> None:
        super().__init__(
            f"Memory {id} expired at {expired_at:%Y-%m-%dT%H:%M:%SZ}; the next run of the rules would archive it again. "
            "Bring it back with a new end that lies ahead, or switch the rule off (GRAPH_MEMORY_ARCHIVE_EXPIRED).",
            path="expiresAt",
        )
        self.expired_at = expired_at


class Outdated(Conflict):
    """What was to be decided has changed since."""

    code = "OUTDATED"


class PastRetention(Conflict):
    """What this change did is no longer kept."""

    code = "PAST_RETENTION"


class SystemFault(GraphMemoryError):
    """The service cannot do this now."""


class Misconfigured(SystemFault):
    """The settings have faults."""

    code = "MISCONFIGURED"

    def __init__(self, faults: list[str]) -> None:
        super().__init__("The settings have faults:\n" + "\n".join(f"  - {fault}" for fault in faults))
        self.faults = faults


class Unavailable(SystemFault):
    """A server that this needs cannot be reached."""

    code = "UNAVAILABLE"


class OutcomeUnknown(Unavailable):
    """The answer to the commit was lost; repeat the request with the same idempotency key."""

    code = "OUTCOME_UNKNOWN"


class Overloaded(Unavailable):
    """Too many requests at once; try again in a moment."""

    code = "OVERLOADED"
    # Seconds after which it is worth trying again.
    retry_after: ClassVar[float] = 0.5


class TookTooLong(Unavailable):
    """This took longer than it may; ask for less at once."""

    code = "TOOK_TOO_LONG"


class ProviderFault(Unavailable):
    """A language model's provider gave no answer."""

    code = "PROVIDER_FAULT"

    def __init__(
        self, provider: str, kind: str, told: str, retry_after: float | None = None, detail: str = ""
    ) -> None:
        super().__init__(f"{provider}: {told}.")
        self.provider = provider
        self.kind = kind
        # Seconds that the provider asked to wait.
        self.retry_after = retry_after
        # What the provider's answer said, for deciding what to try next. It may quote keys and texts: never told.
        self.detail = detail


class NoAnswer(Unavailable):
    """None of the language models gave an answer."""

    code = "NO_ANSWER"

    def __init__(self, purpose: str, failures: Mapping[str, GraphMemoryError]) -> None:
        told = " ".join(failure.message for failure in failures.values()) or "No provider is configured."
        super().__init__(f"No language model gave an answer for the purpose {purpose}. {told}")
        # Why each provider gave none, by its name, in the order in which they were asked.
        self.failures = dict(failures)


class Unsupported(SystemFault):
    """The server lacks something that this needs."""

    code = "UNSUPPORTED"


class MissingExtra(Unsupported):
    """An optional part is not installed."""

    code = "MISSING_EXTRA"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part: {installed(extra)} in the folder of the project.")
        self.extra = extra


def installed(extra: str) -> str:
    """What installs an optional part. It is not on a package index, so it is installed from the clone."""
    return f"pip install -e '.[{extra}]'"


class MigrationFault(SystemFault):
    """The schema of the store is not what this version needs."""

    code = "MIGRATION_FAULT"


class ModelFault(SystemFault):
    """A model file is missing or not the one expected."""

    code = "MODEL_FAULT"


class BadVector(ModelFault):
    """An embedder gave something that is no usable vector; it is not stored."""

    code = "BAD_VECTOR"


class MixedModels(ModelFault):
    """The vectors of the store are of another model than the one that the settings name."""

    code = "MIXED_MODELS"


class StackFault(SystemFault):
    """The local stack could not do what was asked."""

    code = "STACK_FAULT"


class LeaseLost(SystemFault):
    """Another holder took over this job."""

    code = "LEASE_LOST"
