"""How work is shown: bars where there is a terminal, plain lines where there is none."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.progress import Progress as Bars

if TYPE_CHECKING:
    from graph_memory.local.artefacts import Artefact


class Progress:
    """Shows the steps of `up` on one console."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True, highlight=False)

    def say(self, line: str) -> None:
        """One line for people."""
        self.console.print(line, soft_wrap=True, markup=False)

    @contextmanager
    def downloading(self, artefacts: list[Artefact]) -> Iterator[Callable[[int], None]]:
        """Gives the function to call with each number of bytes that arrived."""
        total = sum(each.size for each in artefacts)
        title = f"Neo4j and GDS, {len(artefacts)} files"
        if self.console.is_terminal:
            with _bars(self.console) as bars:
                task = bars.add_task(title, total=total)
                yield lambda count: bars.advance(task, count)
        else:
            self.say(f"Downloading {title}, {total / 1e6:.0f} MB")
            yield _tenths(total, self.say)


class Silent(Progress):
    """Shows nothing; for tests and programs."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True))


def _bars(console: Console) -> Bars:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    return Bars(*columns, console=console)


def _tenths(total: int, say: Callable[[str], None]) -> Callable[[int], None]:
    lock = threading.Lock()
    done = shown = 0

    def tell(count: int) -> None:
        nonlocal done, shown
        with lock:
            done += count
            tenth = done * 10 // total
            if tenth > shown:
                shown = tenth
                say(f"  {tenth * 10} %")

    return tell
