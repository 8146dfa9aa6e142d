"""The ids that begin as somebody wrote on the command line."""

from __future__ import annotations

from graph_memory.base.errors import Invalid, NotFound
from graph_memory.base.scope import Scope
from graph_memory.cli.ids import IdOf
from graph_memory.memory.lookup import MOST_BEGUN, begun
from graph_memory.store.queries import query
from graph_memory.store.service import Service

MEMORIES = query("memory/begun")
REVIEWS = query("reviews/begun")
ENTITIES = query("entities/begun")

_BEGUN = {IdOf.MEMORY: MEMORIES, IdOf.REVIEW: REVIEWS, IdOf.ENTITY: ENTITIES}
_MANY = {IdOf.MEMORY: "memories", IdOf.REVIEW: "reviews", IdOf.ENTITY: "entities"}


def whole(service: Service, scope: Scope, of: IdOf, given: str) -> str:
    """The id that begins so. Raises NotFound where none does, and Invalid with the candidates where several do."""
    found = begun(service, scope, _BEGUN[of], given.lower())
    if not found:
        raise NotFound(f"There is no {of} whose id begins with {given}, or it belongs to someone else.")
    if len(found) > 1:
        told = "; ".join(f"{row['id']} “{row['caption']}”" for row in found[:MOST_BEGUN])
        more = ", and more" if len(found) > MOST_BEGUN else ""
        raise Invalid(f"{given} begins the ids of several {_MANY[of]}: {told}{more}. Give more of it.")
    return str(found[0]["id"])
