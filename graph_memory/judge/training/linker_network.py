"""The linker's network: MiniLM over a message and a known statement, and small heads on it. Needs torch."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from transformers import BertModel

from graph_memory.judge.linker_input import Reading
from graph_memory.judge.training.linker_examples import ACTS, LINKS, Example

# Of a token: nothing, the beginning and the rest of a value, and of words for a time.
TAGS = ("O", "B-VALUE", "I-VALUE", "B-TIME", "I-TIME")


class Linker(nn.Module):  # type: ignore[misc]
    """Answers (link, outcomes, acts, new, tags): logits of shapes [n], [n, 6], [n, 7], [n] and [n, length, 5]."""

    def __init__(self, encoder: BertModel, dropout: float = 0.1) -> None:
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        # The start token, the mean of either side, and how the sides differ.
        self.heads = nn.Linear(5 * width, 1 + len(LINKS) + len(ACTS) + 1)
        self.tags = nn.Linear(width, len(TAGS))

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        second = (types * mask).unsqueeze(-1).to(hidden.dtype)
        first = ((1 - types) * mask).unsqueeze(-1).to(hidden.dtype)
        one = (hidden * first).sum(1) / first.sum(1).clamp(min=1)
        two = (hidden * second).sum(1) / second.sum(1).clamp(min=1)
        whole = torch.cat([hidden[:, 0], one, two, one - two, one * two], dim=1)
        out = self.heads(self.dropout(whole))
        count = len(LINKS)
        return (
            out[:, 0],
            out[:, 1 : 1 + count],
            out[:, 1 + count : -1],
            out[:, -1],
            self.tags(self.dropout(hidden)),
        )


def batch(groups: list[list[tuple[Example, Reading]]]) -> dict[str, Any]:
    """Tensors of examples, padded to the longest. The examples of one message stand in one group."""
    items = [item for group in groups for item in group]
    length = max(len(reading.ids) for _, reading in items)
    size = len(items)
    ids, mask, types = (torch.zeros(size, length, dtype=torch.long) for _ in range(3))
    link, new = torch.full((size,), -1.0), torch.full((size,), -1.0)
    acts = torch.full((size,), -1, dtype=torch.long)
    outcomes = torch.zeros(size, len(LINKS))
    tags = torch.full((size, length), -1, dtype=torch.long)
    for row, (example, reading) in enumerate(items):
        count = len(reading.ids)
        ids[row, :count] = torch.tensor(reading.ids)
        mask[row, :count] = 1
        types[row, :count] = torch.tensor(reading.types)
        if example.is_linked is not None:
            link[row] = float(example.is_linked)
        if example.is_new is not None:
            new[row] = float(example.is_new)
        if example.act is not None:
            acts[row] = ACTS.index(example.act)
        for outcome in example.outcomes:
            outcomes[row, LINKS.index(outcome)] = 1
        if example.has_spans:
            _mark(tags[row], reading.message, example.times, 3, clear=True)
            _mark(tags[row], reading.message, example.values, 1)
            _mark(tags[row], reading.known, example.old_values, 1, clear=True)
    return {
        "ids": ids,
        "mask": mask,
        "types": types,
        "groups": torch.tensor([place for place, group in enumerate(groups) for _ in group]),
        "link": link,
        "new": new,
        "acts": acts,
        "outcomes": outcomes,
        "tags": tags,
    }


def loss(out: tuple[torch.Tensor, ...], told: dict[str, torch.Tensor]) -> torch.Tensor:
    """The sum of what each head missed, of what was told."""
    link, outcomes, acts, new, tags = (each.float() for each in out)
    total = _unlinked(link, told["link"], told["groups"])
    known = told["new"] >= 0
    if known.any():
        binary = nn.functional.binary_cross_entropy_with_logits
        total = total + 0.5 * binary(new[known], told["new"][known])
    some = told["outcomes"].sum(1) > 0
    if some.any():
        # Any of the outcomes that are told is right.
        chances = nn.functional.log_softmax(outcomes[some], dim=1)
        chances = chances.masked_fill(told["outcomes"][some] == 0, -1e4)
        total = total - torch.logsumexp(chances, dim=1).mean() * 0.7
    if (told["acts"] >= 0).any():
        total = total + 0.5 * nn.functional.cross_entropy(acts, told["acts"], ignore_index=-1)
    if (told["tags"] >= 0).any():
        total = total + nn.functional.cross_entropy(
            tags.flatten(0, 1), told["tags"].flatten(), ignore_index=-1
        )
    return total


def _unlinked(logits: torch.Tensor, wanted: torch.Tensor, groups: torch.Tensor) -> torch.Tensor:
    """What is missed of which known statement a message is about: one softmax over all of them and none, whose logit is 0.

    Of several that it is about each is set against those that it is not about.
    """
    known = wanted >= 0
    raised = torch.exp(logits.clamp(-20, 20))
    of_groups = torch.zeros(int(groups.max()) + 1)
    wrong = 1 + of_groups.index_add(0, groups, raised * (wanted == 0))
    is_right = wanted == 1
    count = of_groups.index_add(0, groups, is_right.float())
    looked_at = of_groups.index_add(0, groups, known.float()) > 0
    about_none = torch.log(wrong[looked_at & (count == 0)])
    of_right = groups[is_right]
    about = torch.log1p(wrong[of_right] / raised[is_right]) / count[of_right]
    return (about_none.sum() + about.sum()) / looked_at.sum().clamp(min=1)


def _mark(
    tags: torch.Tensor,
    places: list[tuple[int, int, int]],
    spans: list[tuple[int, int]],
    begin: int,
    clear: bool = False,
) -> None:
    if clear:
        for token, _, _ in places:
            tags[token] = 0
    for start, end in spans:
        inside = [token for token, first, last in places if first < end and last > start]
        for index, token in enumerate(inside):
            tags[token] = begin if index == 0 else begin + 1
