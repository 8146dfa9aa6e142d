"""Types of the schema by name and module: they lead to one another in circles, so what answers one cannot import it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import strawberry

if TYPE_CHECKING:
    from graph_memory.api.community_types import Community
    from graph_memory.api.entity_types import Claim, Entity
    from graph_memory.api.history_types import MemoryStateConnection
    from graph_memory.api.memory_link_types import MemoryLink, SharingMemory
    from graph_memory.api.memory_types import Memory, MemoryConnection
    from graph_memory.api.passage_types import Passage

MemoryRef = Annotated["Memory", strawberry.lazy("graph_memory.api.memory_types")]
MemoriesRef = Annotated["MemoryConnection", strawberry.lazy("graph_memory.api.memory_types")]
StatesRef = Annotated["MemoryStateConnection", strawberry.lazy("graph_memory.api.history_types")]
LinkRef = Annotated["MemoryLink", strawberry.lazy("graph_memory.api.memory_link_types")]
SharingRef = Annotated["SharingMemory", strawberry.lazy("graph_memory.api.memory_link_types")]
PassageRef = Annotated["Passage", strawberry.lazy("graph_memory.api.passage_types")]
EntityRef = Annotated["Entity", strawberry.lazy("graph_memory.api.entity_types")]
ClaimRef = Annotated["Claim", strawberry.lazy("graph_memory.api.entity_types")]
CommunityRef = Annotated["Community", strawberry.lazy("graph_memory.api.community_types")]
