"""The pair model's network: the linker's encoder over two statements, and two heads on it. Needs torch."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from transformers import BertModel

from graph_memory.judge.linker_input import Reading
from graph_memory.judge.pair_model import ACTIONS, LINKS
from graph_memory.judge.training.pair_examples import PairExample

# How much it counts that no link joins two statements: of those that stand side by side nine in ten have none.
_NO_LINK = 0.25
_LINK_SHARE, _SMOOTHING = 0.8, 0.05
# How much it counts to say what was said before of what was learnt (Li and Hoiem, Learning without Forgetting, 2016).
_BEFORE_SHARE = 0.7


class PairNetwork(nn.Module):  # type: ignore[misc]
    """Answers (actions, links): logits of shapes [n, 4] and [n, 10]."""

    def __init__(self, encoder: BertModel, dropout: float = 0.1) -> None:
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        # The start token, the mean of either side, and how the sides differ.
        self.actions = nn.Linear(5 * width, len(ACTIONS))
        self.links = nn.Linear(5 * width, len(LINKS))

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        second = (types * mask).unsqueeze(-1).to(hidden.dtype)
        first = ((1 - types) * mask).unsqueeze(-1).to(hidden.dtype)
        one = (hidden * first).sum(1) / first.sum(1).clamp(min=1)
        two = (hidden * second).sum(1) / second.sum(1).clamp(min=1)
        whole = self.dropout(torch.cat([hidden[:, 0], one, two, one - two, one * two], dim=1))
        return self.actions(whole), self.links(whole)


def batch(items: list[tuple[PairExample, Reading]]) -> dict[str, Any]:
    """Tensors of examples, padded to the longest."""
    length = max(len(reading.ids) for _, reading in items)
    ids, mask, types = (torch.zeros(len(items), length, dtype=torch.long) for _ in range(3))
    for row, (_, reading) in enumerate(items):
        count = len(reading.ids)
        ids[row, :count] = torch.tensor(reading.ids)
        mask[row, :count] = 1
        types[row, :count] = torch.tensor(reading.types)
    return {
        "ids": ids,
        "mask": mask,
        "types": types,
        "actions": torch.tensor([ACTIONS.index(example.action) for example, _ in items]),
        "links": torch.tensor([LINKS.index(example.link) for example, _ in items]),
        "weights": torch.tensor([example.weight for example, _ in items]),
        "was_learnt": torch.tensor([bool(example.before) for example, _ in items]),
        "before": torch.tensor([example.before or (0.0,) * len(ACTIONS) for example, _ in items]),
        "tells_link": torch.tensor([example.tells_link for example, _ in items]),
    }


def loss(out: tuple[torch.Tensor, torch.Tensor], told: dict[str, torch.Tensor]) -> torch.Tensor:
    """What both heads missed, and how far the actions are from those of before, in nats a pair.

    A link is looked for only where it is told of two that both stand.
    """
    actions, links = (each.float() for each in out)
    cross_entropy = nn.functional.cross_entropy
    missed = cross_entropy(actions, told["actions"], reduction="none", label_smoothing=_SMOOTHING)
    total = (missed * told["weights"]).mean()
    learnt = told["was_learnt"]
    if learnt.any():
        said, before = actions[learnt].log_softmax(1), told["before"][learnt]
        apart = nn.functional.kl_div(said, before, reduction="sum") / len(learnt)
        total = total + _BEFORE_SHARE * apart
    told_of = told["tells_link"]
    if told_of.any():
        weights = torch.tensor([_NO_LINK] + [1.0] * (len(LINKS) - 1))
        total = total + _LINK_SHARE * cross_entropy(links[told_of], told["links"][told_of], weight=weights)
    return total
