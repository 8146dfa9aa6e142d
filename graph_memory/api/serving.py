"""Serving the application over HTTP, with the limits of the settings for each connection."""

from __future__ import annotations

import math
import sys

import uvicorn
from starlette.types import ASGIApp

from graph_memory.api.app import create
from graph_memory.api.connections import bounded
from graph_memory.base.settings import ApiSettings
from graph_memory.settings import Settings

# Connections that are accepted in one go, before any of those that give way is closed.
AT_ONCE = 128
# Bytes of one message over a websocket: an operation and its variables.
MOST_FRAME = 1_000_000
_COULD_NOT_START = 3


def serve(settings: Settings, host: str, port: int) -> None:
    """Serves until it is told to stop; ends the process when it could not begin."""
    served = server(create(settings), settings[ApiSettings], host, port)
    served.run()
    if not served.started:
        sys.exit(_COULD_NOT_START)


def server(app: ASGIApp, limits: ApiSettings, host: str, port: int) -> uvicorn.Server:
    """A server of this application that bounds what each connection may take."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            http=bounded(limits),
            ws="websockets-sansio",
            ws_max_size=MOST_FRAME,
            ws_per_message_deflate=False,
            # A connection that waits gives way to a new one: more than this many are all being answered.
            limit_concurrency=limits.max_connections + 1,
            timeout_keep_alive=math.ceil(limits.idle_timeout),
            backlog=AT_ONCE,
            log_config=None,
            access_log=False,
            server_header=False,
        )
    )
