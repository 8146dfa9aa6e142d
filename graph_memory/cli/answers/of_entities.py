"""What the commands of entities answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graph_memory.cli.answers.of_memories import Text
from graph_memory.cli.answers.shapes import also
from graph_memory.memory import entity_reading
from graph_memory.memory.attribute_reading import Stated


@dataclass
class Entity:
    """Somebody or something that memories mention; `alias_of` is who the name means now."""

    id: str
    name: str
    type: str
    key: str
    discriminator: str
    aliases: list[str] | None
    alias_of: str | None
    link_count: int
    first_seen: datetime
    last_seen: datetime


@dataclass
class Attribute:
    """What is stated of an entity by one name."""

    name: str
    current: list[Stated]
    history: list[Stated]


@dataclass
class EntityEdited:
    """The entity, how many memories the edit touched, and the changes that carry it."""

    id: str
    memories: int
    changes: list[int]
    replayed: bool


EntityFound = also(
    "EntityFound",
    Entity,
    memories=list[Text],
    has_more_memories=bool,
    relations=list[entity_reading.Relation],
)
