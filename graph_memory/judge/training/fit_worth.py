"""`python -m graph_memory.judge.training.fit_worth CHATS`: trains the model of what a sentence is worth, and writes it in 8 bits.

Chats of the hands in LATER are not learnt from. Takes about two minutes on two cores, and needs the extra `torch`.
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
from graph_memory.judge.training.fit_linker import digest, encoder_of, reader_of, write
from graph_memory.judge.training.worth_examples import Graded, read
from graph_memory.judge.worth import MODEL, MOST

LATER = frozenset({"w5"})
# Six layers were no better on hands that were not learnt from, and take twice the time.
LAYERS = 3
EPOCHS, BATCH, SEED = 5.0, 32, 1
RATE, HEAD_RATE, WARM_UP, SMOOTHING = 8e-5, 1e-3, 0.06, 0.05

Item = tuple[list[int], int]


class WorthNetwork(nn.Module):  # type: ignore[misc]
    """Answers logits of shape [n, 2]: that a sentence tells anything, and that nothing is left open in it."""

    def __init__(self, encoder: Any, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = encoder
        self.encoder.encoder.layer = self.encoder.encoder.layer[:LAYERS]
        for weights in encoder.embeddings.parameters():
            weights.requires_grad = False
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * encoder.config.hidden_size, 2)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor) -> torch.Tensor:
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        told = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * told).sum(1) / told.sum(1)
        return self.head(self.dropout(torch.cat([hidden[:, 0], mean], dim=1)))


def main(folder: Path) -> None:
    """Trains on the chats of a folder, and writes the model into the package."""
    learnt = [each for each in read(folder) if each.hand not in LATER]
    net = fit(learnt)
    card = {
        "base": "all-MiniLM-L6-v2, its first three layers",
        "data_sha256": digest(sorted(folder.glob("*.jsonl"))),
        "sentences": len(learnt),
    }
    write(net, MODEL, ["worth"], card)


def fit(learnt: Sequence[Graded]) -> WorthNetwork:
    """A network that has learnt from graded sentences."""
    torch.manual_seed(SEED)
    rng, reader = random.Random(SEED), reader_of()
    net = WorthNetwork(encoder_of())
    items = [(reader.alone(each.text, MOST), each.grade) for each in learnt]
    total = int(len(items) / BATCH * EPOCHS)
    parts = [(net.encoder.parameters(), RATE), (net.head.parameters(), HEAD_RATE)]
    descent = Descent(net, parts, total, WARM_UP)
    while descent.left:
        for chosen in _batches(items, rng)[: descent.left]:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(*padded([ids for ids, _ in chosen]))
            grades = torch.tensor([[float(grade > 0), float(grade > 1)] for _, grade in chosen])
            soft = grades * (1 - SMOOTHING) + SMOOTHING / 2
            descent.step(nn.functional.binary_cross_entropy_with_logits(out.float(), soft))
    return net


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
