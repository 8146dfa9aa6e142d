from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graph_memory.base.errors import ModelFault
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store.protocols import Embedder

SENTENCES = [
    "Ann likes tea.",
    "The ferry to Bergen was cancelled because of the storm, and nobody knew when the next one would leave.",
    "No",
    "Ann likes tea.",
    "🙂",
    "word " * 2000,
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder(EmbedderSettings().model_copy(update={"batch": 2}))


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert embedder.embed([]) == []


def test_vectors_have_length_one_and_the_dimension_promised(embedder: Embedder) -> None:
    vectors = embedder.embed(SENTENCES)
    assert {len(vector) for vector in vectors} == {embedder.dimension} == {384}
    assert all(math.isclose(cosine(vector, vector), 1, abs_tol=1e-5) for vector in vectors)


def test_vectors_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    together = embedder.embed(SENTENCES)
    alone = [embedder.embed([sentence])[0] for sentence in SENTENCES]
    assert all(cosine(one, other) > 0.999 for one, other in zip(together, alone, strict=True))


def test_the_same_text_gives_the_same_vector_and_others_another(embedder: Embedder) -> None:
    assert embedder.embed(["Ann likes tea."]) == embedder.embed(["Ann likes tea."])
    tea, ferry, like = embedder.embed(["Ann likes tea.", SENTENCES[1], "Ann loves tea"])
    assert cosine(tea, like) > 0.8 > 0.3 > cosine(tea, ferry)


def test_only_the_first_256_tokens_count(embedder: Embedder) -> None:
    long, longer = embedder.embed(["word " * 300, "word " * 300 + "Bergen"])
    assert long == pytest.approx(longer, abs=1e-5)


def test_threads_may_share_an_embedder(embedder: Embedder) -> None:
    expected = embedder.embed(SENTENCES[:2])
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: embedder.embed(SENTENCES[:2]), range(12)))
    assert all(
        cosine(one, other) > 0.999 for pair in found for one, other in zip(pair, expected, strict=True)
    )


def test_another_file_than_the_expected_one_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "model.onnx"
    wrong.write_bytes(b"not the model")
    with pytest.raises(ModelFault, match=r"model\.onnx.*sha256 [0-9a-f]{64}, expected 8199be6f"):
        open_embedder(EmbedderSettings(model_path=wrong))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFault, match=r"nowhere\.onnx"):
        open_embedder(EmbedderSettings(model_path=tmp_path / "nowhere.onnx"))
