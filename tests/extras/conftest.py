"""Tests of the optional parts, each collected where its part is installed: `make test-extras` installs them all."""

from __future__ import annotations

from importlib.util import find_spec

NEEDED = {
    "test_fuzz.py": "schemathesis",
    "test_langchain.py": "langchain_core",
    "test_langgraph.py": "langgraph",
    "test_openai_agents.py": "agents",
    "test_sentence_transformers.py": "sentence_transformers",
}
collect_ignore = [file for file, package in NEEDED.items() if not find_spec(package)]
