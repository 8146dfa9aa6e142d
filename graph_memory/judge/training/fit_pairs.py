"""`python -m graph_memory.judge.training.fit_pairs DATA`: trains the pair model on and writes it in 8 bits.

DATA holds the folders `streams` and `pairs`. Streams of the hands in CALIBRATION and in LATER, pairs of those in KEPT_HANDS,
and every twelfth group of the others are not learnt from. Takes twenty minutes on two cores, and needs the extra `torch`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from graph_memory.judge.linker_input import NOBODY, Known, Reader, Reading, Utterance
from graph_memory.judge.pair_model import ACTIONS, MODEL, PairModel, as_sentence
from graph_memory.judge.training import pair_network as network
from graph_memory.judge.training.descent import Descent
from graph_memory.judge.training.fit_linker import CALIBRATION, LATER, digest, encoder_of, reader_of, write
from graph_memory.judge.training.linker_examples import PAIRS
from graph_memory.judge.training.linker_weights import load_pair_model
from graph_memory.judge.training.pair_examples import PairExample, material
from graph_memory.judge.training.pairs import FILE
from graph_memory.judge.training.streams import read
from graph_memory.model.verdict import Action, Statement

EPOCHS, BATCH, SEED = 2, 32, 1
# Of the encoder and of the heads.
RATE, HEADS_RATE, WARM_UP = 4e-5, 2e-4, 0.06
# How much of what was learnt the weights have; the rest is as it was.
LEARNT = 0.7
# From these chances on it acts: chosen on pairs that it has not learnt from (docs/explanation/judges.md).
THRESHOLDS = {Action.DUPLICATE: 0.87, Action.SUPERSEDE: 0.9, Action.MERGE: 0.7}

_NOW = datetime(2026, 1, 1, tzinfo=UTC)

Item = tuple[PairExample, Reading]


def main(folder: Path) -> None:
    """Trains on the streams and pairs of a folder and on the package's pairs, and writes the model into the package."""
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    streams = [each for each in read(folder / "streams") if each.name[:3] not in CALIBRATION | LATER]
    learnt, reader = material(streams, folder / "pairs", rng), reader_of()
    net = network.PairNetwork(encoder_of())
    load_pair_model(net, MODEL)
    before = {name: each.clone() for name, each in net.state_dict().items()}
    for weights in net.encoder.embeddings.parameters():
        weights.requires_grad = False
    _train(net, lambda: _batches(learnt.epoch(rng), reader, rng))
    _mean(net, before)
    card = {
        "base": "the packaged pair model, of the linker; the mean of its weights, .3, and of those learnt, .7",
        "data_sha256": digest(
            [
                *sorted((folder / "streams").glob("*.txt")),
                *sorted((folder / "pairs").glob("*.json*")),
                PAIRS,
                FILE,
            ]
        ),
        "streams": len(streams),
        "thresholds": {action.value: least for action, least in THRESHOLDS.items()},
    }
    write(net, MODEL, ["actions", "links"], card)


def _mean(net: network.PairNetwork, before: Mapping[str, torch.Tensor]) -> None:
    """Makes its weights the mean of those of before and those learnt: the model keeps what it could (Wortsman et al., Robust
    fine-tuning of zero-shot models, 2022)."""
    net.load_state_dict(
        {
            name: before[name].lerp(each, LEARNT) if each.is_floating_point() else each
            for name, each in net.state_dict().items()
        }
    )


def read_pair(reader: Reader, example: PairExample) -> Reading:
    """What the network is given of an example."""
    said = Utterance(example.speaker, as_sentence(example.new))
    return reader.read(said, [Known(as_sentence(example.old), example.author, example.age)])[0]


def _train(net: network.PairNetwork, epoch: Any) -> None:
    batches = epoch()
    total = int(len(batches) * EPOCHS)
    heads = [*net.actions.parameters(), *net.links.parameters()]
    descent = Descent(net, [(net.encoder.parameters(), RATE), (heads, HEADS_RATE)], total, WARM_UP)
    while descent.left:
        for items in batches[: descent.left]:
            told = network.batch(items)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(told["ids"], told["mask"], told["types"])
            descent.step(network.loss(out, told))
        batches = epoch() if descent.left else []


def _with_before(former: PairModel, example: PairExample) -> PairExample:
    """With what the model that is trained on says of it, if that one has learnt its like."""
    if not example.was_learnt:
        return example
    new, old = (
        Statement(None, text, at, None if author == NOBODY else author)
        for text, at, author in (
            (example.new, _NOW, example.speaker),
            (example.old, _NOW - example.age, example.author),
        )
    )
    likely = former.read(new, old)
    return replace(example, before=tuple(likely.actions[each] for each in ACTIONS) if likely else ())


def _batches(examples: Sequence[PairExample], reader: Reader, rng: random.Random) -> list[list[Item]]:
    """Examples of like length together, so that little is spent on padding."""
    former = PairModel()
    with ThreadPoolExecutor() as threads:
        examples = list(threads.map(lambda each: _with_before(former, each), examples))
    items = [(each, read_pair(reader, each)) for each in examples]
    items.sort(key=lambda item: len(item[1].ids) + 12 * rng.random())
    batches = [items[at : at + BATCH] for at in range(0, len(items), BATCH)]
    rng.shuffle(batches)
    return batches


if __name__ == "__main__":
    main(Path(sys.argv[1]))
