"""Jobs that keep the store in order."""

from graph_memory.upkeep import compaction, due, nightly_check, run_cleanup

BODIES = {
    "graph_memory.memory.due": due.run,
    "graph_memory.memory.compact": compaction.run,
    "graph_memory.jobs.tidy": run_cleanup.tidy,
    "graph_memory.verify.nightly": nightly_check.nightly,
}
