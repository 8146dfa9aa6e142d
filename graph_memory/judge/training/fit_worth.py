"""`python -m graph_memory.judge.training.fit_worth DATA`: trains the model of worth on, and writes it in 8 bits.

DATA holds the folders `chats`, `orders` and `streams`; what the hands in KEPT wrote is not learnt from. Takes about four
minutes on two cores, and needs the extra `torch`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from graph_memory.judge.training.descent import Descent
from graph_memory.judge.training.fit_linker import CALIBRATION, LATER, digest, encoder_of, reader_of, write
from graph_memory.judge.training.linker_weights import load_worth
from graph_memory.judge.training.worth_examples import Asked, Graded, read, read_orders
from graph_memory.judge.worth import MODEL, MOST, WorthModel

KEPT = CALIBRATION | LATER | frozenset({"w5", "fz"})
# Six layers were no better on hands that were not learnt from, and take twice the time.
LAYERS = 3
EPOCHS, BATCH, SEED = 4.0, 32, 1
RATE, HEAD_RATE, WARM_UP, SMOOTHING = 5e-5, 1e-3, 0.06, 0.05
# Messages of chats that are no orders, learnt from in each pass.
_OTHERS = 3000
# The hands that wrote orders and what looks like one.
_WRITTEN = frozenset({"fa", "fb", "fc", "fd"})
# How much a grade counts beside what the packaged model says: nothing while it has learnt all grades that there are.
_GRADE_SHARE = 0.0

# What is read, and how sure each answer should be.
Item = tuple[list[int], tuple[float, float, float]]


class WorthNetwork(nn.Module):  # type: ignore[misc]
    """Answers logits of shape [n, 3]: that a sentence tells anything, that nothing is left open in it, and that it is an order
    to forget."""

    def __init__(self, encoder: Any, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.encoder.encoder.layer = self.encoder.encoder.layer[:LAYERS]
        for weights in encoder.embeddings.parameters():
            weights.requires_grad = False
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * encoder.config.hidden_size, 3)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        told = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * told).sum(1) / told.sum(1)
        return self.head(self.dropout(torch.cat([hidden[:, 0], mean], dim=1)))


def main(folder: Path) -> None:
    """Trains on what a folder holds, and writes the model into the package."""
    learnt = [each for each in read(folder / "chats") if each.hand not in KEPT]
    asked = [each for each in read_orders(folder) if each.hand not in KEPT]
    net = WorthNetwork(encoder_of())
    load_worth(net, MODEL)
    fit(net, learnt, asked)
    files = [file for name in ("chats", "orders") for file in sorted((folder / name).glob("*.jsonl"))]
    card = {
        "base": "the packaged model, of the first three layers of all-MiniLM-L6-v2",
        "data_sha256": digest([*files, *sorted((folder / "streams").glob("*.txt"))]),
        "sentences": len(learnt),
        "orders": sum(each.is_order for each in asked),
    }
    write(net, MODEL, ["worth"], card)


def fit(net: WorthNetwork, learnt: Sequence[Graded], asked: Sequence[Asked]) -> None:
    """Lets a network learn from graded sentences and orders. What a sentence is worth is held to what the packaged model says."""
    torch.manual_seed(SEED)
    rng, reader, before = random.Random(SEED), reader_of(), WorthModel()

    def items(some: Sequence[Asked]) -> list[Item]:
        return [
            (reader.alone(each.text, MOST), (*_worth(before, each.text, None), _soft(each.is_order)))
            for each in some
        ]

    graded = [
        (reader.alone(each.text, MOST), (*_worth(before, each.text, each.grade), _soft(False)))
        for each in learnt
    ]
    # Messages of chats that are no orders are very many, and none of them was written to look like one.
    far = [each for each in asked if not each.is_order and each.hand not in _WRITTEN]
    near = items([each for each in asked if each.is_order or each.hand in _WRITTEN])
    total = int((len(graded) + len(near) + _OTHERS) / BATCH * EPOCHS)
    parts = [(net.encoder.parameters(), RATE), (net.head.parameters(), HEAD_RATE)]
    descent = Descent(net, parts, total, WARM_UP)
    while descent.left:
        for chosen in _batches([*graded, *near, *items(rng.sample(far, _OTHERS))], rng)[: descent.left]:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(*padded([ids for ids, _ in chosen]))
            told = torch.tensor([each for _, each in chosen])
            descent.step(nn.functional.binary_cross_entropy_with_logits(out.float(), told))


def _worth(before: WorthModel, text: str, grade: int | None) -> tuple[float, float]:
    """How sure the network should be that a sentence tells anything, and that nothing is left open in it."""
    said = before.read(text)
    if grade is None:
        return said.tells, said.complete
    share = _GRADE_SHARE
    return share * (grade > 0) + (1 - share) * said.tells, share * (grade > 1) + (1 - share) * said.complete


def _soft(is_order: bool) -> float:
    return is_order * (1 - SMOOTHING) + SMOOTHING / 2


def padded(texts: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, mask and types of texts, padded to the longest."""
    length = max(map(len, texts))
    ids, mask = (torch.zeros(len(texts), length, dtype=torch.long) for _ in range(2))
    for row, text in enumerate(texts):
        ids[row, : len(text)] = torch.tensor(text)
        mask[row, : len(text)] = 1
    return ids, mask, torch.zeros_like(ids)


def _batches(items: Sequence[Item], rng: random.Random) -> list[list[Item]]:
    """Sentences of like length together, so that little is spent on padding."""
    ordered = sorted(items, key=lambda item: len(item[0]) + 12 * rng.random())
    batches = [ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH)]
    rng.shuffle(batches)
    return batches


if __name__ == "__main__":
    main(Path(sys.argv[1]))
