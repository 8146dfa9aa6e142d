"""Asks the running GraphQL service, with the operations that the project ships."""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from graph_memory.base.errors import Unavailable, UserError
from graph_memory.base.files import folder

_SECONDS = 20


class Asking:
    """A caller with a key."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url
        self._key = key

    def search(self, query: str, as_of: str | None = None, first: int = 5) -> list[dict[str, Any]]:
        """The hits of a search, best first."""
        found: list[dict[str, Any]] = self._send("search", query=query, asOf=as_of, first=first)["search"][
            "hits"
        ]
        return found

    def why_retired(self, id: str) -> str:
        """The service's explanation."""
        return str(self._send("why-retired", id=id)["whyRetired"]["explanation"])

    def _send(self, operation: str, **variables: Any) -> dict[str, Any]:
        document = folder("graphql").joinpath("operations", f"{operation}.graphql").read_text("utf-8")
        body = json.dumps({"query": document, "variables": variables}).encode()
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            with urlopen(Request(self._url, body, headers), timeout=_SECONDS) as answer:  # noqa: S310 - our own address
                told = json.load(answer)
        except HTTPError as error:
            raise UserError(f"The GraphQL service refused: {error.code} {error.reason}.") from error
        except (URLError, TimeoutError) as error:
            raise Unavailable(
                f"The GraphQL service at {self._url} does not answer; see `graph-memory logs api`."
            ) from error
        if told.get("errors"):
            raise UserError(f"The GraphQL service answered: {told['errors'][0]['message']}")
        return dict(told["data"])
