"""Tests of the optional parts, each collected where its part is installed: `make test-extras` installs them all."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

NEEDED = {
    "test_fuzz.py": "schemathesis",
    "test_kubernetes_objects.py": "kubernetes_validate",
    "test_langchain.py": "langchain_core",
    "test_langgraph.py": "langgraph",
    "test_networkx.py": "networkx",
    "test_openai_agents.py": "agents",
    "test_sentence_transformers.py": "sentence_transformers",
}
collect_ignore = [file for file, package in NEEDED.items() if not find_spec(package)]
if not (Path(__file__).parents[1] / "web" / "node_modules").is_dir():
    collect_ignore.append("test_web.py")
