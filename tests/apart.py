"""For files of tests that must have a store to themselves: `from tests.apart import driver, stack`.

They work on all tenants, start workers and a beat that do, or spoil the server; other files' tests run meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator

import neo4j
import pytest

from graph_memory.settings import Settings
from graph_memory.store.service import open_driver


@pytest.fixture(scope="module")
def stack(own_stack: Settings) -> Settings:
    """In the place of the shared one."""
    return own_stack


@pytest.fixture(scope="module")
def driver(stack: Settings) -> Iterator[neo4j.Driver]:
    """In the place of the shared one's."""
    with open_driver(stack) as opened:
        yield opened
