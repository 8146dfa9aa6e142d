"""What was said in a session since it was last closed: the history that a framework shows to its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any
from uuid import uuid4

from graph_memory.base.errors import NotFound
from graph_memory.client import Client
from graph_memory.client.answers import Message

ROLES = ("user", "assistant", "tool")


class OpenSession:
    """The open stretch of one session. Closing it has it read for memories, and the next one begins empty."""

    def __init__(self, client: Client, session: str, user: str | None, subject: str | None) -> None:
        self._client = client
        self.session = session
        self._user = user
        self._named = subject or client.subject

    @cached_property
    def _subject(self) -> str | None:
        """Whose talk it is: as named, else as the key is bound, else the user's."""
        return self._named or self._client.viewer().subject or self._user

    def messages(self) -> Iterator[Message]:
        """What was said, oldest first."""
        found = self._client.segments(session=self.session, status="OPEN", subject=self._subject)
        for segment in sorted(found, key=lambda each: each.started_at):
            after = None
            while True:
                page = self._client.messages(segment.uuid, after=after)
                yield from (each for each in page if not each.is_erased)
                if not page.has_next_page:
                    break
                after = page.end_cursor

    def add(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Takes in `{"role", "content"}`. Said twice is kept twice."""
        told = [{**each, "ref": str(uuid4())} for each in messages if str(each["content"]).strip()]
        if told:
            self._client.add_messages(told, user=self._user, session=self.session, subject=self._subject)

    def close(self) -> None:
        """Has it read for memories. One that has no messages is closed already."""
        try:
            self._client.close_session(self.session, subject=self._subject)
        except NotFound:
            return
