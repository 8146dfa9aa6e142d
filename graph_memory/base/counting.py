"""Numbers of things in sentences."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`1 text`, `2 texts`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
