"""What can be asked in a batch: for each kind the question, made from references, and what its answer does.

A kind is one member of `Kind` and one row of `HANDLERS`. Give questions with `offers.offer`:

    offer(service, call, Kind.EXTRACTION, [{"messages": [...], "known": [...]}])

A batch stores references only: ids, names and numbers. The question is made from them when it is sent, and once more
when its answer is read, so it must come out the same: name in the reference everything that is shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from graph_memory.base.errors import Invalid
from graph_memory.base.ids import derived_id
from graph_memory.base.scope import Scope
from graph_memory.model.batch import Kind
from graph_memory.model.purpose import Purpose
from graph_memory.models.prompt import Prompt
from graph_memory.store.service import Service

Reference = Mapping[str, Any]


@dataclass(frozen=True)
class Item:
    """One question: what it is about, and the id under which it is sent, answered and applied."""

    custom_id: str
    reference: Reference


class Handler(Protocol):
    """What a kind asks, and what an answer does. It keeps nothing between calls."""

    @property
    def purpose(self) -> Purpose:
        """What the model is asked for; its section of the settings says which model and how."""

    def prompt(self, service: Service, scope: Scope, item: Item) -> Prompt[Any]:
        """The question, from what is stored now. A UserError (its sources are gone) ends the item."""

    def apply(self, service: Service, scope: Scope, item: Item, answer: Any, run_id: str | None) -> None:
        """Does what follows from an answer that `prompt.read` gave.

        It is called again after a restart, so its writes go through the ledger under keys that begin with the
        item's custom id. A UserError ends the item; any other error leaves it to be tried again.
        """


# By kind; `bootstrap` fills it, because the capabilities know this package and not the other way round.
HANDLERS: dict[Kind, Handler] = {}


def handler(kind: Kind) -> Handler:
    """The handler of a kind; Invalid when nothing answers it."""
    found = HANDLERS.get(kind)
    if found is None:
        raise Invalid(
            f"Batches of kind {kind} cannot be asked; there are {', '.join(HANDLERS)}.", path="kind"
        )
    return found


def kind_of(name: str) -> Kind:
    """The kind of that name; Invalid for any other."""
    try:
        return Kind(name)
    except ValueError:
        raise Invalid(
            f"There is no kind of batch {name!r}; there are {', '.join(Kind)}.", path="kind"
        ) from None


def item(scope: Scope, kind: Kind, reference: Reference) -> Item:
    """The item of a reference. The same reference of the same subject has the same custom id."""
    told = json.dumps(dict(reference), sort_keys=True)
    return Item(derived_id(scope.tenant, scope.subject or "", "batch", kind.value, told), reference)
