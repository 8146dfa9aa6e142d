"""`python -m graph_memory.judge.training.fit_answers FOLDER`: trains the model of what answers a question, writes it in 8 bits.

Each question is set beside one message that holds its answer and some that do not, mostly such as are like it: the answering
one must stand out. Questions of the sources in LATER are not learnt from. Takes about a quarter of an hour on two cores, and
needs the extra `torch`.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import normalize

from graph_memory.judge.answering import MODEL, QUESTION, STATEMENT
from graph_memory.judge.linker_input import Reader
from graph_memory.judge.training.answer_examples import FILES, Asked, read
from graph_memory.judge.training.descent import Descent
from graph_memory.judge.training.fit_linker import digest, embedded, encoder_of, reader_of, write
from graph_memory.judge.training.fit_worth import padded
from graph_memory.language.index_words import index_words

LATER = frozenset({"talks/h", "answers/d", "answers/f"})
LAYERS = 3
EPOCHS, BATCH, SEED = 3.0, 6, 1
RATE, NARROW_RATE, HEAD_RATE, WARM_UP, SMOOTHING = 6e-5, 1e-3, 5e-3, 0.06, 0.05
# Numbers of each word's direction: few, so that what was read can be kept.
WIDTH = 128
# The share of the questions among decoys that an epoch asks: in talk, the words of a question tell more than they do there.
DECOYS = 0.5
# Beside each message that answers: so many that are like the question or of the same chat, and one of all.
ALIKE, NEAREST, OF_CHAT = 6, 10, 14
# How often a question is asked by some of its words alone, and messages are read as what was made of them.
IN_WORDS, AS_TOLD = 0.12, 0.25
_WORD = re.compile(r"[\w'’-]+")
# Words that ask, beside those that no index holds.
_ASKING = frozenset(
    {
        "what",
        "when",
        "where",
        "who",
        "whom",
        "whose",
        "which",
        "why",
        "how",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
    }
)

Texts = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
Group = tuple[list[int], list[list[int]]]


class AnswerNetwork(nn.Module):  # type: ignore[misc]
    """Answers what `judge/answering.py` compares: directions of words [n, length, WIDTH], shares [n, length], and the
    whole's [n, 384]."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.encoder.encoder.layer = self.encoder.encoder.layer[:LAYERS]
        for weights in encoder.embeddings.parameters():
            weights.requires_grad = False
        self.narrow = nn.Linear(encoder.config.hidden_size, WIDTH, bias=False)
        nn.init.orthogonal_(self.narrow.weight)
        self.share = nn.Linear(encoder.config.hidden_size, 1)
        nn.init.zeros_(self.share.weight)
        nn.init.zeros_(self.share.bias)
        self.scale, self.mix, self.bias = (nn.Parameter(torch.tensor(each)) for each in (12.0, 6.0, -8.0))

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, types: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        shares = self.share(hidden)[..., 0].masked_fill(mask == 0, -1e4).softmax(-1)
        whole = (hidden * mask.unsqueeze(-1).to(hidden.dtype)).sum(1)
        return normalize(self.narrow(hidden), dim=-1), shares, normalize(whole, dim=-1)

    def likeness(self, asked: Texts, said: Texts, owner: torch.Tensor) -> torch.Tensor:
        """Logits, [n]: that each text that is said answers the question that `owner` names."""
        words, shares, meant = (each.float()[owner] for each in self(*asked))
        theirs, _, whole = (each.float() for each in self(*said))
        near = torch.einsum("nqh,nsh->nqs", words, theirs).masked_fill(said[1][:, None] == 0, -1)
        best = (near.max(-1).values * shares).sum(-1)
        return self.scale * best + self.mix * (meant * whole).sum(-1) + self.bias


def main(folder: Path) -> None:
    """Trains on the questions of a folder, and writes the model into the package."""
    learnt = [each for each in read(folder) if each.source not in LATER]
    net = fit(learnt)
    files = [file for each in FILES for file in folder.glob(each)]
    card = {
        "base": "all-MiniLM-L6-v2, its first three layers",
        "data_sha256": digest(sorted(files)),
        "questions": len(learnt),
    }
    weights = {name: round(float(getattr(net, name)), 4) for name in ("scale", "mix", "bias")}
    write(net, MODEL, ["words", "shares", "whole"], card | weights)


def fit(learnt: Sequence[Asked]) -> AnswerNetwork:
    """A network that has learnt from questions."""
    torch.manual_seed(SEED)
    rng, reader, encoder = random.Random(SEED), reader_of(), encoder_of()
    others = _like(encoder, reader, learnt)
    net = AnswerNetwork(encoder)
    total = int(len(_epoch(learnt, rng)) / BATCH * EPOCHS)
    heads = [*net.share.parameters(), net.scale, net.mix, net.bias]
    parts = [(net.encoder.parameters(), RATE), (net.narrow.parameters(), NARROW_RATE), (heads, HEAD_RATE)]
    descent = Descent(net, parts, total, WARM_UP)
    order: list[int] = []
    while descent.left:
        if len(order) < BATCH:
            order = _epoch(learnt, rng)
        groups = [_group(learnt[at], others[at], reader, rng) for at in (order.pop() for _ in range(BATCH))]
        sizes = [len(said) for _, said in groups]
        owner = torch.tensor([row for row, size in enumerate(sizes) for _ in range(size)])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net.likeness(
                padded([asked for asked, _ in groups]),
                padded([one for _, said in groups for one in said]),
                owner,
            )
        descent.step(_missed(out, sizes))
    return net


def _epoch(learnt: Sequence[Asked], rng: random.Random) -> list[int]:
    """The questions that are asked once, in any order."""
    asked = [at for at, each in enumerate(learnt) if not each.is_among_decoys or rng.random() < DECOYS]
    return rng.sample(asked, len(asked))


def _missed(out: torch.Tensor, sizes: Sequence[int]) -> torch.Tensor:
    """How far the answer, the first of each group, is from standing out, and each from its own truth."""
    total = torch.zeros(())
    for group in out.split(list(sizes)):
        truth = torch.zeros(len(group))
        truth[0] = 1
        stands_out = nn.functional.cross_entropy(group[None], torch.tensor([0]), label_smoothing=SMOOTHING)
        total = total + stands_out + 0.5 * nn.functional.binary_cross_entropy_with_logits(group, truth)
    return total / len(sizes)


def _group(asked: Asked, others: Sequence[int], reader: Reader, rng: random.Random) -> Group:
    """The question, and what is said: a message that answers, and after it some that do not."""
    chosen = [*rng.sample(others, min(ALIKE, len(others))), rng.randrange(len(asked.pool))]
    places = [rng.choice(asked.answers), *(place for place in chosen if place not in asked.answers)]
    is_told = rng.random() < AS_TOLD
    question = _in_words(asked.question, rng) if rng.random() < IN_WORDS else asked.question
    said = [asked.pool[place] for place in places]
    texts = [each.told if is_told and each.told else each.text for each in said]
    return reader.alone(question, QUESTION), [reader.alone(text, STATEMENT) for text in texts]


def _in_words(question: str, rng: random.Random) -> str:
    """Some of the words that a question is about, as people type them into a search field."""
    words = [word for word in _WORD.findall(question) if word.lower() not in _ASKING and index_words(word)]
    if rng.random() < 0.5:
        rng.shuffle(words)
    return " ".join(words[: rng.choice([1, 2, 3, 4, 9])]) or question


def _like(encoder: Any, reader: Reader, learnt: Sequence[Asked]) -> list[list[int]]:
    """For each question the messages that are like it and do not answer: the nearest of all, and the nearest of its chat."""
    pools = {id(each.pool): each.pool for each in learnt}
    vectors = {key: embedded(encoder, reader, [said.text for said in pool]) for key, pool in pools.items()}
    questions = embedded(encoder, reader, [each.question for each in learnt])
    found = []
    for each, vector in zip(learnt, questions, strict=True):
        nearest = [int(at) for at in np.argsort(-(vectors[id(each.pool)] @ vector)) if at not in each.answers]
        of_chat = [at for at in nearest if each.pool[at].chat == each.chat]
        found.append(list(dict.fromkeys([*nearest[:NEAREST], *of_chat[:OF_CHAT]])))
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
