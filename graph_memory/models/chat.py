"""Asking language models in their order: the first useful answer counts.

Each provider gets its calls, its pauses and its share of the time; what came to nothing is left to the next.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from graph_memory.base.errors import GraphMemoryError, MissingExtra, NoAnswer, ProviderFault
from graph_memory.base.scope import Scope
from graph_memory.base.sections import Sections
from graph_memory.model.purpose import Purpose
from graph_memory.models import wire
from graph_memory.models.json_answer import Unreadable
from graph_memory.models.prompt import Ending, ModelUse, Prompt, Reply, Said
from graph_memory.models.registry import Channel, providers_of
from graph_memory.models.settings import ProvidersSettings
from graph_memory.models.spending import Calls
from graph_memory.models.wire import OF_THE_PROVIDER, PASSING, Kind
from graph_memory.store.service import Service

log = logging.getLogger(__name__)

A = TypeVar("A")

# An answer that cannot be read is asked for once more, not oftener: the model is up, it just does not do it.
MOST_UNREADABLE = 2

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
# Of the time that is left, for one that is not the last to be asked.
_SHARE = 0.5
# Characters to a token, roughly; what was really used is put right after the call.
_CHARACTERS = 4


def ask(service: Service, scope: Scope, prompt: Prompt[A], within: float) -> Reply[A]:
    """The first useful answer within so many seconds. NoAnswer holds why each provider gave none.

    What the calls took is noted for the tenant, whatever becomes of them.
    """
    opened, use = providers_of(service), use_of(service.settings, prompt.purpose)
    until = opened.watch.now() + within
    failures: dict[str, GraphMemoryError] = {}
    calls: list[Calls] = []
    try:
        for at, channel in enumerate(opened.channels):
            left = until - opened.watch.now()
            if left <= 0:
                break
            share = left if at == len(opened.channels) - 1 else left * _SHARE
            turn = _Turn(service, scope, channel, use, opened.watch.now() + share, calls)
            try:
                return turn.answer(prompt)
            except (ProviderFault, MissingExtra) as error:
                failures[channel.name] = error
                log.warning(
                    "provider_gave_no_answer",
                    extra={
                        "provider": channel.name,
                        "purpose": prompt.purpose.value,
                        "why": getattr(error, "kind", error.code),
                    },
                )
    finally:
        if calls:
            opened.spending.note(service, scope, calls)
    raise NoAnswer(prompt.purpose.value, failures)


_USUAL: Mapping[Purpose, ModelUse] = {
    Purpose.EXTRACT: ModelUse(max_tokens=8000, timeout=60.0, temperature=0.3, frequency_penalty=0.5),
    Purpose.CLASSIFY: ModelUse(max_tokens=2000, temperature=0.2),
    Purpose.REVIEW: ModelUse(max_tokens=200, temperature=0.0),
    Purpose.SCREEN: ModelUse(max_tokens=2000, timeout=10.0, temperature=0.0),
    Purpose.ASK: ModelUse(timeout=20.0, temperature=0.0),
    Purpose.SUMMARISE: ModelUse(max_tokens=2000, timeout=60.0, temperature=0.2),
}


def use_of(settings: Sections, purpose: Purpose) -> ModelUse:
    """How models are asked for this purpose: as usual, but for what its row says."""
    row = settings[ProvidersSettings].purposes.get(purpose)
    return replace(_USUAL[purpose], **row.model_dump(exclude_none=True)) if row else _USUAL[purpose]


def has_models(service: Service) -> bool:
    """Whether any language model is configured."""
    return bool(providers_of(service).channels)


def why_unread(failure: NoAnswer) -> list[str]:
    """The providers that answered what could not be read."""
    return [
        name
        for name, each in failure.failures.items()
        if isinstance(each, ProviderFault) and each.kind == Kind.UNREADABLE
    ]


@dataclass
class _Turn:
    """One provider's turn at one question."""

    service: Service
    scope: Scope
    channel: Channel
    use: ModelUse
    until: float
    calls: list[Calls] = field(default_factory=list)

    def answer(self, prompt: Prompt[A]) -> Reply[A]:
        """Its answer; ProviderFault or MissingExtra when it gives none."""
        name, model = self.channel.name, self.channel.provider.model(self.use)
        if providers_of(self.service).spending.is_capped(self.service, self.scope, model):
            cap = self.service.settings[ProvidersSettings].daily_cap
            raise wire.fault(name, Kind.CAPPED, f"the daily cap of {cap:g} US dollars is reached")
        unreadable = 0
        attempts = self.service.settings[ProvidersSettings].attempts
        for attempt in range(1, attempts + 1):
            try:
                said, answer = self._call(prompt, model)
            except ProviderFault as fault:
                unreadable += fault.kind == Kind.UNREADABLE
                is_last = attempt == attempts or unreadable >= MOST_UNREADABLE
                if is_last or fault.kind not in PASSING | {Kind.UNREADABLE}:
                    raise
                self._pause(attempt, fault)
            else:
                return Reply(answer, name, said.model, said.tokens_in, said.tokens_out, attempt)
        raise AssertionError("the last attempt raises or returns")

    def _call(self, prompt: Prompt[A], model: str) -> tuple[Said, A]:
        """One call, counted, and what was read out of it."""
        name, breaker = self.channel.name, self.channel.breaker
        estimate = len(prompt.system + prompt.user) // _CHARACTERS
        self._enter(estimate)
        if not breaker.lets_through():
            raise wire.fault(name, Kind.RESTING, "it failed too often and is left alone for a while")
        seconds = _seconds(self.use, self._left())
        said: Said | None = None
        try:
            said = self.channel.provider.say(prompt, self.use, seconds)
            answer = _read(name, prompt, said)
        except ProviderFault as fault:
            breaker.failed() if fault.kind in OF_THE_PROVIDER else breaker.succeeded()
            self._count(prompt.purpose, model, said, estimate, failed=True)
            raise
        breaker.succeeded()
        self._count(prompt.purpose, model, said, estimate, failed=False)
        return said, answer

    def _enter(self, tokens: int) -> None:
        """Waits for the limits, if that is worth it."""
        watch = providers_of(self.service).watch
        while (wait := self.channel.limiter.enter(tokens)) > 0:
            if wait >= self._left():
                raise wire.fault(
                    self.channel.name, Kind.LIMITED, f"its limits let nothing through for {wait:.0f} s"
                )
            watch.sleep(wait)

    def _pause(self, attempt: int, fault: ProviderFault) -> None:
        """Waits before the next call; the fault is final when the time does not allow it."""
        longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**attempt)
        pause = random.uniform(longest / 2, longest)
        if fault.retry_after is not None:
            pause = fault.retry_after + pause / 10
            self.channel.limiter.pause(fault.retry_after)
        if pause >= self._left():
            raise fault
        providers_of(self.service).watch.sleep(pause)

    def _left(self) -> float:
        return self.until - providers_of(self.service).watch.now()

    def _count(self, purpose: Purpose, model: str, said: Said | None, estimate: int, *, failed: bool) -> None:
        tokens_in, tokens_out = (said.tokens_in, said.tokens_out) if said else (0, 0)
        self.channel.limiter.correct(tokens_in + tokens_out - estimate)
        left_out = said.left_out if said else ()
        self.calls.append(
            Calls(
                self.channel.name,
                model,
                purpose.value,
                failures=int(failed),
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                left_out=left_out,
            )
        )


def _seconds(use: ModelUse, left: float) -> float:
    return min(use.timeout, left)


def _read(name: str, prompt: Prompt[A], said: Said) -> A:
    if said.ending is Ending.DECLINED:
        raise wire.fault(name, Kind.DECLINED, "the model declined to answer")
    if said.ending is Ending.CUT:
        raise wire.fault(name, Kind.UNREADABLE, "its answer was cut off at the most tokens allowed")
    try:
        return prompt.read(said.text)
    except Unreadable as error:
        raise wire.fault(name, Kind.UNREADABLE, str(error)) from None
