"""Benchmarks: each prints one JSON object with the figures of design section 14, and leaves nothing behind."""
