"""API keys: `gm_<prefix>_<secret>`, bound to a tenant and perhaps to one subject of it, with rights.

The store holds a salted hash and never the secret, which is shown once, when the key is made.
A secret has 256 random bits, so one pass of SHA-256 is enough.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
import string
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from graph_memory.base.errors import Invalid, NotFound, SystemFault, Unauthenticated
from graph_memory.base.gathered import Gathered
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

log = logging.getLogger(__name__)

CREATE = query("system/key_create")
FIND = query("system/key_find")
LIST = query("system/key_list")
REVOKE = query("system/key_revoke")
USED = query("system/key_used")

# A revoked or expired key is refused after so many seconds at most.
CACHE_SECONDS = 5.0

_KEY = re.compile(r"gm_([a-z0-9]{8})_([A-Za-z0-9]{43})")
_PREFIX = string.ascii_lowercase + string.digits
_SECRET = string.ascii_letters + string.digits
_CACHE_SIZE = 10_000
_USE_IS_WRITTEN_AFTER = timedelta(hours=1)
_MAX_NAME = 200
# A year.
MOST_MINUTES = 525_600
_MISSING = "No API key was given; it is sent as `Authorization: Bearer gm_...`, and given in Python as Client(url, key)."
_UNKNOWN = (
    "No API key of this service is like the one that was given; `graph-memory keys list` shows how each begins, `graph-memory "
    "keys create` makes one."
)
# What a key that does not exist is compared with, so that it takes as long as one that does.
_NOBODY: Row = {"salt": "0" * 32, "hash": "0" * 64}


class Right(StrEnum):
    """What a key may do. All include READ, ADMIN includes all; ERASE is given by name to a key that is not ADMIN."""

    READ = "read"
    WRITE = "write"
    ERASE = "erase"
    ADMIN = "admin"


_INCLUDES = {
    Right.READ: (Right.READ,),
    Right.WRITE: (Right.READ, Right.WRITE),
    Right.ERASE: (Right.READ, Right.ERASE),
    Right.ADMIN: tuple(Right),
}


@dataclass(frozen=True)
class Identity:
    """Who is asking: the scope of the key, its name in the ledger, and what it may do."""

    scope: Scope
    actor: str
    rights: frozenset[Right]


@dataclass(frozen=True)
class ApiKey:
    """A key as people see it: everything but its secret."""

    id: str
    prefix: str
    name: str
    tenant_name: str
    subject_name: str | None
    scopes: tuple[Right, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> ApiKey:
        return cls(
            id=row["id"],
            prefix=row["prefix"],
            name=row["name"],
            tenant_name=row["tenant_name"],
            subject_name=row.get("subject_name"),
            scopes=_included(row["scopes"]),
            created_at=row["created_at"],
            expires_at=row.get("expires_at"),
            revoked_at=row.get("revoked_at"),
            last_used_at=row.get("last_used_at"),
        )


def create(
    service: Service,
    tenant: str,
    subject: str | None = None,
    right: Right = Right.READ,
    name: str = "",
    also: Iterable[Right] = (),
    minutes: int | None = None,
) -> tuple[ApiKey, str]:
    """A new key and its secret form, which cannot be shown again. The same name gives another key.

    It may do what `right` and those of `also` include, for so many minutes or until it is revoked. The tenant is made if there
    is none of that name. Raises Invalid for a name that cannot be one and for minutes out of range.
    """
    faults, now = Gathered(), service.clock()
    scope = faults.of(Scope, tenant, subject)
    faults.of(_check_minutes, minutes)
    faults.of(_check_name, name)
    faults.refuse()
    prefix, secret, salt = _random(_PREFIX, 8), _random(_SECRET, 43), secrets.token_hex(16)
    properties = {
        "prefix": prefix,
        "salt": salt,
        "hash": _hash(salt, secret),
        "subject_name": scope.subject_name,
        "scopes": [each.value for each in _included([right, *also])],
        "name": name,
        "expires_at": None if minutes is None else now + timedelta(minutes=minutes),
    }
    [row] = service.system(
        CREATE,
        id=new_id(),
        tenant=scope.tenant,
        tenant_name=tenant,
        properties=properties,
        now=now,
    )
    return ApiKey.from_row(row["key"]), f"gm_{prefix}_{secret}"


def all_keys(service: Service, tenant: str | None = None) -> list[ApiKey]:
    """Every key, revoked ones too, oldest first; those of one tenant when it is named."""
    token = Scope(tenant).tenant if tenant is not None else None
    return [ApiKey.from_row(row["key"]) for row in service.system(LIST, tenant=token)]


def revoke(service: Service, name: str, tenant: str | None = None) -> ApiKey:
    """Ends the key of this prefix or id, of any tenant or of one, for good; NotFound when there is none."""
    token = Scope(tenant).tenant if tenant is not None else None
    rows = service.system(REVOKE, name=name, tenant=token, now=service.clock())
    if not rows:
        raise NotFound(f"There is no key {name[:60]!r}; `graph-memory keys list` shows them.", path="prefix")
    return ApiKey.from_row(rows[0]["key"])


def resolve(service: Service, presented: str | None) -> Identity:
    """Who presents this key; Unauthenticated for a missing, wrong, expired or revoked one.

    That a key has ended is told to whoever has all of it: what begins like one is as wrong as any other.
    """
    if not presented:
        raise Unauthenticated(_MISSING)
    match = _KEY.fullmatch(presented)
    if match is None:
        raise Unauthenticated(_UNKNOWN)
    prefix, secret = match.groups()
    rows = [row["key"] for row in service.system(FIND, prefix=prefix)]
    found = [row for row in rows or [_NOBODY] if hmac.compare_digest(_hash(row["salt"], secret), row["hash"])]
    if not found:
        raise Unauthenticated(_UNKNOWN)
    _refuse_ended(found[0], service.clock())
    _note_use(service, found[0])
    return _identity(found[0])


class Keyring:
    """Remembers for a few seconds whose key it was. Safe to use from many threads."""

    def __init__(self, service: Service, seconds: float = CACHE_SECONDS) -> None:
        self._service = service
        self._seconds = seconds
        self._known: dict[str, tuple[float, Identity]] = {}
        self._lock = threading.Lock()

    def resolve(self, presented: str | None) -> Identity:
        """As `resolve`, but asks the store at most once in `seconds` for each key that is right."""
        digest = hashlib.sha256((presented or "").encode("utf-8", "replace")).hexdigest()
        expires, identity = self._known.get(digest, (0.0, None))
        if identity is not None and time.monotonic() < expires:
            return identity
        identity = resolve(self._service, presented)
        self._remember(digest, identity)
        return identity

    def _remember(self, digest: str, identity: Identity) -> None:
        with self._lock:
            if len(self._known) >= _CACHE_SIZE:
                self._known.clear()
            self._known[digest] = (time.monotonic() + self._seconds, identity)


def _refuse_ended(row: Row, now: datetime) -> None:
    if (revoked := row.get("revoked_at")) is not None:
        raise Unauthenticated(
            f"This API key was revoked on {revoked:%Y-%m-%d}; `graph-memory keys create` makes another."
        )
    if (expires := row.get("expires_at")) is not None and expires <= now:
        raise Unauthenticated(
            f"This API key expired on {expires:%Y-%m-%dT%H:%M:%SZ}; `graph-memory keys create` makes another."
        )


def _identity(row: Row) -> Identity:
    subject = row.get("subject_name")
    scope = Scope(row["tenant_name"], subject, is_bound=subject is not None)
    return Identity(scope, f"key:{row['prefix']}", frozenset(_included(row["scopes"])))


def _note_use(service: Service, row: Row) -> None:
    last, now = row.get("last_used_at"), service.clock()
    if last is not None and now - last < _USE_IS_WRITTEN_AFTER:
        return
    try:
        service.system(USED, id=row["id"], now=now)
    except SystemFault as error:
        log.warning("key use not noted", extra={"prefix": row["prefix"], "code": error.code})


def _included(granted: Iterable[str]) -> tuple[Right, ...]:
    """All that these rights amount to. Stored rights are widened too: a key may be older than a right."""
    held = {right for each in granted for right in _INCLUDES[Right(each)]}
    return tuple(right for right in Right if right in held)


def _check_name(name: str) -> None:
    if len(name) > _MAX_NAME or not name.isprintable():
        raise Invalid(f"A key's name has at most {_MAX_NAME} printable characters.", path="name")


def _check_minutes(minutes: int | None) -> None:
    if minutes is not None and not 1 <= minutes <= MOST_MINUTES:
        raise Invalid(f"minutes is {minutes}; it must lie between 1 and {MOST_MINUTES}.", path="minutes")


def _hash(salt: str, secret: str) -> str:
    return hashlib.sha256(f"{salt}{secret}".encode()).hexdigest()


def _random(alphabet: str, length: int) -> str:
    return "".join(secrets.choice(alphabet) for _ in range(length))
