"""Jobs of scores and tiers."""

from graph_memory.memory import sharing
from graph_memory.scoring import rescoring
from graph_memory.upkeep import archiving, restoring

BODIES = {
    "graph_memory.scoring.rescore": rescoring.rescore,
    "graph_memory.lifecycle.archive": archiving.run,
    "graph_memory.lifecycle.restore": restoring.run,
    "graph_memory.memory.reweigh": sharing.run,
}
