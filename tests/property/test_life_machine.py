"""Any life of memories, on the real database against the model: Hypothesis looks for the life that tells them apart.

With --long it looks longer, and as long as LIFE_EXAMPLES and LIFE_STEPS say. What it has found so far stands below as short tests of their own.
"""

from __future__ import annotations

import os
import random
import uuid
from datetime import timedelta

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from graph_memory.base.moments import NOW, Moment
from graph_memory.bench.moments_bench import ask
from graph_memory.bench.timelines import Given, Timeline
from graph_memory.upkeep.due import RETIRE_DUE
from graph_memory.verify import verify

pytestmark = [pytest.mark.stack, pytest.mark.long]

STEPS = int(os.environ.get("LIFE_STEPS", "30"))

DAY = timedelta(days=1)
WORDS = st.sampled_from(
    [f"Ann {verb} {what}." for verb in ("likes", "has") for what in ("tea", "a dog", "Ghent")]
)
# Few days, so that moments coincide; all around now, so that things are backdated and dated ahead.
DAYS = st.none() | st.integers(-6, 3)
WHICH = st.integers(0, 40)
TAGS = st.sampled_from([(), ("home",), ("home", "work")])


class Life(RuleBasedStateMachine):
    """Every operation on one subject; each step is followed by questions to both."""

    service = None

    @initialize(texts=st.lists(WORDS, min_size=1, max_size=3))
    def begin(self, texts):
        self.timeline = Timeline(self.service, f"test-{uuid.uuid4().hex}")
        self.timeline.add([Given(text) for text in texts])

    def day(self, offset):
        return None if offset is None else self.timeline.clock.now + offset * DAY

    def memory(self, which):
        return self.timeline.known[which % len(self.timeline.known)]

    def statement(self, text, start, length, expires=None):
        begins = self.day(start)
        ends, gone = (
            None if days is None else (begins or self.timeline.clock.now) + days * DAY
            for days in (length, expires)
        )
        return Given(text, begins, ends, gone)

    @rule(days=st.integers(1, 4))
    def time_passes(self, days):
        self.timeline.clock.forward(days * DAY)

    @rule(
        texts=st.lists(WORDS, min_size=1, max_size=3),
        start=DAYS,
        length=st.none() | st.integers(1, 6),
        expires=st.none() | st.integers(1, 9),
    )
    def add(self, texts, start, length, expires):
        self.timeline.add([self.statement(text, start, length, expires) for text in texts])

    @rule(old=WHICH, text=WORDS, start=DAYS, length=st.none() | st.integers(1, 6))
    def supersede(self, old, text, start, length):
        self.timeline.supersede(self.memory(old), self.statement(text, start, length))

    @rule(old=WHICH, text=WORDS)
    def correct(self, old, text):
        name = self.memory(old)
        self.timeline.supersede(name, Given(text), self.timeline.beliefs.now(name).valid_from)

    @rule(old=WHICH, new=WHICH, start=DAYS)
    def supersede_by_what_is_there(self, old, new, start):
        self.timeline.supersede(self.memory(old), self.memory(new), self.day(start))

    @rule(which=WHICH, text=st.none() | WORDS, tags=TAGS, expires=DAYS)
    def revise(self, which, text, tags, expires):
        self.timeline.revise(self.memory(which), text, tags, self.day(expires))

    @rule(which=WHICH, end=DAYS)
    def expire(self, which, end):
        self.timeline.expire(self.memory(which), self.day(end))

    @rule(
        which=st.lists(WHICH, min_size=1, max_size=2),
        operation=st.sampled_from(["ARCHIVE", "RESTORE", "DELETE"]),
    )
    def move(self, which, operation):
        self.timeline.move(operation, list(dict.fromkeys(map(self.memory, which))))

    @rule(keep=WHICH, other=WHICH)
    def merge(self, keep, other):
        self.timeline.merge(self.memory(keep), self.memory(other))

    @rule(which=WHICH)
    def restore_in_place_of_its_twin(self, which):
        self.timeline.move("RESTORE", [self.memory(which)], cascade=True)

    @rule(back=st.lists(st.integers(1, 6), min_size=1, max_size=2), cascade=st.booleans())
    def undo(self, back, cascade):
        made = len(self.timeline.beliefs.changes)
        self.timeline.undo({made - number % made for number in back}, cascade)

    @rule()
    def repeat(self):
        self.timeline.repeat()

    @invariant()
    def the_store_answers_as_the_model_does(self):
        self.timeline.browse(NOW)
        ask(self.timeline, random.Random(len(self.timeline.log)))

    def teardown(self):
        if hasattr(self, "timeline"):
            for name in self.timeline.known:
                self.timeline.history(name)
            no_invariant_is_broken(self.timeline)


def no_invariant_is_broken(timeline):
    """What the minute job and `verify` look at, and that nothing is left unsettled."""
    service, scope = timeline.service, timeline.scope
    service.write(scope, lambda tx: tx.run(RETIRE_DUE, now=timeline.clock.now, limit=1000))
    report = verify(service, [scope.tenant_name])
    assert report.is_clean, report.findings
    chains = {name: timeline.beliefs.chain(name) for name in timeline.known}
    with service.driver.session() as session:
        rows = session.run(
            "MATCH (a:Memory {tenant: $t})-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(b) RETURN a.id AS a, b.id AS b",
            t=scope.tenant,
        ).values()
    links = {(timeline.names[newer], timeline.names[older]) for newer, older in rows}
    assert len(links) == len(rows)
    assert links == {pair for chain in chains.values() for pair in zip(chain[1:], chain, strict=False)}


@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.long_form)])
def test_the_store_leads_any_life_as_the_model_does(service, examples):
    machine = type("Life", (Life,), {"service": service})
    run_state_machine_as_test(
        machine,
        settings=hypothesis.settings(
            max_examples=int(os.environ.get("LIFE_EXAMPLES", examples)),
            stateful_step_count=STEPS,
            deadline=None,
            print_blob=True,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.fixture
def timeline(service):
    return Timeline(service, f"test-{uuid.uuid4().hex}")


def test_an_existing_memory_is_no_member_of_a_chain_before_it_joined(timeline):
    """What stood alone until May answers in nobody else's place in April."""
    timeline.add([Given("one"), Given("two")])
    timeline.clock.forward(5 * DAY)
    timeline.add([Given("three")])
    timeline.clock.forward(5 * DAY)
    one, _, three = timeline.known
    assert timeline.supersede(one, three)
    for days in (1, 4, 5, 9):
        for known in (1, 6, 12):
            point = Moment(timeline.day(days), timeline.day(known))
            timeline.version(one, point), timeline.version(three, point)


def test_what_enters_before_the_first_is_a_change_of_its_chain(timeline):
    """Undoing the insertion of what is now second would leave the new first hanging on it."""
    timeline.add([Given("v3")])
    [third] = timeline.known
    timeline.supersede(third, Given("v2"), timeline.day(-2))
    timeline.supersede(third, Given("v1"), timeline.day(-4))
    assert not timeline.undo({3})
    assert timeline.undo({3}, cascade=True)
    assert timeline.beliefs.chain(third) == [third]
    no_invariant_is_broken(timeline)


def test_an_undone_insertion_does_not_return_to_a_place_that_was_taken(timeline):
    timeline.add([Given("v3")])
    [third] = timeline.known
    timeline.supersede(third, Given("v2"), timeline.day(-2))
    assert timeline.undo({3})
    timeline.supersede(third, Given("v1"), timeline.day(-4))
    assert not timeline.undo({4})
    no_invariant_is_broken(timeline)


def test_undoing_an_undo_takes_along_what_it_lets_stand_again(timeline):
    timeline.add([Given("a")])
    [name] = timeline.known
    for text in ("b", "c"):
        timeline.revise(name, text)
    timeline.revise(name, tags=("home",))
    assert timeline.undo({4, 3})
    assert timeline.undo({5, 2}, cascade=True)
    assert timeline.beliefs.now(name).text == "a"
    timeline.browse(NOW), timeline.history(name)


def test_texts_that_were_exchanged_are_exchanged_back(timeline):
    timeline.add([Given("a"), Given("b")])
    one, other = timeline.known
    timeline.revise(one, "c")
    timeline.revise(other, "a")
    timeline.revise(one, "b")
    assert timeline.undo({5, 4, 3})
    timeline.browse(NOW)


def test_two_of_one_text_do_not_both_return(timeline):
    timeline.add([Given("a")])
    timeline.move("ARCHIVE", timeline.known)
    timeline.add([Given("a")])
    timeline.move("ARCHIVE", timeline.known[1:])
    assert not timeline.move("RESTORE", timeline.known)
    timeline.browse(NOW)


def test_with_cascade_the_twin_gives_way_and_undoing_makes_it_live_again(timeline):
    timeline.add([Given("a")])
    timeline.move("ARCHIVE", timeline.known)
    timeline.add([Given("a")])
    first, twin = timeline.known
    assert not timeline.undo({2})
    assert timeline.undo({2}, cascade=True)
    assert [timeline.beliefs.now(name).status for name in (first, twin)] == ["ACTIVE", "ARCHIVED"]
    timeline.browse(NOW)
    assert timeline.undo({4})
    assert [timeline.beliefs.now(name).status for name in (first, twin)] == ["ARCHIVED", "ACTIVE"]
    assert timeline.move("RESTORE", [first], cascade=True)
    timeline.browse(NOW)
    assert timeline.undo({6})
    timeline.browse(NOW)
    no_invariant_is_broken(timeline)


def test_with_cascade_two_that_come_back_with_the_same_words_are_refused_still(timeline):
    timeline.add([Given("a")])
    timeline.move("ARCHIVE", timeline.known)
    timeline.add([Given("a")])
    timeline.move("ARCHIVE", timeline.known[1:])
    assert not timeline.move("RESTORE", timeline.known, cascade=True)
    timeline.browse(NOW)


def test_the_first_version_of_a_chain_keeps_its_interval_when_it_is_merged(timeline):
    """Its id is the chain's, so it looks as if it stood alone; it must not reach over the next version."""
    timeline.add([Given("a", timeline.day(-9)), Given("b")])
    first, other = timeline.known
    timeline.supersede(first, Given("c"), timeline.day(-3))
    assert timeline.merge(first, other)
    timeline.browse(NOW), timeline.history(first)
    assert timeline.undo({5})
    timeline.browse(NOW)
    no_invariant_is_broken(timeline)


def test_what_has_ended_by_the_clock_blocks_no_words(timeline):
    timeline.add([Given("a", None, timeline.day(1)), Given("b")])
    timeline.clock.forward(2 * DAY)
    assert timeline.revise(timeline.known[1], "a")
    timeline.browse(NOW)


def test_what_was_dated_ahead_is_the_same_statement_once_it_has_begun(timeline):
    timeline.add([Given("a", timeline.day(1))])
    timeline.clock.forward(2 * DAY)
    timeline.add([Given("A"), Given("b")])
    assert len(timeline.known) == 2
    timeline.browse(NOW)


def test_what_never_will_hold_blocks_no_words(timeline):
    """A version dated ahead and corrected at its own start keeps an empty validity there, and no key."""
    timeline.add([Given("a", timeline.day(3))])
    [name] = timeline.known
    timeline.supersede(name, Given("b"), timeline.day(3))
    timeline.add([Given("a", timeline.day(3))])
    assert len(timeline.known) == 3
    timeline.clock.forward(4 * DAY)
    timeline.add([Given("c")])
    timeline.browse(NOW)
    no_invariant_is_broken(timeline)


def test_what_was_ended_at_its_start_ahead_is_never_live(timeline):
    timeline.add([Given("a", timeline.day(3))])
    timeline.expire(timeline.known[0], timeline.day(3))
    timeline.add([Given("a", timeline.day(3))])
    assert len(timeline.known) == 2
    no_invariant_is_broken(timeline)


def test_the_same_words_correct_or_follow_themselves(timeline):
    """Only a second live twin is refused: what the new version retires is none."""
    timeline.add([Given("a"), Given("b")])
    one, other = timeline.known
    assert timeline.supersede(one, Given("a"), timeline.beliefs.now(one).valid_from)
    timeline.clock.forward(2 * DAY)
    assert timeline.supersede(timeline.known[-1], Given("A"))
    assert not timeline.supersede(other, Given("a"))
    assert not timeline.undo({6})
    assert timeline.undo({6, 5})
    timeline.browse(NOW), timeline.history(one)
    no_invariant_is_broken(timeline)


def test_the_words_of_another_live_memory_may_stand_in_the_past_of_a_chain(timeline):
    timeline.add([Given("a"), Given("b", timeline.day(-4))])
    _, old = timeline.known
    timeline.supersede(old, Given("c"), timeline.day(-1))
    assert timeline.supersede(old, Given("a"), timeline.day(-2))
    timeline.browse(NOW), timeline.history(old)
    no_invariant_is_broken(timeline)


def test_a_request_repeated_after_its_end_has_passed_answers_as_before(timeline):
    timeline.add([Given("a", None, timeline.day(1))])
    timeline.clock.forward(2 * DAY)
    timeline.repeat()


def test_nothing_depends_on_what_changed_nothing(timeline):
    timeline.add([Given("a"), Given("a", timeline.day(-1))])
    [name] = timeline.known
    timeline.revise(name, "b")
    assert timeline.undo({2}, cascade=True)
    assert timeline.beliefs.now(name).text == "b"
    timeline.get(name, NOW)
