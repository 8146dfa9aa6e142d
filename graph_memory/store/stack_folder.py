"""The data folder of a stack: what belongs in it, which layout it has, its passwords, and where the running stack listens."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graph_memory.base.errors import StackFault, Unavailable

LAYOUT = 1
STACK = "stack.json"
SECRETS = "secrets.json"
LISTENING = "listening.json"
FOLDERS = ("neo4j", "broker", "logs", "run")

# What brings a folder of layout N to N + 1, by N.
STEPS: dict[int, Callable[[Path], None]] = {}


@dataclass(frozen=True)
class Secrets:
    """The passwords that were made for this stack's servers."""

    neo4j_password: str
    broker_password: str

    def __repr__(self) -> str:
        return "Secrets(...)"


def claim(data: Path) -> Secrets:
    """Make the folder ours, or find it so; its passwords. Refuses what is not ours or too new."""
    _check(data)
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name in FOLDERS:
        (data / name).mkdir(exist_ok=True, mode=0o700)
    _migrate(data)
    if not (data / SECRETS).exists():
        write_private(data / SECRETS, json.dumps(asdict(_new_secrets()), indent=1))
    return read_secrets(data)


def is_claimed(data: Path) -> bool:
    """Whether a stack lives there."""
    return (data / STACK).is_file() and (data / SECRETS).is_file()


def read_secrets(data: Path) -> Secrets:
    """The passwords of the stack that lives there."""
    if not is_claimed(data):
        raise Unavailable(
            f"There is no stack in {data} yet: run `graph-memory up`, "
            "or name servers with GRAPH_MEMORY_NEO4J_URI and GRAPH_MEMORY_BROKER_URL."
        )
    try:
        return Secrets(**json.loads((data / SECRETS).read_text("utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise StackFault(
            f"{data / SECRETS} cannot be read ({why_unread(error)}); restore it from a copy, "
            "or move the folder away and start a new stack."
        ) from error


def write_listening(data: Path, values: dict[str, dict[str, Any]]) -> None:
    """Keep the settings by which the stack that starts there is reached."""
    write_private(data / "run" / LISTENING, json.dumps(values, indent=1))


def listening(data: Path) -> dict[str, dict[str, Any]]:
    """The settings by which the stack that runs there is reached; none while it is down."""
    try:
        found = json.loads((data / "run" / LISTENING).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def forget_listening(data: Path) -> None:
    """Nothing listens there any more."""
    (data / "run" / LISTENING).unlink(missing_ok=True)


def why_unread(error: Exception) -> str:
    """Why a file of ours could not be read, in words for people."""
    return (
        error.strerror or "it cannot be opened"
        if isinstance(error, OSError)
        else "its content is not what was saved"
    )


def write_private(path: Path, text: str) -> None:
    """Written at once, readable by its owner alone."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(
        os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text + "\n")
    fresh.replace(path)


def _check(data: Path) -> None:
    if not data.exists():
        return
    if not data.is_dir():
        raise StackFault(f"{data} is not a folder; name another with GRAPH_MEMORY_STACK_DATA.")
    if not (data / STACK).exists() and any(each.name not in FOLDERS for each in data.iterdir()):
        raise StackFault(
            f"{data} holds files and is not a stack's folder; nothing was touched. "
            "Name an empty or new folder with GRAPH_MEMORY_STACK_DATA."
        )


def _migrate(data: Path) -> None:
    layout = _layout(data)
    if layout > LAYOUT:
        raise StackFault(
            f"{data} was made by a newer version of graph-memory (layout {layout}, this one knows {LAYOUT}); "
            "install that version, or name another folder with GRAPH_MEMORY_STACK_DATA."
        )
    for step in range(layout, LAYOUT):
        STEPS[step](data)
        _record(data, step + 1)
    _record(data, LAYOUT)


def _layout(data: Path) -> int:
    path = data / STACK
    if not path.exists():
        return LAYOUT
    try:
        return int(json.loads(path.read_text("utf-8"))["layout"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StackFault(
            f'{path} cannot be read ({why_unread(error)}); it should hold {{"layout": {LAYOUT}}}.'
        ) from error


def _record(data: Path, layout: int) -> None:
    write_private(data / STACK, json.dumps({"layout": layout}))


def _new_secrets() -> Secrets:
    return Secrets(secrets.token_urlsafe(24), secrets.token_urlsafe(24))
