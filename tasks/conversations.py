"""Jobs of conversations: extraction, idle segments, batches of questions, and what waits for its vector."""

from graph_memory.ingest import extraction, sweep
from graph_memory.jobs import schedule
from graph_memory.upkeep import batch_jobs, embedding_fill

BODIES = {
    schedule.EXTRACT: extraction.run,
    "graph_memory.understanding.sweep": sweep.run,
    "graph_memory.batches.poll_extraction": batch_jobs.poll_extraction,
    "graph_memory.batches.poll_relationships": batch_jobs.poll_relationships,
    "graph_memory.batches.retry": batch_jobs.retry,
    "graph_memory.batches.purge": batch_jobs.purge,
    schedule.FILL: embedding_fill.run,
}
