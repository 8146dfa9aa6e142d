"""Query documents that were parsed, judged and found valid, kept so that a client's next request need not wait for that.

What is kept is bounded by the memory that it takes, at a guess, and a document that is refused is never kept.
"""

from __future__ import annotations

import sys
from collections import OrderedDict

from graphql import DocumentNode

# Measured: a token with its share of the nodes takes 300 to 650 bytes, and its text stands in three places.
_TOKEN = 650
_COPIES = 3


class Documents:
    """The documents that were asked for last, as many as may be kept. Used inside one event loop."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._known: OrderedDict[str, DocumentNode] = OrderedDict()
        self.bytes = 0

    def get(self, text: str) -> DocumentNode | None:
        """The document of this text, if it is known."""
        document = self._known.get(text)
        if document is not None:
            self._known.move_to_end(text)
        return document

    def keep(self, text: str, document: DocumentNode) -> None:
        """Keeps a document, in place of those that nobody has asked for the longest."""
        if text in self._known:
            return
        self._known[text] = document
        self.bytes += _weight(text, document)
        while self.bytes > self._most:
            self.bytes -= _weight(*self._known.popitem(last=False))


def _weight(text: str, document: DocumentNode) -> int:
    return _TOKEN * document.token_count + _COPIES * sys.getsizeof(text)
