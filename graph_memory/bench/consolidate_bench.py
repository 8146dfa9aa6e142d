"""`bench consolidate`: what a run merges of made-up memories whose groups are known, and what it must not.

A group is one statement and the same once more: nearly in the same words, in part, and in other words. Beside it stand
near misses, which differ in one number, name, town or denial. A second account has the very same memories, so the very
same vectors.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from graph_memory.base.clock import FOREVER
from graph_memory.base.scope import Scope
from graph_memory.bench.measuring import throwaway
from graph_memory.jobs.runs import Run
from graph_memory.ledger.changes import Call
from graph_memory.memory.addition import add
from graph_memory.memory.links import Wanted, link_many
from graph_memory.model.memory import Fact
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from graph_memory.transfer.export import now_lines
from graph_memory.upkeep.consolidation import Wish, consolidate
from graph_memory.upkeep.merge_reverts import revert_run
from tasks import execute

PRODUCTS = query("bench/merged_memories")
LINKS = query("bench/outside_links")

_PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Iris", "Jon")
_TOWNS = ("Berlin", "Paris", "Rome", "Vienna", "Oslo", "Madrid", "Porto", "Bern", "Ghent", "Split")
_SUBJECTS = ("ann", "ben", "cleo")
_BATCH = 250


@dataclass(frozen=True)
class Form:
    """A statement about a person, a number and a town, the same in other ways, and its denial."""

    full: str
    near: tuple[str, ...]
    part: str
    other: tuple[str, ...]
    denied: str


_FORMS = (
    Form(
        "{who} pays {n} euros of rent each month for a flat in {town}.",
        ("{who} now pays {n} euros of rent each month for a flat in {town}.",),
        "{who} pays {n} euros of rent each month.",
        ("Each month {who} pays a rent of {n} euros for a flat in {town}.",),
        "{who} does not pay {n} euros of rent each month for a flat in {town}.",
    ),
    Form(
        "{who} bought a car for {n} euros in {town}.",
        ("{who} has bought a car for {n} euros in {town}.",),
        "{who} bought a car for {n} euros.",
        (
            "{who} purchased a vehicle for {n} euros in {town}.",
            "In {town} {who} bought a car that cost {n} euros.",
        ),
        "{who} never bought a car for {n} euros in {town}.",
    ),
    Form(
        "{who} works as a doctor at a clinic with {n} beds in {town}.",
        ("{who} currently works as a doctor at a clinic with {n} beds in {town}.",),
        "{who} works as a doctor at a clinic with {n} beds.",
        ("{who} is employed as a physician at a clinic with {n} beds in {town}.",),
        "{who} does not work as a doctor at a clinic with {n} beds in {town}.",
    ),
    Form(
        "{who} enjoys the walk of {n} steps along the river in {town}.",
        ("{who} really enjoys the walk of {n} steps along the river in {town}.",),
        "{who} enjoys the walk of {n} steps along the river.",
        ("{who} loves the walk of {n} steps along the river in {town}.",),
        "{who} does not enjoy the walk of {n} steps along the river in {town}.",
    ),
    Form(
        "{who} keeps a library of {n} books at home in {town}.",
        ("{who} also keeps a library of {n} books at home in {town}.",),
        "{who} keeps a library of {n} books at home.",
        ("At home in {town} {who} has a library of {n} books.",),
        "{who} keeps no library of {n} books at home in {town}.",
    ),
)
_LONE = (
    "Parcel {n} went to {town} by courier.",
    "{who} read page {n} of a novel on the train to {town}.",
    "Bus {n} stops near the office in {town}.",
    "{who} saw {n} swallows over {town} on a Sunday walk.",
)


@dataclass(frozen=True)
class Said:
    """One made-up memory: which group it belongs to, and how it says what that says."""

    subject: str
    text: str
    group: int
    way: str


def bench_consolidate(
    service: Service, memories: int, told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Precision and recall of a run's merges, links lost, whether taking it back brings everything back, and seconds."""
    made = list(generated(memories))
    with throwaway(service, "consolidate") as tenant, throwaway(service, "consolidate") as other:
        told(f"adding {len(made)} memories to each of two accounts")
        ids = _added(service, tenant, made)
        _added(service, other, made)
        linked = _linked(service, tenant, ids)
        scope, beside = Scope(tenant), Scope(other)
        before, untouched = list(now_lines(service, scope)), list(now_lines(service, beside))
        links = _links(service, scope)
        told("consolidating")
        begun = time.perf_counter()
        run = _executed(service, scope, consolidate(service, Call(scope, "bench"), Wish(full=True))[0])
        seconds = time.perf_counter() - begun
        told("consolidating again, and taking it back")
        products = _products(service, scope)
        lost = _lost(links, _links(service, scope), products)
        again = _executed(service, scope, consolidate(service, Call(scope, "bench"), Wish(full=True))[0])
        begun = time.perf_counter()
        back = _executed(service, scope, revert_run(service, Call(scope, "bench"), run.id)[0])
        reverting = time.perf_counter() - begun
        return {
            "memories": len(made),
            "links": linked,
            **_quality(made, ids, products),
            "groups_across_clusters": run.result.get("across"),
            "links_lost": lost,
            "merged_again": again.result.get("merged"),
            "left_by_revert": back.result.get("left"),
            "equal_after_revert": list(now_lines(service, scope)) == before,
            "other_account_equal": list(now_lines(service, beside)) == untouched,
            "seconds": round(seconds, 1),
            "revert_seconds": round(reverting, 1),
        }


def generated(memories: int) -> Iterator[Said]:
    """About so many memories, always the same: a third in groups, a third near misses, the rest by themselves."""
    source = random.Random(7)
    group = made = 0
    while made < memories:
        form = _FORMS[group // 4 % len(_FORMS)]
        subject = source.choice(_SUBJECTS)
        values = {"who": source.choice(_PEOPLE), "town": source.choice(_TOWNS), "n": 100 + 7 * group}
        for said in _around(form, values, subject, group, source):
            made += 1
            yield said
        group += 16


def _around(
    form: Form, values: Mapping[str, Any], subject: str, group: int, source: random.Random
) -> Iterator[Said]:
    ways = (
        [("near", text) for text in form.near]
        + [("part", form.part)]
        + [("other", text) for text in form.other]
    )
    chosen = source.sample(ways, source.randint(1, len(ways)))
    for way, text in [("full", form.full), *chosen]:
        yield Said(subject, text.format(**values), group, way)
    misses = (
        form.full.format(**{**values, "n": values["n"] + 1}),
        form.full.format(**{**values, "who": _next(_PEOPLE, values["who"])}),
        form.denied.format(**values),
    )
    # What says a part of the one says a part of another town's as well.
    elsewhere = form.full.format(**{**values, "town": _next(_TOWNS, values["town"])})
    told = misses if ("part", form.part) in chosen else (*misses[1:], elsewhere)
    for place, text in enumerate(told):
        yield Said(subject, text, group + 1 + place, "miss")
    for place in range(3):
        alone = {**values, "n": values["n"] * 10 + place}
        yield Said(subject, source.choice(_LONE).format(**alone), group + 5 + place, "alone")


def _next(names: Sequence[str], name: str) -> str:
    return names[(names.index(name) + 1) % len(names)]


def _quality(
    made: Sequence[Said], ids: Mapping[str, list[str]], products: Mapping[str, list[str]]
) -> dict[str, Any]:
    said = {
        id: each
        for subject, group in _by_subject(made).items()
        for id, each in zip(ids[subject], group, strict=True)
    }
    product_of = {member: product for product, members in products.items() for member in members}
    pairs = [
        (said[one], said[other]) for members in products.values() for one, other in combinations(members, 2)
    ]
    right = sum(one.group == other.group for one, other in pairs)
    full = {each.group: id for id, each in said.items() if each.way == "full"}
    found, all_of = Counter[str](), Counter[str]()
    for id, each in said.items():
        if each.way in ("near", "part", "other"):
            all_of[each.way] += 1
            product = product_of.get(id)
            found[each.way] += product is not None and product == product_of.get(full[each.group])
    provable = all_of["near"] + all_of["part"]
    return {
        "groups": len(products),
        "merged": len(product_of),
        "pairs": len(pairs),
        "precision": round(right / len(pairs), 4) if pairs else None,
        "merged_over_a_value": len(pairs) - right,
        "recall_near_and_contained": round((found["near"] + found["part"]) / provable, 3)
        if provable
        else None,
        "recall_in_other_words": round(found["other"] / all_of["other"], 3) if all_of["other"] else None,
    }


def _by_subject(made: Sequence[Said]) -> dict[str, list[Said]]:
    found = defaultdict[str, list[Said]](list)
    for each in made:
        found[each.subject].append(each)
    return found


def _added(service: Service, tenant: str, made: Sequence[Said]) -> dict[str, list[str]]:
    ids = defaultdict[str, list[str]](list)
    for subject, group in _by_subject(made).items():
        call = Call(Scope(tenant, subject), "bench")
        for start in range(0, len(group), _BATCH):
            added, _ = add(service, call, [Fact(each.text) for each in group[start : start + _BATCH]])
            ids[subject] += [str(each.id) for each in added]
    return ids


def _linked(service: Service, tenant: str, ids: Mapping[str, list[str]]) -> int:
    source = random.Random(11)
    count = 0
    for subject, own in ids.items():
        wanted = {
            (one, other): Wanted(one, other, kind, source.random())
            for one, other, kind in (
                (*source.sample(own, 2), source.choice(("RELATED", "SUPPORTS", "CAUSES")))
                for _ in range(len(own) // 2)
            )
        }
        rows = list(wanted.values())
        for start in range(0, len(rows), 50):
            count += len(
                link_many(service, Call(Scope(tenant, subject), "bench"), rows[start : start + 50])[0]
            )
    return count


def _products(service: Service, scope: Scope) -> dict[str, list[str]]:
    """What was merged into each memory that stands, in one round or over several."""
    made = {row["id"]: row["members"] for row in service.read(scope, PRODUCTS, forever=FOREVER)}
    inner = {member for members in made.values() for member in members}

    def leaves(id: str) -> list[str]:
        return [leaf for member in made[id] for leaf in leaves(member)] if id in made else [id]

    return {id: leaves(id) for id in made if id not in inner}


def _links(service: Service, scope: Scope) -> set[tuple[str, str, str]]:
    return {(row["kind"], row["start"], row["end"]) for row in service.read(scope, LINKS, forever=FOREVER)}


def _lost(
    before: set[tuple[str, str, str]], after: set[tuple[str, str, str]], products: Mapping[str, list[str]]
) -> int:
    """Links that joined what is now two memories, and that neither has any more."""
    now = {member: product for product, members in products.items() for member in members}
    wanted = {(kind, now.get(start, start), now.get(end, end)) for kind, start, end in before}
    return len({each for each in wanted if each[1] != each[2]} - after)


def _executed(service: Service, scope: Scope, asked: Run) -> Run:
    run = execute(service, scope, asked.id)
    if not run.is_finished or run.error:
        raise RuntimeError(f"run {run.id} is {run.status}: {run.error}")
    return run
