"""The invariants of the store as queries, each proven by a mutant that breaks it."""

from graph_memory.verify.anchors import Anchor, read_anchor
from graph_memory.verify.check import Finding, Report, verify

__all__ = ["Anchor", "Finding", "Report", "read_anchor", "verify"]
