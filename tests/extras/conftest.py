"""Tests of the optional parts. They are collected only where `make test-extras` has installed them."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("sentence_transformers") and find_spec("spacy") else ["test_*.py"]
