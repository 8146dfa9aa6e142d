"""How every network here is trained: AdamW with a rate for each part, which rises for a while and then falls to nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import torch
from torch import nn

_TELL_EVERY = 50


class Descent:
    """The steps of one training. `parts` are parameters with their highest rate; `warm_up` the share of steps where it rises."""

    def __init__(
        self,
        net: nn.Module,
        parts: Sequence[tuple[Iterable[nn.Parameter], float]],
        total: int,
        warm_up: float,
    ) -> None:
        self._net = net
        self._total = total
        self._done = 0
        groups = [
            {"params": [each for each in part if each.requires_grad], "lr": rate} for part, rate in parts
        ]
        self._optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
        warm = max(1, int(warm_up * total))
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: min(1.0, (step + 1) / warm) * max(0.0, (total - step) / total)
        )
        net.train()

    @property
    def left(self) -> int:
        """The steps that are left."""
        return self._total - self._done

    def step(self, missed: torch.Tensor) -> None:
        """One step down from what was missed; every fiftieth is told."""
        missed.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._schedule.step()
        self._done += 1
        if self._done % _TELL_EVERY == 0:
            told = {"step": self._done, "of": self._total, "loss": round(float(missed), 3)}
            print(json.dumps(told), flush=True)
