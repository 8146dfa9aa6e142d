"""Surfacing on the real store: what comes to mind, what is kept, what links bring along (cases 66 and 67, facts B6)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from typer.testing import CliRunner

from graph_memory.base.errors import Invalid, Unavailable
from graph_memory.base.moments import Moment
from graph_memory.base.scope import Scope
from graph_memory.cli.surfacing import app
from graph_memory.ledger.changes import Call
from graph_memory.memory import life
from graph_memory.memory.addition import add
from graph_memory.memory.causes import quarantine
from graph_memory.memory.links import Wanted, link_many
from graph_memory.memory.supersession import supersede
from graph_memory.memory.trust import confirm
from graph_memory.model.memory import EntityName, Fact, Source, SourceKind, Trust
from graph_memory.recall.access import counting
from graph_memory.recall.surfacing import CROWDED, DEBUT, STAY, Mind, debut, note, surface
from graph_memory.store.queries import query
from graph_memory.store.service import Service
from tests.conftest import Clock
from tests.integration.api_world import Api, api, key
from tests.integration.test_access import stored
from tests.integration.test_packs import counted

__all__ = ["api", "key"]

pytestmark = pytest.mark.stack

# What is said; each memory is given how near it is to that.
SAID = (1.0, *[0.0] * 383)


def near(cosine: float, direction: int = 1) -> tuple[float, ...]:
    vector = [0.0] * 384
    vector[0], vector[direction] = cosine, (1 - cosine**2) ** 0.5
    return tuple(vector)


class World:
    """Memories by short names, each so near to what is said, and links between them."""

    def __init__(self, service: Service, scope: Scope) -> None:
        self.service, self.scope, self.call = service, scope, Call(scope, "test")
        self.ids: dict[str, str] = {}

    def keep(self, name: str, cosine: float, scope: Scope | None = None, **fields: Any) -> str:
        fact = Fact(
            fields.pop("text", f"Statement {name}."),
            vector=near(cosine, 1 + len(self.ids)),
            **{"entities": (), **fields},
        )
        [made], _ = add(self.service, Call(scope or self.scope, "test"), [fact])
        self.ids[name] = made.id
        return made.id

    def link(self, *sentences: str, confidence: float = 1.0) -> None:
        wanted = [
            Wanted(self.ids[start], self.ids[end], kind, confidence=confidence)
            for start, kind, end in (each.split() for each in sentences)
        ]
        link_many(self.service, self.call, wanted)

    def mind(self, **asked: Any) -> Mind:
        return surface(self.service, self.scope, **{"vector": SAID, **asked})

    def shown(self, mind: Mind | None = None, **asked: Any) -> str:
        """The names of what surfaces, in its order."""
        found = mind or self.mind(**asked)
        return " ".join(self.name(each.memory.id) for each in found.memories)

    def linked(self, **asked: Any) -> dict[str, float]:
        """What is brought along, in its order, by its score."""
        return {
            self.name(linked.memory.id): linked.score
            for each in self.mind(**asked).memories
            for linked in each.linked
        }

    def name(self, id: str) -> str:
        return next(name for name, known in self.ids.items() if known == id)


@pytest.fixture
def world(service: Service, scope: Scope) -> World:
    return World(service, scope)


def turned(service: Service, section: str, **values: Any) -> Service:
    changed = getattr(service.settings, section).model_copy(update=values)
    return replace(service, settings=service.settings.model_copy(update={section: changed}))


def test_what_is_near_comes_to_mind_the_nearest_first(world: World) -> None:
    """Features 85 and 88, X16: the threshold is a raw cosine."""
    for name, cosine in (("far", 0.3), ("near", 0.6), ("nearest", 0.8), ("at", 0.401), ("below", 0.399)):
        world.keep(name, cosine)
    assert world.shown() == "nearest near at"
    assert world.mind().memories[0].similarity == pytest.approx(0.8, abs=0.01)
    assert world.shown(vector=near(0.0, 380)) == ""


def test_a_message_of_nothing_that_is_known_brings_nothing_up(service: Service, scope: Scope) -> None:
    add(
        service,
        Call(scope, "test"),
        [Fact("Theo is allergic to cashews."), Fact("Good mornings start with tea.")],
    )
    service.system(query("system/await_fulltext"))
    assert [
        each.memory.text
        for each in surface(service, scope, "I am cooking for Theo; is he allergic?").memories
    ] == ["Theo is allergic to cashews."]
    # A word in common is not enough.
    for said in ("What is the capital of Mongolia?", "Good, thank you! How are you?"):
        assert surface(service, scope, said) == Mind((), (), None)


def test_x17_little_importance_is_made_up_for_by_likeness(world: World) -> None:
    for name, cosine in (("faint", 0.41), ("sure", 0.8)):
        world.keep(name, cosine, importance=0.1)
        world.keep(f"grave-{name}", cosine, importance=0.5)
    world.keep("critical", 0.41, importance=0.1, critical=True)
    world.keep("pinned", 0.41, importance=0.1, pinned=True)
    assert sorted(world.shown().split()) == ["critical", "grave-faint", "grave-sure", "pinned", "sure"]
    off = turned(world.service, "surfacing", min_importance=0.0)
    assert len(surface(off, world.scope, vector=SAID).memories) == 6


def test_case_66_linked_memories_are_ranked_by_kind_confidence_and_importance(world: World) -> None:
    world.keep("primary", 0.8, importance=0.8)
    for name in ("conflicting", "doubtful"):
        world.keep(name, 0.1, importance=0.6)
    world.keep("both", 0.7, importance=0.6)
    world.link("primary CONFLICTS conflicting", confidence=0.91)
    world.link("primary CONFLICTS doubtful", confidence=0.59)
    world.link("primary CONFLICTS both")
    assert world.shown() == "primary both"
    assert world.linked() == {"conflicting": pytest.approx(0.6006, abs=1e-6)}
    [brought] = world.mind().memories[0].linked
    assert [(link.kind, link.confidence) for link in brought.links] == [("CONFLICTS", 0.91)]


def test_the_two_best_links_count_over_one_hop_or_two(world: World) -> None:
    """Features 85 and 86: up to two levels, either way, each memory once, whatever circles there are."""
    world.keep("a", 0.8)
    for name in "bcdef":
        world.keep(name, 0.0)
    world.link("b CAUSES a", "a RELATED c", "a SUPPORTS d", "b CAUSES e", "e CAUSES a", "e CAUSES f")
    assert world.linked().keys() == {"b", "e"}
    world = World(world.service, Scope(world.scope.tenant_name, "other"))
    world.keep("a", 0.8)
    for name in "bcd":
        world.keep(name, 0.0)
    world.link("a CAUSES b", "b CAUSES c", "c CAUSES d", "c CAUSES a", "b CAUSES a")
    assert {name: round(score, 3) for name, score in world.linked().items()} == {"b": 0.4, "c": 0.4}
    world = World(world.service, Scope(world.scope.tenant_name, "third"))
    world.keep("a", 0.8)
    for name in "bcd":
        world.keep(name, 0.0)
    world.link("a CAUSES b", "b CAUSES c", "c CAUSES d")
    assert {name: round(score, 3) for name, score in world.linked().items()} == {"b": 0.4, "c": 0.32}
    for depth, names in ((0, []), (1, ["b"]), (2, ["b", "c"])):
        service = turned(world.service, "surfacing", depth=depth)
        mind = surface(service, world.scope, vector=SAID)
        assert [world.name(each.memory.id) for each in mind.memories[0].linked] == names


def test_case_67_what_is_kept_comes_first_and_once(world: World) -> None:
    for name, cosine in (("fresh", 0.7), ("both", 0.6), ("kept", 0.1)):
        world.keep(name, cosine)
    both, kept = world.ids["both"], world.ids["kept"]
    mind = world.mind(keep=[kept[:8].upper(), both, both.upper(), "", "nothing", "0" * 8])
    assert world.shown(mind) == "both kept fresh"
    assert [each.is_kept for each in mind.memories] == [True, True, False]
    assert mind.let_go == ("", "nothing", "0" * 8)
    assert mind.memories[0].score is not None
    assert (mind.memories[1].score, mind.memories[1].memory.text) == (None, "Statement kept.")
    assert world.shown(keep=()) == "fresh both"
    assert world.mind(vector=near(0.0, 380), keep=()) == Mind((), (), None)


def test_six_that_are_kept_or_pinned_leave_two_places_to_what_the_message_brings_up(world: World) -> None:
    for number in range(4):
        world.keep(f"fresh{number}", 0.6 + number / 100)
    world.keep("pinned", 0.5, pinned=True)
    kept = [world.keep(f"kept{number}", 0.0) for number in range(9)]
    mind = world.mind(keep=kept)
    names = world.shown(mind).split()
    assert [name.rstrip("0123456789") for name in names] == ["pinned", *["kept"] * 5, *["fresh"] * 2]
    assert mind.let_go == ()
    assert [len(world.mind(keep=kept, limit=limit).memories) for limit in (1, 2, 3)] == [1, 2, 3]
    assert world.shown(keep=kept, limit=2).split()[1] == "fresh3"
    # Nothing that is fresh takes no place, and still no more than six are kept.
    assert len(world.mind(vector=near(0.0, 380), keep=kept).memories) == 6


def test_of_more_than_fifteen_the_best_seven_stay(world: World) -> None:
    kept = [world.keep(f"k{number}", number / 100, importance=number / 20) for number in range(CROWDED + 1)]
    assert world.mind(keep=kept[:CROWDED]).let_go == ()
    mind = world.mind(keep=kept)
    assert mind.let_go == tuple(kept[: CROWDED + 1 - STAY])
    assert world.shown(mind).split() == [f"k{number}" for number in range(CROWDED, CROWDED - 6, -1)]
    with pytest.raises(Invalid, match="at most 100 are taken"):
        world.mind(keep=kept * 7)


def test_what_is_new_and_little_linked_stands_ahead_of_its_score(world: World, clock: Clock) -> None:
    """B6: days are days of activity, so a year without any makes nothing old."""
    world.keep("old", 0.47)
    for _ in range(10):
        clock.forward(days=1)
        world.keep(f"day{len(world.ids)}", 0.0)
    world.keep("new", 0.46)
    world.keep("known", 0.45, entities=(EntityName("Ada", "ada"), EntityName("Bo", "bo")))
    assert world.shown() == "new old known"
    assert [each.is_new for each in world.mind().memories] == [True, False, False]
    clock.forward(days=365)
    assert world.mind().memories[0].is_new
    calendar = turned(world.service, "decay", clock="calendar")
    assert [each.is_new for each in surface(calendar, world.scope, vector=SAID).memories] == [False] * 3


@pytest.mark.parametrize(
    ("age", "entities", "ahead"), [(0, 0, 1), (7, 1, 1), (8.5, 0, 0.5), (10, 0, 0), (99, 0, 0), (0, 2, 0)]
)
def test_newness_fades_from_the_seventh_day_to_the_tenth(age: float, entities: int, ahead: float) -> None:
    assert debut(age, entities) == pytest.approx(DEBUT * ahead)


def test_what_was_superseded_comes_along_and_nothing_that_lies_behind_it(world: World, clock: Clock) -> None:
    world.keep("ghent", 0.6)
    world.keep("behind", 0.0)
    world.link("ghent CAUSES behind")
    clock.forward(days=1)
    fact = Fact("Ann lives in Porto.", vector=near(0.7, 200), entities=())
    supersede(world.service, world.call, world.ids["ghent"], fact)
    [porto] = world.mind().memories
    assert [(each.memory.id, [link.kind for link in each.links]) for each in porto.linked] == [
        (world.ids["ghent"], ["SUPERSEDES"])
    ]
    assert world.mind(keep=[world.ids["ghent"]]).let_go == (world.ids["ghent"],)
    hidden = turned(world.service, "supersession", visibility="hide")
    assert surface(hidden, world.scope, vector=SAID).memories[0].linked == ()
    then = Moment(as_of=clock() - timedelta(hours=20))
    assert (world.shown(moment=then), list(world.linked(moment=then))) == ("ghent", ["behind"])


def away(world: World, clock: Clock, name: str) -> None:
    """Three memories that must not be seen: one near, one that is linked, one that is kept."""
    service, other = world.service, Scope(f"{world.scope.tenant_name}-other", "ann")
    how: dict[str, Any] = {
        "expired": {"expires_at": clock() + timedelta(hours=1)},
        "ended": {"valid_to": clock() + timedelta(hours=1)},
        "later": {"valid_from": clock() + timedelta(days=9)},
        "web": {"source": Source(SourceKind.WEB)},
        "suspicious": {"labels": ("suspicious",), "source": Source(SourceKind.WEB)},
        "subject": {"scope": Scope(world.scope.tenant_name, "bob")},
        "tenant": {"scope": other},
    }.get(name, {})
    ids = [
        world.keep(each, cosine, **how) for each, cosine in (("near", 0.7), ("linked", 0.0), ("kept", 0.0))
    ]
    if name not in ("subject", "tenant"):
        world.link("seen CAUSES linked")
    if name == "archived":
        life.archive(service, world.call, ids, "old")
    if name == "retracted":
        life.retract(service, world.call, ids, "wrong")
    if name == "quarantined":
        for id in ids:
            quarantine(service, world.call, id, "doubt")
    clock.forward(hours=2)


@pytest.mark.parametrize(
    "name",
    [
        "expired",
        "ended",
        "later",
        "archived",
        "retracted",
        "quarantined",
        "web",
        "suspicious",
        "subject",
        "tenant",
    ],
)
def test_what_a_search_would_not_show_neither_surfaces_nor_comes_along_nor_is_kept(
    world: World, clock: Clock, name: str
) -> None:
    world.keep("seen", 0.6)
    away(world, clock, name)
    trust = Trust.IMPORT if name == "web" else None
    kept = world.ids["kept"]
    mind = world.mind(keep=[kept, kept[:8]], min_trust=trust)
    assert world.shown(mind) == "seen"
    assert mind.memories[0].linked == ()
    assert mind.let_go == (kept, kept[:8])
    if name == "suspicious":
        confirm(world.service, world.call, [world.ids[each] for each in ("near", "linked", "kept")])
        assert world.shown(keep=[kept]) == "kept near seen"
        assert list(world.linked()) == ["linked"]


def test_what_shares_a_rare_entity_comes_along_today_and_less_surely_than_by_a_link(
    world: World, clock: Clock
) -> None:
    lena = (EntityName("Lena", "lena"),)
    world.keep("other", 0.0, entities=lena)
    world.keep("primary", 0.7, entities=lena)
    [(name, score)] = world.linked().items()
    assert name == "other"
    assert 0 < score < 0.5 * 0.4
    now = clock()
    clock.forward(days=1)
    assert world.linked(moment=Moment(known_at=now)) == {}


def test_it_reads_only_takes_two_statements_and_answers_the_same_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        world.keep(name, 0.6)
    world.keep("d", 0.0)
    world.link("a CAUSES d")
    before = {name: stored(world.service, world.scope, id) for name, id in world.ids.items()}
    sent = counted(world.service, monkeypatch)
    first = world.mind(keep=[world.ids["d"]])
    assert sent == ["recall/search_live", "recall/surface"]
    assert world.mind(keep=[world.ids["d"]]) == first
    sent.clear()
    world.mind(vector=near(0.0, 380))
    assert sent == ["recall/search_live"]
    monkeypatch.undo()
    assert {name: stored(world.service, world.scope, id) for name, id in world.ids.items()} == before


def test_who_keeps_a_memory_uses_it_and_what_comes_up_by_itself_is_not_used(world: World) -> None:
    """B2 and X29."""
    for name, cosine in (("kept", 0.0), ("fresh", 0.6), ("linked", 0.0)):
        world.keep(name, cosine)
    world.link("fresh CAUSES linked")

    def counts(**how: Any) -> list[int]:
        with counting(world.service) as accesses:
            note(accesses, world.scope, world.mind(keep=[world.ids["kept"]]), **how)
        return [stored(world.service, world.scope, world.ids[name])["access_count"] for name in world.ids]

    assert counts() == [1, 0, 0]
    assert counts(is_automatic=False) == [2, 1, 0]


def test_of_a_long_message_the_end_counts_and_the_answer_says_so(service: Service, scope: Scope) -> None:
    add(service, Call(scope, "test"), [Fact("Theo is allergic to cashews.")])
    service.system(query("system/await_fulltext"))
    mind = surface(
        service, scope, "Invoice 7 is paid. " * 400 + "\n" * 5 + "Is Theo allergic to cashews? " * 60
    )
    assert [each.memory.text for each in mind.memories] == ["Theo is allergic to cashews."]
    assert mind.note == "Its last 2000 characters were looked at."


def test_without_the_embedder_words_are_left(
    service: Service, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    [made], _ = add(service, Call(scope, "test"), [Fact("Theo is allergic to cashews.")])
    service.system(query("system/await_fulltext"))

    def fails(self: object, texts: Sequence[str]) -> list[list[float]]:
        raise Unavailable("gone")

    monkeypatch.setattr(type(service.embedder), "embed", fails)
    mind = surface(service, scope, "Theo and cashews", keep=[made.id])
    assert [(each.memory.id, each.similarity) for each in mind.memories] == [(made.id, None)]
    assert mind.note is not None
    assert "found by words alone" in mind.note


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"vector": None}, "Give a message or its vector"),
        ({"limit": 0}, "first is 0"),
        ({"limit": 101}, "first is 101"),
        ({"message": " "}, "message is empty"),
        ({"vector": (1.0, 0.0)}, "vector"),
    ],
)
def test_what_cannot_be_answered_is_refused(world: World, asked: dict[str, Any], told: str) -> None:
    with pytest.raises(Invalid, match=told):
        world.mind(**asked)


def test_it_can_be_switched_off(world: World) -> None:
    world.keep("a", 0.7)
    off = turned(world.service, "surfacing", enabled=False)
    assert surface(off, world.scope, vector=SAID) == Mind(
        (), (), "Surfacing is switched off (GRAPH_MEMORY_SURFACING_ENABLED)."
    )


ASKED = """query($message: String, $keep: [String!]) {surface(message: $message, keep: $keep) {
  memories {memory {id text} score similarity isKept isNew linked {memory {text} score links {kind}}} letGo note
}}"""


def test_the_api_answers_it_with_global_ids_and_scores_in_steps(api: Api, key: str) -> None:
    peanuts = api.add(key, "Theo is allergic to cashews.", importance=0.8)["id"]
    other = api.add(key, "Theo carries a syringe.")["id"]
    api.link(key, peanuts, other, "CAUSES")
    api.service.system(query("system/await_fulltext"))
    asked = {"message": "Is Theo allergic to cashews?", "keep": [peanuts, peanuts, "gone-for-ever"]}
    found = api.data(key, ASKED, **asked)
    [first, *_] = found["memories"]
    assert (first["memory"]["id"], first["isKept"], first["isNew"]) == (peanuts, True, True)
    assert first["similarity"] is None
    assert first["score"] == pytest.approx(round(first["score"], 2))
    assert found["letGo"] == ["gone-for-ever"]
    assert "Theo carries a syringe." in json.dumps(found)
    assert api.code(key, "{surface{note}}") == "INVALID"


def test_the_command_shows_what_comes_to_mind(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph_memory.cli.context.open_service", lambda _: _Held(world.service))
    world.keep("kept", 0.0, text="Ann likes [red] tea.")
    said = ["--tenant", world.scope.tenant_name, "--subject", "ann"]
    kept = world.ids["kept"][:8]
    shown = CliRunner().invoke(app, ["Hello there.", "--keep", kept, "--keep", "gone", *said])
    assert shown.exit_code == 0, shown.output
    assert "Ann likes [red] tea.  kept, new" in shown.output
    assert "not kept any longer: gone" in shown.output
    told = json.loads(CliRunner().invoke(app, ["Hello there.", "--json", "--keep", kept, *said]).output)
    assert [each["memory"]["text"] for each in told["memories"]] == ["Ann likes [red] tea."]
    assert CliRunner().invoke(app, ["Hello there.", *said]).output == "Nothing comes to mind.\n"


class _Held:
    """A service that a command does not close."""

    def __init__(self, service: Service) -> None:
        self.service = service

    def __enter__(self) -> Service:
        return self.service

    def __exit__(self, *_: object) -> None:
        return None
