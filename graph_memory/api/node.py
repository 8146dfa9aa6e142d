"""The interface of everything that has a global id."""

from __future__ import annotations

import strawberry


@strawberry.interface(description="Anything that has an id which is unique over all types.")
class Node:
    id: strawberry.ID = strawberry.field(
        description="The global id. Keep it as it is; what stands in it may change."
    )
