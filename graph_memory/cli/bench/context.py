"""What a benchmark is given: a service with a store of its own, and how its figures are shown."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from graph_memory.bench.places import measured_service
from graph_memory.cli.context import PlainContext
from graph_memory.store.service import Service

Seed = Annotated[int, typer.Option(help="Random seed.")]


@dataclass
class BenchContext(PlainContext):
    """Its service has a store of its own, which is measured."""

    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")
    ] = False

    def open(self) -> AbstractContextManager[Service]:
        return measured_service(told)

    def show(self, data: Any, drawn: Any = None) -> None:
        """Figures; people get them as JSON too, but where there is a report."""
        if self.as_json or drawn is None:
            drawn = json.dumps(data, indent=None if self.as_json else 2)
        print(drawn)


def told(line: str) -> None:
    """Progress, for people."""
    print(line, file=sys.stderr, flush=True)
