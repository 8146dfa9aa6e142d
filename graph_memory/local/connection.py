"""`connect()`: a client of the service that runs on this machine, with a key that is made once and kept."""

from __future__ import annotations

import json
from dataclasses import dataclass

from graph_memory.base.errors import StackFault, Unauthenticated
from graph_memory.base.settings import ApiSettings
from graph_memory.client.clients import Client
from graph_memory.local import state
from graph_memory.local.locks import only_one
from graph_memory.local.parts import api_address
from graph_memory.settings import Settings, load
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import why_unread, write_private

KEYS = "client-keys.json"


@dataclass(frozen=True)
class Wanted:
    """For whom a key is, and whether it may erase."""

    tenant: str
    subject: str | None
    may_forget: bool

    def __str__(self) -> str:
        return json.dumps([self.tenant, self.subject, self.may_forget])


def connect(tenant: str = "default", subject: str | None = None, *, may_forget: bool = False) -> Client:
    """A client of the local stack, for an account and perhaps one subject of it.

    The first call makes a key that may write, and with `may_forget` also erase; it is kept in the stack's folder, where
    you alone can read it. With a subject the key is bound to it. Where GRAPH_MEMORY_API_URL and GRAPH_MEMORY_API_KEY are
    set, the client is of that service and the key decides the tenant. StackFault when nothing runs.
    """
    settings = load()
    url, key = settings[ApiSettings].url, settings[ApiSettings].key
    if url and key:
        return Client(url, key.get_secret_value(), subject=subject)
    address = url or _address(settings)
    wanted = Wanted(tenant, subject, may_forget)
    try:
        return _asked(Client(address, _key(settings, wanted), subject=subject))
    except Unauthenticated:
        # The store is another one than when the key was kept, or the key was revoked.
        return _asked(Client(address, _key(settings, wanted, is_stale=True), subject=subject))


def _asked(client: Client) -> Client:
    """The client, when the service knows its key."""
    try:
        client.viewer()
    except BaseException:
        client.close()
        raise
    return client


def _address(settings: Settings) -> str:
    told = state.read(settings[StackSettings].data)
    running = {part.name for part in told.parts} if told and told.is_running() else set()
    if "api" not in running:
        raise StackFault(
            f"No service runs in {settings[StackSettings].data}: run `graph-memory up`, or name one with "
            "GRAPH_MEMORY_API_URL and its key with GRAPH_MEMORY_API_KEY."
        )
    return api_address(settings)


def _key(settings: Settings, wanted: Wanted, *, is_stale: bool = False) -> str:
    """The key that is kept, or a new one; two processes that ask at once get the same."""
    data = settings[StackSettings].data
    with only_one(data / "run" / "client-keys.lock"):
        kept = _kept(settings)
        if is_stale or str(wanted) not in kept:
            kept[str(wanted)] = _new(settings, wanted)
            write_private(data / KEYS, json.dumps(kept, indent=1))
    return kept[str(wanted)]


def _kept(settings: Settings) -> dict[str, str]:
    file = settings[StackSettings].data / KEYS
    try:
        return dict(json.loads(file.read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError) as error:
        raise StackFault(
            f"{file} cannot be read ({why_unread(error)}); move it away, and new keys are made."
        ) from error


def _new(settings: Settings, wanted: Wanted) -> str:
    # Opening a store takes a second; whoever has a key already does without.
    from graph_memory.bootstrap import open_service
    from graph_memory.store import api_keys

    with open_service(settings) as service:
        also = [api_keys.Right.ERASE] if wanted.may_forget else []
        _, secret = api_keys.create(
            service, wanted.tenant, wanted.subject, api_keys.Right.WRITE, "connect", also=also
        )
    return secret
