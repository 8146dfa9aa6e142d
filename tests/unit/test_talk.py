"""What a message comes to once the linker has read it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from graph_memory.ingest.settings import LinkerSettings
from graph_memory.ingest.substitution import substituted
from graph_memory.ingest.talk import KnownMemory, Told, statements
from graph_memory.judge.linker import Act, Link, Understood
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.message import Message
from graph_memory.model.verdict import Action, Effect

MARCH = datetime(2026, 3, 2, 19, tzinfo=UTC)
JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
DOSE = "Ann takes 100 mg in the morning."


def link(
    known: str, old: str, said: str, new: str, effect: Effect = Effect.CHANGES, chance: float = 0.95
) -> Link:
    rest = (1 - 0.95) / (len(Effect) - 1)
    effects = {each: 0.95 if each is effect else rest for each in Effect}
    spans = [
        (text.index(part), text.index(part) + len(part)) if part else None
        for text, part in ((said, new), (known, old))
    ]
    return Link(chance, effects, spans[0], spans[1])


def understood(act: Act = Act.ASSERTED) -> Understood:
    return Understood({each: 0.94 if each is act else 0.01 for each in Act})


def come(
    said: str, known: str, found: Link, alone: Understood | None = None, speaker: str = "Ann"
) -> list[Told]:
    memory = KnownMemory("m", known, "Ann", JANUARY, JANUARY, "fact")
    message = Message(speaker, MARCH, said, role="user")
    return statements(
        message, [], [memory], (alone or understood(), [found]), LinkerSettings(), ZoneInfo("UTC")
    )


@pytest.mark.parametrize(
    ("known", "old", "said", "new", "wanted"),
    [
        (DOSE, "100 mg", "*88", "88", "Ann takes 88 mg in the morning."),
        (DOSE, "100 mg", "88 mg from now on", "88 mg", "Ann takes 88 mg in the morning."),
        (
            "Rehearsals are on Tuesdays.",
            "Tuesdays",
            "make that thursdays",
            "thursdays",
            "Rehearsals are on thursdays.",
        ),
        ("780 with bills.", "780", "they want 840", "840", "840 with bills."),
        # Since when the old value held is not since when the new one does.
        ("Ann has paid 95 since May 2024.", "95", "*98", "98", "Ann has paid 98."),
        # A value of another kind is none.
        (DOSE, "100 mg", "after meals now", "after meals", None),
        (DOSE, "100 mg", "from may", "from may", None),
        (DOSE, "", "*88", "88", None),
        # A difference, a share and the value of something else are none of this kind.
        ("The rent is 640 euros.", "640 euros", "raised by 40 euros", "40 euros", None),
        ("The rent is 640 euros.", "640", "600 less than that", "600", None),
        ("The rent is 640 euros.", "640", "it went up 500%", "500%", None),
        ("The rent is 640 euros.", "640 euros", "we paid 5,000 for the kitchen", "5,000", None),
        # All figures of a number in groups, and what is counted only once.
        ("Call 555 1234.", "1234", "it's 555 9876 now", "9876", "Call 555 9876."),
        ("Kim has two cats.", "two", "three cats now", "three cats", "Kim has three cats."),
        # A year alone tells less than a day did.
        ("Ann was born on 12 May 2017.", "12 May 2017", "it was 2018, sorry", "2018", None),
        # Whatever stands around a value.
        (DOSE, "100 mg", "88, i can't read", "88,", "Ann takes 88 mg in the morning."),
        ("The rent is 780 euros.", "780", "840 from june", "840 from june", "The rent is 840 euros."),
        # A day is told with its month and year, and as the other was.
        ("The exam is on 3 June.", "3 June", "moved to the 10th", "10th", "The exam is on 10 June 2026."),
        ("We meet on 3 June 2026 at 5pm.", "3 June", "*the 4th", "4th", "We meet on 4 June 2026."),
        ("Ann is away until 3 June 2026.", "3 June", "june 9", "june 9", "Ann is away until 9 June 2026."),
        (
            "The wedding is in June 2026.",
            "June",
            "it's the 19th of july",
            "19th",
            "The wedding is on 19 July 2026.",
        ),
        (
            "Ann swims on Monday and Friday.",
            "Monday and Friday",
            "now tuesday",
            "tuesday",
            "Ann swims on tuesday.",
        ),
        # What is counted stays, in figures or in words.
        ("Kim has two cats.", "two cats", "three now", "three", "Kim has three cats."),
        ("The fair is from 3 to 5 June 2026.", "3", "we go on the 4th", "4th", None),
        # What was so is over; what is to come stands.
        ("Ann had 41 fans on 1 February 2026.", "41", "60", "60", "Ann had 60 fans."),
        ("Ann sings in Rome on 1 May 2026.", "Rome", "in Pisa", "Pisa", "Ann sings in Pisa on 1 May 2026."),
        ("Levothyroxine. 25.", "25", "going up to 50", "50", "Levothyroxine. 50."),
        (
            "Kestrel pays well. 4.50/min. Brisa pays in 60 days.",
            "4.50",
            "4.80 now",
            "4.80",
            "Kestrel pays well. 4.80/min. Brisa pays in 60 days.",
        ),
    ],
)
def test_the_new_value_stands_in_the_place_of_the_old_one(
    known: str, old: str, said: str, new: str, wanted: str | None
) -> None:
    assert put(known, old, said, new) == wanted


def put(known: str, old: str, said: str, new: str, effect: Effect = Effect.CHANGES) -> str | None:
    found = substituted(known, said, link(known, old, said, new, effect), MARCH, MARCH)
    return found.text if found else None


def test_a_correction_is_of_the_same_time() -> None:
    known = "Ann takes 70 mg since 1 February 2026."
    assert put(known, "70", "*60", "60", Effect.CORRECTS) == "Ann takes 60 mg since 1 February 2026."
    assert put(known, "70", "60 now", "60") == "Ann takes 60 mg."


def test_an_end_says_what_is_over() -> None:
    known = "Ann has a blue Polo."
    [over, *_] = come("sold it!", known, link(known, "", "sold it!", "", Effect.ENDS))
    assert over.statement.text.startswith("No longer: Ann has a blue Polo.")


def test_a_change_that_leaves_open_what_it_is_of_is_told_with_what_it_changes() -> None:
    known = "The dentist sees Ann in the morning."
    [told] = come("make that thursday", known, link(known, "", "make that thursday", "thursday"))
    assert told.verdict is not None and told.verdict.action is Action.SUPERSEDE
    assert told.statement.text.startswith(f"No longer: {known} Make that thursday")
    said = "Ann's rent in Lisbon is 900 euros a month."
    [told] = come(said, known, link(known, "", said, "900 euros"))
    assert told.statement.text == said


def test_a_bare_value_takes_the_place_of_what_it_is_about() -> None:
    [one] = come("*88", DOSE, link(DOSE, "100 mg", "*88", "88"))
    assert one.statement.text == "Ann takes 88 mg in the morning."
    assert one.verdict is not None
    assert (one.verdict.candidate, one.verdict.action) == ("m", Action.SUPERSEDE)


def test_a_correction_holds_from_when_what_it_corrects_did() -> None:
    [one] = come("*88", DOSE, link(DOSE, "100 mg", "*88", "88", Effect.CORRECTS))
    assert one.valid_from == datetime(2026, 1, 1, tzinfo=UTC)


def test_what_is_hardly_likely_is_not_asked_about() -> None:
    sure = link(DOSE, "100 mg", "*88", "88", chance=0.45)
    hardly = replace(sure, effects={**sure.effects, Effect.CHANGES: 0.3, Effect.ADDS: 0.2, Effect.ENDS: 0.1})
    assert all(each.verdict is None for each in come("I took 88 mg.", DOSE, replace(hardly, value=None)))


def test_where_the_linker_is_not_sure_a_person_is_asked() -> None:
    [one] = come("*88", DOSE, link(DOSE, "100 mg", "*88", "88", chance=0.51))
    assert one.verdict is not None
    assert (one.verdict.action, one.verdict.proposal, one.verdict.abstained) == (
        Action.COEXIST,
        Action.SUPERSEDE,
        True,
    )
    # What it is about lends it its words once that person agrees.
    assert (one.statement.text, one.verdict.text) == ("*88", "Ann takes 88 mg in the morning.")


def test_nothing_is_retired_by_itself_in_a_language_that_was_not_learnt() -> None:
    said, known = "Ich wohne jetzt in Bremen.", "Ich wohne in Hamburg."
    [one] = come(said, known, link(known, "Hamburg", said, "Bremen"))
    assert one.verdict is not None
    assert one.verdict.abstained


def test_a_repetition_joins_what_it_repeats() -> None:
    said = "I take 100 mg every morning."
    [one] = come(said, DOSE, link(DOSE, "", said, "", Effect.REPEATS))
    assert one.verdict is not None
    assert one.verdict.action is Action.DUPLICATE
    [other] = come(said, DOSE, link(DOSE, "", said, "", Effect.REPEATS, chance=0.51))
    assert other.verdict is None


def test_two_that_say_the_same_are_both_repeated() -> None:
    """The second is no rival of the first, as one that the message changes would be."""
    said = "I take 100 mg every morning."
    memories = [KnownMemory(id, DOSE, "Ann", JANUARY, JANUARY, "fact") for id in ("m", "n")]
    links = [link(DOSE, "", said, "", Effect.REPEATS, chance) for chance in (0.95, 0.94)]
    message = Message("Ann", MARCH, said, role="user")
    [one] = statements(message, [], memories, (understood(), links), LinkerSettings(), ZoneInfo("UTC"))
    assert one.verdict is not None
    assert (one.verdict.candidate, one.verdict.action) == ("m", Action.DUPLICATE)


@pytest.mark.parametrize(("effect", "kind"), [(Effect.CORRECTS, LinkKind.CONFLICTS), (Effect.CHANGES, None)])
def test_who_corrects_another_and_is_not_surely_right_disagrees(
    effect: Effect, kind: LinkKind | None
) -> None:
    said = "it is 88 mg"
    [one] = come(said, DOSE, link(DOSE, "100 mg", said, "88 mg", effect, chance=0.52), speaker="Bo")
    assert one.verdict is not None
    assert (one.verdict.proposal, one.verdict.link) == (Action.SUPERSEDE, kind)


def test_who_says_otherwise_conflicts() -> None:
    said = "Ann takes 90 mg, I saw the box."
    [one] = come(said, DOSE, link(DOSE, "100 mg", said, "90 mg", Effect.DISPUTES))
    assert one.verdict is not None
    assert (one.verdict.action, one.verdict.link) == (Action.COEXIST, LinkKind.CONFLICTS)


@pytest.mark.parametrize(
    ("speaker", "chance", "is_sure"), [("Bo", 0.52, True), ("Bo", 0.48, False), ("Ann", 0.52, False)]
)
def test_another_speaker_disputes_from_half_a_chance_on(speaker: str, chance: float, is_sure: bool) -> None:
    said = "Ann takes 90 mg, I saw the box."
    [one] = come(
        said, DOSE, link(DOSE, "100 mg", said, "90 mg", Effect.DISPUTES, chance=chance), speaker=speaker
    )
    assert one.verdict is not None
    assert one.verdict.is_sure_of_link is is_sure


def test_a_joke_that_is_about_nothing_leaves_nothing() -> None:
    said = "I should marry my coffee machine."
    nothing = link(DOSE, "", said, "", chance=0.01)
    assert come(said, DOSE, nothing, understood(Act.JOKED)) == []
    [one] = come(said, DOSE, nothing)
    assert one.verdict is None


def test_what_has_happened_can_neither_change_nor_end() -> None:
    said, known = "the ceiling is fixed!!", "The ceiling came down."
    message = Message("Ann", MARCH, said, role="user")
    before = MARCH - timedelta(days=9)
    memory = KnownMemory("m", known, "Ann", before, before, "fact", before)
    found = (understood(), [link(known, "", said, "", Effect.ENDS)])
    [one] = statements(message, [], [memory], found, LinkerSettings(), ZoneInfo("UTC"))
    assert one.verdict is None


def test_what_is_only_intended_is_told_in_its_own_words_and_leaves_the_present() -> None:
    """Else the plan would stand there as what holds now."""
    said = "I might go down to 88 mg"
    [one] = come(said, DOSE, link(DOSE, "100 mg", said, "88 mg"), understood(Act.PLANNED))
    assert one.verdict is not None
    assert (one.verdict.candidate, one.verdict.action) == ("m", Action.COEXIST)
    assert "in the morning" not in one.statement.text
    assert one.statement.kind == "plan"


def test_a_statement_has_the_time_of_its_own_words() -> None:
    nothing = link(DOSE, "", "", "", chance=0.01)
    found = come(
        "I signed the contract with Tidal Works today. The first day there is 9 April.", DOSE, nothing
    )
    assert [each.statement.happens_at for each in found] == [
        datetime(2026, 3, 2, tzinfo=UTC),
        datetime(2026, 4, 9, tzinfo=UTC),
    ]


def test_an_answer_has_the_time_of_its_own_words() -> None:
    asked = Message("Ben", MARCH, "Could you fetch the shelves today?", role="user")
    answer = Message("Ann", MARCH, "Can do Thursday.", role="user")
    [one] = statements(answer, [asked], [], (understood(Act.PLANNED), []), LinkerSettings(), ZoneInfo("UTC"))
    assert one.statement.happens_at == datetime(2026, 3, 5, tzinfo=UTC)
    assert one.statement.text.endswith("Thursday (5 March 2026).")


@pytest.mark.parametrize(
    "said", ["Choir is every tuesday 7pm.", "The pool shuts at 20h.", "She ran it in 2:10."]
)
def test_an_hour_without_a_day_is_no_happening(said: str) -> None:
    [one] = come(said, DOSE, link(DOSE, "", said, "", chance=0.01))
    assert one.statement.happens_at is None


@pytest.mark.parametrize(
    ("said_at", "valid_from"),
    [(MARCH - timedelta(days=1), JANUARY), (MARCH + timedelta(days=30), None)],
)
def test_a_correction_holds_since_what_it_corrects_did_only_if_that_was_said_before(
    said_at: datetime, valid_from: datetime | None
) -> None:
    memory = KnownMemory("m", DOSE, "Ann", JANUARY, said_at, "fact")
    message = Message("Ann", MARCH, "no wait, 88 mg", role="user")
    found = link(DOSE, "100 mg", message.text, "88 mg", Effect.CORRECTS)
    [told] = statements(message, [], [memory], (understood(), [found]), LinkerSettings(), ZoneInfo("UTC"))
    assert (told.valid_from, told.statement.said_at) == (valid_from, MARCH)
    assert told.verdict is not None and told.verdict.action is Action.SUPERSEDE


def test_what_is_said_beside_what_adds_to_a_known_memory_stands_for_itself() -> None:
    said = "I take it with a glass of milk. My landlord is called Omar."
    found = come(said, DOSE, link(DOSE, "", said, "", Effect.ADDS))
    assert [each.verdict is not None for each in found] == [True, False]
    assert found[1].statement.text == "Ann's landlord is called Omar."


@pytest.mark.parametrize(
    ("effect", "chance", "tells_more"),
    [(Effect.CHANGES, 0.5, True), (Effect.REPEATS, 0.5, False), (Effect.CHANGES, 0.1, False)],
)
def test_what_is_about_something_known_tells_more_of_it_unless_it_repeats_it(
    effect: Effect, chance: float, tells_more: bool
) -> None:
    said = "I take 88 mg every morning."
    [one] = come(said, DOSE, link(DOSE, "100 mg", said, "88 mg", effect, chance))
    assert one.tells_more is tells_more


def test_a_long_message_is_told_in_pieces_that_a_memory_can_hold() -> None:
    said = " ".join(f"Ann takes the blue tablets of box {number} at noon." for number in range(200))
    told = come(said, DOSE, link(DOSE, "", said, "", Effect.REPEATS))
    assert max(len(each.statement.text) for each in told) <= 2000
    assert sum(len(each.statement.text) for each in told) >= len(said) * 0.9


def test_what_else_a_memory_tells_is_no_more_than_what_is_known() -> None:
    known = "The service charge is 6,500. The gate code is 4471."
    told = come("The gate is now 9026", known, link(known, "4471", "The gate is now 9026", "9026"))
    [rest] = [each for each in told if each.told_in]
    assert (rest.told_in, rest.tells_more, rest.statement.text) == (
        "m",
        False,
        "The service charge is 6,500.",
    )
    # It was said when the known memory was.
    assert rest.statement.said_at == JANUARY


def test_the_time_of_another_sentence_is_not_that_of_what_is_changed() -> None:
    said, known = "Tom moved to Bristol in October. I weigh 79 kg now.", "Ann weighs 76 kg."
    [told, *_] = come(said, known, link(known, "76 kg", said, "79 kg"))
    assert "79 kg" in told.statement.text
    assert (told.valid_from, told.statement.happens_at) == (None, None)
