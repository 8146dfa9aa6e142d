"""Whose a thing is, for callers who name the thing and not the subject; which subjects there are, and whether one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.cursors import check_first, cursor, parts_of
from graph_memory.base.errors import NotFound
from graph_memory.base.scope import Scope
from graph_memory.store.queries import Query, query
from graph_memory.store.service import Service

IS_KNOWN = query("memory/is_known")
NAMES = query("memory/subject_names")
PAGE = query("memory/subjects_page")
COUNT = query("memory/subjects_count")
BY_ID = query("memory/subjects_by_id")
NAMES_OF = query("memory/names_of_subjects")
TENANTS = query("system/tenants_known")
OF_MEMORY = query("memory/subject_of")
OF_LINK = query("links/subject_of")
OF_CHANGE = query("ledger/subject_of")
OF_RUN = query("ledger/subject_of_run")


@dataclass(frozen=True)
class Subject:
    """Somebody of a tenant: how many of their memories hold now, and the last date on which they wrote or recalled."""

    id: str
    name: str
    memories: int
    created_at: datetime
    last_active_on: str | None


@dataclass(frozen=True)
class Page:
    """Some subjects by name, and whether there are more."""

    items: list[Subject]
    has_next: bool


def page(service: Service, scope: Scope, first: int = 20, after: str | None = None) -> Page:
    """The subjects of the scope's tenant by name, or the scope's own alone; new ones do not move the cursor's place."""
    check_first(first)
    [behind] = [""] if after is None else parts_of(after, str)
    rows = service.read(scope, PAGE, after=behind, first=first + 1, now=service.clock())
    return Page([Subject(**row) for row in rows[:first]], len(rows) > first)


def count(service: Service, scope: Scope) -> int:
    """How many subjects `page` comes to, on all its pages."""
    return int(service.read(scope, COUNT, after="")[0]["total"])


def by_ids(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, Subject]:
    """Those of the scope that have these tokens."""
    rows = service.read(scope, BY_ID, ids=list(ids), now=service.clock())
    return {row["id"]: Subject(**row) for row in rows}


def cursor_of(subject: Subject) -> str:
    """The place of a subject in the list."""
    return cursor(subject.name)


def names_of(service: Service, scope: Scope, ids: Sequence[str]) -> dict[str, str]:
    """The names of subjects by their tokens. Nothing is read where the scope names the one that there is."""
    if scope.subject is not None and scope.subject_name is not None:
        return {scope.subject: scope.subject_name}
    return {row["id"]: row["name"] for row in service.read(scope, NAMES_OF, ids=list(ids))}


def is_known(service: Service, scope: Scope) -> bool:
    """Whether the tenant is there, and the subject where one is named."""
    [found] = service.read(scope, IS_KNOWN)
    return bool(found["tenant"] and (scope.subject_name is None or found["subject"]))


def require(service: Service, scope: Scope) -> None:
    """Nothing, if tenant and subject are there. For people who may have mistyped a name: NotFound says which.

    What programs ask of an unknown subject is answered as of one without memories.
    """
    [found] = service.read(scope, IS_KNOWN)
    if not found["tenant"]:
        names = [row["name"] for row in service.system(TENANTS)]
        raise NotFound(
            f"There is no tenant {scope.tenant_name}. One is there as soon as something is remembered in it."
            f"{meant(scope.tenant_name, names)}",
            path="tenant",
        )
    if scope.subject_name is not None and not found["subject"]:
        names = [row["name"] for row in service.read(scope, NAMES)]
        raise NotFound(
            f"Tenant {scope.tenant_name} has no subject {scope.subject_name}. One is there as soon as something is "
            f"remembered of it.{meant(scope.subject_name, names)}",
            path="subject",
        )


def of_memory(service: Service, scope: Scope, id: str) -> Scope:
    """The scope narrowed to the subject of this memory; as it is when it names one or the memory is not there."""
    return narrowed(service, scope, OF_MEMORY, id=id)


def of_link(service: Service, scope: Scope, id: str) -> Scope:
    """The scope narrowed to the subject of this link, open or closed."""
    return narrowed(service, scope, OF_LINK, id=id, forever=FOREVER)


def of_change(service: Service, scope: Scope, sequence: int) -> Scope:
    """The scope narrowed to the subject of the change with this sequence number."""
    return narrowed(service, scope, OF_CHANGE, sequence=sequence)


def of_run(service: Service, scope: Scope, run_id: str) -> Scope:
    """The scope narrowed to the subject of the first change that a run made."""
    return narrowed(service, scope, OF_RUN, run_id=run_id)


def narrowed(service: Service, scope: Scope, statement: Query, **values: Any) -> Scope:
    """The scope narrowed to the subject that a query names; as it is when it names one or the query finds none."""
    if scope.subject_name is not None:
        return scope
    rows = service.read(scope, statement, **values)
    return replace(scope, subject_name=rows[0]["name"]) if rows else scope


def meant(name: str, known: Sequence[str]) -> str:
    """The nearest name that is known, if any is near."""
    spelled = {each.casefold(): each for each in known}
    near = get_close_matches(name.casefold(), spelled, n=1)
    return f" Did you mean {spelled[near[0]]}?" if near else ""
