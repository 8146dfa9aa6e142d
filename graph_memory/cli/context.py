"""What a command is given beside its own options: how to answer, whose memories are meant, and the service.

A command takes a `Context`, or a smaller kind of it, as one of its parameters; it belongs to an `App` then.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.text import Text

from graph_memory.base.ids import check_id
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.bootstrap import open_service
from graph_memory.cli.commands import Finding, Shared
from graph_memory.cli.ids import IdOf, is_start
from graph_memory.cli.options import AsJson, AsOf, KnownAt, Subject, Tenant, moment_of
from graph_memory.cli.whole_ids import whole
from graph_memory.ledger import changes as ledger
from graph_memory.ledger.changes import Answer, Call
from graph_memory.settings import load
from graph_memory.store import subjects
from graph_memory.store.service import Service
from graph_memory.upkeep import migrations

ACTOR = "cli"

# What people have written may look like markup: only what is made with `tables.styled` is.
console = Console(markup=False, highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else 200)


@dataclass
class When(Shared):
    """The moment that a read is of."""

    as_of: AsOf = None
    known_at: KnownAt = None

    @property
    def moment(self) -> Moment:
        """The moment that the two options name."""
        return Moment(moment_of("--as-of", self.as_of), moment_of("--known-at", self.known_at))


@dataclass
class PlainContext(Shared):
    """How to answer, and the service: it is opened when it is first asked for, and closed when the command has ended."""

    as_json: AsJson = False

    @cached_property
    def service(self) -> Service:
        """The service of this command."""
        return self.held.enter_context(self.open())

    def open(self) -> AbstractContextManager[Service]:
        """How the service is opened: with a store that has its schema."""
        return opened()

    def show(self, data: Any, drawn: Any) -> None:
        """JSON for machines, or what people read."""
        if self.as_json:
            print(json.dumps(data, default=spelled, indent=2, ensure_ascii=False))
        else:
            console.print(drawn)

    def show_page(self, items: list[Any], after: str | None, drawn: Any) -> None:
        """One page of a list, with the cursor after which the next one begins."""
        self.show({"items": items, "next": after}, drawn)
        self.more(after)

    def more(self, after: str | None) -> None:
        """Tell people how to go on, where there is more."""
        self.note(after and f"more: --after {after}")

    def note(self, line: str | Text | None, style: str | None = "dim") -> None:
        """One more line for people, where there is one."""
        if line and not self.as_json:
            console.print(line, style=style)


class AnySchemaContext(PlainContext):
    """Takes the store with whatever schema it has."""

    def open(self) -> AbstractContextManager[Service]:
        return open_service(load())


@dataclass
class TenantContext(PlainContext, Finding):
    """Also the tenant whose memories are meant."""

    tenant: Tenant = "default"

    @cached_property
    def tenant_scope(self) -> Scope:
        """The whole tenant, to which its runs belong."""
        return Scope(self.tenant)

    @property
    def scope(self) -> Scope:
        """Whose memories are meant."""
        return self.tenant_scope

    @property
    def named(self) -> str:
        """The option that names the tenant in a command that people are told to give next."""
        return "" if self.tenant == "default" else f" --tenant {shlex.quote(self.tenant)}"

    def whole(self, of: IdOf, given: str) -> str:
        return whole(self.service, self.scope, of, given) if is_start(given) else given

    def show_done(self, call: Call, answer: Answer, data: dict[str, Any], drawn: str) -> None:
        """What a call did, with the numbers of its changes, and for people how to take it back."""
        numbers = self.changes_of(call, answer)
        self.show({**data, "changes": numbers, "replayed": answer.replayed}, drawn)
        self.note_undo(numbers)

    def changes_of(self, call: Call, answer: Answer) -> list[int]:
        """The numbers of the changes that a call made."""
        return ledger.changes_of(self.service, call.scope.for_writing(), answer.request_id)

    def note_undo(self, numbers: Sequence[int]) -> None:
        """Tell people how to take changes back."""
        undo = f"graph-memory undo {' '.join(map(str, numbers))}{self.named}"
        self.note(f"  to take it back: {undo}" if numbers else None, None)

    def call(self, key: str | None = None, scope: Scope | None = None) -> Call:
        """A call of this command, for whom it names or for another scope."""
        return Call(scope or self.scope, ACTOR, key)


@dataclass
class Context(TenantContext):
    """Also the subject of that tenant, or all of them."""

    subject: Subject = None

    @property
    def scope(self) -> Scope:
        return Scope(self.tenant, self.subject)

    def call_on(self, id: str, key: str | None = None) -> Call:
        """A call that writes: for the subject that was named, else for that of the memory."""
        return self.call(key, subjects.of_memory(self.service, self.scope, check_id(id)))


@contextmanager
def opened() -> Iterator[Service]:
    """The service, with a store that has its schema."""
    settings = load()
    with open_service(settings) as service:
        migrations.require(service.driver, settings)
        yield service


def spelled(value: Any) -> str:
    """Any value as JSON and people can take it."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
