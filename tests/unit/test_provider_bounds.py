"""Breaker and limits (cases 143 and 144), on a watch that obeys."""

from __future__ import annotations

from graph_memory.models.breaker import Breaker, State
from graph_memory.models.rate_limit import Limiter


class Watch:
    """Moves only when it is told to, or when somebody sleeps."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


def _opened(watch: Watch) -> Breaker:
    breaker = Breaker(watch, 5, 60.0)
    for _ in range(5):
        assert breaker.lets_through()
        breaker.failed()
    return breaker


def test_five_failures_in_a_row_open_it() -> None:
    """Case 143."""
    watch = Watch()
    assert _opened(watch).state is State.OPEN
    assert not _opened(watch).lets_through()


def test_a_success_between_failures_keeps_it_closed() -> None:
    breaker = Breaker(Watch(), 5, 60.0)
    for _ in range(4):
        breaker.failed()
    breaker.succeeded()
    breaker.failed()
    assert breaker.state is State.CLOSED


def test_after_a_minute_one_probe_goes_through_and_no_second() -> None:
    watch = Watch()
    breaker = _opened(watch)
    watch.sleep(59.9)
    assert not breaker.lets_through()
    watch.sleep(0.1)
    assert breaker.lets_through()
    assert not breaker.lets_through()


def test_a_probe_that_succeeds_closes_it() -> None:
    watch = Watch()
    breaker = _opened(watch)
    watch.sleep(60)
    assert breaker.lets_through()
    breaker.succeeded()
    assert breaker.state is State.CLOSED


def test_a_probe_that_fails_opens_it_for_another_minute() -> None:
    watch = Watch()
    breaker = _opened(watch)
    watch.sleep(60)
    assert breaker.lets_through()
    breaker.failed()
    watch.sleep(59)
    assert not breaker.lets_through()


def test_a_probe_that_never_comes_back_blocks_for_a_minute_only() -> None:
    watch = Watch()
    breaker = _opened(watch)
    watch.sleep(60)
    assert breaker.lets_through()
    watch.sleep(60)
    assert breaker.lets_through()


def test_no_more_requests_than_a_minute_allows() -> None:
    """Case 144."""
    watch = Watch()
    limiter = Limiter(watch, 60, 100_000)
    assert [limiter.enter(10) for _ in range(60)] == [0.0] * 60
    wait = limiter.enter(10)
    assert 0.9 <= wait <= 1.0
    watch.sleep(wait)
    assert limiter.enter(10) == 0.0


def test_a_bucket_never_holds_more_than_a_minute() -> None:
    watch = Watch()
    limiter = Limiter(watch, 2, 100_000)
    watch.sleep(3600)
    assert [limiter.enter(1) > 0 for _ in range(3)] == [False, False, True]


def test_tokens_are_limited_and_put_right_afterwards() -> None:
    watch = Watch()
    limiter = Limiter(watch, 60, 1000)
    assert limiter.enter(100) == 0.0
    limiter.correct(900)
    assert limiter.enter(500) == 30.0
    limiter.correct(-500)
    assert limiter.enter(500) == 0.0


def test_a_question_larger_than_a_minute_goes_out_when_the_bucket_is_full() -> None:
    assert Limiter(Watch(), 60, 1000).enter(5000) == 0.0


def test_a_pause_that_was_asked_for_is_kept() -> None:
    watch = Watch()
    limiter = Limiter(watch, 60, 1000)
    limiter.pause(20)
    assert limiter.enter(1) == 20.0
    watch.sleep(20)
    assert limiter.enter(1) == 0.0
