"""Jobs that tell others what has changed."""

from graph_memory.jobs import schedule
from graph_memory.webhooks import delivery

BODIES = {schedule.DELIVER: delivery.run}
