"""What a memory has of itself, and what the statements merged into it lend it; pure functions.

Each statement that went into a memory stays a memory of its own with what it brought, and its MERGED_INTO names what of
that it lends. The memory keeps, for each such property, what it has of itself and what all of them make it. So what one
lender gave can be taken back at any time, whatever came between, and what a person set since stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph_memory.memory.properties import from_ledger
from graph_memory.model.memory import SourceKind, Trust, trust_of
from graph_memory.store.service import Row

# How often a memory was used: each lender with it adds one.
USES = "access_count"
_USE = (USES, "last_accessed_at", "accessed_day")
_WORTH = ("base_importance", "critical", "pinned", "tags")
# A person who says the same stands for it.
_WORD = ("confirmed_at", "confirmed_by")


@dataclass(frozen=True)
class Lender:
    """A statement merged into a memory, as loaded, the names of what it lends, and who merged it."""

    row: Row
    lends: tuple[str, ...]
    by: str

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def offer(self) -> Row:
        """What it lends, by name; its uses aside."""
        row = self.row
        said = {
            **row,
            "last_accessed_at": row["created_at"],
            "accessed_day": row.get("created_day"),
            "confirmed_at": row["created_at"],
            "confirmed_by": self.by,
        }
        return {name: said.get(name) for name in self.lends if name != USES}


def lent_by_repeating(new: Row, known: Row) -> tuple[str, ...]:
    """What a statement lends the memory that says the same: nothing but its source where it is older or trusted less."""
    order = list(Trust)
    word = _WORD if _is_said(new) and not _is_said(known) else ()
    if new["valid_from"] < known["valid_from"] or order.index(_trust(new)) > order.index(_trust(known)):
        return word
    return (*_WORTH, "expires_at", *_USE, *word)


def lent_by_merging(inherits_importance: bool) -> tuple[str, ...]:
    """What a statement lends the memory that says both from now on."""
    return (*(name for name in _WORTH if inherits_importance or name != "base_importance"), USES)


def lent(known: Row, lender: Lender, others: Callable[[], Sequence[str]], most_tags: int) -> Row:
    """The properties that a memory has with one lender more. `others` names the lenders that it has already."""
    accounts = _accounts(known)
    values = Row()
    for name, offered in lender.offer.items():
        account, value = accounts.get(name), _joined(name, known.get(name), offered, most_tags)
        if account is None and value == known.get(name):
            continue
        if account is None or account["now"] != known.get(name):
            # Somebody has set it since: those before lend nothing to what it is now.
            account = {"own": known.get(name), "without": sorted(others()) if known.get("lent") else []}
        values[name] = value
        accounts[name] = {**account, "now": value}
    if USES in lender.lends:
        values[USES] = (known.get(USES) or 0) + 1
    return {**values, **_kept(accounts)} if values else values


def given_back(known: Row, staying: Sequence[Lender], uses: int, most_tags: int) -> Row:
    """The properties that a memory has with these lenders alone; `uses` is how many times those that go had used it."""
    accounts, values = dict[str, Row](), Row()
    for name, account in _accounts(known).items():
        if account["now"] != known.get(name):
            continue
        value = account["own"]
        counting = [each for each in staying if name in each.lends and each.id not in account["without"]]
        for each in counting:
            value = _joined(name, value, each.offer[name], most_tags)
        values[name] = value
        if counting:
            accounts[name] = {**account, "now": value}
    if uses:
        values[USES] = max(0, (known.get(USES) or 0) - uses)
    values |= _kept(accounts)
    return {name: value for name, value in values.items() if known.get(name) != value}


def accounted(known: Row) -> frozenset[str]:
    """The properties of a memory of which it is known what was lent."""
    return frozenset(_accounts(known))


def _joined(name: str, mine: Any, theirs: Any, most_tags: int) -> Any:
    if name == "tags":
        fresh = sorted(set(theirs) - set(mine))
        return sorted([*mine, *fresh[: max(0, most_tags - len(mine))]])
    if name in _WORD:
        return theirs if mine is None else mine
    if name == "expires_at":
        # What has no end already cannot last longer, and who names none says nothing of it.
        return mine if mine is None or theirs is None else max(mine, theirs)
    if isinstance(theirs, bool):
        return bool(mine or theirs)
    given = [value for value in (mine, theirs) if value is not None]
    return max(given) if given else None


def _accounts(known: Row) -> dict[str, Row]:
    found: Mapping[str, Row] = json.loads(known.get("lent") or "{}")
    return {
        name: {**account, **{part: from_ledger({name: account[part]})[name] for part in ("own", "now")}}
        for name, account in found.items()
    }


def _kept(accounts: Mapping[str, Row]) -> Row:
    return {"lent": json.dumps(accounts, default=datetime.isoformat, sort_keys=True) if accounts else None}


def _trust(row: Row) -> Trust:
    return trust_of(SourceKind(row["source_kind"]), row.get("confirmed_at"))


def _is_said(row: Row) -> bool:
    return bool(row["source_kind"] == SourceKind.USER)
