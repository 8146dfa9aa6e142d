"""OpenAI Agents: a session whose talk becomes memories. Needs the extra `openai-agents`."""

from __future__ import annotations

import asyncio
from typing import Any

from graph_memory.adapters.open_session import OpenSession
from graph_memory.base.errors import MissingExtra
from graph_memory.client import Client

try:
    from agents.items import TResponseInputItem
    from agents.memory.session import SessionABC
except ImportError as error:
    raise MissingExtra("The session for OpenAI Agents", "openai-agents") from error

_ROLES = ("user", "assistant")


class MemorySession(SessionABC):
    """One conversation. What user and assistant say is kept by the service; calls of tools are kept while this object lives.

    `clear_session` closes the session: its talk is read for memories, and the next run begins without history. What
    `pop_item` takes back is not shown again by this object; what was said stays said.
    """

    def __init__(
        self, session_id: str, client: Client, *, user: str | None = None, subject: str | None = None
    ) -> None:
        self.session_id = session_id
        self._open = OpenSession(client, session_id, user, subject)
        self._items: list[TResponseInputItem] | None = None
        self._lock = asyncio.Lock()

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest items, oldest of them first."""
        async with self._lock:
            items = await self._known()
            return list(items if limit is None else items[max(len(items) - limit, 0) :])

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Takes in items; texts of user and assistant go to the service."""
        async with self._lock:
            known = await self._known()
            told = [{"role": each["role"], "content": _text(each)} for each in items if _is_said(each)]
            await asyncio.to_thread(self._open.add, told)
            known += items

    async def pop_item(self) -> TResponseInputItem | None:
        """The newest item, which is no longer shown."""
        async with self._lock:
            items = await self._known()
            return items.pop() if items else None

    async def clear_session(self) -> None:
        """Closes the session. Nothing is erased; `Client.forget` does that."""
        async with self._lock:
            await asyncio.to_thread(self._open.close)
            self._items = []

    async def _known(self) -> list[TResponseInputItem]:
        if self._items is None:
            said = await asyncio.to_thread(lambda: list(self._open.messages()))
            self._items = [{"role": each.role, "content": each.text} for each in said if each.role in _ROLES]
        return self._items


def _is_said(item: Any) -> bool:
    return item.get("role") in _ROLES and item.get("type", "message") == "message"


def _text(item: Any) -> str:
    content = item.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(each["text"] for each in content if each.get("text"))
