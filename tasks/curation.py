"""Jobs of what people decide: quarantine of a source, reviews that nobody decided."""

from graph_memory.curation import quarantine
from graph_memory.jobs import schedule
from graph_memory.upkeep import review_expiry

BODIES = {
    schedule.QUARANTINE: quarantine.run,
    "graph_memory.reviews.expire": review_expiry.run,
}
