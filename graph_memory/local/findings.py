"""The words of `doctor`: a check answers with a sentence, or raises a Fault that says how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from graph_memory.base.settings import ApiSettings
from graph_memory.local.report import Report, report
from graph_memory.settings import Settings
from graph_memory.store.settings import BrokerSettings, Neo4jSettings, StackSettings

if TYPE_CHECKING:
    import neo4j


class Fault(Exception):  # noqa: N818
    """Something is wrong: what, and what to do about it."""

    def __init__(self, told: str, fix: str) -> None:
        super().__init__(told)
        self.told = told
        self.fix = fix


class Skip(Exception):  # noqa: N818
    """There is nothing to check here, and why."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    check: str
    state: Literal["ok", "fault", "skipped"]
    told: str
    fix: str = ""


class Examination:
    """What the checks look at. The driver is opened by the first check that needs it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.failed: set[str] = set()
        self._open = ExitStack()

    @cached_property
    def report(self) -> Report:
        """The local stack as `status` shows it."""
        return report(self.settings)

    @cached_property
    def driver(self) -> neo4j.Driver:
        """A driver of the store, of a server that was found new enough."""
        from graph_memory.store.service import open_driver

        return self._open.enter_context(open_driver(self.settings))

    def require_part(self, name: str) -> None:
        """Go on only if this part belongs to the stack that runs here."""
        if name not in {part.name for part in self.report.parts}:
            raise Skip(f"no {name} belongs to a stack in {self.settings[StackSettings].data}")

    def remedy(self, part: str) -> str:
        """How to start a part that does not run, by where it is meant to run."""
        settings = self.settings
        named = {"neo4j": settings[Neo4jSettings].uri, "api": settings[ApiSettings].url}.get(
            part, settings[BrokerSettings].url
        )
        if named is None:
            return f"run `graph-memory up`; `graph-memory logs {part}` tells why it ended"
        return f"start it where it runs; in Docker `docker compose up --wait {part}`, and `docker compose logs {part}` tells more"

    def __enter__(self) -> Examination:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()


@dataclass(frozen=True)
class Check:
    """One row of the table: its name, what it does, and the checks without which it makes no sense."""

    name: str
    run: Callable[[Examination], str]
    after: tuple[str, ...] = ()
