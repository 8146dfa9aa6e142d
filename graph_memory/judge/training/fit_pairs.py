"""`python -m graph_memory.judge.training.fit_pairs DATA`: trains the pair model on and writes it in 8 bits.

DATA holds the folders `streams` and `pairs`. Streams of the hands in CALIBRATION and in LATER, pairs of those in KEPT_HANDS,
and every twelfth group of the others are not learnt from. Takes a quarter of an hour on two cores, and needs the extra `torch`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from graph_memory.judge.linker_input import Known, Reader, Reading, Utterance
from graph_memory.judge.pair_model import MODEL, as_sentence
from graph_memory.judge.training import pair_network as network
from graph_memory.judge.training.descent import Descent
from graph_memory.judge.training.fit_linker import CALIBRATION, LATER, digest, encoder_of, reader_of, write
from graph_memory.judge.training.linker_examples import PAIRS
from graph_memory.judge.training.linker_weights import load_pair_model
from graph_memory.judge.training.pair_examples import PairExample, material
from graph_memory.judge.training.pairs import FILE
from graph_memory.judge.training.streams import read
from graph_memory.model.verdict import Action

EPOCHS, BATCH, SEED = 2, 32, 1
# Of the encoder and of the heads.
RATE, HEADS_RATE, WARM_UP = 4e-5, 2e-4, 0.06
# From these chances on it acts: chosen on 1,565 pairs that it has not learnt from (docs/explanation/judges.md).
THRESHOLDS = {Action.DUPLICATE: 0.88, Action.SUPERSEDE: 0.94, Action.MERGE: 0.8}

Item = tuple[PairExample, Reading]


def main(folder: Path) -> None:
    """Trains on the streams and pairs of a folder and on the package's pairs, and writes the model into the package."""
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    streams = [each for each in read(folder / "streams") if each.name[:3] not in CALIBRATION | LATER]
    learnt, reader = material(streams, folder / "pairs", rng), reader_of()
    net = network.PairNetwork(encoder_of())
    load_pair_model(net, MODEL)
    for weights in net.encoder.embeddings.parameters():
        weights.requires_grad = False
    _train(net, lambda: _batches(learnt.epoch(rng), reader, rng))
    card = {
        "base": "the packaged pair model, of the linker",
        "data_sha256": digest(
            [*sorted((folder / "streams").glob("*.txt")), *sorted((folder / "pairs").iterdir()), PAIRS, FILE]
        ),
        "streams": len(streams),
        "thresholds": {action.value: least for action, least in THRESHOLDS.items()},
    }
    write(net, MODEL, ["actions", "links"], card)


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


def _batches(examples: Sequence[PairExample], reader: Reader, rng: random.Random) -> list[list[Item]]:
    """Examples of like length together, so that little is spent on padding."""
    items = [(each, read_pair(reader, each)) for each in examples]
    items.sort(key=lambda item: len(item[1].ids) + 12 * rng.random())
    batches = [items[at : at + BATCH] for at in range(0, len(items), BATCH)]
    rng.shuffle(batches)
    return batches


if __name__ == "__main__":
    main(Path(sys.argv[1]))
