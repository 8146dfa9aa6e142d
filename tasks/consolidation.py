"""Jobs of what belongs together: communities of memories, memories that say the same, entities that are one."""

from graph_memory.jobs import schedule
from graph_memory.upkeep import communities, consolidation, entity_collection, merge_plans, merge_reverts

BODIES = {
    "graph_memory.consolidation.communities": communities.detect,
    schedule.CONSOLIDATE: consolidation.run,
    schedule.PROMOTE: merge_plans.promote,
    schedule.REVERT: merge_reverts.run,
    "graph_memory.entities.collect": entity_collection.run,
}
