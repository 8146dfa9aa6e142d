"""`python -m graph_memory.judge.training`: fits the weights to the pairs and writes them into the package."""

from __future__ import annotations

import json
from typing import Any

from graph_memory.judge.training.fitting import cross_validated, figures, sample, thresholds, trained
from graph_memory.judge.training.pairs import digest, read_pairs
from graph_memory.judge.weights import FILE, VERSION, as_data
from graph_memory.judge.word_similarity import WordVectors
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings


def main() -> None:
    """Fits with and without word vectors. Takes about a minute."""
    pairs = read_pairs()
    words = WordVectors(open_embedder(EmbedderSettings()))
    models = {name: _fitted(pairs, vectors) for name, vectors in (("words", words), ("plain", None))}
    weights = {"version": VERSION, "pairs_sha256": digest(), "pairs": len(pairs), "models": models}
    FILE.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


def _fitted(pairs: Any, vectors: WordVectors | None) -> dict[str, Any]:
    given = sample(pairs, vectors)
    probabilities = cross_validated(given)
    least = thresholds(probabilities, given.labels)
    measured = figures(probabilities, given.labels, least)
    print(json.dumps({"thresholds": least.as_data(), **measured}))
    return as_data(trained(given), least, measured)


main()
