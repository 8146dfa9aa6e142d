"""Embedders of other providers: in batches, tried again while the time-out allows, and never trusted."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from pydantic import SecretStr

from graph_memory.base.errors import BadVector, Misconfigured, MissingExtra, Unavailable
from graph_memory.models import profiles
from graph_memory.models.embedders import embed_if_possible, open_embedder
from graph_memory.models.embedding_checks import Checked
from graph_memory.models.openai_embedder import OpenAIEmbedder
from graph_memory.models.settings import EmbedderSettings
from tests.contract.source_files import trees
from tests.wires import Behaviour, Received, Wires, drips, fails, hangs, sends

TEXTS = ["Ann likes tea.", "Ben sails.", "Cleo runs."]


class Given:
    """An embedder that gives what it is told to give."""

    model, dimension = "given", 3

    def __init__(self, *vectors: Any) -> None:
        self.vectors = list(vectors)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return self.vectors


@pytest.mark.parametrize(
    ("vectors", "told"),
    [
        ([[1.0, 0.0]], "2 numbers"),
        ([[1.0, 0.0, 0.0, 0.0]], "4 numbers"),
        ([], "0 vectors for 1 text"),
        ([[1.0, 0.0, 0.0]] * 2, "2 vectors for 1 text"),
        ([[float("nan"), 0.0, 1.0]], "not a number"),
        ([[float("inf"), 0.0, 1.0]], "not a number"),
        ([[0.0, 0.0, 0.0]], "all zero"),
        ([["a", 0.0, 1.0]], "not a number"),
        ([[1e30, 0.0, 0.0]], "infinite"),
    ],
)
def test_what_is_no_vector_is_refused(vectors: list[Any], told: str) -> None:
    """F17: wrong dimension, NaN, infinite, zero."""
    with pytest.raises(BadVector, match=told):
        Checked(Given(*vectors)).embed(["a"])


def test_vectors_are_made_to_have_length_one() -> None:
    assert Checked(Given([3.0, 0.0, 4.0])).embed(["a"]) == [[0.6, 0.0, 0.8]]


def test_a_failing_embedder_leaves_texts_without_vectors() -> None:
    assert embed_if_possible(Checked(Given([0.0, 0.0, 0.0])), ["a"]) == [None]
    assert embed_if_possible(Checked(Given([3.0, 0.0, 4.0])), ["a"]) == [[0.6, 0.0, 0.8]]


def answers(vector: Callable[[str], Any] = lambda text: [float(len(text)), 1.0, 0.0]) -> Behaviour:
    """Vectors for each text, last first."""

    def raw(asked: Received) -> bytes:
        rows = [{"index": i, "embedding": vector(text)} for i, text in enumerate(asked.body["input"])]
        return json.dumps({"data": rows[::-1], "model": "m"}).encode()

    return Behaviour(raw)


@pytest.fixture
def wires() -> Iterator[Wires]:
    with Wires() as opened:
        yield opened


def opened(wires: Wires, slept: list[float] | None = None, **given: Any) -> OpenAIEmbedder:
    values = {"model": "m", "dimension": 3, "url": f"{wires.url}/v1", "timeout": 5.0, **given}
    fixed = {"batch": values.pop("batch", EmbedderSettings.batch)}
    kept = slept if slept is not None else []
    settings = EmbedderSettings(provider="openai", **values).model_copy(update=fixed)
    return OpenAIEmbedder(settings, sleep=kept.append)


def test_texts_are_sent_in_batches_and_answered_in_their_order(wires: Wires) -> None:
    wires.script(answers())
    found = opened(wires, batch=2, api_key=SecretStr("secret")).embed(TEXTS)
    assert [vector[0] for vector in found] == [float(len(text)) for text in TEXTS]
    assert [asked.body["input"] for asked in wires.received] == [TEXTS[:2], TEXTS[2:]]
    assert wires.received[0].path == "/v1/embeddings"
    assert wires.received[0].headers["Authorization"] == "Bearer secret"
    assert "dimensions" not in wires.received[0].body


def test_a_shorter_vector_is_asked_for_only_when_wanted(wires: Wires) -> None:
    wires.script(answers())
    opened(wires, send_dimension=True).embed(TEXTS)
    assert wires.received[0].body["dimensions"] == 3


def test_a_passing_fault_is_tried_again_when_the_server_says_so(wires: Wires) -> None:
    slept: list[float] = []
    wires.script(fails(429, retry_after=2), fails(503), answers())
    assert len(opened(wires, slept).embed(TEXTS)) == 3
    assert slept == [2.0, 1.0]


def test_a_lasting_fault_is_not_tried_again(wires: Wires) -> None:
    wires.script(fails(401))
    with pytest.raises(Unavailable, match=r"status 401.*GRAPH_MEMORY_EMBEDDER_API_KEY"):
        opened(wires).embed(TEXTS)
    assert len(wires.received) == 1


def test_a_pause_longer_than_the_time_out_is_not_waited_for(wires: Wires) -> None:
    slept: list[float] = []
    wires.script(fails(429, retry_after=60))
    with pytest.raises(Unavailable):
        opened(wires, slept).embed(TEXTS)
    assert slept == []


@pytest.mark.parametrize("behaviour", [hangs(), drips("x" * 4000)], ids=["silent", "dripping"])
def test_a_slow_server_is_given_up(wires: Wires, behaviour: Behaviour) -> None:
    """F17: slow. The time-out holds for the whole answer, also when a byte comes now and then."""
    wires.script(behaviour)
    with pytest.raises(Unavailable, match="no answer in time"):
        opened(wires, timeout=0.5).embed(TEXTS)


def test_a_server_that_failed_is_left_alone_for_a_while(wires: Wires) -> None:
    wires.script(fails(400), answers())
    now = [0.0]
    given = EmbedderSettings(provider="openai", model="m", dimension=3, url=f"{wires.url}/v1")
    embedder = OpenAIEmbedder(given, sleep=lambda _: None, monotonic=lambda: now[0])
    for _ in range(2):
        with pytest.raises(Unavailable):
            embedder.embed(TEXTS)
    assert len(wires.received) == 1
    now[0] = 16.0
    assert len(embedder.embed(TEXTS)) == 3


@pytest.mark.parametrize(
    "behaviour",
    [
        sends(b"<html>"),
        sends(b'{"data": 3}'),
        sends(b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}'),
        sends(b'{"data": [{"index": 0, "embedding": "x"}]}'),
        answers(lambda _: [1.0, 2.0]),
        answers(lambda _: [0.0, 0.0, 0.0]),
        answers(lambda _: [float("nan"), 1.0, 0.0]),
        answers(lambda _: [None, 1.0, 0.0]),
    ],
    ids=["no json", "no list", "too few", "no numbers", "short", "zero", "nan", "null"],
)
def test_nonsense_of_a_server_is_refused(wires: Wires, behaviour: Behaviour) -> None:
    """F17."""
    wires.script(behaviour)
    with pytest.raises(BadVector):
        Checked(opened(wires)).embed(TEXTS)


def test_a_server_that_is_down_is_unavailable() -> None:
    given = EmbedderSettings(provider="openai", model="m", dimension=3, url="http://127.0.0.1:9/v1")
    with pytest.raises(Unavailable, match="no connection"):
        open_embedder(given).embed(TEXTS)


def test_what_a_server_needs_is_asked_for_at_once() -> None:
    with pytest.raises(Misconfigured) as told:
        open_embedder(EmbedderSettings(provider="openai"))
    assert {"MODEL", "DIMENSION", "URL"} == {
        fault.split(":")[0].rsplit("_", 1)[1] for fault in told.value.faults
    }


def test_without_the_extra_its_name_is_told() -> None:
    """Case 149; the tests of the extras have it installed, these have not."""
    with pytest.raises(MissingExtra, match=r"pip install -e '\.\[torch\]'"):
        open_embedder(EmbedderSettings(provider="sentence-transformers"))


def test_without_extras_everything_can_be_imported() -> None:
    """Case 149: no module of the package imports an extra when it is imported itself."""
    own = ("adapters/", "judge/training/")
    extras = {"torch", "sentence_transformers", "spacy", "anthropic", "openai"}
    found = {
        path: names
        for path, tree in trees().items()
        if not any(each in path for each in own) and (names := set(_imported(tree.body)) & extras)
    }
    assert found == {}


def _imported(body: list[ast.stmt]) -> Iterator[str]:
    """The packages that are imported with a module: what stands in functions, or for type checkers alone, is not."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_typing = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
            blocks = ("orelse",) if is_typing else ("body", "orelse", "finalbody", "handlers")
            for block in blocks:
                yield from _imported(getattr(node, block, []))


def test_a_profile_belongs_to_a_model() -> None:
    assert profiles.of("all-MiniLM-L6-v2-int8").candidates < profiles.UNMEASURED.candidates
    assert profiles.of("all-MiniLM-L6-v2") == profiles.of("all-MiniLM-L6-v2-int8")
    assert profiles.of("nobody measured this") == profiles.UNMEASURED


def test_the_model_leaves_nothing_in_the_home_folder(tmp_path):
    code = "from graph_memory.models.embedders import open_embedder; from graph_memory.models.settings import EmbedderSettings; "
    code += "open_embedder(EmbedderSettings()).embed(['Ann sails.'])"
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert list(tmp_path.rglob("*onnxruntime*")) == []
