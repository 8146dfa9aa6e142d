"""Jobs of what belongs together: communities of memories, entities that are one."""

from graph_memory.upkeep import communities, entity_collection

BODIES = {
    "graph_memory.consolidation.communities": communities.detect,
    "graph_memory.entities.collect": entity_collection.run,
}
