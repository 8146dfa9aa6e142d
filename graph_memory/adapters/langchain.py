"""LangChain: a chat history whose talk becomes memories, and a retriever over them. Needs the extra `langchain`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_memory.adapters.open_session import OpenSession
from graph_memory.base.errors import MissingExtra
from graph_memory.client import Client
from graph_memory.client.answers import Hit

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.chat_history import BaseChatMessageHistory
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise MissingExtra("LangChain's history and retriever", "langchain") from error

_TOOL = "tool"
_ROLES = {"human": "user", "ai": "assistant", "tool": _TOOL}


class ChatHistory(BaseChatMessageHistory):
    """The messages of a session since it was last cleared. `clear` closes the session: its talk is read for memories.

    Texts are kept; the parts of a message that are calls of tools, or no text, are not. So what tools answered is read as
    context, but shown to no model: it would stand there without its call.
    """

    def __init__(
        self, client: Client, session: str, *, user: str | None = None, subject: str | None = None
    ) -> None:
        self._open = OpenSession(client, session, user, subject)

    @property
    def messages(self) -> list[BaseMessage]:
        return [_message(each.role, each.text) for each in self._open.messages() if each.role != _TOOL]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Takes in messages. What the system says is the developer's, and not kept."""
        told = [{"role": _ROLES[each.type], "content": each.text} for each in messages if each.type in _ROLES]
        self._open.add(told)

    def clear(self) -> None:
        """Closes the session. Nothing is erased; `Client.forget` does that."""
        self._open.close()


class MemoryRetriever(BaseRetriever):
    """The memories nearest to a text, as documents. Other arguments of `Client.search` are given as `options`."""

    client: Any
    k: int = 4
    options: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - asked so
    ) -> list[Document]:
        return [_document(hit) for hit in self.client.search(query, first=self.k, **self.options)]


def _message(role: str | None, text: str) -> BaseMessage:
    if role == "assistant":
        return AIMessage(text)
    return SystemMessage(text) if role == "system" else HumanMessage(text)


def _document(hit: Hit) -> Document:
    memory = hit.memory
    told = {
        "score": hit.score,
        "kind": memory.kind,
        "trust": memory.trust,
        "valid_from": memory.valid_from.isoformat(),
        "valid_to": memory.valid_to and memory.valid_to.isoformat(),
    }
    return Document(memory.text, id=memory.id, metadata={**memory.metadata, **told})
