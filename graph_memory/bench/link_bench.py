"""`bench links`: a linker reads chat streams in order, and is compared with what a careful reader says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from graph_memory.base.errors import Invalid
from graph_memory.bench.kept_texts import as_kept, texts_kept
from graph_memory.bench.link_quality import OUTCOMES, Linker, S, answered, figures
from graph_memory.bench.stream_linker import StreamLinker
from graph_memory.judge.training.linker_examples import Situation, situations
from graph_memory.judge.training.streams import Stream, parse, read

_WIDTH = 20


@dataclass(frozen=True)
class Measured(Generic[S]):
    """A linker, and the bookkeeping that tells it of each message of a stream what was in force then."""

    situations: Callable[[Stream], Iterable[S]]
    linker: Linker[S]


def measured(beside_kept: bool = False) -> Measured[Situation]:
    """What `bench links` measures: the linker of talk, with the default embedder.

    Messages stand beside what a careful reader wrote of those before, or beside what the service keeps of them.
    """
    return Measured(_situations_kept if beside_kept else situations, StreamLinker())


def bench_links(
    paths: Sequence[Path], what: Measured[S], told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """The figures of a linker over the streams of files and folders. Raises Invalid for what is not of the format."""
    streams = read_streams(paths)
    answers = []
    for number, stream in enumerate(streams, 1):
        answers += answered(what.situations(stream), what.linker)
        told(f"{stream.name}: {number} of {len(streams)}")
    return {"streams": len(streams), **figures(answers)}


def read_streams(paths: Sequence[Path]) -> list[Stream]:
    """The streams of files, and of the files of folders. Raises Invalid for what is not of the format."""
    try:
        return [stream for path in paths for stream in _read(path)]
    except (OSError, ValueError) as error:
        raise Invalid(f"The streams cannot be read: {error}.", path="streams") from error


def report(told: dict[str, Any]) -> str:
    """The figures as a table: percent with their intervals, a column for each threshold."""
    columns = told["thresholds"]
    return "\n".join(
        [
            f"{told['messages']} messages with {told['links']} links, in {told['streams']} streams",
            "",
            _line("recall", told["recall"]),
            *(
                _line(name, (_cell(each[name]) for each in told["recall"].values()))
                for name in ("linked", "none", "all")
            ),
            "",
            _line("threshold", (f"{each['threshold']:.2f}" for each in columns)),
            *(
                _line(f"{name}, {side}", (_cell(each[name][side]) for each in columns))
                for name in ("link", *OUTCOMES)
                for side in ("precision", "recall")
            ),
            _line("wrong retirements", (_cell(each["wrong_retirements"]) for each in columns)),
            _line("coverage", (_cell(each["coverage"]) for each in columns)),
            "",
            "Percent, with the interval of 90 %. Wrong retirements are for 100 messages; a dash: nothing was counted.",
        ]
    )


def _situations_kept(stream: Stream) -> Iterator[Situation]:
    kept = texts_kept(stream)
    return (as_kept(each, kept) for each in situations(stream))


def _read(path: Path) -> Iterator[Stream]:
    yield from read(path) if path.is_dir() else parse(path.read_text("utf-8"), path.name)


def _line(name: str, cells: Iterable[str]) -> str:
    return f"{name:{_WIDTH}}" + "".join(f"{cell:>{_WIDTH}}" for cell in cells)


def _cell(share: dict[str, Any]) -> str:
    if not share["of"]:
        return "-"
    return f"{100 * share['rate']:.1f} ({100 * share['low']:.1f}-{100 * share['high']:.1f})"
