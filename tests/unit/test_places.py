"""Each key has its places, and one key's cannot take another's."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from graph_memory.api.places import Places
from graph_memory.base.errors import Overloaded


def test_a_key_gets_no_more_than_its_places_and_another_gets_its_own() -> None:
    places = Places(2, "requests")
    with ExitStack() as held:
        for actor in ("one", "one", "other"):
            held.enter_context(places.place(actor))
        with pytest.raises(Overloaded, match="2 requests under way"), places.place("one"):
            pass
        held.enter_context(places.place("other"))
        assert places.held == 4
    assert places.held == 0
    with places.place("one"):
        assert places.held == 1
