"""Structured logs on standard error: one line an event, with ids, counts and times, never the text of a memory."""

from __future__ import annotations

import logging
import sys

import structlog

from graph_memory.base.sections import Sections
from graph_memory.base.settings import LogSettings


def configure(settings: Sections) -> None:
    """Sends every logger of this process through one formatter. Called at entry points only."""
    chain: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    final: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if settings[LogSettings].format == "json"
        else structlog.dev.ConsoleRenderer(colors=False)
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=chain,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            final,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings[LogSettings].level)
    # Those of the language models would log what is sent to them.
    models = ("anthropic", "openai", "httpx2", "httpcore2")
    # That of the agents' tools would log what a tool answers to a mistake, which may quote a memory.
    for chatty in ("neo4j", "httpx", "uvicorn.access", "graphdatascience", "mcp", *models):
        logging.getLogger(chatty).setLevel(logging.WARNING)
